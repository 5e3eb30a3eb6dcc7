"""The validator against the official JSON Schema test suite; every test that is left out has its reason here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import data_path
from checkrail.boundary.validate import validate
from checkrail.errors import SchemaError

DRAFTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}

REFUSED = {"SCHEMA_REF": "remote references are not followed", "SCHEMA_KEYWORD_UNSUPPORTED": "metaschemas of their own"}
"""A test whose schema is refused with one of these codes is left out, and counted."""
EXPECTED_REFUSALS = {"draft2020-12": 58, "draft6": 27, "draft4": 21}

WRONG_TESTS = {
    # In draft 4, 1.0 is no integer; here it is one, as in every later draft.
    ("draft4", "optional/zeroTerminatedFloats.json"): ["a float is not an integer even without fractional part"],
}


def cases(draft: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """(file, schema, test) of one draft."""
    root = data_path.unpacked("json-schema-test-suite.tar.xz") / "tests" / draft
    for file in sorted(root.rglob("*.json")):
        name = file.relative_to(root).as_posix()
        for group in json.loads(file.read_text("utf-8")):
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            yield from ((name, schema, test) for test in group["tests"])


@pytest.mark.parametrize("draft", DRAFTS)
def test_official_suite(draft: str) -> None:
    refused = passed = 0
    wrong: dict[str, list[str]] = {}
    for file, schema, test in cases(draft):
        try:
            report = validate(test["data"], schema, format_assertion=file.startswith("optional/format/"))
        except SchemaError as error:
            if error.code not in REFUSED:
                raise
            refused += 1
            continue
        if report.ok == test["valid"]:
            passed += 1
        else:
            wrong.setdefault(file, []).append(test["description"])
    assert wrong == {file: names for (where, file), names in WRONG_TESTS.items() if where == draft}
    assert refused == EXPECTED_REFUSALS[draft]
    assert passed > 800


def test_nothing_else_is_refused_in_the_local_files() -> None:
    """Refusals stay within the files that are about what is not supported."""
    about = {
        "defs.json",  # against the metaschema, a remote reference
        "dynamicRef.json",
        "optional/cross-draft.json",
        "optional/format-assertion.json",  # metaschemas of their own
        "ref.json",
        "refRemote.json",
        "vocabulary.json",
    }
    refused = set()
    for file, schema, test in cases("draft2020-12"):
        try:
            validate(test["data"], schema)
        except SchemaError:
            refused.add(file)
    assert refused == about


def test_maskbench() -> None:
    """Real schemas with instances that other validators have judged."""
    folder = data_path.unpacked("maskbench-dev.tar.xz")
    files: list[Path] = sorted(folder.rglob("*.json"))[::12]
    tests = 0
    wrong = []
    for file in files:
        case = json.loads(file.read_text("utf-8"))
        for test in case["tests"]:
            tests += 1
            if validate(test["data"], case["schema"]).ok != test["valid"]:
                wrong.append(file.name)
    assert wrong == []
    assert tests > 1_000


def test_public_cases() -> None:
    """Texts of public bug reports: what must be accepted, and what a validator must refuse."""
    from checkrail.boundary.validate import check_output

    lines = (data_path.shared_data() / "public-cases.jsonl").read_text("utf-8").strip().split("\n")
    wrong = []
    seen = 0
    for case in map(json.loads, lines):
        if case["kind"] != "json_schema":
            continue
        for expected in ("accept", "reject"):
            for text in case.get(expected, ()):
                seen += 1
                if check_output(text, case["spec"]).ok != (expected == "accept"):
                    wrong.append((case["id"], text))
    assert wrong == []
    assert seen > 150
