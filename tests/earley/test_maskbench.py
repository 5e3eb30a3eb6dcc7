"""Real schemas over a real vocabulary: both engines have the same masks at each place of each valid document.

A sample of MaskBench by a digest of the file's name: some schemas in every run, with CHECKRAIL_THOROUGH=1 about 300.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from array import array
from pathlib import Path

import pytest

from checkrail import Grammar, Limits, Vocabulary, compile
from checkrail.errors import Error
from data_path import unpacked

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EACH = 19 if THOROUGH else 950
ROOM = Limits(nesting=100)


def chosen(path: Path) -> bool:
    return int(hashlib.sha256(path.name.encode()).hexdigest(), 16) % EACH == 4


FILES = [path for path in sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json")) if chosen(path)]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    folder = next(unpacked("llama3-vocab.tar.xz").rglob("vocab.jsonl")).parent
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    special = set(meta["special_ids"])
    lines = (folder / "vocab.jsonl").read_text(encoding="utf-8").splitlines()
    tokens = [None if i in special else base64.b64decode(json.loads(line)) for i, line in enumerate(lines)]
    return Vocabulary.from_bytes(tokens, eos=[meta["eot"]])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_engines_agree(path: Path, vocabulary: Vocabulary) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    try:
        grammar = Grammar.from_json_schema(json.dumps(record["schema"]))
        automaton = compile(grammar, vocabulary, limits=ROOM)
    except Error as error:
        pytest.skip(f"refused: {error.code}")
    earley = compile(grammar, vocabulary, engine="earley")
    rows = [array("I", bytes(4 * earley.engine.words)) for _ in range(2)]
    for test in record["tests"][:4]:
        matchers = [automaton.matcher(), earley.matcher()]
        text = json.dumps(test["data"], ensure_ascii=False, separators=(",", ":")).encode()[:400]
        for place in range(0, len(text), 3):
            for matcher, row in zip(matchers, rows, strict=True):
                matcher.fill_next_token_bitmask(row)
            assert rows[0] == rows[1], text[:place]
            taken = [matcher.accept_bytes(text[place : place + 3]) for matcher in matchers]
            assert taken[0] == taken[1]
            if not taken[0]:
                break
