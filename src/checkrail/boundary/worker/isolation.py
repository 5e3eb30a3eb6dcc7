"""Levels of isolation: what surrounds a tool while it runs, and how much of it this system gave.

You need it to say the least that a tool may run under, and to read what a call was given. What each level stops, and
what it does not, is in `docs/explanation/isolation.md`.

A level is a claim about what holds, so it is computed from parts that were put in place and answered for, never from
the name of the system. The worker computes it before it has seen the tool; the host compares it with the least that the
tool demands, and sends the call only then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

__all__ = ["LEVELS", "Isolation", "Level", "is_enough"]

Level: TypeAlias = str  # one of LEVELS

LEVELS: tuple[Level, ...] = ("none", "process", "process+limits", "sandbox")

OLDEST_LANDLOCK = 3  # before it, a file can be cut to nothing without a right to write it


@dataclass(frozen=True, slots=True)
class Isolation:
    """What was put in place around one call.

    landlock_abi: version of Landlock that governs files, None without it. syscall_filter: sockets, tracing and mounting
    are refused. netns, pidns: an own network without interfaces, own process numbers. rlimits: memory, processor time,
    descriptors, file size. sweeps: processes that the tool starts and abandons are found and killed.
    """

    landlock_abi: int | None = None
    syscall_filter: bool = False
    netns: bool = False
    pidns: bool = False
    rlimits: bool = False
    sweeps: bool = False

    @property
    def level(self) -> Level:
        """The highest level that the parts amount to."""
        files = self.landlock_abi is not None and self.landlock_abi >= OLDEST_LANDLOCK
        if files and self.syscall_filter and self.rlimits and self.sweeps:
            return "sandbox"
        return "process+limits" if self.rlimits else "process"

    def to_json(self) -> dict[str, Any]:
        """The parts and the level as plain data."""
        return {"level": self.level, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Isolation:
        """The parts of plain data. Raises ValueError where they are not what `to_json` writes."""
        parts = {name: value for name, value in data.items() if name != "level"}
        abi = parts.get("landlock_abi")
        flags = [value for name, value in parts.items() if name != "landlock_abi"]
        if (
            parts.keys() != cls.__dataclass_fields__.keys()
            or not (abi is None or type(abi) is int)
            or not all(type(flag) is bool for flag in flags)
        ):
            raise ValueError("not the parts of an isolation")
        return cls(**parts)

    def __repr__(self) -> str:
        parts = [name for name in ("syscall_filter", "netns", "pidns", "rlimits", "sweeps") if getattr(self, name)]
        landlock = [] if self.landlock_abi is None else [f"landlock {self.landlock_abi}"]
        return f"<Isolation {self.level}: {', '.join(landlock + parts) or 'nothing more'}>"


def is_enough(given: Level, demanded: Level) -> bool:
    """Whether one level is at least the other.

    >>> is_enough("sandbox", "process"), is_enough("process", "sandbox")
    (True, False)
    """
    return LEVELS.index(given) >= LEVELS.index(demanded)
