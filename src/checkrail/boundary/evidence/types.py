"""The kinds of value that evidence may hold: bounded numbers, flags, listed words, digests, random ids.

There is no kind for text, so a record cannot hold a prompt or an output, whoever fills it in. That is the point:
a list of what to remove fails open when something new comes along, a list of what may be there fails closed. Words are
members of an `Enum` in this module or codes of the failure catalogue; neither can be made at run time.

You need these types to add a field to a record (`record`). To write or read records use `file`.
"""

from __future__ import annotations

import hashlib
import hmac
import platform
import re
import secrets
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from ...errors import CATALOGUE

__all__ = [
    "LARGEST_COUNT",
    "CallEnd",
    "Capability",
    "ChatTemplate",
    "Code",
    "CodeCount",
    "Digest",
    "Effects",
    "Extremes",
    "FiveNumbers",
    "Format",
    "Id",
    "Implementation",
    "IsolationLevel",
    "Kernel",
    "Level",
    "OutputKind",
    "Platform",
    "Record",
    "Stop",
    "TurnStop",
    "Version",
    "coarse",
]

LARGEST_COUNT = 2**48 - 1
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[a-z]{2}_[0-9a-z]{26}")
_ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32
_COARSE_BITS = 4


# -- words ------------------------------------------------------------------------------------------------


class Format(Enum):
    """The name of a record's format."""

    RUN = "run/1"
    TURN = "turn/1"


class Stop(Enum):
    """Why a run ended; `decoding.stream.StopReason` says more."""

    GRAMMAR_COMPLETE = "grammar_complete"
    EOS = "eos"
    STOP_STRING = "stop_string"
    MAX_TOKENS = "max_tokens"
    MAX_BYTES = "max_bytes"
    TIME_LIMIT = "time_limit"
    DEAD_END = "dead_end"
    CANCELLED = "cancelled"
    CLOSED = "closed"
    FAILED = "failed"


class TurnStop(Enum):
    """How a turn with tools ended."""

    ANSWERED = "answered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Level(Enum):
    """How much of a session's tools runs without a question."""

    OFF = "off"
    PROPOSE = "propose"
    ASK_ALL = "ask_all"
    AUTO_PURE = "auto_pure"
    AUTO_READ = "auto_read"


class Capability(Enum):
    """What a tool may do."""

    PURE = "pure"
    READ = "read"
    WRITE = "write"


class CallEnd(Enum):
    """How a call ended."""

    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    EXPIRED = "expired"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"


class Effects(Enum):
    """What a call changed, as far as the host knows."""

    NONE = "none"
    COMPLETED = "completed"
    UNKNOWN = "unknown"


class IsolationLevel(Enum):
    """What a call ran under."""

    NONE = "none"
    PROCESS = "process"
    LIMITS = "process+limits"
    SANDBOX = "sandbox"


class OutputKind(Enum):
    """What was asked for: free text, a text under a grammar, JSON under a schema."""

    FREE = "free"
    GRAMMAR = "grammar"
    JSON = "json"


class ChatTemplate(Enum):
    """The built-in templates; their text is that of the library's version."""

    CHATML = "chatml"
    PLAIN = "plain"


class Kernel(Enum):
    """How masks were computed."""

    COMPILED = "compiled"
    INTERPRETED = "interpreted"


class Implementation(Enum):
    """Of Python."""

    CPYTHON = "cpython"
    PYPY = "pypy"
    OTHER = "other"

    @classmethod
    def here(cls) -> Implementation:
        """Of this process."""
        return next((member for member in cls if member.value == sys.implementation.name), cls.OTHER)


class Platform(Enum):
    """Operating system and processor, the usual ones."""

    LINUX_X86_64 = "linux-x86_64"
    LINUX_AARCH64 = "linux-aarch64"
    DARWIN_X86_64 = "darwin-x86_64"
    DARWIN_ARM64 = "darwin-arm64"
    WINDOWS_AMD64 = "win32-amd64"
    WINDOWS_ARM64 = "win32-arm64"
    BROWSER = "emscripten-wasm32"
    OTHER = "other"

    @classmethod
    def here(cls) -> Platform:
        """Of this process."""
        name = f"{sys.platform}-{platform.machine().lower()}"
        return next((member for member in cls if member.value == name), cls.OTHER)


# -- names and digests ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Code:
    """A code of the failure catalogue. Raises ValueError for anything else."""

    text: str

    def __post_init__(self) -> None:
        if type(self.text) is not str or self.text not in CATALOGUE:
            raise ValueError("not a code of the catalogue")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Id:
    """A random name: two letters that say of what, and 128 bits in base 32. Never derived from content.

    Raises ValueError for a text of another form.
    """

    text: str

    def __post_init__(self) -> None:
        if type(self.text) is not str or not _ID.fullmatch(self.text):
            raise ValueError("not an id")

    @classmethod
    def new(cls, of: Literal["se", "rn", "ts", "tr", "tc"]) -> Id:
        """A fresh id of a session or a run, or of a session of tools, a request of one, a confirmation."""
        bits = secrets.randbits(128)
        return cls(f"{of}_" + "".join(_ID_LETTERS[bits >> 5 * i & 31] for i in range(26)))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Digest:
    """32 bytes, written as 64 hexadecimal digits.

    A digest of something that can be guessed tells what it was: of a PIN, of a schema with ten possible enums. Such
    things are only ever `keyed`, under a key that nobody has once the session is over. Raises ValueError for a text
    of another form.
    """

    text: str

    def __post_init__(self) -> None:
        if type(self.text) is not str or not _DIGEST.fullmatch(self.text):
            raise ValueError("not a digest")

    @classmethod
    def of(cls, data: bytes) -> Digest:
        """SHA-256 of something public."""
        return cls(hashlib.sha256(data).hexdigest())

    @classmethod
    def keyed(cls, key: bytes, data: bytes) -> Digest:
        """HMAC-SHA256 (RFC 2104) of something that is not public."""
        return cls(hmac.digest(key, data, "sha256").hex())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Digest {self.text[:8]}>"


# -- parts of records -------------------------------------------------------------------------------------


class Record:
    """Base of what can be written: a frozen dataclass whose fields are of these types, or of such dataclasses.

    A field is an `int` from 0 to `LARGEST_COUNT`, a `bool`, an `Enum` of this module, a `Code`, `Id` or `Digest`, a
    `Record`, any of them or None, or a tuple of at most 32 `Record`s. `codec` refuses everything else.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Version(Record):
    """A version of the library or of Python, its first three numbers."""

    major: int
    minor: int
    patch: int

    @classmethod
    def of(cls, text: str) -> Version:
        """The version `1.2.3`; what comes after the numbers is left out."""
        numbers = [int(number) for number in re.findall(r"\d+", text)[:3]]
        return cls(*numbers, *[0] * (3 - len(numbers)))


@dataclass(frozen=True, slots=True)
class CodeCount(Record):
    """How often a code came."""

    code: Code
    count: int


@dataclass(frozen=True, slots=True)
class FiveNumbers(Record):
    """Least, quartiles and greatest of some counts (nearest rank), without how many there were and in what order."""

    least: int
    lower_quartile: int
    median: int
    upper_quartile: int
    greatest: int

    @classmethod
    def of(cls, counts: Iterable[int]) -> FiveNumbers | None:
        """None where there are no counts.

        >>> FiveNumbers.of([5, 1, 4, 2, 3])
        FiveNumbers(least=1, lower_quartile=2, median=3, upper_quartile=4, greatest=5)
        """
        ordered = sorted(counts)
        if not ordered:
            return None
        ranks = (max(1, -(-len(ordered) * quarter // 4)) for quarter in range(5))
        return cls(*(ordered[rank - 1] for rank in ranks))


@dataclass(frozen=True, slots=True)
class Extremes(Record):
    """Least and greatest of some counts, each in powers of 16, and nothing in between.

    What a mask allows depends on what was written before, and every number that weighs steps tells something of that.
    Told the five exact numbers of a run, one guesses which of eight equally long enum members it wrote in up to 34 of
    100 runs; with the quartiles or the median in powers of 16 still in 20; with these two no better than blindly, in
    12.5 (tests/privacy/test_counts.py).
    """

    least: int
    greatest: int

    @classmethod
    def of(cls, counts: Collection[int]) -> Extremes | None:
        """None where there are no counts.

        >>> Extremes.of([1, 7, 300, 40_000])
        Extremes(least=16, greatest=65536)
        """
        return cls(coarse(min(counts)), coarse(max(counts))) if counts else None


def coarse(count: int) -> int:
    """The least power of 16 that is at least `count`, and at least 16.

    The exact size of an automaton could tell which of some schemas it was made of; in classes this wide they look
    alike.

    >>> [coarse(n) for n in (1, 16, 17, 49152)]
    [16, 16, 256, 65536]
    """
    digits = max(1, -(-(max(1, count) - 1).bit_length() // _COARSE_BITS))
    return 1 << _COARSE_BITS * digits
