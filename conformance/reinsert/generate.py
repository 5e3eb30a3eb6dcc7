"""Write the vectors of this folder again: `python conformance/reinsert/generate.py`.

A second, slow way to do what `checkrail.boundary.reinsert` does: each character by itself, with the standard library.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import unicodedata
from pathlib import Path
from typing import Any

HIDDEN_CATEGORIES = {"Cc", "Cf", "Co", "Cn", "Zl", "Zp", "Zs"}
HIDDEN_LETTERS = "\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800\ufe0f\ufe00\u180b\U000e0100"
LITERALS = ["<think>", "</s>", "<|im_end|>", "<|im_start|>", "[INST]"]
PIECES = [
    *LITERALS, "<THINK>", "</S>", "[inst]", "＜think＞", "＜/s>", "<|im_", "end|>", "a", "the ", "é", "東京", "😀", "<",
    "&", "\n", "\t", "\r", "\b", "\f", "\x00", "\x1b[2J", "\x7f", "\x85", "\u200b", "\u202e", "\u2028", "\ufeff",
    "\u00a0", "\u3000", "\ue000", "\U000e0041", "\u3164", "\u2800", "\ufe0f", "\u034f", '"', "\\", "\\u003c", "\\n",
]  # fmt: skip


def is_hidden(character: str) -> bool:
    """Whether nobody sees it."""
    if character == " ":
        return False
    return unicodedata.category(character) in HIDDEN_CATEGORIES or character in HIDDEN_LETTERS


def fold(text: str) -> str:
    """Without compatibility forms and letter case."""
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())


def begins(text: str, at: int, literals: list[str]) -> bool:
    """Whether one of the literals begins at a place."""
    return any(
        text.startswith(literal, at) or fold(text[at : at + len(literal)]).startswith(fold(literal))
        for literal in literals
    )


def escape_of(character: str) -> str:
    """`\\uXXXX`, twice for an astral character."""
    data = character.encode("utf-16-be")
    return "".join(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))


def once(text: str, literals: list[str], html: bool) -> str:
    """One pass over a JSON text."""
    out, at, inside = [], 0, False
    while at < len(text):
        size = 1
        if inside and text[at] == "\\":
            size = 6 if text[at + 1] == "u" else 2
        unit = text[at : at + size]
        if unit == '"':
            inside = not inside
            out.append(unit)
        elif not inside or size == 6:
            out.append(unit)
        elif any(begins(text, place, literals) for place in range(at, at + size)):
            out.append(escape_of(json.loads(f'"{unit}"')))
        elif size == 1 and (is_hidden(unit) or (html and unit in "<>&")):
            out.append(escape_of(unit))
        else:
            out.append(unit)
        at += size
    return "".join(out)


def payload(value: Any, literals: list[str], escape: str) -> str:
    """The payload of a value. Keys are ASCII here, so that Python's order is the canonical one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    while (after := once(text, literals, escape == "html")) != text:
        text = after
    return text


def texts(value: Any) -> list[str]:
    """All texts of a value."""
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *texts(item))]
    return [text for item in value for text in texts(item)] if isinstance(value, list) else [value]


def vectors() -> dict[str, Any]:
    """The content of the file."""
    dice = random.Random(11)

    def text() -> str:
        return "".join(dice.choice(PIECES) for _ in range(dice.randrange(1, 6)))

    values: list[Any] = [*PIECES, *LITERALS, *(text() for _ in range(120))]
    values += [{"a": text(), "b": [text(), {"c": text()}]} for _ in range(30)]
    payloads = [
        {
            "value": value,
            "literals": LITERALS,
            "escape": escape,
            "hidden": sum(is_hidden(c) and c not in "\n\t\r" for each in texts(value) for c in each),
            "payload": payload(value, LITERALS, escape),
        }
        for value in values
        for escape in ("minimal", "html")
    ]
    fields = {
        "request_id": "tr_0123456789abcdefghjkmnpqrs",
        "role": "tool",
        "source": "tool:notes.read@1.0.0",
        "sha256": hashlib.sha256(b'"a"').hexdigest(),
        "encoding": "json",
        "bytes": 4,
        "tokens": 3,
        "hidden": 0,
        "kept_chars": 1,
        "total_chars": 1,
    }
    changes: list[dict[str, Any]] = [
        {},
        {"kept_chars": 0},
        {"role": "document", "source": "doc:mail-3", "encoding": "json-text", "total_chars": 9},
        {"encoding": "json-parts", "kept_chars": 1_000_000, "total_chars": 4_000_000, "hidden": 12},
    ]
    headers = []
    for change in changes:
        each = {**fields, **change}
        line = {**each, "truncated": each["kept_chars"] < each["total_chars"], "trust": "untrusted", "v": 1}
        headers.append({"fields": each, "line": json.dumps(line, separators=(",", ":"), sort_keys=True)})
    return {
        "format": "checkrail/reinsert/1",
        "about": "How text of others is written into a prompt.",
        "payloads": payloads,
        "headers": headers,
        "boundaries": list(boundaries(dice)),
        "signatures": list(signatures(dice)),
    }


def mac(key: bytes, message: str) -> str:
    """HMAC-SHA256 in hexadecimal."""
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()


def boundaries(dice: random.Random) -> Any:
    """Boundaries, some of which are in the payload."""
    for number in range(12):
        key = dice.randbytes(32)
        request_id = f"tr_{number:026d}"
        first = mac(key, f"boundary\0{request_id}")[:32]
        second = mac(key, f"boundary\0{request_id}\0" + "1")[:32]
        yield {"key": key.hex(), "request_id": request_id, "payload": '"a"', "boundary": first}
        for taken in (
            first,
            first.upper(),
            first[:7] + "\\u200b" + first[7:],
            "".join(chr(ord(c) + 0xFEE0) for c in first),
        ):
            yield {"key": key.hex(), "request_id": request_id, "payload": f'"{taken}"', "boundary": second}


def signatures(dice: random.Random) -> Any:
    """Signed records."""
    for record in ("", "{}", '{"number":1}', "é" * 100):
        key = dice.randbytes(32)
        yield {"key": key.hex(), "record": record, "mac": mac(key, f"history\0{record}")}


def files() -> dict[str, str]:
    """Name and content of each file."""
    return {"vectors.json": json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n"}


if __name__ == "__main__":
    for name, content in files().items():
        (Path(__file__).parent / name).write_text(content, encoding="utf-8")
