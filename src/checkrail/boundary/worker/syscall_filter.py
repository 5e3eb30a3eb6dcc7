"""A filter of system calls: no new sockets, no tracing, no mounting, for this process and its children, for good.

You need it in the worker, beside Landlock, which knows files and TCP only: UDP, Unix sockets (a daemon's control
socket is a file in a folder that may be readable), virtio sockets, and rings that do input and output past all
other checks are stopped here. A network namespace does not stop Unix sockets that have a path.

The filter is a program for the kernel's classic BPF machine (seccomp(2)): compare the call's number with a list, and
answer EPERM. Calls of another architecture than the interpreter's own end the process, because their numbers mean
something else. Stream pairs stay allowed (event loops wake themselves with one); datagram pairs are refused, since one
end can be pointed at a socket elsewhere. Known for x86-64 and arm64; elsewhere `install` is False.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

__all__ = ["install"]

_SET_SECCOMP, _MODE_FILTER = 22, 2

_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_NUMBER_AT, _ARCHITECTURE_AT, _SECOND_ARGUMENT_AT = 0, 4, 24
_KIND_MASK, _STREAM = 0xF, 1
_X32 = 0x40000000  # on x86-64, the calls of another architecture by larger numbers

_REFUSED_CALLS = {
    # name: (x86-64, arm64); from asm/unistd.h
    "socket": (41, 198),
    "io_uring_setup": (425, 425),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
}
_SOCKETPAIR = (53, 199)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH_*


def install() -> bool:
    """Put the filter in force. Whether it is. `PR_SET_NO_NEW_PRIVS` must be set."""
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return False
    known = _ARCHITECTURES.get(os.uname().machine)
    if known is None:
        return False
    program = _program(*known)
    buffer = ctypes.create_string_buffer(program, len(program))
    descriptor = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    prctl = ctypes.CDLL(None).prctl
    zero = ctypes.c_ulong(0)
    return int(prctl(_SET_SECCOMP, ctypes.c_ulong(_MODE_FILTER), descriptor, zero, zero)) == 0


def _program(column: int, architecture: int) -> bytes:
    """The instructions: eight bytes each, code, steps to jump if true and if false, operand."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if column == 0:
        steps += [(_JUMP_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    for numbers in _REFUSED_CALLS.values():
        steps += [(_JUMP_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _REFUSE)]
    steps += [
        (_JUMP_EQUAL, 0, 4, _SOCKETPAIR[column]),
        (_LOAD, 0, 0, _SECOND_ARGUMENT_AT),
        (_AND, 0, 0, _KIND_MASK),
        (_JUMP_EQUAL, 1, 0, _STREAM),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("@HBBI", *step) for step in steps)
