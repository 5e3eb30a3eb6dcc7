"""The states inside an object of one record in which nothing is counted: most objects of most schemas.

A member, from its opening quote to the end of its value, is a module of its own whose outcome is its number, and the
caller, who knows the position so far, goes on from the position after it. So the states after a name are made once,
whatever stood before. The modules of two positions differ only in which names they still accept:

- members in any order: with n of them there are 2^n sets of members that were written. The trie of a set is that of
  the set before it, less one name (path copying), so a set costs as many rows as its last name has letters;
- members in declared order: going back from the last position, each adds one name to the trie after it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from .members import FreeOrder, InOrder, without
from .module import Module
from .structure import CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, WIDTH

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["RecordModule"]


class RecordModule(Module):
    """The objects of one record. Positions are those of the record."""

    def __init__(self, owner: OnDemand, record: FreeOrder | InOrder) -> None:
        self._owner = owner
        self._tables = owner.tables
        self._record = record
        self._names = [name for name, _, _ in record.members]
        self._terms: list[Term] = [term for _, term, _ in record.members]
        self._terms += [term for _, term in record.other_classes]  # a class of other keys is numbered as members are
        others = tuple(without(texts, record.declared) for texts, _ in record.other_classes)
        self._rest = owner.languages.rest_of_keys(others) if others else None
        self._room_of_others = min((owner.room(term) for _, term in record.other_classes), default=INFINITE)
        self._tries = owner.languages.key_tries(record.declared, self._rest)
        self._after: dict[int, int] = {}
        self._roots: dict[int, int] = {}
        self._before: dict[int, tuple[int, int]] = {}  # a set that it was made from, and the member that was added
        self._name_ends: dict[int, int] = {}
        self._other_end = -1
        super().__init__(owner.ahead(owner.new_state(record.room(0), self._make_start)))

    def _make_start(self, state: int) -> None:
        inside = self._owner.ahead(self._owner.new_state(self._record.room(0), self._make_inside))
        self._owner.lay(state, 0, [(OPEN_OBJECT, inside)])

    def _make_inside(self, state: int) -> None:
        """After the opening brace."""
        self._lay_member(state, 0, self._owner.blanks.padding, self._closing(0))

    def _make_comma(self, state: int, position: int) -> None:
        self._lay_member(state, position, self._owner.blanks.after_comma, [])

    def _closing(self, position: int) -> list[tuple[int, int]]:
        return [(CLOSE_OBJECT, self._owner.end())] if self._record.may_close(position) else []

    def _lay_member(self, state: int, position: int, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Blanks, then a member, or the closing brace."""
        owner = self._owner
        root = self._root(position)
        if root < 0:
            owner.lay(state, blanks, closing)
            return
        after = owner.new_block(len(self._terms), self._make_returned, position)
        edge = self._tables.add_edge(self._member_start(root, position), after, 0)
        number = self._record.first(position)
        if number is not None:
            owner.ahead(after + number)
        owner.lay(state, blanks, [(QUOTE, -2 - edge), *closing], (edge, 1))

    def _member_start(self, root: int, position: int) -> int:
        """The state that reads the opening quote. Where other keys may come, it is as before any of these."""
        tables = self._tables
        start = tables.new_states(1, tables.room_of(root), 0)
        row = tables.add_row(WIDTH, -1)
        tables.put(row + QUOTE, root)
        if self._rest is None or not self._record.others(position):
            tables.expand(start, row, self._owner.class_map, 0, 0, 0)
        else:
            edge = tables.add_edge(self._owner.languages.opening(self._rest), self._other_end, 0)
            tables.expand_default(start, row, self._owner.class_map, edge)
        return start

    def _make_returned(self, state: int, number: int, position: int) -> None:
        """After a member: which one it was is the number."""
        then = self._record.then(position, number)
        if then != position:
            self._before.setdefault(then, (position, number))
        known = self._after.get(then)
        if known is None:
            self._make_after(state, then)
            self._after[then] = state
        else:
            self._tables.expand_as(state, known)

    def _make_after(self, state: int, position: int) -> None:
        """After a value, with so many members written."""
        owner = self._owner
        moves = self._closing(position)
        root = self._root(position)
        if root >= 0:
            comma = owner.new_state(self._tables.room_of(root), self._make_comma, position)
            moves.append((COMMA, owner.ahead(comma)))
        owner.lay(state, owner.blanks.padding, moves)

    # Names

    def _root(self, position: int) -> int:
        """The trie of the names that may come next, -1 where none may and no other key either."""
        known = self._roots.get(position)
        if known is None:
            if isinstance(self._record, InOrder):
                self._make_tries(self._record)
            elif position == 0:
                self._roots[0] = self._whole_trie()
            else:
                before, number = self._before[position]
                root = self._tries.remove(self._roots[before], self._names[number], self._room_of_others)
                self._roots[position] = root
            known = self._roots[position]
        return known

    def _make_tries(self, record: InOrder) -> None:
        """The tries of all positions of members in order."""
        count = len(self._names)
        root = self._roots[count] = self._others_alone(record.declared)
        for number in range(count - 1, -1, -1):
            below = -1 if record.members[number][2] else root
            root = self._roots[number] = self._with_name(below, number, others=record.may_close(number))

    def _whole_trie(self) -> int:
        root = self._others_alone(self._record.declared.difference(self._names))
        for number in range(len(self._names)):
            root = self._with_name(root, number, others=True)
        return root

    def _others_alone(self, names: frozenset[str]) -> int:
        """A trie in which other keys are possible, but for these names; -1 where no other keys may come."""
        root = -1
        if self._rest is not None:
            classes = tuple((number,) for number in range(len(self._names), len(self._terms)))
            self._other_end = self._owner.returns(self._rest, classes, self._end_of_class)
            root = self._tries.others(self._room_of_others, self._other_end)
            for name in sorted(names):
                root = self._tries.insert(root, name, -1, self._room_of_others, self._other_end)
        return root

    def _with_name(self, root: int, number: int, *, others: bool) -> int:
        room = self._owner.room(self._terms[number])
        if others:
            room = min(room, self._room_of_others)
        after = self._other_end if others else -1
        return self._tries.insert(root, self._names[number], self._name_end(number), room, after)

    # Values

    def _end_of_class(self, numbers: tuple[Hashable, ...]) -> int:
        """The state after another key: it is of one class, since classes are disjoint."""
        (number,) = numbers
        assert isinstance(number, int)
        return self._name_end(number)

    def _name_end(self, number: int) -> int:
        """The state after the closing quote of a name."""
        known = self._name_ends.get(number)
        if known is None:
            room = self._owner.room(self._terms[number])
            known = self._owner.new_state(room, self._make_name_end, number)
            self._name_ends[number] = self._owner.ahead(known)
        return known

    def _make_name_end(self, state: int, number: int) -> None:
        owner = self._owner
        value = owner.ahead(owner.new_state(owner.room(self._terms[number]), self._make_value, number))
        owner.lay(state, owner.blanks.padding, [(COLON, value)])

    def _make_value(self, state: int, number: int) -> None:
        owner = self._owner
        owner.lay(state, owner.blanks.after_colon, *owner.one_value(self._terms[number], owner.end(number)))
