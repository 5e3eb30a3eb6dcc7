"""Writes docs/reference/json-readers.md: where other JSON readers differ from the strict one.

python tools/compare_json_readers.py            write the page
python tools/compare_json_readers.py --check    fail when it is not current

Needs orjson, msgspec and pydantic-core. The page names the versions that it was made with.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pydantic_core

from checkrail.boundary.strictjson import parse
from checkrail.errors import DocumentError

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "json-readers.md"
VECTORS = ROOT / "conformance" / "strictjson.json"
LONGEST = 34  # characters of a value in the table

PEERS: Mapping[str, Callable[[bytes], Any]] = {
    "json": json.loads,
    "orjson": orjson.loads,
    "msgspec": msgspec.json.decode,
    "pydantic-core": pydantic_core.from_json,
}

CASES: Mapping[str, bytes] = {
    "a key twice": b'{"path":"/safe","path":"/etc"}',
    "a key twice, in two spellings": b'{"path":"/safe","p\\u0061th":"/etc"}',
    "NaN": b"[NaN]",
    "Infinity": b"[-Infinity]",
    "a number too large for a double": b"[1e400]",
    "an integer that a double would change": b"[9007199254740993]",
    "an integer beyond 2**53 that a double holds": b"[9007199254740992]",
    "an integer beyond 64 bits": b"[100000000000000000001]",
    "an integer of 100 digits": b"[" + b"9" * 100 + b"]",
    "an integer of 5,000 digits": b"[" + b"9" * 5_000 + b"]",
    "a fraction of 5,000 digits": b"[0." + b"1" * 5_000 + b"]",
    "minus zero": b"[-0]",
    "underflow": b"[1e-400]",
    "a leading zero": b"[01]",
    "a leading plus": b"[+1]",
    "a point without digits": b"[1.]",
    "half of a surrogate pair": b'["\\ud800"]',
    "half of a surrogate pair in a key": b'{"\\udc00":1}',
    "a pair the wrong way round": b'["\\ude00\\ud83d"]',
    "a surrogate in UTF-8 (CESU-8)": b'["\xed\xa0\xbd\xed\xb8\x80"]',
    "invalid UTF-8": b'["\xff"]',
    "overlong UTF-8": b'["\xc0\xaf"]',
    "a byte order mark": b"\xef\xbb\xbf[1]",
    "UTF-16": "[1]".encode("utf-16"),
    "UTF-16 without a mark": "[1]".encode("utf-16-le"),
    "a control character in a string": b'["a\tb"]',
    "NUL after the value": b"[1]\x00",
    "a form feed as a blank": b"[\x0c1]",
    "a no-break space as a blank": b"[\xc2\xa01]",
    "a comma at the end": b"[1,]",
    "a comment": b"[1 /* one */]",
    "single quotes": b"['a']",
    "two values": b"1 2",
    "an unknown escape": b'["\\x41"]',
    "no text": b"",
    "100 arrays in one another": b"[" * 100 + b"]" * 100,
    "1,000 arrays in one another": b"[" * 1_000 + b"]" * 1_000,
    "100,000 arrays in one another": b"[" * 100_000 + b"]" * 100_000,
}

INTRODUCTION = """# JSON readers beside the strict one

`checkrail.boundary.strictjson.parse` takes RFC 8259 and refuses what readers are known to take each in its own way. Two
programs that read one text differently can be made to disagree: one checks `/safe`, the other opens `/etc`. This page
shows where four common readers of Python differ from it. All are called as they are, with bytes and without options;
some have options that come closer. "as strict" means the same value, or a refusal as well; otherwise the cell says what
the reader does."""


def strict(data: bytes) -> tuple[str, Any]:
    """The code of the strict reader, "" where it takes the text, and the value."""
    try:
        return "", parse(data).value
    except DocumentError as error:
        return error.code, None


def peer(read: Callable[[bytes], Any], data: bytes) -> tuple[bool, Any]:
    """Whether a reader takes the text, and the value."""
    try:
        return True, read(data)
    except (ValueError, RecursionError, msgspec.DecodeError):
        return False, None


def spelled(value: Any) -> str:
    """A value for a cell of the table."""
    try:
        text = re.sub(r"(\d)\1{20,}", r"\1…", ascii(value))
    except RecursionError:
        text = "[" * LONGEST
    if text.startswith("[" * 9):
        return "takes it"
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}`"


def compared(read: Callable[[bytes], Any], data: bytes) -> str:
    """One cell: what a reader does where it differs."""
    code, value = strict(data)
    taken, found = peer(read, data)
    if not taken:
        return "as strict" if code else "refused"
    return "as strict" if not code and _same(value, found) else spelled(found)


def _same(left: Any, right: Any) -> bool:
    """Of one type and spelling: 1 is not 1.0, 0.0 is not -0.0."""
    return repr(left) == repr(right)


def rows() -> Iterator[list[str]]:
    """The rows in which any reader differs."""
    for name, data in CASES.items():
        cells = [compared(read, data) for read in PEERS.values()]
        if set(cells) != {"as strict"}:
            code, value = strict(data)
            yield [name, f"`{code}`" if code else spelled(value), *cells]


def alike() -> list[str]:
    """The cases that all readers judge alike."""
    return [name for name, data in CASES.items() if {compared(read, data) for read in PEERS.values()} == {"as strict"}]


def counts() -> Iterator[list[str]]:
    """For each reader: how many of the published vectors it takes or refuses otherwise, or reads otherwise."""
    cases = [case for case in json.loads(VECTORS.read_text("utf-8"))["cases"] if "options" not in case]
    texts = [bytes.fromhex(case["hex"]) if "hex" in case else _encoded(case["text"]) for case in cases]
    for name, read in PEERS.items():
        judged = [(strict(data), peer(read, data)) for data in texts]
        too_much = sum(bool(code) and taken for (code, _), (taken, _) in judged)
        too_little = sum(not code and not taken for (code, _), (taken, _) in judged)
        otherwise = sum(not code and taken and not _same(value, found) for (code, value), (taken, found) in judged)
        yield [name, str(len(texts)), str(too_much), str(too_little), str(otherwise)]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def table(head: list[str], lines: Iterator[list[str]]) -> str:
    """A Markdown table."""
    cells = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in cells)


def made_with() -> str:
    """The sentence that names the versions."""
    versions = [f"json of Python {platform.python_version()}"]
    versions += [f"{name} {version(name)}" for name in PEERS if name != "json"]
    return f"Made with {', '.join(versions)}."


def page() -> str:
    """The whole page."""
    return f"""<!-- Written by tools/compare_json_readers.py; do not edit. -->

{INTRODUCTION}

{made_with()}

{table(["input", "strict", *PEERS], rows())}

All five agree on: {", ".join(alike())}.

The depth that `strictjson` takes is a bound, 64 unless `max_depth` says otherwise; so are the size, 32 MiB, and the
number of values, 500,000.

## Over the published vectors

`conformance/strictjson.json` has texts for each rule of the strict reader, so most of them are hostile. "Takes more"
counts texts that it refuses and the other takes; "takes less" the reverse; "reads otherwise" gives another value or
type, such as an `int` where a double cannot be told from its neighbour.

{table(["reader", "texts", "takes more", "takes less", "reads otherwise"], counts())}
"""


def run(arguments: list[str]) -> int:
    """Write the page, or with --check say whether it is current (1 if not)."""
    text = page()
    if arguments == ["--check"]:
        is_current = PAGE.is_file() and PAGE.read_text("utf-8") == text
        if not is_current:
            print("docs/reference/json-readers.md is not current: run tools/compare_json_readers.py", file=sys.stderr)
        return int(not is_current)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
