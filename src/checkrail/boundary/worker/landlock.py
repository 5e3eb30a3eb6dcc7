"""Landlock: a process gives up all files but those that it names, for itself and its children, for good.

You need it in the worker, on Linux 5.13 and later; elsewhere `abi()` is None and nothing is restricted. It is in force
from the call on; descriptors that were open before stay open. What it does not govern: sockets of kinds other than TCP
(see `syscall_filter`), what is already mapped, and file attributes such as times.

Three system calls, by number, because the C library has no names for them: make a ruleset of all rights that this
kernel knows, add for each path what stays allowed beneath it, restrict. landlock(7), and linux/landlock.h for the bits.
A ruleset names everything it *handles*; what it handles and does not allow is refused.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

__all__ = ["abi", "restrict"]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG = 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_FILE_RIGHTS = 1 << 0 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15

_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE

# For each version: how many file rights, how many network rights, how many scopes it knows.
_KNOWN = {1: (13, 0, 0), 2: (14, 0, 0), 3: (15, 0, 0), 4: (15, 2, 0), 5: (16, 2, 0), 6: (16, 2, 2)}


def abi() -> int | None:
    """The version that the kernel speaks, or None."""
    if sys.platform != "linux":
        return None
    version = _syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return version if version >= 1 else None


def restrict(read: Iterable[str], write: Iterable[str]) -> int | None:
    """Give up all files but these and what is below them. The version in force, or None where there is no Landlock.

    read: readable files and folders. write: folders that may be changed, too: regular files and folders made, renamed
    and removed, no links, devices or sockets. Nothing may be executed, no TCP port used, no process outside signalled.
    A path that does not exist allows nothing. `PR_SET_NO_NEW_PRIVS` must be set.
    """
    version = abi()
    if version is None:
        return None
    handled = tuple((1 << count) - 1 for count in _KNOWN[min(version, max(_KNOWN))])
    fields = 1 if version < 4 else 2 if version < 6 else 3
    attributes = struct.pack(f"={fields}Q", *handled[:fields])
    ruleset = _syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return None
    try:
        for paths, rights in ((read, _READ), (write, _WRITE), (("/dev/null",), _READ_FILE | _WRITE_FILE)):
            for path in paths:
                _allow(ruleset, path, rights & handled[0])
        return version if _syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0 else None
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Leave `rights` beneath `path`. What cannot be opened or added stays refused."""
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(place).st_mode):
                rights &= _FILE_RIGHTS
            _syscall(
                _ADD_RULE,
                ctypes.c_int(ruleset),
                ctypes.c_int(_PATH_BENEATH),
                struct.pack("=Qi", rights, place),
                ctypes.c_uint32(0),
            )
        finally:
            os.close(place)


def _syscall(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None).syscall(ctypes.c_long(number), *arguments))
