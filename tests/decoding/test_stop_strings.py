import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.stop_strings import Stopped, StopStrings
from checkrail.errors import SamplingError
from reference_stop_strings import first_stop, must_hold, stream

VECTORS = Path(__file__).resolve().parents[2] / "conformance" / "stop_strings.json"
letters = st.text("ab😀", max_size=4)
stop_lists = st.lists(st.text("ab😀", min_size=1, max_size=4), max_size=4)


@settings(deadline=None, max_examples=800)
@given(stop_lists, st.lists(letters, max_size=6))
def test_agrees_with_brute_force_and_holds_no_more_than_needed(stops: list[str], pieces: list[str]) -> None:
    automaton = StopStrings(stops)
    whole, given_out = "", ""
    for piece in pieces:
        whole += piece
        found = automaton.push(piece)
        given_out += found.text
        text, stop, rest = first_stop(stops, whole)
        if stop is not None:
            assert (given_out, found.stop, found.rest) == (text, stop, rest)
            return
        assert found.stop is None
        assert automaton.held == must_hold(stops, whole)
        assert given_out + automaton.held == whole
    assert given_out + automaton.flush() == whole
    assert automaton.held == ""


def ours(stops: list[str], pieces: list[str]) -> tuple[list[str], str, str | None]:
    automaton, given = StopStrings(stops), []
    for piece in pieces:
        found = automaton.push(piece)
        given.append(found.text)
        if found.stop is not None:
            return given, "", found.stop
    return given, automaton.flush(), None


@pytest.mark.parametrize("case", json.loads(VECTORS.read_text("utf-8"))["cases"], ids=lambda case: ascii(case["stop"]))
def test_vector(case: dict[str, Any]) -> None:
    assert ours(case["stop"], case["pieces"]) == (case["given"], case["rest"], case["found"])


def chunkings(text: str) -> Iterator[list[str]]:
    """All ways to cut a text into pieces."""
    for cuts in range(1 << max(0, len(text) - 1)):
        edges = [0, *(at + 1 for at in range(len(text) - 1) if cuts >> at & 1), len(text)]
        yield [text[i:j] for i, j in pairwise(edges)]


@pytest.mark.parametrize(
    ("stops", "text"),
    [
        (["END"], "an ENENDx"),
        (["aab", "ab"], "aaaaababab"),
        (["abab", "b"], "aabaababab"),
        (["\n\nUser:", "\n\n"], "x\n\n\nUser:"),
        (["😀é", "é😀"], "é😀é😀😀é"),
        (["abcabd"], "abcabcabcab"),
        (["aaa"], "aabaabaaba"),
        (["x", "xy", "yx"], "zzyyyyyyx"),
    ],
    ids=ascii,
)
def test_all_chunkings_give_the_same_text_and_hold_no_more_than_needed(stops: list[str], text: str) -> None:
    wanted, stop, _ = first_stop(stops, text)
    for pieces in chunkings(text):
        given, rest, found = ours(stops, pieces)
        assert ("".join(given) + rest, found) == (wanted, stop), pieces
        assert (given, rest, found) == stream(stops, pieces), pieces


def test_across_pieces() -> None:
    stops = StopStrings(["\n\nUser:", "</s>"])
    assert stops.push("hi\n") == Stopped("hi")
    assert stops.held == "\n"
    assert stops.push("\n") == Stopped("")
    assert stops.push("\nUs") == Stopped("\n")
    assert stops.push("er: next") == Stopped("", "\n\nUser:", " next")


def test_without_strings_nothing_is_held() -> None:
    stops = StopStrings()
    assert stops.push("text") == Stopped("text")
    assert stops.flush() == ""


def test_a_long_false_start_is_linear() -> None:
    stops = StopStrings(["a" * 1000 + "b"])
    given_out = "".join(stops.push("a" * 100).text for _ in range(200))
    assert len(given_out) == 200 * 100 - 1000
    assert stops.flush() == "a" * 1000


@pytest.mark.parametrize("bad", ["END", [""], [b"x"], ["a", None], ["\ud800"]])
def test_refuses(bad: object) -> None:
    with pytest.raises(SamplingError) as caught:
        StopStrings(bad)  # type: ignore[arg-type]  # the wrong type is the test
    assert caught.value.params["name"] == "stop"


def test_repr() -> None:
    assert repr(StopStrings(["x"])) == "<StopStrings 1 strings, 0 held>"
