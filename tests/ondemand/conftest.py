"""A reader of on-demand tables in plain Python: what the kernel does, one byte at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest


class Here(NamedTuple):
    """state, and the pending calls: (state to return to, levels open above it)."""

    state: int
    calls: tuple[tuple[int, int], ...]


class Runner:
    """Steps through an automaton that is made on demand."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.start = Here(source.start, ())

    def fields(self, state: int) -> Any:
        if self.source.states[8 * state] < 0:
            self.source.expand(state)
        return self.source.states[8 * state : 8 * state + 8]

    def _depth(self, here: Here) -> int:
        return here.calls[-1][1] if here.calls else 0

    def step(self, here: Here, byte: int) -> Here | None:
        while True:
            row, class_map, kind, _, _, _, exit, _ = self.fields(here.state)
            target = self.source.next_state[row + self.source.class_of[class_map + byte]]
            if target >= 0:
                return here._replace(state=target) if self._fits(here, target) else None
            if target == -1:
                if not kind & 3 or not here.calls:
                    return None
                here = Here(here.calls[-1][0] + exit, here.calls[:-1])
                continue
            found = self._enter(here, -2 - target)
            if found is None:
                return None
            here = found

    def _enter(self, here: Here, edge: int) -> Here | None:
        """Inside the first edge that has room, of one and those that stand in for it."""
        depth = self._depth(here)
        while True:
            start, after, nest, bits = self.source.edges[4 * edge : 4 * edge + 4]
            room_inside, room_after = (self.source.states[8 * q + 3] for q in (start, after))
            if max(depth + nest + room_inside, depth + room_after) <= self.source.nesting:
                return Here(start, here.calls if bits & 1 else (*here.calls, (after, depth + nest)))
            if not bits & 2:
                return None
            edge += 1

    def _fits(self, here: Here, state: int) -> bool:
        return self._depth(here) + self.source.states[8 * state + 3] <= self.source.nesting

    def accepts(self, here: Here) -> bool:
        calls = list(here.calls)
        state = here.state
        while self.fields(state)[2] & 3:
            if not calls:
                return True
            state = calls.pop()[0] + self.fields(state)[6]
        return False

    def next_bytes(self, here: Here) -> bytes:
        return bytes(b for b in range(256) if self.step(here, b) is not None)


@pytest.fixture
def runner() -> type[Runner]:
    return Runner
