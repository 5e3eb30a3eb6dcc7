"""Small schema cases re-created from bug reports of other engines.

The strict profile narrows some of them on purpose; each such text is listed with its reason. What it leaves to the
check after generation is only asked to be reported there.
"""

from __future__ import annotations

import json

import pytest

from checkrail.errors import Error
from data_path import shared_data

LINES = (shared_data() / "public-cases.jsonl").read_text("utf-8").split("\n")
CASES = [case for case in map(json.loads, filter(None, LINES)) if case["kind"] == "json_schema"]

CLOSED = "objects are closed"
# case -> why the profile refuses a schema that JSON Schema allows
REFUSED = {
    "h3-a-002": "additionalProperties: true",
    "h3-a-016": "allOf with two branches",
    "h3-a-019": "oneOf beside properties",
}
# case -> why valid texts are out
NARROWED = {
    "h3-a-007": CLOSED,
    "h3-a-115": "nesting is at most 16",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(accepts, attempt, case):
    may_refuse = "error" in (case["compile"], case.get("compile_alt")) or case["id"] in REFUSED
    grammar = attempt(case["spec"], enforce_bounds=True)
    if isinstance(grammar, Error):
        assert may_refuse, grammar.render()
        return
    assert case["compile"] != "error"
    assert case["id"] not in REFUSED, "it compiles: take it off the list"
    checked = grammar.coverage.column("checked")
    refused = [text for text in case["accept"] if not accepts(grammar, text)]
    assert bool(refused) is (case["id"] in NARROWED), refused[:3]
    for text in case["reject"]:
        assert not accepts(grammar, text) or checked, text[:80]
