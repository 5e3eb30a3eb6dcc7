"""Landlock by itself; what it refuses to a tool is in `adversarial/test_sandbox_matrix.py`."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from checkrail.boundary.worker import landlock, syscall_filter

pytestmark = pytest.mark.skipif(landlock.abi() is None, reason="no Landlock here")

CODE = """
import os, sys
sys.path[:0] = {path!r}
from checkrail.boundary.worker import landlock, sandbox_linux
assert sandbox_linux.drop_privileges()
print(landlock.restrict([{read!r}, "/no/such/folder"], [{write!r}]))
for path in sys.argv[1:]:
    try:
        open(path, path[-1]).close()
        print("done")
    except PermissionError:
        print("refused")
"""


def test_files_named_and_files_not(tmp_path: Path) -> None:
    for name in ("read", "write", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "r").write_text("", "ascii")
    paths = [str(tmp_path / folder / mode) for folder in ("read", "write", "other") for mode in ("r", "w")]
    code = CODE.format(path=sys.path, read=str(tmp_path / "read"), write=str(tmp_path / "write"))
    done = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True)
    version, *happened = done.stdout.split()
    assert int(version) == landlock.abi()
    assert happened == ["done", "refused", "done", "done", "refused", "refused"]


def test_without_no_new_privileges_nothing_is_claimed() -> None:
    """An unprivileged process may not restrict itself then; a privileged one may, so it gives up its rights first."""
    code = f"import sys; sys.path[:0] = {sys.path!r}\n" + (
        "import ctypes\nfrom checkrail.boundary.worker import landlock, syscall_filter\n"
        "import struct; ctypes.CDLL(None).capset(struct.pack('=Ii', 0x20080522, 0), bytes(24))\n"
        "print(landlock.restrict([], []), syscall_filter.install())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "False"]


# --- the filter as a program: run by an interpreter of these five instructions


def run_filter(program: bytes, architecture: int, number: int, second: int) -> int:
    """What the kernel would answer to a call."""
    data = struct.pack("=iIQQQ", number, architecture, 0, 0, second)
    steps = [struct.unpack_from("@HBBI", program, at) for at in range(0, len(program), 8)]
    at, held = 0, 0
    while True:
        operation, true, false, operand = steps[at]
        at += 1
        if operation == 0x20:
            (held,) = struct.unpack_from("=I", data, operand)
        elif operation == 0x54:
            held &= operand
        elif operation == 0x06:
            return operand
        else:
            assert operation in (0x15, 0x35)
            at += true if (held == operand if operation == 0x15 else held >= operand) else false


ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050001


@pytest.mark.parametrize("machine", syscall_filter._ARCHITECTURES)
def test_filter_refuses_its_list_and_nothing_else(machine: str) -> None:
    column, architecture = syscall_filter._ARCHITECTURES[machine]
    program = syscall_filter._program(column, architecture)
    listed = {numbers[column] for numbers in syscall_filter._REFUSED_CALLS.values()}
    pair = syscall_filter._SOCKETPAIR[column]
    for number in range(600):
        answers = {run_filter(program, architecture, number, kind) for kind in (2, 2 | 0o2000000)}
        expected = REFUSE if number in listed or number == pair else ALLOW
        assert answers == {expected}, number
    assert run_filter(program, architecture, pair, 1 | 0o2000000) == ALLOW
    assert run_filter(program, architecture ^ 0x80000000, 0, 0) == KILL
    if machine == "x86_64":
        assert run_filter(program, architecture, 0x40000000, 0) == KILL
