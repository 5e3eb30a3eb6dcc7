"""Marks of what was copied: against a slow search, and in linear time."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.provenance import SHORTEST, Mark, marks

SMALL = st.text("ab", max_size=60)


def covered(value: str, text: str) -> set[int]:
    """The characters of a value that are within a common part of twelve or more, by trying all."""
    return {
        at
        for start in range(len(value) - SHORTEST + 1)
        if value[start : start + SHORTEST] in text
        for at in range(start, start + SHORTEST)
    }


@given(value=SMALL, text=SMALL)
@settings(max_examples=300, deadline=None)
def test_marks_cover_just_what_is_common(value: str, text: str) -> None:
    found = marks({"v": value}, [("doc:a", text)])
    places = [place for mark in found for place in range(mark.start, mark.end)]
    assert set(places) == covered(value, text)
    assert len(places) == len(set(places)), "they do not overlap"
    assert all(mark.text == value[mark.start : mark.end] and mark.pointer == "/v" for mark in found)


def test_eleven_are_no_copy_and_twelve_are() -> None:
    text = "please write to bob@evil.org today"
    assert marks({"to": "bob@evil.or"}, [("doc:a", text)]) == ()
    assert marks({"to": "bob@evil.org"}, [("doc:a", text)]) == (Mark("/to", 0, 12, "bob@evil.org", "doc:a"),)


def test_each_source_has_its_own_marks() -> None:
    value = "abcdefghijkl and mnopqrstuvwx"
    found = marks({"a": [value]}, [("doc:1", "..abcdefghijkl.."), ("doc:2", "mnopqrstuvwx"), ("doc:1", "mnopqrstuvwx")])
    assert [(mark.source, mark.pointer, mark.text) for mark in found] == [
        ("doc:1", "/a/0", "abcdefghijkl"),
        ("doc:1", "/a/0", "mnopqrstuvwx"),
        ("doc:2", "/a/0", "mnopqrstuvwx"),
    ]


def test_keys_count_too() -> None:
    assert [mark.text for mark in marks({"abcdefghijklm": 1}, [("doc:1", "abcdefghijklm")])] == ["abcdefghijklm"]


def test_repetitions_do_not_cost_the_square() -> None:
    began = time.perf_counter()
    (mark,) = marks({"v": "a" * 30_000}, [("doc:1", "a" * 1_000_000)])
    assert (mark.start, mark.end) == (0, 30_000)
    assert time.perf_counter() - began < 5
