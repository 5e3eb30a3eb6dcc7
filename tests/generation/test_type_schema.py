"""What a mask made from a type lets through is a value of that type: random walks, judged by the type itself."""

from __future__ import annotations

import dataclasses
import datetime
import random
import uuid
from decimal import Decimal
from enum import Enum
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Required

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter, field_validator
from typing_extensions import TypedDict

from checkrail import Constraint, Vocabulary, compile
from checkrail.generation.output import Output

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b""], eos=256)


class Colour(Enum):
    RED = "red"
    TWO = 2


CLOSED = pydantic.ConfigDict(extra="forbid")  # other keys make texts long


class Movie(TypedDict):
    __pydantic_config__ = CLOSED
    year: Required[Annotated[int, Field(ge=1888, le=2100)]]
    title: NotRequired[Annotated[str, Field(max_length=5)]]


@dataclasses.dataclass
class Point:
    __pydantic_config__ = CLOSED
    x: int
    y: Annotated[float, Field(ge=0, le=1)] = 1.0
    tags: Annotated[list[bool], Field(max_length=2)] = dataclasses.field(default_factory=list)


class Invoice(BaseModel):
    model_config = CLOSED
    total: Annotated[Decimal, Field(max_digits=5, decimal_places=2)]
    due: datetime.date
    colour: Colour
    kind: Literal[1, "a", None]
    key: uuid.UUID | None = None


TYPES: dict[str, Any] = {
    "decimal": Decimal,
    "decimal of digits and places": Annotated[Decimal, Field(max_digits=5, decimal_places=2)],
    "decimal of digits": Annotated[Decimal, Field(max_digits=4)],
    "decimal of places": Annotated[Decimal, Field(decimal_places=3)],
    "decimal below one": pydantic.condecimal(max_digits=2, decimal_places=2),
    "decimal in a range": pydantic.condecimal(ge=0, lt=Decimal("12.5")),
    "decimal multiples": pydantic.condecimal(multiple_of=Decimal("0.25"), gt=0, le=3),
    "date": datetime.date,
    "datetime": datetime.datetime,
    "aware": pydantic.AwareDatetime,
    "naive": pydantic.NaiveDatetime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "uuid": uuid.UUID,
    "bytes": bytes,
    "few bytes": Annotated[bytes, Field(max_length=3)],
    "base64": pydantic.Base64Bytes,
    "base64url": pydantic.Base64UrlBytes,
    "path": Path,
    "secret": pydantic.SecretStr,
    "url": pydantic.HttpUrl,
    "database": pydantic.MySQLDsn,
    "stripped": pydantic.constr(strip_whitespace=True, min_length=2),
    "bounded string": pydantic.constr(min_length=2, max_length=4, pattern="^[a-c]+$"),
    "address": pydantic.IPvAnyAddress,
    "ipv4": IPv4Address,
    "ipv6": IPv6Address,
    "enum": Colour,
    "literal": Literal[1, "a", None, True],
    "fives": pydantic.conint(multiple_of=5, ge=-10),
    "unit interval": pydantic.confloat(ge=0, le=1),
    "tuple": tuple[int, str],
    "optional": int | None,
    "typed dict": Movie,
    "dataclass": Point,
    "model": Invoice,
}
KEYS: dict[str, Any] = {
    "int": int,
    "float": float,
    "decimal": Decimal,
    "bool": bool,
    "date": datetime.date,
    "uuid": uuid.UUID,
    "enum": Colour,
    "literal": Literal["a", "b"],
    "pattern": Annotated[str, Field(pattern="^[a-z]+$")],
    "pattern and length": Annotated[str, Field(pattern="^[a-z]+$", max_length=3)],
}


@cache
def constraint_of(name: str) -> tuple[Output[Any], Constraint]:
    output: Output[Any] = Output.of(TYPES[name], profile="open", whitespace="compact")
    assert output.grammar is not None
    return output, compile(output.grammar, BYTES)


def walk(constraint: Constraint, choose: random.Random) -> str:
    """A random text of the constraint: any byte that is allowed, and an end where that is allowed."""
    matcher = constraint.matcher()
    text = bytearray()
    while not (matcher.is_completed() and (choose.random() < 0.4 or not matcher.next_bytes())):
        allowed = matcher.next_bytes()
        closing = [byte for byte in allowed if byte in b'"}],']
        byte = choose.choice(closing if closing and len(text) > 30 else allowed)
        assert matcher.accept_bytes(bytes([byte]))
        text.append(byte)
    return text.decode("utf-8")


@pytest.mark.parametrize("name", TYPES)
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_walks_are_values(name: str, seed: int) -> None:
    output, constraint = constraint_of(name)
    text = walk(constraint, random.Random(seed))
    checked = output.check(text)
    assert checked.report.ok, (text, checked.report.faults)
    TypeAdapter(TYPES[name]).validate_json(text)


@pytest.mark.parametrize("name", KEYS)
def test_keys(name: str) -> None:
    output: Output[Any] = Output.of(dict[KEYS[name], int], profile="open", whitespace="compact")
    assert output.grammar is not None
    constraint = compile(output.grammar, BYTES)
    choose = random.Random(7)
    for _ in range(25):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(b'{"')
        key = bytearray()
        while b'"'[0] not in (allowed := matcher.next_bytes()) or choose.random() < 0.5:
            key.append(choose.choice([byte for byte in allowed if byte not in b'"\\'] or [0x22]))
            if key[-1] == 0x22:
                key.pop()
                break
            assert matcher.accept_bytes(key[-1:])
        text = f'{{"{key.decode("utf-8")}":1}}'
        TypeAdapter(dict[KEYS[name], int]).validate_json(text)
        assert output.check(text).report.ok, text


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        (
            "decimal of digits and places",
            ["999.99", '"0.10"', "-1.5"],
            ["1000", '"1000.00"', "0.001", '"abc"', '"1e2"'],
        ),
        ("decimal of digits", ['"1234"', '"0.1234"', '"12.34"'], ['"12345"', '"0.12345"', '"1234.5"']),
        ("decimal in a range", ["0", "12.4"], ["12.5", "-0.1", '"7"']),
        ("date", ['"0001-01-01"', '"2024-02-29"'], ['"0000-01-01"', '"2023-02-29"']),
        ("datetime", ['"2024-12-31T23:59:59Z"'], ['"2016-12-31T23:59:60Z"', '"2024-12-31T23:59:59"']),
        ("naive", ['"2024-12-31T23:59:59"'], ['"2024-12-31T23:59:59Z"', '"2024-02-31T00:00:00"']),
        ("timedelta", ['"P999999D"', '"PT1H30M"'], ['"P9999999D"', '"1 day"']),
        ("base64", ['"YQ=="', '""'], ['"YQ"', '"Y==="', '"YR=="']),
        (
            "url",
            ['"https://a-b.example.org/x?y=1#z"', '"http://localhost:80"'],
            ['"ftp://example.org"', '"http://a_b.org"'],
        ),
        ("database", ['"mysql+pymysql://a.example.org/x"'], ['"mysqllpymysql://a.example.org/x"']),
        ("stripped", ['"ab"', '"a b"'], ['"  "', '" ab"', '"a"']),
        ("address", ['"10.0.0.1"', '"::1"'], ['"10.0.0"']),
    ],
)
def test_examples(name: str, inside: list[str], outside: list[str]) -> None:
    output, constraint = constraint_of(name)

    def is_allowed(text: str) -> bool:
        matcher = constraint.matcher()
        return matcher.accept_bytes(text.encode()) and matcher.is_completed()

    assert [text for text in inside if not is_allowed(text) or not output.check(text).report.ok] == []
    assert [text for text in outside if is_allowed(text)] == []


def test_a_field_may_have_the_name_of_a_keyword() -> None:
    class Keywords(BaseModel):
        model_config = CLOSED
        default: pydantic.Base64Str
        enum: pydantic.Base64Str

    grammar = Output.of(Keywords, profile="open", whitespace="compact").grammar
    assert grammar is not None
    constraint = compile(grammar, BYTES)
    assert constraint.matcher().accept_bytes(b'{"default":"YQ==","enum":"YQ=="}')
    assert not constraint.matcher().accept_bytes(b'{"default":"YQ"')
    assert not constraint.matcher().accept_bytes(b'{"default":"","enum":"YQ"')


def test_more_digits_than_a_double_has() -> None:
    output: Output[Any] = Output.of(pydantic.condecimal(max_digits=400, decimal_places=0), profile="open")
    assert output.check(f'"1{"0" * 399}"').value == 10**399
    assert not output.check(f'"1{"0" * 400}"').report.ok


def test_nothing_is_loosened() -> None:
    """Whatever a walk writes is also a text of Pydantic's own schema."""
    from checkrail.boundary.validate import check_output

    for name in TYPES.keys() - {"naive"}:  # of which Pydantic's schema says the opposite
        _, constraint = constraint_of(name)
        own = TypeAdapter(TYPES[name]).json_schema()
        for seed in range(3):
            text = walk(constraint, random.Random(seed))
            faults = check_output(text, own).faults
            assert faults == (), (name, text)


def test_what_only_the_type_knows_is_a_fault() -> None:
    class Even(BaseModel):
        n: int

        @field_validator("n")
        @classmethod
        def is_even(cls, n: int) -> int:
            if n % 2:
                raise ValueError("odd")
            return n

    report = Output.of(Even).check('{"n": 3}').report
    assert report is not None
    assert [(fault.code, fault.pointer) for fault in report.faults] == [("SEMANTIC_RULE", "/n")]
