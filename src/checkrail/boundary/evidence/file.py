"""`Evidence`: a file of run records being written, and `read_evidence`, the strict way back.

    with checkrail.Evidence("runs.jsonl") as evidence:
        checkrail.generate(model, prompt, Invoice, evidence=evidence)

Off unless you make one. Each run adds one line when it is over; nothing is sent anywhere. An `Evidence` is one session:
it has a random name and a random key, and the key, under which grammars are tagged, is gone when it is closed. Several
sessions, of several processes too, may add to one file, since a line is written in one piece at the file's end.

You need this to count how runs end in practice. It is no transcript: what was asked or written is not in it.
"""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections.abc import Iterator
from os import PathLike
from types import TracebackType
from typing import Self

from ...errors import Error, InputError
from .record import MOST_BYTES, AnyRecord, chain_of, read_line, write_line
from .types import Digest, Id

__all__ = ["Evidence", "read_evidence"]

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
_OWNER_ONLY = 0o600


class Evidence:
    """A session that writes records to a file, which is made readable to its owner alone. Threads may share it;
    a process that was forked makes its own.

    session: its random name. runs: records written.

    Raises InputError: OUTPUT_WRITE where the file cannot be opened, EVIDENCE_FORMAT where it ends in half a line.
    """

    __slots__ = ("_before", "_file", "_key", "_lock", "runs", "session")

    def __init__(self, path: str | PathLike[str]) -> None:
        self.session = Id.new("se")
        self.runs = 0
        self._key: bytes | None = secrets.token_bytes(32)
        self._before = b""
        self._lock = threading.Lock()
        self._file: int | None = None
        try:
            self._file = os.open(path, _FLAGS, _OWNER_ONLY)
            whole = _ends_in_a_line_end(self._file)
        except (OSError, ValueError) as error:
            self.close()
            raise _unwritable(error) from None
        if not whole:
            self.close()
            raise InputError("EVIDENCE_FORMAT", name="The evidence file", what="its last line has no end")

    def require_open(self) -> None:
        """Refuse a session that is over, before a run and not after it. Raises InputError OUTPUT_WRITE."""
        if self._file is None:
            raise _closed()

    def tag(self, data: bytes) -> Digest:
        """A digest of `data` that is the same within the session and says nothing outside it.

        Raises InputError OUTPUT_WRITE where the session is over: its key is gone.
        """
        key = self._key
        if key is None:
            raise _closed()
        return Digest.keyed(key, data)

    def emit(self, record: AnyRecord) -> None:
        """Write one record.

        Raises Error EVIDENCE_TYPE for a value that has no place in it, InputError OUTPUT_WRITE, after which no more is
        written.
        """
        if record.session != self.session:
            raise Error("EVIDENCE_TYPE", field="session")
        with self._lock:
            line = write_line(record, self._before)
            self._append(line + b"\n")
            self._before = line
            self.runs += 1

    def _append(self, data: bytes) -> None:
        if self._file is None:
            raise _closed()
        try:
            whole = os.write(self._file, data) == len(data)
        except OSError as error:
            self._release()
            raise _unwritable(error) from None
        if not whole:
            self._release()  # what came next would be glued to the half
            raise InputError("OUTPUT_WRITE", what="evidence: only half a line fits on the disk")

    def close(self) -> None:
        """Close the file and forget the key. Closing again does nothing."""
        with self._lock:
            self._release()

    def _release(self) -> None:
        file, self._file, self._key = self._file, None, None
        if file is not None:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Evidence {self.session}, {self.runs} runs>"


def _ends_in_a_line_end(file: int) -> bool:
    """Whether a line can be added. What is not a regular file (a pipe, a terminal) has no end to look at."""
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
        return True
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1) == b"\n"


def _closed() -> InputError:
    return InputError("OUTPUT_WRITE", what="the evidence is closed")


def _unwritable(error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
    return InputError("OUTPUT_WRITE", what=f"evidence: {reason.lower()}")


def read_evidence(path: str | PathLike[str]) -> Iterator[AnyRecord]:
    """The records of a file, in order, each checked to the letter and against the chain of its session.

    Raises InputError: INPUT_MISSING, INPUT_UNREADABLE, and EVIDENCE_FORMAT with the line that is not as it was written.
    """
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        with open(path, "rb") as file:
            befores: dict[Id, bytes] = {}
            number = 0
            while line := file.readline(MOST_BYTES + 1):
                number += 1
                try:
                    yield _checked(line, befores)
                except ValueError as error:
                    raise InputError("EVIDENCE_FORMAT", name=f"{name}, line {number}", what=str(error)) from None
    except FileNotFoundError:
        raise InputError("INPUT_MISSING", name=name) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise InputError("INPUT_UNREADABLE", name=name, what=reason[:1].lower() + reason[1:]) from None


def _checked(line: bytes, befores: dict[Id, bytes]) -> AnyRecord:
    """The record of a line. befores: the last line of each session so far."""
    if not line.endswith(b"\n") and len(line) <= MOST_BYTES:
        raise ValueError("the line has no end")
    record, chain = read_line(line.removesuffix(b"\n"))
    before = befores.get(record.session, b"")
    if chain != chain_of(record, before):
        raise ValueError("the record does not follow the one before it in its session")
    befores[record.session] = line.removesuffix(b"\n")
    return record
