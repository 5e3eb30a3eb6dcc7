"""MaskBench's schemas, a sample: no invalid instance is accepted, and nearly every valid one is.

What is refused of valid instances is refused for the order of keys: declared ones come as declared, others after.
"""

from __future__ import annotations

import json

import pytest

from checkrail.errors import Error
from data_path import unpacked

FILES = sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json"))
LARGEST = 3_000  # bytes of a schema; the largest ones take seconds each
REFUSALS = {
    "SCHEMA_KEYWORD_UNSUPPORTED",
    "SCHEMA_BUDGET",
    "SCHEMA_REF",
    "SCHEMA_CONFLICT",
    "SCHEMA_SYNTAX",
    "GRAMMAR_BUDGET_STATES",
    "GRAMMAR_BUDGET_TRANSITIONS",
}
SAMPLES = 3
EVERY = 101


def attempt(opened, schema):
    """A recogniser, or None where the schema is refused by the catalogue."""
    try:
        return opened(schema, whitespace="json.dumps")
    except Error as error:
        return None if error.code in REFUSALS else pytest.fail(f"{error.code}: {error.message}")


@pytest.mark.parametrize("sample", range(SAMPLES))
def test_schemas(opened, sample):
    cases = [json.loads(path.read_text("utf-8")) for path in FILES[7 * sample :: EVERY]]
    cases = [case for case in cases if len(json.dumps(case["schema"])) < LARGEST]
    compiled = passed = 0
    for case in cases:
        accepts = attempt(opened, case["schema"])
        if accepts is None:
            continue
        compiled += 1
        verdicts = [(accepts(json.dumps(test["data"], ensure_ascii=False)), test["valid"]) for test in case["tests"]]
        assert (True, False) not in verdicts
        passed += all(found == valid for found, valid in verdicts)
    assert compiled >= 0.93 * len(cases)
    assert passed >= 0.9 * len(cases)
