"""What the bytes so far can mean: sets of (state, frame), stepped byte by byte.

A frame is the stack under a state: the ways to go on once its module is complete, each a (return state, frame
below) pair. Callers of one module at one position share one frame, as in a graph-structured stack (Tomita 1985),
so ambiguity stays polynomial. Frames and configurations are hash-consed: equal ones are one object, so whatever
is cached on them is found again at other positions and by other matchers.

A configuration is closed: for each of its pairs, what the state may return to and what it may call are pairs
too. Pairs that can neither read nor accept at the bottom are left out. Nesting: a frame knows its depth; a call
that would exceed the bound, or that cannot finish in the room left, is not taken.

Calls at one position form a DAG (left recursion was refused or removed), so modules are entered in its order and
every caller is known before a shared frame is made.

What is bounded: the pairs of a configuration, by `Limits.configuration_pairs`; the entries of frames that one step
looks at, by 64 times as many; and what steps are remembered with, by its size. Beyond the first two a text ends in
MASK_BUDGET, beyond the last one the memory begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from threading import Lock
from weakref import WeakValueDictionary

from ..automaton.pushdown import PushdownAutomaton
from ..errors import MaskError
from ..limits import DEFAULT_LIMITS, Limits

__all__ = ["Configuration", "Frame", "Stepper"]

_MAXIMUM_CACHED_STEPS = 200_000
_MAXIMUM_CACHED_SIZE = 1 << 19
_ENTRIES_PER_PAIR = 64
_PAIR_BYTES = 64  # a pair, or an entry of a frame, in a tuple of its own
_OBJECT_BYTES = 400  # a configuration or a frame, with its place in the table that makes it unique


class Frame:
    """A pending call, or the bottom of a stack (no entries).

    entries: (return state, frame below) pairs. depth: levels of nesting that are open above this frame.
    """

    __slots__ = ("__weakref__", "depth", "entries", "serial")

    def __init__(self, entries: tuple[tuple[int, Frame], ...], depth: int, serial: int) -> None:
        self.entries = entries
        self.depth = depth
        self.serial = serial

    def __repr__(self) -> str:
        if not self.entries:
            return f"bottom({self.depth})"
        return "{" + ", ".join(f"{state} {frame!r}" for state, frame in self.entries) + "}"


class Configuration:
    """A closed set of (state, frame) pairs, in order. accepting: the bottom of the stack may be reached here.

    size: its pairs and the entries of their frames, whoever else may have these frames.
    """

    __slots__ = ("__weakref__", "accepting", "pairs", "size", "steps")

    def __init__(self, pairs: tuple[tuple[int, Frame], ...], accepting: bool) -> None:
        self.pairs = pairs
        self.accepting = accepting
        self.size = 1 + len(pairs) + sum(len(frame.entries) for _, frame in pairs)
        self.steps: dict[int, Configuration | None] = {}

    def __repr__(self) -> str:
        dot = " accepting" if self.accepting else ""
        return f"<Configuration {', '.join(f'{q}:{f!r}' for q, f in self.pairs)}{dot}>"


class Stepper:
    """Makes and steps the configurations of one automaton. Threads may share it."""

    def __init__(self, automaton: PushdownAutomaton, limits: Limits = DEFAULT_LIMITS) -> None:
        self.automaton = automaton
        self.pair_limit = limits.configuration_pairs
        self.entry_limit = _ENTRIES_PER_PAIR * limits.configuration_pairs
        self._frames: WeakValueDictionary[tuple[object, int], Frame] = WeakValueDictionary()
        self._configurations: WeakValueDictionary[tuple[object, bool], Configuration] = WeakValueDictionary()
        self._lock = Lock()
        self._serial = automaton.nesting + 1
        self._with_steps: list[Configuration] = []
        self._cached_steps = 0
        self._cached_size = 0
        self._rank = _call_order(automaton)
        self._reads = [
            any(t >= 0 for t in _row(automaton, q)) or bool(automaton.tokens[q]) for q in range(len(automaton))
        ]
        # One bottom for each depth: a relative configuration stands on an unknown stack of known depth.
        self.bottoms = [Frame((), depth, depth) for depth in range(automaton.nesting + 1)]
        self.start = self.close([(automaton.starts[0], self.bottoms[0])])

    @property
    def memory(self) -> int:
        """Bytes of all configurations and frames that somebody holds, about: those of texts, and those of steps that
        are remembered."""
        with self._lock:
            configurations, frames = list(self._configurations.values()), list(self._frames.values())
        entries = sum(len(c.pairs) for c in configurations) + sum(len(f.entries) for f in frames)
        return _PAIR_BYTES * entries + _OBJECT_BYTES * (len(configurations) + len(frames))

    def step(self, configuration: Configuration, byte: int) -> Configuration | None:
        """The configuration after one byte, None where the byte is not possible."""
        try:
            return configuration.steps[byte]
        except KeyError:
            pass
        automaton = self.automaton
        moved: list[tuple[int, Frame]] = []
        for state, frame in configuration.pairs:
            target = automaton.step(state, byte)
            if target >= 0 and frame.depth + automaton.room[target] <= automaton.nesting:
                moved.append((target, frame))
        result = self.close(moved) if moved else None
        self._remember(configuration, byte, result)
        return result

    def _remember(self, configuration: Configuration, byte: int, result: Configuration | None) -> None:
        with self._lock:
            if self._cached_steps >= _MAXIMUM_CACHED_STEPS or self._cached_size >= _MAXIMUM_CACHED_SIZE:
                for other in self._with_steps:
                    other.steps = {}
                self._with_steps.clear()
                self._cached_steps = self._cached_size = 0
            if not configuration.steps:
                self._with_steps.append(configuration)
                self._cached_size += configuration.size
            configuration.steps[byte] = result
            self._cached_steps += 1
            self._cached_size += 0 if result is None else result.size

    def close(self, pairs: Iterable[tuple[int, Frame]]) -> Configuration:
        """The configuration of some pairs, with returns and calls followed."""
        automaton = self.automaton
        reached = dict.fromkeys(pairs)
        pending = list(reached)
        entries = 0
        for state, frame in pending:  # returns; frames below are older, so this ends
            if automaton.accepting[state]:
                entries += len(frame.entries)
                for entry in frame.entries:
                    if entry not in reached:
                        reached[entry] = None
                        pending.append(entry)
            self._check(len(reached), entries)
        found = self._merge(reached)
        self._follow_calls(found)
        kept = sorted(
            ((q, f) for q, f in found if self._reads[q] or (automaton.accepting[q] and not f.entries)),
            key=lambda pair: (pair[0], pair[1].serial),
        )
        accepting = any(automaton.accepting[q] and not f.entries for q, f in kept)
        return self._intern(tuple(kept), accepting)

    def _follow_calls(self, found: list[tuple[int, Frame]]) -> None:
        """Add the start states of everything that the pairs call, module by module in the order of calls."""
        automaton = self.automaton
        nesting = automaton.nesting
        tails: dict[int, dict[tuple[int, Frame], None]] = {}  # rank -> pairs entered by a tail call
        callers: dict[
            int, dict[tuple[int, int], dict[tuple[int, Frame], None]]
        ] = {}  # rank -> (start, depth) -> entries
        ranks: list[int] = []
        looked_at = 0

        def call_from(state: int, frame: Frame) -> None:
            nonlocal looked_at
            looked_at += len(automaton.calls[state])
            self._check(len(found), looked_at)
            for edge in automaton.calls[state]:
                depth = frame.depth + edge.weight
                if depth + automaton.room[edge.start] > nesting or frame.depth + automaton.room[edge.after] > nesting:
                    continue
                rank = self._rank[automaton.module_of[edge.start]]
                if rank not in tails and rank not in callers:
                    heappush(ranks, rank)
                if edge.tail:
                    tails.setdefault(rank, {})[edge.start, frame] = None
                else:
                    callers.setdefault(rank, {}).setdefault((edge.start, depth), {})[edge.after, frame] = None

        for state, frame in found:
            call_from(state, frame)
        while ranks:
            rank = heappop(ranks)
            entered = dict(tails.pop(rank, {}))
            for (start, depth), entries in callers.pop(rank, {}).items():
                entered[start, self.frame(entries, depth)] = None
            for state, frame in self._merge(entered):
                found.append((state, frame))
                call_from(state, frame)

    def _check(self, pairs: int, entries: int) -> None:
        if pairs > self.pair_limit:
            raise MaskError("MASK_BUDGET", limit=self.pair_limit)
        if entries > self.entry_limit:
            raise MaskError("MASK_BUDGET", limit=self.entry_limit)

    def _merge(self, pairs: Iterable[tuple[int, Frame]]) -> list[tuple[int, Frame]]:
        """Pairs of one state whose frames have one depth become one pair with the frames joined."""
        merged: dict[tuple[int, int], list[Frame]] = {}
        result: list[tuple[int, Frame]] = []
        entries = 0
        for state, frame in pairs:
            entries += len(frame.entries)
            self._check(0, entries)
            if frame.entries:
                merged.setdefault((state, frame.depth), []).append(frame)
            else:
                result.append((state, frame))
        for (state, depth), frames in merged.items():
            if len(frames) == 1:
                result.append((state, frames[0]))
            else:
                result.append((state, self.frame([entry for f in frames for entry in f.entries], depth)))
        return result

    def frame(self, entries: Iterable[tuple[int, Frame]], depth: int) -> Frame:
        """The frame with these entries."""
        ordered = tuple(sorted(dict.fromkeys(entries), key=lambda entry: (entry[0], entry[1].serial)))
        key = (ordered, depth)
        with self._lock:
            frame = self._frames.get(key)
            if frame is None:
                self._serial += 1
                frame = self._frames[key] = Frame(ordered, depth, self._serial)
            return frame

    def _intern(self, pairs: tuple[tuple[int, Frame], ...], accepting: bool) -> Configuration:
        key = (pairs, accepting)
        with self._lock:
            configuration = self._configurations.get(key)
            if configuration is None:
                configuration = self._configurations[key] = Configuration(pairs, accepting)
            return configuration


def _row(automaton: PushdownAutomaton, state: int) -> Iterable[int]:
    first = automaton.row_of[state]
    return automaton.next_state[first : first + automaton.widths[automaton.module_of[state]]]


def _call_order(automaton: PushdownAutomaton) -> list[int]:
    """For each module its rank: greater than that of every module that calls it before reading a byte."""
    callees = [
        sorted({automaton.module_of[edge.start] for edge in automaton.calls[start]}) for start in automaton.starts
    ]
    waiting = [0] * len(callees)
    for called in callees:
        for module in called:
            waiting[module] += 1
    rank = [0] * len(callees)
    ready = [module for module, count in enumerate(waiting) if count == 0]
    for module in ready:
        for callee in callees[module]:
            rank[callee] = max(rank[callee], rank[module] + 1)
            waiting[callee] -= 1
            if waiting[callee] == 0:
                ready.append(callee)
    if len(ready) != len(callees):
        raise MaskError("INTERNAL", what="left recursion in a published automaton")
    return rank
