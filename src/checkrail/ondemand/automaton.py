"""`OnDemand`: the automaton of a schema, made state by state as walks come to it. What the mask kernel asks.

A *module* recognises one kind of value (the strings, the numbers, the objects ... of a schema); its states are sets
of positions, so that it is deterministic whatever alternatives the schema has. Where a value stands for several
schemas at once (two alternatives that both have a property `a`), one module tells by its *outcome* which of them it
satisfies, and the caller goes on with those alternatives. That is the determinization of visibly pushdown automata
(Alur and Madhusudan, 2004), done on demand: a JSON value begins and ends at the same bytes for all alternatives.

A state is a number with a room from the moment it is referred to; its moves are made by `expand`, once. What a
position means is said by `members` and `items`; `objects`, `arrays` and `strings` turn positions into states.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any, TypeAlias

from ..errors import BudgetError, GrammarError
from ..json_schema.algebra.profile import INFINITE, OpenSchema
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import NO_TEXTS
from ..json_schema.algebra.values import Values
from ..limits import Limits
from .arrays import array_module
from .bounded_strings import Unbounded
from .keys import Rest
from .kinds import Calls, Fewer, Kind, items_of
from .language import LONGEST_TOKEN
from .languages import Languages
from .module import Module
from .noted import Unit
from .objects import object_module
from .pending import pending_places
from .structure import BLANK, CLASS_MAP, FALSE, NULL, NUMBER, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE, TRUE, WIDTH, Blanks
from .tables import new_tables

__all__ = ["OnDemand"]

Case: TypeAlias = tuple[Term, Hashable]
# A place in the whitespace or behind an escape is a state of its own here, and so is each character of a string whose
# length is counted: 131,072 states of a minimal automaton are some 1,000,000 of these, and 140 MB.
_STATES_OF_A_STATE = 8
_LARGE_SHARE = 4
_NOTED = 4  # as in the kernel
_WORDS = ((NULL, "null"), (TRUE, "true"), (FALSE, "false"))


class OnDemand:
    """The automaton of one schema. Shared by matchers; `expand` holds a lock.

    tables: the states so far. start: the first state.
    """

    def __init__(
        self, schema: OpenSchema, limits: Limits, longest_token: int = LONGEST_TOKEN, twin: ModuleType | None = None
    ) -> None:
        """longest_token: bytes of the longest token that will be asked about; what lies beyond makes no difference.
        twin: of `_tables`, the one to use."""
        self.schema = schema
        self.longest_token = min(longest_token, LONGEST_TOKEN)
        self.limits = limits
        self.nesting = self.limits.nesting
        self.free = schema.options.any_order > 0  # members in any order
        self.blanks = Blanks(schema.options.blanks)
        most = _STATES_OF_A_STATE * self.limits.states
        self._many = most // _LARGE_SHARE
        self.tables = new_tables(most, min(32 * most, 2**29), twin)
        self.class_map = self.tables.add_map(CLASS_MAP)
        self._pending: dict[int, tuple[Callable[..., None], tuple[Any, ...]]] = {}
        self._ahead: deque[int] = deque()
        self._block_firsts: list[int] = []
        self._blocks: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._modules: dict[Hashable, Module] = {}
        self._lock = schema.lock
        self.languages = Languages(self)
        self._ends: list[int] = []
        self._calls: dict[Values, list[tuple[int, list[int], int]]] = {}
        self.units: dict[int, Unit] = {}
        """What noted calls are about, by call edge."""
        self._known_units: dict[Unit, None] = {}
        self._unit_calls: list[Callable[[Unit], None]] = []
        room = schema.room(schema.root)
        if room >= INFINITE:
            raise GrammarError("GRAMMAR_EMPTY_LANGUAGE")
        if room > self.nesting:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=self.nesting)
        self.start = self.ahead(self.new_state(room, self._root))

    def __repr__(self) -> str:
        return f"<OnDemand {self.tables.state_count} states, {len(self._pending)} of them not made yet>"

    @property
    def is_large(self) -> bool:
        """Whether texts have come to so many states that the next text should begin with none."""
        return self.tables.state_count > self._many

    # What the kernel asks

    def expand(self, state: int) -> None:
        """Make the moves of a state."""
        with self._lock:
            entry = self._pending.pop(state, None)
            if entry is None:
                if self.tables.is_expanded(state):
                    return  # another thread was faster
                self._make_in_block(state)
                return
            try:
                entry[0](state, *entry[1])
            except BaseException:
                self._pending[state] = entry
                raise

    @property
    def generation(self) -> int:
        """Changes whenever one of the four arrays was replaced."""
        return self.tables.generation

    @property
    def states(self) -> Any:
        return self.tables.states

    @property
    def next_state(self) -> Any:
        return self.tables.next_state

    @property
    def class_of(self) -> Any:
        return self.tables.class_of

    @property
    def edges(self) -> Any:
        return self.tables.edges

    def name_of(self, state: int) -> tuple[Hashable, ...] | None:
        """What names the rest of a state's module in every schema; None where the schema takes part."""
        return self.languages.name_of(state)

    def plain_run(self, state: int) -> int:
        """How many plain characters can follow in a row; -1 where that is not known."""
        return self.languages.plain_run(state)

    def unbounded(self, state: int) -> Unbounded | None:
        """What a state of a string of bounded length is without the bound."""
        return self.languages.unbounded(state)

    def key_before(self, state: int) -> bytes | None:
        """What a state has read of a key behind its opening quote; None where it stands before the quote."""
        return self.languages.key_prefixes.before(state)

    def call_for_units(self, call: Callable[[Unit], None]) -> None:
        """Have `call` called with each unit, those that come later too."""
        self._unit_calls.append(call)
        for unit in self._known_units:
            call(unit)

    def pending(self, text: bytes) -> tuple[str, ...]:
        """Pointers to the subschemas that a text is in the middle of, innermost first."""
        return pending_places(self.schema, text)

    # What modules use to make states

    def new_state(self, room: int, make: Callable[..., None], *arguments: Any, exit: int = 0) -> int:
        """A state whose moves `make(state, *arguments)` will make."""
        state = self.tables.new_states(1, min(room, INFINITE), exit)
        self._pending[state] = make, arguments
        return state

    def new_block(self, count: int, make: Callable[..., None], *arguments: Any, room: int = 0) -> int:
        """States in a row, the first of them; `make(state, its number in the row, *arguments)` will make the moves."""
        first = self.tables.new_states(count, room, 0)
        self._block_firsts.append(first)
        self._blocks.append((make, arguments))
        return first

    def _make_in_block(self, state: int) -> None:
        index = bisect_right(self._block_firsts, state) - 1
        make, arguments = self._blocks[index]
        make(state, state - self._block_firsts[index], *arguments)

    def ahead(self, state: int) -> int:
        """A state that texts are likely to come to: `prepare` makes such states first. Returns the state."""
        self._ahead.append(state)
        return state

    def prepare(self, most: int) -> None:
        """Make up to `most` states before a text asks for them: compiling is the better time than writing."""
        with self._lock:
            while self._ahead and most > 0:
                state = self._ahead.popleft()
                if not self.tables.is_expanded(state):
                    self.expand(state)
                    most -= 1

    def lay(self, state: int, blanks: int, moves: Iterable[tuple[int, int]], edges: tuple[int, int] = (0, 0)) -> None:
        """Make a structural state: first as many blanks as there may be, then the moves.

        blanks: as in `Blanks`. moves: by class of bytes, a state or -2 - e for a call edge. edges: the first call edge
        and how many there are.
        """
        tables = self.tables
        row = tables.add_row(WIDTH, -1)
        reads = False
        for letter, target in moves:
            tables.put(row + letter, target)
            reads = reads or target >= 0
        first, count = edges
        kind = 4 if count == 1 and not reads else 0
        tables.lay(state, row, WIDTH, self.class_map, kind, first, count, SPACE, BLANK, blanks)

    def end(self, outcome: int = 0) -> int:
        """The state in which a module has ended and nothing can follow."""
        while len(self._ends) <= outcome:
            state = self.tables.new_states(1, 0, len(self._ends))
            row = self.tables.add_row(WIDTH, -1)
            self.tables.expand(state, row, self.class_map, 2, 0, 0)
            self._ends.append(state)
        return self._ends[outcome]

    def values(self, term: Term) -> Values:
        """The values of a term, by kind."""
        return self.schema.normalizer.values(term)

    def room(self, term: Term) -> int:
        """Levels of nesting that the least value of a term needs."""
        return self.schema.room(term)

    def module(self, key: Hashable, make: Callable[[], Module]) -> Module:
        """The module of this name, made when first asked for."""
        known = self._modules.get(key)
        if known is None:
            known = self._modules[key] = make()
        return known

    def one_value(self, term: Term, after: int) -> Calls:
        """The calls for a value of a term. after: the state in which to go on."""
        values = self.values(term)
        calls = self._calls.get(values)
        if calls is None:
            calls = self._calls[values] = [
                (kind.letter, [start for start, _ in self.choices(kind, lambda _: after)], kind.nest)
                for kind in self._kinds(((values, None),))
            ]
        return self.add_edges([(letter, [(start, after) for start in starts], nest) for letter, starts, nest in calls])

    def value_edges(
        self,
        cases: Sequence[Case],
        after: Callable[..., int],
        room_after: Callable[..., int] | None = None,
        unit_of: Callable[[Kind], Unit | None] | None = None,
    ) -> Calls:
        """The same where a value may be of several terms.

        cases: what it may be, each with what it stands for. after: the state in which to go on when it was one of
        those cases. room_after: the levels of nesting that are needed then, where that is not none for all of them.
        unit_of: of a kind of value, the unit to note its calls with.
        """
        kinds = list(self._kinds([(self.values(term), item) for term, item in cases]))
        choices = [self.choices(kind, after, room_after) for kind in kinds]
        made = self.add_edges([(kind.letter, calls, kind.nest) for kind, calls in zip(kinds, choices, strict=True)])
        if unit_of is not None:
            edge = made[1][0]
            for kind, calls in zip(kinds, choices, strict=True):
                unit = unit_of(kind)
                if unit is not None:
                    for noted in range(edge, edge + len(calls)):
                        self.note(noted, unit)
                edge += len(calls)
        return made

    def note(self, edge: int, unit: Unit) -> None:
        """Have a call noted when a text makes it."""
        self.tables.edges[4 * edge + 3] |= _NOTED
        self.units[edge] = unit
        if unit not in self._known_units:
            self._known_units[unit] = None
            for call in self._unit_calls:
                call(unit)

    def add_edges(self, calls: Sequence[tuple[int, Sequence[tuple[int, int]], int]]) -> Calls:
        """calls: class of the first byte, start and state to return to of each edge, of which the later ones stand in
        for the earlier, levels of nesting."""
        tables = self.tables
        first = tables.edge_count
        moves = []
        for letter, choices, nest in calls:
            moves.append((letter, -2 - tables.add_edge(*choices[0], nest, 0)))
            for start, after in choices[1:]:
                tables.add_stand_in(start, after, nest, 0)
        return moves, (first, tables.edge_count - first)

    def _kinds(self, cases: Sequence[tuple[Values, Hashable]]) -> Iterator[Kind]:
        """The kinds of value that are possible."""
        for letter, word in _WORDS:
            items = tuple(item for values, item in cases if getattr(values, word))
            if items:
                make = partial(self._word, word)
                yield Kind(letter, make, (word,), (items,), 0, make(()))
        for letter, kind, make_kind, nest in (
            (QUOTE, "texts", self.languages.strings, 0),
            (NUMBER, "numbers", self.languages.numbers, 0),
            (OPEN_ARRAY, "arrays", self._arrays, 1),
            (OPEN_OBJECT, "objects", self._objects, 1),
        ):
            parts: dict[Any, list[Hashable]] = {}
            for values, item in cases:
                part = getattr(values, kind)
                if part and part != NO_TEXTS:
                    parts.setdefault(part, []).append(item)
            module = make_kind(tuple(parts)) if parts else None
            if module is not None:
                yield Kind(letter, make_kind, tuple(parts), tuple(map(tuple, parts.values())), nest, module)

    def _word(self, word: str, _parts: tuple[Any, ...]) -> Module:
        return self.languages.word(word)

    def choices(
        self, kind: Kind, after: Callable[..., int], room_after: Callable[..., int] | None = None
    ) -> list[tuple[int, int]]:
        """Starts and states to return to of the calls for one kind of value: the first with all that it may be, each
        further one with what is left where there is less room. What these are is found when a text comes to them."""
        module = kind.module
        levels = kind.levels(room_after)
        if len(levels) < 2:
            return [(module.start, self.returns(module, kind.items, after, levels[0] if levels else 0))]
        found = [(module.start, self.returns(module, kind.items, after, levels[0]))]
        for most in levels[1:]:
            fewer = Fewer(kind, most, room_after)
            start = self.new_state(max(0, most - kind.nest), self._make_start_of_fewer, fewer)
            if module.outcomes is None:
                back = found[0][1]
            else:
                back = self.new_block(module.outcomes.most, self._make_return_of_fewer, fewer, after, room=most)
            found.append((start, back))
        return found

    def _make_start_of_fewer(self, state: int, fewer: Fewer) -> None:
        module = fewer.module
        if module is None:
            self.lay(state, 0, ())
        else:
            self.become(state, module.start)

    def _make_return_of_fewer(self, state: int, outcome: int, fewer: Fewer, after: Callable[..., int]) -> None:
        module = fewer.module
        assert module is not None
        self.become(state, after(items_of(module, outcome, fewer.items)))

    def returns(
        self,
        module: Module | Rest,
        items: Sequence[tuple[Hashable, ...]],
        after: Callable[..., int],
        room: int = 0,
    ) -> int:
        """The state to return to from a module, or the first of a row of them where it has several outcomes.

        items: for each of the module's parts what it stands for. room: levels of nesting that all these states have.
        """
        if module.outcomes is None:
            return after(items[0])
        return self.new_block(module.outcomes.most, self._returned, module, items, after, room=room)

    def _returned(
        self,
        state: int,
        outcome: int,
        module: Module | Rest,
        items: Sequence[tuple[Hashable, ...]],
        after: Callable[..., int],
    ) -> None:
        self.become(state, after(items_of(module, outcome, items)))

    def become(self, state: int, other: int) -> None:
        """Make a state what another one is."""
        if not self.tables.is_expanded(other):
            self.expand(other)
        self.tables.expand_as(state, other)

    def _arrays(self, parts: tuple[Any, ...]) -> Module | None:
        module = self.module(("arrays", parts), lambda: array_module(self, parts))
        return None if self.tables.is_dead(module.start) else module

    def _objects(self, parts: tuple[Any, ...]) -> Module | None:
        module = self.module(("objects", parts), lambda: object_module(self, parts))
        return None if self.tables.is_dead(module.start) else module

    def _root(self, state: int) -> None:
        self.lay(state, 0, *self.one_value(self.schema.root, self.end()))
