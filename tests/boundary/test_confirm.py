"""Confirmation: what an approval is bound to, and that it counts once, in time, from the right hand."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.envelopes import Standing, ToolRef, ToolRequest
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirm import Approval, ConfirmationRequest, Confirmations, Decision, Signer, binding
from checkrail.errors import AuthorityError
from toy_tools import ARGUMENTS, REQUEST

COMPOSITION = REQUEST.composition
ID = "tc_" + "0" * 26


class Place:
    """A ledger, its clock, and one open question."""

    def __init__(self) -> None:
        self.now = toy_tools.Now()
        self.ledger = Confirmations(self.now)
        self.ask()

    def ask(self) -> None:
        self.question, self.sign = toy_tools.ask(self.ledger, 1_000)

    def settle(self, decision: Decision, request: ToolRequest = REQUEST, arguments: bytes = ARGUMENTS) -> Approval:
        return self.ledger.settle(decision, request, arguments)

    def approve(self) -> Approval:
        return self.settle(self.sign("approve"))


@pytest.fixture
def place() -> Place:
    return Place()


def code(action: Any, *arguments: Any) -> str:
    """The code with which an action is refused."""
    with pytest.raises(AuthorityError) as caught:
        action(*arguments)
    return caught.value.code


def test_the_published_vector_of_the_binding(monkeypatch: pytest.MonkeyPatch) -> None:
    published = {
        "arguments_sha256": "6c6146b39afc9d1dd12749ec401f23bae062fe3d2970a63fa355d3550ec9d887",
        "authority": "auto_pure",
        "capability": "write",
        "composition_sha256": "0" * 64,
        "confirmation_id": ID,
        "display_sha256": "1" * 64,
        "expires_unix_ms": 1_800_000_120_000,
        "input_schema_sha256": "2" * 64,
        "manifest_sha256": "3" * 64,
        "request_id": "tr_" + "0" * 26,
        "session_id": "ts_" + "0" * 26,
        "tool": "notes.append",
        "version": "1.0.0",
    }
    text = json.dumps(published, sort_keys=True, separators=(",", ":")).encode()
    vector = hashlib.sha256(b"tool-confirm/1\0" + text).digest()
    assert vector.hex() == "62afb06e11fde4e183746d334e514adce74816d3dace8595fa5082051b0775c5"
    assert (
        hmac.digest(bytes(32), b"approve\0" + vector, "sha256").hex()
        == "d57b62b9ea6b94288a9e39b21aa82e1797eaa077c350a2f4eab6aa0a0dd4a45f"
    )
    ours = published | {
        "composition_sha256": COMPOSITION.sha256,
        "display_sha256": hashlib.sha256(b"shown").hexdigest(),
    }
    text = json.dumps(ours, sort_keys=True, separators=(",", ":")).encode()
    assert binding(REQUEST, ARGUMENTS, b"shown", ID) == hashlib.sha256(b"tool-confirm/1\0" + text).digest()


OTHER = toy_tools.composition(model_id="other")
REQUEST_CHANGES: list[dict[str, Any]] = [
    {"authority": Standing("auto_read", False)},
    {"capability": "read"},
    {"composition": OTHER, "composition_sha256": OTHER.sha256},
    {"expires_unix_ms": 1_800_000_120_001},
    {"tool": ToolRef("notes.append", "1.0.0", "3" * 64, "4" * 64)},
    {"tool": ToolRef("notes.append", "1.0.0", "4" * 64, "2" * 64)},
    {"tool": ToolRef("notes.append", "1.0.1", "3" * 64, "2" * 64)},
    {"tool": ToolRef("notes.delete", "1.0.0", "3" * 64, "2" * 64)},
    {"request_id": "tr_" + "1" * 26},
    {"session_id": "ts_" + "1" * 26},
]


@pytest.mark.parametrize("change", REQUEST_CHANGES)
def test_everything_that_is_bound_changes_the_binding(change: dict[str, Any]) -> None:
    known = binding(REQUEST, ARGUMENTS, b"shown", ID)
    assert binding(dataclasses.replace(REQUEST, **change), ARGUMENTS, b"shown", ID) != known


def test_bytes_display_and_id_change_the_binding() -> None:
    bound = {
        binding(REQUEST, ARGUMENTS, b"shown", ID),
        binding(REQUEST, ARGUMENTS + b" ", b"shown", ID),
        binding(REQUEST, ARGUMENTS, b"shown ", ID),
        binding(REQUEST, ARGUMENTS, b"shown", "tc_" + "1" * 26),
    }
    assert len(bound) == 4
    assert binding(REQUEST, ARGUMENTS, b"shown", ID) in bound


def test_approve_and_run(place: Place) -> None:
    approval = place.approve()
    assert approval.request_id == REQUEST.request_id
    place.ledger.redeem(approval, REQUEST, ARGUMENTS)


def test_deny(place: Place) -> None:
    assert code(place.settle, place.sign("deny")) == "AUTH_DENIED_USER"


def test_an_answer_counts_once(place: Place) -> None:
    decision = place.sign("approve")
    approval = place.settle(decision)
    assert code(place.settle, decision) == "AUTH_REPLAY"
    place.ledger.redeem(approval, REQUEST, ARGUMENTS)
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_REPLAY"


def test_a_signer_signs_once(place: Place) -> None:
    assert place.sign.is_open
    place.sign("deny")
    assert not place.sign.is_open
    assert code(place.sign, "approve") == "AUTH_REPLAY"


@pytest.mark.parametrize("choice", ["yes", "", "approve\0", None, True])
def test_only_two_words_are_signed(place: Place, choice: Any) -> None:
    assert code(place.sign, choice) == "AUTH_BAD_DECISION"
    assert place.sign.is_open


def test_an_id_is_burnt_by_a_bad_answer(place: Place) -> None:
    good = place.sign("approve")
    assert code(place.settle, dataclasses.replace(good, mac=bytes(32))) == "AUTH_BAD_DECISION"
    assert code(place.settle, good) == "AUTH_REPLAY"


def forged(decision: Decision) -> list[Decision]:
    """Answers that somebody without the key could make of one."""
    return [
        dataclasses.replace(decision, choice="approve"),
        dataclasses.replace(decision, choice="approve", mac=b""),
        dataclasses.replace(
            decision, choice="approve", mac=hmac.digest(b"", b"approve\0" + decision.binding, "sha256")
        ),
        dataclasses.replace(decision, confirmation_id=ID),
        dataclasses.replace(decision, binding=bytes(32)),
    ]


@pytest.mark.parametrize("number", range(5))
def test_a_denial_cannot_be_made_an_approval(place: Place, number: int) -> None:
    assert code(place.settle, forged(place.sign("deny"))[number]) == "AUTH_BAD_DECISION"


def test_the_key_of_another_session_is_none(place: Place) -> None:
    other = Place()
    stolen = dataclasses.replace(place.sign("deny"), choice="approve")
    mac = other.ledger._mac("approve", stolen.binding)
    assert code(place.settle, dataclasses.replace(stolen, mac=mac)) == "AUTH_BAD_DECISION"
    assert code(other.settle, Place().sign("approve")) == "AUTH_BAD_DECISION"


def test_a_right_mac_over_another_binding_is_refused(place: Place) -> None:
    other = bytes(32)
    echo = Decision(place.question.confirmation_id, "approve", other, place.ledger._mac("approve", other))
    assert code(place.settle, echo) == "AUTH_BINDING_MISMATCH"


@pytest.mark.parametrize("change", REQUEST_CHANGES)
def test_approve_one_request_run_another(place: Place, change: dict[str, Any]) -> None:
    other = dataclasses.replace(REQUEST, **change)
    approval = place.approve()
    assert code(place.ledger.redeem, approval, other, ARGUMENTS) == "AUTH_BINDING_MISMATCH"
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_REPLAY", "it is used up all the same"
    place.ask()
    assert code(place.settle, place.sign("approve"), other) == "AUTH_BINDING_MISMATCH"


def test_approve_some_bytes_run_others(place: Place) -> None:
    for other in (dumps({"text": "buy mill"}), ARGUMENTS + b" ", b"", b"{}"):
        place.ask()
        approval = place.approve()
        assert code(place.ledger.redeem, approval, REQUEST, other) == "AUTH_BINDING_MISMATCH"
        place.ask()
        assert code(place.settle, place.sign("approve"), REQUEST, other) == "AUTH_BINDING_MISMATCH"


def test_an_approval_that_was_changed_is_refused(place: Place) -> None:
    approval = dataclasses.replace(place.approve(), binding=bytes(32))
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_BINDING_MISMATCH"


def test_an_approval_that_was_made_up_is_refused(place: Place) -> None:
    made_up = Approval(place.question.confirmation_id, REQUEST.request_id, place.question.binding)
    assert code(place.ledger.redeem, made_up, REQUEST, ARGUMENTS) == "AUTH_REPLAY"


def test_time(place: Place) -> None:
    place.now.milliseconds += 999
    assert place.sign.is_open
    decision = place.sign("approve")
    place.now.milliseconds += 1
    assert code(place.settle, decision) == "AUTH_EXPIRED"
    place.ask()
    place.now.milliseconds += 1_000
    assert not place.sign.is_open
    assert code(place.sign, "approve") == "AUTH_EXPIRED"
    place.ask()
    approval = place.approve()
    place.now.milliseconds += 1_000
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_EXPIRED"


def test_the_end_of_the_session(place: Place) -> None:
    approval = place.approve()
    place.ask()
    decision = place.sign("approve")
    place.ledger.close()
    assert code(place.settle, decision) == "AUTH_EXPIRED"
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_EXPIRED"
    place.ask()
    assert not place.sign.is_open


def test_one_question_at_a_time(place: Place) -> None:
    first, sign_first = place.question, place.sign
    held = sign_first("approve")
    place.ask()
    assert place.question.confirmation_id != first.confirmation_id
    assert not sign_first.is_open
    assert code(place.settle, held) == "AUTH_REPLAY"
    place.approve()


def test_void(place: Place) -> None:
    approval = place.approve()
    place.ledger.void(approval.confirmation_id)
    assert code(place.ledger.redeem, approval, REQUEST, ARGUMENTS) == "AUTH_REPLAY"
    place.ask()
    place.ledger.void(place.question.confirmation_id)
    assert code(place.sign, "approve") == "AUTH_EXPIRED"


def test_two_questions_about_the_same_call_have_different_bindings(place: Place) -> None:
    before = place.question.binding
    place.ask()
    assert place.question.binding != before


def test_the_key_is_nowhere_to_be_seen(place: Place, tmp_path: Path) -> None:
    key = place.ledger._key
    assert len(key) == 32
    decision = place.sign("approve")
    for thing in (
        place.ledger,
        place.question,
        place.sign,
        decision,
        place.settle(decision),
        toy_tools.session(tmp_path),
    ):
        assert key.hex() not in repr(thing)
        assert repr(key) not in repr(thing)
        assert "mac" not in repr(thing)


def test_what_a_page_gets(place: Place) -> None:
    data = place.question.to_json()
    assert json.loads(json.dumps(data)) == data
    assert set(data) == {"confirmation_id", "sections", "milliseconds"}
    assert isinstance(place.question, ConfirmationRequest)
    assert isinstance(place.sign, Signer)


@pytest.mark.parametrize(
    "answer",
    [
        "approve",
        True,
        object(),
        Decision(5, "approve", b"", b""),  # type: ignore[arg-type]
        Decision([], "approve", b"", b""),  # type: ignore[arg-type]
        Decision(ID, None, b"", b""),  # type: ignore[arg-type]
        Decision(ID, "approve", "", b""),  # type: ignore[arg-type]
        Decision(ID, "approve", b"", None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_closes_the_question(place: Place, answer: Any) -> None:
    assert code(place.settle, answer) == "AUTH_BAD_DECISION"
    assert not place.sign.is_open


def test_an_answer_is_signed_as_published(place: Place) -> None:
    decision = place.sign("approve")
    assert decision.mac == hmac.digest(place.ledger._key, b"approve\0" + decision.binding, "sha256")
    assert decision.binding == place.question.binding


def test_a_question_that_another_has_replaced_is_closed(place: Place) -> None:
    first = place.sign
    place.ask()
    assert not first.is_open
    assert code(first, "approve") == "AUTH_EXPIRED"
    assert place.sign.is_open


def test_what_was_signed_before_it_became_void_is_used_up(place: Place) -> None:
    decision = place.sign("approve")
    place.ledger.void(place.question.confirmation_id)
    assert code(place.settle, decision) == "AUTH_REPLAY"
    place.ask()
    decision = place.sign("approve")
    assert code(place.settle, "nonsense") == "AUTH_BAD_DECISION"
    assert code(place.settle, decision) == "AUTH_REPLAY"


def test_what_is_seen_of_them(place: Place) -> None:
    assert repr(place.ledger) == "<Confirmations 1 open, 0 approved, 0 burnt>"
    decision = place.sign("approve")
    approval = place.settle(decision)
    assert repr(place.ledger) == "<Confirmations 0 open, 1 approved, 1 burnt>"
    for thing in (place.question, decision, approval):
        assert "buy milk" not in repr(thing)
        assert repr(place.question.binding) not in repr(thing)
        with pytest.raises(dataclasses.FrozenInstanceError):
            thing.confirmation_id = ID  # type: ignore[misc, union-attr]
