"""`tools.lock`: the tools that were agreed to, so that a changed tool is seen before it runs.

You need it to keep a program's tools under review like its code: write the file once, put it under version control, and
give it to the session, which refuses a tool that differs. `checkrail tools diff` says what changed.

The file has whole manifests, one field a line, keys sorted: a change of a description or a schema is a readable line in
a review. The hash beside each is computed again on reading, so a file that was edited by hand is refused.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ...errors import DocumentError, Error, ToolError
from ..canon import dumps
from ..strictjson import parse
from .manifest import Manifest

__all__ = ["Change", "compare", "read_lock", "write_lock"]

_FORMAT = "tools-lock/1"
_MOST_BYTES = 16 * 1024 * 1024
_DEPTH = 110

Kind: TypeAlias = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a lockfile and the tools. field: "" where the tool as a whole is meant.

    before, after: canonical JSON of the field's values; "" where there is none.
    """

    kind: Kind
    tool: str
    field: str = ""
    before: str = ""
    after: str = ""


def read_lock(path: str | os.PathLike[str]) -> dict[str, Manifest]:
    """The manifests of a lockfile, by name. Raises `ToolError` TOOL_LOCK."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise ToolError("TOOL_LOCK", what=(error.strerror or "it cannot be read").lower()) from None
    try:
        data = parse(text, max_depth=_DEPTH, max_bytes=_MOST_BYTES).value
    except DocumentError as error:
        raise ToolError("TOOL_LOCK", position=error.position, what=error.message.rstrip(".")) from None
    if not isinstance(data, dict) or data.get("lock") != _FORMAT or sorted(data) != ["lock", "tools"]:
        raise ToolError("TOOL_LOCK", what=f"it is not of the format {_FORMAT}")
    tools = data["tools"]
    if not isinstance(tools, dict):
        raise ToolError("TOOL_LOCK", what="its tools are not an object")
    return {name: _entry(name, entry) for name, entry in tools.items()}


def write_lock(path: str | os.PathLike[str], manifests: Iterable[Manifest]) -> None:
    """Write the lockfile of these tools, at once and whole. Raises `ToolError` TOOL_LOCK."""
    tools = {m.name: {"manifest_sha256": m.sha256, "manifest": m.to_json()} for m in manifests}
    text = json.dumps({"lock": _FORMAT, "tools": tools}, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False)
    target = Path(path)
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text + "\n")
            os.chmod(name, 0o644)
            os.replace(name, target)
        except OSError:
            os.unlink(name)
            raise
    except OSError as error:
        raise ToolError("TOOL_LOCK", what=(error.strerror or "it cannot be written").lower()) from None


def compare(locked: Mapping[str, Manifest], tools: Mapping[str, Manifest]) -> list[Change]:
    """What is different, by tool and field."""
    changes = []
    for name in sorted({*locked, *tools}):
        if name not in locked:
            changes.append(Change("added", name))
        elif name not in tools:
            changes.append(Change("removed", name))
        else:
            changes.extend(_fields(name, locked[name].to_json(), tools[name].to_json()))
    return changes


def _fields(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    pairs = ((field, _text(before[field]), _text(after[field])) for field in sorted(before))
    return [Change("changed", name, field, old, new) for field, old, new in pairs if old != new]


def _text(value: Any) -> str:
    return dumps(value, max_depth=_DEPTH).decode()


def _entry(name: str, entry: Any) -> Manifest:
    if not isinstance(entry, dict) or sorted(entry) != ["manifest", "manifest_sha256"]:
        raise ToolError("TOOL_LOCK", what="an entry has a manifest and its hash")
    try:
        manifest = Manifest.from_json(entry["manifest"])
    except Error as error:
        raise ToolError("TOOL_LOCK", what=error.message.rstrip(".")) from None
    if manifest.name != name or manifest.sha256 != entry["manifest_sha256"]:
        raise ToolError("TOOL_LOCK", what=f"the hash of tool {manifest.name} is not that of its manifest")
    return manifest
