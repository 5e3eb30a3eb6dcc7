"""What a tool is: one frozen value with everything that a person, a model or the host decides by, and its hash.

You need it to compare tools (the lockfile does), to show them, or to describe one that is not a Python function here.
`@tool` writes it from a function.

The hash is SHA-256 of the canonical JSON, without a prefix, so that anybody can compute it again. It covers texts and
schemas, because the model reads them, and the source file, because that is what runs. So every change to a tool is a
change of its hash, and a changed tool is another tool until somebody agrees to it.

The checks here are those that need no schema reader: this module is loaded in the worker for every call.
`registration` does the rest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, NoReturn, TypeAlias
from unicodedata import is_normalized

from ...errors import DocumentError, InputError, ToolError
from ..canon import dumps
from ..display.characters import HIDDEN, kind
from ..worker.isolation import LEVELS
from .failure import DeclaredError, declared_errors
from .limits import Capability, EffectiveLimits

__all__ = ["Implementation", "Manifest", "Sensitivity", "schema_digest"]

Sensitivity: TypeAlias = Literal["public", "private"]

_FORMAT = "tool-manifest/1"
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_VERSION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}")
_ROOT = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DOTTED = re.compile(r"[^\x00-\x20\x7f]{1,300}")
_LONGEST_NAME, _MOST_ROOTS = 64, 8
_SCHEMA_BYTES = 64 * 1024
_SCHEMA_DEPTH = 100  # sixteen types within one another, and what their schemas add
_LONGEST = {"title": 80, "description": 1000, "effect": 200}


@dataclass(frozen=True, slots=True)
class Implementation:
    """Where the code is. source_sha256: of the module's file; None only where it has none and isolation is "none"."""

    module: str
    qualname: str
    source_sha256: str | None

    def to_json(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {"module": self.module, "qualname": self.qualname, "source_sha256": self.source_sha256}


@dataclass(frozen=True, kw_only=True, repr=False)
class Manifest:
    """The facts about one tool. Raises `ToolError` for a field that is out of its bounds.

    name: ASCII words of small letters, digits and _ with dots between, at most 64 characters. version: three numbers.
    title, description, effect: for a person and, the first two, for the model; at most 80, 1000, 200 code points.
    capability: "pure" computes, "read" looks, "write" changes. sensitivity: "private" if the result holds a user's
    data. deterministic, idempotent: promises of its author. reads, writes: ids of folders, which the host knows.
    input_schema, output_schema: closed, at most 64 KiB. errors: sentences by code (see `failure`). isolation: the
    least it may run under.
    """

    name: str
    version: str
    title: str
    description: str
    effect: str
    capability: Capability
    sensitivity: Sensitivity
    deterministic: bool
    idempotent: bool
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    errors: Mapping[str, str]
    limits: EffectiveLimits
    isolation: str
    implementation: Implementation

    def __post_init__(self) -> None:
        self._check_identity()
        self._check_words()
        self._check_roots()
        self._check_code()
        try:
            declared_errors(self.errors)
        except ValueError as error:
            self._fail("errors", str(error))
        # Copies: nobody who holds the originals can change them here.
        object.__setattr__(self, "input_schema", self._frozen("input_schema"))
        object.__setattr__(self, "output_schema", self._frozen("output_schema"))
        object.__setattr__(self, "errors", dict(self.errors))

    @cached_property
    def declared(self) -> dict[str, DeclaredError]:
        """The errors, read."""
        return declared_errors(self.errors)

    @cached_property
    def canonical(self) -> bytes:
        """The canonical JSON."""
        return dumps(self.to_json(), max_depth=_SCHEMA_DEPTH + 2)

    @cached_property
    def sha256(self) -> str:
        """The hash, which is the identity of the tool."""
        return hashlib.sha256(self.canonical).hexdigest()

    @cached_property
    def input_schema_sha256(self) -> str:
        """Of the input schema alone: what a mask is compiled from."""
        return schema_digest(self.input_schema)

    def to_json(self) -> dict[str, Any]:
        """The manifest as plain data, every field."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("limits", "implementation")}
        nested = {"limits": self.limits.to_json(), "implementation": self.implementation.to_json()}
        return {"manifest": _FORMAT, **plain, **nested, "reads": list(self.reads), "writes": list(self.writes)}

    @classmethod
    def from_json(cls, data: Any) -> Manifest:
        """The manifest of plain data. Raises `ToolError` TOOL_MANIFEST."""
        names = [f.name for f in fields(cls)]
        if not isinstance(data, dict) or sorted(data) != sorted(["manifest", *names]) or data["manifest"] != _FORMAT:
            _refuse_file("", f"not the fields of {_FORMAT}")
        values = {name: data[name] for name in names}
        try:
            values["limits"] = EffectiveLimits.from_json(data["limits"])
        except InputError as error:
            _refuse_file("/limits", error.message.rstrip("."))
        code, parts = data["implementation"], [f.name for f in fields(Implementation)]
        if not isinstance(code, dict) or sorted(code) != sorted(parts):
            _refuse_file("/implementation", f"an object of {', '.join(parts)}")
        values["implementation"] = Implementation(**code)
        for name in ("reads", "writes"):
            if not isinstance(data[name], list):
                _refuse_file(f"/{name}", "a list")
            values[name] = tuple(data[name])
        return cls(**values)

    def _check_identity(self) -> None:
        if not _is_like(_NAME, self.name) or len(self.name) > _LONGEST_NAME:
            what = f"small letters, digits and _ in words with dots between, at most {_LONGEST_NAME}"
            raise ToolError("TOOL_MANIFEST", name="with a bad name", pointer="/name", what=what)
        if not _is_like(_VERSION, self.version):
            self._fail("version", "three numbers with dots between")

    def _check_words(self) -> None:
        for name, longest in _LONGEST.items():
            text = getattr(self, name)
            if not isinstance(text, str) or not 1 <= len(text) <= longest:
                self._fail(name, f"a text of 1 to {longest} characters")
            if not is_normalized("NFC", text) or any(kind(c) == HIDDEN for c in text):
                self._fail(name, "a text in normal form C without hidden characters")
        capability = str(self.capability)
        if capability not in ("pure", "read", "write"):
            what = "external tools are not supported" if capability == "external" else "there is no such capability"
            raise ToolError("TOOL_CAPABILITY_UNSUPPORTED", name=self.name, what=what)
        if self.sensitivity not in ("public", "private"):
            self._fail("sensitivity", "public or private")
        for name in ("deterministic", "idempotent"):
            if type(getattr(self, name)) is not bool:
                self._fail(name, "true or false")

    def _check_roots(self) -> None:
        for name in ("reads", "writes"):
            roots = getattr(self, name)
            if not all(_is_like(_ROOT, root) for root in roots):
                self._fail(name, "ids of folders: small letters, digits, _ and -; paths are given by the host")
            if len(roots) > _MOST_ROOTS or len(set(roots)) < len(roots):
                self._fail(name, f"at most {_MOST_ROOTS} different ids")
        if self.capability == "pure" and (self.reads or self.writes):
            self._fail("capability", "a pure tool has no folders")
        if self.capability == "read" and self.writes:
            self._fail("capability", "a tool that writes to a folder is a write tool")

    def _check_code(self) -> None:
        code = self.implementation
        source = code.source_sha256
        if source is not None and not _is_like(_SHA256, source):
            self._fail("implementation", "source_sha256 has 64 hexadecimal digits")
        if not all(_is_like(_DOTTED, text) for text in (code.module, code.qualname)):
            self._fail("implementation", "a module and a name in it")
        if self.isolation not in LEVELS:
            self._fail("isolation", f"one of {', '.join(LEVELS)}")
        if self.isolation == "none" and self.capability != "pure":
            self._fail("isolation", "only a pure tool may run in this process")
        if source is None and self.isolation != "none":
            self._fail("implementation", "the file of the module cannot be read")

    def _frozen(self, name: str) -> Any:
        """A copy that has a canonical form. It keeps the order of its properties, in which a model writes them."""
        schema = getattr(self, name)
        try:
            dumps(schema, max_depth=_SCHEMA_DEPTH, max_bytes=_SCHEMA_BYTES)
        except DocumentError as error:
            if error.code == "CANON_NUMBER":
                raise ToolError("TOOL_MANIFEST_NUMBER", name=self.name) from None
            self._fail(name + (error.pointer or ""), error.message.rstrip("."))
        return deepcopy(schema)

    def _fail(self, field: str, what: str) -> NoReturn:
        raise ToolError("TOOL_MANIFEST", name=self.name, pointer=f"/{field}", what=what) from None

    def __repr__(self) -> str:
        return f"<Manifest {self.name} {self.version} {self.capability} sha256:{self.sha256[:12]}>"


def _refuse_file(pointer: str, what: str) -> NoReturn:
    """what: words of ours; what stands in a file stays out of them."""
    raise ToolError("TOOL_MANIFEST", name="in the file", pointer=pointer, what=what) from None


def _is_like(pattern: re.Pattern[str], value: Any) -> bool:
    """Whether a value, which may come from a file, is a text of this form."""
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def schema_digest(schema: Any) -> str:
    """SHA-256 of a schema's canonical JSON.

    >>> schema_digest({"type": "null"})[:8]
    'bcde375e'
    """
    return hashlib.sha256(dumps(schema, max_depth=_SCHEMA_DEPTH)).hexdigest()
