"""The algebra as a whole: recursion ends, emptiness is found, doubt leaves texts out on both sides, work is bounded."""

from __future__ import annotations

import json
import os
import random
from itertools import combinations, permutations

import jsonschema
import pytest

import checkrail
from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.algebra import plain, read_scalars
from checkrail.json_schema.algebra.format_texts import FormatTexts
from checkrail.json_schema.algebra.patterns import pattern_texts
from checkrail.json_schema.ledger import EQUAL_ITEMS
from checkrail.limits import Limits

BYTES = checkrail.Vocabulary.from_bytes([*(bytes([byte]) for byte in range(256)), None], eos=[256])
THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"


def error_of(schema, **options):
    with pytest.raises(Error) as caught:
        json_schema_to_grammar(schema, profile="open", **options)
    return caught.value


TREE = {
    "$defs": {
        "tree": {"type": "object", "properties": {"v": {"type": "integer"}, "t": {"$ref": "#/$defs/tree"}}},
        "leafless": {"type": "object", "properties": {"t": {"$ref": "#/$defs/leafless"}}, "required": ["t"]},
        "small": {"type": "object", "properties": {"v": {"maximum": 9}, "t": {"$ref": "#/$defs/small"}}},
    }
}


def test_products_of_recursive_schemas_are_recursive(opened):
    accepts = opened({**TREE, "allOf": [{"$ref": "#/$defs/tree"}, {"$ref": "#/$defs/small"}]})
    assert accepts('{"v":1,"t":{"v":9,"t":{}}}')
    assert not accepts('{"v":1,"t":{"v":10}}')
    assert not accepts('{"v":1,"t":{"v":9,"t":{"v":"x"}}}')


def test_complements_of_recursive_schemas_are_recursive(opened):
    accepts = opened({**TREE, "$ref": "#/$defs/tree", "not": {"$ref": "#/$defs/small"}})
    assert accepts('{"v":10}')
    assert accepts('{"v":1,"t":{"t":{"v":10}}}')
    assert not accepts('{"v":1,"t":{"t":{"v":9}}}')


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "string", "enum": [1]},
        {"allOf": [{"type": "string"}, {"type": "object"}]},
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 2, "not": {"const": 1}},
        {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "^b"}]},
        {"type": "object", "required": ["a"], "properties": {"a": {"allOf": [{"type": "null"}, {"const": 1}]}}},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {**TREE, "$ref": "#/$defs/leafless"},
        {"not": {}},
        {"oneOf": [{"type": "string"}, {"type": "string"}]},
        {"enum": []},
    ],
)
def test_an_empty_root_is_a_conflict(schema):
    assert error_of(schema).code == "SCHEMA_CONFLICT"


def test_a_schema_that_is_defined_by_itself_is_refused():
    for schema in (
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
        {"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"},
    ):
        assert error_of(schema).code == "SCHEMA_REF"


def test_exclusive_branches_that_refer_back_are_compared(opened):
    schema = {
        "$defs": {
            "p": {
                "type": "object",
                "oneOf": [
                    {"required": ["and"], "properties": {"and": {"type": "array", "items": {"$ref": "#/$defs/p"}}}},
                    {"required": ["not"], "properties": {"not": {"$ref": "#/$defs/p"}}},
                    {"required": ["is"], "properties": {"is": {"type": "string"}}},
                ],
            }
        },
        "$ref": "#/$defs/p",
    }
    accepts = opened(schema)
    assert accepts('{"and":[{"is":"x"},{"not":{"is":"y"}}]}')
    assert not accepts('{"and":[],"is":"x"}')
    assert accepts('{"and":[],"is":1}')  # the third branch does not hold
    assert not accepts("{}")


UNIQUE = {"type": "array", "uniqueItems": True}


def takes_no_complement(schema):
    """Whether the opposite of no `uniqueItems` is needed: branches are seen to exclude one another without it."""
    coverage = json_schema_to_grammar(schema, profile="open").coverage
    return all(entry.note != EQUAL_ITEMS for entry in coverage)


def kind(number, **more):
    return {"type": "object", "properties": {"k": {"const": number}, **more}, "required": ["k", *more]}


def test_a_contradiction_is_found_beside_parts_that_are_not_searched(opened):
    chain = {f"d{i}": {"type": "object", "properties": {"x": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(300)}
    for definition in chain.values():
        definition["required"] = ["x"]
    deep = [
        {"allOf": [{"$ref": "#/$defs/d0"}, {"properties": {"x": {"properties": {"x": {"minProperties": i}}}}}]}
        for i in range(2)
    ]
    branches = [kind(i, list=UNIQUE, deep=deep[i]) for i in range(2)]
    assert takes_no_complement({"oneOf": branches, "$defs": {**chain, "d300": {}}})
    assert not takes_no_complement({"oneOf": [kind(0), kind(0, list=UNIQUE)]})


def test_a_reference_and_the_opposite_of_what_it_refers_to_exclude_one_another(opened):
    """So what the siblings of a `oneOf` say of a member is not complemented, however it is referred to."""
    schema = {
        "$defs": {"list": UNIQUE, "again": {"$ref": "#/$defs/list", "description": "the same"}},
        "type": "object",
        "properties": {"all": {"$ref": "#/$defs/list"}, "one": {"type": "string"}},
        "oneOf": [
            {"properties": {"all": {"$ref": "#/$defs/again"}}, "required": ["all"]},
            {"properties": {"one": {"type": "string"}}, "required": ["one"]},
        ],
    }
    assert takes_no_complement(schema)
    accepts = opened(schema)
    assert accepts('{"one":""}')
    assert accepts('{"all":[1,2]}')
    assert not accepts('{"all":[1],"one":""}')
    assert not accepts("{}")
    assert not accepts('{"all":[1,1]}')
    circle = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
    assert error_of({"$defs": circle, "$ref": "#/$defs/a", "not": {"$ref": "#/$defs/b"}}).code != "INTERNAL"


def test_of_a_union_only_those_parts_are_left_out_that_can_be_meant(opened):
    kinds = [{**kind(i, list=UNIQUE), "additionalProperties": False} for i in range(3)]
    union = {"oneOf": [*kinds, {"type": "object", "properties": {"k": {"const": "open"}}, "required": ["k"]}]}
    reference = {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]}
    schema = {"oneOf": [reference, {"$ref": "#/$defs/union"}], "$defs": {"union": {"allOf": [union]}}}
    assert takes_no_complement(schema)
    accepts = opened(schema)
    assert accepts('{"k":1,"list":[]}')
    assert accepts('{"ref":"","k":1}')
    assert accepts('{"k":"open"}')
    assert not accepts('{"ref":"","k":"open"}')
    many = [kind(i, **{f"p{j}": {"type": "string"} for j in range(4)}) for i in range(10)]
    reference["properties"]["k"] = {"const": 3}
    json_schema_to_grammar({"oneOf": [reference, {"oneOf": many}]}, profile="open")


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        ({"not": {"format": "email"}}, ['"a"', '"a b"'], ["1", '"a@b.org"', '"\\"q\\"@b.org"', '"a@xn--x"']),
        ({"not": {"format": "regex"}}, ['"*a"', '")"'], ["1", '""', '"a"', '"a*"', '"(a)"']),
        (
            {"type": "string", "oneOf": [{"format": "regex"}, {"pattern": "a"}]},
            ['""', '"b"', '"*a"'],
            ['"a"', '"*"', '"(a"'],
        ),
        ({"not": {"not": {"format": "email"}}}, ['"a@b.org"'], ['"a"', '"a b"']),
        ({"not": {"format": "time"}}, ['"1 pm"'], ['"15:59:60-08:00"', '"10:00:00Z"']),
        (
            {"oneOf": [{"type": "string", "format": "hostname"}, {"type": "string", "format": "ipv4"}]},
            ['"example.org"', '"1.2.3"'],
            ['"10.0.0.1"', '"a b"'],
        ),
        ({"type": "string", "oneOf": [{"format": "hostname"}, {"pattern": "^xn--"}]}, ['"a.org"'], ['"xn--nxasmq6b"']),
        ({"anyOf": [{"format": "email"}, {"type": "string"}]}, ['"a"', "1"], []),
        ({"if": {"format": "hostname"}, "then": {"maxLength": 3}, "else": False}, ['"a.b"', "7"], ['"abcd"', '"a b"']),
        ({"allOf": [{"format": "email"}, {"type": "integer"}], "not": {"const": 3}}, ["4"], ["3", '"a@b.org"']),
    ],
)
def test_formats_in_doubt_are_narrower_on_both_sides(opened, schema, inside, outside):
    accepts = opened(schema)
    assert [text for text in inside if not accepts(text)] == []
    assert [text for text in outside if accepts(text)] == []


SURE, PERHAPS, NEVER = "b.c", "qa", "x y"  # keys and texts of a format of which the mask holds a part


def a_name(rng):
    host = {"format": "hostname"}
    return rng.choice(
        [
            *(host, {**host, "maxLength": 2}, {"anyOf": [host, {"const": NEVER}]}, {"not": host}),
            *({"pattern": "^[b-q]"}, {"oneOf": [host, {"pattern": "^[qx]"}]}),
        ]
    )


def an_object(rng, depth):
    schema = {}
    value = rng.choice([True, {"type": "integer"}, {"format": "hostname"}, named(rng, depth - 1)])
    for share, keyword, content in (
        (0.7, "type", rng.choice(["object", ["object", "string"]])),
        (0.8, "propertyNames", a_name(rng)),
        (0.3, "format", "hostname"),
        (0.3, "required", [rng.choice([SURE, PERHAPS])]),
        (0.4, "properties", {rng.choice([SURE, PERHAPS, NEVER]): value}),
        (0.3, "additionalProperties", value),
        (0.2, "minProperties", 1),
    ):
        if rng.random() < share:
            schema[keyword] = content
    return schema


def named(rng, depth):
    kind = rng.randrange(6)
    if depth < 1:
        return an_object(rng, 0) if depth == 0 else True
    inner = [named(rng, depth - 1) for _ in range(3)]
    conditional = dict(zip(("if", "then", "else"), inner, strict=True))
    parts = [{"oneOf": inner}, {"anyOf": inner[:2]}, {"allOf": inner[:2]}, {"not": inner[0]}, conditional]
    return an_object(rng, depth) if kind == 5 else parts[kind]


def validators(schema):
    """Of a format that holds few texts, and of one that holds all that it may."""
    for most in (False, True):
        checker = jsonschema.FormatChecker(())
        checker.checks("hostname")(lambda text, most=most: text != NEVER and (most or text != PERHAPS))
        yield jsonschema.Draft202012Validator(schema, format_checker=checker)


@pytest.mark.parametrize("seed", range(400 if THOROUGH else 8))
def test_names_in_doubt_are_narrower_on_both_sides(monkeypatch, seed):
    """What is accepted is valid whatever the format is; and what is so without a text in doubt is accepted."""
    shapes = (pattern_texts(pattern, pointer="") for pattern in ("^[a-c.]*$", "^[a-z.]*$"))
    known = FormatTexts(*shapes)
    monkeypatch.setattr(read_scalars, "format_texts", lambda name: known)
    monkeypatch.setattr(plain, "format_texts", lambda name: known)
    rng = random.Random(seed)
    texts = [SURE, PERHAPS, NEVER]
    objects = [{}, *({key: value} for key in texts for value in [1, *texts])]
    objects += [{one: 1, two: 1} for one, two in permutations(texts, 2)]
    documents = [1, *texts, *objects, *({key: value} for key in texts for value in objects[:9])]
    answered = 0
    while answered < 4:
        schema = named(rng, 3 if THOROUGH else 2)
        if "propertyNames" not in json.dumps(schema):
            continue
        try:
            grammar = json_schema_to_grammar(schema, profile="open", whitespace="compact")
            constraint = checkrail.compile(grammar, BYTES)
        except Error as error:
            if error.code in ("SCHEMA_CONFLICT", "SCHEMA_BUDGET", "GRAMMAR_EMPTY_LANGUAGE"):
                continue
            raise
        answered += 1
        for document in documents:
            text = json.dumps(document, separators=(",", ":"))
            valid = [validator.is_valid(document) for validator in validators(schema)]
            matcher = constraint.matcher()
            if matcher.accept_bytes(text.encode()) and matcher.is_completed():
                assert all(valid), (schema, document)
            elif PERHAPS not in text:
                assert not any(valid), (schema, document)


def test_a_part_without_values_has_everything_as_its_opposite(opened):
    """Of many parts that exclude themselves the opposite is no product."""
    closed = [
        {"type": "object", "properties": {f"p{j}": {"minimum": i} for j in range(9)}, "additionalProperties": False}
        for i in range(4)
    ]
    empty = [{"allOf": [{**part, "required": ["p0"]}, {**kind(0), "additionalProperties": False}]} for part in closed]
    schema = {"type": "object", "properties": {"a": {"not": {"$ref": "#/$defs/e"}}}, "$defs": {"e": {"anyOf": empty}}}
    assert opened(schema)('{"a":{"k":0,"p0":1}}')


def test_combinations_end_in_a_budget():
    pairs = [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(12)]
    error = error_of({"type": "object", "allOf": pairs})
    assert error.code == "SCHEMA_BUDGET"
    assert "Limits.alternatives" in error.advice
    few = {"type": "object", "allOf": pairs[:3]}
    assert error_of(few, limits=Limits(alternatives=4)).code == "SCHEMA_BUDGET"
    json_schema_to_grammar(few, profile="open")


def test_contradictions_among_many_combinations_are_found():
    exactly_one = [{"oneOf": [{"required": [name]} for name in triple]} for triple in combinations("abcdefgh", 3)]
    assert error_of({"type": "object", "allOf": exactly_one}).code == "SCHEMA_CONFLICT"


def test_deep_chains_of_schemas_end_in_a_budget():
    chain = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"type": "null"}]} for i in range(400)}
    error = error_of({"$defs": {**chain, "d400": {"type": "string"}}, "$ref": "#/$defs/d0"})
    assert error.code == "GRAMMAR_BUDGET_DEPTH"


def test_patterns_and_conditions_that_multiply_end_in_a_budget():
    letters = "abcdefghijklmnop"
    patterns = {"type": "object", "patternProperties": {letter: {"minimum": i} for i, letter in enumerate(letters)}}
    assert error_of(patterns).code == "SCHEMA_BUDGET"
    spread = {"type": "object", "allOf": [{"patternProperties": {c: {"minimum": 1}}} for c in letters]}
    assert error_of(spread).code == "SCHEMA_BUDGET"
    contains = {"type": "array", "allOf": [{"contains": {"minimum": i}} for i in range(12)]}
    assert error_of(contains).code == "SCHEMA_BUDGET"
    members = [{"not": {"additionalProperties": {"minimum": i}}} for i in range(12)]
    assert error_of({"type": "object", "allOf": members}).code == "SCHEMA_BUDGET"
