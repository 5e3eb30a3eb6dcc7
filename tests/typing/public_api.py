"""What a type checker must know of the public names. Checked by mypy (`make check`), never run."""

from __future__ import annotations

from typing import TypedDict, assert_never, assert_type

from pydantic import BaseModel

import checkrail
from checkrail.decoding.stream import Delta, End, Notice, Progress, Start
from checkrail.models.protocol import Model

assert_type(checkrail.__version__, str)
assert_type(checkrail.Limits(nesting=4).nesting, int | None)

grammar = checkrail.Grammar.from_gbnf('root ::= "a"')
assert_type(grammar, checkrail.Grammar)

vocabulary = checkrail.Vocabulary.from_bytes([b"a", b"<end>"], eos=1)
assert_type(vocabulary, checkrail.Vocabulary)
assert_type(vocabulary.fingerprint, str)

constraint = checkrail.compile(grammar, vocabulary)
assert_type(constraint, checkrail.Constraint)
assert_type(constraint.sha256, str)

matcher = constraint.matcher()
assert_type(matcher, checkrail.Matcher)
assert_type(matcher.accept_token(0), bool)
assert_type(matcher.fork(), checkrail.Matcher)
assert_type(matcher.is_terminated(), bool)


def failure(error: checkrail.Error) -> str:
    assert_type(error.code, str)
    assert_type(error.expected, tuple[str, ...])
    return error.render()


def kinds(error: checkrail.SchemaError) -> checkrail.GrammarError:
    return error


class Invoice(BaseModel):
    total: float


class Place(TypedDict):
    name: str


def typed_results(model: Model) -> None:
    assert_type(checkrail.generate(model, "", Invoice), checkrail.Result[Invoice])
    assert_type(checkrail.generate(model, "", Invoice).value, Invoice)
    assert_type(checkrail.generate(model, "", Place).value, Place)
    assert_type(checkrail.generate(model, "", list[Invoice]).value, list[Invoice])
    assert_type(checkrail.generate(model, "", grammar).value, str)
    assert_type(checkrail.generate(model, "").value, str)
    assert_type(checkrail.stream(model, "", Invoice).result().value, Invoice)
    for row in checkrail.extract(["a document"], Invoice, model=model):
        assert_type(row, checkrail.Row[Invoice])
        assert_type(row.value, Invoice | None)


def events(model: Model) -> str:
    """What a stream gives is told apart by type; a delta has text and no value."""
    text = ""
    for event in checkrail.stream(model, "", Invoice):
        match event:
            case Delta():
                assert_type(event.text, str)
                text += event.text
            case End():
                assert_type(event.complete, bool)
            case Start() | Progress() | Notice():
                pass
            case _:
                assert_never(event)
    return text


assert_type(checkrail.load_model().context_size, int)
assert_type(checkrail.check_output("1", True), checkrail.Report)
assert_type(checkrail.Sampling(temperature=0.5).temperature, float)
