"""The form of an envelope: a schema that data must follow, and bytes that must be canonical.

An envelope is what says of a call who, what and under which bounds, so it is read as strictly as it is written: an
unknown field, a missing one, one out of its range, or another spelling of the same JSON is refused.

You need it to define an envelope; `envelopes` and `composition` do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...errors import DocumentError, ToolError
from ..canon import dumps
from ..strictjson import parse
from ..validate import validate
from ..validation.schema_reader import read_schema
from ..validation.subschema import Subschema

__all__ = ["Form", "canonical"]

_MOST_BYTES = 5 * 1024 * 1024  # the largest result that limits can allow, and what an envelope adds
_MOST_DEPTH = 40  # the deepest arguments that limits can allow, and what an envelope adds


@dataclass(frozen=True)
class Form:
    """A JSON Schema of an object, read once when it is first needed."""

    schema: dict[str, Any]

    @cached_property
    def _read(self) -> Subschema:
        return read_schema(self.schema)

    def check(self, data: Any) -> None:
        """Raises `ToolError` TOOL_ENVELOPE where data is not of this form."""
        try:
            report = validate(data, self._read, limit=1)
        except DocumentError as error:
            raise ToolError("TOOL_ENVELOPE", pointer=error.pointer or "", what="it is no plain JSON data") from None
        if not report.ok:
            fault = report.faults[0]
            raise ToolError("TOOL_ENVELOPE", pointer=fault.pointer, what=f"{fault.code} ({fault.keyword})")

    def parse(self, data: bytes) -> dict[str, Any]:
        """The data of canonical bytes. Raises `ToolError` TOOL_ENVELOPE."""
        try:
            value = parse(data, max_depth=_MOST_DEPTH, max_bytes=_MOST_BYTES).value
        except DocumentError as error:
            raise ToolError("TOOL_ENVELOPE", pointer=error.pointer or "", what=error.code) from None
        self.check(value)
        assert isinstance(value, dict)  # the schema says so
        if canonical(value) != data:
            raise ToolError("TOOL_ENVELOPE", pointer="", what="it is not in canonical form")
        return value


def canonical(data: Any) -> bytes:
    """The canonical bytes. Raises `ToolError` TOOL_ENVELOPE where they are too many, or there are none."""
    try:
        return dumps(data, max_depth=_MOST_DEPTH, max_bytes=_MOST_BYTES)
    except DocumentError as error:
        raise ToolError("TOOL_ENVELOPE", pointer=error.pointer or "", what=error.code) from None
