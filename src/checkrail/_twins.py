"""Modules that compile to C, and are ordinary Python too: where their libraries lie, and how each twin is loaded.

`mask.kernel` chooses the twins that masks are computed with. What lies below it, and has no choice to offer, calls
`load`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["KERNEL", "MODE", "NAMES", "ROOT", "SOURCES", "interpreted", "libraries", "library", "load", "module_name"]

KERNEL = ("mask/_kernel", "mask/_machine", "mask/_kinds", "ondemand/_tables")
"""Those that `mask.kernel` chooses."""

NAMES = (*KERNEL, "ondemand/_spelled", "regular/_rests")
"""All such modules. They run together: where one library is missing, all are interpreted."""

SOURCES = (*[f"{name}.py" for name in NAMES], "mask/_pointers.pxd")
"""What they are built from."""

MODE = "CHECKRAIL_KERNEL_MODE"
"""The environment variable that overrides the choice: interpreted or compiled."""

ROOT = Path(__file__).parent


def module_name(name: str) -> str:
    """The ordinary name of a module, such as `ondemand/_tables`: a library goes before its source."""
    return f"{__package__}.{name.replace('/', '.')}"


def library(name: str) -> Path | None:
    """The library of one module, or None where it was not built."""
    return next((p for suffix in EXTENSION_SUFFIXES if (p := ROOT / f"{name}{suffix}").is_file()), None)


def libraries() -> tuple[Path, ...]:
    """What this Python would load: a library for each module, or none where one is missing."""
    found = tuple(path for name in NAMES if (path := library(name)))
    return found if len(found) == len(NAMES) else ()


def interpreted(name: str) -> ModuleType:
    """A module from its source, under a name of its own when a library takes the ordinary one."""
    ordinary = module_name(name)
    if library(name) is None:
        return import_module(ordinary)
    other = f"{ordinary}_interpreted"
    if other not in sys.modules:
        spec = spec_from_file_location(other, ROOT / f"{name}.py")
        if spec is None or spec.loader is None:
            raise ImportError(f"no loader for {name}.py")
        module = module_from_spec(spec)
        sys.modules[other] = module
        spec.loader.exec_module(module)
    return sys.modules[other]


def load(name: str) -> ModuleType:
    """The twin of this process: compiled where it was built and is not declined."""
    if libraries() and os.environ.get(MODE) != "interpreted":
        return import_module(module_name(name))
    return interpreted(name)
