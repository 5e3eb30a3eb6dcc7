"""The rows of patterns, of bounded ones and of unions are the same from both twins of `_rests` and `_spelled`."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checkrail import _twins
from checkrail.grammar.expression import ANY_CHARACTER, Choice, Complement, Intersection, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.numbers import NumberRange
from checkrail.json_schema.algebra.texts import Texts
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.alphabet import Spelling
from checkrail.ondemand.language import Language, OnDemandLanguage
from checkrail.ondemand.scalars import number_language, string_language
from checkrail.ondemand.strings import SpelledLanguage
from checkrail.regular.texts import text_automaton

PATTERNS = [
    r"^[a-z0-9-]+$",
    r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$",
    r"^(foo|bar|baz|quux|corge)_[A-Z]+$",
    r"[^ ]",
    "a.{9}b",
    r"^([a-z]+ ){0,9}[a-z]+$",
    r"^(a?){3,5}b",
    r"^((a{0,30}){0,30}){0,30}b$",
    r"^(abc|de){2,9}$",
    r"^(?!.*x).*y$",
    r"^(a{0,3}b?){2,4}$",
    r"^[éà-ü\u4e00-\u9fff\u{1F600}-\u{1F64F}]{2,}\\?$",
    r'^"[\u0000-\u0020]*"$',
    "^(" + "|".join(f"{chr(97 + i % 26)}{i}{chr(97 + i % 7)}" for i in range(300)) + ")$",
    "^.*(" + "|".join(f"k{i}" for i in range(60)) + ").*$",
]


def languages() -> list[OnDemandLanguage]:
    """Some of all kinds whose rows are made in compiled code."""
    shapes = [search_expression(pattern) for pattern in PATTERNS]
    shapes += [
        Intersection((shapes[0], Repeat(ANY_CHARACTER, 3, 40))),
        Intersection((shapes[8], Repeat(ANY_CHARACTER, 7, 13))),
        Choice((Intersection((shapes[2], Complement(shapes[7]))), shapes[5])),
    ]
    found: list[Language | None] = []
    for shape in shapes:
        for names in ((), ("foo", "bar_A", "éé")):
            texts = text_automaton(shape, names, DEFAULT_LIMITS)
            assert texts is not None
            found += [SpelledLanguage(texts, spelling, DEFAULT_LIMITS) for spelling in (Spelling.ONE, Spelling.ANY)]
    plain = search_expression("^[a-z0-9-]{2,9}$")
    found.append(string_language(Texts(None, plain), DEFAULT_LIMITS))
    found.append(string_language(Texts(None, Intersection((plain, Repeat(ANY_CHARACTER, 0, 5)))), DEFAULT_LIMITS))
    ranges = [NumberRange(Decimal(5), None), NumberRange(Decimal(-9), Decimal(-2)), NumberRange(None, Decimal(-100))]
    found.append(number_language(ranges, "", DEFAULT_LIMITS))
    return [language for language in found if isinstance(language, OnDemandLanguage)]


def digests() -> list[str]:
    """For each language what is known of its first states, but for what is numbered anew in each process."""
    found = []
    for language in languages():
        digest = hashlib.sha256(language.class_map)
        state = 0
        while state < min(len(language), 200):
            row, accepts = language.place(state)
            digest.update(repr((list(row), bool(accepts), language.plain_run(state))).encode())
            state += 1
        names = [language.name_of(state, 7) for state in range(min(len(language), 60))]
        same = [names.index(name) for name in names]
        digest.update(repr((len(language), same)).encode())
        found.append(digest.hexdigest())
    return found


def run(mode: str) -> list[str]:
    environment = os.environ | {_twins.MODE: mode, "PYTHONPATH": os.pathsep.join(sys.path)}
    code = (
        "import test_rows_twins, checkrail.ondemand.spelled as spelled, checkrail.regular.rests as rests\n"
        "print(spelled.made_by.COMPILED, rests.made_by.COMPILED, *test_rows_twins.digests())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parent, env=environment, capture_output=True, check=True
    )
    return done.stdout.decode().split()


def test_both_twins_make_the_same_rows() -> None:
    if any(_twins.library(name) is None for name in ("ondemand/_spelled", "regular/_rests")):
        pytest.skip("no compiled kernel was built: run `make kernel`")
    compiled, interpreted = run("compiled"), run("interpreted")
    assert compiled[:2] == ["True", "True"]
    assert interpreted[:2] == ["False", "False"]
    assert len(compiled) > 70
    assert compiled[2:] == interpreted[2:]


@pytest.mark.parametrize("load", [_twins.load, _twins.interpreted])
def test_rows_side_by_side_are_right_while_another_thread_makes_one(load: Callable[[str], Any]) -> None:
    """A language's row may take a while, and then others come."""
    first = [[(q + 1) % 4, (q + 2) % 4] for q in range(4)]
    second = [[(q + 2) % 4, -1] for q in range(4)]
    threads: list[threading.Thread] = []

    def slow(state: int) -> list[int]:
        if threads and not threads[0].is_alive() and threading.current_thread() is threading.main_thread():
            threads[0].start()
            threads[0].join(0.1)
        return second[state]

    sides = load("ondemand/_spelled").SideBySide([bytes(128) + b"\1" * 128] * 2, [first.__getitem__, slow], 100)
    here, there = sides.row(0)
    threads.append(threading.Thread(target=sides.row, args=(there,)))
    row = sides.row(here)
    threads[0].join()
    for place in (here, there):
        a, b = sides.places(place)
        expected = [(first[a][c], -1 if b < 0 else second[b][c]) for c in (0, 1)]
        assert [sides.places(target) for target in sides.row(place)] == expected
    assert row is sides.row(here)
