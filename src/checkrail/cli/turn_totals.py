"""What the records of turns with tools add up to, for `checkrail doctor --evidence`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ..boundary.evidence.turn import CallRecord, TurnRecord
from .sums import counts, median_and_greatest

__all__ = ["TurnTotals"]


@dataclass(slots=True)
class TurnTotals:
    """Sums over turns: how they ended, what they called, what a person was asked, what came from others."""

    turns: int = 0
    steps: int = 0
    calls: int = 0
    calls_not_listed: int = 0
    truncated: int = 0
    asked: int = 0
    approved: int = 0
    denied: int = 0
    expired: int = 0
    source_tokens: int = 0
    stops: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    capabilities: Counter[str] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)
    isolation: Counter[str] = field(default_factory=Counter)
    call_codes: Counter[str] = field(default_factory=Counter)
    milliseconds: list[int] = field(default_factory=list)

    def add(self, record: TurnRecord) -> None:
        """Take in one record."""
        self.turns += 1
        self.steps += record.steps
        self.calls_not_listed += record.calls_not_listed
        self.source_tokens += record.source_tokens
        self.stops[record.stop.value] += 1
        for name in ("asked", "approved", "denied", "expired"):
            setattr(self, name, getattr(self, name) + getattr(record.questions, name))
        for call in record.calls:
            self._add_call(call)

    def _add_call(self, call: CallRecord) -> None:
        self.calls += 1
        self.truncated += call.truncated
        self.states[call.state.value] += 1
        self.capabilities[call.capability.value] += 1
        self.effects[call.effects.value] += 1
        self.isolation[call.isolation.value] += 1
        self.milliseconds.append(call.run_ms)
        if call.code is not None:
            self.call_codes[str(call.code)] += 1

    def to_json(self) -> dict[str, Any]:
        """The totals as plain data."""
        plain = ("turns", "steps", "calls", "calls_not_listed", "truncated", "source_tokens")
        data: dict[str, Any] = {name: getattr(self, name) for name in plain}
        data["questions"] = {name: getattr(self, name) for name in ("asked", "approved", "denied", "expired")}
        for name in ("stops", "states", "capabilities", "effects", "isolation", "call_codes"):
            data[name] = dict(getattr(self, name))
        data["call_milliseconds"] = median_and_greatest(self.milliseconds)
        return data

    def lines(self) -> Iterator[tuple[str, str]]:
        """The totals for a person."""
        yield "turns", f"{self.turns} in {self.steps} steps: {counts(self.stops)}"
        if self.calls:
            yield "calls", f"{self.calls} listed, {self.calls_not_listed} more: {counts(self.states)}"
            yield "of tools", counts(self.capabilities)
            yield "effects", counts(self.effects)
            yield "isolation", counts(self.isolation)
            yield "call time", f"{round(median(self.milliseconds))} ms (median), at most {max(self.milliseconds)} ms"
        if self.call_codes:
            yield "call codes", counts(self.call_codes)
        if self.asked:
            yield "questions", f"{self.asked}: approved {self.approved}, denied {self.denied}, expired {self.expired}"
        if self.source_tokens:
            yield "of others", f"{self.source_tokens} tokens, {self.truncated} results truncated"
