import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.stop_strings import Stopped, StopStrings
from checkrail.errors import SamplingError

letters = st.text("ab😀", max_size=4)
stop_lists = st.lists(st.text("ab😀", min_size=1, max_size=4), max_size=4)


def brute(stops: list[str], text: str) -> tuple[str, str | None, str]:
    """The match that ends first; of several that end there, the longest."""
    for end in range(1, len(text) + 1):
        ending = [s for s in stops if text[:end].endswith(s)]
        if ending:
            stop = max(ending, key=len)
            return text[: end - len(stop)], stop, text[end:]
    return text, None, ""


def must_hold(stops: list[str], text: str) -> str:
    """The longest proper beginning of a stop string that the text ends with."""
    return max((s[:n] for s in stops for n in range(len(s)) if text.endswith(s[:n])), key=len, default="")


@settings(deadline=None, max_examples=800)
@given(stop_lists, st.lists(letters, max_size=6))
def test_agrees_with_brute_force_and_holds_no_more_than_needed(stops: list[str], pieces: list[str]) -> None:
    automaton = StopStrings(stops)
    whole, given_out = "", ""
    for piece in pieces:
        whole += piece
        found = automaton.push(piece)
        given_out += found.text
        text, stop, rest = brute(stops, whole)
        if stop is not None:
            assert (given_out, found.stop, found.rest) == (text, stop, rest)
            return
        assert found.stop is None
        assert automaton.held == must_hold(stops, whole)
        assert given_out + automaton.held == whole
    assert given_out + automaton.flush() == whole
    assert automaton.held == ""


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
