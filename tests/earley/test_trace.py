"""What a trace shows is what a mask call does, and the page that explains one shows what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Vocabulary
from checkrail.earley.compile import readings_of
from checkrail.earley.masks import mask_by_tokens
from checkrail.earley.recognizer import Recognizer
from checkrail.earley.trace import trace, visits
from checkrail.grammar.lexical import LexicalGrammar, Terminal
from checkrail.vocabulary.trie import Trie
from lexical_oracle import alt, lexical
from strategies import grammars, vocabularies

ROOT = Path(__file__).resolve().parents[2]
LIST = lexical({"start": alt("start C N", "N")}, ["WS"], N="[0-9]+", C=",", WS=" ")


@settings(max_examples=40)
@given(grammars(), vocabularies(), st.sampled_from(["all", "greedy"]), st.data())
def test_the_tokens_of_a_trace_are_the_mask(grammar, vocabulary, lexing, data):
    _, readings = readings_of(LexicalGrammar.of_grammar(grammar), lexing)
    recognizer = Recognizer(readings)
    trie = Trie.build(vocabulary)
    for _ in range(3):
        found = list(visits(readings, recognizer.reading, trie))
        allowed = {token for visit in found for token in visit.tokens}
        assert allowed == mask_by_tokens(recognizer, vocabulary)
        assert sum(visit.nodes or 1 for visit in found) == trie.nodes - 1  # each node is visited or skipped
        if not allowed:
            return
        assert recognizer.push_bytes(vocabulary.tokens[data.draw(st.sampled_from(sorted(allowed)))])


def test_terminals_that_end_are_named_only_where_they_count():
    _, readings = readings_of(LIST)
    vocabulary = Vocabulary.from_bytes([b"1 ", b"2,", b",3", b"x", None], eos=4)
    ended = {}
    for visit in visits(readings, readings.start, Trie.build(vocabulary)):
        if visit.reading is not None:
            ended[visit.byte] = visit.ended
    assert ended == {ord("1"): ("N",), ord(" "): ("WS",), ord("2"): ("N",), ord(","): ("C",)}


def test_named_tokens_and_the_end_are_told():
    grammar = lexical({"start": alt("A T", "A")}, A="a")
    grammar = LexicalGrammar("start", grammar.rules, {**grammar.terminals, "T": Terminal("T", None, "<t>")})
    _, readings = readings_of(grammar)
    recognizer = Recognizer(readings)
    recognizer.push_bytes(b"a")
    vocabulary = Vocabulary.from_bytes([b"a", b"\n", None], eos=2)
    lines = list(trace(readings, recognizer.reading, vocabulary, Trie.build(vocabulary)))
    assert lines[-3:] == ["  0x0A a  no: 2 nodes skipped", "named tokens: T", "the text may end here"]


def test_the_page_shows_what_the_example_prints():
    page = (ROOT / "docs" / "explanation" / "two-floors.md").read_text("utf-8")
    whole = "\n".join(re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "examples" / "two_floors.py")]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    parts = re.split(r"\n\n(?=after )", printed.strip())
    assert len(parts) == 3
    assert [part for part in parts if part not in whole] == []
    assert (ROOT / "examples" / "two_floors.py").read_text("utf-8").split('GRAMMAR = r"""\n')[1].split('"""')[0] in page
