"""Open and read tokenizer files, with bounds and errors that say what to do.

Every reader gets its bytes here, so a missing file, a directory and a file of absurd size fail alike.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from os import PathLike
from typing import BinaryIO, NoReturn

from ..errors import InputError
from .token_table import format_error

__all__ = ["MAXIMUM_FILE_BYTES", "is_json", "open_file", "parse_json", "read_file"]

MAXIMUM_FILE_BYTES = 2**26
"""The largest tokenizer file that is read whole; the largest in use is 35 MB."""

_JSON_START = re.compile(rb"(\xef\xbb\xbf)?\s*(\{|\[\s*\")")


def open_file(path: str | PathLike[str]) -> BinaryIO:
    """The file, open for reading. Raises InputError: INPUT_MISSING, INPUT_UNREADABLE."""
    name = os.path.basename(os.fspath(path)) or os.fspath(path)
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise InputError("INPUT_MISSING", name=name) from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "it is not a usable path"
        raise InputError("INPUT_UNREADABLE", name=name, what=what) from None


def read_file(path: str | PathLike[str]) -> bytes:
    """All bytes of a file. Raises as `open_file`, and VOCAB_FORMAT for one above `MAXIMUM_FILE_BYTES`."""
    with open_file(path) as file:
        data = file.read(MAXIMUM_FILE_BYTES + 1)
    if len(data) > MAXIMUM_FILE_BYTES:
        raise format_error(f"it is larger than {MAXIMUM_FILE_BYTES} bytes")
    return data


def is_json(data: bytes) -> bool:
    """Whether the data starts as a JSON object or array of strings does (`[PAD]` on a line of its own does not)."""
    return _JSON_START.match(data) is not None


def parse_json(data: bytes | str) -> object:
    """The value of a JSON text (UTF-8, a byte order mark allowed). Raises VOCAB_FORMAT with the place.

    Keys that occur twice are refused: two ids for one token, or two tokens for one setting, are a broken file.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise format_error(f"byte {error.start}: not valid UTF-8") from None
    except json.JSONDecodeError as error:
        raise format_error(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise format_error("the JSON is nested too deeply") from None
    except ValueError:  # Python's bound on the digits of an integer
        raise format_error("a number has too many digits") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise format_error(f"the key {twice[:100]!r} occurs twice in one object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise format_error(f"{name} is not JSON")
