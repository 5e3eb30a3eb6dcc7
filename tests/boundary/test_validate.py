"""Reports: every fault, in order, with its places; hostile schemas and values; reading and checking together."""

from __future__ import annotations

import json
import time
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.strictjson import parse
from checkrail.boundary.validate import check_output, validate
from checkrail.boundary.validation.report import Report
from checkrail.boundary.validation.schema_reader import read_schema
from checkrail.errors import CATALOGUE, DocumentError, InputError, OutputError

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2, "uniqueItems": True},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}


def codes(report: Report) -> list[str]:
    return [fault.code for fault in report.faults]


def test_the_example_of_the_design() -> None:
    report = check_output('{"age": 999}', {"properties": {"age": {"maximum": 100}}})
    assert report.to_json() == {
        "semantic": "report/1",
        "ok": False,
        "raw": '{"age": 999}',
        "value": {"age": 999},
        "errors": [
            {
                "code": "SEMANTIC_RANGE",
                "pointer": "/age",
                "keyword": "maximum",
                "schema_pointer": "/properties/age/maximum",
                "limit": 100,
                "output_span": [8, 11],
                "message": "/age: the number is outside maximum 100.",
            }
        ],
        "spans": [],
        "absent": 0,
    }


def test_all_faults_sorted_by_place_then_code() -> None:
    raw = '{"tags": ["a", "x", "a"], "age": 999.5, "é": 1}'
    report = check_output(raw, PERSON)
    assert [(f.code, f.pointer, f.keyword, f.output_span) for f in report.faults] == [
        ("SCHEMA_REQUIRED", "", "required", (0, 47)),
        ("SCHEMA_ITEMS", "/tags", "maxItems", (9, 24)),
        ("SEMANTIC_UNIQUE", "/tags", "uniqueItems", (9, 24)),
        ("SCHEMA_ENUM", "/tags/1", "enum", (15, 18)),
        ("SCHEMA_TYPE", "/age", "type", (33, 38)),
        ("SEMANTIC_RANGE", "/age", "maximum", (33, 38)),
        ("SCHEMA_ADDITIONAL", "/é", "additionalProperties", (40, 43)),
    ]
    assert report.raw == raw
    assert report.more == 0
    for fault in report.faults:
        assert fault.output_span is not None
        assert fault.message
        assert fault.code in CATALOGUE


def test_faults_beyond_the_limit_are_counted() -> None:
    raw = json.dumps(list(range(250)))
    report = check_output(raw, {"items": {"type": "string"}})
    assert (len(report.faults), report.more) == (100, 150)
    assert [fault.pointer for fault in report.faults] == [f"/{n}" for n in range(100)]
    assert report.to_json()["more"] == 150
    few = check_output(raw, {"items": {"type": "string"}}, limit=1)
    assert (len(few.faults), few.more, few.ok) == (1, 249, False)


def test_a_report_writes_out_at_least_one_fault() -> None:
    with pytest.raises(InputError):
        check_output("1", True, limit=0)


def test_value_is_guarded() -> None:
    good = check_output('{"name":"x","age":1}', PERSON)
    assert good.ok
    assert good.value == good.unchecked_value == {"name": "x", "age": 1}
    bad = check_output('{"name":"","age":1}', PERSON)
    assert bad.unchecked_value == {"name": "", "age": 1}
    with pytest.raises(OutputError, match="SEMANTIC_FAULTS"):
        _ = bad.value
    unread = check_output('{"name":', PERSON)
    with pytest.raises(OutputError):
        _ = unread.value
    with pytest.raises(DocumentError, match="JSON_NO_VALUE"):
        _ = unread.unchecked_value
    assert check_output("null", {}).value is None


@pytest.mark.parametrize(
    ("raw", "code", "span"),
    [
        ('{"a": 1,}', "JSON_SYNTAX", (8, 8)),
        ('{"a":1,"a":2}', "JSON_DUPLICATE_KEY", (7, 7)),
        (b'["\xff"]', "JSON_ENCODING", (2, 2)),
        ("[" * 100, "JSON_DEPTH", (64, 64)),
        ("[1e999]", "JSON_NUMBER_RANGE", (1, 1)),
        ("", "JSON_SYNTAX", (0, 0)),
    ],
)
def test_a_bad_text_is_a_fault_and_not_an_exception(raw: str | bytes, code: str, span: tuple[int, int]) -> None:
    report = check_output(raw, PERSON)
    (fault,) = report.faults
    assert (fault.code, fault.output_span) == (code, span)
    assert report.raw == raw
    assert "value" not in report.to_json()
    json.dumps(report.to_json())


def test_bytes_that_are_not_utf8_are_kept_in_hexadecimal() -> None:
    assert check_output(b"\xff", True).to_json()["raw_hex"] == "ff"
    assert check_output(b"1", True).to_json()["raw"] == "1"


def test_big_integers_only_where_the_schema_names_one() -> None:
    assert codes(check_output("9007199254740993", {"type": "integer"})) == ["JSON_NUMBER_PRECISION"]
    schema = {"type": "integer", "maximum": 2**63 - 1}
    assert check_output("9007199254740993", schema).value == 9007199254740993
    assert codes(check_output("9223372036854775808", schema)) == ["SEMANTIC_RANGE"]
    assert check_output("9007199254740993", {}, big_integers=True).ok


def test_numbers_are_compared_as_written() -> None:
    tenth = {"multipleOf": 0.1}
    assert check_output("0.3", tenth).ok
    assert check_output("1e300", tenth).ok
    assert codes(check_output("0.35", tenth)) == ["SEMANTIC_MULTIPLE"]
    assert codes(check_output("1.00000000000000000001", {"maximum": 1})) == ["SEMANTIC_RANGE"]
    assert codes(check_output("1.00000000000000000001", {"type": "integer"})) == ["SCHEMA_TYPE"]
    assert check_output("1.0", {"type": "integer"}).ok


def test_plain_values_and_documents() -> None:
    report = validate({"age": 1}, PERSON)
    assert (codes(report), report.raw, report.faults[0].output_span) == (["SCHEMA_REQUIRED"], None, None)
    assert "output_span" not in report.to_json()["errors"][0]
    document = parse('{"age": 1}')
    assert validate(document, PERSON).faults[0].output_span == (0, 10)
    with pytest.raises(DocumentError):
        validate({1: 2}, PERSON)  # type: ignore[dict-item]


def test_a_schema_may_be_read_once_or_given_as_text() -> None:
    read = read_schema(json.dumps(PERSON))
    assert check_output('{"name":"x","age":1}', read).ok
    assert check_output('{"name":"x","age":1}', json.dumps(PERSON).encode()).ok
    assert check_output("1", "false").faults[0].to_json()["schema_pointer"] == ""


class TestEachKeyword:
    """One fault of each keyword: its code, pointer and parameters."""

    @pytest.mark.parametrize(
        ("schema", "value", "code", "pointer", "params"),
        [
            ({"type": ["string", "null"]}, 1, "SCHEMA_TYPE", "", {"expected": "string or null", "found": "integer"}),
            ({"type": "integer"}, 1.5, "SCHEMA_TYPE", "", {"expected": "integer", "found": "number"}),
            ({"enum": [1, 2, 1.0]}, 3, "SCHEMA_ENUM", "", {"count": 2}),
            ({"const": 1}, True, "SCHEMA_ENUM", "", {"count": 1}),
            ({"minLength": 2}, "\U0001f600", "SCHEMA_LENGTH", "", {"length": 1, "limit": 2}),
            ({"maxLength": 2}, "abc", "SCHEMA_LENGTH", "", {"length": 3, "limit": 2}),
            ({"pattern": "^a"}, "ba", "SCHEMA_PATTERN", "", {}),
            ({"format": "date"}, "2026-02-30", "SEMANTIC_FORMAT", "", {"format": "date"}),
            ({"minimum": 1}, 0.5, "SEMANTIC_RANGE", "", {"limit": 1}),
            ({"exclusiveMinimum": 1}, 1, "SEMANTIC_RANGE", "", {"limit": 1}),
            ({"exclusiveMaximum": 1.5}, 1.5, "SEMANTIC_RANGE", "", {"limit": 1.5}),
            ({"maximum": 1, "exclusiveMaximum": True}, 1, "SEMANTIC_RANGE", "", {"limit": 1}),
            ({"minimum": 1, "exclusiveMinimum": True}, 1, "SEMANTIC_RANGE", "", {"limit": 1}),
            ({"multipleOf": 2}, 3, "SEMANTIC_MULTIPLE", "", {"limit": 2}),
            ({"prefixItems": [{}, {"type": "null"}]}, [1, 2], "SCHEMA_TYPE", "/1", None),
            ({"prefixItems": [{}], "items": False}, [1, 2], "SCHEMA_ITEMS", "", {"length": 2, "limit": 1}),
            ({"items": [{}], "additionalItems": False}, [1, 2], "SCHEMA_ITEMS", "", {"length": 2, "limit": 1}),
            ({"minItems": 1}, [], "SCHEMA_ITEMS", "", {"length": 0, "limit": 1}),
            ({"maxItems": 1}, [1, 2], "SCHEMA_ITEMS", "", {"length": 2, "limit": 1}),
            ({"uniqueItems": True}, [1, 2, 1.0], "SEMANTIC_UNIQUE", "", {"first": 0, "second": 2}),
            ({"contains": {"const": 1}}, [2], "SEMANTIC_CONTAINS", "", {"count": 0, "limit": 1}),
            ({"contains": True, "minContains": 2}, [2], "SEMANTIC_CONTAINS", "", {"count": 1, "limit": 2}),
            ({"contains": True, "maxContains": 1}, [2, 2], "SEMANTIC_CONTAINS", "", {"count": 2, "limit": 1}),
            ({"required": ["a"]}, {}, "SCHEMA_REQUIRED", "", {"name": "a"}),
            ({"properties": {"a": False}}, {"a": 1}, "SCHEMA_FALSE", "/a", {}),
            ({"patternProperties": {"^x": {"type": "null"}}}, {"ax": 1, "x": 1}, "SCHEMA_TYPE", "/x", None),
            ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, "SCHEMA_ADDITIONAL", "/b", {}),
            ({"additionalProperties": {"type": "null"}}, {"b": 1}, "SCHEMA_TYPE", "/b", None),
            ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "SCHEMA_LENGTH", "/ab", {"length": 2, "limit": 1}),
            ({"minProperties": 1}, {}, "SCHEMA_PROPERTIES", "", {"length": 0, "limit": 1}),
            ({"maxProperties": 0}, {"a": 1}, "SCHEMA_PROPERTIES", "", {"length": 1, "limit": 0}),
            ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "SEMANTIC_DEPENDENT", "", {"name": "a", "needs": "b"}),
            ({"dependencies": {"a": ["b"]}}, {"a": 1}, "SEMANTIC_DEPENDENT", "", {"name": "a", "needs": "b"}),
            ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, "SCHEMA_REQUIRED", "", {"name": "b"}),
            ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "null"}}}, 1, "SCHEMA_TYPE", "", None),
            ({"allOf": [{}, {"type": "null"}]}, 1, "SCHEMA_TYPE", "", None),
            ({"anyOf": [{"type": "null"}, {"type": "string"}]}, 1, "SCHEMA_ONEOF", "", {"count": 0}),
            ({"oneOf": [{}, {}]}, 1, "SCHEMA_ONEOF", "", {"count": 2}),
            ({"not": {}}, 1, "SCHEMA_NOT", "", {}),
            ({"if": {"const": 1}, "then": False}, 1, "SCHEMA_FALSE", "", {}),
            ({"if": {"const": 1}, "else": {"type": "null"}}, 2, "SCHEMA_TYPE", "", None),
            (
                {"unevaluatedProperties": False, "anyOf": [{"properties": {"a": {}}}]},
                {"a": 1, "b": 1},
                "SCHEMA_ADDITIONAL",
                "/b",
                {},
            ),
            ({"unevaluatedItems": False, "prefixItems": [{}]}, [1, 2], "SCHEMA_FALSE", "/1", {}),
        ],
    )
    def test_fault(self, schema: Any, value: Any, code: str, pointer: str, params: dict[str, Any] | None) -> None:
        (fault,) = validate(value, schema).faults
        assert (fault.code, fault.pointer) == (code, pointer)
        if params is not None:
            assert dict(fault.params) == params
        target: Any = schema
        for token in (fault.schema_pointer or "").split("/")[1:]:
            target = target[int(token)] if isinstance(target, list) else target.get(token, False)
        assert target is not None


class TestBranches:
    """When no branch holds, the faults of the one that was meant are reported."""

    UNION: ClassVar[dict[str, Any]] = {
        "anyOf": [
            {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
            {"properties": {"kind": {"const": "box"}, "w": {"minimum": 1}}, "required": ["kind", "w"]},
            {"type": "null"},
        ]
    }

    def test_a_discriminator_selects_the_branch(self) -> None:
        (fault,) = check_output('{"kind":"box","w":0}', self.UNION).faults
        assert (fault.code, fault.pointer, fault.schema_pointer) == (
            "SEMANTIC_RANGE",
            "/w",
            "/anyOf/1/properties/w/minimum",
        )

    def test_without_a_clear_branch_the_keyword_is_blamed(self) -> None:
        (fault,) = check_output('{"kind":"line"}', self.UNION).faults
        assert (fault.code, fault.keyword, fault.params["count"]) == ("SCHEMA_ONEOF", "anyOf", 0)

    def test_optional_by_union_with_null(self) -> None:
        (fault,) = validate(
            "",
            {
                "oneOf": [{"$ref": "#/$defs/name"}, {"type": "null"}],
                "$defs": {"name": {"type": "string", "minLength": 1}},
            },
        ).faults
        assert (fault.code, fault.schema_pointer) == ("SCHEMA_LENGTH", "/$defs/name/minLength")


class TestHostile:
    def test_deep_values_meet_no_recursion_limit(self) -> None:
        depth = 20_000
        schema = {"type": "array", "items": {"$ref": "#"}, "maxItems": 1}
        report = check_output("[" * depth + "0" + "]" * depth, schema, max_depth=depth)
        assert codes(report) == ["SCHEMA_TYPE"]

    def test_deep_schemas_meet_no_recursion_limit(self) -> None:
        schema: dict[str, Any] = {"type": "null"}
        for _ in range(20_000):
            schema = {"allOf": [schema]}
        (fault,) = validate(1, schema).faults
        assert (fault.schema_pointer or "").count("allOf") == 20_000

    def test_doubling_references_cost_linear_work(self) -> None:
        definitions: dict[str, Any] = {"d0": {"type": "null"}}
        for n in range(1, 60):
            definitions[f"d{n}"] = {"allOf": [{"$ref": f"#/$defs/d{n - 1}"}, {"$ref": f"#/$defs/d{n - 1}"}]}
        started = time.perf_counter()
        report = validate(1, {"$ref": "#/$defs/d59", "$defs": definitions})
        assert codes(report) == ["SCHEMA_TYPE"]
        assert time.perf_counter() - started < 2

    def test_many_items_cost_linear_time(self) -> None:
        raw = json.dumps([{"n": n} for n in range(5_000)])
        started = time.perf_counter()
        schema = {"items": {"properties": {"n": {"type": "integer"}}}, "uniqueItems": True}
        assert check_output(raw, schema).ok
        assert time.perf_counter() - started < 10

    @settings(max_examples=200, deadline=None)
    @given(st.text('{}[]:,"\\ab1.-e ', max_size=30) | st.binary(max_size=12))
    def test_no_output_raises(self, raw: str | bytes) -> None:
        report = check_output(raw, PERSON)
        assert report.raw == raw
        assert report.ok == (not report.to_json()["errors"])


def test_the_same_check_twice_is_the_same_bytes() -> None:
    raw = '{"tags": ["a", "x", "a"], "age": 999.5, "z": 1}'
    first, second = (json.dumps(check_output(raw, json.dumps(PERSON)).to_json()) for _ in range(2))
    assert first == second


def test_nothing_is_shown_by_repr() -> None:
    report = check_output('{"name":"secret","age":999}', PERSON)
    assert repr(report) == "<Report 1 faults, 0 spans>"
    assert "secret" not in repr(report.faults[0])
    assert str(report.faults[0]) == "SEMANTIC_RANGE: /age: the number is outside maximum 120."


def test_an_own_matcher_takes_the_place_of_the_automata() -> None:
    asked = []

    def matches(pattern: str, text: str) -> bool:
        asked.append((pattern, text))
        return text == "yes"

    schema = {"pattern": r"\bimpossible\1"}
    assert check_output('"yes"', schema, matches=matches).ok
    assert not check_output('"no"', schema, matches=matches).ok
    assert (r"\bimpossible\1", "yes") in asked
