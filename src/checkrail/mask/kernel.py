"""Which twin of the kernel runs: the compiled libraries, or the same sources interpreted.

`_kernel.py`, `_machine.py` and `_kinds.py` here and `ondemand/_tables.py` each compile to a library that lies beside
it, and so do some modules below them, as `_twins` says. They run together: where one library is missing, all are
interpreted. The engine asks `active()` and needs to know nothing more. Tests and `checkrail doctor` ask for the twins
by name.

`CHECKRAIL_KERNEL_MODE=interpreted` or `compiled` overrides the choice at run time, to compare the two or to get
around a library that does not load.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Literal

from .. import _twins
from .._twins import MODE, interpreted, libraries, module_name
from ..errors import InputError

__all__ = ["Kernel", "active", "libraries", "load_compiled", "load_interpreted", "mode", "stale"]

Mode = Literal["compiled", "interpreted"]

_STAMP = "_compiled.json"  # written by setup.py


@dataclass(frozen=True, slots=True, repr=False)
class Kernel:
    """One twin of the modules: `walker` is `_kernel`, the general path; `machine` is `_machine`, the deterministic one;
    `kinds` is `_kinds`, its first walks of wide states; `tables` is `_tables`, in which automata on demand grow."""

    mode: Mode
    walker: ModuleType
    machine: ModuleType
    kinds: ModuleType
    tables: ModuleType

    def __repr__(self) -> str:
        return f"<Kernel {self.mode}>"


def load_compiled() -> Kernel | None:
    """The compiled twin, or None where none was built."""
    if not libraries():
        return None
    return Kernel("compiled", *(import_module(module_name(name)) for name in _twins.KERNEL))


def load_interpreted() -> Kernel:
    """The interpreted twin."""
    return Kernel("interpreted", *map(interpreted, _twins.KERNEL))


def stale() -> str | None:
    """Why the libraries may not be what their sources say, or None. Reads the sources; for tests and doctor."""
    if not libraries():
        return None
    try:
        built_from = json.loads((_twins.ROOT / _STAMP).read_text(encoding="utf-8"))["source_sha256"]
        recorded = [built_from[source] for source in _twins.SOURCES]
    except (OSError, ValueError, KeyError, TypeError):
        return "the compiled kernel has no build record"
    for source, digest in zip(_twins.SOURCES, recorded, strict=True):
        if digest != hashlib.sha256((_twins.ROOT / source).read_bytes()).hexdigest():
            return f"the compiled kernel was built from another version of {source}"
    return None


@cache
def active() -> Kernel:
    """The twin that masks are computed with in this process."""
    wanted = os.environ.get(MODE, "")
    if wanted not in ("", "compiled", "interpreted"):
        raise InputError("INPUT_FORMAT", name=MODE, what="must be compiled or interpreted")
    compiled = None if wanted == "interpreted" else load_compiled()
    if compiled is None and wanted == "compiled":
        raise InputError("INPUT_FORMAT", name=MODE, what="no compiled kernel was built")
    return compiled or load_interpreted()


def mode() -> Mode:
    """`compiled` or `interpreted`: what `active()` is."""
    return active().mode
