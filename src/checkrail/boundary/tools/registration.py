"""Registration: a tool is looked at once more, as a whole, and from then on it is frozen.

`@tool` has read the signature; this is what takes longer, or depends on the program as it runs: the schemas are read by
the validator and must be closed, defaults must be valid, the name must lead back to the tool from its module, the file
must still be the one that was hashed, and the folders that the tool speaks of must exist.

You need `check` in tools that show or lock tools. `Session` registers each of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from ...errors import AuthorityError, SchemaError, ToolError
from ..validate import validate
from ..validation.closed_schema import open_place
from ..validation.schema_reader import read_schema
from .tool import RegisteredTool, Tool, source_sha256

__all__ = ["check", "check_source", "register"]


def register(tool: Tool, roots: Mapping[str, str | os.PathLike[str]]) -> RegisteredTool:
    """Check a tool and say to the runner what it must know. roots: the folders by their ids.

    Raises `ToolError` TOOL_MANIFEST or TOOL_NOT_IMPORTABLE, and `AuthorityError` AUTH_MANIFEST_DRIFT.
    """
    check(tool)
    manifest = tool.manifest
    return RegisteredTool(
        name=manifest.name,
        version=manifest.version,
        module=manifest.implementation.module,
        qualname=manifest.implementation.qualname,
        source_hash=manifest.implementation.source_sha256 or "",
        manifest_sha256=manifest.sha256,
        capability=manifest.capability,
        isolation=manifest.isolation,
        limits=manifest.limits,
        errors=manifest.declared,
        reads=manifest.reads,
        writes=manifest.writes,
        roots={root: _folder(tool, root, roots) for root in (*manifest.reads, *manifest.writes)},
    )


def check(tool: Tool) -> None:
    """All that can be said of a tool without its folders. Raises what `register` does."""
    for field in ("input_schema", "output_schema"):
        _check_schema(tool, field, getattr(tool.manifest, field))
    _check_defaults(tool)
    if tool.manifest.isolation != "none" and _found(tool) is not tool:
        what = f"{tool.manifest.implementation.qualname} in its module is something else than this tool"
        raise ToolError("TOOL_NOT_IMPORTABLE", name=tool.name, what=what)
    check_source(tool)


def check_source(tool: Tool) -> None:
    """Raises `AuthorityError` AUTH_MANIFEST_DRIFT if the tool's file is not the one that its manifest names."""
    declared = tool.manifest.implementation.source_sha256
    if declared is not None and source_sha256(tool.function) != declared:
        raise AuthorityError("AUTH_MANIFEST_DRIFT", name=tool.name)


def _check_schema(tool: Tool, field: str, schema: Any) -> None:
    found = open_place(schema)
    if found is not None:
        _fail(tool, f"/{field}{found[0]}", found[1])
    try:
        read_schema(schema)
    except SchemaError as error:
        _fail(tool, f"/{field}{error.pointer or ''}", error.message.rstrip("."))


def _check_defaults(tool: Tool) -> None:
    """Each default is a value of its property, by the whole schema: the property may refer to its definitions."""
    schema = {word: value for word, value in tool.manifest.input_schema.items() if word != "required"}
    for name, value in tool.defaults.items():
        report = validate({name: value}, schema)
        if not report.ok:
            _fail(tool, f"/input_schema/properties/{name}/default", report.faults[0].message.rstrip("."))


def _found(tool: Tool) -> Any:
    """What the module has under the tool's name: the way that the worker goes."""
    found: Any = sys.modules.get(tool.manifest.implementation.module)
    for part in tool.manifest.implementation.qualname.split("."):
        found = getattr(found, part, None)
    return found


def _folder(tool: Tool, root: str, roots: Mapping[str, str | os.PathLike[str]]) -> str:
    if root not in roots:
        _fail(tool, "/reads", f"the session has no folder {root}")
    path = os.path.realpath(roots[root])
    if not os.path.isdir(path):
        _fail(tool, "/reads", f"the folder {root} does not exist")
    return path


def _fail(tool: Tool, pointer: str, what: str) -> NoReturn:
    raise ToolError("TOOL_MANIFEST", name=tool.name, pointer=pointer, what=what) from None
