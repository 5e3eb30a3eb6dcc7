"""Texts of random Lark grammars, as the Lark library itself reads them (parser "earley", lexer "dynamic_complete")."""

from __future__ import annotations

import os
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.earley.recognizer import Recognizer
from checkrail.errors import GrammarError
from checkrail.grammar.lark import parse_lark

lark = pytest.importorskip("lark", reason="the peer is not installed")

PATTERNS = ('"a"', '"ab"', "/ab?/", "/b+/", '"b"', "/a(bc)?/", "/[bc]+/", '"c"')
BODIES = st.lists(st.sampled_from(("A", "B", "C", "start", "x", "A?", "B*", "C+", "(A|B)~1..2")), max_size=3)
TEXTS = ["".join(letters) for length in range(1, 5) for letters in product("abc", repeat=length)]


@st.composite
def grammars(draw: st.DrawFn) -> str:
    lines = []
    for name in ("start", "x"):
        bodies = draw(st.lists(BODIES, min_size=1, max_size=3, unique_by=tuple))
        lines.append(f"{name}: " + " | ".join([*map(" ".join, bodies), draw(st.sampled_from("ABC")) + " B A"]))
    return "\n".join([*lines, *(f"{name}: {draw(st.sampled_from(PATTERNS))}" for name in "ABC")])


@settings(max_examples=300 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 15)
@given(grammars(), st.lists(st.sampled_from(TEXTS), min_size=10, max_size=25, unique=True))
def test_random_grammars(grammar, texts):
    try:
        peer = lark.Lark(grammar, parser="earley", lexer="dynamic_complete")
    except lark.exceptions.GrammarError:  # it refuses equal alternatives, some of them written differently
        return
    try:
        recognizer = Recognizer.of(parse_lark(grammar))
    except GrammarError as error:
        pytest.fail(f"{error}: {grammar}")
    mark = recognizer.save()
    for text in texts:
        recognizer.restore(mark)
        try:
            peer.parse(text)
            truth = True
        except lark.exceptions.UnexpectedInput:
            truth = False
        assert (recognizer.push_bytes(text.encode()) and recognizer.flush()) == truth, text
