"""Reading a value in any pieces finds the same end, and the same text."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from checkrail.mask.registers.paths import beginning_of, may_repeat
from checkrail.mask.registers.reading import begin
from checkrail.mask.registers.seen import NONE_SEEN
from checkrail.mask.registers.values import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES, st.booleans(), st.randoms(use_true_random=False))
def test_pieces_make_no_difference(value: Any, ascii_only: bool, rng: random.Random) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    key = canonical(text)
    reading, container = begin(NONE_SEEN, b""), None
    if text[:1] in b"[{":
        whole, _ = begin(NONE_SEEN, b"").read(text, 0)
        container = whole.container()
    seen = NONE_SEEN.with_one(key, container)
    reading = begin(seen, b"")
    data, place, end = text + b",", 0, -1
    while end < 0:
        size = rng.randint(1, 4)
        if place:
            assert may_repeat(reading), reading  # it is a beginning of what was written
        reading, end = reading.read(data[: place + size], place)
        place += size
    assert end == len(text)
    assert reading.text() == text
    assert reading.key() == key


@given(st.text(max_size=5), st.integers(0, 40), st.booleans())
def test_the_beginning_of_a_string_is_its_whole_characters(text: str, cut: int, ascii_only: bool) -> None:
    spelled = json.dumps(text, ensure_ascii=ascii_only).encode()[:-1]
    begun = spelled[: max(1, cut % (len(spelled) + 1))]
    found = beginning_of(begun)
    assert json.loads(found.whole + '"') == text[: len(json.loads(found.whole + '"'))]
    assert begun.endswith(found.part)
    assert len(found.part) <= 11
