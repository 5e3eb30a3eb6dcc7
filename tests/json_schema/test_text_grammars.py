"""`x-grammar`: what the mask lets through, beside what it stands, and the other readers of the schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checkrail import Grammar, Vocabulary, check_output, compile
from checkrail.boundary.calc.calculator import is_expression
from checkrail.boundary.validation.formats import GRAMMARS
from checkrail.boundary.validation.schema_reader import read_schema
from checkrail.errors import SchemaError
from checkrail.json_schema.text_grammars import TEXT_GRAMMARS

CALC = {"type": "string", "x-grammar": "calc/1"}
ROW = {
    "type": "object",
    "properties": {"note": {"type": "string"}, "total": {**CALC, "type": ["string", "null"]}, "tax": CALC},
    "required": ["note", "total", "tax"],
    "additionalProperties": False,
}
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


def accepts(schema: dict[str, Any], value: Any, **options: Any) -> bool:
    matcher = compile(Grammar.from_json_schema(schema, **options), VOCABULARY).matcher()
    return matcher.accept_bytes(json.dumps(value, ensure_ascii=False).encode()) and matcher.is_completed()


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("2 * (3 + 4)", True),
        ("sqrt(2)^-1", True),
        (" 1", True),
        ("(((((((((((((((1)))))))))))))))", True),
        ("2 * (3 + 4", False),
        ("2 * 3)", False),
        ("", False),
        ("pi", False),
        ("1,5", False),
        ("007", False),
        ("1  + 2", False),  # the mask keeps to one blank
        ("1\t", False),
    ],
)
def test_the_mask(expression: str, fits: bool) -> None:
    assert accepts(CALC, expression) == fits
    assert accepts(ROW, {"note": "(a)) ^", "total": expression, "tax": "1"}) == fits
    assert not fits or is_expression(expression)


def test_groups_count_as_levels_of_nesting() -> None:
    for levels in (14, 15, 16, 17):
        expression = "(" * levels + "1" + ")" * levels
        assert accepts(CALC, expression) == (levels <= 16)
        assert accepts({"type": "array", "items": CALC}, [expression]) == (levels <= 15)


def test_beside_other_types_and_twice() -> None:
    assert accepts(ROW, {"note": "", "total": None, "tax": "1"})
    assert not accepts(ROW, {"note": "", "total": 1, "tax": "1"})
    rules = Grammar.from_json_schema(ROW).rules
    assert sum(name.startswith("calc-number") for name in rules) == 1


def test_rules_do_not_take_the_names_of_properties() -> None:
    schema = {
        "type": "object",
        "properties": {"calc-root": {"type": "array", "items": CALC}},
        "required": ["calc-root"],
    }
    assert accepts(schema, {"calc-root": ["1+1", "2"]})
    assert not accepts(schema, {"calc-root": ["1+"]})


def test_the_type_is_implied(columns: Any) -> None:
    assert columns({"x-grammar": "calc/1"}) == {"type": "mask", "x-grammar": "mask"}
    assert columns({"type": "number", "x-grammar": "calc/1"})["x-grammar"] == "annotation"


@pytest.mark.parametrize(
    "beside",
    [{"maxLength": 5}, {"minLength": 1}, {"pattern": "1"}, {"format": "date"}, {"enum": ["1"]}, {"const": "1"}],
)
def test_no_other_keyword_narrows_it(beside: dict[str, Any]) -> None:
    with pytest.raises(SchemaError) as caught:
        Grammar.from_json_schema({**CALC, **beside})
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    reported = Grammar.from_json_schema({**CALC, **beside}, unsupported="report")
    assert "checked" in {entry.column for entry in reported.coverage.entries}


@pytest.mark.parametrize("applicator", [{"anyOf": [{"type": "string"}]}, {"$ref": "#/$defs/a", "$defs": {"a": True}}])
def test_it_does_not_stand_beside_what_hands_the_value_over(applicator: dict[str, Any]) -> None:
    with pytest.raises(SchemaError) as caught:
        Grammar.from_json_schema({**CALC, **applicator})
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"


@pytest.mark.parametrize("value", ["calc", "calc/2", 1, None, ["calc/1"], {}])
def test_only_grammars_that_exist(value: Any) -> None:
    schema = {"type": "string", "x-grammar": value}
    for read in (Grammar.from_json_schema, read_schema, lambda s: Grammar.from_json_schema(s, profile="open").coverage):
        with pytest.raises(SchemaError) as caught:
            read(schema)
        assert (caught.value.code, caught.value.pointer) == ("SCHEMA_SYNTAX", "/x-grammar")


def test_the_open_profile_leaves_it_to_the_check() -> None:
    coverage = Grammar.from_json_schema(CALC, profile="open").coverage
    assert {entry.keyword: entry.column for entry in coverage.entries}["x-grammar"] == "checked"
    assert accepts(CALC, "no expression", profile="open")


def test_the_check_knows_the_same_grammars() -> None:
    assert set(TEXT_GRAMMARS) == set(GRAMMARS)
    for text, fine in (("1 +\t2", True), ("1/0", True), ("1/", False), ("", False), ("1 + ½", False)):
        report = check_output(json.dumps({"total": text}), {"properties": {"total": CALC}})
        expected = [] if fine else [("SEMANTIC_FORMAT", "/total", "x-grammar", {"format": "calc/1"})]
        assert [(f.code, f.pointer, f.keyword, f.params) for f in report.faults] == expected


@pytest.mark.parametrize(
    ("text", "fits", "fine"),
    [
        ("2 * (3 + 4) = 14", True, True),
        ("2 * (3 + 4) = 15", True, False),  # no grammar knows the value
        ("1/0 = undefined", True, True),
        ("2^70 = 1.1805916207174113e+21", True, True),
        ("1+1= 2", False, False),
        ("1+1 = ", False, False),
        ("1+1", False, False),
    ],
)
def test_equations(text: str, fits: bool, fine: bool) -> None:
    schema = {"type": "string", "x-grammar": "calc-equation/1"}
    assert accepts(schema, text) == fits
    assert accepts({"type": "array", "items": schema}, [text, text]) == fits
    assert check_output(json.dumps(text), schema).ok == fine
