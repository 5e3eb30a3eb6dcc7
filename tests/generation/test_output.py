"""What may be asked for, and what becomes of a text."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import uuid
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import pytest
from pydantic import BaseModel, ConfigDict, Field, PastDate, field_validator
from typing_extensions import TypedDict

from checkrail.boundary.validate import check_output
from checkrail.decoding.constraint import compile
from checkrail.errors import InputError, SchemaError
from checkrail.generation.output import Output
from checkrail.grammar.grammar import Grammar
from checkrail.vocabulary.vocabulary import Vocabulary


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Owner(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")


class Tree(BaseModel):
    label: str
    children: list[Tree] = []


class Address(BaseModel):
    model_config = ConfigDict(extra="forbid")
    zip_code: str = Field(alias="zip", pattern="^[0-9]{5}$")


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0


class Movie(TypedDict):
    title: str
    year: int


class Pair(NamedTuple):
    left: int
    right: str


# (the type, texts that it takes with their values, texts that its mask refuses)
TYPES: list[tuple[Any, dict[str, Any], list[str]]] = [
    (int, {"-12": -12}, ["1.5", "true", '"1"', "012"]),
    (str, {'"é\\n"': "é\n"}, ["1", '"a', "null"]),
    (float, {"1.50": 1.5, "2": 2.0}, ["NaN", '"1"']),
    (bool, {"true": True}, ["1", '"true"']),
    (Literal["a", 1, None], {'"a"': "a", "1": 1, "null": None}, ['"b"', "2"]),
    (list[int], {"[]": [], "[1, 2]": [1, 2]}, ["[1,2]", "[1, ]", '["1"]']),
    (int | None, {"null": None, "3": 3}, ["3.5"]),
    (tuple[int, str], {'[1, "a"]': (1, "a")}, ["[1]", '["a", 1]', '[1, "a", 2]']),
    (set[int], {"[2, 1]": {1, 2}}, ["{}"]),
    (Color, {'"red"': Color.RED}, ['"green"', '"RED"']),
    (datetime.date, {'"2026-02-28"': datetime.date(2026, 2, 28)}, ['"28.02.2026"', '"2026-13-01"']),
    (uuid.UUID, {f'"{uuid.UUID(int=7)}"': uuid.UUID(int=7)}, ['"7"']),
    (Decimal, {"1.10": Decimal("1.1"), '"1.10"': Decimal("1.10")}, ["true"]),
    (
        Owner,
        {'{"pet": {"kind": "cat", "lives": 9}}': Owner(pet=Cat(kind="cat", lives=9))},
        ['{"pet": {"kind": "dog", "lives": 9}}'],
    ),
    (
        Tree,
        {'{"label": "a", "children": [{"label": "b"}]}': Tree(label="a", children=[Tree(label="b")])},
        ['{"label": "a", "children": [1]}'],
    ),
    (
        Address,
        {'{"zip": "01234"}': Address(zip="01234")},
        ['{"zip_code": "01234"}', '{"zip": "1234"}', '{"zip": "01234", "a": 1}'],
    ),
    (Point, {'{"x": 1, "y": 2.5}': Point(1, 2.5), '{"x": 1}': Point(1)}, ['{"y": 2.5, "x": 1}', "{}"]),
    (Movie, {'{"title": "M", "year": 1931}': {"title": "M", "year": 1931}}, ['{"title": "M"}']),
    (Pair, {'[1, "a"]': Pair(1, "a")}, ['{"left": 1, "right": "a"}']),
    (list[Cat | Dog], {'[{"kind": "dog", "name": "Rex"}]': [Dog(kind="dog", name="Rex")]}, ['[{"kind": "bat"}]']),
]


@pytest.mark.parametrize(("annotation", "good", "bad"), TYPES, ids=lambda value: getattr(value, "__name__", None))
def test_types(annotation: Any, good: dict[str, Any], bad: list[str], vocabulary: Vocabulary) -> None:
    output: Output[Any] = Output.of(annotation)
    assert output.grammar is not None
    constraint = compile(output.grammar, vocabulary)
    for text, value in good.items():
        assert constraint.matcher().explain(text.encode()) is None
        checked = output.check(text)
        assert checked.report is not None
        assert checked.report.faults == ()
        assert checked.value == value
        assert type(checked.value) is type(value)
    for text in bad:
        assert constraint.matcher().explain(text.encode()) is not None


@pytest.mark.parametrize(("annotation", "good", "bad"), TYPES, ids=lambda value: getattr(value, "__name__", None))
def test_values_are_written_as_the_grammar_takes_them(
    annotation: Any, good: dict[str, Any], bad: list[str], vocabulary: Vocabulary
) -> None:
    output: Output[Any] = Output.of(annotation)
    assert output.grammar is not None
    for value in good.values():
        if not isinstance(value, str):
            text = output.write(value)
            assert compile(output.grammar, vocabulary).matcher().explain(text.encode()) is None
            assert output.check(text).value == value


def test_what_only_the_type_knows_is_a_fault_with_its_place() -> None:
    class Bill(BaseModel):
        item: str
        paid: PastDate

    output = Output.of(Bill)
    text = '{"item": "tea", "paid": "9000-01-01"}'
    checked = output.check(text)
    assert checked.value is None
    assert checked.report is not None
    assert check_output(text, output.json_schema or {}).ok  # the schema alone does not see it
    (fault,) = {fault.code: fault for fault in checked.report.faults}.values()
    assert (fault.code, fault.pointer) == ("SEMANTIC_RULE", "/paid")
    assert fault.output_span is not None
    assert text[slice(*fault.output_span)] == '"9000-01-01"'
    assert fault.params["rule"] == "date_past"


def test_a_validator_that_objects_or_breaks_is_a_fault() -> None:
    class Strange(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def check(cls, value: int) -> int:
            if value == 1:
                raise ValueError("one is too few")
            raise KeyError("a defect of the caller's")

    output = Output.of(Strange)
    objected, broke = output.check('{"n": 1}').report, output.check('{"n": 2}').report
    assert objected is not None
    assert "one is too few" in objected.faults[0].message
    assert broke is not None
    assert broke.faults[0].params["rule"] == "KeyError"


def test_a_schema_fault_comes_before_the_type_is_asked() -> None:
    class Age(BaseModel):
        age: int = Field(le=120)

    report = Output.of(Age).check('{"age": 999}').report
    assert report is not None
    assert [fault.code for fault in report.faults] == ["SEMANTIC_RANGE"]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


@pytest.mark.parametrize(
    ("annotation", "pointer"), [(dict[str, int], "/additionalProperties"), (Open, "/additionalProperties")]
)
def test_what_the_profile_refuses_is_passed_on_with_its_pointer(annotation: Any, pointer: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Output.of(annotation)
    assert (caught.value.code, caught.value.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", pointer)


@pytest.mark.parametrize("annotation", [42, object(), list["NoSuchType"]])  # type: ignore[name-defined]  # noqa: F821
def test_what_is_no_type_is_refused(annotation: Any) -> None:
    with pytest.raises(InputError) as caught:
        Output.of(annotation)
    assert caught.value.code == "INPUT_FORMAT"


@pytest.mark.parametrize("schema", [{"type": "integer"}, '{"type": "integer"}', b'{"type": "integer"}'])
def test_schemas_in_each_form(schema: Any) -> None:
    checked = Output.of(schema).check("7")
    assert checked.value == 7


def test_grammars_and_free_text_are_their_text() -> None:
    grammar = Grammar.from_choice(["yes", "no"])
    assert Output.of(grammar).check("yes").value == "yes"
    assert Output.of(None).check("anything").value == "anything"
    assert Output.of(grammar).grammar is grammar
    with pytest.raises(InputError):
        Output.of(None).required_grammar()


def test_an_output_stays_itself() -> None:
    output = Output.of(int)
    assert Output.of(output) is output


def test_whitespace_and_bounds_reach_the_grammar(vocabulary: Vocabulary) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]}
    loose, tight = Output.of(schema), Output.of(schema, whitespace="compact", enforce_bounds=True)
    assert loose.grammar is not None
    assert tight.grammar is not None
    first, second = (compile(g, vocabulary).matcher() for g in (loose.grammar, tight.grammar))
    assert first.explain(b'{"n": 12}') is None
    assert second.explain(b'{"n":9}') is None
    assert second.explain(b'{"n":12}') is not None
    assert tight.write({"n": 9}) == '{"n":9}'


def test_fractions_of_zeros_are_an_option(vocabulary: Vocabulary) -> None:
    for target in ({"type": "integer"}, int):
        given: Output[Any] = Output.of(target, profile="open", integer_fractions=True)
        assert given.grammar is not None
        assert compile(given.grammar, vocabulary).matcher().explain(b"7.0") is None
        assert given.check("7.0").value == 7
    refused = Output.of({"type": "integer"}, profile="open")
    assert refused.grammar is not None
    assert compile(refused.grammar, vocabulary).matcher().explain(b"7.0") is not None
    with pytest.raises(InputError):
        Output.of({"type": "integer"}, integer_fractions=True)


@pytest.mark.parametrize("profile", ["strict", "open"])
@pytest.mark.parametrize("as_text", [False, True])
def test_a_schema_may_refer_to_documents_of_a_registry(vocabulary: Vocabulary, profile: str, as_text: bool) -> None:
    schema: Any = {"$ref": "https://example.com/price", "$schema": "https://json-schema.org/draft/2020-12/schema"}
    document = '{"type": "number", "minimum": 0.5, "multipleOf": 0.1, "$id": "https://example.com/price"}'
    registry = {"https://example.com/price": document, "https://example.com/other": {"type": "nothing"}}
    output = Output.of(
        json.dumps(schema) if as_text else schema, profile=profile, registry=registry, enforce_bounds=True
    )
    assert output.check("0.7").value == 0.7
    report = output.check("0.4").report
    assert report is not None
    assert not report.ok
    assert output.grammar is not None
    matcher = compile(output.grammar, vocabulary).matcher()
    assert matcher.explain(b"0.7") is None
    assert matcher.explain(b"0.4") is not None
    assert output.slots(copies=True) is not None
    with pytest.raises(SchemaError) as caught:
        Output.of(schema, profile=profile)
    assert caught.value.code == "SCHEMA_REF"
    alone = {"type": "integer"}
    assert Output.of(alone, registry=registry).json_schema == alone


def test_what_json_cannot_say_is_no_example() -> None:
    with pytest.raises(InputError):
        Output.of({"type": "number"}).write(float("nan"))
    with pytest.raises(InputError):
        Output.of(Point).write(Color.RED)
