"""The shipped grammar of calculator expressions says what the calculator's parser says."""

from __future__ import annotations

import itertools
import os
from importlib.resources import files
from random import Random

import pytest

from calc_oracle import random_tree, write
from checkrail import Constraint, Grammar, Vocabulary, compile
from checkrail.boundary.calc.parser import parse
from checkrail.errors import CalcError

# Faults that are not about the form: how much there is of it, and what a literal means.
BOUNDS = {"CALC_TOO_LONG", "CALC_NODES", "CALC_DEPTH", "CALC_LITERAL_RANGE"}
LENGTH = 6 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 4


@pytest.fixture(scope="module")
def constraint() -> Constraint:
    text = files("checkrail").joinpath("examples", "grammars", "calc.gbnf").read_text("utf-8")
    vocabulary = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
    return compile(Grammar.from_gbnf(text), vocabulary)


def in_grammar(constraint: Constraint, text: str) -> bool:
    matcher = constraint.matcher()
    return matcher.accept_bytes(text.encode()) and matcher.is_completed()


def is_parsed(text: str) -> bool | None:
    """Whether the parser takes it; None where only a bound is broken."""
    try:
        parse(text)
    except CalcError as error:
        return None if error.code in BOUNDS else False
    return True


def test_all_short_texts(constraint: Constraint) -> None:
    found = 0
    for letters in itertools.chain.from_iterable(itertools.product("0.2e-+(1) ", repeat=n) for n in range(LENGTH + 1)):
        text = "".join(letters)
        parsed = is_parsed(text)
        assert parsed is None or in_grammar(constraint, text) == parsed, text
        found += bool(parsed)
    assert found > 200


def test_all_short_sequences_of_words(constraint: Constraint) -> None:
    words = ["sqrt", "abs", "(", ")", "-", "^", "3", "\t", ",", "round"]
    for length in range(LENGTH + 1):
        for letters in itertools.product(words, repeat=length):
            text = "".join(letters)
            assert in_grammar(constraint, text) == is_parsed(text), text


def test_random_expressions_and_their_neighbours(constraint: Constraint) -> None:
    random = Random(19)
    yes = no = 0
    for _ in range(1_500):
        text = write(random_tree(random, random.randint(1, 8)), random)[0]
        assert is_parsed(text)
        assert in_grammar(constraint, text), text
        at = random.randrange(len(text) + 1)
        other = text[:at] + random.choice(["", *"0.e+-*/^(), \n", "abs", "é"]) + text[at + random.randrange(2) :]
        parsed = is_parsed(other)
        assert parsed is None or in_grammar(constraint, other) == parsed, other
        yes += parsed is True
        no += parsed is False
    assert yes > 300
    assert no > 300
