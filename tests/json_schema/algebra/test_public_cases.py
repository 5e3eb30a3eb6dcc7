"""Small schema cases re-created from bug reports of other engines, in the open profile."""

from __future__ import annotations

import json

import pytest

from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from data_path import shared_data

LINES = (shared_data() / "public-cases.jsonl").read_text("utf-8").split("\n")
CASES = [case for case in map(json.loads, filter(None, LINES)) if case["kind"] == "json_schema"]

NARROWED = {"h3-a-115": "nesting is at most 16"}


def attempt(schema):
    try:
        return json_schema_to_grammar(schema, profile="open", whitespace=1)
    except Error as error:
        return error


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(opened, case):
    grammar = attempt(case["spec"])
    if isinstance(grammar, Error):
        assert "error" in (case["compile"], case.get("compile_alt")), grammar.render()
        return
    assert case["compile"] != "error"
    accepts = opened(grammar)
    assert any(not accepts(text) for text in case["accept"]) is (case["id"] in NARROWED)
    assert not any(accepts(text) for text in case["reject"])
