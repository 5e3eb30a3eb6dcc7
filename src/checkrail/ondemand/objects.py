"""The states inside an object: which members may come next, for a set of positions of one record or several.

    `{` blanks (key blanks `:` blanks value blanks (`,` blanks key ...)*)? `}`

The general form: several records (alternatives), properties that are counted or witnessed, or no declared names at
all. `record_objects` is for the simple ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..json_schema.algebra.objects import ObjectRecord
from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import Texts
from .members import FreeOrder, InOrder, Position, Record, steps_of, without
from .module import Module, Outcomes
from .record_objects import RecordModule
from .structure import BLANK, CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, SPACE, WIDTH

if TYPE_CHECKING:
    from .automaton import OnDemand
    from .keys import Rest

__all__ = ["object_module"]

_MOST_OUTCOMES = 64


class Item(NamedTuple):
    """A position in one of the records. number: of the record."""

    number: int
    position: Position


Set: TypeAlias = tuple[Item, ...]
Case: TypeAlias = tuple[Term, Item]


class ObjectModule(Module):
    """The objects of some sets of records; a set is one part."""

    def __init__(self, owner: OnDemand, records: list[Record], part_of: list[int], parts: int) -> None:
        """part_of: which part each record belongs to. parts: how many there are."""
        self._owner = owner
        self._tables = owner.tables
        self._records = records
        self._part_of = part_of
        self.outcomes = Outcomes(_MOST_OUTCOMES) if parts > 1 else None
        self._after: dict[frozenset[Item], int] = {}
        self._key_ends: dict[tuple[Case, ...], int] = {}
        self._within: dict[tuple[Texts, frozenset[str]], list[str]] = {}
        self._rooms: dict[Case, int] = {}
        self._declared = frozenset(name for record in self._records for name in record.declared)
        begin = tuple(Item(i, record.begin) for i, record in enumerate(self._records))
        self.start = owner.ahead(owner.new_state(self._room_after(begin), self._make_start, begin))

    # Rooms

    def _room_after(self, items: Set) -> int:
        return min((self._records[i].room(p) for i, p in items), default=INFINITE)

    def _room_of_case(self, case: Case) -> int:
        known = self._rooms.get(case)
        if known is None:
            room = self._records[case[1].number].room(case[1].position)
            known = self._rooms[case] = max(self._owner.room(case[0]), room)
        return known

    # States

    def _make_start(self, state: int, begin: Set) -> None:
        inside = self._owner.ahead(self._owner.new_state(self._room_after(begin), self._make_inside, begin))
        row = self._tables.add_row(WIDTH, -1)
        self._tables.put(row + OPEN_OBJECT, inside)
        self._tables.expand(state, row, self._owner.class_map, 0, 0, 0)

    def _make_inside(self, state: int, begin: Set) -> None:
        """After the opening brace."""
        self._lay_keys(state, begin, self._owner.blanks.padding, closes=True)

    def after(self, items: Set) -> int:
        """The state after a value, for a set of positions."""
        key = frozenset(items)
        known = self._after.get(key)
        if known is None:
            room = 0 if self._closing(items) else self._room_after(items)
            known = self._owner.new_state(room, self._make_after, tuple(dict.fromkeys(items)))
            self._after[key] = self._owner.ahead(known)
        return known

    def _closing(self, items: Set) -> list[int]:
        return [i for i, p in items if self._records[i].may_close(p)]

    def _end(self, closing: list[int]) -> int:
        if self.outcomes is None:
            return self._owner.end()
        return self._owner.end(self.outcomes.number(tuple(sorted({self._part_of[i] for i in closing}))))

    def _make_after(self, state: int, items: Set) -> None:
        owner, tables = self._owner, self._tables
        row = tables.add_row(WIDTH, -1)
        closing = self._closing(items)
        if closing:
            tables.put(row + CLOSE_OBJECT, self._end(closing))
        if any(self._records[i].named(p) or self._records[i].others(p) for i, p in items):
            comma = owner.ahead(owner.new_state(self._room_after_comma(items), self._make_comma, items))
            tables.put(row + COMMA, comma)
        tables.lay(state, row, WIDTH, owner.class_map, 0, 0, 0, SPACE, BLANK, owner.blanks.padding)

    def _room_after_comma(self, items: Set) -> int:
        least = INFINITE
        for i, p in items:
            record = self._records[i]
            if not record.may_close(p):
                least = min(least, record.room(p))
                continue
            for _, term, after in (*record.named(p), *record.others(p)):
                least = min(least, max(self._owner.room(term), record.room(after)))
                if least == 0:
                    return 0
        return least

    def _make_comma(self, state: int, items: Set) -> None:
        self._lay_keys(state, items, self._owner.blanks.after_comma, closes=False)

    def _lay_keys(self, state: int, items: Set, blanks: int, *, closes: bool) -> None:
        """Blanks, then a key, or the closing brace."""
        owner, tables = self._owner, self._tables
        target, first, count = self._keys(items)
        row = tables.add_row(WIDTH, -1)
        if target != -1:
            tables.put(row + QUOTE, target)
        closing = self._closing(items) if closes else []
        if closing:
            tables.put(row + CLOSE_OBJECT, self._end(closing))
        kind = 4 if count and not closing else 0
        tables.lay(state, row, WIDTH, owner.class_map, kind, first, count, SPACE, BLANK, blanks)

    # Keys

    def _keys(self, items: Set) -> tuple[int, int, int]:
        """What the opening quote of a key leads to (a state, or -2 - e for a call), and the call edges."""
        named, others = self._cases(items)
        if self._declared:  # then keys have one spelling
            return self._key_trie(named, others), 0, 0
        module = self._owner.languages.keys(tuple(others)) if others else None
        if module is None:
            return -1, 0, 0
        edge = self._tables.add_edge(module.start, self._after_other(module, others), 0)
        return -2 - edge, edge, 1

    def _after_other(self, module: Module | Rest, others: dict[Texts, list[Case]]) -> int:
        """The state to return to from other keys."""
        return self._owner.returns(module, tuple(map(tuple, others.values())), self._key_end)

    def _cases(self, items: Set) -> tuple[dict[str, list[Case]], dict[Texts, list[Case]]]:
        """The names that may come next with what their values may be, and the classes of other keys."""
        named: dict[str, list[Case]] = {}
        others: dict[Texts, list[Case]] = {}
        for i, p in items:
            record = self._records[i]
            for name, term, after in record.named(p):
                named.setdefault(name, []).append((term, Item(i, after)))
            for texts, term, after in record.others(p):
                case = (term, Item(i, after))
                others.setdefault(without(texts, self._declared), []).append(case)
                for name in self._names_within(texts, record.declared):
                    named.setdefault(name, []).append(case)
        return named, others

    def _names_within(self, texts: Texts, declared: frozenset[str]) -> list[str]:
        """The names that other records declare and that are other keys to this one."""
        known = self._within.get((texts, declared))
        if known is None:
            contains = self._owner.schema.normalizer.texts.contains
            names = sorted(self._declared - declared)
            known = self._within[texts, declared] = [name for name in names if contains(texts, name, "")]
        return known

    def _key_trie(self, named: dict[str, list[Case]], others: dict[Texts, list[Case]]) -> int:
        """The root of a trie of names, each with its cases, and the cases of other keys; -1 where none may come."""
        rest = self._owner.languages.rest_of_keys(tuple(others)) if others else None
        tries = self._owner.languages.key_tries(self._declared, rest)
        root, default, base_room = -1, -1, INFINITE
        if rest is not None:
            default = self._after_other(rest, others)
            base_room = min(self._room_of_case(case) for cases in others.values() for case in cases)
            root = tries.others(base_room, default)
            for name in sorted(self._declared - named.keys()):
                root = tries.insert(root, name, -1, base_room, default)
        for name, cases in named.items():
            room = min(base_room, *map(self._room_of_case, cases))
            root = tries.insert(root, name, self._key_end(tuple(cases)), room, default)
        return root

    # Values

    def _key_end(self, cases: tuple[Case, ...]) -> int:
        """The state after the closing quote of a key."""
        known = self._key_ends.get(cases)
        if known is None:
            room = min(map(self._room_of_case, cases))
            known = self._owner.new_state(room, self._make_key_end, cases)
            self._key_ends[cases] = self._owner.ahead(known)
        return known

    def _make_key_end(self, state: int, cases: tuple[Case, ...]) -> None:
        owner, tables = self._owner, self._tables
        colon = owner.ahead(owner.new_state(min(map(self._room_of_case, cases)), self._make_value, cases))
        row = tables.add_row(WIDTH, -1)
        tables.put(row + COLON, colon)
        tables.lay(state, row, WIDTH, owner.class_map, 0, 0, 0, SPACE, BLANK, owner.blanks.padding)

    def _make_value(self, state: int, cases: tuple[Case, ...]) -> None:
        owner, tables = self._owner, self._tables
        first, count, entries = owner.value_edges(cases, self.after)
        row = tables.add_row(WIDTH, -1)
        for letter, code in entries:
            tables.put(row + letter, code)
        kind = 4 if count == 1 else 0
        tables.lay(state, row, WIDTH, owner.class_map, kind, first, count, SPACE, BLANK, owner.blanks.after_colon)


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
        if isinstance(only, (FreeOrder, InOrder)) and only.declared:
            return RecordModule(owner, only)
    return ObjectModule(owner, found, part_of, len(parts))
