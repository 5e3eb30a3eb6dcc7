"""Triggers of MASK_*, MATCHER_*, LOGITS_*, SAMPLING_* and of the ways in which a run can end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import numpy as np

import checkrail
from checkrail import Grammar, Limits, Sampler, Sampling, Vocabulary
from checkrail.boundary.binding.source import read_sources
from checkrail.decoding.finish import collect
from checkrail.decoding.loop import decode
from checkrail.decoding.run import Run
from checkrail.decoding.slotted import SlottedConstraint
from checkrail.decoding.stream import Delta, End
from checkrail.generation.filling import Filling
from checkrail.generation.output import Output
from checkrail.mask import visible
from checkrail.mask.bitmask import bitmask_row
from error_triggers import Trigger
from error_triggers.grammar import BYTES

LETTERS = Vocabulary.from_bytes([b"a", b"b", b"<end>"], eos=2)
ALL = [0b111]


def compiled(text: str, vocabulary: Vocabulary = LETTERS, **limits: int) -> checkrail.Constraint:
    """This grammar's constraint."""
    return checkrail.compile(Grammar.from_gbnf(text), vocabulary, limits=Limits(**limits))


def filling() -> Filling:
    """A string that is copied from a document."""
    found = Filling.of(Output.of({"type": "string", "x-source": {}}), BYTES, copies=True)
    assert found is not None
    return found


def matcher(text: str, vocabulary: Vocabulary = LETTERS, **limits: int) -> checkrail.Matcher:
    """A matcher of this grammar."""
    return compiled(text, vocabulary, **limits).matcher()


def sample(scores: Any, bitmask: Sequence[int] | None = ALL, **sampling: Any) -> Trigger:
    """One draw over the letters."""

    def run() -> object:
        row = None if bitmask is None else np.array(bitmask, dtype=np.int32)
        draw = Sampler(Sampling(**sampling), logits_width=3, vocabulary_size=3).sample(scores, row, [])
        return [code for code, _ in draw.notices]

    return run


def scores(*values: float) -> Any:
    """Logits."""
    return np.array(values, dtype=np.float32)


class Model:
    """Always the same scores; or whatever `call` does."""

    def __init__(self, call: Callable[[], Any] = lambda: scores(1, 0, 0)) -> None:
        self.call = call

    def logits(self, ids: Sequence[int], /) -> Any:
        return self.call()


def run(model: Model | None = None, grammar: Any = None, vocabulary: Vocabulary = LETTERS, **options: Any) -> Trigger:
    """The events of one run."""

    def events() -> object:
        width = vocabulary.logits_width
        sampler = Sampler(Sampling(), logits_width=width, vocabulary_size=len(vocabulary))
        settings = {"max_tokens": 4, **options}
        return list(decode(model or Model(), [], grammar and grammar(), sampler, vocabulary=vocabulary, **settings))

    return events


class Contrary:
    """A matcher that allows all tokens and then accepts none, as a faulty one would."""

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        bitmask_row(bitmask, index, 1)[0] = 0b011
        return True

    def accept_token(self, token_id: int, /) -> bool:
        return False

    def is_completed(self) -> bool:
        return False


class Walled(Contrary):
    """A matcher that allows nothing, as a vocabulary with gaps would have it."""

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        bitmask_row(bitmask, index, 1)[0] = 0
        return True


def too_many_stacks() -> object:
    with mock.patch.object(visible, "_MAXIMUM_FRAMES", 300):
        grammar = Grammar.from_gbnf('root ::= "[" (root ("," root)*)? "]" | "(" root ")" | "1"')
        matcher = checkrail.compile(grammar, BYTES).matcher()
        matcher.accept_bytes(b"[")
        for brackets in itertools.product("[(", repeat=8):
            closing = "".join({"[": "]", "(": ")"}[b] for b in reversed(brackets))
            matcher.accept_bytes(f"{''.join(brackets)}1{closing},".encode())
    return matcher


def cancelled() -> object:
    handle = Run()
    handle.cancel()
    return run(run=handle)()


def closed_by_reader() -> object:
    handle = Run()
    sampler = Sampler(Sampling(), logits_width=3, vocabulary_size=3)
    stream = decode(Model(), [], None, sampler, vocabulary=LETTERS, max_tokens=9, run=handle)
    next(event for event in stream if isinstance(event, Delta))
    stream.close()
    return handle.end


def incomplete_use() -> object:
    events = run()()
    assert isinstance(events, list)
    assert isinstance(events[-1], End)
    return collect(events, str).value


def slow_clock() -> Trigger:
    ticks = itertools.count()
    return run(time_limit=0.5, clock=lambda: float(next(ticks)))


def backend_failure() -> Any:
    raise RuntimeError("out of memory")


BAD_UTF8 = Vocabulary.from_bytes([b"\xff", b"b", b"<end>"], eos=2)


def members_in_another_order() -> object:
    schema = {"type": "object", "properties": {name: {"type": "null"} for name in "abcd"}}
    found = checkrail.compile(Grammar.from_json_schema(schema, profile="open"), BYTES).matcher()
    assert found.accept_bytes(b'{"d":null,"a":null')
    return found.min_tokens_to_finish()


def one_object_twice() -> object:
    """Nothing is left of an array of one possible object, which has its members in 5,040 orders."""
    one = dict.fromkeys("abcdefg", 1)
    item = {"type": "object", "properties": {name: {"const": 1} for name in one}, "additionalProperties": False}
    schema = {"type": "array", "items": {**item, "required": list(one)}, "uniqueItems": True}
    grammar = Grammar.from_json_schema(schema, profile="open", whitespace="compact")
    text = "[" + json.dumps(one, separators=(",", ":")) + ","
    return checkrail.compile(grammar, BYTES).matcher().accept_bytes(text.encode())


TRIGGERS: dict[str, Trigger] = {
    "MASK_DEAD_END": run(grammar=Walled),
    "MASK_BUFFER": lambda: matcher('root ::= "a"', BYTES).fill_next_token_bitmask(bytearray(4)),
    "MASK_DTYPE": lambda: Sampler(Sampling(), logits_width=3, vocabulary_size=3).sample(scores(1, 2, 3), [0.5], []),
    "MASK_STATE": run(grammar=Contrary),
    "MASK_STACKS": too_many_stacks,
    "MASK_BUDGET": lambda: checkrail.compile(
        Grammar.from_gbnf("root ::= a b\na ::= [a]* a?\nb ::= [a]* b?"),
        LETTERS,
        contract="context-free",
        limits=Limits(configuration_pairs=1),
    ).matcher(),
    "MASK_DIFFERENT": one_object_twice,
    "MASK_CHART": lambda: (
        checkrail.compile(
            Grammar.from_gbnf('root ::= "a" root "b" | "b"'), LETTERS, engine="earley", limits=Limits(chart_items=9)
        )
        .matcher()
        .accept_bytes(b"aaaaaaaaaa")
    ),
    "COPY_BUDGET": lambda: filling().matcher(read_sources({"document": "a" * 65_537})),
    "COPY_NOTHING": lambda: filling().matcher(read_sources({"document": " "})),
    "GRAMMAR_SLOTS": lambda: SlottedConstraint(
        checkrail.compile(Grammar.from_gbnf('root ::= x "c"\nx ::= "a" x? "b"?'), BYTES, contract="context-free"), 1
    ),
    "MATCHER_ORDER": members_in_another_order,
    "MATCHER_ROLLBACK": lambda: matcher('root ::= "a"').rollback(1),
    "LOGITS_SHAPE": sample(scores(1, 2)),
    "LOGITS_DTYPE": sample(np.array([1, 2, 3])),
    "LOGITS_NAN": sample(scores(1, float("nan"), 0)),
    "LOGITS_INF": sample(scores(1, float("inf"), 0)),
    "LOGITS_NONE_FINITE": sample(scores(*[float("-inf")] * 3)),
    "SAMPLING_PARAM": lambda: Sampling(top_p=0),
    "SAMPLING_FORBIDDEN_EMPTY": sample(scores(1, 2, 3), [0b001], forbidden=[0]),
    "BUDGET_TOKENS": run(),
    "BUDGET_TOO_SMALL": lambda: compiled('root ::= "aa"').matcher(token_budget=1),
    "BUDGET_CLOSING": run(grammar=lambda: compiled('root ::= "a"+ "b"').matcher(token_budget=2)),
    "BUDGET_TIME": slow_clock(),
    "BUDGET_BYTES": run(max_bytes=2),
    "STREAM_UTF8": run(vocabulary=BAD_UTF8, utf8="fail"),
    "STREAM_REPLACED": run(vocabulary=BAD_UTF8, utf8="replace"),
    "STREAM_CLOSED": closed_by_reader,
    "STREAM_INCOMPLETE_USE": incomplete_use,
    "CANCELLED": cancelled,
    "BACKEND_FAILED": run(Model(backend_failure)),
    "INTERNAL": run(Model(lambda: object()), grammar=lambda: object()),
}
