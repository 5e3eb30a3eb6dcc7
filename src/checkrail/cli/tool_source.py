"""The tools that a command line names: all of a module or of a Python file, or one of them.

Naming a module imports it, which runs it, as Python does. A file is imported from its folder under its own name, so
that a worker can find it by the same name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import Error, InputError, ToolError

if TYPE_CHECKING:
    from ..boundary.tools.tool import Tool

__all__ = ["find_tools"]


def find_tools(sources: Iterable[str]) -> list[Tool]:
    """The tools of `module`, `module:name` or `path/file.py`, each checked, in the order in which they are named.

    Raises `InputError`, and `ToolError` for a tool that cannot be used or a name that two tools have.
    """
    from ..boundary.tools.registration import check

    found: dict[str, Tool] = {}
    for source in sources:
        for tool in _tools(source):
            if found.setdefault(tool.name, tool) is not tool:
                raise ToolError("TOOL_MANIFEST", name=tool.name, pointer="/name", what="two tools have this name")
            check(tool)
    return list(found.values())


def _tools(source: str) -> list[Tool]:
    from ..boundary.tools.tool import Tool

    place, colon, name = source.partition(":")
    module = _file(place) if place.endswith(".py") else _module(place, source)
    tools = [value for value in vars(module).values() if isinstance(value, Tool)]
    if colon:
        tools = [tool for tool in tools if tool.name == name]
    if not tools:
        raise InputError("INPUT_FORMAT", name=source, what=f"there is no tool {name}" if colon else "there is no tool")
    return tools


def _file(path: str) -> ModuleType:
    if not os.path.isfile(path):
        raise InputError("INPUT_MISSING", name=path)
    folder, name = os.path.split(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = _module(name.removesuffix(".py"), path)
    if not (module.__file__ and os.path.samefile(module.__file__, path)):
        raise InputError("INPUT_FORMAT", name=path, what="another module has its name; rename the file")
    return module


def _module(name: str, source: str) -> ModuleType:
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return import_module(name)
    except Error:
        raise
    except (Exception, SystemExit) as error:  # whatever the module does when it is run
        what = f"it cannot be imported, {type(error).__name__}: {error}"
        raise InputError("INPUT_FORMAT", name=source, what=what) from None
