"""The folder in which prepared vocabularies are kept between runs: `vocabularies` in `cache_folder()`.

A file is named after the vocabulary's fingerprint and the version of the format; files of other names are let alone. It
appears whole or not at all, so two processes may make the same one at once, and the last one stays. Together the files
take at most `CHECKRAIL_CACHE_MB` megabytes, 256 by default; those not used for the longest time go first. With 0
nothing is read or written.

Files decide what a model may say, so only files are read that nobody else could have written: file and folder belong to
this user or to root, and neither group nor others may write to them. Where the system has no such owners (Windows)
that is left to the place of the folder, in the user's profile.

A cache is a convenience: what cannot be read is no file, what cannot be written is not kept, and no error says so.
`obstacle` tells why.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..cache_folder import cache_folder
from ..errors import InputError

__all__ = [
    "DEFAULT_MEGABYTES",
    "SIZE_VARIABLE",
    "CacheFile",
    "bound",
    "clear",
    "files",
    "folder",
    "head",
    "obstacle",
    "read",
    "write",
]

SIZE_VARIABLE = "CHECKRAIL_CACHE_MB"
DEFAULT_MEGABYTES = 256
_MAXIMUM_MEGABYTES = 2**20
_OURS = re.compile(r"[0-9a-f]{64}\.[0-9]+-[0-9]+\.(vocabulary|masks|counts|masks-[a-z-]+)")
_PARTIAL = re.compile(r"\.[0-9a-z_]+\.checkrail-part")
_ABANDONED_SECONDS = 3600  # a partial file of that age has no writer any more
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep us waiting
_FAILURES = (OSError, RuntimeError, ValueError)  # RuntimeError: no home folder; ValueError: a NUL in the path


@dataclass(frozen=True, slots=True)
class CacheFile:
    """One file. size: in bytes. used: when it was last read or written, in seconds since 1970."""

    path: Path
    size: int
    used: float


def bound() -> int:
    """The most bytes of all files together. Raises InputError (INPUT_FORMAT)."""
    named = os.environ.get(SIZE_VARIABLE, "")
    if not named:
        return DEFAULT_MEGABYTES * 10**6
    if not re.fullmatch("[0-9]{1,7}", named) or int(named) > _MAXIMUM_MEGABYTES:
        raise InputError(
            "INPUT_FORMAT", name=SIZE_VARIABLE, what=f"must be a number of megabytes from 0 to {_MAXIMUM_MEGABYTES}"
        )
    return int(named) * 10**6


def folder() -> Path:
    """Where the files are; it need not exist."""
    return cache_folder() / "vocabularies"


def obstacle() -> str | None:
    """Why nothing can be kept, in words; None where nothing is in the way."""
    if not bound():
        return f"{SIZE_VARIABLE} is 0"
    try:
        place = folder()
        if place.exists():
            if not place.is_dir():
                return "it is not a folder"
            if not _is_private(place.stat()):
                return "it belongs to someone else, or others may write to it"
        else:
            place = next(parent for parent in place.parents if parent.exists())
        return None if place.is_dir() and os.access(place, os.W_OK | os.X_OK) else "it cannot be written"
    except _FAILURES:
        return "there is no such place"


def read(name: str) -> bytes | None:
    """The content of a file that is ours, None where there is none; it counts as used now."""
    try:
        if not _is_private(folder().stat()):
            return None
        with open(os.open(_path(name), _OPEN_FLAGS), "rb") as stream:
            facts = os.fstat(stream.fileno())
            if not stat.S_ISREG(facts.st_mode) or not _is_private(facts) or facts.st_size > bound():
                return None
            data = stream.read(facts.st_size)
            with suppress(OSError):
                os.utime(stream.fileno() if os.utime in os.supports_fd else _path(name))
            return data
    except _FAILURES:
        return None


def head(file: CacheFile, size: int) -> bytes:
    """The first bytes of a file, none where it cannot be read."""
    try:
        with open(os.open(file.path, _OPEN_FLAGS), "rb") as stream:
            return stream.read(size) if stat.S_ISREG(os.fstat(stream.fileno()).st_mode) else b""
    except _FAILURES:
        return b""


def write(name: str, data: bytes) -> bool:
    """Keep a file, and let others go where there are too many bytes; whether it is kept."""
    if len(data) > bound():
        return False
    temporary = ""
    try:
        place = folder()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(place.stat()):
            return False
        # Beside the final place, for the rename to be atomic. Only this user can read or write it.
        descriptor, temporary = tempfile.mkstemp(dir=place, prefix=".", suffix=".checkrail-part")
        with open(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, _path(name))
        _make_room()
    except _FAILURES:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        return False
    return True


def files() -> list[CacheFile]:
    """The files that are kept, the last used first."""
    return sorted(_found(_OURS), key=lambda file: file.used, reverse=True)


def clear() -> list[CacheFile]:
    """Delete all files; returns those that were there. Raises InputError (OUTPUT_WRITE)."""
    gone = files()
    for file in [*gone, *_found(_PARTIAL)]:
        try:
            file.path.unlink(missing_ok=True)
        except OSError as error:
            what = f"{file.path.name}: {(error.strerror or 'failed').lower()}"
            raise InputError("OUTPUT_WRITE", what=what) from None
    return gone


def _path(name: str) -> Path:
    return folder() / name


def _is_private(facts: os.stat_result) -> bool:
    """Whether nobody but this user and root can have written."""
    if not hasattr(os, "geteuid"):
        return True
    return facts.st_uid in (0, os.geteuid()) and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _found(pattern: re.Pattern[str]) -> Iterator[CacheFile]:
    try:
        with os.scandir(folder()) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process was faster
                    if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                        facts = entry.stat(follow_symlinks=False)
                        yield CacheFile(Path(entry.path), facts.st_size, facts.st_mtime)
    except _FAILURES:
        return


def _make_room() -> None:
    """Delete what is beyond the bound, the longest unused first, and what a writer left behind."""
    total, most = 0, bound()
    for file in files():
        total += file.size
        if total > most:
            file.path.unlink(missing_ok=True)
    for file in _found(_PARTIAL):
        if file.used < time.time() - _ABANDONED_SECONDS:
            file.path.unlink(missing_ok=True)
