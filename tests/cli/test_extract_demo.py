"""`checkrail extract` on the documents that come with the package: spans that hold, faults beside the text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail import check_output
from checkrail.models.scripted import ScriptedModel

Program = Callable[..., Result]
Says = Callable[..., ScriptedModel]
Lines = Callable[[str], list[dict[str, Any]]]
FOLDER = Path(str(files("checkrail").joinpath("examples")))
SCENES = ("events", "invoices", "support")


def documents(scene: str) -> list[Path]:
    return sorted((FOLDER / scene).glob("*.txt"))


def sourced(schema: dict[str, Any], value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """The strings of a value that should stand in the document, with their pointers."""
    if "x-source" in schema and isinstance(value, str):
        yield pointer, value
    for branch in schema.get("anyOf", ()):
        yield from sourced(branch, value, pointer)
    for name, part in schema.get("properties", {}).items():
        if isinstance(value, dict) and name in value:
            yield from sourced(part, value[name], f"{pointer}/{name}")
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from sourced(schema["items"], item, f"{pointer}/{number}")


def answer(schema: dict[str, Any], words: Iterator[str], dates: Iterator[str]) -> Any:
    """A value of the right shape whose texts are words and dates of the document."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return answer(schema["anyOf"][0], words, dates)
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    if kind == "object":
        return {name: answer(part, words, dates) for name, part in schema["properties"].items()}
    if kind == "array":
        return [answer(schema["items"], words, dates) for _ in range(schema.get("minItems", 1))]
    if schema.get("format") == "date":
        return next(dates)
    return next(words) if kind == "string" else schema.get("minimum", 1)


@pytest.mark.parametrize("scene", SCENES)
def test_spans_verify_against_the_documents(program: Program, says: Says, lines: Lines, scene: str) -> None:
    schema = json.loads((FOLDER / scene / "schema.json").read_text("utf-8"))
    for path in documents(scene):
        text = path.read_text("utf-8")
        unique = [word for word in text.split() if word.isalpha() and text.count(word) == 1 and len(word) > 3]
        dates = re.findall(r"\d{4}-\d\d-\d\d", text)
        value = answer(schema, iter(unique), iter(dates))
        says(json.dumps(value, ensure_ascii=False))
        result = program("extract", path, "--schema", FOLDER / scene / "schema.json")
        (row,) = lines(result.stdout)
        expected = dict(sourced(schema, value))
        assert expected
        assert {span["pointer"] for span in row["spans"]} == set(expected)
        for span in row["spans"]:
            assert text[span["start"] : span["end"]] == expected[span["pointer"]]
            assert text.encode()[span["start_byte"] : span["end_byte"]].decode() == expected[span["pointer"]]
            assert json.loads(row["raw"][span["output_span"][0] : span["output_span"][1]]) == expected[span["pointer"]]
            assert span["doc_sha256"] == sha256(text.encode()).hexdigest() == row["sha256"]
        again = check_output(row["raw"], schema, documents={"document": text})
        assert [span.to_json() for span in again.spans] == row["spans"]


def test_a_value_over_its_maximum_is_a_fault_beside_the_text(program: Program, says: Says, lines: Lines) -> None:
    raw = (
        '{"number": "2026-0417", "seller": "Harbour & Finch Bakery", "items": ["48 bread rolls"], '
        '"total": 1000001, "currency": "GBP"}'
    )
    says(raw)
    path = FOLDER / "invoices" / "en-bakery.txt"
    result = program("extract", path, "--schema", FOLDER / "invoices" / "schema.json")
    assert result.exit_code == 4
    (row,) = lines(result.stdout)
    assert (row["complete"], row["ok"], row["value"], row["raw"]) == (True, False, None, raw)
    (fault,) = row["faults"]
    assert (fault["code"], fault["pointer"], fault["keyword"], fault["limit"]) == (
        "SEMANTIC_RANGE",
        "/total",
        "maximum",
        1_000_000,
    )
    assert raw[fault["output_span"][0] : fault["output_span"][1]] == "1000001"
    assert [span["pointer"] for span in row["spans"]] == ["/number", "/seller", "/items/0"]
    assert "1 without a value (1 with faults)" in result.stderr


@pytest.mark.parametrize("scene", SCENES)
def test_copies_from_the_documents(program: Program, says: Says, lines: Lines, scene: str) -> None:
    """A model that would write something else copies all the same."""
    schema = json.loads((FOLDER / scene / "schema.json").read_text("utf-8"))
    invented = answer(schema, iter(["Invented Name"] * 20), iter(["2020-02-02"]))
    for path in documents(scene):
        says(json.dumps(invented))
        result = program(
            "extract", path, "--schema", FOLDER / scene / "schema.json", "--copy-from-source", "--max-tokens", 400
        )
        (row,) = lines(result.stdout)
        assert row["error"] is None or row["error"]["code"] == "BUDGET_TOKENS"
        assert "SEMANTIC_SPAN_NOT_FOUND" not in [fault["code"] for fault in row["faults"]]
        assert "Invented" not in row["raw"]
