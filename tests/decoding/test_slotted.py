"""Slots under masks: which texts there are, against listing them, and which tokens, against trying each."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from checkrail import Constraint, Grammar, InputError, Matcher, Vocabulary, compile
from checkrail.decoding.slotted import FilledConstraint, SlottedConstraint
from checkrail.errors import GrammarError
from checkrail.json_schema.slots import find_slots, mark_of
from checkrail.mask.kernel import Kernel
from checkrail.ondemand.copied import Copies, CopyIndex, Piece

PIECES = [
    b'{"',
    b'":"',
    b'","',
    b'"}',
    b"ab",
    b'b"',
    b'a"}',
    b' b","',
    b'"ab',
    b'":"ab',
    b'"],"',
    b'["',
    b"null",
    b"N/",
]
BYTES = [bytes([b]) for b in range(256)]
VOCABULARY = Vocabulary.from_bytes([*BYTES, *PIECES, None], eos=256 + len(PIECES))
DOCUMENT = 'ab b\n"é'
COPY: dict[str, Any] = {"type": "string", "x-source": {}}
COPIES = {DOCUMENT[a:b] for a in range(len(DOCUMENT)) for b in range(a + 1, len(DOCUMENT) + 1)}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def filled(
    schema: Any, profile: str = "strict", kernel: Kernel | None = None, document: str = DOCUMENT
) -> FilledConstraint:
    found = find_slots(schema, copies=True, profile=profile)
    grammar = Grammar.from_json_schema(found.schema(), profile=profile, whitespace="compact")
    slotted = SlottedConstraint(compile(grammar, VOCABULARY, kernel=kernel), len(found.slots), kernel=kernel)
    index = CopyIndex([Piece(document, range(len(document)), range(1, len(document) + 1))], 1_000)
    return slotted.fill([Copies(index, low=slot.low or 1, high=slot.high) for slot in found.slots])


def texts(matcher: Matcher) -> set[str]:
    """All texts, byte by byte."""
    found = set()
    pending = [b""]
    for text in pending:
        fork = matcher.fork()
        assert not text or fork.accept_bytes(text)
        if fork.is_completed():
            found.add(text.decode())
        pending += [text + bytes([byte]) for byte in fork.next_bytes()]
    return found


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


short = {copy for copy in COPIES if len(copy) <= 2}


@pytest.mark.parametrize("profile", ["strict", "open"])
@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (COPY, COPIES),
        ({**COPY, "minLength": 3, "maxLength": 4}, {copy for copy in COPIES if 3 <= len(copy) <= 4}),
        ({**COPY, "type": ["null", "string"]}, COPIES | {None}),
        ({"anyOf": [COPY, {"enum": ["N/A", "ab", "abb"]}]}, COPIES | {"N/A", "ab", "abb"}),
        ({"anyOf": [{**COPY, "maxLength": 1}, {**COPY, "minLength": 6}]}, {c for c in COPIES if len(c) in (1, 6, 7)}),
        ({"$defs": {"n": COPY}, "anyOf": [{"$ref": "#/$defs/n"}, {"type": "boolean"}]}, COPIES | {True, False}),
    ],
)
def test_one_value(schema: Any, values: set[Any], profile: str) -> None:
    assert texts(filled(schema, profile).matcher()) == set(map(compact, values))


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_several_values(profile: str) -> None:
    schema = closed(
        ["a"], a={**COPY, "maxLength": 2}, l={"type": "array", "items": {**COPY, "maxLength": 1}, "maxItems": 2}
    )
    ones = {copy for copy in COPIES if len(copy) == 1}
    lists = [list(items) for count in range(3) for items in product(sorted(ones), repeat=count)]
    expected = {compact({"a": a}) for a in short} | {compact({"a": a, "l": many}) for a in short for many in lists}
    if profile == "open":  # members in any order
        expected |= {compact({"l": many, "a": a}) for a in short for many in lists}
    assert texts(filled(schema, profile).matcher()) == expected


MANY = closed(
    ["a", "f"],
    a={**COPY, "maxLength": 4},
    f={"type": "string"},
    l={"type": "array", "items": COPY, "maxItems": 3},
    n={**COPY, "type": ["string", "null"]},
    m={"anyOf": [COPY, {"enum": ["N/A", "abx"]}]},
)


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_masks_are_what_trying_each_token_says(profile: str, kernel: Kernel) -> None:
    random = Random(5)
    constraint = filled(MANY, profile, kernel)
    completed = 0
    for _ in range(25):
        matcher = constraint.matcher()
        text = b""
        for _ in range(60):
            allowed = [token for token in matcher.allowed(None) if VOCABULARY.tokens[token] is not None]
            tried = [t for t, data in enumerate(VOCABULARY.tokens) if data and matcher.fork().accept_bytes(data)]
            assert allowed == tried, text
            if not allowed:
                break
            token = random.choice(allowed)
            assert matcher.accept_token(token)
            text += VOCABULARY.tokens[token] or b""
        if matcher.is_completed():
            completed += 1
            value = json.loads(text)
            listed = [value["a"], *value.get("l", ()), value.get("n") or "ab", value.get("m", "ab")]
            assert all(item in COPIES or item in ("N/A", "abx") for item in listed)
    assert completed > 5


def test_a_matcher_is_one_as_any_other() -> None:
    matcher = filled(closed(["a"], a=COPY)).matcher()
    assert matcher.find_jump_forward_bytes() == b'{"a":"'
    assert matcher.accept_bytes(b'{"a":"')
    assert matcher.next_bytes() == bytes(sorted(b"a b\\" + "é".encode()[:1]))
    assert matcher.accept_bytes(b"b b"[:1])
    assert not matcher.accept_bytes(b"z")
    matcher.rollback()
    rejection = matcher.explain(b"zz")
    assert rejection is not None
    assert (rejection.offset, rejection.expected) == (0, matcher.next_bytes())
    assert matcher.accept_bytes(b"b")
    rejection = matcher.explain(b"z")
    assert rejection is not None
    assert rejection.rules[0][0] == "slot"
    assert matcher.find_jump_forward_bytes() == b""
    assert matcher.accept_bytes(b" b")
    assert matcher.accept_bytes(b'"}')
    assert matcher.is_completed()
    for ask in (matcher.min_tokens_to_finish, matcher.configuration):
        with pytest.raises(InputError) as caught:
            ask()
        assert caught.value.code == "CONSTRAINT_ENGINE"


def test_fillings_of_one_constraint_are_independent(kernel: Kernel) -> None:
    found = find_slots(closed(["a"], a=COPY), copies=True)
    grammar = Grammar.from_json_schema(found.schema(), whitespace="compact")
    slotted = SlottedConstraint(compile(grammar, VOCABULARY, kernel=kernel), 1, kernel=kernel)
    matchers = []
    for document in ("ab", "cd"):
        index = CopyIndex([Piece(document, range(2), range(1, 3))], 99)
        matchers.append(slotted.fill([Copies(index)]).matcher())
    assert [texts(matcher) for matcher in matchers] == [
        {compact({"a": text}) for text in texts} for texts in (("a", "b", "ab"), ("c", "d", "cd"))
    ]
    assert repr(slotted).startswith("<SlottedConstraint 1 slots in 1 places, <PushdownAutomaton ")
    with pytest.raises(ValueError, match="2 fillers for 1 slots"):
        slotted.fill([Copies(index), Copies(index)])


def test_memory_is_that_of_what_was_visited() -> None:
    constraint = filled(MANY)
    before = constraint.memory
    matcher = constraint.matcher()
    matcher.accept_bytes(b'{"a":"')
    matcher.allowed()
    assert constraint.memory["automaton"] >= before["automaton"] > 0


def test_what_follows_must_not_depend_on_which_string_it_was() -> None:
    schema = {
        "anyOf": [
            closed(["a", "b"], a=COPY, b={"type": "null"}),
            closed(["a", "c"], a={"enum": ["ab"]}, c={"type": "null"}),
        ]
    }
    matcher = filled(schema, "open").matcher()
    with pytest.raises(GrammarError) as caught:
        matcher.accept_bytes(b'{"a":"ab"')
    assert caught.value.code == "GRAMMAR_SLOTS"


def test_an_ambiguous_automaton_has_no_slots() -> None:
    mark = mark_of(0).decode()
    text = f'root ::= x "\\"{mark}\\""\nx ::= "a" | "a" x "b" | "ab"'
    constraint: Constraint = compile(Grammar.from_gbnf(text), VOCABULARY, contract="context-free")
    assert not constraint.report.visible
    with pytest.raises(GrammarError, match="ambiguous"):
        SlottedConstraint(constraint, 1)


def test_a_string_that_may_be_anything_has_no_slot() -> None:
    mark = mark_of(0).decode()
    grammar = Grammar.from_json_schema({"anyOf": [{"const": mark}, {"type": "string"}]})
    assert SlottedConstraint(compile(grammar, VOCABULARY), 1).found == frozenset()
