"""The public `tokenizer` cases, as far as they concern reading: which bytes each id gets. Masks have their own test."""

from __future__ import annotations

import json
from typing import Any

import data_path
from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary

KINDS = {"NORMAL": 1, "CONTROL": 3}


def cases() -> list[dict[str, Any]]:
    lines = (data_path.shared_data() / "public-cases.jsonl").read_bytes().split(b"\n")
    return [case for case in map(json.loads, filter(None, lines)) if case["kind"] == "tokenizer"]


def as_sentencepiece(pieces: list[str], special: list[int]) -> Vocabulary:
    """A model file with these pieces, written after the protocol buffer's description."""
    data = b""
    for i, text in enumerate(pieces):
        content = text.encode()
        inner = bytes([0x0A, len(content)]) + content + bytes([0x18, KINDS["CONTROL" if i in special else "NORMAL"]])
        data += bytes([0x0A, len(inner)]) + inner
    return Vocabulary.from_sentencepiece(data)


def as_byte_level(pieces: list[str], special: list[int], eos: list[int]) -> Vocabulary:
    value = {
        "model": {"type": "BPE", "vocab": {text: i for i, text in enumerate(pieces) if i not in special}},
        "decoder": {"type": "ByteLevel"},
        "added_tokens": [{"id": i, "content": pieces[i], "special": True} for i in special],
    }
    return Vocabulary.from_huggingface(value, eos=eos)


EXPECTED = {
    "h3-c-019": (b" P", b"P", b"izza", b" ", None),
    "h3-c-020": (b" a", b"a", b"\n", None),
}


def test_spelled_pieces() -> None:
    found = {case["id"]: case["spec"] for case in cases() if "pieces" in case["spec"]}
    assert set(found) == set(EXPECTED)
    for name, spec in found.items():
        pieces = [spec["pieces"][str(i)] for i in range(len(spec["pieces"]))]
        if spec["type"] == "sentencepiece":
            v = as_sentencepiece(pieces, spec["special"])
        else:
            v = as_byte_level(pieces, spec["special"], spec["eos"])
        assert v.tokens == EXPECTED[name]
        assert v.eos == tuple(spec["eos"])


def test_plain_tables() -> None:
    found = [case for case in cases() if "vocab" in case["spec"]]
    assert len(found) > 10
    for case in found:
        spec = case["spec"]
        table = {int(i): bytes.fromhex(token) for i, token in spec["vocab"].items()}
        tokens = [table.get(i) for i in range(max(table) + 1)]
        v = Vocabulary.from_bytes(
            tokens, eos=spec["eos"], special=spec.get("special", ()), logits_width=spec.get("vocab_size")
        )
        trie = Trie.build(v)
        silent = {*spec["eos"], *spec.get("special", ())}
        for i in range(v.logits_width):
            text = table.get(i) if i not in silent else None
            node = trie.find(text) if text else None
            assert (node is not None and i in trie.ids(node)) == bool(text)


def test_a_leading_mark_is_a_space() -> None:
    spec = next(case["spec"] for case in cases() if case["id"] == "h3-c-019")
    v = as_sentencepiece([spec["pieces"][str(i)] for i in range(5)], spec["special"])
    assert v.decode([1, 2]) == b"Pizza"
    assert v.decode([0, 2]) == b" Pizza"
