"""The two envelopes as JSON Schemas: every field, its type and its bound.

They are data, so that another program can check an envelope with any validator. What a schema cannot say (that a hash
is the hash of its neighbour) is checked by the classes in `envelopes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tools.limits import MAXIMA, MAY_BE_NOTHING
from ..worker.isolation import LEVELS
from .composition import FORM as COMPOSITION
from .envelope_form import Form

__all__ = ["REQUEST", "RESULT"]

_LARGEST = 2**53 - 1
_SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def _integer(most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _id(prefix: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{prefix}_[0-9a-hjkmnp-tv-z]{{26}}$"}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(properties: dict[str, Any], optional: Iterable[str] = ()) -> dict[str, Any]:
    required = sorted(set(properties) - set(optional))
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_TOOL = _object(
    {
        "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$", "maxLength": 64},
        "version": {"type": "string", "pattern": "^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$"},
        "manifest_sha256": _SHA256,
        "input_schema_sha256": _SHA256,
    }
)
_SOURCE = {"type": "string", "pattern": "^[a-z]{1,16}:[A-Za-z0-9_.@-]{1,96}$"}
_AUTHORITY = _object(
    {
        "level": {"enum": ["off", "propose", "ask_all", "auto_pure", "auto_read"]},
        "tainted": {"type": "boolean"},
        "sources": {"type": "array", "items": _SOURCE, "maxItems": 32},
        "more_sources": _integer(65_536),
    }
)
_ORIGIN = _object(
    {
        "kind": {"enum": ["model", "user_edit", "api"]},
        "grammar_sha256": _or_null(_SHA256),
        "output_span": _or_null({"type": "array", "items": _integer(_LARGEST), "minItems": 2, "maxItems": 2}),
    }
)
_LIMITS = _object({name: _integer(most, 0 if name == MAY_BE_NOTHING else 1) for name, most in MAXIMA.items()})
_REQUEST = _object(
    {
        "envelope": {"const": "tool-request/1"},
        "request_id": _id("tr"),
        "session_id": _id("ts"),
        "sequence": _integer(2**32 - 1, 1),
        "turn": _integer(2**32 - 1),
        "tool": _TOOL,
        "capability": {"enum": ["pure", "read", "write"]},
        "arguments": {"type": "object"},
        "arguments_sha256": _SHA256,
        "composition": COMPOSITION.schema,
        "composition_sha256": _SHA256,
        "authority": _AUTHORITY,
        "origin": _ORIGIN,
        "limits": _LIMITS,
        "created_unix_ms": _integer(_LARGEST),
        "expires_unix_ms": _integer(_LARGEST),
    }
)

_PARAMETER = {"anyOf": [_integer(_LARGEST, -_LARGEST), {"type": "string", "maxLength": 300}]}
_ERROR = _object(
    {
        "code": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]{2,47}$"},
        "message": {"type": "string", "maxLength": 300},
        "params": {"type": "object", "additionalProperties": _PARAMETER, "maxProperties": 8},
        "pointer": {"type": "string", "maxLength": 512},
    },
    optional=["pointer"],
)
_PARTS = {
    "landlock_abi": _or_null(_integer(1_000)),
    **{part: {"type": "boolean"} for part in ("syscall_filter", "netns", "pidns", "rlimits", "sweeps")},
}
_ISOLATION = {
    "anyOf": [
        _object({"level": {"const": "none"}}),
        _object({"level": {"enum": list(LEVELS[1:])}, **_PARTS}),
    ]
}
_MILLISECONDS = _integer(2**32 - 1)
_DONE = {"properties": {"state": {"const": "done"}}, "required": ["result", "result_sha256"]}
_NOT_DONE = {
    "properties": {"state": {"enum": ["failed", "denied", "expired", "timed_out", "cancelled"]}},
    "required": ["error"],
}
_RESULT = _object(
    {
        "envelope": {"const": "tool-result/1"},
        "request_id": _id("tr"),
        "session_id": _id("ts"),
        "tool": _TOOL,
        "arguments_sha256": _SHA256,
        "composition_sha256": _SHA256,
        "state": {"enum": ["done", "failed", "denied", "expired", "timed_out", "cancelled"]},
        "effects": {"enum": ["none", "completed", "unknown"]},
        "result": True,
        "result_sha256": _SHA256,
        "error": _ERROR,
        "isolation": _ISOLATION,
        "timing": _object({"queued_ms": _MILLISECONDS, "confirm_ms": _MILLISECONDS, "run_ms": _MILLISECONDS}),
        "attempt": {"const": 1},
    },
    optional=["error", "result", "result_sha256"],
) | {"oneOf": [_DONE | {"not": {"required": ["error"]}}, _NOT_DONE]}

REQUEST = Form(_REQUEST)
RESULT = Form(_RESULT)
