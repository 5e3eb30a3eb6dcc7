"""Bytes for people."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from checkrail.cli.byte_names import byte_ranges, visible


def test_ranges_do_not_mix_kinds() -> None:
    assert byte_ranges(range(128)) == ["0x00-0x1F", "space", "!-/", "0-9", ":-@", "A-Z", "[-`", "a-z", "{-~", "0x7F"]
    assert byte_ranges([]) == []
    assert byte_ranges([0x80, 0xBF, 0xFF, 0xBE]) == ["0x80", "0xBE-0xBF", "0xFF"]


@given(st.sets(st.integers(0, 255)))
def test_ranges_cover_exactly_the_bytes(values: set[int]) -> None:
    def number(name: str) -> int:
        return 0x20 if name == "space" else int(name, 16) if len(name) == 4 else ord(name)

    covered: set[int] = set()
    for name in byte_ranges(values):
        low, _, high = (name, "", name) if len(name) == 1 else name.partition("-")
        covered |= set(range(number(low), number(high or low) + 1))
    assert covered == values


def test_visible() -> None:
    assert visible("é🎂".encode()) == "é🎂"
    assert visible(b"\xc3") == "\\xc3"
    assert visible(b"a\\\n\x1b") == "a\\\\\\n\\x1b"
