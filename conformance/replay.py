"""Whole runs with a scripted model: the vectors of `replay.json`, by the reference sampler and by trying all texts."""

from __future__ import annotations

import hashlib
import itertools
import struct
from collections.abc import Sequence
from random import Random
from typing import Any

import reference_sampler

HOW = (
    "Scores of token position t: state = the first 8 bytes, big-endian, of SHA-256(key || 'logits' || uint64be(t)); "
    "then for each token in its order state = (state * a + c) mod 2**64, score = ((state >> 11) * 2**-53 - 0.5) * scale"
)
LCG = (6364136223846793005, 1442695040888963407)
SCALE = 24.0
DIGITS = [str(n) for n in range(10)]

# GBNF, and the same language as the list of its texts
SCENES: dict[str, tuple[str, list[str]]] = {
    "a number in an object": (
        r'root ::= "{\"a\": " [0-9]{1,2} "}"',
        ['{"a": ' + "".join(n) + "}" for size in (1, 2) for n in itertools.product(DIGITS, repeat=size)],
    ),
    "pairs of letters": (
        'root ::= ("ab" | "ba"){1,4}',
        ["".join(p) for size in range(1, 5) for p in itertools.product(["ab", "ba"], repeat=size)],
    ),
    "characters of several bytes": (
        "root ::= [éè€😀]{0,3}",
        ["".join(p) for size in range(4) for p in itertools.product("éè€😀", repeat=size)],
    ),
    "members of an enum": (
        r'root ::= "\"red\"" | "\"reddish\"" | "\"blue\"" | "\"bluegreen\""',
        [f'"{word}"' for word in ("red", "reddish", "blue", "bluegreen")],
    ),
}
LONGER = [
    "ab",
    "aba",
    "bab",
    '{"',
    '"a',
    '": ',
    "12",
    "7}",
    "red",
    "dish",
    '"b',
    "lue",
    'n"',
    "é",
    "€",
    "é€",
    "😀",
    "zz",
]


def vocabulary(texts: Sequence[str]) -> list[bytes | None]:
    """Every byte of the texts, longer tokens, a byte that no text has, and the end token as None."""
    single = sorted({byte for text in texts for byte in text.encode()})
    longer = [text.encode() for text in LONGER] + [b"\xe2\x82", b"\xf0\x9f"]
    return [*(bytes([byte]) for byte in single), *longer, b"\x00", None]


def logits(key: bytes, position: int, count: int) -> list[float]:
    """See `HOW`."""
    digest = hashlib.sha256(key + b"logits" + struct.pack(">Q", position)).digest()
    state, scores = int.from_bytes(digest[:8], "big"), []
    for _ in range(count):
        state = (state * LCG[0] + LCG[1]) % 2**64
        scores.append(((state >> 11) * 2.0**-53 - 0.5) * SCALE)
    return scores


def parameters(random: Random) -> dict[str, Any]:
    options: dict[str, list[Any]] = {
        "top_k": [2, 5],
        "top_p": [0.5, 0.9],
        "min_p": [0.05],
        "repetition_penalty": [1.3],
        "presence_penalty": [0.4],
        "frequency_penalty": [-0.5],
        "repetition_window": [2],
        "min_tokens": [3],
        "forbidden": [[0, 1], [5]],
    }
    chosen = {name: random.choice(values) for name, values in options.items() if random.random() < 0.2}
    return {"temperature": random.choice([0.0, 0.7, 1.0, 3.0]), **chosen}


def run(texts: Sequence[str], tokens: list[bytes | None], key: bytes, sampling: dict[str, Any], most: int) -> Any:
    """The ids, and why the run ended, as a stop reason or the code of an error."""
    language, eos = {text.encode() for text in texts}, len(tokens) - 1
    ids: list[int] = []
    prefix = b""
    while True:
        allowed = [i for i, token in enumerate(tokens) if token and any(t.startswith(prefix + token) for t in language)]
        accepting = prefix in language
        if not allowed:
            return ids, "grammar_complete" if accepting else "MASK_DEAD_END"
        if len(ids) == most:
            return ids, "max_tokens"
        scores = logits(key, len(ids), len(tokens))
        options = {"size": len(tokens), "key": key, "eos": [eos], "accepting": accepting, **sampling}
        found = reference_sampler.sample(scores, allowed, ids, **options)
        if "error" in found:
            return ids, found["error"]
        if found["token"] in (None, eos):
            return ids, "grammar_complete" if found["token"] is None else "eos"
        ids.append(found["token"])
        prefix += tokens[found["token"]] or b""


def file() -> dict[str, Any]:
    random = Random(20261201)
    scenes, runs = [], []
    for name, (grammar, texts) in SCENES.items():
        tokens = vocabulary(texts)
        scenes.append({"name": name, "grammar": grammar, "vocabulary": [t and t.hex() for t in tokens]})
        for _ in range(25):
            key, sampling, most = random.randbytes(32), parameters(random), random.choice([1, 4, 100, 100])
            ids, end = run(texts, tokens, key, sampling, most)
            case = {"scene": name, "key": key.hex(), "max_tokens": most, "sampling": sampling, "ids": ids, "end": end}
            runs.append({**case, "text": b"".join(tokens[i] or b"" for i in ids).hex()})
    how = {"how": HOW, "a": LCG[0], "c": LCG[1], "scale": SCALE}
    about = "runs of a scripted model under a grammar: which tokens come, and why they end"
    return {"format": "checkrail/replay/1", "about": about, "logits": how, "scenes": scenes, "runs": runs}
