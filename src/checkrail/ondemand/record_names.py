"""The names that may come next in an object of one record (`record_objects`), with some classes of other keys."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..json_schema.algebra.profile import INFINITE
from .keys import NOTHING_OWN, spelled
from .members import FreeOrder, InOrder, without
from .structure import QUOTE, WIDTH

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["RecordNames"]


class RecordNames:
    """The tries of a record by position. most: levels of nesting that the value of another key may need.

    classes: numbers of the classes of other keys that may come; a class is numbered as members are, behind them.
    before: for positions that were come to, one before it and the member between. name_end: of a number, the state
    after the closing quote.
    """

    def __init__(
        self,
        owner: OnDemand,
        record: FreeOrder | InOrder,
        classes: Sequence[int],
        most: int,
        before: Mapping[int, tuple[int, int]],
        name_end: Callable[[int], int],
    ) -> None:
        self.most = most
        self._owner = owner
        self._record = record
        self._before = before
        self._name_end = name_end
        self._names = [name for name, _, _ in record.members]
        self._classes = classes
        others = [record.other_classes[number - len(self._names)] for number in classes]
        keys = tuple(without(texts, record.declared) for texts, _ in others)
        self._rest = owner.languages.rest_beside(keys, record.declared) if keys else None
        self._least = min((owner.room(term) for _, term in others), default=INFINITE)
        self._tries = owner.languages.key_tries(record.declared, self._rest)
        self._roots: dict[int, int] = {}
        self._other_end = -1

    def start(self, position: int, room: int) -> int:
        """The state that reads the opening quote."""
        start = self._owner.tables.new_states(1, room, 0)
        self.make_start(start, position)
        return start

    def make_start(self, state: int, position: int) -> None:
        """Where other keys may come, it is as before any of these."""
        tables = self._owner.tables
        root = self.root(position)
        row = tables.add_row(WIDTH, -1)
        tables.put(row + QUOTE, root)
        if self._rest is None or not self._record.has_others(position):
            tables.expand(state, row, self._owner.class_map, 0, 0, 0)
        else:
            edge = tables.add_edge(self._owner.languages.opening(self._rest), self._other_end, 0, 0)
            self._owner.note(edge, self._tries.keys)  # as those of the trie, or the two would not look alike
            tables.expand_default(state, row, self._owner.class_map, edge)

    def root(self, position: int) -> int:
        """The trie of the names that may come next, -1 where none may and no other key either."""
        known = self._roots.get(position)
        if known is None:
            if isinstance(self._record, InOrder):
                self._make_tries(self._record)
            else:
                self._make_trie(position)
            known = self._roots[position]
        return known

    def _make_trie(self, position: int) -> None:
        """The trie of a set of members that were written, from those of smaller sets."""
        behind = []
        while position not in self._roots and position != 0:
            behind.append(position)
            position = self._before[position][0]
        if position not in self._roots:
            self._roots[position] = self._whole_trie()
        for position in reversed(behind):
            before, number = self._before[position]
            self._roots[position] = self._tries.remove(self._roots[before], spelled(self._names[number]), self._least)

    def _make_tries(self, record: InOrder) -> None:
        """The tries of all positions of members in order."""
        count = len(self._names)
        root = self._roots[count] = self._others_alone(record.declared)
        for number in range(count - 1, -1, -1):
            below = -1 if record.members[number][2] else root
            root = self._roots[number] = self._with_name(below, number, others=record.may_close(number))

    def _whole_trie(self) -> int:
        own = self._owner.tables.state_count
        root = self._others_alone(self._record.declared.difference(self._names))
        for number in range(len(self._names)):
            root = self._with_name(root, number, others=True, own=own)
        return root

    def _others_alone(self, names: frozenset[str]) -> int:
        """A trie in which other keys are possible, but for these names; -1 where no other keys may come."""
        root, own = -1, self._owner.tables.state_count
        if self._rest is not None:
            classes = tuple((number,) for number in self._classes)
            self._other_end = self._owner.returns(self._rest, classes, self._end_of_class, self.most)
            root = self._tries.others(self._least, self._other_end)
            for name in sorted(names):
                root = self._tries.insert(root, spelled(name), -1, (INFINITE, self._least), self._other_end, own)
        return root

    def _with_name(self, root: int, number: int, *, others: bool, own: int = NOTHING_OWN) -> int:
        rooms = self._owner.room(self._record.members[number][1]), self._least
        after = self._other_end if others else -1
        return self._tries.insert(root, spelled(self._names[number]), self._name_end(number), rooms, after, own)

    def _end_of_class(self, numbers: tuple[Hashable, ...]) -> int:
        """The state after another key: it is of one class, since classes are disjoint."""
        (number,) = numbers
        assert isinstance(number, int)
        return self._name_end(number)
