import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_utf8
from checkrail.decoding.utf8 import Utf8Buffer
from checkrail.errors import SamplingError, StreamError
from data_path import shared_data

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance" / "utf8.json"
THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
# Bytes at every border of table 3-7 of the Unicode standard: their sequences reach each state and each refusal.
BORDERS = bytes.fromhex("00417f8090929fa0bfc0c1c2dfe0e1ecedeeeff0f1f3f4f5ff")
pieces = st.lists(st.one_of(st.binary(max_size=6), st.text(max_size=3).map(str.encode)), max_size=8)
ragged = st.lists(st.lists(st.sampled_from(BORDERS), max_size=5).map(bytes), max_size=6)


def ours(chunks: list[bytes]) -> list[str]:
    buffer = Utf8Buffer()
    texts = [buffer.push(c) for c in chunks]
    return [*texts, buffer.flush()]


def public_cases() -> list[dict[str, Any]]:
    lines = (shared_data() / "public-cases.jsonl").read_text(encoding="utf-8").strip().split("\n")
    return [case for case in map(json.loads, lines) if case["kind"] == "utf8"]


def test_public_cases() -> None:
    cases = public_cases()
    assert len(cases) >= 11
    for case in cases:
        spec = case["spec"]
        texts = ours([bytes.fromhex(c) for c in spec["chunks"]])
        assert texts == [*spec["emit"], spec["flush"]], case["id"]
        assert case["accept"] == ["".join(texts)], case["id"]


def test_conformance_vectors() -> None:
    vectors = json.loads(CONFORMANCE.read_text(encoding="utf-8"))["vectors"]
    assert len(vectors) > 100
    for vector in vectors:
        assert ours([bytes.fromhex(c) for c in vector["chunks"]]) == [*vector["emit"], vector["flush"]]


@settings(deadline=None, max_examples=500)
@given(st.one_of(pieces, ragged))
def test_agrees_with_cpython_after_each_piece(chunks: list[bytes]) -> None:
    texts = ours(chunks)
    assert texts == reference_utf8.decode(chunks)
    assert "".join(texts) == b"".join(chunks).decode("utf-8", "replace")


def corpus() -> list[str]:
    """200 texts with all lengths of code points, those at the borders of the lengths among them."""
    random = Random(20261203)
    borders = "\x00\x7f\x80\u07ff\u0800\ud7ff\ue000\ufeff\ufffd\uffff\U00010000\U0010ffff"
    letters = borders + "aZ9 éß€日本語кириллица😀👩\u200d💻🇫🇷e\u0301\u202e"
    texts = [*borders, "", "plain", "👩\u200d👩\u200d👧", "e\u0301e\u0301"]
    while len(texts) < 200:
        text = "".join(random.choices(letters, k=random.randint(2, 5)))
        texts += [text] * (len(text.encode()) <= 9)
    return texts


def splits(data: bytes) -> Iterator[list[bytes]]:
    """All ways to cut bytes into tokens of one to four."""
    if not data:
        yield []
    for size in range(1, min(4, len(data)) + 1):
        for rest in splits(data[size:]):
            yield [data[:size], *rest]


def test_every_split_of_200_texts_into_tokens_gives_the_same_text() -> None:
    seen = 0
    for text in corpus():
        data = text.encode()
        for tokens in splits(data):
            buffer, given, taken = Utf8Buffer("fail"), "", 0
            for token in tokens:
                given += buffer.push(token)
                taken += len(token)
                assert len(buffer.pending) <= 3
                assert given.encode() + buffer.pending == data[:taken]
            assert given + buffer.flush() == text
            seen += 1
    assert seen > 10_000


def test_sampled_four_byte_sequences() -> None:
    random = Random(20261204)
    leads = bytes(range(0xC0, 0x100)) + b"A\x80"
    for _ in range(200_000 if THOROUGH else 20_000):
        data = bytes([random.choice(leads), *random.choices(BORDERS, k=2), random.randrange(256)])
        cut = random.randint(0, 4)
        wanted = data.decode("utf-8", "replace")
        assert "".join(ours([data])) == "".join(ours([data[:cut], data[cut:]])) == wanted


def test_all_two_byte_sequences() -> None:
    for first in range(256):
        for second in range(256):
            data = bytes([first, second])
            assert "".join(ours([data])) == "".join(ours([data[:1], data[1:]])) == data.decode("utf-8", "replace")


def test_all_sequences_of_four_border_bytes_however_cut() -> None:
    borders = bytes.fromhex("4180 8f 90 9f a0 bf c2 e0 ed f0 f4".replace(" ", ""))
    for a in borders:
        for b in borders:
            for c in borders:
                for d in borders:
                    data = bytes([a, b, c, d])
                    wanted = data.decode("utf-8", "replace")
                    assert "".join(ours([data])) == wanted
                    assert "".join(ours([data[:2], data[2:]])) == wanted


def test_every_code_point_byte_by_byte() -> None:
    buffer = Utf8Buffer("fail")
    for cp in [*range(0, 0xD800, 7), *range(0xE000, 0x110000, 101), 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]:
        data = chr(cp).encode()
        texts = [buffer.push(data[i : i + 1]) for i in range(len(data))]
        assert texts == [""] * (len(data) - 1) + [chr(cp)]
        assert buffer.pending == b""


@settings(deadline=None, max_examples=300)
@given(pieces)
def test_holds_at_most_the_last_three_bytes(chunks: list[bytes]) -> None:
    buffer, taken = Utf8Buffer(), b""
    for chunk in chunks:
        buffer.push(chunk)
        taken += chunk
        assert len(buffer.pending) <= 3
        assert taken.endswith(buffer.pending)


@settings(deadline=None, max_examples=500)
@given(st.one_of(pieces, ragged))
def test_fail_mode_says_where(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    try:
        whole.decode("utf-8")
        offset: int | None = None
    except UnicodeDecodeError as error:
        offset = error.start
    buffer = Utf8Buffer("fail")
    text, taken, failure = read_until_error(buffer, chunks)
    if offset is None:
        assert failure is None
        assert text == whole.decode()
    else:
        assert failure is not None
        assert (failure.code, failure.params) == ("STREAM_UTF8", {"offset": offset})
        assert (text + buffer.salvaged).encode() == whole[:offset]
        assert buffer.pending == whole[offset:taken]


def read_until_error(buffer: Utf8Buffer, chunks: list[bytes]) -> tuple[str, int, StreamError | None]:
    text, taken = "", 0
    try:
        for chunk in chunks:
            taken += len(chunk)
            text += buffer.push(chunk)
        return text + buffer.flush(), taken, None
    except StreamError as error:
        return text, taken, error


def test_a_failed_buffer_stays_failed() -> None:
    buffer = Utf8Buffer("fail")
    with pytest.raises(StreamError):
        buffer.push(b"ok\xff")
    with pytest.raises(StreamError, match="byte 2"):
        buffer.push(b"more")
    with pytest.raises(StreamError, match="byte 2"):
        buffer.flush()
    assert (buffer.salvaged, buffer.pending) == ("ok", b"\xffmore")


def test_counts_replacements_not_genuine_ones() -> None:
    buffer = Utf8Buffer()
    assert buffer.push("\ufffd".encode() + b"\xff\xc3") == "\ufffd\ufffd"
    assert buffer.flush() == "\ufffd"
    assert buffer.flush() == ""
    assert buffer.replaced == 2
    assert buffer.push(b"again") == "again"


def test_mode_and_repr() -> None:
    with pytest.raises(SamplingError, match="utf8 must be fail or replace"):
        Utf8Buffer("ignore")  # type: ignore[arg-type]  # the wrong mode is the test
    buffer = Utf8Buffer()
    buffer.push(b"\xe2\x82")
    assert repr(buffer) == "<Utf8Buffer replace pending='e282'>"
