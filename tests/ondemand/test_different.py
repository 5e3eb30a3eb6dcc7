"""Items that must differ, and keys that must not come again: against a validator on all short texts, masks against
trying every token, with any cutting into tokens, and back and forth."""

from __future__ import annotations

import itertools
import json
import os
import random
from array import array
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import checkrail
from checkrail.mask.bitmask import words_for
from checkrail.mask.kernel import Kernel, load_compiled, load_interpreted
from checkrail.mask.registers import follower

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
KERNELS = [kernel for kernel in (load_compiled(), load_interpreted()) if kernel is not None]
PIECES = [
    *(b'"a"', b'","', b'a","a"', b'",', b'"a', b'a"', b',""', b'","a"', b'","b","a"', b"\\u0061", b"\\u00", b"61"),
    *(b'\\"', b"1,1", b"1,", b",1", b"1]", b'"]', b"true", b"null,null", b'["a"', b"[1,1", b'{"a"', b'"a":1'),
    *(b'"a":1,"a"', b"}", b"},{", b"],[", b'"a":', b',"b":', b'{"a":1', b'{"a":1},{"a"', b'""', b'"",""', b"[],[]"),
    *(b'a\\"b"', b'"a\\"b"', b'\\"b', b'":1,"a\\"b":1'),
    *(b"ab", b'"b', b"\xc3\xa9", b"\xc3", b"1.0", b"0e", b"10e-1", b":1}", b'":1', b'a":1,"a":1', b'\\"","', b'": "'),
]
TOKENS = [*(bytes([byte]) for byte in range(256)), *PIECES]
END = len(TOKENS)
VOCABULARY = checkrail.Vocabulary.from_bytes([*TOKENS, None], eos=[END])


def pattern(text: str) -> dict[str, Any]:
    return {"type": "string", "pattern": text}


def unique(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": True, **more}


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def compiled(schema: Any, kernel: Kernel | None = None, **options: Any) -> checkrail.Constraint:
    options.setdefault("whitespace", "compact")
    grammar = checkrail.Grammar.from_json_schema(json.dumps(schema), profile="open", **options)
    return checkrail.compile(grammar, VOCABULARY, kernel=kernel)


def mask_of(matcher: checkrail.Matcher) -> set[int]:
    row = array("I", [0]) * words_for(END + 1)
    matcher.fill_next_token_bitmask(row)
    return {t for t in range(END + 1) if row[t >> 5] >> (t & 31) & 1}


NAMES = ["a", "ab", "abc", "b", "bc", "c", "", 'a"', "é", "éa"]

# All texts, of languages that are finite: (schema, the letters of its texts)

FINITE = [
    (unique(pattern("^(a|bc|bcd)$"), maxItems=3), '"[],abcd'),
    (unique(pattern("^(a|bc|bcd)$"), minItems=3, maxItems=3), '"[],abcd'),
    (unique(pattern("^[ab]{0,2}$"), maxItems=2), '"[],ab'),
    (unique({"type": "integer", "minimum": -2, "maximum": 12}, maxItems=2), "[],-0123456789"),
    (unique({"type": "integer", "minimum": 1, "maximum": 12, "multipleOf": 3}, minItems=2, maxItems=3), "[],012369"),
    (
        unique(closed({"a": {"type": "boolean"}, "b": {"enum": [1, 12]}}, required=["a"]), maxItems=2),
        '[],{}:"abtruefls12',
    ),
    (unique(closed({"a": {"type": "boolean"}}, required=["a"]), minItems=2, maxItems=3), '[],{}:"atruefls'),
    (unique(unique({"enum": [1, 11, "a"]}, maxItems=3), maxItems=2), '[],"a1'),
    (unique(unique({"type": "integer", "minimum": 1, "maximum": 11}, maxItems=1), maxItems=3), "[],10"),
    (unique({"anyOf": [pattern("^(a|ab)$"), {"type": ["null", "boolean"]}, {"enum": [1, 11]}]}, maxItems=2),
     '[],"ab1trufalsen'),
    ({"type": "array", "prefixItems": [{"const": "a"}, pattern("^(a|ab)$"), {"enum": [1, "a", "ab"]}], "items": False,
      "uniqueItems": True}, '[],"ab1'),
    ({"type": "array", "prefixItems": [{"const": "a"}, pattern("^(a|ab)$"), pattern("^(a|ab|ac)$")], "items": False,
      "uniqueItems": True, "minItems": 3}, '[],"abc'),
    ({"anyOf": [unique(pattern("^(a|b)$"), maxItems=3), {"type": "array", "items": {"enum": [1, 2]}, "maxItems": 2}]},
     '[],"ab12'),
    (unique(pattern("^(a|bc|bcd)$"), maxItems=3, contains={"const": "a"}), '"[],abcd'),
    (unique(pattern("^(a|bc|bcd)$"), maxItems=3, contains={"const": "a"}, minItems=2), '"[],abcd'),
    (unique({"enum": NAMES}, maxItems=2), '[],"abcé\\\\'),
    (unique({"anyOf": [{"enum": NAMES}, {"type": "null"}]}, maxItems=2, minItems=2), '[],"abcé\\\\nul'),
    ({"type": "array", "prefixItems": [{"enum": NAMES}, {"enum": ["a", "ab"]}, {"const": "ab"}], "items": False,
      "uniqueItems": True}, '[],"abcé\\\\'),
    ({"type": "object", "propertyNames": pattern("^(a|ab|b)$"), "additionalProperties": {"const": 1},
      "maxProperties": 4}, '{},:"ab1'),
    (closed({"a": {"const": 1}}, patternProperties={"^(b|bc)$": {"const": 1}}, maxProperties=4), '{},:"abc1'),
    (closed({}, patternProperties={"^(b|bc)$": {"const": 1}}, minProperties=2, maxProperties=3), '{},:"bc1'),
    (unique({"type": "object", "propertyNames": pattern("^(a|b)$"), "additionalProperties": {"const": 1},
             "maxProperties": 2}, maxItems=2), '[]{},:"ab1'),
]  # fmt: skip


def texts(constraint: checkrail.Constraint, letters: str, *, prefixes: bool = False) -> set[str]:
    """The whole texts over some letters, or all beginnings that the matcher takes."""
    found: set[str] = set()
    stack = [(constraint.matcher(), "")]
    while stack:
        matcher, text = stack.pop()
        if prefixes or matcher.is_completed():
            found.add(text)
        for letter in letters:
            if matcher.accept_bytes(letter.encode()):
                stack.append((matcher.fork(), text + letter))
                matcher.rollback()
    return found


ONE = {"const": 1}
ALSO_DECLARED = [
    closed({"a": ONE}, patternProperties={"^[ab]$": ONE}),
    closed({"a": ONE}, patternProperties={"^[ab]$": ONE}, maxProperties=2),
    closed({"ab": ONE, "b": ONE}, patternProperties={"^(ab|ac)?$": ONE}),
    closed({"ab": ONE, "b": ONE}, patternProperties={"^(ab|ac)?$": ONE}, required=["ab"]),
    closed({"ab": ONE, "aa": False}, patternProperties={"^(aa|ab)$": ONE}),
    {
        "type": "object",
        "properties": {"ab": ONE},
        "patternProperties": {"^(b|aa)$": ONE},
        "unevaluatedProperties": False,
    },
    {"type": "object", "properties": {"b": ONE}, "propertyNames": pattern("^[ab]?$"), "additionalProperties": ONE},
    {
        "anyOf": [
            closed({"a": ONE}, patternProperties={"^(b|ac)$": ONE}),
            closed({"b": ONE}, patternProperties={"^a$": ONE}),
        ]
    },
    {
        "anyOf": [
            closed({"a": ONE, "b": ONE}, patternProperties={"^b?$": ONE}),
            closed({"b": ONE, "c": ONE}, required=["c"]),
        ]
    },
]


@pytest.mark.parametrize("schema", ALSO_DECLARED, ids=lambda schema: json.dumps(schema)[:60])
def test_keys_that_a_pattern_allows_and_that_are_declared_too(schema: Any) -> None:
    """All orders of all keys, and every beginning has an end."""
    validator = jsonschema.Draft202012Validator(schema)
    names = ["", "a", "b", "c", "aa", "ab", "ac"]
    chosen = (keys for size in range(5) for keys in itertools.permutations(names, size))
    objects = [dict.fromkeys(keys, 1) for keys in chosen]
    valid = {json.dumps(each, separators=(",", ":")) for each in objects if validator.is_valid(each)}
    constraint = compiled(schema, property_order="any")
    assert texts(constraint, '{},:"abc1') == valid
    beginnings = {text[:i] for text in valid for i in range(len(text) + 1)}
    assert texts(constraint, '{},:"abc1', prefixes=True) == beginnings


def repeats_a_key(text: str) -> bool:
    found: list[bool] = []
    json.loads(text, object_pairs_hook=lambda pairs: found.append(len(dict(pairs)) < len(pairs)))
    return any(found)


def without(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without(value) for key, value in schema.items() if key != "uniqueItems"}
    return [without(part) for part in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize(("schema", "letters"), FINITE)
def test_all_texts_and_all_their_beginnings(schema: Any, letters: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without_registers:
        without_registers.setattr(follower.Follower, "follow", lambda *_: None)
        everything = texts(compiled(without(schema)), letters)
    validator = jsonschema.Draft202012Validator(schema)
    valid = {text for text in everything if validator.is_valid(json.loads(text)) and not repeats_a_key(text)}
    assert valid
    assert len(valid) < len(everything)
    constraint = compiled(schema)
    assert texts(constraint, letters) == valid
    assert texts(constraint, letters, prefixes=True) == {text[:i] for text in valid for i in range(len(text) + 1)}


# Masks

STRING = {"type": "string"}
OPEN = [
    unique(STRING),
    unique(pattern("^(a|bx*)$")),
    unique(pattern("^[ab]{0,2}$"), minItems=7),
    unique({"type": "string", "maxLength": 2}),
    unique({"type": "string", "minLength": 1}),
    unique({"type": "integer"}),
    unique({"type": "integer", "minimum": 0, "maximum": 12}, minItems=13),
    unique({"type": "number"}),
    unique({"type": "number", "minimum": 0, "maximum": 2}),
    {"type": "array", "uniqueItems": True},
    unique({"type": "object"}),
    unique(closed({"a": {"type": "integer"}, "b": {"type": "boolean"}}, required=["a"])),
    unique(closed({"a": {"type": "boolean"}, "b": {"type": "boolean"}}, required=["a"])),
    unique(unique(STRING)),
    unique({"anyOf": [STRING, {"type": ["integer", "null", "boolean"]}]}),
    {"type": "array", "prefixItems": [{"const": "a"}, STRING], "items": {"type": "integer"}, "uniqueItems": True},
    unique({"type": "string", "format": "date"}),
    unique(STRING, contains={"const": "a"}),
    unique({"enum": list("abcdefghij")}, minItems=10),
    unique({"enum": NAMES}),
    unique({"enum": NAMES}, minItems=10),
    unique({"anyOf": [{"enum": NAMES}, {"type": ["null", "integer"]}]}),
    unique(unique({"enum": NAMES})),
    {
        "type": "array",
        "prefixItems": [{"enum": NAMES}, {"enum": ["a", "ab"]}],
        "items": {"enum": ["a", 1]},
        "uniqueItems": True,
    },
    {"type": "object", "properties": {"a": unique({"enum": NAMES})}},
    {"anyOf": [unique({"enum": NAMES}), {"type": "array", "items": {"enum": ["a", "bb", 1]}}]},
    {"type": "object"},
    {"type": "object", "properties": {"ab": {"type": "integer"}, "b": {}}, "required": ["b"]},
    {"type": "object", "propertyNames": pattern("^[ab]*$")},
    {"type": "object", "propertyNames": pattern("^(a|ab|b[ab]*)$"), "additionalProperties": {"const": 1}},
    {"type": "object", "propertyNames": pattern("^a[ab]*$"), "additionalProperties": {"const": 1}},
    {"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}},
    {"type": "object", "minProperties": 2, "properties": {"a": {"type": "integer"}}},
    {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": unique(STRING)}}},
    {"anyOf": [unique(STRING), {"type": "array", "items": {"type": "integer"}}, {"type": "object"}]},
    {"anyOf": [unique({"type": ["object", "integer"]}), {"type": "array", "items": {"type": ["object", "string"]}}]},
    {"type": "array", "prefixItems": [{"type": "object"}, STRING], "items": {"type": "integer"}, "uniqueItems": True},
]


@pytest.mark.parametrize("schema", OPEN, ids=lambda schema: json.dumps(schema)[:60])
def test_the_mask_is_what_can_be_accepted_and_the_end_is_valid(schema: Any) -> None:
    rng = random.Random(7)
    validator = jsonschema.Draft202012Validator(schema)
    for kernel in KERNELS if THOROUGH else KERNELS[:1]:
        constraint = compiled(schema, kernel)
        for _ in range(30 if THOROUGH else 2):
            for text in walk(constraint.matcher(), rng, 30):
                assert validator.is_valid(json.loads(text)), text
                assert not repeats_a_key(text)


LISTS = ["".join(letters) for size in range(1, 6) for letters in itertools.product("ab", repeat=size)]
MANY = [
    (unique(STRING), "[", [f'"{text}",' for text in LISTS], ['"ab', '"b"]']),
    (unique({"type": "integer"}), "[", [f"{number}," for number in range(1, 62)], ["61", "-6"]),
    (unique({"type": "number"}), "[", [f"{number / 2}," for number in range(1, 62)], ["6.5", "0e1"]),
    (unique({"type": "object"}), "[", [f'{{"a":"{text}"}},' for text in LISTS], ['{"a":"ab', '{"ab":"b"}']),
    (unique(unique(STRING)), "[", [f'["{text}"],' for text in LISTS], ['["a",']),
    ({"type": "object"}, "{", [f'"{text}":1,' for text in LISTS], ['"ab', '"b":']),
    ({"type": "object", "properties": {"ab": {}}}, "{", [f'"{text}":1,' for text in LISTS[3:]], ['"aba', '"ab":']),
]


@pytest.mark.parametrize(("schema", "opening", "values", "following"), MANY)
def test_masks_behind_many_values_that_begin_alike(
    schema: Any, opening: str, values: list[str], following: list[str]
) -> None:
    """More than are kept beside a log, and so many that those which a token may end are looked up."""
    constraint = compiled(schema)
    for left_out in (0, 1, 30, len(values) - 1):
        before = opening + "".join(value for number, value in enumerate(values) if number != left_out)
        for text in (*following, values[left_out]):
            matcher = constraint.matcher()
            assert matcher.accept_bytes(before.encode())
            for byte in text.encode():
                assert mask_of(matcher) == {token for token in range(END) if matcher.fork().accept_token(token)}
                if not matcher.accept_token(byte):
                    break


DECLARING = [
    {"type": "object", "properties": {"ab": {}}},
    {"anyOf": [{"type": "object", "properties": {"ab": {"type": "string"}}}, {"type": "object", "required": ["b"]}]},
]


@pytest.mark.parametrize("items", DECLARING)
@pytest.mark.parametrize("key", ["", "a", "b"])
def test_a_key_comes_once_in_an_item_too(items: Any, key: str) -> None:
    """Behind a beginning of declared names, while the item around it must differ from others."""
    for schema, before in ((unique(items), "["), (unique(unique(items)), "[["), (items, "")):
        matcher = compiled(schema).matcher()
        assert matcher.accept_bytes(f'{before}{{"{key}":1,"'.encode())
        for byte in (*key.encode(), 0x22):
            allowed = mask_of(matcher)
            assert allowed == {token for token in range(END) if matcher.fork().accept_token(token)}
            assert matcher.accept_token(byte) == (byte != 0x22)


def test_both_kernels_follow_registers() -> None:
    rng = random.Random(1)
    for kernel in KERNELS:
        for schema in (unique(pattern("^(a|bx*)$")), OPEN[-8]):
            list(walk(compiled(schema, kernel).matcher(), rng, 20))


def walk(matcher: checkrail.Matcher, rng: random.Random, steps: int) -> Iterator[str]:
    """A random text, perhaps to its end, with all masks tried; now and then back a few steps."""
    taken: list[bytes] = []
    for _ in range(steps):
        allowed = mask_of(matcher)
        tried = set()
        for token in range(END + 1):
            if matcher.accept_token(token):
                tried.add(token)
                matcher.rollback()
        assert allowed == tried, b"".join(taken)
        assert allowed, "a dead end"
        if allowed == {END} or (END in allowed and rng.random() < 0.3):
            yield b"".join(taken).decode()
            return
        if len(taken) > 2 and rng.random() < 0.2:
            back = rng.randint(1, 2)
            matcher.rollback(back)
            del taken[-back:]
            continue
        pieces = [token for token in allowed if 256 <= token < END] if rng.random() < 0.7 else []
        token = rng.choice(sorted(pieces or allowed - {END}))
        assert matcher.accept_token(token)
        taken.append(TOKENS[token])


# Cutting, going back, and forks

ACCEPTED = [
    (unique(STRING), '["a","\\u0062","","ab"]', True),
    (unique(STRING), '["a","\\u0061"]', False),
    (unique({}), '[1,"1",true,null,[1],{"a":1}]', True),
    (unique({}), '[{"a":1,"b":[2]},{"b":[2.0],"a":10e-1}]', False),
    (unique({}), "[1.5,15e-1]", False),
    (unique({}), "[0,-0.0]", False),
    (unique({}), "[[],{},[[]],[{}]]", True),
    (unique({}), "[[[]],[[]]]", False),
    ({"type": "object"}, '{"a":{"a":1,"b":{}},"b":{"a":2}}', True),
    ({"type": "object"}, '{"a\\"b":1,"a":2,"a\\"":3}', True),
    ({"type": "object"}, '{"a\\"b":1,"a":2,"a\\"b":3}', False),
    ({"type": "object"}, '{"a":{"a":1},"b":{"a":2,"a":3}}', False),
    ({"type": "object", "properties": {"name": {}}}, '{"na":1,"name":{"na":1},"nam":2}', True),
    ({"type": "object", "properties": {"name": {}}}, '{"na":1,"name":2,"na":3}', False),
]


@pytest.mark.parametrize(("schema", "text", "accepted"), ACCEPTED)
def test_any_cutting_gives_the_same_answer(schema: Any, text: str, accepted: bool) -> None:
    constraint = compiled(schema)
    rng = random.Random(3)
    data = text.encode()
    for _ in range(25):
        matcher = constraint.matcher()
        cuts = sorted(rng.sample(range(1, len(data)), rng.randint(0, len(data) - 1)))
        pieces = [data[a:b] for a, b in itertools.pairwise((0, *cuts, len(data)))]
        assert (all(map(matcher.accept_bytes, pieces)) and matcher.is_completed()) == accepted


def test_what_was_undone_may_be_written_and_forks_do_not_see_one_another() -> None:
    matcher = compiled(unique(STRING)).matcher()
    assert matcher.accept_bytes(b'["a",')
    other = matcher.fork()
    assert matcher.accept_bytes(b'"b",')
    assert other.accept_bytes(b'"c",')
    assert not matcher.accept_bytes(b'"b"')
    assert matcher.accept_bytes(b'"c"')
    assert other.accept_bytes(b'"b"')
    matcher.rollback(2)
    assert matcher.accept_bytes(b'"b"')
    assert not other.accept_bytes(b',"c"')


def test_thousands_of_items_take_no_states_and_share_what_is_known_of_them() -> None:
    constraint = compiled(unique({"type": "integer"}))
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"[0")
    for i in range(1, 1001):
        assert matcher.accept_bytes(b",%d" % i)
    states = constraint.memory["automaton"]
    for i in range(1001, 3000):
        assert matcher.accept_bytes(b",%d" % i)
    assert constraint.memory["automaton"] == states
    assert not matcher.accept_bytes(b",1234]")
    assert matcher.accept_bytes(b",3000]")
    assert matcher.is_completed()


def test_an_explanation_says_what_may_stand_there() -> None:
    matcher = compiled(unique(pattern("^(a|b)$"))).matcher()
    assert matcher.accept_bytes(b'["a","')
    refused = matcher.explain(b"a")
    assert refused is not None
    assert refused.expected == b"b"
    assert refused.rules == (("/items", ""),)


# What the schema says


def test_uniqueness_is_in_the_mask_and_there_are_no_rules() -> None:
    grammar = checkrail.Grammar.from_json_schema(unique(STRING), profile="open")
    assert [entry.column for entry in grammar.coverage if entry.keyword == "uniqueItems"] == ["mask"]
    assert len(grammar.sha256) == 64
    for ask in (grammar.to_gbnf, lambda: compiled(unique(STRING)).report, lambda: grammar.rules["root"]):
        with pytest.raises(checkrail.SchemaError) as caught:
            ask()
        assert (caught.value.code, caught.value.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", "/uniqueItems")


@pytest.mark.parametrize(
    "schema",
    [
        unique(pattern("^[ab]{0,3}$"), minItems=16),
        unique({"type": "integer", "minimum": 0, "maximum": 12}, minItems=14),
        {"type": "array", "prefixItems": [STRING, {"const": "a"}], "uniqueItems": True, "minItems": 2},
        unique({"enum": [[1], [2]]}, minItems=2),
    ],
)
def test_items_that_could_run_out_are_refused(schema: Any) -> None:
    with pytest.raises(checkrail.SchemaError) as caught:
        checkrail.Grammar.from_json_schema(schema, profile="open")
    assert (caught.value.code, caught.value.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", "/uniqueItems")


@pytest.mark.parametrize(
    ("schema", "order"),
    [
        ({"type": "object", "propertyNames": pattern("^(a|b)$"), "minProperties": 3}, "mixed"),
        (closed({"a": {}, "b": {}}, patternProperties={"^x$": {}}, minProperties=3), "declared"),
    ],
)
def test_keys_that_could_run_out_are_refused(schema: Any, order: str) -> None:
    with pytest.raises(checkrail.SchemaError) as caught:
        checkrail.Grammar.from_json_schema(schema, profile="open", property_order=order)
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert caught.value.params["keyword"] == "minProperties"


ALTERNATIVES = [
    {"properties": {"a": {"type": "integer"}}, "required": ["b"]},
    {"properties": {"b": {"type": "string"}}},
]


@pytest.mark.parametrize("order", ["mixed", "declared"])
@pytest.mark.parametrize("more", [{}, {"minProperties": 1}])
@pytest.mark.parametrize(
    ("text", "accepted"),
    [('{"a":"x","a":"y"}', False), ('{"b":"x","b":"y"}', False), ('{"c":1,"c":1}', False), ('{"a":"x"}', True)],
)
def test_what_one_alternative_declares_comes_once_in_the_others(
    order: str, more: Any, text: str, accepted: bool
) -> None:
    schema = {"type": "object", "anyOf": [{**each, **more} for each in ALTERNATIVES]}
    matcher = compiled(schema, property_order=order).matcher()
    assert (matcher.accept_bytes(text.encode()) and matcher.is_completed()) == accepted
