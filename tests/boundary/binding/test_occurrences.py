"""Occurrences against the definition, on both sides of the switch of algorithms."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.binding.occurrences import occurrences


def brute_force(text: str, pattern: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(pattern, at)]


@settings(max_examples=300, deadline=None)
@given(st.text("ab", max_size=40), st.text("ab", min_size=1, max_size=5))
def test_short(text: str, pattern: str) -> None:
    assert list(occurrences(text, pattern)) == brute_force(text, pattern)


@settings(max_examples=100, deadline=None)
@given(st.text("ab", min_size=1, max_size=3), st.text("ab", max_size=3), st.integers(65, 90), st.integers(200, 400))
def test_long_and_periodic(unit: str, tail: str, pattern_units: int, text_units: int) -> None:
    pattern = unit * pattern_units
    text = unit * text_units + tail + unit * text_units
    assert list(occurrences(text, pattern)) == brute_force(text, pattern)


def test_all_hits_together_cost_linear_time() -> None:
    started = time.perf_counter()
    text = "a" * 1_000_000
    assert sum(1 for _ in occurrences(text, "a" * 500_000)) == 500_001
    assert time.perf_counter() - started < 10
