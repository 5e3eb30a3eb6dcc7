"""Which twin of the kernel runs: the compiled library, or the same source interpreted.

`_kernel.py` compiles to a library that lies beside it. Python's own import prefers the library, so the engine
asks `active()` and needs to know nothing more. Tests and `checkrail doctor` ask for the twins by name.

`CHECKRAIL_KERNEL_MODE=interpreted` or `compiled` overrides the choice at run time, to compare the two or to get
around a library that does not load.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from functools import cache
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ..errors import InputError

__all__ = ["active", "library", "load_compiled", "load_interpreted", "mode", "stale"]

_NAME = f"{__package__}._kernel"
_FOLDER = Path(__file__).parent
_SOURCE = _FOLDER / "_kernel.py"
_STAMP = _FOLDER / "_kernel_build.json"  # written by setup.py


def library() -> Path | None:
    """The compiled kernel that this Python would load, or None where none was built."""
    return next((p for suffix in EXTENSION_SUFFIXES if (p := _FOLDER / f"_kernel{suffix}").is_file()), None)


def load_compiled() -> ModuleType | None:
    """The compiled twin, or None where none was built."""
    return import_module(_NAME) if library() else None


def load_interpreted() -> ModuleType:
    """The interpreted twin, under a name of its own when a library takes the ordinary one."""
    if library() is None:
        return import_module(_NAME)
    name = f"{_NAME}_interpreted"
    if name not in sys.modules:
        spec = spec_from_file_location(name, _SOURCE)
        if spec is None or spec.loader is None:
            raise ImportError(f"no loader for {_SOURCE.name}")
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def stale() -> str | None:
    """Why the library may not be what its source says, or None. Costs a read of the source; for tests and doctor."""
    if library() is None:
        return None
    try:
        built_from = json.loads(_STAMP.read_text(encoding="utf-8"))["source_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return "the compiled kernel has no build record"
    if built_from != hashlib.sha256(_SOURCE.read_bytes()).hexdigest():
        return "the compiled kernel was built from another version of _kernel.py"
    return None


@cache
def active() -> ModuleType:
    """The twin that masks are computed with in this process."""
    wanted = os.environ.get("CHECKRAIL_KERNEL_MODE", "")
    if wanted not in ("", "compiled", "interpreted"):
        raise InputError("INPUT_FORMAT", name="CHECKRAIL_KERNEL_MODE", what="must be compiled or interpreted")
    compiled = None if wanted == "interpreted" else load_compiled()
    if compiled is None and wanted == "compiled":
        raise InputError("INPUT_FORMAT", name="CHECKRAIL_KERNEL_MODE", what="no compiled kernel was built")
    return compiled or load_interpreted()


def mode() -> str:
    """`compiled` or `interpreted`: what `active()` is."""
    return "compiled" if active().COMPILED else "interpreted"
