"""Annotations and their schemas: every kind, its way there and back, and what has none."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict

import jsonschema
import pytest

from checkrail.boundary.tools.types import Len, NoSchema, Pattern, Range, shape_of
from checkrail.boundary.validation.closed_schema import open_place


@dataclass
class Point:
    x: int
    label: str | None


class Options(TypedDict, total=False):
    deep: Required[list[Point]]
    fast: bool


class Whole(TypedDict):
    name: str
    note: NotRequired[str]


@dataclass
class Endless:
    inner: Endless | None


@dataclass
class WithDefault:
    items: list[int] = field(default_factory=list)


@dataclass
class Hidden:
    number: int = field(init=False)


class Unreadable(TypedDict):
    name: Missing  # type: ignore[name-defined]  # noqa: F821


GOOD: list[tuple[Any, Any, Any]] = [
    (bool, True, True),
    (int, 2**53 - 1, 2**53 - 1),
    (float, 5, 5.0),
    (str, "a", "a"),
    (None, None, None),
    (Literal["a", "b"], "b", "b"),
    (Literal[1, 2], 2, 2),
    (list[int], [1, 2], [1, 2]),
    (str | None, None, None),
    (list[Point] | None, [{"x": 1, "label": None}], [Point(1, None)]),
    (Point, {"x": 1, "label": "a"}, Point(1, "a")),
    (Options, {"deep": [{"x": 1, "label": "a"}]}, {"deep": [Point(1, "a")]}),
    (Whole, {"name": "a"}, {"name": "a"}),
    (Annotated[str, Len(1, 3), Pattern("^a"), "words"], "abc", "abc"),
    (Annotated[list[int], Len(1, 2)], [1], [1]),
    (Annotated[int, Range(1, 5)], 5, 5),
    (Annotated[float, Range(0, 0.5)], 0.25, 0.25),
]


@pytest.mark.parametrize(("annotation", "plain", "value"), GOOD)
def test_there_and_back(annotation: Any, plain: Any, value: Any) -> None:
    shape = shape_of(annotation)
    jsonschema.Draft202012Validator.check_schema(dict(shape.schema))
    jsonschema.validate(plain, shape.schema)
    assert open_place(json.loads(json.dumps(shape.schema))) is None
    decoded = shape.decode(plain)
    assert decoded == value
    assert type(decoded) is type(value)
    assert shape.encode(decoded) == plain


REFUSED_VALUES: list[tuple[Any, Any]] = [
    (int, 2**53),
    (int, True),
    (int, "5"),
    (bool, "yes"),
    (str, 5),
    (list[int], "[1]"),
    (Literal["a", "b"], "c"),
    (Point, {"x": 1, "label": "a", "more": 1}),
    (Point, {"x": 1}),
    (Options, {"fast": True}),
    (Whole, {"name": "a", "other": 1}),
    (Annotated[str, Len(1, 3)], "abcd"),
    (Annotated[str, Pattern("^a")], "ba"),
    (Annotated[list[int], Len(1, 2)], []),
    (Annotated[int, Range(1, 5)], 6),
]


@pytest.mark.parametrize(("annotation", "plain"), REFUSED_VALUES)
def test_the_schema_refuses_what_the_type_does_not_mean(annotation: Any, plain: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, shape_of(annotation).schema)


@pytest.mark.parametrize(
    ("annotation", "why"),
    [
        (dict, "no closed schema"),
        (dict[str, int], "no closed schema"),
        (Any, "no closed schema"),
        (object, "no closed schema"),
        (list, "no closed schema"),
        (tuple[int, int], "no closed schema"),
        (bytes, "no closed schema"),
        (int | str, "a union"),
        (int | str | None, "a union"),
        (Literal["a", 1], "a Literal"),
        (Literal[True], "a Literal"),
        (Literal[2**60], "beyond 2"),
        (Endless, "holds itself"),
        (WithDefault, "have defaults"),
        (Hidden, "not an argument"),
        (Unreadable, "cannot be read"),
        (list[dict], "no closed schema"),
        (Annotated[int, Len(1, 2)], "Len, which says nothing about integer"),
        (Annotated[str, Range(1, 2)], "says nothing about string"),
        (Annotated[bool, Pattern("a")], "says nothing about boolean"),
        (Annotated[int, 5], "annotated with int"),
        (Annotated[int | None, Range(1, 2)], "says nothing about such a type"),
        (Annotated[str, Len(3, 1)], "empty range"),
    ],
)
def test_what_has_no_schema_says_why(annotation: Any, why: str) -> None:
    with pytest.raises(NoSchema, match=why):
        shape_of(annotation)


def test_a_fault_in_a_field_names_the_field() -> None:
    @dataclass
    class Outer:
        inner: set[int]

    with pytest.raises(NoSchema, match=r"has a field inner that has the type set\[int\]"):
        shape_of(Outer)


def test_a_result_of_another_type_is_left_for_the_check() -> None:
    assert shape_of(Point).encode({"x": 1}) == {"x": 1}
    assert shape_of(list[Point]).encode(5) == 5
    assert shape_of(Whole).encode({"name": "a", "extra": 1}) == {"name": "a", "extra": 1}
    assert shape_of(Whole).encode(None) is None
