"""What a Linux process can give up without being privileged: namespaces, new privileges, capabilities, orphans.

You need it in the worker. Each function is False where the system refuses or is another one, and changes nothing then;
the caller counts what it got (`isolation.Isolation`). Landlock and the filter of system calls have files of their own.

prctl(2), unshare(2), capabilities(7), by ctypes: the standard library has them from Python 3.12 on, and not all.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import struct
import sys

__all__ = ["adopt_orphans", "die_with_parent", "drop_privileges", "enter_namespaces", "offer_to_out_of_memory"]

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 1, 36, 38
_NEW_IPC, _NEW_USER, _NEW_PID, _NEW_NET = 0x08000000, 0x10000000, 0x20000000, 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522


def adopt_orphans() -> bool:
    """Descendants whose parent ends become children of this process, so that it can find and kill them."""
    return _prctl(_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> bool:
    """The kernel kills this process when the thread that forked it ends."""
    return _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def enter_namespaces() -> bool:
    """A network without interfaces and own shared memory for this process, own process numbers for its children.

    The first child is number 1 of its kind: when it ends, the kernel kills all others. This needs a user namespace,
    which some systems forbid. No user is mapped in it: files are opened with the rights of the real user, and what the
    process is told of itself is "nobody".
    """
    if sys.platform != "linux":
        return False
    return int(ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NET | _NEW_PID | _NEW_IPC)) == 0


def drop_privileges() -> bool:
    """No capabilities now, and none by running another program later."""
    if not _prctl(_SET_NO_NEW_PRIVILEGES, 1):
        return False
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    return int(ctypes.CDLL(None).capset(header, bytes(24))) == 0


def offer_to_out_of_memory() -> None:
    """When memory ends, let the kernel kill this process and not the host."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def _prctl(option: int, value: int) -> bool:
    if sys.platform != "linux":
        return False
    zero = ctypes.c_ulong(0)
    return int(ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), zero, zero, zero)) == 0
