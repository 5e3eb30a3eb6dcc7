"""Bounds of a tool: defaults by capability, hard maxima."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.tools.limits import EffectiveLimits, ToolLimits
from checkrail.errors import InputError

MIB = 1024 * 1024


def test_defaults_depend_on_the_capability() -> None:
    pure, read, write = (ToolLimits().effective(kind) for kind in ("pure", "read", "write"))  # type: ignore[arg-type]
    assert (pure.args_bytes, read.args_bytes, write.args_bytes) == (65_536, 65_536, 8_192)
    assert (pure.wall_ms, read.wall_ms, write.wall_ms) == (1_000, 5_000, 5_000)
    assert (pure.file_bytes, read.file_bytes, write.file_bytes) == (0, 0, 16 * MIB)
    assert pure.cpu_ms == pure.wall_ms
    assert ToolLimits(wall_ms=50).effective("pure").cpu_ms == 50
    assert ToolLimits(wall_ms=50, cpu_ms=20).effective("pure").cpu_ms == 20


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("args_bytes", MIB),
        ("result_bytes", 4 * MIB),
        ("depth", 32),
        ("wall_ms", 60_000),
        ("cpu_ms", 60_000),
        ("memory_bytes", 4096 * MIB),
        ("open_files", 256),
        ("file_bytes", 256 * MIB),
        ("result_tokens", 8_192),
    ],
)
def test_each_bound_has_a_hard_maximum(name: str, most: int) -> None:
    assert getattr(ToolLimits(**{name: most}), name) == most
    bad: list[Any] = [most + 1, -1, 1.0, "1", True]
    for value in bad if name == "file_bytes" else [*bad, 0]:
        with pytest.raises(InputError, match=f"ToolLimits.{name}: must be an integer"):
            ToolLimits(**{name: value})


def test_what_a_person_must_read_stays_short() -> None:
    assert ToolLimits(args_bytes=32 * 1024).effective("write").args_bytes == 32 * 1024
    with pytest.raises(InputError, match="at most 32768"):
        ToolLimits(args_bytes=32 * 1024 + 1).effective("write")


@pytest.mark.parametrize("capability", ["pure", "read"])
def test_only_what_writes_may_write_files(capability: Any) -> None:
    with pytest.raises(InputError, match="must be 0"):
        ToolLimits(file_bytes=1).effective(capability)


def test_plain_data_and_back() -> None:
    limits = ToolLimits().effective("write")
    assert EffectiveLimits.from_json(limits.to_json()) == limits
    for change in ({"depth": 33}, {"more": 1}):
        with pytest.raises(InputError):
            EffectiveLimits.from_json(limits.to_json() | change)
    with pytest.raises(InputError, match="must be args_bytes"):
        EffectiveLimits.from_json({"depth": 3})
    with pytest.raises(InputError):
        EffectiveLimits.from_json(limits.to_json() | {"args_bytes": None})
