"""The names that may come next in an object of one record (`record_objects`), with some classes of other keys."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..json_schema.algebra.profile import INFINITE
from .keys import spelled
from .members import FreeOrder, InOrder, without
from .tables import Names

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["RecordNames"]


class RecordNames:
    """The tries of a record by position. most: levels of nesting that the value of another key may need.

    classes: numbers of the classes of other keys that may come; a class is numbered as members are, behind them. rooms:
    levels that their values need, by number. before: for positions that were come to, one before it and the member
    between. name_end: of a number, the state after the closing quote.

    states: what makes the tries of all positions but the first ones, which are made here.
    """

    def __init__(
        self,
        owner: OnDemand,
        record: FreeOrder | InOrder,
        classes: Sequence[int],
        most: int,
        rooms: Sequence[int],
        before: Mapping[int, tuple[int, int]],
        name_end: Callable[[int], int],
    ) -> None:
        self.most = most
        self._owner = owner
        self._record = record
        self._rooms = rooms
        self._name_end = name_end
        self._names = [spelled(name) for name, _, _ in record.members]
        self._classes = classes
        keys = tuple(without(record.other_classes[number - len(self._names)][0], record.declared) for number in classes)
        languages = owner.languages
        self._rest = rest = languages.rest_beside(keys, record.declared) if keys else None
        self._least = min((rooms[number] for number in classes), default=INFINITE)
        self._tries = tries = languages.key_tries(record.declared, rest)
        self.states: Names = owner.made_by.Names(
            owner.made, before, self._names, -1 if rest is None else languages.opening(rest), self._least,
            tries.class_map, tries.width, tries.keys, self._make_roots,
            None if rest is None else languages.key_prefixes.add,
        )  # fmt: skip

    def _make_roots(self) -> None:
        if isinstance(self._record, InOrder):
            self._make_tries(self._record)
        else:
            self.states.roots[0] = self._whole_trie()

    def _make_tries(self, record: InOrder) -> None:
        """The tries of all positions of members in order."""
        roots, count = self.states.roots, len(self._names)
        root = roots[count] = self._others_alone(record.declared)
        for number in range(count - 1, -1, -1):
            below = -1 if record.members[number][2] else root
            root = roots[number] = self._with_name(below, number, others=record.may_close(number))

    def _whole_trie(self) -> int:
        own = self._owner.tables.state_count
        root = self._others_alone(self._record.declared.difference(name for name, _, _ in self._record.members))
        leaves = list(map(self._name_end, range(len(self._names))))
        rooms = self._rooms[: len(leaves)]
        return self._tries.insert_all(root, self._names, leaves, rooms, self._least, self.states.other_end, own)

    def _others_alone(self, names: frozenset[str]) -> int:
        """A trie in which other keys are possible, but for these names; -1 where no other keys may come."""
        root, own = -1, self._owner.tables.state_count
        if self._rest is not None:
            classes = tuple((number,) for number in self._classes)
            after = self.states.other_end = self._owner.returns(self._rest, classes, self._end_of_class, self.most)
            root = self._tries.others(self._least, after)
            if names:
                texts = list(map(spelled, sorted(names)))
                nowhere, rooms = [-1] * len(texts), [INFINITE] * len(texts)
                root = self._tries.insert_all(root, texts, nowhere, rooms, self._least, after, own)
        return root

    def _with_name(self, root: int, number: int, *, others: bool) -> int:
        after = self.states.other_end if others else -1
        rooms = self._rooms[number], self._least
        return self._tries.insert(root, self._names[number], self._name_end(number), rooms, after)

    def _end_of_class(self, numbers: tuple[Hashable, ...]) -> int:
        """The state after another key: it is of one class, since classes are disjoint."""
        (number,) = numbers
        assert isinstance(number, int)
        return self._name_end(number)
