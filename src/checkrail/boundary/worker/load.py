"""Load a tool in the worker: the module whose bytes were registered, and the name in it.

The file is read once. Its hash is compared with the registered one, and those very bytes are compiled: a file that is
swapped between the check and the import, or a stale compiled file beside it, cannot take its place. Parent packages and
whatever the module imports load in the ordinary way.

You need it in the worker only. The host calls `source_file` to say where the module's file is.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["SourceChangedError", "load", "source_file"]


class SourceChangedError(Exception):
    """The file is not the one that was registered."""


def source_file(module: str) -> str | None:
    """The source file of a module, loaded already or not; None where there is none (or it is the main program)."""
    if module == "__main__":
        return None
    loaded = sys.modules.get(module)
    try:
        spec = loaded.__spec__ if loaded is not None else importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    origin = spec.origin if spec is not None and spec.has_location else None
    return origin if origin is not None and origin.endswith(".py") else None


def load(module: str, qualname: str, *, file: str, source_hash: str) -> Any:
    """What `qualname` names in the module that is read from `file`.

    source_hash: SHA-256 of the file's bytes, in hexadecimal. Returns None where there is no such name. Raises
    SourceChangedError, and what the module itself raises.
    """
    with open(file, "rb") as opened:
        source = opened.read()
    if hashlib.sha256(source).hexdigest() != source_hash:
        raise SourceChangedError
    sys.meta_path.insert(0, _Registered(module, file, source))
    found: Any = importlib.import_module(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found


class _Registered:
    """Finds one module, and makes it of the bytes that were checked: a finder and a loader to `importlib`, whose
    abstract classes take longer to import than the rest of the worker's own code.
    """

    def __init__(self, module: str, file: str, source: bytes) -> None:
        self.module = module
        self.file = file
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        loader: Any = self
        return importlib.util.spec_from_file_location(
            fullname, self.file, loader=loader, submodule_search_locations=self._folders()
        )

    def _folders(self) -> list[str] | None:
        folder, _, name = self.file.rpartition("/")
        return [folder] if name == "__init__.py" else None

    def create_module(self, spec: ModuleSpec) -> None:
        """The ordinary kind of module."""

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.file, "exec", dont_inherit=True), module.__dict__)
