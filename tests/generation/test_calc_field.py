"""`Calc` as a field: the schema, the mask, the value, and what has no value."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from checkrail import Calc, CalcEquation, CalcError, generate
from checkrail.generation.output import Output
from checkrail.models.scripted import ScriptedModel


class Order(pydantic.BaseModel):
    item: str
    total: Calc
    discount: Calc | None = None


class Item(pydantic.BaseModel):
    item: str
    total: Calc


def test_by_itself() -> None:
    price = Calc("3 * 41.50")
    assert (price.expression, price.value) == ("3 * 41.50", 124.5)
    assert price == Calc("3 * 41.50")
    assert price != Calc("124.5")
    assert hash(price) == hash(Calc("3 * 41.50"))
    assert repr(price) == "Calc(expression='3 * 41.50', value=124.5)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        price.value = 1.0  # type: ignore[misc]
    with pytest.raises(CalcError) as caught:
        Calc("1/0")
    assert caught.value.code == "CALC_DIV_ZERO"


def test_the_schema_is_a_string_of_the_grammar() -> None:
    schema = Output.of(Order).json_schema
    assert isinstance(schema, dict)
    assert schema["properties"]["total"] == {"title": "Total", "type": "string", "x-grammar": "calc/1"}
    assert Output.of(Calc).json_schema == {"type": "string", "x-grammar": "calc/1"}


def test_generated(says: Callable[..., ScriptedModel]) -> None:
    result = generate(says('{"item": "tea", "total": "3 * (41.50 - 1)"}'), "An order", Order)
    assert result.ok
    assert result.value is not None
    assert result.value.total.value == 121.5


def test_a_malformed_expression_cannot_be_written(says: Callable[..., ScriptedModel]) -> None:
    result = generate(says('{"item": "tea", "total": "(3 x 41.50 EUR"}'), "An order", Item)
    assert result.text.startswith('{"item": "tea", "total": "(3')
    assert result.text.endswith('"}')
    assert result.value is not None
    assert result.value.total.expression == result.text[26:-2]


@pytest.mark.parametrize(
    ("expression", "code", "what"),
    [
        ("1/0", "SEMANTIC_RULE", "Division by zero"),
        ("sqrt(0-1)", "SEMANTIC_RULE", "The result is not a real number (square root of a negative number)"),
        ("1e308*10", "SEMANTIC_RULE", "The result is too large for a 64-bit float"),
        ("1/", "SEMANTIC_FORMAT", None),
    ],
)
def test_an_expression_without_a_value_is_a_fault(expression: str, code: str, what: str | None) -> None:
    checked = Output.of(Order).check(f'{{"item": "tea", "total": "{expression}"}}')
    assert checked.value is None
    assert checked.report is not None
    (fault,) = checked.report.faults
    assert (fault.code, fault.pointer, fault.params.get("what")) == (code, "/total", what)


def test_it_is_written_as_its_expression() -> None:
    order = Order(item="tea", total=Calc("2^3"))
    assert Output.of(Order).write(order) == '{"item": "tea", "total": "2^3", "discount": null}'
    assert order.model_dump() == {"item": "tea", "total": "2^3", "discount": None}
    assert Order.model_validate_json(order.model_dump_json()) == order


def test_python_data_is_an_instance_or_a_text() -> None:
    assert Order(item="tea", total="2^3").total.value == 8.0  # type: ignore[arg-type]
    bad: Any
    for bad in (8, None, "2^"):
        with pytest.raises(pydantic.ValidationError):
            Order(item="tea", total=bad)


def test_an_equation_by_itself() -> None:
    price = CalcEquation("3 * 41.50")
    assert (price.expression, price.value, price.text) == ("3 * 41.50", 124.5, "3 * 41.50 = 124.5")
    assert price != Calc("3 * 41.50")
    assert repr(price) == "CalcEquation(expression='3 * 41.50', value=124.5)"
    with pytest.raises(CalcError):
        CalcEquation("1/0")


class Sum(pydantic.BaseModel):
    total: CalcEquation


def test_an_equation_in_a_model() -> None:
    assert Output.of(CalcEquation).json_schema == {"type": "string", "x-grammar": "calc-equation/1"}
    order = Sum(total=CalcEquation("2^3"))
    assert Output.of(Sum).write(order) == '{"total": "2^3 = 8"}'
    assert Sum.model_validate_json(order.model_dump_json()) == order
    assert Sum(total="2^3 = 8") == order  # type: ignore[arg-type]
    bad: Any
    for bad in (8, "2^3", "2^3 = 9", Calc("2^3")):
        with pytest.raises(pydantic.ValidationError):
            Sum(total=bad)


@pytest.mark.parametrize(
    ("text", "code"), [("1/0 = undefined", "SEMANTIC_RULE"), ("1+1 = 3", "SEMANTIC_FORMAT"), ("1+1", "SEMANTIC_FORMAT")]
)
def test_an_equation_is_checked_whoever_wrote_it(text: str, code: str) -> None:
    checked = Output.of(Sum).check(f'{{"total": "{text}"}}')
    assert checked.report is not None
    assert [(fault.code, fault.pointer) for fault in checked.report.faults] == [(code, "/total")]
