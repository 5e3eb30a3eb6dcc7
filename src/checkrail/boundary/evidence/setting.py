"""Where a run took place, and what it had to keep to: parts of every record.

You need these types to read a record's fields, or to write records.
"""

from __future__ import annotations

from dataclasses import dataclass

from .types import Implementation, Kernel, Platform, Record, Version

__all__ = ["SECONDS_OF_AN_HOUR", "Bounds", "Environment", "check_hour"]

SECONDS_OF_AN_HOUR = 3600
_YEAR_10000 = 253_402_300_800  # seconds since 1970; dates end there


@dataclass(frozen=True, slots=True)
class Environment(Record):
    """Where it ran."""

    library: Version
    implementation: Implementation
    python: Version
    platform: Platform
    kernel: Kernel


@dataclass(frozen=True, slots=True)
class Bounds(Record):
    """What it had to keep to, and the size of the automaton in powers of 16; None where there is none."""

    max_tokens: int
    time_limit_ms: int | None
    context_tokens: int
    states: int | None
    transitions: int | None


def check_hour(hour: int) -> None:
    """Raises ValueError unless it is seconds since 1970 cut to the hour."""
    if hour % SECONDS_OF_AN_HOUR or hour >= _YEAR_10000:
        raise ValueError("hour: not a whole hour")
