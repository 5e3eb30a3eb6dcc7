"""Copies from documents, against listing all of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.ondemand import copied
from checkrail.ondemand.copied import Copies, CopyIndex, Piece

LIMIT = 65_536


class Words:
    """A guide that accepts some strings, as a trie."""

    start = 0

    def __init__(self, words: set[bytes]) -> None:
        self._words = words
        self._beginnings = sorted({word[:n] for word in words | {b""} for n in range(len(word) + 1)})
        self._numbers = {beginning: number for number, beginning in enumerate(self._beginnings)}

    def step(self, state: int, byte: int, /) -> int:
        return self._numbers.get(self._beginnings[state] + bytes([byte]), -1)

    def accepts(self, state: int, /) -> bool:
        return self._beginnings[state] in self._words


def spell(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


def texts_of(copies: Copies) -> set[bytes]:
    """All texts; no place on the way is a dead end, and what is named is in the alphabet."""
    found = set()
    pending = [(copies.start, b"")]
    for place, text in pending:
        moves = copies.moves(place)
        assert len({byte for byte, _ in moves}) == len(moves)
        if copies.ends(place):
            found.add(text)
        assert copies.is_empty or moves or text in found
        for byte, target in moves:
            assert byte in copies.alphabet
            pending.append((target, text + bytes([byte])))
    return found


def pieces_of(draw: st.DrawFn) -> list[Piece]:
    pieces = []
    for _ in range(draw(st.integers(1, 2))):
        text = draw(st.text('ab é"\n\u1234\U0001f600', max_size=9))
        marks = st.lists(st.booleans(), min_size=len(text), max_size=len(text))
        starts = [at for at, wanted in enumerate(draw(marks)) if wanted]
        ends = [at for at, wanted in enumerate(draw(marks), 1) if wanted]
        pieces.append(Piece(text, starts, ends))
    return pieces


def all_copies(pieces: list[Piece]) -> set[str]:
    return {p.text[start:end] for p in pieces for start in p.starts for end in p.ends if start < end}


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_all_copies_and_nothing_else(data: st.DataObject) -> None:
    pieces = data.draw(st.composite(pieces_of)())
    low = data.draw(st.integers(0, 4))
    high = data.draw(st.none() | st.integers(low, 7))
    expected = {text for text in all_copies(pieces) if low <= len(text) and (high is None or len(text) <= high)}
    guide = None
    if data.draw(st.booleans()):
        kept = set(data.draw(st.lists(st.sampled_from([*sorted(expected), "ab", "b é"]), max_size=6)))
        guide = Words(set(map(spell, kept)))
        expected &= kept
    copies = Copies(CopyIndex(pieces, LIMIT), low=low, high=high, guide=guide)
    assert texts_of(copies) == set(map(spell, expected))
    assert copies.is_empty == (not expected)


def test_lengths_do_not_reach_into_the_next_piece() -> None:
    pieces = [Piece("ab", [0], [2]), Piece("cdefg", [0], [5])]
    assert texts_of(Copies(CopyIndex(pieces, LIMIT), low=3)) == {b"cdefg"}


def test_a_document_that_is_too_large_is_refused() -> None:
    piece = Piece('"' * 40, [0], [40])
    assert len(CopyIndex([piece], 80).data) == 81
    with pytest.raises(BudgetError) as caught:
        CopyIndex([piece], 79, "invoice")
    assert (caught.value.code, caught.value.params["name"]) == ("COPY_BUDGET", "invoice")


def test_walking_beside_an_automaton_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied, "MOST_STEPS", 50)

    class Endless:
        start = 0

        def step(self, state: int, byte: int, /) -> int:
            return 0

        def accepts(self, state: int, /) -> bool:
            return False

    text = "a" * 200
    with pytest.raises(BudgetError) as caught:
        Copies(CopyIndex([Piece(text, range(200), range(1, 201))], LIMIT), guide=Endless())
    assert caught.value.code == "COPY_BUDGET"


@pytest.mark.parametrize("unit", ["a", "ab ", "Lorem ipsum dolor sit amet, "])
def test_a_document_of_repetitions_takes_linear_memory(unit: str) -> None:
    text = (unit * 8_000)[:8_000]
    index = CopyIndex([Piece(text, range(len(text)), range(1, len(text) + 1))], LIMIT)
    copies = Copies(index, high=1_000)
    place = copies.start
    for _ in range(200):
        place = copies.moves(place)[0][1]
        assert copies.ends(place)
    assert index.memory < 20 * len(text)
    assert repr(index) == f"<CopyIndex 8001 bytes, {len(index.order)} beginnings>"
    assert repr(copies) == "<Copies from 8000 beginnings>"
