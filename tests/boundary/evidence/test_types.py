"""What evidence may hold, and the numbers in it."""

from __future__ import annotations

import hashlib
import hmac
import statistics
import sys
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.states import CallState
from checkrail.boundary.evidence.types import (
    CallEnd,
    Capability,
    ChatTemplate,
    Code,
    Digest,
    Effects,
    Extremes,
    FiveNumbers,
    Id,
    Implementation,
    IsolationLevel,
    Kernel,
    Level,
    Platform,
    Stop,
    TurnStop,
    Version,
    coarse,
)
from checkrail.boundary.tools import limits
from checkrail.boundary.worker import isolation, run_outcome
from checkrail.decoding.stream import StopReason
from checkrail.errors import CATALOGUE
from checkrail.mask import kernel
from checkrail.tools import answer


@pytest.mark.parametrize(
    "text", ["", "JSON_SYNTAX ", "json_syntax", "the prompt", 3, None, type("S", (str,), {})("INTERNAL")]
)
def test_only_codes_of_the_catalogue_are_codes(text: object) -> None:
    with pytest.raises(ValueError, match="catalogue"):
        Code(text)  # type: ignore[arg-type]  # that is the point
    assert all(str(Code(code)) == code for code in CATALOGUE)


@pytest.mark.parametrize(
    "text", ["", "rn_", "rn_" + "a" * 25, "rn_" + "A" * 26, "rn-" + "a" * 26, "rn_" + "a" * 26 + "\n"]
)
def test_only_ids_are_ids(text: str) -> None:
    with pytest.raises(ValueError, match="not an id"):
        Id(text)


def test_ids_are_random() -> None:
    ids = {str(Id.new("rn")) for _ in range(200)}
    assert len(ids) == 200
    assert len({text[3:4] for text in ids}) > 16, "the first letter varies"
    assert {letter for text in ids for letter in text[3:]} <= set("0123456789abcdefghjkmnpqrstvwxyz")


@pytest.mark.parametrize("text", ["", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n", b"a" * 32])
def test_only_digests_are_digests(text: object) -> None:
    with pytest.raises(ValueError, match="not a digest"):
        Digest(text)  # type: ignore[arg-type]


@given(st.binary(), st.binary(min_size=32, max_size=32))
def test_digests_are_those_of_the_standards(data: bytes, key: bytes) -> None:
    assert str(Digest.of(data)) == hashlib.sha256(data).hexdigest()
    assert str(Digest.keyed(key, data)) == hmac.new(key, data, "sha256").hexdigest()


def test_the_words_are_those_of_the_modules_that_they_speak_of() -> None:
    assert [stop.value for stop in Stop] == list(get_args(StopReason))
    assert {member.value for member in Kernel} == set(get_args(kernel.Mode))
    assert {template.value for template in ChatTemplate} == {"chatml", "plain"}


def test_the_words_of_turns_are_those_of_tools() -> None:
    assert [level.value for level in Level] == [authority.value for authority in Authority]
    assert [end.value for end in CallEnd] == [state.value for state in CallState if state.is_final]
    assert [capability.value for capability in Capability] == list(get_args(limits.Capability))
    assert [effects.value for effects in Effects] == list(get_args(run_outcome.Effects))
    assert [level.value for level in IsolationLevel] == list(isolation.LEVELS)
    assert [stop.value for stop in TurnStop] == list(get_args(answer.TurnStop))


def test_this_process_has_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Implementation.here() is Implementation.CPYTHON
    monkeypatch.setattr(sys, "platform", "my private machine")
    assert Platform.here() is Platform.OTHER
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr("platform.machine", lambda: "wasm32")
    assert Platform.here() is Platform.BROWSER


@pytest.mark.parametrize(
    ("text", "version"), [("1.2.3", (1, 2, 3)), ("0.1", (0, 1, 0)), ("3.14.0rc1", (3, 14, 0)), ("1.2.3.4", (1, 2, 3))]
)
def test_versions(text: str, version: tuple[int, int, int]) -> None:
    assert Version.of(text) == Version(*version)


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_five_numbers_are_members_at_their_ranks(counts: list[int]) -> None:
    found = FiveNumbers.of(counts)
    assert found is not None
    assert (found.least, found.greatest) == (min(counts), max(counts))
    assert found.median == statistics.median_low(counts)
    for quarter, number in ((1, found.lower_quartile), (3, found.upper_quartile)):
        assert number in counts
        assert sum(c <= number for c in counts) * 4 >= quarter * len(counts)
        assert sum(c < number for c in counts) * 4 < quarter * len(counts)


def test_no_counts_have_no_numbers() -> None:
    assert FiveNumbers.of([]) is None
    assert Extremes.of([]) is None


@given(st.integers(0, 2**40))
def test_coarse_is_the_least_power_of_16(count: int) -> None:
    power = coarse(count)
    assert power in {16**k for k in range(1, 11)}
    assert power >= count
    assert power == 16 or power // 16 < count


@given(st.lists(st.integers(1, 10**6), min_size=1))
def test_extremes_are_coarse(counts: list[int]) -> None:
    assert Extremes.of(counts) == Extremes(coarse(min(counts)), coarse(max(counts)))
