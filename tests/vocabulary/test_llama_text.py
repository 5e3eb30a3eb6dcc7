"""Text for llama.cpp: no space in front, no fragment too long, no control token's text whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.vocabulary.control_literals import Literals
from checkrail.vocabulary.llama_text import encode_fragments, without_space

MERGED: dict[int, bytes] = {256: b" a", 257: b" \n", 258: b"\nb", 259: b" !", 260: b"!c", 261: b" \nd"}


def decode(ids: Sequence[int]) -> bytes:
    return b"".join(MERGED.get(i) or bytes([i]) for i in ids)


def tokenizer(merged: Sequence[int], *, space: bool = True) -> Callable[[str], list[int]]:
    """Bytes, and the longest of some merged tokens first; with a space in front of each text."""
    tokens = sorted(((MERGED[i], i) for i in merged), key=lambda token: -len(token[0]))

    def encode(text: str) -> list[int]:
        data, at, ids = (" " * space + text).encode(), 0, []
        while at < len(data):
            spelled, identifier = next((t for t in tokens if data.startswith(t[0], at)), (data[at : at + 1], data[at]))
            ids.append(identifier)
            at += len(spelled)
        return ids

    return encode


@pytest.mark.parametrize("merged", [(), (256,), (257,), (258,), (257, 258, 259), (258, 259, 260), (256, 261)])
@given(text=st.text("abcd!\n é"))
def test_the_space_is_taken_off_whatever_the_tokens(merged: tuple[int, ...], text: str) -> None:
    bare = without_space(tokenizer(merged), decode)
    assert decode(bare(text)) == text.encode()


@pytest.mark.parametrize("merged", [(), (256,), (257,), (259,)])
def test_the_rest_is_tokenized_as_behind_a_line(merged: tuple[int, ...]) -> None:
    bare, plain = without_space(tokenizer(merged), decode), tokenizer(merged, space=False)
    for text in ("a", " a", "b a", "c"):
        assert list(bare(text)) == plain(text)


def test_a_tokenizer_that_puts_no_space_in_front_is_left_alone() -> None:
    plain = tokenizer((), space=False)
    assert without_space(plain, decode) is plain


def test_where_both_markers_are_swallowed_the_space_stays_to_be_seen() -> None:
    """The bytes tell that something is wrong; nothing is cut off on a guess."""
    bare = without_space(lambda text: [256] if text == "a" else list(b" " + text[::-1].encode()), decode)
    assert bytes(bare("xy")) == b" yx"
    assert list(bare("")) == []


@given(st.lists(st.sampled_from(["<a>", "<", "a>", "word ", " ", "x" * 700])).map("".join))
def test_fragments(text: str) -> None:
    seen: list[str] = []

    def encode(part: str) -> bytes:
        seen.append(part)
        return part.encode()

    assert bytes(encode_fragments(encode, Literals(["<a>"]), text)) == text.encode()
    assert "".join(seen) == text
    assert all(0 < len(part) <= 1_024 and "<a>" not in part for part in seen)
