"""`ToolRequest` and `ToolResult`: all that is known of a call before it runs, and of how it ended.

You need them to record calls, to show them, or to hand them to another program. They are values: frozen, checked when
they are made, equal when their canonical bytes are. Nothing in them gives a right: a request that was made up runs
nothing, because a session runs only calls that it made itself.

Every field has a bound, in `envelope_schemas`. `from_bytes` takes what `to_bytes` wrote and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from ...errors import ToolError
from ..tools.limits import Capability, EffectiveLimits
from ..worker.isolation import Isolation
from ..worker.run_outcome import Effects
from .composition import Composition
from .envelope_form import canonical
from .envelope_schemas import REQUEST, RESULT

__all__ = [
    "Failed",
    "FinalState",
    "Origin",
    "OriginKind",
    "Standing",
    "Timing",
    "ToolRef",
    "ToolRequest",
    "ToolResult",
]

OriginKind: TypeAlias = Literal["model", "user_edit", "api"]
FinalState: TypeAlias = Literal["done", "failed", "denied", "expired", "timed_out", "cancelled"]


class _Part:
    """A frozen dataclass whose fields are plain JSON data."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]  # subclasses are ones
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class ToolRef(_Part):
    """Which tool, by name and by hash."""

    name: str
    version: str
    manifest_sha256: str
    input_schema_sha256: str


@dataclass(frozen=True, slots=True)
class Standing(_Part):
    """How authority stood: the level, and the sources of text from others; more_sources: those that are not listed."""

    level: str
    tainted: bool
    sources: tuple[str, ...] = ()
    more_sources: int = 0


@dataclass(frozen=True, slots=True)
class Origin(_Part):
    """Who wrote the arguments. output_span: `[start, end)` of the model's output, in code points."""

    kind: OriginKind
    grammar_sha256: str | None = None
    output_span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Timing(_Part):
    """Milliseconds until the call was decided upon, with a person, and running."""

    queued_ms: int = 0
    confirm_ms: int = 0
    run_ms: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no result. message: the sentence of the catalogue, or, for a code of its own, of the manifest."""

    code: str
    message: str
    params: Mapping[str, int | str]
    pointer: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data; no pointer where there is none."""
        data: dict[str, Any] = {"code": self.code, "message": self.message, "params": dict(self.params)}
        return data if self.pointer is None else data | {"pointer": self.pointer}


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ToolRequest:
    """One call that was proposed. arguments: what the model wrote; arguments_sha256: of its canonical bytes.

    sequence: 1, 2, 3 within the session. turn: of the conversation. *_unix_ms: by the host's clock. Raises `ToolError`
    TOOL_ENVELOPE.
    """

    request_id: str
    session_id: str
    sequence: int
    turn: int
    tool: ToolRef
    capability: Capability
    arguments: Mapping[str, Any]
    arguments_sha256: str
    composition: Composition
    composition_sha256: str
    authority: Standing
    origin: Origin
    limits: EffectiveLimits
    created_unix_ms: int
    expires_unix_ms: int

    def __post_init__(self) -> None:
        REQUEST.check(self.to_json())
        for pointer, found, wanted in (
            ("/arguments_sha256", self.arguments_sha256, hashlib.sha256(canonical(self.arguments)).hexdigest()),
            ("/composition_sha256", self.composition_sha256, self.composition.sha256),
        ):
            if found != wanted:
                raise ToolError("TOOL_ENVELOPE", pointer=pointer, what="it is not the hash of what it stands beside")
        if self.expires_unix_ms <= self.created_unix_ms:
            raise ToolError("TOOL_ENVELOPE", pointer="/expires_unix_ms", what="it expires before it was made")

    def to_json(self) -> dict[str, Any]:
        """The envelope as plain data."""
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        nested = ("tool", "composition", "authority", "origin", "limits")
        parts = {name: getattr(self, name).to_json() for name in nested}
        return {"envelope": "tool-request/1", **plain, **parts, "arguments": dict(self.arguments)}

    def to_bytes(self) -> bytes:
        """The canonical JSON."""
        return canonical(self.to_json())

    @classmethod
    def from_bytes(cls, data: bytes) -> ToolRequest:
        """The request that these bytes are. Raises `ToolError` TOOL_ENVELOPE."""
        values = REQUEST.parse(data)
        del values["envelope"]
        authority, origin = values["authority"], values["origin"]
        span = origin["output_span"]
        return cls(
            **{
                **values,
                "tool": ToolRef(**values["tool"]),
                "composition": Composition.from_json(values["composition"]),
                "authority": Standing(**{**authority, "sources": tuple(authority["sources"])}),
                "origin": Origin(**{**origin, "output_span": None if span is None else tuple(span)}),
                "limits": EffectiveLimits(**values["limits"]),
            }
        )

    def __repr__(self) -> str:
        return f"<ToolRequest {self.sequence} {self.tool.name} {self.request_id}>"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ToolResult:
    """How one call ended. result and result_sha256 are there if it is done, error if it is not.

    effects: "unknown" where a tool that writes began and did not report. isolation: None for a tool that ran in this
    process, or did not run. Raises `ToolError` TOOL_ENVELOPE.
    """

    request_id: str
    session_id: str
    tool: ToolRef
    arguments_sha256: str
    composition_sha256: str
    state: FinalState
    effects: Effects
    result: Any = None
    result_sha256: str | None = None
    error: Failed | None = None
    isolation: Isolation | None = None
    timing: Timing = Timing()

    def __post_init__(self) -> None:
        RESULT.check(self.to_json())
        if self.is_done and self.result_sha256 != hashlib.sha256(canonical(self.result)).hexdigest():
            raise ToolError("TOOL_ENVELOPE", pointer="/result_sha256", what="it is not the hash of the result")

    @property
    def is_done(self) -> bool:
        """Whether there is a result."""
        return self.state == "done"

    def to_json(self) -> dict[str, Any]:
        """The envelope as plain data; fields that are not there are absent."""
        data: dict[str, Any] = {
            "envelope": "tool-result/1",
            "request_id": self.request_id,
            "session_id": self.session_id,
            "tool": self.tool.to_json(),
            "arguments_sha256": self.arguments_sha256,
            "composition_sha256": self.composition_sha256,
            "state": self.state,
            "effects": self.effects,
            "isolation": {"level": "none"} if self.isolation is None else self.isolation.to_json(),
            "timing": self.timing.to_json(),
            "attempt": 1,
        }
        if self.is_done:
            data |= {"result": self.result, "result_sha256": self.result_sha256}
        if self.error is not None:
            data["error"] = self.error.to_json()
        return data

    def to_bytes(self) -> bytes:
        """The canonical JSON."""
        return canonical(self.to_json())

    @classmethod
    def from_bytes(cls, data: bytes) -> ToolResult:
        """The result that these bytes are. Raises `ToolError` TOOL_ENVELOPE."""
        values = RESULT.parse(data)
        for name in ("envelope", "attempt"):
            del values[name]
        isolation, error = values["isolation"], values.get("error")
        return cls(
            **{
                **values,
                "tool": ToolRef(**values["tool"]),
                "isolation": None if isolation["level"] == "none" else Isolation.from_json(isolation),
                "timing": Timing(**values["timing"]),
                "error": None if error is None else Failed(**error),
            }
        )

    def __repr__(self) -> str:
        what = "" if self.error is None else f" {self.error.code}"
        return f"<ToolResult {self.tool.name} {self.state}{what} {self.request_id}>"
