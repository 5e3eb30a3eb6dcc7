"""MaskBench's schemas, a sample: no invalid instance is accepted, and nearly every valid one is.

What is refused of valid instances is refused for the order of keys: declared ones come as declared, others after. The
whole automaton of a long length is too large; `tests/ondemand` has those.
"""

from __future__ import annotations

import json
import re

import pytest

from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from data_path import unpacked

FILES = sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json"))
LARGEST = 3_000  # bytes of a schema; the largest ones take seconds each
REFUSALS = {
    "SCHEMA_KEYWORD_UNSUPPORTED",
    "SCHEMA_BUDGET",
    "SCHEMA_REF",
    "SCHEMA_CONFLICT",
    "SCHEMA_SYNTAX",
}
LONG = re.compile(r'"(max|min)(Length|Items)": [0-9]{4}')
SAMPLES = 3
EVERY = 101


def attempt(schema):
    """The grammar, or None where the catalogue refuses the schema."""
    try:
        return json_schema_to_grammar(schema, profile="open", whitespace="json.dumps")
    except Error as error:
        return None if error.code in REFUSALS else pytest.fail(f"{error.code}: {error.message}")


@pytest.mark.parametrize("sample", range(SAMPLES))
def test_schemas(opened, sample):
    cases = [json.loads(path.read_text("utf-8")) for path in FILES[7 * sample :: EVERY]]
    cases = [case for case in cases if len(json.dumps(case["schema"])) < LARGEST]
    read = compiled = passed = 0
    for case in cases:
        grammar = attempt(case["schema"])
        if grammar is None:
            continue
        read += 1
        if LONG.search(json.dumps(case["schema"])):
            continue
        accepts = opened(grammar)
        compiled += 1
        verdicts = [(accepts(json.dumps(test["data"], ensure_ascii=False)), test["valid"]) for test in case["tests"]]
        assert (True, False) not in verdicts
        passed += all(found == valid for found, valid in verdicts)
    assert read >= 0.97 * len(cases)
    assert compiled >= 0.9 * len(cases)
    assert passed >= 0.96 * compiled
