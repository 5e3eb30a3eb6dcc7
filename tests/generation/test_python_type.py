"""Pydantic's judgement, brought to the places of a JSON text."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, model_validator

from checkrail.boundary.validate import check_output
from checkrail.errors import InputError
from checkrail.generation.python_type import PythonType


class Line(BaseModel):
    amount: float = Field(alias="sum")

    @model_validator(mode="after")
    def check(self) -> Line:
        if self.amount < 0:
            raise ValueError("negative")
        return self


class Bill(BaseModel):
    lines: list[Line | bool]


def judged(annotation: Any, text: str) -> tuple[Any, list[tuple[str, str]]]:
    """The value and (pointer, text at the place) of each fault."""
    python_type = PythonType(annotation)
    report, value = python_type.convert(text, check_output(text, python_type.json_schema))
    places = [(f.pointer, text[slice(*f.output_span)] if f.output_span else "") for f in report.faults]
    return value, places


def test_a_value() -> None:
    value, places = judged(Bill, '{"lines": [{"sum": 1.0}, true]}')
    assert value == Bill(lines=[Line(sum=1.0), True])
    assert places == []


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (Annotated[str, Field(pattern="(")], "regex parse error"),
        (Annotated[Decimal, Field(decimal_places=-1)], "negative"),
        (object(), "Unable to generate pydantic-core schema"),
    ],
)
def test_what_pydantic_makes_nothing_of_is_refused_with_its_reason(annotation: Any, reason: str) -> None:
    with pytest.raises(InputError, match=rf"INPUT_FORMAT: The output type: .*{reason}.*[^.]\.$"):
        PythonType(annotation)


def test_places_in_unions_and_lists_behind_aliases() -> None:
    value, places = judged(Bill, '{"lines": [true, {"sum": -1.0}]}')
    assert value is None
    assert ("/lines/1", '{"sum": -1.0}') in places


def test_faults_come_in_the_order_of_the_text() -> None:
    _, places = judged(list[Line], '[{"sum": -2.0}, {"sum": 1.0}, {"sum": -1.0}]')
    assert [pointer for pointer, _ in places] == ["/0", "/2"]


def test_instances_become_plain_data_by_their_aliases() -> None:
    assert PythonType(Bill).plain(Bill(lines=[Line(sum=2.5)])) == {"lines": [{"sum": 2.5}]}
    with pytest.raises(InputError):
        PythonType(Line).plain(object())
