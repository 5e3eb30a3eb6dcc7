"""Sessions: frozen, pinned, closed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.authority import Authority, Verdict
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState
from checkrail.boundary.confirmation.confirmers import DenyAll
from checkrail.boundary.session import Session
from checkrail.boundary.tools.lockfile import write_lock
from checkrail.errors import AuthorityError, InputError, ToolError


def test_the_default_is_nobody_to_ask_and_pure_tools_alone(tmp_path: Path) -> None:
    session = Session(toy_tools.ALL, composition=toy_tools.composition(), roots={"notes": tmp_path})
    assert isinstance(session.confirmer, DenyAll)
    verdicts = {name: session.verdict(pinned) for name, pinned in session.tools.items()}
    assert verdicts == {
        "notes.append": Verdict.ASK,
        "notes.read": Verdict.ASK,
        "clock": Verdict.ASK,
        "double": Verdict.RUN,
    }


@pytest.mark.parametrize(
    "name", ["tools", "authority", "_authority", "confirmer", "taint", "on_taint", "limits", "id", "hidden", "new"]
)
def test_nothing_can_be_set(tmp_path: Path, name: str) -> None:
    session = toy_tools.session(tmp_path)
    with pytest.raises(AttributeError):
        setattr(session, name, None)


def test_no_tool_can_be_added(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, tools=[toy_tools.double])
    tools: Any = session.tools
    with pytest.raises(TypeError):
        tools["clock"] = tools["double"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        tools["double"].tool = toy_tools.append


def test_two_tools_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="two tools have this name"):
        toy_tools.session(tmp_path, tools=[toy_tools.double, toy_tools.double])


def test_other_words_for_hidden(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hidden"):
        toy_tools.session(tmp_path, hidden="ignore")


def test_lowering_is_free_and_raising_takes_a_gesture(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    session.lower_authority(Authority.ASK_ALL)
    assert session.authority is Authority.ASK_ALL
    with pytest.raises(AuthorityError, match="AUTH_LEVEL"):
        session.lower_authority(Authority.AUTO_READ)
    asked: list[Any] = []
    for answer in (False, None, 1, "yes"):
        with pytest.raises(AuthorityError, match="AUTH_LEVEL"):
            session.raise_authority(Authority.AUTO_READ, lambda *levels: asked.append(levels) or answer)  # type: ignore[arg-type, func-returns-value]  # noqa: B023
    assert session.authority is Authority.ASK_ALL
    assert asked == [(Authority.ASK_ALL, Authority.AUTO_READ)] * 4
    session.raise_authority(Authority.AUTO_READ, lambda *_: True)
    assert session.authority is Authority.AUTO_READ


def test_a_level_that_was_lowered_while_a_person_was_asked_stays_low(tmp_path: Path) -> None:
    """The person agreed to a step from another level."""
    session = toy_tools.session(tmp_path)

    def meanwhile(*_: Authority) -> bool:
        session.lower_authority(Authority.OFF)
        return True

    with pytest.raises(AuthorityError, match="AUTH_LEVEL"):
        session.raise_authority(Authority.AUTO_READ, meanwhile)
    assert session.authority is Authority.OFF


def test_no_level_makes_a_write_run(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, authority=Authority.OFF)
    for level in Authority:
        session.raise_authority(level, lambda *_: True)
        assert session.verdict(session.tools["notes.append"]) is not Verdict.RUN


def test_a_request_is_consumed_once(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    session.consume("tr_1")
    with pytest.raises(AuthorityError, match="AUTH_REPLAY"):
        session.consume("tr_1")


def test_the_end_closes_a_question_that_is_open(tmp_path: Path) -> None:
    class Leaves:
        is_available = True

        def confirm(self, question: Any, sign: Any) -> None:
            seen.append(sign.is_open)
            session.close()
            seen.append(sign.is_open)

    seen: list[bool] = []
    session = toy_tools.session(tmp_path, confirm=Leaves())
    runner = toy_tools.Runner()
    call = carry(session, Proposal.of_program("notes.append", {"text": "a"}), run=runner)
    assert (seen, call.state, runner.ran) == ([True, False], CallState.DENIED, [])


def test_the_end(tmp_path: Path) -> None:
    with toy_tools.session(tmp_path, authority=Authority.AUTO_READ) as session:
        assert not session.is_closed
        assert session.verdict(session.tools["double"]) is Verdict.RUN
    assert session.is_closed
    assert {session.verdict(pinned) for pinned in session.tools.values()} == {Verdict.DENY}
    session.raise_authority(Authority.AUTO_READ, lambda *_: True)
    assert {session.verdict(pinned) for pinned in session.tools.values()} == {Verdict.DENY}


def test_the_lockfile_is_what_was_agreed_to(tmp_path: Path) -> None:
    lock = tmp_path / "tools.lock"
    write_lock(lock, [tool.manifest for tool in toy_tools.ALL])
    toy_tools.session(tmp_path, lockfile=lock)
    write_lock(lock, [tool.manifest for tool in toy_tools.ALL[1:]])
    with pytest.raises(AuthorityError, match=r"AUTH_MANIFEST_DRIFT.*notes\.append"):
        toy_tools.session(tmp_path, lockfile=lock)
    write_lock(lock, [dataclasses.replace(tool.manifest, effect="Other.") for tool in toy_tools.ALL])
    with pytest.raises(AuthorityError, match="AUTH_MANIFEST_DRIFT"):
        toy_tools.session(tmp_path, lockfile=lock)
    with pytest.raises(ToolError, match="TOOL_LOCK"):
        toy_tools.session(tmp_path, lockfile=tmp_path / "missing")


def test_how_authority_stands(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    assert (session.standing.level, session.standing.tainted, session.standing.sources) == ("auto_pure", False, ())
    for number in range(40):
        session.taint.add(f"doc:{number}", "")
    assert session.standing.tainted
    assert (len(session.standing.sources), session.standing.more_sources) == (32, 8)
    assert repr(session) == f"<Session {session.id}: 4 tools, auto_pure, tainted>"


def test_a_new_session_begins_clean(tmp_path: Path) -> None:
    first = toy_tools.session(tmp_path)
    first.taint.add("doc:a", "text")
    second = toy_tools.session(tmp_path)
    assert not second.taint.is_set
    assert first.id != second.id
