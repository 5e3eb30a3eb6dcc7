"""Objects: every combination of optional members, with the right commas, in linear size."""

from __future__ import annotations

import itertools
import json
import time

import pytest

from checkrail.grammar.traverse import walk
from checkrail.json_schema import json_schema_to_grammar


@pytest.mark.parametrize("required", [set(c) for n in range(5) for c in itertools.combinations("abcd", n)], ids=sorted)
def test_all_subsets(accepts, required):
    schema = {"type": "object", "properties": {k: {"type": "integer"} for k in "abcd"}, "required": sorted(required)}
    grammars = [json_schema_to_grammar(schema, whitespace=policy) for policy in ("compact", "json.dumps", 2)]
    for size in range(5):
        for keys in itertools.combinations("abcd", size):
            value = dict.fromkeys(keys, 1)
            texts = [json.dumps(value, separators=(",", ":")), json.dumps(value), json.dumps(value, indent=1)]
            for grammar, text in zip(grammars, texts, strict=True):
                assert accepts(grammar, text) is (required <= set(keys))


def test_commas_and_order(accepts):
    schema = {"type": "object", "properties": {k: {"type": "integer"} for k in "abc"}, "required": ["b"]}
    for text in ('{"b":1}', '{"a":1,"b":1}', '{"b":1,"c":1}', '{"a":1,"b":1,"c":1}'):
        assert accepts(schema, text)
    for text in (
        '{"a":1}',
        "{}",
        '{,"b":1}',
        '{"b":1,}',
        '{"a":1"b":1}',
        '{"b":1,"a":1}',
        '{"b":1,"b":1}',
        '{"b":1,"d":1}',
        '{"a":1,,"b":1}',
        '{"b":}',
        '{"b" 1}',
        '{"b":1',
        '"b":1}',
        '{"b":"1"}',
        "{b:1}",
        "[]",
        "null",
        '{"\\u0062":1}',
    ):
        assert not accepts(schema, text), text


def test_keys_with_every_kind_of_character(accepts):
    keys = ['a"b', "c\\d", "", "é日😀", "\x00\n", "/", "{", "}", " "]
    schema = {"type": "object", "properties": {k: {"type": "null"} for k in keys}, "required": keys}
    text = json.dumps(dict.fromkeys(keys), ensure_ascii=False, separators=(",", ":"))
    assert accepts(schema, text)
    assert not accepts(schema, text.replace("c\\\\d", "cd"))


@pytest.mark.parametrize("required", [0, 1, 2])
def test_size_is_linear(required):
    def size(members: int) -> int:
        properties = {f"p{i}": {"type": "boolean"} for i in range(members)}
        needed = [f"p{i}" for i in range(members) if required and i % required == 0]
        grammar = json_schema_to_grammar({"type": "object", "properties": properties, "required": needed})
        return sum(1 for rule in grammar.rules.values() for _ in walk(rule))

    small, large = size(50), size(400)
    assert large <= small * 400 / 50 + 50


def test_many_members_take_little_time():
    started = time.process_time()
    for required in ([], [f"p{i}" for i in range(3000)]):
        schema = {
            "type": "object",
            "properties": {f"p{i}": {"type": "string"} for i in range(3000)},
            "required": required,
        }
        json_schema_to_grammar(schema)
    assert time.process_time() - started < 10  # a square would take minutes
