"""The fuzzer: its laws hold for a while, and it tells when one does not."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import fuzz
from checkrail.boundary import canon, strictjson
from checkrail.boundary.binding import source
from checkrail.boundary.calc import evaluate as calc_evaluate
from checkrail.boundary.calc import parser as calc_parser
from checkrail.boundary.display import characters as display_characters
from checkrail.boundary.display import terminal, visible_text
from fuzz_targets import TARGETS, Target, mutated


@pytest.mark.parametrize("module", sorted(TARGETS))
def test_the_laws_hold_for_the_first_inputs(module: str) -> None:
    account = fuzz.fuzz(TARGETS[module], 20, seed=5, runs=250)
    assert "why" not in account, account["why"]
    assert account["runs"] == 250


PLANTED: list[tuple[str, Any, str, Any]] = [
    ("calc", calc_evaluate, "power", lambda base, exponent: base**exponent),
    ("calc", calc_parser, "_PREFIX_MINUS", 50),
    ("canon", canon, "number_text", lambda value: repr(value)),
    ("canon", canon, "LARGEST_INTEGER", 2**54),
    ("canon", canon, "_ESCAPED", re.compile(rb'["\\\x00-\x1e]')),
    (
        "display",
        visible_text,
        "kind",
        lambda character: display_characters.kind("a" if character == "\u202e" else character),
    ),
    ("display", visible_text, "_is_literal", lambda text, at: False),
    ("display", terminal, "_RESERVED", 1),
    ("spans", source, "occurrences", lambda text, wanted: iter([text.find(wanted)] if wanted in text else [])),
    ("strictjson", strictjson, "LARGEST_INTEGER", 2**54),
    ("strictjson", strictjson, "_PLAIN", re.compile(r'[^"\\\x00-\x1e]*')),
    ("strictjson", strictjson, "_SURROGATE", re.compile("\ud800")),
]


@pytest.mark.parametrize(
    ("module", "where", "name", "fault"), PLANTED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_planted_fault_is_found(
    module: str, where: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    account = fuzz.fuzz(TARGETS[module], 60, seed=1)
    assert "failed" in account


def failing(given: int) -> None:
    if given > 90:
        raise KeyError(given)


def test_a_failure_is_told_and_can_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "TARGETS", {"spans": Target(lambda random: random.randrange(100), failing)})
    monkeypatch.setattr(fuzz.resource, "setrlimit", lambda *_: None)  # not for the whole test run
    done = CliRunner().invoke(fuzz.main, ["spans", "10"])
    assert done.exit_code == 1
    assert "KeyError" in done.output
    assert "input: 9" in done.output
    (failed,) = re.findall(r'"failed": "([^"]+)"', done.output)
    again = CliRunner().invoke(fuzz.main, ["spans", "--run", failed])
    assert again.exit_code == 1
    assert "KeyError" in again.output


def test_slow_and_endless_inputs_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_: int) -> None:
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass

    monkeypatch.setattr(fuzz, "SLOW", 0.01)
    assert "seconds" in fuzz.fuzz(Target(lambda random: 0, busy), 5, seed=1)["why"]
    monkeypatch.setattr(fuzz, "HANG", 1)
    assert "TimeoutError" in fuzz.fuzz(Target(lambda random: 0, lambda _: time.sleep(30)), 5, seed=1)["why"]


def test_time_ends_a_run() -> None:
    account = fuzz.fuzz(Target(lambda random: 0, lambda _: None), 0.05, seed=1)
    assert account["runs"] > 1
    assert "failed" not in account


def test_mutation_is_bounded_and_repeatable() -> None:
    texts = [mutated(Random(i), ["seed one", "two"], ["x", "yy"], 30) for i in range(200)]
    assert texts == [mutated(Random(i), ["seed one", "two"], ["x", "yy"], 30) for i in range(200)]
    assert max(map(len, texts)) <= 30
    assert len(set(texts)) > 100
