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

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeAlias

from ..errors import BudgetError, GrammarError
from ..json_schema.algebra.profile import INFINITE, OpenSchema
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import NO_TEXTS
from ..json_schema.algebra.values import Values
from ..limits import DEFAULT_LIMITS, Limits
from .arrays import array_module
from .bounded_strings import Unbounded
from .keys import Rest
from .kinds import Calls, Fewer, Kind, Starts, items_of
from .language import LONGEST_TOKEN
from .languages import Languages
from .module import Module
from .noted import Unit
from .objects import object_module
from .pending import pending_places
from .structure import (
    CLOSE_OBJECT,
    FALSE,
    NULL,
    NUMBER,
    OPEN_ARRAY,
    OPEN_OBJECT,
    QUOTE,
    TRUE,
    Blanks,
)
from .tables import States, Tables, load

__all__ = ["OnDemand"]

Case: TypeAlias = tuple[Term, Hashable]
Edges: TypeAlias = tuple[int, Sequence[tuple[int, int]], int]
# A place in the whitespace or behind an escape is a state of its own here, and so is each character of a string whose
# length is counted: 131,072 states of a minimal automaton are some 1,000,000 of these, and 140 MB.
_STATES_OF_A_STATE = 8
_LARGE_SHARE = 4
_WORDS = ((NULL, "null"), (TRUE, "true"), (FALSE, "false"))


@lru_cache(maxsize=16)
def _at_any_nesting(limits: Limits) -> Limits:
    """The limits of languages, which are shared by these and the same at any nesting."""
    plain = replace(limits, nesting=None)
    return DEFAULT_LIMITS if plain == DEFAULT_LIMITS else plain


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
        self.room: Callable[[Term], int] = schema.room
        """Levels of nesting that the least value of a term needs."""
        self.longest_token = min(longest_token, LONGEST_TOKEN)
        self.nesting = limits.levels
        self.limits = _at_any_nesting(limits)
        self.free = schema.options.any_order > 0  # members in any order
        self.blanks = Blanks(schema.options.blanks)
        most = _STATES_OF_A_STATE * self.limits.states
        self._many = most // _LARGE_SHARE
        self.made_by = load(twin)
        self.tables: Tables = self.made_by.Tables(most, min(32 * most, 2**29))
        self.made: States = self.made_by.States(self.tables, schema.lock)
        self.class_map = self.made.class_map
        self.units: dict[int, Unit] = self.made.units
        """What noted calls are about, by call edge."""
        # What the kernel asks, and what modules use to make states: `_tables.States` says what they do.
        self.expand: Callable[[int], None] = self.made.expand
        self.prepare: Callable[[int], None] = self.made.prepare
        self.new_state: Callable[..., int] = self.made.new_state
        self.ahead: Callable[[int], int] = self.made.ahead
        self.lay: Callable[..., None] = self.made.lay
        self.add_edges: Callable[[Sequence[Edges]], Calls] = self.made.add_edges
        self.note: Callable[[int, Unit], None] = self.made.note
        self._modules: dict[Hashable, Module] = {}
        self.languages = Languages(self)
        self._starts: dict[Term, Starts] = {}
        self._starts_of_values: dict[Values, Starts] = {}
        # Of the kinds of value: class of the first byte, name, who makes the module of some parts, levels of nesting.
        self._makers: tuple[tuple[int, str, Callable[[tuple[Any, ...]], Module | None], int], ...] = (
            (QUOTE, "texts", self.languages.strings, 0),
            (NUMBER, "numbers", self.languages.numbers, 0),
            (OPEN_ARRAY, "arrays", self._arrays, 1),
            (OPEN_OBJECT, "objects", self._objects, 1),
        )
        room = schema.room(schema.root)
        if room >= INFINITE:
            raise GrammarError("GRAMMAR_EMPTY_LANGUAGE")
        if room > self.nesting:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=self.nesting)
        self.start = self.ahead(self.new_state(room, self._root))

    def __repr__(self) -> str:
        return f"<OnDemand {self.tables.state_count} states, {len(self.made.pending)} of them not made yet>"

    @property
    def is_large(self) -> bool:
        """Whether texts have come to so many states that the next text should begin with none."""
        return self.tables.state_count > self._many

    # What the kernel asks

    @property
    def generation(self) -> int:
        """Changes whenever one of the four arrays was replaced."""
        return self.tables.generation

    @property
    def memory(self) -> int:
        """Bytes of the tables."""
        return self.tables.memory

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

    def described_strings(self) -> list[int]:
        """The states before the strings so far, keys among them, that a pattern, a format or a length describes."""
        return self.languages.described_strings()

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
        self.made.unit_calls.append(call)
        for unit in self.made.known_units:
            call(unit)

    def pending(self, text: bytes) -> tuple[str, ...]:
        """Pointers to the subschemas that a text is in the middle of, innermost first."""
        return pending_places(self.schema, text)

    # What modules use to make states

    def new_block(self, count: int, make: Callable[..., None], *arguments: Any, room: int = 0, exit: int = 0) -> int:
        """States in a row, the first of them; `make(state, its number in the row, *arguments)` will make the moves."""
        return self.made.new_block(count, (make, *arguments), room, exit)

    def end(self, outcome: int = 0) -> int:
        """The state in which a module has ended and nothing can follow."""
        return self.made.end(outcome)

    def values(self, term: Term) -> Values:
        """The values of a term, by kind."""
        return self.schema.normalizer.values(term)

    def module(self, key: Hashable, make: Callable[[], Module]) -> Module:
        """The module of this name, made when first asked for."""
        known = self._modules.get(key)
        if known is None:
            known = self._modules[key] = make()
        return known

    def starts(self, term: Term) -> Starts:
        """The calls for a value of a term, wherever they return to."""
        known = self._starts.get(term)
        if known is None:
            values = term.resolved or self.values(term)
            known = self._starts_of_values.get(values)
            if known is None:
                known = self._starts_of_values[values] = self._starts_of(values)
            self._starts[term] = known
        return known

    def _starts_of(self, values: Values) -> Starts:
        """The same for a set of values, which is found once: as `value_edges`, but for one case."""
        found: Starts = []
        if values.null or values.true or values.false:
            word_of = self.languages.word
            found += [(letter, [word_of((word,)).start], 0) for letter, word in _WORDS if getattr(values, word)]
        parts = values.texts, values.numbers, values.arrays, values.objects
        for part, (letter, _, make, nest) in zip(parts, self._makers, strict=True):
            if part is NO_TEXTS or not part:
                continue
            module = make((part,))
            if module is None:
                continue
            if module.needs:
                kind = Kind(letter, make, (part,), ((None,),), nest, module)
                found.append((letter, [start for start, _ in self.choices(kind, lambda _: -1)], nest))
            else:
                found.append((letter, [module.start], nest))
        return found

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

    def _kinds(self, cases: Sequence[tuple[Values, Hashable]]) -> Iterator[Kind]:
        """The kinds of value that are possible."""
        for letter, word in _WORDS:
            items = tuple(item for values, item in cases if getattr(values, word))
            if items:
                yield Kind(letter, self.languages.word, (word,), (items,), 0, self.languages.word((word,)))
        for letter, kind, make_kind, nest in self._makers:
            parts: dict[Any, list[Hashable]] = {}
            for values, item in cases:
                part = getattr(values, kind)
                if part and part != NO_TEXTS:
                    parts.setdefault(part, []).append(item)
            module = make_kind(tuple(parts)) if parts else None
            if module is not None:
                yield Kind(letter, make_kind, tuple(parts), tuple(map(tuple, parts.values())), nest, module)

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
        key = "arrays", parts
        module = self._modules.get(key)
        if module is None:
            module = self._modules[key] = array_module(self, parts)
        return None if self.tables.is_dead(module.start) else module

    def _objects(self, parts: tuple[Any, ...]) -> Module | None:
        key = "objects", parts
        module = self._modules.get(key)
        if module is None:
            module = self._modules[key] = object_module(self, parts)
        return None if self.tables.is_dead(module.start) else module

    def _root(self, state: int) -> None:
        self.made.lay_calls(state, 0, self.starts(self.schema.root), self.end(), CLOSE_OBJECT, -1)
