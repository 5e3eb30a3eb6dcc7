"""The states inside an object: which members may come next, for a set of positions of one record or several.

    `{` blanks (key blanks `:` blanks value blanks (`,` blanks key ...)*)? `}`

The general form: several records (alternatives), properties that are counted or witnessed, or no declared names at
all. `record_objects` is for the simple ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..json_schema.algebra.objects import ObjectRecord
from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.texts import Texts
from .keys import spelled
from .kinds import Calls, Kind
from .loose import Beside, BesideOthers
from .map_objects import MapModule, unit_of_keys
from .members import FreeOrder, InOrder, Record, steps_of, without
from .module import Module
from .positions import Case, Item, PositionsModule, Set
from .record_objects import RecordModule
from .structure import CLOSE_OBJECT, COLON, OPEN_OBJECT, QUOTE
from .union_objects import UnionModule

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["object_module"]


class ObjectModule(PositionsModule[Record]):
    """The objects of some sets of records; a set is one part."""

    opening, closing = OPEN_OBJECT, CLOSE_OBJECT

    def __init__(self, owner: OnDemand, records: list[Record], part_of: list[int], parts: int) -> None:
        self._key_ends: dict[tuple[Case, ...], int] = {}
        self._within: dict[tuple[Texts, frozenset[str]], list[str]] = {}
        self._rooms: dict[Case, int] = {}
        self._declared = frozenset(name for record in records for name in record.declared)
        begin = tuple(Item(i, record.begin) for i, record in enumerate(records))
        super().__init__(owner, records, part_of, parts, begin)

    def _only(self, kept: list[int]) -> Module:
        return ObjectModule(self.owner, [self.records[i] for i in kept], [self._part_of[i] for i in kept], self._parts)

    def room_of_case(self, case: Case) -> int:
        """Levels that a member and all after it need."""
        known = self._rooms.get(case)
        if known is None:
            known = self._rooms[case] = super().room_of_case(case)
        return known

    def room_of_parts(self, items: Set) -> int | None:
        """Levels that the least member needs, with all after it; None where no member may come."""
        least = None
        for i, p in items:
            record = self.records[i]
            for _, term, after in (*record.named(p), *record.others(p)):
                room = self.room_of_case((term, Item(i, after)))
                if room == 0:
                    return 0
                least = room if least is None else min(least, room)
        return least

    def lay_part(self, state: int, items: Set, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Make a state: blanks, then a key, or the closing brace."""
        moves, edges = self._keys(items)
        self.owner.lay(state, blanks, [*moves, *closing], edges)

    # Keys

    def _keys(self, items: Set) -> Calls:
        """What the opening quote of a key leads to, and the call edges."""
        named, others = self._cases(items)
        if not self._declared:
            return self._keys_of_many_spellings(others)
        levels = sorted({self._room_of_key(cases) for cases in others.values()}, reverse=True)
        root = self._key_trie(named, others)
        if root < 0:
            return [], (0, 0)
        if len(levels) < 2:
            return [(QUOTE, root)], (0, 0)
        # Near the nesting bound some of the other keys have no room for their values: each further trie is without
        # the most demanding ones of the trie before.
        tables = self.owner.tables
        first = tables.edge_count
        for most in levels:
            room = tables.room_of(root) if most == levels[-1] else most
            start = self.owner.new_state(room, self._make_key_start, items, most)
            (tables.add_stand_in if most < levels[0] else tables.add_edge)(start, start, 0, 1)
        return [(QUOTE, -2 - first)], (first, len(levels))

    def _keys_of_many_spellings(self, others: dict[Texts, list[Case]]) -> Calls:
        keys = self.owner.languages.keys
        module = keys(tuple(others)) if others else None
        if module is None:
            return [], (0, 0)
        kind = Kind(QUOTE, keys, tuple(others), tuple(map(tuple, others.values())), 0, module)
        made = self.owner.add_edges([(QUOTE, self.owner.choices(kind, self._key_end, self.room_of_case), 0)])
        unit = unit_of_keys(self.owner, tuple(others))
        first, count = made[1]
        for edge in range(first, first + count):
            self.owner.note(edge, unit)
        return made

    def _make_key_start(self, state: int, items: Set, most: int) -> None:
        """Before the opening quote of a key, where values of other keys may need up to `most` levels."""
        named, others = self._cases(items)
        fit = {texts: cases for texts, cases in others.items() if self._room_of_key(cases) <= most}
        root = self._key_trie(named, fit)
        self.owner.lay(state, 0, [(QUOTE, root)] if root >= 0 else [])

    def _room_of_key(self, cases: Iterable[Case]) -> int:
        """Levels that a key needs, with its value and all after it, whatever else it may be."""
        return min(map(self.room_of_case, cases))

    def _cases(self, items: Set) -> tuple[dict[str, list[Case]], dict[Texts, list[Case]]]:
        """The names that may come next with what their values may be, and the classes of other keys."""
        named: dict[str, list[Case]] = {}
        others: dict[Texts, list[Case]] = {}
        for i, p in items:
            record = self.records[i]
            for name, term, after in record.named(p):
                named.setdefault(name, []).append((term, Item(i, after)))
            for texts, term, after in record.others(p):
                case = (term, Item(i, after))
                others.setdefault(without(texts, self._declared), []).append(case)
                for name in self._names_within(texts, record.declared):
                    if not isinstance(after, Beside):
                        named.setdefault(name, []).append(case)
                    elif name not in after.written:
                        once = after._replace(written=after.written | {name})
                        named.setdefault(name, []).append((term, Item(i, once)))
        return named, others

    def _names_within(self, texts: Texts, declared: frozenset[str]) -> list[str]:
        """The names that other records declare and that are other keys to this one."""
        known = self._within.get((texts, declared))
        if known is None:
            contains = self.owner.schema.normalizer.texts.contains
            names = sorted(self._declared - declared)
            known = self._within[texts, declared] = [name for name in names if contains(texts, name, "")]
        return known

    def _key_trie(self, named: dict[str, list[Case]], others: dict[Texts, list[Case]]) -> int:
        """The root of a trie of names, each with its cases, and the cases of other keys; -1 where none may come."""
        rest = self.owner.languages.rest_beside(tuple(others), self._declared) if others else None
        tries = self.owner.languages.key_tries(self._declared, rest)
        root, default, base_room = -1, -1, INFINITE
        own = self.owner.tables.state_count
        if rest is not None:
            rooms = list(map(self._room_of_key, others.values()))
            default = self.owner.returns(rest, tuple(map(tuple, others.values())), self._key_end, max(rooms))
            base_room = min(rooms)
            root = tries.others(base_room, default)
            for name in sorted(self._declared - named.keys()):
                root = tries.insert(root, spelled(name), -1, (INFINITE, base_room), default, own)
        for name, cases in named.items():
            rooms_of_name = self._room_of_key(cases), base_room
            root = tries.insert(root, spelled(name), self._key_end(tuple(cases)), rooms_of_name, default, own)
        return root

    # Values

    def _key_end(self, cases: tuple[Case, ...]) -> int:
        """The state after the closing quote of a key."""
        known = self._key_ends.get(cases)
        if known is None:
            room = min(map(self.room_of_case, cases))
            known = self.owner.new_state(room, self._make_key_end, cases)
            self._key_ends[cases] = self.owner.ahead(known)
        return known

    def _make_key_end(self, state: int, cases: tuple[Case, ...]) -> None:
        owner = self.owner
        value = owner.ahead(owner.new_state(min(map(self.room_of_case, cases)), self._make_value, cases))
        owner.lay(state, owner.blanks.padding, [(COLON, value)])

    def _make_value(self, state: int, cases: tuple[Case, ...]) -> None:
        self.owner.lay(
            state, self.owner.blanks.after_colon, *self.owner.value_edges(cases, self.after, self.room_after)
        )


def object_module(owner: OnDemand, parts: tuple[tuple[ObjectRecord, ...], ...]) -> Module:
    """The module of some sets of object records, each of them one part."""
    found: list[Record] = []
    part_of: list[int] = []
    for part, records in enumerate(parts):
        for record in records:
            steps = steps_of(record, owner.schema, free=owner.free, pointer="")
            if steps is not None:
                found.append(steps)
                part_of.append(part)
    if len(found) == len(parts) == 1:
        only = found[0]
        if isinstance(only, (FreeOrder, InOrder)):
            if only.declared:
                return RecordModule(owner, only)
            if len(only.other_classes) == 1:
                return MapModule(owner, *only.other_classes[0])
    free = [record for record in found if isinstance(record, FreeOrder)]
    if len(free) == len(found) and any(record.declared for record in free):
        return UnionModule(owner, free, part_of, len(parts))
    if len(found) > 1:
        declared = frozenset(name for record in found for name in record.declared)
        found = [BesideOthers(record) if declared - record.declared else record for record in found]
    return ObjectModule(owner, found, part_of, len(parts))
