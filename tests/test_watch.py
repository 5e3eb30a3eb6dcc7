"""The watch: it counts, it looks at the clock now and then, and it stops work wherever that is long."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path

import pytest

import checkrail.watch
from checkrail.automaton.compiler import compile_automaton
from checkrail.decoding.constraint import compile
from checkrail.errors import BudgetError, GrammarError, InputError, StreamError
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema.algebra.profile import OpenSchema, OpenTranslator
from checkrail.json_schema.schema import read_schema
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from checkrail.watch import EVERY, UNWATCHED, Watch

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])
LEFT_RECURSIVE = Grammar.from_gbnf('root ::= a "x" | "y"\na ::= root "z" | "(" list ")"\nlist ::= "l" ("," list)?')
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$", "not": {"pattern": "x"}},
        "tags": {"type": "array", "items": {"$ref": "#"}, "contains": {"required": ["name"]}},
        "size": {"anyOf": [{"type": "number", "multipleOf": 0.5}, {"const": "big"}]},
    },
    "minProperties": 1,
}


class Clock:
    """A clock that jumps by an hour at its n-th reading after the first."""

    def __init__(self, jump: int) -> None:
        self.readings = -1
        self.jump = jump

    def __call__(self) -> float:
        self.readings += 1
        return 3600.0 if self.readings >= self.jump else 0.0


@pytest.fixture
def _looks_always(monkeypatch):
    monkeypatch.setattr(checkrail.watch, "EVERY", 1)


def files_of(error: BaseException) -> set[str]:
    """The files of the package that an error went through."""
    found = set()
    traceback = error.__traceback__
    while traceback:
        found.add(Path(traceback.tb_frame.f_code.co_filename).name)
        traceback = traceback.tb_next
    return found


def stopped_everywhere(work, stride=1) -> set[str]:
    """Stop `work(watch)` at each of its looks in turn, or at some; the files in which it was stopped."""
    found: set[str] = set()
    for jump in count(1, stride):
        try:
            work(Watch(60, clock=Clock(jump)))
        except BudgetError as error:
            if error.code != "GRAMMAR_BUDGET_TIME":
                raise
            found |= files_of(error)
        else:
            break
    return found


def test_steps_are_counted_and_the_clock_is_read_now_and_then():
    clock = Clock(2)
    watch = Watch(60, clock=clock)
    for _ in range(EVERY - 1):
        watch.spend()
    assert (watch.steps, clock.readings) == (EVERY - 1, 0)
    watch.spend()
    assert (watch.steps, clock.readings) == (EVERY, 1)
    watch.spend(EVERY - 1)
    with pytest.raises(BudgetError, match="more than 60 seconds"):
        watch.spend()
    assert repr(watch) == f"<Watch {2 * EVERY} steps, at most 60 s>"


def test_time_is_over_after_the_seconds_and_not_before():
    now = 10.0
    watch = Watch(2.5, clock=lambda: now)
    now = 12.5
    watch.look()
    now = 12.75
    with pytest.raises(BudgetError, match=r"more than 2\.5 seconds"):
        watch.look()


def test_cancelling_comes_before_the_time():
    watch = Watch(60, threading.Event().is_set, Clock(1))
    with pytest.raises(BudgetError):
        watch.look()
    with pytest.raises(StreamError) as caught:
        Watch(60, lambda: True, Clock(1)).look()
    assert caught.value.code == "CANCELLED"


def test_unwatched_work_does_not_end():
    UNWATCHED.spend(10 * EVERY)
    UNWATCHED.look()


@pytest.mark.usefixtures("_looks_always")
def test_compiling_can_be_stopped_in_every_phase():
    def work(watch):
        compile_automaton(LEFT_RECURSIVE, contract="context-free", watch=watch)

    assert stopped_everywhere(work) >= {
        "analyze.py",
        "fixpoint.py",
        "simplify.py",
        "normalize.py",
        "nvpa.py",
        "thompson.py",
        "left_corner.py",
        "determinize.py",
        "measure.py",
        "minimize.py",
        "visibility.py",
        "pushdown.py",
    }
    with pytest.raises(GrammarError) as caught:
        compile_automaton(LEFT_RECURSIVE)
    assert caught.value.code == "GRAMMAR_LEFT_RECURSION"
    assert "left_recursion.py" in stopped_everywhere(ignoring_the_refusal)


def ignoring_the_refusal(watch):
    try:
        compile_automaton(LEFT_RECURSIVE, watch=watch)
    except GrammarError as error:
        if error.code != "GRAMMAR_LEFT_RECURSION":
            raise


@pytest.mark.usefixtures("_looks_always")
def test_regular_algebra_can_be_stopped():
    grammar = Grammar.from_regex("(?=.*a)(?!.*b)[a-z]{1,3}")
    found = stopped_everywhere(lambda watch: compile_automaton(grammar, limits=Limits(states=999), watch=watch))
    assert found >= {"operations.py", "compile.py", "thompson.py", "determinize.py"}


@pytest.mark.usefixtures("_looks_always")
def test_modules_that_are_kept_for_all_grammars_can_be_stopped():
    grammar = Grammar.from_gbnf('root ::= word | "(" root ")"\nword ::= "a word that no other test has" [a-z]{40}')
    found: set[str] = set()
    for jump in range(1, 200, 3):  # once it is known there is nothing to stop, but that ends the loop only
        try:
            compile_automaton(grammar, watch=Watch(60, clock=Clock(jump)))
        except BudgetError as error:
            found |= files_of(error)
    assert "standalone.py" in found


@pytest.mark.usefixtures("_looks_always")
def test_reading_a_schema_can_be_stopped():
    options = Grammar.from_json_schema(SCHEMA, profile="open").schema.options
    tree = read_schema(SCHEMA, options.limits)
    found = stopped_everywhere(lambda watch: OpenSchema.read(tree, options, watch=watch))
    assert found >= {"normal.py", "texts.py", "survey.py", "states.py"}


@pytest.mark.usefixtures("_looks_always")
def test_lowering_a_schema_can_be_stopped_and_tried_again():
    schema = {"type": "object", "properties": {"a": {"const": 1}, "b": {"$ref": "#"}}, "minProperties": 1}
    grammar = Grammar.from_json_schema(schema, profile="open")
    options = grammar.schema.options
    tree = read_schema(schema, options.limits)
    found = stopped_everywhere(lambda watch: OpenTranslator(tree, options, watch=watch).run(), 7)
    assert found >= {"lower.py", "lower_objects.py", "merge.py"}
    with pytest.raises(BudgetError):
        compile_automaton(grammar, watch=Watch(60, clock=Clock(50)))
    fresh = Grammar.from_json_schema(schema, profile="open")
    assert (grammar.rules, grammar.coverage) == (fresh.rules, fresh.coverage)


@pytest.mark.usefixtures("_looks_always")
def test_rooms_on_demand_are_watched():
    grammar = Grammar.from_json_schema(SCHEMA, profile="open")
    with (
        grammar.schema.watched(Watch(60, clock=Clock(1))),
        pytest.raises(BudgetError) as caught,
    ):
        grammar.schema.room(grammar.schema.root)
    assert "room.py" in files_of(caught.value)
    assert grammar.schema.room(grammar.schema.root) == 1  # the watch went with the call


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_time_of_the_limits(profile):
    brief = Limits(compile_seconds=1e-9)
    schema = {"enum": [f"value {i}" for i in range(600)]}
    grammar = Grammar.from_json_schema(schema, profile=profile)
    for call in (
        lambda: compile(grammar, BYTES, limits=brief),
        lambda: compile(grammar, BYTES, limits=Limits()).automaton and compile_automaton(grammar, limits=brief),
    ):
        with pytest.raises(BudgetError) as caught:
            call()
        assert caught.value.code == "GRAMMAR_BUDGET_TIME"
        assert caught.value.render().endswith("raise Limits.compile_seconds.")


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_cancelling_leaves_nothing_behind(profile):
    schema = {"type": "object", "properties": {f"p{i}": {"enum": [f"v{j}" for j in range(20)]} for i in range(20)}}
    grammar = Grammar.from_json_schema(schema, profile=profile)
    whole = compile_automaton(grammar, limits=Limits().in_open_profile() if profile == "open" else Limits()).sha256
    asked: list[int] = []

    def at_the_second_question() -> bool:
        asked.append(threading.get_ident())
        return len(asked) > 1

    fresh = Grammar.from_json_schema(schema, profile=profile)
    with pytest.raises(StreamError) as caught:
        compile(fresh, BYTES, contract="visibly-pushdown", cancelled=at_the_second_question)
    assert caught.value.code == "CANCELLED"
    assert set(asked) == {threading.get_ident()}
    constraint = compile(fresh, BYTES, cancelled=lambda: False)
    assert constraint.automaton.sha256 == whole


def test_reading_a_schema_can_be_cancelled():
    schema = {"type": "object", "properties": {f"p{i}": {"type": "integer", "minimum": i} for i in range(5000)}}
    for profile in ("strict", "open"):
        with pytest.raises(StreamError) as caught:
            Grammar.from_json_schema(schema, profile=profile, cancelled=lambda: True)
        assert caught.value.code == "CANCELLED"


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), True, "1", None, 2**24 + 1])
def test_seconds_are_a_positive_number(value):
    with pytest.raises(InputError) as caught:
        Limits(compile_seconds=value)
    assert "compile_seconds" in caught.value.message


def test_fractions_of_seconds_are_fine():
    assert Limits(compile_seconds=0.25).compile_seconds == 0.25
    assert Limits(compile_seconds=2).compile_seconds == 2
