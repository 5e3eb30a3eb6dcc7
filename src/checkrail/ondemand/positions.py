"""What the states of arrays and objects have in common: sets of positions in records, and what follows a part."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from .module import Alternatives
from .structure import COMMA

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["Case", "Item", "PositionsModule", "Set"]


class Item(NamedTuple):
    """A position in one of the records. number: of the record."""

    number: int
    position: Any


Set: TypeAlias = tuple[Item, ...]
Case: TypeAlias = tuple[Term, Item]


class _Positions(Protocol):
    """What a record says of its positions."""

    def may_close(self, position: Any, /) -> bool: ...
    def room(self, position: Any, /) -> int: ...


R = TypeVar("R", bound=_Positions)


class PositionsModule(Alternatives, Generic[R]):
    """The values of some sets of records; a set is one part.

    opening, closing: the classes of the brackets. part_of: which part each record belongs to. parts: how many there
    are.
    """

    opening: int
    closing: int

    def __init__(self, owner: OnDemand, records: Sequence[R], part_of: Sequence[int], parts: int, begin: Set) -> None:
        self.owner = owner
        self.records = records
        self._after: dict[frozenset[Item], int] = {}
        self._at_begin = [records[i].room(p) for i, p in begin]
        start = owner.ahead(owner.new_state(max(self._at_begin, default=INFINITE), self._make_start, begin))
        super().__init__(start, part_of, parts, self._at_begin)

    @abstractmethod
    def lay_part(self, state: int, items: Set, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Make a state: blanks, then a part, or what `closing` says."""

    @abstractmethod
    def room_of_parts(self, items: Set) -> int | None:
        """Levels that the least part needs, with all after it; None where no part may come."""

    def room_of_case(self, case: Case) -> int:
        """Levels that a part and all after it need."""
        return max(self.owner.room(case[0]), self.records[case[1].number].room(case[1].position))

    def room_after(self, item: Item) -> int:
        """Levels that are needed behind a part, where these are more than at the beginning."""
        room = self.records[item.number].room(item.position)
        return room if room > self._at_begin[item.number] else 0

    def _room(self, items: Set) -> int:
        return min((self.records[i].room(p) for i, p in items), default=INFINITE)

    def _closing(self, items: Set) -> list[tuple[int, int]]:
        """The move of the closing bracket, where it may come."""
        parts = {self._part_of[i] for i, p in items if self.records[i].may_close(p)}
        if not parts:
            return []
        return [
            (self.closing, self.owner.end(0 if self.outcomes is None else self.outcomes.number(tuple(sorted(parts)))))
        ]

    def _make_start(self, state: int, begin: Set) -> None:
        inside = self.owner.ahead(self.owner.new_state(self._room(begin), self._make_inside, begin))
        self.owner.lay(state, 0, [(self.opening, inside)])

    def _make_inside(self, state: int, begin: Set) -> None:
        """After the opening bracket."""
        self.lay_part(state, begin, self.owner.blanks.padding, self._closing(begin))

    def after(self, items: Set) -> int:
        """The state after a part, for a set of positions."""
        key = frozenset(items)
        known = self._after.get(key)
        if known is None:
            room = 0 if self._closing(items) else self._room(items)
            known = self.owner.new_state(room, self._make_after, tuple(dict.fromkeys(items)))
            self._after[key] = self.owner.ahead(known)
        return known

    def _make_after(self, state: int, items: Set) -> None:
        moves = self._closing(items)
        room = self.room_of_parts(items)
        if room is not None:
            moves.append((COMMA, self.owner.ahead(self.owner.new_state(room, self._make_comma, items))))
        self.owner.lay(state, self.owner.blanks.padding, moves)

    def _make_comma(self, state: int, items: Set) -> None:
        self.lay_part(state, items, self.owner.blanks.after_comma, [])
