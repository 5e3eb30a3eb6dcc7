"""The official JSON Schema suite through the open profile: each test is answered right, or its schema is refused.

`official_suite.json` lists, by draft and file, how many tests are refused and why, and how many valid texts are not
written and why; it is checked from both sides, so that a change of either shows. `pytest -rP` prints the shares. Every
draft runs on demand, as grammars are used; the automaton as a whole must accept nothing that is wrong.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_specifications
import pytest

from checkrail import Vocabulary, compile
from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
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
} | {uri.rstrip("#"): jsonschema_specifications.REGISTRY.contents(uri) for uri in jsonschema_specifications.REGISTRY}
LISTED = json.loads(Path(__file__).with_name("official_suite.json").read_text("utf-8"))
BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b""], eos=256)

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
ABOUT_NUMBERS = {"const", "contains", "enum", "items", "minimum", "multipleOf", "type", "uniqueItems"}

Accepts = Callable[[str], bool]


def on_demand(schema: Any, **options: Any) -> Accepts:
    constraint = compile(json_schema_to_grammar(schema, profile="open", whitespace="compact", **options), BYTES)

    def accepts(text: str) -> bool:
        matcher = constraint.matcher()
        return matcher.accept_bytes(text.encode()) and matcher.is_completed()

    return accepts


def attempt(make: Callable[[Any], Accepts], schema: Any) -> Accepts | str:
    """A recogniser, one that accepts nothing for a schema that nothing satisfies, the error's code for a refusal."""
    try:
        return make(bundle_schema(schema, REGISTRY))
    except Error as error:
        return (lambda _: False) if error.code == "SCHEMA_CONFLICT" else error.code


def groups(draft: str, folder: str) -> Iterator[tuple[str, Any, list[dict[str, Any]]]]:
    """(file, schema, tests) of the files in one folder of a draft."""
    for path in sorted((SUITE / draft / folder).glob("*.json")):
        for group in json.loads(path.read_text("utf-8")):
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": SCHEMAS[draft], **schema}
            yield path.relative_to(SUITE / draft).with_suffix("").as_posix(), schema, group["tests"]


def text_of(test: dict[str, Any]) -> str:
    return json.dumps(test["data"], ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("folder", ["", "optional/format"])
@pytest.mark.parametrize("draft", SCHEMAS)
def test_every_test_is_right_or_refused(draft: str, folder: str) -> None:
    refused: Counter[str] = Counter()
    unwritten: Counter[str] = Counter()
    wrong = []
    answered = 0
    for file, schema, tests in groups(draft, folder):
        accepts = attempt(on_demand, schema)
        if isinstance(accepts, str):
            refused[f"{file}: {accepts}"] += len(tests)
            continue
        for test in tests:
            answered += 1
            verdict = accepts(text_of(test))
            if verdict and not test["valid"]:
                wrong.append((file, test["description"]))
            unwritten[file] += test["valid"] and not verdict
    listed = LISTED[draft][folder or "required"]
    share = 100 * answered / (answered + refused.total())
    print(f"{draft} {folder or 'required'}: {answered} answered ({share:.1f} %), {refused.total()} refused")
    assert wrong == []
    assert dict(refused) == {name: row["tests"] for name, row in listed["refused"].items()}
    assert dict(+unwritten) == {name: row["tests"] for name, row in listed["valid but not written"].items()}
    assert all(row["why"] for rows in listed.values() for row in rows.values())
    assert share >= 90


def test_with_fractions_of_zeros_nothing_else_is_missing() -> None:
    for file, schema, tests in groups("draft2020-12", ""):
        if not THOROUGH and file not in ABOUT_NUMBERS:
            continue
        accepts = attempt(lambda schema: on_demand(schema, integer_fractions=True), schema)
        if not isinstance(accepts, str):
            verdicts = [(test["description"], accepts(text_of(test)), test["valid"]) for test in tests]
            assert [
                name for name, verdict, valid in verdicts if verdict != valid and (verdict or file != "format")
            ] == []


def test_the_whole_automaton_accepts_nothing_else(opened: Callable[..., Accepts]) -> None:
    answered = 0
    for file, schema, tests in list(groups("draft2020-12", ""))[:: 1 if THOROUGH else 5]:
        accepts = attempt(opened, schema)
        if not isinstance(accepts, str):
            answered += len(tests)
            assert [t["description"] for t in tests if not t["valid"] and accepts(text_of(t))] == [], file
    assert answered > (1_100 if THOROUGH else 200)
