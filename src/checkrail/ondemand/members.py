"""What may come next inside an object, as a record of the schema says it: positions and the steps between them.

A position says what still matters about the members that were written. With members in their declared order and
nothing counted it is how many of these are behind; a count of properties, witnesses and a free order need more. The
rules are those of `json_schema.algebra.lower_objects`, which says the same as expressions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from ..json_schema.algebra.cases import key_cases, split_member
from ..json_schema.algebra.counted import check_conditions, too_many_states
from ..json_schema.algebra.objects import ObjectRecord
from ..json_schema.algebra.profile import INFINITE, OpenSchema
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import ALL_TEXTS, Texts
from .rooms import least_rooms

__all__ = ["Counted", "FreeOrder", "InOrder", "Position", "Record", "steps_of", "without"]

Position: TypeAlias = Hashable


class Record(Protocol):
    """One record. begin: the first position. declared: all names that it declares, also those that may not occur."""

    begin: Position
    declared: frozenset[str]

    def named(self, position: Position) -> list[tuple[str, Term, Position]]:
        """The declared members that may come next: name, value, position after."""

    def others(self, position: Position) -> list[tuple[Texts, Term, Position]]:
        """The other members that may come next, by classes of keys (without the declared names)."""

    def may_close(self, position: Position) -> bool:
        """Whether the object may end here."""

    def room(self, position: Position) -> int:
        """Levels of nesting that are needed from here to the end, inside the object."""


Members: TypeAlias = list[tuple[str, Term, bool]]
Others: TypeAlias = list[tuple[Texts, Term]]


class _Uncounted:
    """A record in which nothing is counted. members: name, value, required. rooms: levels that their values need.
    other_classes: of other keys."""

    def __init__(self, members: Members, others: Others, declared: frozenset[str], rooms: list[int]) -> None:
        self.begin: Position = 0
        self.declared = declared
        self.members = members
        self.other_classes = others
        self.rooms = rooms


class InOrder(_Uncounted):
    """Members in declared order, then the others. A position is how many are behind."""

    def __init__(self, members: Members, others: Others, declared: frozenset[str], rooms: list[int]) -> None:
        super().__init__(members, others, declared, rooms)
        self._rooms = [0] * (len(members) + 1)
        self.ends = [len(members)] * (len(members) + 1)  # the first required member from here on
        for i in range(len(members) - 1, -1, -1):
            required = members[i][2]
            self._rooms[i] = max(self._rooms[i + 1], rooms[i]) if required else self._rooms[i + 1]
            self.ends[i] = i if required else self.ends[i + 1]

    def named(self, position: Position) -> list[tuple[str, Term, Position]]:
        assert isinstance(position, int)
        last = min(self.ends[position] + 1, len(self.members))
        return [(self.members[i][0], self.members[i][1], i + 1) for i in range(position, last)]

    def others(self, position: Position) -> list[tuple[Texts, Term, Position]]:
        if not self.may_close(position):
            return []
        return [(texts, term, len(self.members)) for texts, term in self.other_classes]

    def may_close(self, position: Position) -> bool:
        assert isinstance(position, int)
        return self.ends[position] == len(self.members)

    def room(self, position: Position) -> int:
        assert isinstance(position, int)
        return self._rooms[position]


class FreeOrder(_Uncounted):
    """Members in any order, and others among them. A position is the bit set of those written."""

    def __init__(self, members: Members, others: Others, declared: frozenset[str], rooms: list[int]) -> None:
        super().__init__(members, others, declared, rooms)
        self._needed = [(1 << i, rooms[i]) for i, member in enumerate(members) if member[2]]
        self.required = sum([bit for bit, _ in self._needed])

    def named(self, position: Position) -> list[tuple[str, Term, Position]]:
        assert isinstance(position, int)
        return [
            (name, term, position | 1 << i) for i, (name, term, _) in enumerate(self.members) if not position >> i & 1
        ]

    def others(self, position: Position) -> list[tuple[Texts, Term, Position]]:
        return [(texts, term, position) for texts, term in self.other_classes]

    def may_close(self, position: Position) -> bool:
        assert isinstance(position, int)
        return position & self.required == self.required

    def room(self, position: Position) -> int:
        assert isinstance(position, int)
        return max([room for bit, room in self._needed if not position & bit], default=0)


class _Place(NamedTuple):
    """behind: how many declared members are decided, or in free order a bit set of those that were written.
    many: properties so far, as far as it matters. seen: a bit set of the witnesses."""

    behind: int
    many: int
    seen: int


class Counted:
    """Members that are counted, witnessed or in any order. Rooms of all positions are found once, if any matters; but
    in any order there are 2^n positions, and where at most one thing is witnessed each room is found by itself."""

    def __init__(
        self,
        record: ObjectRecord,
        members: Members,
        others: Others,
        schema: OpenSchema,
        *,
        any_order: bool,
        pointer: str,
    ) -> None:
        self.begin: Position = _Place(0, 0, 0)
        self.declared = frozenset(p.key for p in record.properties)
        self._record = record
        self._members = members
        self._others = others
        self._schema = schema
        self._any_order = any_order
        self._pointer = pointer
        self._steps: dict[_Place, tuple[list[tuple[str, Term, Position]], list[tuple[Texts, Term, Position]]]] = {}
        self._rooms: dict[Position, int] | None = None
        self._alone = any_order and len(record.witnesses) < 2
        self._rooms_alone: dict[_Place, int] = {}
        self._levels = [schema.room(term) for _, term, _ in members]
        self._level_of_others = min((schema.room(term) for _, term in others), default=INFINITE)
        self._required = sum(1 << i for i, member in enumerate(members) if member[2])
        self._last_required = max((i + 1 for i, member in enumerate(members) if member[2]), default=0)
        check_conditions(len(record.witnesses), "properties", pointer)

    def named(self, position: Position) -> list[tuple[str, Term, Position]]:
        return self._steps_from(position)[0]

    def others(self, position: Position) -> list[tuple[Texts, Term, Position]]:
        return self._steps_from(position)[1]

    def may_close(self, position: Position) -> bool:
        assert isinstance(position, _Place)
        if self._any_order:
            written = position.behind & self._required == self._required
        else:
            written = position.behind >= self._last_required
        everything = (1 << len(self._record.witnesses)) - 1
        return written and position.many >= self._record.minimum and position.seen == everything

    def room(self, position: Position) -> int:
        if self._alone:
            assert isinstance(position, _Place)
            known = self._rooms_alone.get(position)
            if known is None:
                known = self._rooms_alone[position] = self._room_alone(position)
            return known
        if self._rooms is None:
            limits = self._schema.options.limits
            self._rooms = least_rooms(
                self.begin,
                self._needs,
                self.may_close,
                limits.counted_states,
                lambda: too_many_states("properties", self._pointer, limits),
            )
        return self._rooms.get(position, INFINITE)

    def _room_alone(self, position: _Place) -> int:
        """The room of one position, without those of others.

        Where something is still to be witnessed, a member that does may as well come next: the easiest such one.
        """
        if position.seen == (1 << len(self._record.witnesses)) - 1:
            return self._room_of_enough(position)
        named, others = self._raw_steps(position)
        least = INFINITE
        steps = [(self._schema.room(term), after) for _, term, after in (*named, *others)]
        for room, after in sorted(steps, key=lambda step: step[0]):
            if room >= least:
                break
            assert isinstance(after, _Place)
            if after.seen:
                least = min(least, max(room, self._room_of_enough(after)))
        return least

    def _room_of_enough(self, position: _Place) -> int:
        """The least of the most that members need which together are enough: those required, and the easiest others."""
        needed: list[int] = [0]
        free: list[int] = []
        for i, level in enumerate(self._levels):
            if not position.behind >> i & 1:
                (needed if self._required >> i & 1 else free).append(level)
        count = max(position.many + len(needed) - 1, self._record.minimum)
        if self._record.maximum is not None and count > self._record.maximum:
            return INFINITE
        more = count - position.many - (len(needed) - 1)
        easiest = sorted(min(level, self._level_of_others) for level in free)[:more]
        easiest += [self._level_of_others] * (more > len(easiest))
        return max([*needed, *easiest])

    def _needs(self, position: Position) -> Iterator[tuple[int, Position]]:
        named, others = self._raw_steps(position)
        for _, term, after in (*named, *others):
            yield self._schema.room(term), after

    def _steps_from(
        self, position: Position
    ) -> tuple[list[tuple[str, Term, Position]], list[tuple[Texts, Term, Position]]]:
        """The steps that lead to positions from which there is an end."""
        assert isinstance(position, _Place)
        known = self._steps.get(position)
        if known is None:
            named, others = self._raw_steps(position)
            known = self._steps[position] = (
                [step for step in named if self.room(step[2]) < INFINITE],
                [step for step in others if self.room(step[2]) < INFINITE],
            )
        return known

    def _raw_steps(
        self, position: Position
    ) -> tuple[list[tuple[str, Term, Position]], list[tuple[Texts, Term, Position]]]:
        assert isinstance(position, _Place)
        named: list[tuple[str, Term, Position]] = []
        others: list[tuple[Texts, Term, Position]] = []
        maximum = self._record.maximum
        if maximum is not None and position.many >= maximum:
            return named, others
        count = min(position.many + 1, self._record.minimum if maximum is None else maximum)
        for i, (name, term, required) in enumerate(self._members):
            if position.behind & 1 << i if self._any_order else i < position.behind:
                continue
            behind = position.behind | 1 << i if self._any_order else i + 1
            for part, seen in self._declared_parts(name, term, position.seen):
                named.append((name, part, _Place(behind, count, seen)))
            if required and not self._any_order:
                return named, others
        behind = position.behind if self._any_order else len(self._members)
        for texts, part, seen in self._other_parts(position.seen):
            others.append((texts, part, _Place(behind, count, seen)))
        return named, others

    def _declared_parts(self, name: str, term: Term, seen: int) -> Iterator[tuple[Term, int]]:
        """The values of a declared member by which of the witnesses they are, each with those seen after it."""
        texts = self._schema.normalizer.texts
        applying = [i for i, w in enumerate(self._record.witnesses) if texts.contains(w.keys, name, self._pointer)]
        return self._split(term, applying, seen)

    def _other_parts(self, seen: int) -> Iterator[tuple[Texts, Term, int]]:
        texts, witnesses = self._schema.normalizer.texts, self._record.witnesses
        for keys, term in self._others:
            for known, applying in key_cases(texts, witnesses, keys, seen, self._pointer):
                for part, after in self._split(term, applying, seen):
                    yield known, part, after

    def _split(self, term: Term, applying: list[int], seen: int) -> Iterator[tuple[Term, int]]:
        """The values of a term by which of the witnesses they are; those that no value is in are left out."""
        for part, after in split_member(self._schema.normalizer, self._record.witnesses, term, applying, seen):
            if self._schema.room(part) < INFINITE:
                yield part, after


def steps_of(record: ObjectRecord, schema: OpenSchema, *, free: bool, pointer: str) -> Record | None:
    """The positions of a record; None where no object is in it. free: members may come in any order."""
    normalizer, room_of = schema.normalizer, schema.room
    members: Members = []
    rooms: list[int] = []
    needed = 0
    for p in record.properties:
        room = room_of(p.value)
        if room < INFINITE:
            members.append((p.key, p.value, p.required))
            rooms.append(room)
            needed += p.required
        elif p.required:
            return None
    declared = tuple([p.key for p in record.properties])
    others: Others = []
    for part in record.others:
        term = normalizer.terms.true if part.value is None else part.value
        if room_of(term) < INFINITE:
            keys = normalizer.texts.minus(part.keys, declared) if declared else part.keys
            if not normalizer.texts.is_empty(keys):
                others.append((keys, term))
    bounded = record.maximum is not None and (bool(others) or record.maximum < len(members))
    if not (record.witnesses or bounded or record.minimum > needed):
        return (FreeOrder if free else InOrder)(members, others, frozenset(declared), rooms)
    counted = Counted(record, members, others, schema, any_order=free, pointer=pointer)
    return counted if counted.room(counted.begin) < INFINITE else None


def without(texts: Texts, declared: frozenset[str]) -> Texts:
    """A class of keys as its language has to know it: declared names are told apart by a trie."""
    if texts.members is not None or declared.isdisjoint(texts.without):
        return texts
    left = tuple([name for name in texts.without if name not in declared])
    if not left and texts.shape is ALL_TEXTS.shape:
        return ALL_TEXTS
    return Texts(None, texts.shape, left, texts.plain)
