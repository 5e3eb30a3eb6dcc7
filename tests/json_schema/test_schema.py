"""Reading a schema: what is taken, and hostile input that must end in a catalogued error at once."""

from __future__ import annotations

import json
import time
from decimal import Decimal

import pytest

from checkrail.errors import Error
from checkrail.json_schema.schema import Place, json_type, read_schema
from checkrail.limits import DEFAULT_LIMITS, Limits


def code(source: object, limits: Limits = DEFAULT_LIMITS) -> str:
    started = time.process_time()
    with pytest.raises(Error) as caught:
        read_schema(source, limits)
    assert time.process_time() - started < 5
    assert caught.value.render()
    return caught.value.code


def test_text_bytes_and_data_are_one():
    data = {"type": "number", "maximum": 0.1, "enum": [1, 2.5, None, True, "é"]}
    text = json.dumps(data)
    expected = {"type": "number", "maximum": Decimal("0.1"), "enum": [1, Decimal("2.5"), None, True, "é"]}
    for source in (data, text, text.encode(), bytearray(text.encode())):
        assert read_schema(source, DEFAULT_LIMITS) == expected


def test_digits_are_kept_as_written():
    assert read_schema('{"const": 0.10000000000000000001}', DEFAULT_LIMITS) == {
        "const": Decimal("0.10000000000000000001")
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{", "SCHEMA_SYNTAX"),
        ("", "SCHEMA_SYNTAX"),
        ("\ufeff{}", "SCHEMA_SYNTAX"),
        ('{"a": 1, "a": 2}', "SCHEMA_SYNTAX"),
        ('{"a": {"x": [{"b": 1, "\\u0062": 2}]}}', "SCHEMA_SYNTAX"),
        ('{"const": NaN}', "SCHEMA_SYNTAX"),
        ('{"const": 1e400}', "SCHEMA_SYNTAX"),
        ('{"const": 1e-999999999}', "SCHEMA_SYNTAX"),
        ('{"const": ' + "1" * 400 + "}", "SCHEMA_SYNTAX"),
        ('{"const": ' + "1" * 5000 + "}", "SCHEMA_SYNTAX"),
        ('{"const": 0.' + "1" * 5000 + "}", "SCHEMA_SYNTAX"),
        ('{"const": "\\ud800"}', "SCHEMA_SYNTAX"),
        (b"\xff", "INPUT_ENCODING"),
        ("[" * 100_000, "GRAMMAR_BUDGET_DEPTH"),
        ('{"a":' * 100_000, "GRAMMAR_BUDGET_DEPTH"),
        ('{"a":' * 100 + "1" + "}" * 100, "GRAMMAR_BUDGET_DEPTH"),
        ('"' + "\\" * 1_000_000, "SCHEMA_SYNTAX"),
        ({"const": float("inf")}, "SCHEMA_SYNTAX"),
        ({"const": "\ud800"}, "SCHEMA_SYNTAX"),
        ({"const": {1}}, "SCHEMA_SYNTAX"),
        ({1: True}, "SCHEMA_SYNTAX"),
        ({"const": 2**2000}, "SCHEMA_SYNTAX"),
        (int, "SCHEMA_SYNTAX"),
    ],
)
def test_refused(source, expected):
    assert code(source) == expected


def test_a_syntax_error_has_its_place():
    with pytest.raises(Error) as caught:
        read_schema('{\n  "type": "object",\n}', DEFAULT_LIMITS)
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) in {(2, 21), (3, 1)}


def test_cyclic_and_shared_data_end():
    cyclic: dict[str, object] = {}
    cyclic["a"] = cyclic
    assert code(cyclic) == "GRAMMAR_BUDGET_DEPTH"
    shared: dict[str, object] = {}
    for _ in range(50):
        shared = {"a": shared, "b": shared}
    assert code(shared, Limits(expression_nodes=50_000)) == "GRAMMAR_BUDGET_NODES"


def test_size_is_bounded():
    assert code(" " * 101 + "{}", Limits(schema_bytes=100)) == "GRAMMAR_BUDGET_BYTES"
    assert read_schema('{"' + "a" * 90 + '":[]}', Limits(schema_bytes=100))


def test_brackets_in_strings_do_not_count():
    text = '{"const": "' + "[" * 1000 + '\\"' + "{" * 1000 + '"}'
    assert read_schema(text, DEFAULT_LIMITS) == json.loads(text)


def test_types_of_values():
    values = [None, True, "s", [], {}, 1, Decimal("1.0"), Decimal("1e3"), Decimal("1.5")]
    names = ["null", "boolean", "string", "array", "object", "integer", "integer", "integer", "number"]
    assert [json_type(value) for value in values] == names


def test_pointers_are_escaped():
    assert Place({}, "", "").child({}, "properties", "a/b~c", 0).at("x") == "/properties/a~1b~0c/0/x"


@pytest.mark.parametrize(
    ("method", "bad"),
    [
        ("count", [-1, Decimal("1.5"), True, "1", None]),
        ("number", [True, "1", None]),
        ("text", [1, None]),
        ("names", ["a", [1], {}]),
        ("schemas", [{}, 1]),
        ("mapping", [[], 1]),
    ],
)
def test_malformed_keyword_values(method, bad):
    for value in bad:
        with pytest.raises(Error) as caught:
            getattr(Place({"k": value}, "/p", ""), method)("k")
        assert (caught.value.code, caught.value.pointer) == ("SCHEMA_SYNTAX", "/p/k")


def test_absent_keywords():
    place = Place({}, "", "")
    assert (place.count("k"), place.number("k"), place.text("k")) == (None, None, None)
    assert (place.names("k"), place.schemas("k"), place.mapping("k")) == ((), (), {})
    assert Place({"k": Decimal("2.0")}, "", "").count("k") == 2
