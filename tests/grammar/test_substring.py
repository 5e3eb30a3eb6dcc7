"""Runs of neighbouring chunks, against all pairs of ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from checkrail.grammar.substring import substrings
from checkrail.grammar.traverse import height, walk
from checkrail.regular.compile import compile_regular

chunks = st.lists(st.text("ab", min_size=1, max_size=3), max_size=7)


@given(chunks, st.text("ab", max_size=8))
def test_runs_and_nothing_else(parts: list[str], other: str) -> None:
    runs = {"".join(parts[a:b]) for a in range(len(parts) + 1) for b in range(a, len(parts) + 1)}
    dfa = compile_regular(substrings(parts))
    assert all(dfa.accepts(run) for run in runs)
    assert dfa.accepts(other) == (other in runs)


def test_a_long_text_stays_small() -> None:
    parts = [f"{n} " for n in range(1000)]
    expression = substrings(parts)
    assert height(expression) < 60
    assert sum(1 for _ in walk(expression)) < 60_000


def test_as_many_states_as_a_suffix_automaton_has() -> None:
    text = "abbbaabababbabaabba"
    assert len(compile_regular(substrings(list(text)))) <= 2 * len(text)
