"""Triggers of JSON_*, CANON_*, SCHEMA_*, SEMANTIC_* and CALC_*: schemas, outputs that break them, expressions."""

from __future__ import annotations

import json
from typing import Any

import pydantic

from checkrail import Grammar, Limits, calc, check_output
from checkrail.boundary.canon import dumps
from checkrail.boundary.strictjson import parse
from checkrail.boundary.validate import validate
from checkrail.generation.output import Output
from checkrail.json_schema.hosted import hosted_faults
from error_triggers import Trigger


def output(text: str, schema: Any, **options: Any) -> Trigger:
    """The faults of an output."""
    return lambda: check_output(text, schema, **options).faults


def quoted(text: str, source: dict[str, Any], *, document: str = "Acme owes Acme 5") -> Trigger:
    """The faults of a string that should stand in the document."""
    schema = {"properties": {"name": {"type": "string", "x-source": {"doc": "doc", **source}}}}
    return output(f'{{"name": "{text}"}}', schema, documents={"doc": document})


def quoted_twice(keyword: dict[str, Any], *names: str) -> Trigger:
    """The faults of an array of strings that should stand in the document."""
    items = {"type": "string", "x-source": {"doc": "doc", "match": ["exact"], **keyword.get("source", {})}}
    schema = {"type": "array", "items": items, **keyword.get("array", {})}
    return output(str(list(names)).replace("'", '"'), schema, documents={"doc": "one two three"})


def schema(value: Any) -> Trigger:
    """Making a grammar of a schema."""
    return lambda: Grammar.from_json_schema(value)


def derived(text: str, amount: float) -> Trigger:
    """The faults of an amount beside the text that it is read from."""
    rule = {"amount": {"from": "text", "parse": "decimal-point"}}
    return lambda: check_output(json.dumps({"text": text, "amount": amount}), {"x-derived": rule}).faults


def expression(text: str) -> Trigger:
    """The error of an expression."""
    return lambda: calc(text).error


class Even(pydantic.BaseModel):
    """A type with a rule that its schema cannot say."""

    number: int

    @pydantic.field_validator("number")
    @classmethod
    def is_even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("odd")
        return number


def broken_rule() -> object:
    report = Output.of(Even).check('{"number": 3}').report
    assert report is not None
    return report.faults


TRIGGERS: dict[str, Trigger] = {
    # reading JSON
    "JSON_SYNTAX": lambda: parse("{,}"),
    "JSON_DUPLICATE_KEY": lambda: parse('{"a": 1, "\\u0061": 2}'),
    "JSON_NUMBER_RANGE": lambda: parse("1e400"),
    "JSON_NUMBER_PRECISION": lambda: parse("9007199254740993"),
    "JSON_NUMBER_LENGTH": lambda: parse("1" * 100_000),
    "JSON_NO_VALUE": lambda: check_output("{,}", True).unchecked_value,
    "JSON_VALUE": lambda: validate({"a": object()}, True),  # type: ignore[dict-item]  # what JSON cannot say
    "JSON_SURROGATE": lambda: parse('"\\ud800"'),
    "JSON_ENCODING": lambda: parse(b'"\xff"'),
    "JSON_BOM": lambda: parse("\ufeff1"),
    "JSON_DEPTH": lambda: parse("[" * 1_000 + "]" * 1_000),
    "JSON_TOO_LARGE": lambda: parse("[1, 2, 3]", max_bytes=4),
    "JSON_TOO_MANY": lambda: parse("[1, 2, 3]", max_values=3),
    # writing canonical JSON
    "CANON_TYPE": lambda: dumps({1: 2}),
    "CANON_NUMBER": lambda: dumps([2**53]),
    "CANON_SURROGATE": lambda: dumps(["\ud800"]),
    "CANON_DEPTH": lambda: dumps([[[]]], max_depth=2),
    "CANON_TOO_LARGE": lambda: dumps("abc", max_bytes=4),
    # schemas
    "SCHEMA_SYNTAX": schema({"type": "text"}),
    "SCHEMA_KEYWORD_UNSUPPORTED": schema({"type": "object", "unevaluatedProperties": False}),
    "SCHEMA_REF": schema({"$ref": "#/$defs/missing"}),
    "SCHEMA_BUDGET": lambda: Grammar.from_json_schema({"enum": [1, 2, 3]}, limits=Limits(enum_members=2)),
    "LINT_HOSTED": lambda: hosted_faults({"type": "object"}),
    "SCHEMA_CONFLICT": schema({"type": "string", "minLength": 2, "maxLength": 1}),
    # values against a schema
    "SCHEMA_TYPE": output("1", {"type": "string"}),
    "SCHEMA_REQUIRED": output("{}", {"required": ["a"]}),
    "SCHEMA_ADDITIONAL": output('{"a": 1}', {"additionalProperties": False}),
    "SCHEMA_ENUM": output("1", {"enum": [2]}),
    "SCHEMA_LENGTH": output('"ab"', {"maxLength": 1}),
    "SCHEMA_ITEMS": output("[1]", {"maxItems": 0}),
    "SCHEMA_PATTERN": output('"a"', {"pattern": "^b"}),
    "SCHEMA_ONEOF": output("1", {"oneOf": [True, {"type": "integer"}]}),
    "SCHEMA_PROPERTIES": output("{}", {"minProperties": 1}),
    "SCHEMA_NOT": output("1", {"not": True}),
    "SCHEMA_FALSE": output("1", False),
    "SEMANTIC_RANGE": output("2", {"maximum": 1}),
    "SEMANTIC_MULTIPLE": output("3", {"multipleOf": 2}),
    "SEMANTIC_FORMAT": output('"2025-02-30"', {"format": "date"}),
    "SEMANTIC_UNIQUE": output("[1, 1]", {"uniqueItems": True}),
    "SEMANTIC_DEPENDENT": output('{"a": 1}', {"dependentRequired": {"a": ["b"]}}),
    "SEMANTIC_CONTAINS": output("[1]", {"contains": {"type": "string"}}),
    "SEMANTIC_RULE": broken_rule,
    "SEMANTIC_FAULTS": lambda: check_output("1", False).value,
    # values against their documents
    "SEMANTIC_SPAN_NOT_FOUND": quoted("Zenith", {}),
    "SEMANTIC_SPAN_AMBIGUOUS": quoted("Acme", {"occurrence": "unique"}),
    "SEMANTIC_SPAN_EMPTY": quoted("", {}),
    "SEMANTIC_SPAN_DOCUMENT": quoted("Acme", {"doc": "other"}),
    "SEMANTIC_SPAN_ORDER": quoted_twice({"source": {"occurrence": "ordered"}}, "two", "one"),
    "SEMANTIC_SPAN_VALUE": derived("1.50", 2.5),
    "SEMANTIC_DERIVED": derived("many", 1),
    "SEMANTIC_SPAN_OVERLAP": quoted_twice({"array": {"x-overlap": "forbid"}}, "one two", "two three"),
    # expressions
    "CALC_EMPTY": expression(" "),
    "CALC_TOO_LONG": expression("1" * 100_000),
    "CALC_CHAR": expression("5%"),
    "CALC_NUMBER": expression("007"),
    "CALC_LITERAL_RANGE": expression("1e400"),
    "CALC_SYNTAX": expression("1+"),
    "CALC_NAME": expression("pi"),
    "CALC_ARITY": expression("sqrt()"),
    "CALC_NODES": expression("1" + "+1" * 300),
    "CALC_DEPTH": expression("(" * 100),
    "CALC_DIV_ZERO": expression("1/0"),
    "CALC_DOMAIN": expression("sqrt(-1)"),
    "CALC_OVERFLOW": expression("2^1024"),
    "CALC_UNDERFLOW": expression("2^-1075"),
}
