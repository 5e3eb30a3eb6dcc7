"""A proposal: a text that asks for a call, and who wrote it. It has no rights and no effects.

The text is `{"tool": name, "arguments": {...}}` and nothing else; the host adds all the rest. A proposal of a model can
only be made of a finished, complete output: there is no way to one from a part of a stream.

You need it to bring a call to `calls.carry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...decoding.finish import Final
from ...errors import StreamError, ToolError
from ..canon import dumps
from ..strictjson import parse
from .envelopes import Origin

__all__ = ["Proposal"]

_MOST_BYTES = 6 * 1024 * 1024 + 1024  # the largest arguments of all, each character as an escape
_MOST_DEPTH = 33  # the deepest arguments of all, and the object around them


@dataclass(frozen=True, slots=True)
class Proposal:
    """text: JSON. input_schemas: by tool, the hash of the schema that the model's grammar was compiled from, if any."""

    text: str = field(repr=False)
    origin: Origin
    input_schemas: Mapping[str, str] | None = None

    @classmethod
    def of_output(cls, final: Final[Any], *, grammar_sha256: str, input_schemas: Mapping[str, str]) -> Proposal:
        """What a model asks for. Raises `StreamError` STREAM_INCOMPLETE_USE unless the output is complete."""
        if not final.complete:
            raise StreamError("STREAM_INCOMPLETE_USE")
        return cls(final.text, Origin("model", grammar_sha256, (0, len(final.text))), input_schemas)

    @classmethod
    def of_edit(cls, tool: str, arguments: Mapping[str, Any]) -> Proposal:
        """What a person made of a call: a new one, which is checked, shown and asked for like any other."""
        return cls(_text(tool, arguments), Origin("user_edit"))

    @classmethod
    def of_program(cls, tool: str, arguments: Mapping[str, Any]) -> Proposal:
        """What a program asks for. It gets no more rights by that."""
        return cls(_text(tool, arguments), Origin("api"))

    def read(self) -> tuple[str, dict[str, Any]]:
        """The tool's name and the arguments. Raises `DocumentError`, or `ToolError` TOOL_ENVELOPE."""
        value = parse(self.text, max_depth=_MOST_DEPTH, max_bytes=_MOST_BYTES).value
        if not isinstance(value, dict) or sorted(value) != ["arguments", "tool"]:
            raise ToolError("TOOL_ENVELOPE", pointer="", what='a call has "tool" and "arguments" and nothing else')
        name, arguments = value["tool"], value["arguments"]
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise ToolError("TOOL_ENVELOPE", pointer="", what="the tool is a text and the arguments are an object")
        return name, arguments


def _text(tool: str, arguments: Mapping[str, Any]) -> str:
    return dumps({"tool": tool, "arguments": dict(arguments)}, max_depth=_MOST_DEPTH, max_bytes=_MOST_BYTES).decode()
