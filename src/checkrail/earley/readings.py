"""Both floors together: what the bytes so far can mean, and what one more byte makes of it.

A *thread* is a row of the parser and the state of the lexer since that row: the text up to the row is cut into
terminals, the bytes since then are in the middle of one. Where a terminal ends, its thread goes on, for it may end
later as well, and the next row begins a thread of its own. So the older match is never lost: with `A = a(bcd)?` and
`B = bce`, after `ab` one thread is inside A and another one, behind A, is inside B; the byte `e` ends the first only.

- `lexing="all"`: every way of cutting is kept. Threads on the same row are one, with their lexer states joined, and
  all terminals that end at one place lead to one row there; so there are never more threads than places, and for most
  grammars two or three.
- `lexing="greedy"`: the longest match wins. The threads stand in order, each the fallback of the one before: where a
  terminal ends, the threads behind it, which fell back to a shorter match, are dropped. The first one that can take a
  byte is the one that counts, since all before it have died. Of terminals that end at one place all count; an ignored
  one counts alone if it is declared first, and not at all if it is not.

Ignored text leads back to the row where it began. A special token ends what is before it and is scanned like any
terminal. Readings are values: equal threads, one object, which keeps its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Literal

from ..errors import MaskError
from ..limits import Limits
from .chart import Chart, Row, only_held
from .items import Rules, TerminalSymbol
from .lexer import Lexer, LexerState

__all__ = ["Lexing", "Reading", "Readings"]

Lexing = Literal["all", "greedy"]

_MAXIMUM_MOVES = 1 << 19  # remembered, with the next two; then all is forgotten but what texts stand on
_MAXIMUM_PAIRS = 1 << 20
_MAXIMUM_PLACES = 1 << 20

Thread = tuple[Row, LexerState]


class Reading:
    """threads: as above. accepting: the text may end here. tokens: special tokens that may come next. size: for those
    who bound what they keep."""

    __slots__ = ("__weakref__", "accepting", "moves", "size", "threads", "tokens")

    def __init__(self, threads: tuple[Thread, ...]) -> None:
        self.threads = threads
        self.moves: dict[int, Reading | None] = {}
        self.accepting = False
        self.tokens: tuple[TerminalSymbol, ...] = ()
        self.size = 1 + len(threads)
        for row, lexer in threads:
            if lexer.fresh:
                self.accepting = self.accepting or row.accepting
                self.size += len(row.pairs)
                if lexer.tokens:
                    self.tokens = tuple(dict.fromkeys([*self.tokens, *lexer.tokens]))

    def forget(self) -> None:
        """Remember no readings after this one."""
        self.moves = {}

    def __repr__(self) -> str:
        threads = ", ".join(f"row {row.serial} {lexer!r}" for row, lexer in self.threads)
        return f"<Reading {threads}{' accepting' if self.accepting else ''}>"


class Readings:
    """Makes and steps the readings of one grammar. Threads of the program may share it.

    start: the reading before any text. generation: how often what was remembered has been forgotten.
    """

    def __init__(self, rules: Rules, lexer: Lexer, limits: Limits, lexing: Lexing = "all") -> None:
        self.lexer = lexer
        self.lexing = lexing
        self.chart = Chart(rules, limits)
        self.lock = RLock()
        self._limits = limits
        self._threads_after: Callable[[Reading, int], list[Thread]] = (
            self._all_threads if lexing == "all" else self._greedy_threads
        )
        self._known: dict[tuple[Thread, ...], Reading] = {}
        self._move_count = 0
        self.generation = 0
        self.start = self._reading([self._fresh(self.chart.root)])

    def __repr__(self) -> str:
        return f"<Readings lexing={self.lexing} {self.chart!r} {self.lexer!r}>"

    def step(self, reading: Reading, byte: int) -> Reading | None:
        """The reading after one byte, None where the byte is not possible."""
        return self.step_class(reading, self.lexer.class_of[byte])

    def read(self, reading: Reading | None, data: bytes) -> Reading | None:
        """The reading after some bytes, None where they are not possible."""
        class_of = self.lexer.class_of
        for byte in data:
            if reading is None:
                break
            reading = self.step_class(reading, class_of[byte])
        return reading

    def step_class(self, reading: Reading, byte_class: int) -> Reading | None:
        """The same for any byte of a class."""
        try:
            return reading.moves[byte_class]
        except KeyError:
            pass
        with self.lock:
            self.tidy()
            threads = self._threads_after(reading, byte_class)
            found = self._reading(threads) if threads else None
            alike = self.alike(reading, byte_class)
            reading.moves.update(dict.fromkeys(alike, found))
            self._move_count += len(alike)
        return found

    def alike(self, reading: Reading, byte_class: int) -> Sequence[int]:
        """Classes of bytes that make the same of a reading: this one, and others where it is plain to see."""
        if len(reading.threads) > 1:
            return (byte_class,)
        state = reading.threads[0][1]
        return (state.alike or self.lexer.alike(state))[byte_class]

    def take(self, reading: Reading, terminals: Iterable[TerminalSymbol]) -> Reading | None:
        """The reading after a special token that is any of these terminals, None where it is not possible."""
        taken = tuple(terminals)
        with self.lock:
            rows = [(row, tuple(t for t in taken if t in lexer.tokens)) for row, lexer in reading.threads]
            row = self.chart.join(rows)
            return None if row is None else self._reading([self._fresh(row)])

    def union(self, one: Reading, other: Reading) -> Reading:
        """What either reading stands for; with greedy lexing the first of them."""
        if self.lexing == "greedy":
            return one
        with self.lock:
            return self._reading(self._merged([*one.threads, *other.threads]))

    def _all_threads(self, reading: Reading, byte_class: int) -> list[Thread]:
        threads: list[Thread] = []
        found: list[tuple[Row, tuple[TerminalSymbol, ...]]] = []
        for row, before in reading.threads:
            lexer = self.lexer.step(before, byte_class)
            if lexer is None:
                continue
            if lexer.alive:
                threads.append((row, lexer))
            if lexer.matched:
                found.append((row, lexer.matched))
        if found:
            following = self.chart.scan(*found[0]) if len(found) == 1 else self.chart.join(found)
            if following is not None:
                threads.append(self._fresh(following))
        return self._merged(threads) if len(threads) > 1 else threads

    def _merged(self, threads: list[Thread]) -> list[Thread]:
        """One thread a row, in the order of the rows."""
        merged: dict[Row, LexerState] = {}
        for row, lexer in threads:
            known = merged.get(row)
            merged[row] = lexer if known is None else self.lexer.join(known, lexer)
        return sorted(merged.items(), key=lambda thread: thread[0].serial)

    def _greedy_threads(self, reading: Reading, byte_class: int) -> list[Thread]:
        threads: list[Thread] = []
        for row, before in reading.threads:
            lexer = self.lexer.step(before, byte_class)
            if lexer is None:
                continue
            if lexer.alive:
                threads.append((row, lexer))
            following = None if lexer.skips_first else self.chart.scan(row, lexer.matched)
            if following is not None:
                threads.append(self._fresh(following))
                break
            if lexer.skips:
                threads.append(self._fresh(row, after_ignored=True))
                break
        return list(dict.fromkeys(threads))  # a fallback to what is tried before it adds nothing

    def _fresh(self, row: Row, *, after_ignored: bool = False) -> Thread:
        return row, self.lexer.start(row.terminals, may_end=row.accepting, after_ignored=after_ignored)

    def _reading(self, threads: list[Thread]) -> Reading:
        if len(threads) > self._limits.configuration_pairs:
            raise MaskError("MASK_BUDGET", limit=self._limits.configuration_pairs)
        key = tuple(threads)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Reading(key)
        return known

    def tidy(self) -> None:
        """Forget, if what is remembered has grown too large."""
        too_many = self._move_count >= _MAXIMUM_MOVES or self.lexer.held >= _MAXIMUM_PLACES
        if too_many or self.chart.made >= _MAXIMUM_PAIRS:
            self.forget()

    def forget(self) -> None:
        """Begin what is remembered anew. Readings that are in use stay what they are."""
        only_held(self._known, Reading.forget, lambda reading: reading.threads)
        self._move_count = 0
        self.generation += 1
        self.chart.forget()
        self.lexer.forget()
