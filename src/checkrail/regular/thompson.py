"""From expressions to NFA fragments (Thompson 1968), over code points or over bytes.

`Builder.connect(expression, source, target)` adds every way to get from `source` to `target`. It works off a
list instead of recursing, so that long chains of rules cannot exhaust the stack. The sizes are linear in the
expression; `X{m,n}` is written out n times and bounded by the NFA's limit.

Operands of the boolean algebra are compiled to small automata first and then added as fragments. A JSON string
is its automaton over decoded characters with every character replaced by its spellings; escapes thus never
enter the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from ..errors import GrammarError
from ..grammar.expression import (
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Multiple,
    Nest,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from ..watch import UNWATCHED, Watch
from .dfa import Dfa
from .multiples import add_multiples
from .nfa import Nfa
from .partition import Ranges
from .utf8 import hex_sequences, surrogate_sequences, utf8_sequences

__all__ = ["Builder"]

_BMP: Ranges = ((0x0, 0xD7FF), (0xE000, 0xFFFF))
_ASTRAL: Ranges = ((0x10000, 0x10FFFF),)
_RAW_IN_JSON: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0xD7FF), (0xE000, 0x10FFFF))
_SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
_HEX_CHARACTERS = tuple(tuple(sorted({ord(c) for c in (f"{d:x}", f"{d:X}")})) for d in range(16))


def cut(ranges: Ranges, within: Ranges) -> Ranges:
    """The intersection of two range tuples."""
    found = []
    for low, high in ranges:
        for first, last in within:
            a, b = max(low, first), min(high, last)
            if a <= b:
                found.append((a, b))
    return tuple(found)


class Builder:
    """Adds expressions to one NFA.

    over_bytes: edges carry UTF-8 bytes, else code points. regular: compiles a regular expression to its
    automaton over code points (for the algebra). Subclasses say what references, tokens and nesting mean.
    """

    def __init__(
        self, nfa: Nfa, *, over_bytes: bool, regular: Callable[[Expression], Dfa], watch: Watch = UNWATCHED
    ) -> None:
        self.nfa = nfa
        self._watch = watch
        self._over_bytes = over_bytes
        self._regular = regular
        self._suffixes: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        self._hex_suffixes: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        self._low_surrogates: dict[tuple[int, int, int], int] = {}
        self._pending: list[tuple[Expression, int, int, int]] = []

    def connect(self, expression: Expression, source: int, target: int, level: int = 0) -> None:
        """Add every way from `source` to `target` that `expression` describes. `level` counts enclosing Nests."""
        self._pending.append((expression, source, target, level))
        known = len(self.nfa)
        while self._pending:
            self._add(*self._pending.pop())
            self._watch.spend(1 + len(self.nfa) - known)
            known = len(self.nfa)

    # What a subclass may give a meaning.

    def add_reference(self, reference: Reference, source: int, target: int, level: int) -> None:
        raise GrammarError("GRAMMAR_NOT_REGULAR", what="This part", rule=reference.rule)

    def add_token(self, token: TokenReference, source: int, target: int) -> None:
        raise GrammarError("GRAMMAR_NOT_REGULAR", what="A token reference", rule=str(token.token))

    def add_nest(self, nest: Nest, source: int, target: int, level: int) -> None:
        self.later(nest.item, source, target, level)

    def later(self, expression: Expression, source: int, target: int, level: int) -> None:
        """Have `expression` connected before `connect` returns."""
        self._pending.append((expression, source, target, level))

    def _add(self, node: Expression, source: int, target: int, level: int) -> None:
        match node:
            case Literal(text):
                self._add_literal(text, source, target)
            case CharacterClass(ranges):
                self.add_characters(ranges, source, target)
            case Sequence(items):
                self._add_sequence(items, source, target, level)
            case Choice(options):
                for option in options:
                    self.later(option, source, target, level)
            case Repeat():
                self._add_repeat(node, source, target, level)
            case Reference():
                self.add_reference(node, source, target, level)
            case TokenReference():
                self.add_token(node, source, target)
            case Nest():
                self.add_nest(node, source, target, level)
            case Intersection() | Complement():
                self._add_dfa(self._regular(node), source, target, self.add_characters)
            case JsonString(item):
                self._add_dfa(self._regular(item), source, target, self._add_json_spellings)
            case Multiple(modulus, places):
                add_multiples(self.nfa, modulus, places, source, target)
            case _:
                raise GrammarError("INTERNAL", what=f"unknown expression {type(node).__name__}")

    def _add_sequence(self, items: tuple[Expression, ...], source: int, target: int, level: int) -> None:
        if not items:
            self.nfa.link(source, target)
            return
        for item in items[:-1]:
            middle = self.nfa.state()
            self.later(item, source, middle, level)
            source = middle
        self.later(items[-1], source, target, level)

    def _add_repeat(self, node: Repeat, source: int, target: int, level: int) -> None:
        copies = node.minimum if node.maximum is None else node.maximum
        if copies > self.nfa.limit:
            raise self.nfa.too_many(copies)
        for done in range(copies):
            if done >= node.minimum:
                self.nfa.link(source, target)
            # The last copy ends in a state of its own too: `target` may have moves that lead back here.
            after = self.nfa.state()
            self.later(node.item, source, after, level)
            source = after
        if node.maximum is None:
            loop = self.nfa.state()
            self.nfa.link(source, loop)
            self.later(node.item, loop, loop, level)
            source = loop
        self.nfa.link(source, target)

    def _add_literal(self, text: str, source: int, target: int) -> None:
        values = text.encode() if self._over_bytes else [ord(c) for c in text]
        if not values:
            self.nfa.link(source, target)
            return
        for value in values[:-1]:
            middle = self.nfa.state()
            self.nfa.edge(source, ((value, value),), middle)
            source = middle
        self.nfa.edge(source, ((values[-1], values[-1]),), target)

    def add_characters(self, ranges: Ranges, source: int, target: int) -> None:
        """One character out of `ranges`, in UTF-8 when over bytes."""
        if not ranges:
            return
        if not self._over_bytes:
            self.nfa.edge(source, ranges, target)
            return
        single, longer = _encodings(ranges)
        for first, rest in longer:
            self.nfa.edge(source, first, self._suffix(rest, target))
        if single:
            self.nfa.edge(source, single, target)

    def _suffix(self, sequence: tuple[tuple[int, int], ...], target: int) -> int:
        """A state from which exactly `sequence` leads to `target`, shared between equal requests."""
        if not sequence:
            return target
        key = (sequence, target)
        state = self._suffixes.get(key)
        if state is None:
            after = self._suffix(sequence[1:], target)
            state = self._suffixes[key] = self.nfa.state()
            self.nfa.edge(state, (sequence[0],), after)
        return state

    def _add_dfa(self, dfa: Dfa, source: int, target: int, add_characters: Callable[[Ranges, int, int], None]) -> None:
        """A copy of `dfa` between the states; `add_characters` writes its edges."""
        states = [self.nfa.state() for _ in dfa.moves]
        self.nfa.link(source, states[0])
        for number, state in enumerate(states):
            if dfa.accepting[number]:
                self.nfa.link(state, target)
            for ranges, after in dfa.edges(number):
                add_characters(ranges, state, states[after])

    # JSON string spellings (RFC 8259, section 7)

    def _add_json_spellings(self, ranges: Ranges, source: int, target: int) -> None:
        self.add_characters(cut(ranges, _RAW_IN_JSON), source, target)
        short = [e for c, e in _SHORT_ESCAPES.items() if any(low <= c <= high for low, high in ranges)]
        basic, astral = cut(ranges, _BMP), cut(ranges, _ASTRAL)
        escape = self._between(source, ord("\\"))
        if short:
            self.nfa.edge(escape, tuple(sorted((ord(e), ord(e)) for e in short)), target)
        unicode = self._between(escape, ord("u"))
        for sequence in hex_sequences(basic):
            self._add_hex(sequence, unicode, target)
        for (high_first, high_last), (low_first, low_last) in surrogate_sequences(astral):
            second = self._low_surrogate(low_first, low_last, target)
            for sequence in hex_sequences(((high_first, high_last),)):
                self._add_hex(sequence, unicode, second)

    def _low_surrogate(self, first: int, last: int, target: int) -> int:
        """A state from which `\\uXXXX` with a low surrogate in the range leads to `target`."""
        key = (first, last, target)
        state = self._low_surrogates.get(key)
        if state is None:
            state = self._low_surrogates[key] = self.nfa.state()
            unicode = self._between(self._between(state, ord("\\")), ord("u"))
            for sequence in hex_sequences(((first, last),)):
                self._add_hex(sequence, unicode, target)
        return state

    def _between(self, source: int, value: int) -> int:
        """A new state after one ASCII value."""
        state = self.nfa.state()
        self.nfa.edge(source, ((value, value),), state)
        return state

    def _add_hex(self, sequence: tuple[tuple[int, int], ...], source: int, target: int) -> None:
        first, rest = self._hex_ranges(sequence[0]), sequence[1:]
        self.nfa.edge(source, first, self._hex_suffix(rest, target))

    def _hex_suffix(self, sequence: tuple[tuple[int, int], ...], target: int) -> int:
        if not sequence:
            return target
        key = (sequence, target)
        state = self._hex_suffixes.get(key)
        if state is None:
            after = self._hex_suffix(sequence[1:], target)
            state = self._hex_suffixes[key] = self.nfa.state()
            self.nfa.edge(state, self._hex_ranges(sequence[0]), after)
        return state

    @staticmethod
    def _hex_ranges(digits: tuple[int, int]) -> Ranges:
        values = sorted(v for d in range(digits[0], digits[1] + 1) for v in _HEX_CHARACTERS[d])
        return tuple(_runs(values))


@lru_cache(maxsize=1024)
def _encodings(ranges: Ranges) -> tuple[Ranges, tuple[tuple[Ranges, tuple[tuple[int, int], ...]], ...]]:
    """The UTF-8 encodings of the ranges: those of one byte, and the others as (first byte, the rest)."""
    sequences = list(utf8_sequences(ranges))
    single = tuple(s[0] for s in sequences if len(s) == 1)
    return single, tuple(((s[0],), s[1:]) for s in sequences if len(s) > 1)


def _runs(values: list[int]) -> Iterator[tuple[int, int]]:
    start = previous = values[0]
    for value in values[1:]:
        if value != previous + 1:
            yield start, previous
            start = value
        previous = value
    yield start, previous
