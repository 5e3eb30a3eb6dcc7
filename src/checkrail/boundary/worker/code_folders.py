"""What a tool's process has to read in order to run at all: the interpreter, its libraries, and code that it may
import.

You need it to draw the sandbox. Library folders are readable as a whole. A folder of the import path that is not one,
such as the folder of a script, may hold anything: private notes, keys, data. Of those only what can be imported is
readable: `*.py`, extension modules, and folders with an `__init__.py`. Packages without one are not found there.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import all_suffixes
from pathlib import Path

__all__ = ["import_path", "readable_code"]

_LIBRARY_NAMES = {"site-packages", "dist-packages"}
_SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/dev/urandom", "/dev/zero"),
)
_MOST_IMPORTABLE = 1_000  # in one folder; beyond it, nothing more is readable
_PACKAGE = Path(__file__).resolve().parents[2]


def import_path() -> list[str]:
    """Where this process imports from, as absolute paths that exist. Those that are not UTF-8 are left out."""
    return [path for path in map(os.path.abspath, sys.path) if os.path.exists(path) and _is_utf8(path)]


def readable_code(file: str, path: list[str]) -> list[str]:
    """Folders and files to leave readable for a tool in `file` that imports from `path`."""
    standard = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    found = [*_SYSTEM, *standard, os.path.join(sys.base_prefix, "lib"), str(_PACKAGE), file]
    for folder in path:
        if _is_library(folder, standard):
            found.append(folder)
        else:
            found += _importable(folder)
    return list(dict.fromkeys(filter(_is_utf8, found)))


def _is_utf8(path: str) -> bool:
    """Whether a path can be sent: bytes that are not UTF-8 are in it as halves of surrogate pairs."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _is_library(folder: str, standard: list[str]) -> bool:
    inside = any(folder == each or folder.startswith(each + os.sep) for each in standard)
    return inside or os.path.basename(folder) in _LIBRARY_NAMES or os.path.isfile(folder)  # a zip file is one, too


def _importable(folder: str) -> Iterator[str]:
    suffixes = tuple(all_suffixes())
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_IMPORTABLE), entries, strict=False):
                if entry.name.endswith(suffixes) or os.path.exists(os.path.join(entry.path, "__init__.py")):
                    yield entry.path
    except OSError:
        return
