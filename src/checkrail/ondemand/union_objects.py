"""The states inside an object of several records in which nothing is counted, with members in any order.

What may follow depends on two things: which records are still possible, and which of the declared names were written.
As in `record_objects` a member is a module of its own. It returns with its name and with those records whose value it
was, so what follows a name depends on the records alone that were possible before, and not on what was written. The
names of a position are a trie; that of the next position is the same less one name, as long as the same records are
possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import Texts
from .key_rests import without_names
from .keys import NOTHING_OWN, KeyTries, spelled
from .members import FreeOrder, without
from .module import Alternatives, Module, Outcomes
from .structure import CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE, WIDTH

if TYPE_CHECKING:
    from .automaton import OnDemand
    from .keys import Rest

__all__ = ["UnionModule"]

_OTHER = -1

Alive: TypeAlias = tuple[int, ...]
"""The records that are still possible."""

Cases: TypeAlias = tuple[tuple[Term, int], ...]
"""What a value may be, and for which record."""


class _Others(NamedTuple):
    """Other keys beside the declared names. rest: None where none may come. after: the state behind them. room: levels
    of nesting that the least of them needs. levels: what the classes of them need, from the most to the least."""

    rest: Rest | None
    after: int
    room: int
    levels: tuple[int, ...] = ()


class UnionModule(Alternatives):
    """The objects of some records. part_of: which part each record belongs to. parts: how many there are."""

    def __init__(self, owner: OnDemand, records: Sequence[FreeOrder], part_of: Sequence[int], parts: int) -> None:
        self._owner = owner
        self._tables = owner.tables
        self._records = records
        self._rooms = [record.room(record.begin) for record in records]
        self._declared = frozenset(name for record in records for name in record.declared)
        self._names = list(dict.fromkeys(name for record in records for name, _, _ in record.members))
        self._names += sorted(self._declared.difference(self._names))
        numbers = {name: k for k, name in enumerate(self._names)}
        self._required = [
            sum(1 << numbers[name] for name, _, required in record.members if required) for record in records
        ]
        self._members: list[list[tuple[Term, int]]] = [[] for _ in self._names]
        self._loose: list[list[tuple[Term, int]]] = [[] for _ in self._names]  # as other keys: they may come again
        self._classes: list[list[tuple[Texts, Term]]] = []
        for i, record in enumerate(records):
            for name, term, _ in record.members:
                self._members[numbers[name]].append((term, i))
            self._add_others(i, record)
        self._ends: dict[Alive, Outcomes] = {}
        self._possible: dict[Alive, frozenset[int]] = {}
        self._after: dict[tuple[Alive, int], int] = {}
        self._roots: dict[tuple[Alive, int, int], int] = {}
        self._others: dict[tuple[Alive, int], _Others] = {}
        self._name_ends: dict[tuple[Alive, int, Cases], int] = {}
        everything = tuple(range(len(records)))
        start = owner.new_state(max(self._rooms, default=INFINITE), self._make_start, everything)
        super().__init__(owner.ahead(start), part_of, parts, self._rooms)

    def _only(self, kept: list[int]) -> Module:
        records = [self._records[i] for i in kept]
        return UnionModule(self._owner, records, [self._part_of[i] for i in kept], self._parts)

    def _add_others(self, number: int, record: FreeOrder) -> None:
        contains = self._owner.schema.normalizer.texts.contains
        names = [(k, name) for k, name in enumerate(self._names) if name not in record.declared]
        for texts, term in record.other_classes:
            for k, name in names:
                if contains(texts, name, ""):
                    self._loose[k].append((term, number))
        is_empty = self._owner.schema.normalizer.texts.is_empty
        classes = [(without(texts, self._declared), term) for texts, term in record.other_classes]
        self._classes.append([case for case in classes if not is_empty(without_names(case[0], self._declared))])

    def _room(self, alive: Alive) -> int:
        return min((self._rooms[i] for i in alive), default=INFINITE)

    def _room_of_cases(self, cases: Cases) -> int:
        rooms = self._rooms
        return min([max(self._owner.room(term), rooms[i]) for term, i in cases])

    # Positions

    def _make_start(self, state: int, alive: Alive) -> None:
        inside = self._owner.ahead(self._owner.new_state(self._room(alive), self._make_inside, alive))
        self._owner.lay(state, 0, [(OPEN_OBJECT, inside)])

    def _make_inside(self, state: int, alive: Alive) -> None:
        """After the opening brace."""
        self._lay_member(state, alive, 0, self._owner.blanks.padding, self._closing(alive, 0))

    def _make_comma(self, state: int, alive: Alive, written: int) -> None:
        self._lay_member(state, alive, written, self._owner.blanks.after_comma, [])

    def _closing(self, alive: Alive, written: int) -> list[tuple[int, int]]:
        """The move of the closing brace, where it may come."""
        parts = {self._part_of[i] for i in alive if not self._required[i] & ~written}
        if not parts:
            return []
        outcome = 0 if self.outcomes is None else self.outcomes.number(tuple(sorted(parts)))
        return [(CLOSE_OBJECT, self._owner.end(outcome))]

    def _lay_member(self, state: int, alive: Alive, written: int, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Blanks, then a member, or the closing brace."""
        owner, tables = self._owner, self._tables
        root = self._root(alive, written)
        if root < 0:
            owner.lay(state, blanks, closing)
            return
        after = owner.new_block(self._ends_of(alive).most, self._make_returned, alive, written)
        others = self._others_of(alive)
        levels = others.levels
        start = tables.new_states(1, levels[0] if len(levels) > 1 else tables.room_of(root), 0)
        self._lay_start(start, root, others)
        edge = tables.add_edge(start, after, 0, 0)
        # Near the nesting bound some of the other keys have no room for their values: at each further level there are
        # those only that need no more.
        for most in levels[1:]:
            room = tables.room_of(root) if most == levels[-1] else most
            tables.add_stand_in(owner.new_state(room, self._make_start_within, alive, written, most), after, 0, 0)
        owner.lay(state, blanks, [(QUOTE, -2 - edge), *closing], (edge, tables.edge_count - edge))

    def _make_start_within(self, state: int, alive: Alive, written: int, most: int) -> None:
        self._lay_start(state, self._root(alive, written, most), self._others_of(alive, most))

    def _lay_start(self, start: int, root: int, others: _Others) -> None:
        """The state that reads the opening quote. Where other keys may come, it is as before any of these."""
        tables = self._tables
        row = tables.add_row(WIDTH, -1)
        tables.put(row + QUOTE, root)
        if others.rest is None:
            tables.expand(start, row, self._owner.class_map, 0, 0, 0)
        else:
            edge = tables.add_edge(self._owner.languages.opening(others.rest), others.after, 0, 0)
            self._owner.note(edge, self._tries(others).keys)
            tables.expand_default(start, row, self._owner.class_map, edge)

    def _make_returned(self, state: int, number: int, alive: Alive, written: int) -> None:
        """After a member: its name, and the records whose value it was, are told by the number."""
        name, *left = self._ends_of(alive).parts(number)
        then = tuple(left), written if name == _OTHER else written | 1 << name
        if then[0] == alive and (*then, INFINITE) not in self._roots:
            self._roots[*then, INFINITE] = self._root_after(alive, written, name)
        known = self._after.get(then)
        if known is None:
            self._make_after(state, *then)
            self._after[then] = state
        else:
            self._tables.expand_as(state, known)

    def _make_after(self, state: int, alive: Alive, written: int) -> None:
        owner = self._owner
        moves = self._closing(alive, written)
        root = self._root(alive, written)
        if root >= 0:
            comma = owner.new_state(self._tables.room_of(root), self._make_comma, alive, written)
            moves.append((COMMA, owner.ahead(comma)))
        owner.lay(state, owner.blanks.padding, moves)

    def _ends_of(self, alive: Alive) -> Outcomes:
        """The ways in which members end where these records are possible: by name, and by the records that are left."""
        known = self._ends.get(alive)
        if known is None:
            each = sum(len(self._cases(name, alive, 0)) for name in range(len(self._names)))
            known = self._ends[alive] = Outcomes(len(alive) + each)
        return known

    # Names

    def _cases(self, name: int, alive: Alive, written: int) -> Cases:
        """What the value of a name may be."""
        cases = [] if written >> name & 1 else self._members[name] + self._loose[name]
        possible = self._possible.get(alive)
        if possible is None:
            possible = self._possible[alive] = frozenset(alive)
        return tuple([case for case in cases if case[1] in possible])

    def _root(self, alive: Alive, written: int, most: int = INFINITE) -> int:
        """The trie of the names that may come next, -1 where none may and no other key either.

        most: levels of nesting that the value of another key may need."""
        known = self._roots.get((alive, written, most))
        if known is None:
            known = self._roots[alive, written, most] = self._whole_trie(alive, written, most)
        return known

    def _whole_trie(self, alive: Alive, written: int, most: int) -> int:
        others = self._others_of(alive, most)
        tries = self._tries(others)
        own = self._owner.tables.state_count
        root = -1 if others.rest is None else tries.others(others.room, others.after)
        for name in range(len(self._names)):
            cases = self._cases(name, alive, written)
            if cases or others.rest is not None:
                root = self._with_name(tries, root, alive, name, cases, others, own)
        return root

    def _root_after(self, alive: Alive, written: int, name: int) -> int:
        """The trie once one more name was written."""
        root = self._root(alive, written)
        if name == _OTHER or written >> name & 1:
            return root
        others = self._others_of(alive)
        cases = self._cases(name, alive, written | 1 << name)
        if cases:
            return self._with_name(self._tries(others), root, alive, name, cases, others)
        return self._tries(others).remove(root, spelled(self._names[name]), others.room)

    def _with_name(
        self,
        tries: KeyTries,
        root: int,
        alive: Alive,
        name: int,
        cases: Cases,
        others: _Others,
        own: int = NOTHING_OWN,
    ) -> int:
        if not cases:
            return tries.insert(root, spelled(self._names[name]), -1, (INFINITE, others.room), others.after, own)
        rooms = self._room_of_cases(cases), others.room
        return tries.insert(
            root, spelled(self._names[name]), self._name_end(alive, name, cases), rooms, others.after, own
        )

    def _tries(self, others: _Others) -> KeyTries:
        return self._owner.languages.key_tries(self._declared, others.rest)

    def _others_of(self, alive: Alive, most: int = INFINITE) -> _Others:
        """The other keys that may come where these records are possible, with values of so many levels at most."""
        known = self._others.get((alive, most))
        if known is None:
            classes: dict[Texts, list[tuple[Term, int]]] = {}
            for i in alive:
                for texts, term in self._classes[i]:
                    classes.setdefault(texts, []).append((term, i))
            found = {texts: tuple(cases) for texts, cases in classes.items()}
            rooms = {texts: self._room_of_cases(cases) for texts, cases in found.items()}
            fit = tuple(texts for texts in found if rooms[texts] <= most)
            rest = self._owner.languages.rest_beside(fit, self._declared) if fit else None
            if rest is None:
                known = _Others(None, -1, INFINITE)
            else:
                levels = tuple(sorted({rooms[texts] for texts in fit}, reverse=True))
                name_end = partial(self._name_end, alive, _OTHER)
                after = self._owner.returns(rest, [found[texts] for texts in fit], name_end, levels[0])
                known = _Others(rest, after, levels[-1], levels)
            self._others[alive, most] = known
        return known

    # Values

    def _name_end(self, alive: Alive, name: int, cases: Cases) -> int:
        """The state after the closing quote of a name."""
        known = self._name_ends.get((alive, name, cases))
        if known is None:
            known = self._owner.new_state(self._room_of_cases(cases), self._make_name_end, alive, name, cases)
            self._name_ends[alive, name, cases] = self._owner.ahead(known)
        return known

    def _make_name_end(self, state: int, alive: Alive, name: int, cases: Cases) -> None:
        owner = self._owner
        value = owner.ahead(owner.new_state(self._room_of_cases(cases), self._make_value, alive, name, cases))
        owner.lay(state, owner.blanks.padding, [(COLON, value)])

    def _make_value(self, state: int, alive: Alive, name: int, cases: Cases) -> None:
        def after(left: Alive) -> int:
            return self._owner.end(self._ends_of(alive).number((name, *sorted(set(left)))))

        self._owner.lay(state, self._owner.blanks.after_colon, *self._owner.value_edges(cases, after))
