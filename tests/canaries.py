"""Canaries: random texts that are put where private things go, and a search that finds them in any likely disguise.

A canary is found as it is, in another case, reversed, escaped for JSON or a URL, in hexadecimal, in base 64 at any
alignment, in UTF-16, by any eight characters of it in a row, and by what hashes make of it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import random
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

LENGTH, WINDOW = 24, 8


@dataclass(frozen=True)
class Hit:
    """A canary in a place where it must not be."""

    place: str
    name: str
    form: str


def canaries(names: Iterable[str], seed: int) -> dict[str, str]:
    """A canary for each name; the same ones for the same seed."""
    rng = random.Random(seed)
    return {name: "".join(rng.choices(string.ascii_letters + string.digits, k=LENGTH)) for name in names}


def search(collected: Mapping[str, bytes], planted: Mapping[str, str]) -> list[Hit]:
    """All canaries that are found. collected: place -> what was there."""
    return [
        Hit(place, name, form)
        for place, data in collected.items()
        for name, canary in planted.items()
        for form in forms_in(data, canary)
    ]


def forms_in(data: bytes, canary: str) -> Iterator[str]:
    """The names of the forms in which the canary is in the data. Letters are compared without their case."""
    folded = data.lower()
    return (name for name, form in forms(canary) if form in (folded if form == form.lower() else data))


@lru_cache(maxsize=64)
def forms(canary: str) -> tuple[tuple[str, bytes], ...]:
    """(name, bytes) of each disguise; a form in lower case is looked for in any case."""
    return tuple({form: (name, form) for name, form in _all_forms(canary)}.values())


def _all_forms(canary: str) -> Iterator[tuple[str, bytes]]:
    raw = canary.encode()
    for direction, text in (("", raw), ("reversed ", raw[::-1])):
        for start in range(LENGTH - WINDOW + 1):
            yield f"{direction}window", text[start : start + WINDOW].lower()
    for name, text in (("utf-16-le", canary), ("utf-16-be", canary)):
        yield name, text.encode(name)
    yield "hexadecimal", raw.hex().encode()
    yield "URL", "".join(f"%{byte:02x}" for byte in raw).encode()
    yield "JSON", "".join(f"\\u{byte:04x}" for byte in raw).encode()
    for alignment in range(3):
        # without the characters at the ends that depend on what stands around
        inner = base64.b64encode(b"\0" * alignment + raw)[4 if alignment else 0 : -4]
        yield "base64", inner
    for what, content in (("", raw), ("JSON ", json.dumps({"k": canary}, separators=(",", ":")).encode())):
        for algorithm in ("md5", "sha1", "sha256"):
            yield from _digest(f"{what}{algorithm}", hashlib.new(algorithm, content).digest())
        yield from _digest(f"{what}hmac", hmac.digest(b"", content, "sha256"))
        crc = binascii.crc32(content)
        yield f"{what}crc32", f"{crc:08x}".encode()
        yield f"{what}crc32", str(crc).encode()


def _digest(name: str, digest: bytes) -> Iterator[tuple[str, bytes]]:
    """A digest as bytes, in hexadecimal (half of it is enough), in base 64."""
    yield name, digest
    yield name, digest.hex()[:16].encode()
    yield name, base64.b64encode(digest)[:16]
