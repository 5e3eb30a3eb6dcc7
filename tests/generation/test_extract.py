"""One row for each document, whatever becomes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import pytest
from pydantic import BaseModel

from checkrail.decoding.sampling import Sampling
from checkrail.decoding.stream import End, Event
from checkrail.errors import InputError, SamplingError, SchemaError
from checkrail.generation.documents import InputRow
from checkrail.generation.extract import extract
from checkrail.models.scripted import RandomModel, ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

Says = Callable[..., ScriptedModel]
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-source": {"doc": "document"}},
        "age": {"type": "integer", "maximum": 120},
    },
    "required": ["name", "age"],
}


class Person(BaseModel):
    name: str
    age: int


def test_a_row_has_all_that_is_promised(says: Says) -> None:
    (row,) = extract(["Zoë, 7"], SCHEMA, model=says('{"name": "Zoë", "age": 7}'))
    data = json.loads(json.dumps(row.to_json()))
    usage = data.pop("usage")
    assert data == {
        "schema_version": 1,
        "row": "1",
        "sha256": sha256("Zoë, 7".encode()).hexdigest(),
        "complete": True,
        "ok": True,
        "stop": "grammar_complete",
        "error": None,
        "value": {"name": "Zoë", "age": 7},
        "raw": '{"name": "Zoë", "age": 7}',
        "faults": [],
        "spans": [
            {
                "pointer": "/name",
                "doc": "document",
                "doc_sha256": data["sha256"],
                "start": 0,
                "end": 3,
                "start_byte": 0,
                "end_byte": 4,
                "match": "exact",
                "occurrences": 1,
                "output_span": [9, 14],
            }
        ],
    }
    assert usage["tokens"] == row.result.usage.tokens if row.result else None
    assert {"prompt_tokens", "forced_tokens", "mask_microseconds_median", "model_microseconds"} <= set(usage)


def test_typed_rows(says: Says) -> None:
    (row,) = extract(["?"], Person, model=says('{"name": "Zoë", "age": 7}'))
    assert row.value == Person(name="Zoë", age=7)


def test_faults_withhold_the_value(says: Says) -> None:
    (row,) = extract(["Ann"], SCHEMA, model=says('{"name": "Zoë", "age": 999}'))
    assert (row.ok, row.complete, row.value) == (False, True, None)
    assert [fault.code for fault in row.faults] == ["SEMANTIC_SPAN_NOT_FOUND", "SEMANTIC_RANGE"]
    assert row.to_json()["value"] is None
    assert row.to_json()["raw"] == '{"name": "Zoë", "age": 999}'


def test_a_cut_output_is_incomplete_and_no_value(says: Says) -> None:
    (row,) = extract(["?"], {"type": "integer"}, model=says("12345"), max_tokens=3)
    assert (row.complete, row.ok, row.value, row.text, row.stop) == (False, False, None, "123", "max_tokens")
    data = row.to_json()
    assert data["value"] is None
    assert data["error"]["code"] == "BUDGET_TOKENS"


def test_a_row_that_fails_does_not_stop_the_others(says: Says) -> None:
    documents = ["a", InputRow("bad", error=InputError("INPUT_FORMAT", name="f, row 2", what="x")), "b" * 500, "c"]
    rows = list(extract(documents, {"type": "integer"}, model=says("1", context_size=300)))
    assert [row.value for row in rows] == [1, None, None, 1]
    assert [row.error and row.error.code for row in rows] == [None, "INPUT_FORMAT", "CONTEXT_OVERFLOW", None]
    assert [row.id for row in rows] == ["1", "bad", "3", "4"]
    assert rows[1].to_json()["usage"] is None
    assert rows[2].stop is None


def test_what_the_reader_raises_comes_after_the_rows_before(says: Says) -> None:
    def documents() -> Iterator[str]:
        yield "a"
        raise InputError("INPUT_ENCODING", name="f", offset=3)

    rows = extract(documents(), {"type": "integer"}, model=says("1"))
    assert next(rows).value == 1
    with pytest.raises(InputError, match="INPUT_ENCODING"):
        next(rows)


def test_what_concerns_all_rows_is_raised_before_the_first(says: Says) -> None:
    def documents() -> Iterator[str]:
        pytest.fail("no document may be read")
        yield ""

    model = says("1")
    for schema, code in (
        ({"type": "object", "patternProperties": {}}, "SCHEMA_KEYWORD_UNSUPPORTED"),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "SCHEMA_CONFLICT"),
        ({"requred": []}, "SCHEMA_KEYWORD_UNSUPPORTED"),
        ({"type": "strin"}, "SCHEMA_SYNTAX"),
        ({"$ref": "#/$defs/none"}, "SCHEMA_REF"),
    ):
        with pytest.raises(SchemaError) as caught:
            extract(documents(), schema, model=model)
        assert caught.value.code == code
        assert caught.value.pointer is not None
    with pytest.raises(InputError):
        extract(documents(), None, model=model)
    for options in ({"max_tokens": 0}, {"time_limit": 0.0}, {"sampling": Sampling(forbidden=[10**6])}):
        with pytest.raises(SamplingError):
            extract(documents(), SCHEMA, model=model, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="Example 1"):
        extract(documents(), SCHEMA, model=model, examples=[("doc", "[]")])


def test_a_document_draws_the_same_numbers_whatever_stands_around_it(vocabulary: Vocabulary) -> None:
    def texts(documents: Sequence[str], seed: int) -> dict[str, str]:
        options: dict[str, Any] = {"sampling": Sampling(temperature=2.0), "seed": seed, "max_tokens": 20}
        rows = extract(documents, {"type": "string"}, model=RandomModel(vocabulary), **options)
        return {document: row.text for document, row in zip(documents, rows, strict=True)}

    first, again = texts(["a", "b", "c"], 1), texts(["c", "a"], 1)
    assert first["c"] == again["c"]
    assert first["a"] == again["a"]
    assert texts(["a"], 2)["a"] != first["a"]


def test_events_are_told(says: Says) -> None:
    told: list[tuple[str, Event]] = []
    list(
        extract(["a", "b"], int, model=says("1"), on_event=lambda document, event: told.append((document.text, event)))
    )
    assert [text for text, event in told if isinstance(event, End)] == ["a", "b"]


def test_the_model_is_never_asked_twice(vocabulary: Vocabulary) -> None:
    calls: list[tuple[int, ...]] = []

    class Counting(ScriptedModel):
        def logits(self, ids: Sequence[int], /) -> Any:
            calls.append(tuple(ids))
            return super().logits(ids)

    list(extract(["x"], SCHEMA, model=Counting(vocabulary, '{"name": "nowhere", "age": 999}')))
    assert len(calls) == len(set(calls))
