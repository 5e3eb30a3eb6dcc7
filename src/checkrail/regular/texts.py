"""Sets of texts as automata over characters, made on demand: a regular expression, perhaps bounded in length, perhaps
without some texts, or a union of such.

All automata here are deterministic, and alive in every state: whether a set is empty is known once its automaton
exists. Lengths are counted beside the expression and not compiled into it, so a bound of a million characters costs
what one of ten costs. `text_automaton` is the entry.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Protocol

from ..errors import BudgetError
from ..grammar.expression import ANY_CHARACTER, Choice, Complement, Expression, Intersection, Repeat
from ..limits import Limits
from .conjunctions import Conjunction
from .derivatives import Derivatives, Node
from .partition import Partition
from .subsets import NO_BOUND, subsets_of

__all__ = [
    "Characters",
    "Either",
    "Pattern",
    "TextAutomaton",
    "Without",
    "automaton_of",
    "has_texts",
    "text_automaton",
]

_ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)
_UNKNOWN = -1
_EXPLORED = 512  # states of a boolean combination that is explored in full
_COMBINED = (Choice, Complement, Intersection)
_SERIAL = count()


class Characters(Protocol):
    """A deterministic automaton over letters, from the state `start`."""

    start: int

    def row(self, state: int) -> list[int]:
        """The next state by letter, -1 for none."""

    def accepting(self, state: int) -> bool:
        """Whether a text may end here."""

    def run(self, state: int, letters: frozenset[int]) -> int:
        """How many characters of these letters can follow in a row, whatever they are, and no more.

        ENDLESS where there is no end to them, -1 where that is not seen at once.
        """

    def name_of(self, state: int, longest: int) -> Hashable:
        """Equal names: the same can follow, as far as `longest` characters show. Unique within one process."""


class Pattern:
    """The texts of a regular expression with `low` to `high` characters. start: -1 where there are none.

    even: without a bound, each way to go on from a state has texts of all lengths between its shortest and longest.
    peak: no state needs more characters to end.
    """

    def __init__(self, derivatives: Derivatives, node: Node, low: int, high: int) -> None:
        subsets = subsets_of(derivatives)
        self.start = subsets.start(node, low, high)
        self.row = subsets.row
        self.accepting = subsets.accepting
        self.spans = subsets.spans
        """The fewest and the most characters that may follow, for each way to go on, without regard to the bounds."""
        self.run = subsets.run
        self._subsets = subsets
        self.even = node.even
        self.peak = node.peak
        self._name = next(_SERIAL)

    def name_of(self, state: int, longest: int) -> Hashable:
        return self._subsets.name(state, longest, self._name, self.peak, self.even)


class Without:
    """The texts of another automaton but some. names: as letters, sorted, each once.

    A state is one of the other automaton, or a pair of it and a place in the trie of the names: the names from `first`
    to `last` agree up to `depth`.
    """

    def __init__(self, texts: Characters, names: Sequence[tuple[int, ...]], limits: Limits) -> None:
        self._texts = texts
        self._names = names
        self._most = limits.states
        self._name = next(_SERIAL)
        self._keys: list[tuple[int, int, int, int]] = []
        self._numbers: dict[tuple[int, int, int, int], int] = {}
        self._rows: list[list[int] | None] = []
        self._below: dict[tuple[int, int, int], dict[int, tuple[int, int]]] = {}
        self._alive: dict[tuple[int, int, int, int], bool] = {}
        start = (texts.start, 0, len(names), 0)
        self.start = self._number(start) if self._is_alive(start) else -1

    def _is_end(self, first: int, depth: int) -> bool:
        return len(self._names[first]) == depth

    def _number(self, key: tuple[int, int, int, int]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = len(self._keys)
            if number >= self._most:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=number + 1)
            self._numbers[key] = number
            self._keys.append(key)
            self._rows.append(None)
        return number

    def _children(self, first: int, last: int, depth: int) -> dict[int, tuple[int, int]]:
        """The names that go on, by their next letter."""
        known = self._below.get((first, last, depth))
        if known is None:
            known = self._below[first, last, depth] = {}
            i = first + (len(self._names[first]) == depth)
            while i < last:
                letter = self._names[i][depth]
                end = i + 1
                while end < last and self._names[end][depth] == letter:
                    end += 1
                known[letter] = i, end
                i = end
        return known

    def _is_alive(self, start: tuple[int, int, int, int]) -> bool:
        """Whether a text follows that is none of the names. Goes down the trie where all letters lead on in it."""
        known = self._alive
        stack = [start]
        while stack:
            key = stack[-1]
            if key in known:
                stack.pop()
                continue
            state, first, last, depth = key
            row = self._texts.row(state)
            children = self._children(first, last, depth)
            if (self._texts.accepting(state) and not self._is_end(first, depth)) or any(
                target >= 0 and letter not in children for letter, target in enumerate(row)
            ):
                known[key] = True
                continue
            below = [(row[letter], *names, depth + 1) for letter, names in children.items() if row[letter] >= 0]
            open_ = [child for child in below if child not in known]
            if any(known.get(child) for child in below):
                known[key] = True
            elif open_:
                stack.append(open_[0])
            else:
                known[key] = False
        return known[start]

    def row(self, state: int) -> list[int]:
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self._made(*self._keys[state])
        return row

    def _made(self, state: int, first: int, last: int, depth: int) -> list[int]:
        row = self._texts.row(state)
        if first == last:
            return [self._number((target, 0, 0, 0)) if target >= 0 else -1 for target in row]
        children = self._children(first, last, depth)
        made: list[int] = []
        for letter, target in enumerate(row):
            if target < 0:
                made.append(-1)
                continue
            names = children.get(letter)
            key = (target, 0, 0, 0) if names is None else (target, *names, depth + 1)
            made.append(self._number(key) if names is None or self._is_alive(key) else -1)
        return made

    def accepting(self, state: int) -> bool:
        place, first, last, depth = self._keys[state]
        return self._texts.accepting(place) and (first == last or not self._is_end(first, depth))

    def run(self, state: int, letters: frozenset[int]) -> int:
        place, first, last, _ = self._keys[state]
        return self._texts.run(place, letters) if first == last else _UNKNOWN

    def name_of(self, state: int, longest: int) -> Hashable:
        place, first, last, _ = self._keys[state]
        return self._texts.name_of(place, longest) if first == last else (self._name, state)


class Either:
    """The texts of any of some automata. A state is a state of each, -1 for those that are out."""

    def __init__(self, parts: Sequence[Characters], limits: Limits) -> None:
        self._parts = parts
        self._most = limits.states
        self._name = next(_SERIAL)
        self._keys: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._rows: list[list[int] | None] = []
        self.start = self._number(tuple(part.start for part in parts))

    def _number(self, key: tuple[int, ...]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = len(self._keys)
            if number >= self._most:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=number + 1)
            self._numbers[key] = number
            self._keys.append(key)
            self._rows.append(None)
        return number

    def row(self, state: int) -> list[int]:
        row = self._rows[state]
        if row is None:
            places = zip(self._parts, self._keys[state], strict=True)
            columns = zip(*(part.row(place) for part, place in places if place >= 0), strict=True)
            alive = [i for i, place in enumerate(self._keys[state]) if place >= 0]
            dead = [-1] * len(self._parts)
            row = []
            for column in columns:
                key = dead.copy()
                for i, target in zip(alive, column, strict=True):
                    key[i] = target
                row.append(self._number(tuple(key)) if max(column) >= 0 else -1)
            self._rows[state] = row
        return row

    def accepting(self, state: int) -> bool:
        pairs = zip(self._parts, self._keys[state], strict=True)
        return any(place >= 0 and part.accepting(place) for part, place in pairs)

    def _only(self, state: int) -> tuple[Characters, int] | None:
        alive = [pair for pair in zip(self._parts, self._keys[state], strict=True) if pair[1] >= 0]
        return alive[0] if len(alive) == 1 else None

    def run(self, state: int, letters: frozenset[int]) -> int:
        only = self._only(state)
        return _UNKNOWN if only is None else only[0].run(only[1], letters)

    def name_of(self, state: int, longest: int) -> Hashable:
        only = self._only(state)
        return (self._name, state) if only is None else only[0].name_of(only[1], longest)


@dataclass(frozen=True, slots=True)
class TextAutomaton:
    """An automaton over characters, and the letters that the characters fall into."""

    characters: Characters
    partition: Partition

    def accepts(self, text: str) -> bool:
        """Whether a text is a member."""
        state = self.characters.start
        for char in text:
            letter = self.partition.letter(ord(char))
            state = self.characters.row(state)[letter] if letter >= 0 else -1
            if state < 0:
                return False
        return self.characters.accepting(state)


def text_automaton(shape: Expression, without: Iterable[str], limits: Limits) -> TextAutomaton | None:
    """The texts of a regular expression but some; None where there are none.

    Raises BudgetError where boolean combinations in the shape are too large. Later rows may raise it too.
    """
    names = tuple(sorted(set(without)))
    made = _AHEAD.take((shape, names, limits)) if isinstance(shape, _COMBINED) else None
    return made or _made(shape, names, limits)


def has_texts(shape: Expression, without: Iterable[str], limits: Limits) -> bool:
    """Whether `text_automaton` has an automaton for these; raises what it raises. It has it ready the next time."""
    names = tuple(sorted(set(without)))
    made = _made(shape, names, limits)
    if made is not None and isinstance(shape, _COMBINED):
        _AHEAD.put((shape, names, limits), made)
    return made is not None


class _Ahead:
    """Automata that were made to see whether they have members, each for whoever asks for it first: it grows while it
    is used, so it must not have two owners."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._automata: dict[Hashable, TextAutomaton] = {}
        self._lock = Lock()

    def put(self, key: Hashable, made: TextAutomaton) -> None:
        with self._lock:
            self._automata[key] = made
            if len(self._automata) > self._most:
                del self._automata[next(iter(self._automata))]

    def take(self, key: Hashable) -> TextAutomaton | None:
        return self._automata.pop(key, None) if self._automata else None


_AHEAD = _Ahead(32)


def _made(shape: Expression, names: tuple[str, ...], limits: Limits) -> TextAutomaton | None:
    derivatives = Derivatives([shape], limits, [((ord(char), ord(char)),) for char in sorted(set("".join(names)))])
    partition = derivatives.partition
    characters = automaton_of(shape, derivatives)
    if characters is not None and names:
        spelled = sorted(tuple([partition.letter(ord(char)) for char in text]) for text in names)
        others = Without(characters, spelled, limits)
        characters = others if others.start >= 0 else None
    return None if characters is None else TextAutomaton(characters, partition)


def automaton_of(shape: Expression, derivatives: Derivatives) -> Characters | None:
    """The automaton of one set, over letters that tell its characters apart; None where there are no texts."""
    if isinstance(shape, Choice) and any(isinstance(option, (Intersection, Complement)) for option in shape.options):
        found = [part for option in shape.options if (part := automaton_of(option, derivatives)) is not None]
        if len(found) < 2:
            return found[0] if found else None
        return Either(found, derivatives.limits)
    low, high = 0, NO_BOUND
    factors: list[Expression] = []
    for factor in shape.items if isinstance(shape, Intersection) else (shape,):
        if isinstance(factor, Repeat) and factor.item == ANY_CHARACTER:
            low = max(low, factor.minimum)
            if factor.maximum is not None:
                high = factor.maximum if high == NO_BOUND else min(high, factor.maximum)
        else:
            factors.append(factor)
    if not factors:
        factors = [_ANY_TEXT]
    whole = factors[0] if len(factors) == 1 else Intersection(tuple(factors))
    # Mostly a few letters show that there are texts, so no table is needed; but a table knows lengths.
    outside = [factor.item for factor in factors if isinstance(factor, Complement)]
    pattern: Pattern | Conjunction | None = None
    if (len(factors) == 1 and not outside) or low > 0 or high != NO_BOUND:
        try:
            pattern = Pattern(derivatives, derivatives.node(whole, _EXPLORED), low, high)
        except BudgetError:
            if not isinstance(whole, (Intersection, Complement)):
                raise
    if pattern is None:
        inside = [factor for factor in factors if not isinstance(factor, Complement)] or [_ANY_TEXT]
        nodes = list(map(derivatives.node, inside)), list(map(derivatives.node, outside))
        pattern = Conjunction(derivatives, *nodes, low, high)
    return pattern if pattern.start >= 0 else None
