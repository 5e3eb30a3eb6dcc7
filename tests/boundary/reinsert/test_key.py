"""The key of a session, and the boundaries that it names."""

from __future__ import annotations

import copy
import hashlib
import hmac
import pickle
from typing import Any

import pytest

from checkrail.boundary.reinsert import IdFraming, ReinsertKey
from checkrail.boundary.reinsert.framing import boundary_of
from checkrail.errors import ContextError, InputError

KEY = ReinsertKey(b"k" * 32)


def test_boundaries_are_macs_of_what_is_inserted() -> None:
    expected = hmac.new(b"k" * 32, b"boundary\0tr_1", hashlib.sha256).hexdigest()
    assert KEY.boundary("tr_1") == expected[:32]
    names = {KEY.boundary(name, attempt) for name in ("tr_1", "tr_2") for attempt in range(3)}
    assert len(names) == 6
    assert ReinsertKey.new().boundary("tr_1") != ReinsertKey.new().boundary("tr_1")


def test_signatures() -> None:
    mac = KEY.sign(b"record")
    assert mac == hmac.new(b"k" * 32, b"history\0record", hashlib.sha256).hexdigest()
    assert KEY.verify(b"record", mac)
    assert not KEY.verify(b"recorD", mac)
    assert not KEY.verify(b"record", "é\ud800")
    assert not ReinsertKey.new().verify(b"record", mac)


@pytest.mark.parametrize("leave", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_key_stays_where_it_is(leave: Any) -> None:
    with pytest.raises(TypeError, match="stays in its process"):
        leave(ReinsertKey.new())
    assert repr(ReinsertKey.new()) == "<ReinsertKey>"


class Fixed(ReinsertKey):
    """Its boundaries are known."""

    def boundary(self, request_id: str, attempt: int = 0) -> str:
        return f"{attempt:032x}"


ZERO, ONE = "0" * 32, "0" * 31 + "1"


@pytest.mark.parametrize(
    "payload",
    [f'"a {ZERO}"', f'"{ZERO[:9]}' + r"\u200b" + f'{ZERO[9:]}"', '"' + "\N{FULLWIDTH DIGIT ZERO}" * 32 + '"'],
)
def test_a_boundary_that_is_in_the_text_is_not_taken(payload: str) -> None:
    assert boundary_of(Fixed.new(), "tr_1", payload) == ONE
    assert boundary_of(Fixed.new(), "tr_1", '"a"') == ZERO


def test_letter_case_does_not_matter() -> None:
    class Letters(ReinsertKey):
        def boundary(self, request_id: str, attempt: int = 0) -> str:
            return "abcd" * 8 if not attempt else ONE

    assert boundary_of(Letters.new(), "tr_1", "ABCD" * 8) == ONE


def test_when_all_are_taken() -> None:
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN"):
        boundary_of(Fixed.new(), "tr_1", " ".join(f"{attempt:032x}" for attempt in range(8)))
    assert boundary_of(Fixed.new(), "tr_1", " ".join(f"{n:032x}" for n in range(7))) == f"{7:032x}"


@pytest.mark.parametrize("pair", [(1, 1), (-1, 2), (2, -1)])
def test_frames_are_two_ids(pair: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="two different token ids"):
        IdFraming(*pair)
    assert IdFraming(0, 1).start == 0
