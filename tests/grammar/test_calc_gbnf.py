"""The shipped grammar of calculator expressions says what the calculator's parser says."""

from __future__ import annotations

import ctypes
import itertools
import os
from importlib.resources import files
from random import Random

import pytest

from calc_oracle import random_tree, write
from checkrail import Constraint, Grammar, Limits, Vocabulary, compile
from checkrail.boundary.calc.equation import Equations, equation
from checkrail.boundary.calc.parser import parse
from checkrail.errors import CalcError, Error

# Faults that are not about the form: how much there is of it, and what a literal means.
BOUNDS = {"CALC_TOO_LONG", "CALC_NODES", "CALC_DEPTH", "CALC_LITERAL_RANGE"}
LENGTH = 6 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 4


VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


def shipped(name: str) -> str:
    return files("checkrail").joinpath("examples", "grammars", f"{name}.gbnf").read_text("utf-8")


@pytest.fixture(scope="module")
def constraint() -> Constraint:
    return compile(Grammar.from_gbnf(shipped("calc")), VOCABULARY)


@pytest.fixture(scope="module")
def equations() -> Constraint:
    return compile(Grammar.from_gbnf(shipped("calc-equation")), VOCABULARY, limits=Limits(nesting=64))


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


def test_equations_are_expressions_with_any_number_behind_them(equations: Constraint) -> None:
    random = Random(23)
    for _ in range(400):
        expression = write(random_tree(random, random.randint(1, 8)), random)[0].strip()
        assert in_grammar(equations, equation(expression)), expression
        assert in_grammar(equations, f"{expression} = 1"), expression
        at = random.randrange(len(expression) + 1)
        other = (
            expression[:at]
            + random.choice(["", *"0.e+-*/^(), \n", "abs", "é"])
            + expression[at + random.randrange(2) :]
        )
        if other == other.strip() and is_parsed(other) is not None:
            assert in_grammar(equations, f"{other} = 1") == is_parsed(other), other


@pytest.mark.parametrize("text", ["1", "1 =1", "1= 1", " 1 = 1", "1 = 1 ", "1 = 01", "1 = ", "1 = 1 = 1", "1 = none"])
def test_what_is_no_equation(equations: Constraint, text: str) -> None:
    assert not in_grammar(equations, text)


def test_what_a_mask_forces_is_in_the_grammar(equations: Constraint) -> None:
    random = Random(29)
    language = Equations()
    for _ in range(40):
        matcher = equations.matcher()
        place = language.start
        while not language.ends(place):
            byte, place = random.choice(language.moves(place)[:16])
            assert matcher.accept_bytes(bytes([byte]))
        assert matcher.is_completed()


@pytest.mark.parametrize("name", ["calc", "calc-equation"])
def test_llama_cpp_reads_them(name: str) -> None:
    """Its own parser, without a model: the sampler of a grammar is made, and it is not of a broken one."""
    from checkrail.models.llama_library import find_library

    try:
        library = ctypes.CDLL(str(find_library()))
    except (Error, OSError) as error:
        pytest.skip(f"no llama.cpp here: {error}")
    make = library.llama_sampler_init_grammar
    make.restype, make.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    text = shipped(name).encode()
    found = make(None, text, b"root")
    assert found
    library.llama_sampler_free.argtypes = [ctypes.c_void_p]
    library.llama_sampler_free(found)
    assert not make(None, text.replace(b"::=", b"::= (", 1), b"root")
