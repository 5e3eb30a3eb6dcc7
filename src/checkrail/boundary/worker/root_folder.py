"""Folders that a tool has declared, opened so that no name leads out of them.

    @tool(name="notes.read", ..., capability="read", reads=["notes"])
    def read_note(name: str) -> Note:
        with folder("notes").open(name) as file: ...

You need it in a tool that is given names of files, which a model wrote. The name is walked from the folder's own
descriptor, one component at a time, and no link is followed on the way (openat(2), O_NOFOLLOW): what is checked is what
is opened, whatever somebody renames meanwhile. `..`, absolute names, devices, pipes and sockets are refused with
TOOL_PATH. A sandbox, where there is one, keeps a second fence around the same folders.

Not seen: that a file in the folder is a hard link to one outside, which only its owner can have made.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Literal, NoReturn, TypeAlias

from ...errors import ToolError

__all__ = ["Folder", "Mode", "folder", "grant"]

Mode: TypeAlias = Literal["rb", "ab", "wb", "xb"]

_FLAGS: dict[Mode, int] = {
    "rb": os.O_RDONLY,
    "ab": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "wb": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
    "xb": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
}
_CAREFUL = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0) | _CAREFUL
_MOST_COMPONENTS = 32
# A link; a file where a folder should be, or the reverse; a pipe that nobody reads.
_OTHER_KIND = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.ENXIO)


@dataclass(frozen=True, slots=True)
class Folder:
    """One declared folder. Names are relative to it, with `/` between components."""

    path: str
    writable: bool = False

    def open(self, name: str, mode: Mode = "rb") -> BinaryIO:
        """Open a regular file. The folder that it is in must exist.

        Raises `ToolError` TOOL_PATH, and OSError as `open` does.
        """
        if mode != "rb" and not self.writable:
            _refuse()
        *parents, last = _components(name)
        parent = self._walk(parents)
        try:
            # O_TRUNC must wait until it is known what is opened.
            file = _open(last, _FLAGS[mode] & ~os.O_TRUNC | _CAREFUL, parent)
        finally:
            os.close(parent)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            _refuse()
        if mode == "wb":
            os.truncate(file, 0)
        return os.fdopen(file, "wb" if mode == "xb" else mode)

    def names(self, name: str = "") -> list[str]:
        """The names of regular files and, with a `/` at the end, of folders in a folder; sorted.

        Raises `ToolError` TOOL_PATH, and OSError.
        """
        place = self._walk(_components(name) if name else [])
        try:
            with os.scandir(place) as entries:
                kept = [
                    entry.name + "/" * entry.is_dir(follow_symlinks=False)
                    for entry in entries
                    if entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)
                ]
        finally:
            os.close(place)
        return sorted(kept)

    def _walk(self, components: list[str]) -> int:
        """A descriptor of the folder that the components lead to."""
        place = os.open(self.path, _FOLDER)
        for component in components:
            try:
                deeper = _open(component, os.O_RDONLY | _FOLDER, place)
            finally:
                os.close(place)
            place = deeper
        return place


_granted: dict[str, Folder] = {}


def grant(roots: Mapping[str, str], writable: Iterable[str] = ()) -> None:
    """Say which folders there are, by their ids. The worker does, before it loads a tool; so may the tests of one."""
    written = set(writable)
    _granted.clear()
    _granted.update((name, Folder(path, name in written)) for name, path in roots.items())


def folder(name: str) -> Folder:
    """The folder of this id. Raises `ToolError` TOOL_PATH if the tool has declared no such folder."""
    if name not in _granted:
        _refuse()
    return _granted[name]


def _components(name: str) -> list[str]:
    components = name.split("/")
    if len(components) > _MOST_COMPONENTS or any(each in ("", ".", "..") or "\0" in each for each in components):
        _refuse()
    return components


def _open(name: str, flags: int, parent: int) -> int:
    try:
        return os.open(name, flags, 0o600, dir_fd=parent)
    except OSError as error:
        if error.errno in _OTHER_KIND:
            _refuse()
        raise


def _refuse() -> NoReturn:
    raise ToolError("TOOL_PATH") from None
