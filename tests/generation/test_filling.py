"""Copied and computed strings from a schema to a text: nothing else can be written, whatever the model wants."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field

from checkrail import BudgetError, CalcEquation, InputError, Limits, extract, generate
from checkrail.boundary.binding.source import Source, read_sources
from checkrail.generation.filling import Filling
from checkrail.generation.output import Output
from checkrail.models.scripted import RandomModel, ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

Says = Callable[..., ScriptedModel]
LETTER = 'Dear Zoë Müller,\n\nyour order 4711 of 01.02.2024 (invoice 99 31.12.2023)\nis "ready". Acme Ltd\n'
NAME: dict[str, Any] = {"type": "string", "x-source": {"boundary": "word"}, "maxLength": 12}
DATE: dict[str, Any] = {"type": ["string", "null"], "x-source": {}, "pattern": r"^\d\d\.\d\d\.\d{4}$"}
SCHEMA = {
    "type": "object",
    "properties": {"name": NAME, "date": DATE, "lines": {"type": "array", "items": NAME, "maxItems": 3}},
    "required": ["name", "date"],
    "additionalProperties": False,
}

PAIR = {"type": "object", "properties": {"name": NAME, "date": DATE}, "required": ["name", "date"]}


def words(document: str, longest: int) -> set[str]:
    source = Source.read("document", document)
    spans = ((a, b) for a in range(len(document)) for b in range(a + 1, min(a + longest, len(document)) + 1))
    found = {
        document[a:b]
        for a, b in spans
        if any(s == (a, b) for s in source.find(document[a:b], "exact", boundary="word"))
    }
    return {text for text in found if text == text.strip()}


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_a_random_model_copies(vocabulary: Vocabulary, profile: str) -> None:
    output: Output[Any] = Output.of(SCHEMA, profile=profile)
    possible = words(LETTER, 12)
    completed = 0
    for seed in range(12):
        (row,) = extract(
            [LETTER], output, model=RandomModel(vocabulary, seed=seed), copy_from_source=True, max_tokens=200
        )
        if not row.complete or row.result is None:
            continue
        completed += 1
        value = row.result.unchecked_value
        assert isinstance(value, dict)
        assert value["name"] in possible
        assert value["date"] in ("01.02.2024", "31.12.2023", None)
        assert set(value.get("lines", ())) <= possible
        assert "SEMANTIC_SPAN_NOT_FOUND" not in [fault.code for fault in row.faults]
    assert completed > 5


def test_what_a_model_invents_becomes_a_copy(says: Says) -> None:
    model = says('{"name": "Zoë Meier", "date": "01.03.2023"}')
    (checked,) = extract([LETTER], PAIR, model=model)
    assert [fault.code for fault in checked.faults] == ["SEMANTIC_SPAN_NOT_FOUND"] * 2
    (copied,) = extract([LETTER], PAIR, model=model, copy_from_source=True)
    assert copied.value == {"name": "Zoë Müller", "date": "01.02.2024"}
    for span, text in zip(copied.spans, ("Zoë Müller", "01.02.2024"), strict=True):
        assert LETTER[span.start : span.end] == text
        assert LETTER.encode()[span.start_byte : span.end_byte].decode() == text


def test_a_document_without_a_copy(says: Says) -> None:
    model = says('{"name": "no", "date": "01.03.2023"}')
    without, empty, other = extract(["no date", "  \n ", "no 05.05.2005"], PAIR, model=model, copy_from_source=True)
    assert without.value == {"name": "no", "date": None}
    assert empty.error is not None
    assert (empty.error.code, empty.error.pointer) == ("COPY_NOTHING", "/properties/name")
    assert other.value == {"name": "no", "date": "05.05.2005"}


def test_what_is_missing_is_the_copy_that_is_asked_for(says: Says) -> None:
    properties = {"optional": NAME, "needed": {**NAME, "pattern": "^z"}, "too": {**NAME, "pattern": "^y"}}
    schema = {"type": "object", "properties": properties, "required": ["needed", "too"]}
    for row in extract([" ", "a", "yes", " "], schema, model=says("{}"), copy_from_source=True):
        assert row.error is not None
        assert (row.error.code, row.error.pointer) == ("COPY_NOTHING", "/properties/needed")


def test_it_may_take_two_that_are_missing(says: Says) -> None:
    one, two = NAME, {**NAME, "pattern": "^z"}
    branches = [
        {"type": "object", "properties": {"a": part}, "required": ["a"], "additionalProperties": False}
        for part in (one, two)
    ]
    (row,) = extract([" "], {"anyOf": branches}, model=says("{}"), copy_from_source=True)
    assert row.error is not None
    assert (row.error.code, row.error.pointer) == ("COPY_NOTHING", "/anyOf/0/properties/a")


def test_optional_properties_are_left_out_where_there_is_nothing(says: Says) -> None:
    properties = {"name": NAME, "date": {**DATE, "type": "string"}}
    schema = {"type": "object", "properties": properties, "required": ["name"]}
    model = says('{"name": "no", "date": "01.01.2001"}')
    (row,) = extract(["no"], schema, model=model, copy_from_source=True)
    assert row.value is not None
    assert "date" not in row.value


def test_a_document_that_is_too_large_costs_its_row_only(says: Says) -> None:
    model = says('{"name": "ab", "date": null}')
    limits = Limits(copied_bytes=100)
    large, small = extract(["ab " * 50, "ab"], PAIR, model=model, copy_from_source=True, limits=limits)
    assert large.error is not None
    assert large.error.code == "COPY_BUDGET"
    assert small.ok


def test_several_documents_and_none(says: Says) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {**NAME, "x-source": {"doc": "first"}}, "b": {**NAME, "x-source": {"doc": "second"}}},
        "required": ["a", "b"],
    }
    model = says('{"a": "two", "b": "one"}')
    documents = {"first": "one", "second": "two"}
    result = generate(model, "?", schema, documents=documents, copy_from_source=True)
    assert set(result.value["a"]) <= set("one")
    assert set(result.value["b"]) <= set("two")
    with pytest.raises(InputError, match="Document second"):
        generate(model, "?", schema, documents={"first": "one"}, copy_from_source=True)


def test_a_type_whose_fields_are_copied(says: Says) -> None:
    class Person(BaseModel):
        name: str = Field(json_schema_extra={"x-source": {"match": ["ws"]}})
        age: int

    (row,) = extract(["Ann\n  Lee, 7"], Person, model=says('{"name": "Ann Lee", "age": 7}'), copy_from_source=True)
    assert row.value == Person(name="Ann Lee", age=7)
    assert [(span.start, span.end, span.match) for span in row.spans] == [(0, 9, "ws")]


def test_the_digits_of_an_equation_are_not_the_models(says: Says) -> None:
    class Order(BaseModel):
        item: str
        total: CalcEquation

    result = generate(says('{"item": "tea", "total": "3 * (41.50 - 1) = 999"}'), "?", Order)
    assert result.text == '{"item": "tea", "total": "3 * (41.50 - 1) = 121.5"}'
    assert result.value == Order(item="tea", total=CalcEquation("3 * (41.50 - 1)"))


def test_an_equation_without_a_value_is_a_fault_of_the_type(says: Says) -> None:
    result = generate(says('"1/0 = 1"'), "?", CalcEquation)
    assert json.loads(result.text) == "1/0 = undefined"
    assert [fault.code for fault in result.faults] == ["SEMANTIC_RULE"]


def test_tokens_of_copies_are_not_counted(says: Says) -> None:
    model = says('{"name": "Ann", "date": null}')
    with pytest.raises(InputError) as caught:
        list(extract(["Ann"], PAIR, model=model, copy_from_source=True, complete=True))
    assert caught.value.params["name"] == "complete"
    (cut,) = extract(["Ann"], PAIR, model=model, copy_from_source=True, max_tokens=3)
    assert (cut.complete, cut.stop) == (False, "max_tokens")


def test_without_slots_there_is_no_filling(vocabulary: Vocabulary) -> None:
    assert Filling.of(Output.of({"type": "string"}), vocabulary, copies=True) is None
    assert Filling.of(Output.of(PAIR), vocabulary) is None
    assert repr(Filling.of(Output.of(PAIR), vocabulary, copies=True)) == "<Filling of 2 slots>"


def test_a_slot_must_have_a_place_of_its_own(vocabulary: Vocabulary) -> None:
    schema = {
        "$defs": {"free": {"type": "string"}},
        "type": "object",
        "properties": {"a": {"anyOf": [NAME, {"$ref": "#/$defs/free"}]}},
        "required": ["a"],
    }
    with pytest.raises(Exception, match="/properties/a/anyOf/0") as caught:
        Filling.of(Output.of(schema), vocabulary, copies=True)
    assert getattr(caught.value, "code", None) == "GRAMMAR_SLOTS"


def test_formats_and_listed_texts_narrow_a_copy(vocabulary: Vocabulary) -> None:
    text = "on 2024-02-01 or 2024-13-01, EUR or USD or CHF"
    schema = {
        "type": "object",
        "properties": {
            "day": {"type": "string", "x-source": {}, "format": "date"},
            "currency": {"type": "string", "x-source": {"boundary": "word"}, "enum": ["EUR", "GBP", "CHF"]},
        },
        "required": ["day", "currency"],
        "additionalProperties": False,
    }
    filling = Filling.of(Output.of(schema, whitespace="compact"), vocabulary, copies=True)
    assert filling is not None
    matcher = filling.matcher(read_sources({"document": text}))
    assert matcher.find_jump_forward_bytes() == b'{"day":"2024-02-01","currency":"'
    assert matcher.accept_bytes(b'{"day":"2024-02-01","currency":"')
    assert matcher.next_bytes() == b"CE"


def test_the_budget_of_a_pattern_beside_a_document(vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkrail.ondemand.copied.MOST_STEPS", 100)
    schema = {"type": "string", "x-source": {}, "pattern": "a.*z"}
    filling = Filling.of(Output.of(schema), vocabulary, copies=True)
    assert filling is not None
    with pytest.raises(BudgetError) as caught:
        filling.matcher(read_sources({"document": "a" * 400}))
    assert caught.value.code == "COPY_BUDGET"
