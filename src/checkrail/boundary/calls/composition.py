"""What a call came from: model, tokenizer, template, adapters, grammar and settings, and the hash of it all.

You need it to begin a session of tools. The hash is in each request and in what a person approves, so a model or an
adapter that is exchanged between the question and the run is found out.

The hash of a model file may be missing, because hashing forty gigabytes takes minutes. That is said (`model_sha256` is
None) and never made up.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ..canon import dumps
from .envelope_form import Form

__all__ = ["FORM", "Adapter", "Composition"]

_SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def _ascii(longest: int) -> dict[str, Any]:
    return {"type": "string", "pattern": "^[ -~]*$", "minLength": 1, "maxLength": longest}


_ADAPTER = {
    "type": "object",
    "properties": {"id": _ascii(128), "sha256": _SHA256, "scale": {"type": "number"}},
    "required": ["id", "scale", "sha256"],
    "additionalProperties": False,
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "model_id": _ascii(128),
        "model_sha256": {"anyOf": [_SHA256, {"type": "null"}]},
        "tokenizer_sha256": _SHA256,
        "template_sha256": _SHA256,
        "adapters": {"type": "array", "items": _ADAPTER, "maxItems": 16},
        "quantization": _ascii(32),
        "backend": _ascii(32),
        "grammar_sha256": _SHA256,
        "compiler": _ascii(32),
        "sampling_sha256": _SHA256,
    },
    "required": [
        *("adapters", "backend", "compiler", "grammar_sha256", "model_id", "model_sha256", "quantization"),
        *("sampling_sha256", "template_sha256", "tokenizer_sha256"),
    ],
    "additionalProperties": False,
}
FORM = Form(_SCHEMA)


@dataclass(frozen=True, slots=True)
class Adapter:
    """A change to the model's weights, and how strongly it is applied."""

    id: str
    sha256: str
    scale: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Composition:
    """Digests are SHA-256 in hexadecimal; the other texts are ASCII. Raises `ToolError` TOOL_ENVELOPE."""

    model_id: str
    model_sha256: str | None
    tokenizer_sha256: str
    template_sha256: str
    grammar_sha256: str
    sampling_sha256: str
    quantization: str = "unknown"
    backend: str = "unknown"
    compiler: str = "unknown"
    adapters: tuple[Adapter, ...] = ()

    def __post_init__(self) -> None:
        FORM.check(self.to_json())

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole."""
        return hashlib.sha256(dumps(self.to_json())).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The composition as plain data."""
        adapters = [{"id": a.id, "sha256": a.sha256, "scale": a.scale} for a in self.adapters]
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"adapters": adapters}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Composition:
        """The composition of plain data that was checked."""
        return cls(**{**data, "adapters": tuple(Adapter(**adapter) for adapter in data["adapters"])})

    def __repr__(self) -> str:
        return f"<Composition {self.model_id} sha256:{self.sha256[:12]}>"
