"""Tools for the tests of the runner: each does one thing, most of them what a tool should not do.

They find out about their own process by themselves, so that nothing of the runner is asked whether it works.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, TypedDict

from checkrail.boundary.tools.limits import Capability, ToolLimits
from checkrail.boundary.tools.tool import ToolFailure, tool
from checkrail.boundary.worker.root_folder import folder

PATIENT = ToolLimits(wall_ms=20_000, cpu_ms=20_000)  # for tests on a busy machine


class Total(TypedDict):
    total: int


class Said(TypedDict):
    said: str


def making(name: str, capability: Capability = "pure", **options: Any) -> Any:
    """`@tool` with the fields that do not matter here."""
    options.setdefault("limits", PATIENT)
    return tool(name=name, version="1.0.0", capability=capability, effect="A test.", **options)


# --- good ones


@making("add")
def add(left: int, right: int = 1) -> Total:
    return {"total": left + right}


@making("echo")
def echo(text: str) -> Said:
    return {"said": text}


@making("fail", errors={"FULL": "Only {limit} on {day:mon|tue}."})
def fail(code: str, limit: int, day: str) -> Total:
    raise ToolFailure(code, limit=limit, day=day)


@making("environment")
def environment() -> Said:
    return {"said": "\n".join(f"{name}={value}" for name, value in sorted(os.environ.items()))}


@making("surroundings")
def surroundings() -> Said:
    """Where the process is, how it was started, which descriptors it has."""
    descriptors = [number for number in range(256) if _is_open(number)]
    outside = [os.path.samestat(os.fstat(number), os.stat("/dev/null")) for number in (0, 1, 2)]
    facts = [os.listdir("."), sorted(descriptors), outside, os.umask(0o077), hash("a"), "site" in sys.modules]
    return {"said": repr(facts)}


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@making("read_note", "read", reads=["notes"])
def read_note(name: str) -> Said:
    with folder("notes").open(name) as file:
        return {"said": file.read().decode()}


@making("write_note_as_reader", "read", reads=["notes"])
def write_note_as_reader(name: str) -> Total:
    with folder("notes").open(name, "wb") as file:
        return {"total": file.write(b"x")}


@making("read_path", "read", reads=["notes"])
def read_path(path: str) -> Said:
    """Without the careful folder: what the sandbox alone does."""
    return {"said": Path(path).read_text("utf-8")}


@making("write_path", "write", writes=["notes"])
def write_path(path: str) -> Total:
    return {"total": Path(path).write_text("written", "utf-8")}


@making("write_then_hang", "write", writes=["notes"], limits=ToolLimits(wall_ms=700))
def write_then_hang(path: str) -> Total:
    Path(path).write_text("written", "utf-8")
    _spin()
    return {"total": 0}


# --- those that do not end


def _spin() -> None:
    while True:
        pass


@making("spin", limits=ToolLimits(wall_ms=200, cpu_ms=20_000))
def spin() -> Total:
    """Ignore everything that can be ignored."""
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    _spin()
    return {"total": 0}


@making("burn", limits=ToolLimits(wall_ms=20_000, cpu_ms=1_000))
def burn() -> Total:
    _spin()
    return {"total": 0}


@making("wait", limits=ToolLimits(wall_ms=20_000))
def wait() -> Total:
    time.sleep(60)
    return {"total": 0}


def _breed(mark: str, generations: int) -> None:
    """Processes that leave everything behind that could be used to find them, and say so in a file."""
    for _ in range(generations):
        if os.fork():
            continue
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 256)
        with open(mark, "a", encoding="ascii") as file:
            file.write("born\n")
        time.sleep(600)


@making("breed_and_hang", "write", writes=["notes"])
def breed_and_hang(mark: str) -> Total:
    _breed(mark, 3)
    _spin()
    return {"total": 0}


@making("breed_and_return", "write", writes=["notes"])
def breed_and_return(mark: str) -> Total:
    _breed(mark, 3)
    while not Path(mark).exists() or Path(mark).read_text("ascii").count("born") < 3:
        time.sleep(0.005)
    return {"total": 3}


@making("leave_child")
def leave_child(crash: bool) -> Total:
    """A child that does nothing to hide, and goes on after the result, or after the end without one."""
    if os.fork() == 0:
        time.sleep(600)
    if crash:
        os._exit(7)
    return {"total": 1}


@making("leave_thread", "write", writes=["notes"])
def leave_thread(mark: str) -> Total:
    """A thread that goes on after the result."""

    def later() -> None:
        time.sleep(0.3)
        Path(mark).write_text("late", "ascii")

    threading.Thread(target=later).start()
    return {"total": 1}


# --- those that take or give too much


@making("take_memory", limits=ToolLimits(wall_ms=20_000, memory_bytes=256 * 1024 * 1024))
def take_memory(megabytes: int) -> Total:
    return {"total": len(bytearray(megabytes * 1024 * 1024)) >> 20}


@making("open_files", limits=ToolLimits(wall_ms=20_000, open_files=32))
def open_files(count: int) -> Total:
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(count)]
    return {"total": len(opened)}


@making("write_much", "write", writes=["notes"], limits=ToolLimits(wall_ms=20_000, file_bytes=65_536))
def write_much(path: str, count: int) -> Total:
    return {"total": Path(path).write_bytes(bytes(count))}


@making("large", limits=ToolLimits(wall_ms=20_000, result_bytes=10_000))
def large(count: int) -> Said:
    return {"said": "x" * count}


@making("noise")
def noise(count: int) -> Total:
    print("x" * count)
    os.write(1, b"\x00\x00\x00\x02{}" * 10)
    os.write(2, b"y" * count)
    subprocess_stdout = os.dup(1)
    os.write(subprocess_stdout, b"z")
    return {"total": count}


@making("flood")
def flood() -> Total:
    """An answer of a gigabyte, in pieces, past the bounds that the worker keeps."""
    descriptor = _descriptor()
    os.write(descriptor, (200_000).to_bytes(4, "big"))
    for _ in range(1_000):
        os.write(descriptor, bytes(1_000_000))
    return {"total": 1}


@making("bounds")
def bounds() -> Said:
    names = ("AS", "CORE", "CPU", "FSIZE", "NOFILE")
    return {"said": repr({name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names})}


# --- those that end in another way


@making("die")
def die(how: str) -> Total:
    if how == "exit":
        os._exit(7)
    if how == "sys.exit":
        sys.exit(0)
    if how == "fault":
        ctypes.string_at(0)
    if how == "close":
        os.closerange(0, 256)
    raise RuntimeError(how)


@making("not_json")
def not_json(what: str) -> Total:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    values: dict[str, Any] = {"set": {1}, "nan": float("nan"), "deep": deep, "big": 2**60 + 1, "half": "\ud800"}
    return values[what]  # type: ignore[no-any-return]  # the point of this tool


# --- those that write to the runner's own descriptor


def _descriptor() -> int:
    """The socket to the host: the only one there is."""
    for number in range(3, 256):
        try:
            socket.socket(fileno=os.dup(number)).close()
        except OSError:
            continue
        return number
    raise RuntimeError("no socket")


@making("forge")
def forge(hexadecimal: str, end: bool = True) -> Total:
    os.write(_descriptor(), bytes.fromhex(hexadecimal))
    if end:
        os._exit(0)
    return {"total": 1}


@making("forge_with_ids")
def forge_with_ids(before: str, after: str) -> Total:
    """An answer with the real id and hash, which are somewhere in the memory of the process, in a frame of its own."""
    for found in gc.get_objects():
        if isinstance(found, dict) and found.get("t") == "call" and "request_id" in found:
            answer = before.replace("ID", found["request_id"]).replace("HASH", found["arguments_sha256"]).encode()
            os.write(_descriptor(), len(answer).to_bytes(4, "big") + answer + bytes.fromhex(after))
            time.sleep(1)
    os._exit(0)


# --- those that try the walls


class Outcomes(TypedDict):
    outcomes: list[str]


@making("attempt", "write", writes=["notes"])
def attempt(what: list[str], where: list[str]) -> Outcomes:
    """Do things that a sandbox may refuse; say of each whether it was done."""
    return {"outcomes": [attempted(name, place) for name, place in zip(what, where, strict=True)]}


@making("attempt_pure")
def attempt_pure(what: list[str], where: list[str]) -> Outcomes:
    return {"outcomes": [attempted(name, place) for name, place in zip(what, where, strict=True)]}


def attempted(what: str, where: str) -> str:
    """ "done", or the name of the error."""
    try:
        _ATTEMPTS[what](where)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


@making("raise_refusal")
def raise_refusal(what: str, where: str) -> Said:
    return {"said": str(_ATTEMPTS[what](where))}


@making("overwrite_as_reader", "read", reads=["notes"])
def overwrite_as_reader(path: str) -> Total:
    return {"total": Path(path).write_text("x", "ascii")}


def _connect(family: int, kind: int, address: Any) -> str:
    with socket.socket(family, kind) as opened:
        opened.settimeout(1)
        opened.connect(address)
        if kind == socket.SOCK_DGRAM:
            opened.send(b"hello")
    return "connected"


def _pair(kind: str) -> str:
    for end in socket.socketpair(socket.AF_UNIX, int(kind)):
        end.close()
    return "paired"


_ATTEMPTS: dict[str, Any] = {
    "read": lambda where: Path(where).read_bytes()[:5],
    "list": lambda where: len(os.listdir(where)),
    "write": lambda where: Path(where).write_text("x", "ascii"),
    "truncate": lambda where: os.truncate(where, 0),
    "remove": os.unlink,
    "rename": lambda where: os.rename(where, where + ".moved"),
    "link": lambda where: os.symlink("/etc/passwd", where),
    "make": os.mkdir,
    "execute": lambda where: subprocess.run([where], check=True, stdin=subprocess.DEVNULL).returncode,
    "tcp": lambda where: _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(where))),
    "udp": lambda where: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(where))),
    "unix": lambda where: _connect(socket.AF_UNIX, socket.SOCK_STREAM, where),
    "pair": _pair,
    "signal": lambda where: os.kill(int(where), 0),
    "fork": lambda where: os.waitpid(os.fork() or os._exit(0), 0)[1],  # type: ignore[func-returns-value]  # the child
}
