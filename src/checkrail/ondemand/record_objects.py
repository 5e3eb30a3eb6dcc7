"""The states inside an object of one record in which nothing is counted: most objects of most schemas.

A member, from its opening quote to the end of its value, is a module of its own whose outcome is its number, and the
caller, who knows the position so far, goes on from the position after it. So the states after a name are made once,
whatever stood before. The modules of two positions differ only in which names they still accept:

- members in any order: with n of them there are 2^n sets of members that were written. The trie of a set is that of
  the set before it, less one name (path copying), so a set costs as many rows as its last name has letters;
- members in declared order: going back from the last position, each adds one name to the trie after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from .members import FreeOrder, InOrder
from .module import Module
from .record_names import RecordNames
from .structure import CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE

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
        self._rooms_of_others = [owner.room(term) for _, term in record.other_classes]
        # Near the nesting bound some of the other keys have no room for their values: at each further level there are
        # those only that need no more.
        self._levels = sorted(set(self._rooms_of_others), reverse=True) or [INFINITE]
        self._within: dict[int, RecordNames] = {}
        self._before: dict[int, tuple[int, int]] = {}
        self._after: dict[int, int] = {}
        self._name_ends: dict[int, int] = {}
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
        owner, tables = self._owner, self._tables
        levels = self._levels
        if len(levels) > 1 and not self._record.has_others(position):
            levels = levels[:1]
        names = self._names_within(levels[0])
        root = names.root(position)
        if root < 0:
            owner.lay(state, blanks, closing)
            return
        after = owner.new_block(len(self._terms), self._make_returned, position)
        least = tables.room_of(root)
        edge = tables.add_edge(names.start(position, least if len(levels) == 1 else levels[0]), after, 0, 0)
        for most in levels[1:]:
            room = least if most == levels[-1] else most
            tables.add_stand_in(owner.new_state(room, self._make_start_within, position, most), after, 0, 0)
        number = self._record.first(position)
        if number is not None:
            owner.ahead(after + number)
        owner.lay(state, blanks, [(QUOTE, -2 - edge), *closing], (edge, len(levels)))

    def _make_start_within(self, state: int, position: int, most: int) -> None:
        self._names_within(most).make_start(state, position)

    def _names_within(self, most: int) -> RecordNames:
        """The names, with the other keys whose values need so many levels of nesting at most."""
        known = self._within.get(most)
        if known is None:
            first = len(self._names)
            classes = [first + k for k, room in enumerate(self._rooms_of_others) if room <= most]
            known = RecordNames(self._owner, self._record, classes, most, self._before, self._name_end)
            self._within[most] = known
        return known

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
        root = self._names_within(self._levels[0]).root(position)
        if root >= 0:
            comma = owner.new_state(self._tables.room_of(root), self._make_comma, position)
            moves.append((COMMA, owner.ahead(comma)))
        owner.lay(state, owner.blanks.padding, moves)

    # Values

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
