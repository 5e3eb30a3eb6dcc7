"""Masks along the texts of public bug reports: both engines and the slow mask, and the hard expectations."""

from __future__ import annotations

import json

import pytest

from checkrail import Grammar, Vocabulary, compile
from checkrail.errors import Error
from data_path import shared_data
from engines_agree import Walk

LINES = (shared_data() / "public-cases.jsonl").read_text("utf-8").split("\n")
CASES = [case for line in LINES if line and (case := json.loads(line))["kind"] in ("gbnf", "lark")]


def grammar_of(case) -> Grammar:
    return (Grammar.from_gbnf if case["kind"] == "gbnf" else Grammar.from_lark)(case["spec"])


def vocabulary_of(case) -> Vocabulary:
    """Each byte, and all pieces of up to three characters of the case's texts: they end anywhere in a terminal."""
    texts = [text[:40] for text in (*case["accept"], *case["reject"])]
    pieces = {text[i : i + n].encode("utf-8", "surrogatepass") for text in texts for i in range(40) for n in (2, 3)}
    tokens = [*(bytes([b]) for b in range(256)), *sorted(piece for piece in pieces if len(piece) > 1)]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


@pytest.mark.parametrize("case", [c for c in CASES if c["compile"] == "ok"], ids=lambda case: case["id"])
def test_masks_and_texts(case):
    vocabulary = vocabulary_of(case)
    walk = Walk(grammar_of(case), vocabulary)  # none is refused, though some might be
    for texts, belongs in ((case["accept"], True), (case["reject"], False)):
        for text in texts:
            walk.begin()
            data = text[:60].encode("utf-8", "surrogatepass")
            walk.compare()
            fits = all(walk.take_bytes(data[i : i + 1]) and walk.compare() is not None for i in range(len(data)))
            if len(text) <= 60:
                assert (fits and walk.matchers[0].is_completed()) == belongs, text


@pytest.mark.parametrize("case", [c for c in CASES if c["compile"] == "error"], ids=lambda case: case["id"])
def test_what_must_be_refused_is_refused(case):
    with pytest.raises(Error):
        compile(grammar_of(case), vocabulary_of(case), engine="earley")


def test_the_cases_are_there():
    assert len(CASES) == 41
