"""What the records of many runs add up to, for `checkrail doctor --evidence`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Any

from ..boundary.evidence.record import AnyRecord, RunRecord
from ..boundary.evidence.turn import TurnRecord
from ..boundary.evidence.types import CodeCount, FiveNumbers, Version
from .sums import counts, median_and_greatest
from .turn_totals import TurnTotals

__all__ = ["Totals"]

_TIMES = ("mask_microseconds", "model_microseconds", "sample_microseconds")


@dataclass(slots=True)
class Totals:
    """Sums over records. Of each run's times the median is kept, and the greatest of all. turns: those with tools."""

    runs: int = 0
    complete: int = 0
    with_faults: int = 0
    within_a_character: int = 0
    prompt_tokens: int = 0
    tokens: int = 0
    bytes: int = 0
    faults_not_listed: int = 0
    sessions: set[str] = field(default_factory=set)
    hours: set[int] = field(default_factory=set)
    versions: Counter[str] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    medians: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _TIMES})
    greatest: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_TIMES, 0))
    totals: list[int] = field(default_factory=list)
    turns: TurnTotals = field(default_factory=TurnTotals)

    def add(self, record: AnyRecord) -> None:
        """Take in one record."""
        self.sessions.add(str(record.session))
        self.hours.add(record.hour)
        self.versions[_version(record.environment.library)] += 1
        self.prompt_tokens += record.prompt_tokens
        self.tokens += record.output_tokens
        if record.code is not None:
            self.codes[str(record.code)] += 1
        _add(self.notices, record.notices)
        if isinstance(record, TurnRecord):
            self.turns.add(record)
        else:
            self._add_run(record)

    def _add_run(self, record: RunRecord) -> None:
        self.runs += 1
        self.complete += record.complete
        self.with_faults += bool(record.faults)
        self.within_a_character += bool(record.utf8_held)
        self.bytes += record.output_bytes
        self.faults_not_listed += record.faults_not_listed
        self.stops[record.stop.value] += 1
        _add(self.faults, record.faults)
        self.totals.append(record.total_microseconds)
        for name in _TIMES:
            numbers: FiveNumbers | None = getattr(record, name)
            if numbers is not None:
                self.medians[name].append(numbers.median)
                self.greatest[name] = max(self.greatest[name], numbers.greatest)

    def to_json(self) -> dict[str, Any]:
        """The totals as plain data."""
        return {
            "runs": self.runs,
            "complete": self.complete,
            "with_faults": self.with_faults,
            "sessions": len(self.sessions),
            "hours": [min(self.hours), max(self.hours)] if self.hours else [],
            "prompt_tokens": self.prompt_tokens,
            "output_tokens": self.tokens,
            "output_bytes": self.bytes,
            "within_a_character": self.within_a_character,
            "versions": dict(self.versions),
            "stops": dict(self.stops),
            "codes": dict(self.codes),
            "notices": dict(self.notices),
            "faults": dict(self.faults),
            "faults_not_listed": self.faults_not_listed,
            **{name: median_and_greatest(self.medians[name], self.greatest[name]) for name in _TIMES},
            "total_microseconds": median_and_greatest(self.totals),
            **({"turns": self.turns.to_json()} if self.turns.turns else {}),
        }

    def lines(self) -> Iterator[tuple[str, str]]:
        """The totals for a person: what, and how much. Nothing is said of what never came."""
        yield "runs", f"{self.runs} in {len(self.sessions)} sessions{self._period()}"
        yield "complete", f"{self.complete}, of them {self.with_faults} with faults"
        yield "output", f"{self.tokens} tokens, {self.bytes} bytes, after {self.prompt_tokens} tokens of prompts"
        if self.within_a_character:
            yield "cut", f"{self.within_a_character} within a character"
        for name in ("versions", "stops", "codes", "notices", "faults"):
            counter: Counter[str] = getattr(self, name)
            if counter:
                yield name, counts(counter)
        for name in _TIMES:
            if self.medians[name]:
                what = name.removesuffix("_microseconds")
                yield (
                    what,
                    f"{round(median(self.medians[name]))} us (median of medians), at most {self.greatest[name]} us",
                )
        if self.totals:
            yield (
                "whole run",
                f"{round(median(self.totals) / 1000)} ms (median), at most {round(max(self.totals) / 1000)} ms",
            )
        if self.turns.turns:
            yield from self.turns.lines()

    def _period(self) -> str:
        if not self.hours:
            return ""
        first, last = (datetime.fromtimestamp(hour, UTC).strftime("%Y-%m-%d %H:00") for hour in self._ends())
        return f", {first} UTC" if first == last else f", {first} to {last} UTC"

    def _ends(self) -> tuple[int, int]:
        return min(self.hours), max(self.hours)


def _add(counter: Counter[str], found: Iterable[CodeCount]) -> None:
    for each in found:
        counter[str(each.code)] += each.count


def _version(version: Version) -> str:
    return f"{version.major}.{version.minor}.{version.patch}"
