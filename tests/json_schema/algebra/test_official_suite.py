"""The official JSON Schema suite through the open profile: what is compiled is right, but for documented spellings.

A schema that the profile refuses is not answered; which files those are, and how many tests, is listed here, so
that a change of either shows.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from checkrail.errors import Error
from checkrail.json_schema.registry import bundle_schema
from data_path import unpacked

SUITE = unpacked("json-schema-test-suite.tar.xz") / "tests"
SCHEMAS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
REMOTES = SUITE.parent / "remotes"
REGISTRY = {
    f"http://localhost:1234/{path.relative_to(REMOTES).as_posix()}": json.loads(path.read_text("utf-8"))
    for path in REMOTES.rglob("*.json")
}
# Tests that are not answered, by file: the profile refuses their schemas with SCHEMA_KEYWORD_UNSUPPORTED (uniqueItems
# of items that are not few, unevaluated* that depends on too many branches, $dynamicRef), SCHEMA_REF (the metaschemas,
# which have such items) or SCHEMA_BUDGET.
REFUSED = {
    "draft4": {"definitions": 2, "multipleOf": 1, "ref": 2, "uniqueItems": 36},
    "draft6": {"definitions": 2, "multipleOf": 1, "ref": 2, "uniqueItems": 36},
    "draft2020-12": {
        "defs": 2,
        "dynamicRef": 42,
        "multipleOf": 1,
        "ref": 2,
        "unevaluatedItems": 2,
        "unevaluatedProperties": 23,
        "uniqueItems": 36,
        "vocabulary": 5,
    },
}


def attempt(opened, schema):
    """A recogniser, one that accepts nothing for a schema that nothing satisfies, None for a refused schema."""
    try:
        return opened(bundle_schema(schema, REGISTRY))
    except Error as error:
        return (lambda _: False) if error.code == "SCHEMA_CONFLICT" else None


def is_documented(file, test):
    """Whole numbers are written without a fraction; known formats are asserted."""
    spelled = any(part.lstrip("-[").rstrip("]").endswith(".0") for part in json.dumps(test["data"]).split(","))
    return test["valid"] and (spelled or file == "format")


@pytest.mark.parametrize("draft", SCHEMAS)
def test_every_compiled_schema_is_right(opened, draft):
    refused: Counter[str] = Counter()
    wrong = []
    answered = 0
    for path in sorted((SUITE / draft).glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            schema, tests = group["schema"], group["tests"]
            if isinstance(schema, dict):
                schema = {"$schema": SCHEMAS[draft], **schema}
            accepts = attempt(opened, schema)
            if accepts is None:
                refused[path.stem] += len(tests)
                continue
            for test in tests:
                text = json.dumps(test["data"], ensure_ascii=False, separators=(",", ":"))
                answered += 1
                if accepts(text) != test["valid"] and not is_documented(path.stem, test):
                    wrong.append((path.stem, group["description"], test["description"]))
    assert wrong == []
    assert dict(refused) == REFUSED[draft]
    assert answered > 9 * refused.total() or draft == "draft2020-12"
    assert answered > 7 * refused.total()
