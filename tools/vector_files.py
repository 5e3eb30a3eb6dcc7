"""Reading the vector files of `conformance/`: what the suites of both packages share."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "conformance"
LCG = (6364136223846793005, 1442695040888963407)

Case = tuple[str, object, object]
"""A name, what was expected, what was found."""


def read(name: str) -> Any:
    """A file of vectors."""
    return json.loads((FOLDER / name).read_text("utf-8"))


def double(bits: str) -> float:
    """A double from its bits, 16 hexadecimal digits, big-endian."""
    value: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return value


def bits_of(value: float) -> str:
    """The reverse of `double`."""
    return struct.pack(">d", value).hex()


def code_of(call: Callable[[], object]) -> object:
    """What a call gives, or the code of its error."""
    from checkrail.errors import Error

    try:
        return call()
    except Error as error:
        return error.code
