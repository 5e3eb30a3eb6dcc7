"""The table of keywords and the page that is made from it."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from checkrail.json_schema.profile import KEYWORDS, strict_profile_page, suggestion

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "strict-profile.md"


def test_the_page_is_current():
    assert strict_profile_page().strip() in PAGE.read_text("utf-8"), "write it anew: make docs"


def test_every_keyword_of_the_standard_is_in_the_table():
    names: set[str] = set()
    for validator in (jsonschema.Draft4Validator, jsonschema.Draft7Validator, jsonschema.Draft202012Validator):
        names |= set(validator.META_SCHEMA.get("properties", {})) | set(validator.VALIDATORS)
    assert names - {"$dynamicRef"} <= KEYWORDS.keys() | {"$recursiveRef"}


@pytest.mark.parametrize("row", [row for row in KEYWORDS.values() if row.column == "refused"], ids=lambda row: row.name)
def test_a_refusal_says_what_to_write(row):
    assert row.note


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("requred", "required"),
        ("additonalProperties", "additionalProperties"),
        ("maxlength", "maxLength"),
        ("ref", "$ref"),
    ],
)
def test_suggestions(wrong, right):
    assert f"`{right}`" in suggestion(wrong)


def test_no_suggestion():
    assert "x-" in suggestion("zzzzzz")
    assert "x-" in suggestion("q" * 1_000_000)
