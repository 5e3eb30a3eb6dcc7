"""A loaded constraint is the saved one; anything else ends in a catalogued error and never in a crash."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import Constraint, compile
from checkrail.errors import Error, GrammarError, InputError, VocabularyError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies

TOKENS = Vocabulary.from_bytes(
    [*(bytes([b]) for b in range(128)), b'{"', b'":', None, None], eos=130, special={"<x>": 131}
)
SCHEMA = Grammar.from_json_schema(
    {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"$ref": "#"}}}}
)
NAMED = Grammar.from_gbnf('root ::= "(" root ")" | <[131]> x | !<[131]>\nx ::= "b" x | ""')


def constraint(grammar: Grammar = SCHEMA, **options) -> Constraint:
    return compile(grammar, TOKENS, **options)


def sealed(data: object) -> str:
    """Data in an envelope with the right digest, as an attacker would make it."""
    body = data if isinstance(data, str) else json.dumps(data, sort_keys=True, separators=(",", ":"))
    return f"checkrail-constraint/1 {hashlib.sha256(body.encode()).hexdigest()}\n{body}"


def opened(text: str):
    return json.loads(text.partition("\n")[2])


@pytest.mark.parametrize("grammar", [SCHEMA, NAMED], ids=["schema", "named"])
def test_a_file_gives_back_the_same_constraint(tmp_path: Path, grammar: Grammar) -> None:
    first = constraint(grammar, contract="context-free", limits=Limits(nesting=5))
    path = tmp_path / "x.constraint"
    path.write_text("old")
    first.save(path)
    second = Constraint.load(path, TOKENS)
    assert [p.name for p in tmp_path.iterdir()] == ["x.constraint"], "no temporary file stays"
    assert (second.sha256, second.report, second.limits) == (first.sha256, first.report, first.limits)
    assert second.automaton.canonical() == first.automaton.canonical()
    assert (second.grammar, second.grammar.origins) == (first.grammar, first.grammar.origins)
    assert second.grammar.coverage == first.grammar.coverage
    assert second.serialize_json() == first.serialize_json() == path.read_text()


@given(grammars(), vocabularies(), st.sampled_from([2, 40]), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_a_loaded_constraint_has_the_same_masks(grammar, vocabulary, nesting, rng):
    try:
        first = compile(grammar, vocabulary, contract="context-free", limits=Limits(nesting=nesting))
    except GrammarError:
        assume(False)
    second = Constraint.deserialize_json(first.serialize_json(), vocabulary)
    assert (second.sha256, second.grammar, second.report) == (first.sha256, grammar, first.report)
    a, b = first.matcher(), second.matcher()
    for _ in range(8):
        allowed = a.allowed(None)
        assert b.allowed(None) == allowed
        assert a.min_tokens_to_finish() == b.min_tokens_to_finish()
        if not allowed:
            break
        token = rng.choice(allowed)
        assert a.accept_token(token)
        assert b.accept_token(token)


def test_another_vocabulary_is_refused() -> None:
    other = Vocabulary.from_bytes([b"a", None], eos=1)
    with pytest.raises(VocabularyError, match="VOCAB_HASH"):
        Constraint.deserialize_json(constraint().serialize_json(), other)


def test_what_is_damaged_or_foreign_is_refused(tmp_path: Path) -> None:
    text = constraint().serialize_json()
    foreign = [
        "",
        "{}",
        text[:-1],
        text + " ",
        text.replace("/1 ", "/2 ", 1),
        text.replace("x", "y"),
        sealed("[" * 10**6),
    ]
    for bad in [*foreign, sealed([]), sealed({}), sealed('{"a":NaN}'), sealed("1" * 5_000)]:
        with pytest.raises(InputError, match="CONSTRAINT_FORMAT"):
            Constraint.deserialize_json(bad, TOKENS)
    path = tmp_path / "x"
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="CONSTRAINT_FORMAT"):
        Constraint.load(path, TOKENS)
    with pytest.raises(InputError, match="INPUT_MISSING"):
        Constraint.load(tmp_path / "none", TOKENS)
    with pytest.raises(InputError, match="INPUT_UNREADABLE"):
        Constraint.load(tmp_path, TOKENS)
    with pytest.raises(InputError, match="OUTPUT_WRITE"):
        constraint().save(tmp_path / "none" / "x")
    with pytest.raises(InputError, match="OUTPUT_WRITE"):
        constraint().save(tmp_path)


def test_a_file_above_the_bound_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    constraint().save(path)
    monkeypatch.setattr("checkrail.decoding.stored._MAXIMUM_BYTES", path.stat().st_size - 1)
    with pytest.raises(InputError, match="it has more than"):
        Constraint.load(path, TOKENS)


def test_another_grammar_under_the_same_automaton_is_found() -> None:
    data = opened(constraint().serialize_json())
    data["grammar"]["root"] = data["grammar"]["rules"][-1][0]
    with pytest.raises(InputError, match="does not have its digest"):
        Constraint.deserialize_json(sealed(data), TOKENS)


def places(data: object, path: tuple = ()):
    """Every place in nested data."""
    yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


HOSTILE = [
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**70,
    1.5,
    "",
    "x",
    "\ud800",
    [],
    [[]],
    {},
    [0, 0],
    [[0, 0, 0]],
    "00",
    "ff" * 256,
]


@pytest.mark.parametrize("grammar", [SCHEMA, NAMED], ids=["schema", "named"])
def test_no_hostile_change_crashes(grammar: Grammar) -> None:
    """Each change is sealed with a right digest; what still loads must be able to write a text."""
    text = constraint(grammar, contract="context-free").serialize_json()
    everywhere = list(places(opened(text)))
    rng = random.Random(7)
    refused = 0
    for _ in range(400):
        data = opened(text)
        *path, last = rng.choice(everywhere[1:])
        here = data
        for key in path:
            here = here[key]
        if rng.random() < 0.2:
            del here[last]
        else:
            here[last] = rng.choice(HOSTILE)
        try:
            loaded = Constraint.deserialize_json(sealed(data), TOKENS)
        except Error as error:
            assert error.code in ("CONSTRAINT_FORMAT", "VOCAB_HASH")  # noqa: PT017
            refused += 1
        else:
            assert loaded.matcher().allowed()
    assert refused > 300
