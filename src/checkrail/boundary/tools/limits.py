"""The bounds of one tool: what a call may take in time, memory and bytes.

You need it to give a tool more, or less, than the defaults; `@tool(limits=ToolLimits(wall_ms=2_000))`. The bounds are
part of the manifest, so a tool cannot change its own without being seen. The defaults depend on the capability: a tool
that computes gets less time than one that reads, and what a person has to read before a `write` is kept short. Each
bound has a hard maximum, which nothing raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from ...errors import InputError

__all__ = ["MAXIMA", "MAY_BE_NOTHING", "Capability", "EffectiveLimits", "ToolLimits"]

Capability: TypeAlias = Literal["pure", "read", "write"]

_KIB, _MIB = 1024, 1024 * 1024
_WRITE_ARGS_MAXIMUM = 32 * _KIB  # a person reads all of it before saying yes
MAXIMA = {
    "args_bytes": _MIB,
    "result_bytes": 4 * _MIB,
    "depth": 32,
    "wall_ms": 60_000,
    "cpu_ms": 60_000,
    "memory_bytes": 4096 * _MIB,
    "open_files": 256,
    "file_bytes": 256 * _MIB,
    "result_tokens": 8_192,
}
MAY_BE_NOTHING = "file_bytes"  # the one bound that can be 0


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Bounds on one call. None means the default of the capability; `effective` puts it in. All are integers.

    args_bytes, result_bytes: of the canonical JSON. depth: objects and arrays within one another. wall_ms, cpu_ms: of
    the tool's process; cpu_ms defaults to wall_ms. memory_bytes: of address space. open_files: descriptors. file_bytes:
    the largest file that it may write; 0 for tools that are not `write`. result_tokens: what the model sees of the
    result.
    """

    args_bytes: int | None = None
    result_bytes: int = 256 * _KIB
    depth: int = 16
    wall_ms: int | None = None
    cpu_ms: int | None = None
    memory_bytes: int = 512 * _MIB
    open_files: int = 32
    file_bytes: int | None = None
    result_tokens: int = 1_024

    def __post_init__(self) -> None:
        for field in fields(self):
            value, most = getattr(self, field.name), MAXIMA[field.name]
            least = 0 if field.name == MAY_BE_NOTHING else 1
            if value is not None and (type(value) is not int or not least <= value <= most):
                what = f"must be an integer from {least} to {most}"
                raise InputError("INPUT_FORMAT", name=f"ToolLimits.{field.name}", what=what)

    def effective(self, capability: Capability) -> EffectiveLimits:
        """The bounds of a tool of this capability, none missing. Raises `InputError` INPUT_FORMAT."""
        writes = capability == "write"
        args = (8 if writes else 64) * _KIB if self.args_bytes is None else self.args_bytes
        if writes and args > _WRITE_ARGS_MAXIMUM:
            self._refuse("args_bytes", f"must be at most {_WRITE_ARGS_MAXIMUM} for a tool that writes")
        if self.file_bytes and not writes:
            self._refuse("file_bytes", "must be 0 for a tool that does not write")
        wall = (1_000 if capability == "pure" else 5_000) if self.wall_ms is None else self.wall_ms
        file_bytes = (16 * _MIB if writes else 0) if self.file_bytes is None else self.file_bytes
        return EffectiveLimits(
            args_bytes=args,
            result_bytes=self.result_bytes,
            depth=self.depth,
            wall_ms=wall,
            cpu_ms=wall if self.cpu_ms is None else self.cpu_ms,
            memory_bytes=self.memory_bytes,
            open_files=self.open_files,
            file_bytes=file_bytes,
            result_tokens=self.result_tokens,
        )

    @staticmethod
    def _refuse(name: str, what: str) -> None:
        raise InputError("INPUT_FORMAT", name=f"ToolLimits.{name}", what=what)


@dataclass(frozen=True, slots=True)
class EffectiveLimits:
    """The bounds that hold for a call: those of `ToolLimits`, each with its number."""

    args_bytes: int
    result_bytes: int
    depth: int
    wall_ms: int
    cpu_ms: int
    memory_bytes: int
    open_files: int
    file_bytes: int
    result_tokens: int

    def to_json(self) -> dict[str, int]:
        """The bounds as plain data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_json(cls, data: Any) -> EffectiveLimits:
        """The bounds of plain data. Raises `InputError` INPUT_FORMAT if one is missing, unknown or out of range."""
        names = [field.name for field in fields(cls)]
        if not isinstance(data, Mapping) or sorted(data) != sorted(names) or None in data.values():
            raise InputError("INPUT_FORMAT", name="The limits", what=f"must be {', '.join(names)}")
        return cls(**{field.name: getattr(ToolLimits(**data), field.name) for field in fields(cls)})
