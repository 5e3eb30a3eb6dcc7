"""What others wrote: sources, texts, bounds."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from checkrail.boundary import taint
from checkrail.boundary.taint import Taint, strings, texts_of
from checkrail.errors import InputError


def test_it_only_grows() -> None:
    noted = Taint()
    assert not noted.is_set
    noted.add("doc:mail-3", "one")
    noted.add("tool:notes.read@1.0.0", "two")
    noted.add("doc:mail-3", "three")
    assert noted.is_set
    assert noted.sources == ("doc:mail-3", "tool:notes.read@1.0.0")
    assert noted.texts() == [("doc:mail-3", "one"), ("doc:mail-3", "three"), ("tool:notes.read@1.0.0", "two")]
    assert repr(noted) == "<Taint 2 sources, 11 characters>"
    assert not [name for name in dir(noted) if name in ("clear", "remove", "reset", "pop")]


def test_a_source_without_text_is_one() -> None:
    noted = Taint()
    noted.add("doc:empty", "")
    assert noted.is_set


@pytest.mark.parametrize("source", ["", "mail", "doc:", "doc:a b", "Doc:a", "doc:é", "doc:a\n", "doc:" + "x" * 97])
def test_names_of_sources(source: str) -> None:
    with pytest.raises(InputError):
        Taint().add(source, "text")


def test_beyond_the_bound_texts_are_not_kept_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taint, "_MOST_CHARACTERS", 10)
    noted = Taint()
    noted.add("doc:a", "x" * 10)
    assert noted.complete
    noted.add("doc:b", "y")
    assert not noted.complete
    assert noted.sources == ("doc:a", "doc:b")
    assert noted.texts() == [("doc:a", "x" * 10)]


def test_sources_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taint, "_MOST_SOURCES", 2)
    noted = Taint()
    for name in ("doc:a", "doc:b", "doc:a"):
        noted.add(name, "")
    assert noted.complete
    noted.add("doc:c", "")
    assert not noted.complete
    assert noted.sources == ("doc:a", "doc:b")


def test_strings_of_a_value_with_their_places() -> None:
    value: Any = {"a": ["x", {"b/c": "y"}], "n": 1, "z": None}
    assert sorted(strings(value)) == [
        ("/a", "a"), ("/a/0", "x"), ("/a/1/b~1c", "b/c"), ("/a/1/b~1c", "y"), ("/n", "n"), ("/z", "z"),
    ]  # fmt: skip
    deep: Any = "bottom"
    for _ in range(50_000):
        deep = [deep]
    assert next(iter(strings(deep))) == ("/0" * 50_000, "bottom")
    assert list(texts_of(deep)) == ["bottom"]


def test_a_long_key_is_not_copied_for_each_number_below_it() -> None:
    """64 KiB of JSON; with a pointer for each number it was half a gigabyte."""
    value: Any = {"k" * 32_768: [0] * 16_000}
    tracemalloc.start()
    try:
        assert list(texts_of(value)) == ["k" * 32_768]
        assert [len(pointer) for pointer, _ in strings(value)] == [32_769]
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
    finally:
        tracemalloc.stop()
