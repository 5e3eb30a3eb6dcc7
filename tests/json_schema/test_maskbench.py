"""MaskBench's schemas: each compiles or is refused by the catalogue, and no mask lets an invalid instance through."""

from __future__ import annotations

import json
import time

import pytest

from checkrail.errors import Error
from data_path import unpacked

FILES = sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json"))
REFUSALS = {"SCHEMA_KEYWORD_UNSUPPORTED", "SCHEMA_CONFLICT", "SCHEMA_REF", "SCHEMA_SYNTAX"}
SHARDS = 8
EVERY = 5  # a fifth of the files: all of them take minutes


@pytest.mark.parametrize("shard", range(SHARDS))
def test_schemas(accepts, attempt, shard):
    compiled = 0
    for path in FILES[shard * EVERY :: SHARDS * EVERY]:
        case = json.loads(path.read_text("utf-8"))
        started = time.process_time()
        grammar = attempt(case["schema"], whitespace="compact")
        assert time.process_time() - started < 5, path.name
        if isinstance(grammar, Error):
            assert grammar.code in REFUSALS, path.name
            assert grammar.pointer is not None
            continue
        compiled += 1
        if compiled % 2 or grammar.coverage.column("checked"):
            continue
        for test in case["tests"]:
            text = json.dumps(test["data"], ensure_ascii=False, separators=(",", ":"))
            if not test["valid"] and len(text) < 500:
                assert not accepts(grammar, text), path.name
    assert compiled > 50
