"""The fifty-eight questions: their texts are judged by another validator, and Checkrail's answers are right."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

pytest.importorskip("resource", reason="the benchmarks need a POSIX system")

from checkrail import Grammar
from side_by_side import registry
from side_by_side.engine import Engine
from side_by_side.questions import Question, answer, job_of, read_questions, spellings, table
from side_by_side.replay import run_job
from side_by_side.token_table import TokenTable

QUESTIONS = read_questions()
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "questions.md"
CHECKED = jsonschema.FormatChecker()


def strict_json(text: str, number: type) -> object:
    """A text as JSON after RFC 8259 without repeated keys, in Unicode that can be written; ValueError otherwise."""

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key is repeated")
        return dict(pairs)

    value = json.loads(text, object_pairs_hook=members, parse_float=number)
    json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    return value


def is_valid(question: Question, text: str) -> bool:
    exact = "multipleOf" in str(question.schema)  # which the peer decides by float division
    number: type = Decimal if exact else float
    try:
        value = strict_json(text, number)
    except ValueError:
        return False
    if question.name == "pattern \\p{L}" and isinstance(value, str):  # which Python's expressions lack
        return value.isalpha()
    if question.name == "format email" and isinstance(value, str):  # the peer asks for no more than an at sign
        return re.fullmatch(r"[\w+-]+(\.[\w+-]+)*@\w+(\.\w+)+", value) is not None
    schema = json.loads(json.dumps(question.schema), parse_float=number)
    return jsonschema.Draft202012Validator(schema, format_checker=CHECKED).is_valid(value)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_texts_are_what_they_are_said_to_be(question: Question) -> None:
    assert [text for text in question.valid if not is_valid(question, text)] == []
    assert [text for text in question.invalid if is_valid(question, text)] == []


@cache
def engine_with(**options: Any) -> Engine:
    return registry.create("checkrail", TokenTable.of_bytes(), {"profile": "open", **options})


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_checkrail_answers_right(question: Question) -> None:
    record = run_job(engine_with(**question.options), job_of(question), lambda _: None)
    assert answer(question, record) == "ok"
    if question.refused is not None:
        assert record["error"].startswith(f"SchemaError: {question.refused}")
    if question.diagnosed is not None:
        (entry,) = [
            e
            for e in Grammar.from_json_schema(question.schema, profile="open").coverage.entries
            if e.keyword == question.diagnosed
        ]
        assert "did you mean" in entry.note


def test_there_are_fifty_eight() -> None:
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS) == 58


def test_both_spellings() -> None:
    assert spellings('{"a":[1,2]}') == ('{"a":[1,2]}', '{"a": [1, 2]}')
    assert spellings("01") == ("01", "01")
    assert spellings('{"a":1,"a":2}') == ('{"a":1,"a":2}',) * 2


def test_answers() -> None:
    question = Question("q", {}, ("1",), ("2",))

    def texts(*accepted: bool) -> dict[str, object]:
        return {"status": "ok", "texts": [{"accepted": a} for a in accepted]}

    assert answer(question, texts(True, False, False, False)) == "ok"
    assert answer(question, texts(False, False, False, False)) == "narrow"
    assert answer(question, texts(True, True, False, True)) == "silent"
    assert answer(question, {**texts(True, True, False, True), "left_to_check": 1}) == "reported"
    assert answer(question, texts(False, False, True, True)) == "wrong"
    assert answer(question, {"status": "refused"}) == "refused"
    assert table({"engine": ["ok"]}, [question]).endswith("| **ok** | 1 |")


def test_the_page_has_these_questions_and_answers() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    column = next(i for i, name in enumerate(rows[0]) if "checkrail" in name)
    answers = {row[0].removeprefix("| ").replace("\\|", "|"): row[column].strip(" |") for row in rows[2:]}
    assert answers.pop("**ok**") == "58"
    assert answers == {question.name: "ok" for question in QUESTIONS}
