"""The search finds a canary in each disguise, and none where there is none."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import urllib.parse
import zlib
from collections.abc import Callable

import pytest

from canaries import Hit, canaries, forms_in, search

CANARY = canaries(["one"], seed=1)["one"]
DISGUISES: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "in capitals": lambda c: c.upper().encode(),
    "in small letters": lambda c: c.lower().encode(),
    "reversed": lambda c: c[::-1].encode(),
    "first third": lambda c: c[:8].encode(),
    "middle third": lambda c: c[7:15].encode(),
    "last third": lambda c: c[-8:].encode(),
    "last third reversed": lambda c: c[-8:][::-1].encode(),
    "JSON": lambda c: json.dumps(c).encode(),
    "JSON escapes": lambda c: "".join(f"\\u{ord(x):04X}" for x in c).encode(),
    "URL": lambda c: urllib.parse.quote(c).encode(),
    "URL escapes": lambda c: "".join(f"%{ord(x):02X}" for x in c).encode(),
    "hexadecimal": lambda c: c.encode().hex().encode(),
    "hexadecimal capitals": lambda c: c.encode().hex().upper().encode(),
    "base64": lambda c: base64.b64encode(c.encode()),
    "base64 after one": lambda c: base64.b64encode(b"x" + c.encode() + b"yz"),
    "base64 after two": lambda c: base64.b64encode(b"xy" + c.encode() + b"z"),
    "base64 after three": lambda c: base64.b64encode(b"xyz" + c.encode()),
    "UTF-16 LE": lambda c: c.encode("utf-16-le"),
    "UTF-16 BE": lambda c: c.encode("utf-16-be"),
    "MD5": lambda c: hashlib.md5(c.encode()).hexdigest().encode(),
    "SHA-1": lambda c: hashlib.sha1(c.encode()).hexdigest().upper().encode(),
    "SHA-256": lambda c: hashlib.sha256(c.encode()).hexdigest().encode(),
    "SHA-256 cut": lambda c: hashlib.sha256(c.encode()).hexdigest()[:16].encode(),
    "SHA-256 bytes": lambda c: hashlib.sha256(c.encode()).digest(),
    "SHA-256 base64": lambda c: base64.b64encode(hashlib.sha256(c.encode()).digest()),
    "SHA-256 of JSON": lambda c: hashlib.sha256(f'{{"k":"{c}"}}'.encode()).hexdigest().encode(),
    "CRC": lambda c: f"{zlib.crc32(c.encode()):08x}".encode(),
    "CRC as a number": lambda c: str(zlib.crc32(c.encode())).encode(),
}


@pytest.mark.parametrize("name", DISGUISES)
@pytest.mark.parametrize("seed", range(5))
def test_each_disguise_is_seen_through(name: str, seed: int) -> None:
    canary = canaries(["one"], seed)["one"]
    data = b"some text before \n" + DISGUISES[name](canary) + b" and after"
    assert list(forms_in(data, canary))


def test_nothing_is_found_where_nothing_is() -> None:
    rng = random.Random(3)
    noise = rng.randbytes(200_000) + b"".join(rng.randbytes(32).hex().encode() for _ in range(2_000))
    planted = canaries([str(n) for n in range(20)], seed=9)
    assert search({"noise": noise, "others": CANARY.encode()}, planted) == []


def test_seven_characters_are_not_enough() -> None:
    assert list(forms_in(CANARY[:7].encode() + b"?" + CANARY[-7:].encode(), CANARY)) == []


def test_a_hit_says_where_and_whose() -> None:
    planted = {"prompt": CANARY}
    hits = search({"log": b"x", "file": CANARY[::-1].encode()}, planted)
    assert Hit("file", "prompt", "reversed window") in hits
    assert {hit.place for hit in hits} == {"file"}


def test_canaries_differ() -> None:
    found = canaries(map(str, range(100)), seed=4)
    assert len(set(found.values())) == 100
    assert found == canaries(map(str, range(100)), seed=4)
