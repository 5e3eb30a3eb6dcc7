"""Confirmers of the host: only True is yes, and silence ends."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from checkrail.boundary.confirm import Confirmations, Decision
from checkrail.boundary.confirmation.confirmers import CallbackConfirmer, DenyAll, ScriptedConfirmer
from checkrail.errors import AuthorityError
from toy_tools import ask


def now() -> int:
    return time.monotonic_ns() // 1_000_000


def choice(confirmer: Any, milliseconds: int = 5_000) -> str | None:
    """What a confirmer answers to a question."""
    question, sign = ask(Confirmations(now), milliseconds)
    decision = confirmer.confirm(question, sign)
    return decision.choice if isinstance(decision, Decision) else decision


def test_nobody() -> None:
    assert not DenyAll().is_available
    assert choice(DenyAll()) is None


@pytest.mark.parametrize(
    ("answer", "meant"),
    [(True, "approve"), (False, "deny"), (None, "deny"), (1, "deny"), ("yes", "deny"), ("approve", "deny")],
)
def test_only_true_is_yes(answer: Any, meant: str) -> None:
    assert choice(CallbackConfirmer(lambda _: answer)) == meant


def test_an_exception_is_no() -> None:
    def fail(_: Any) -> bool:
        raise RuntimeError

    assert choice(CallbackConfirmer(fail)) == "deny"


def test_silence_ends_with_the_question() -> None:
    silent = threading.Event()
    began = time.monotonic()
    assert choice(CallbackConfirmer(lambda _: silent.wait(20)), milliseconds=150) is None
    assert time.monotonic() - began < 5
    silent.set()


def test_a_late_yes_is_no_answer() -> None:
    ledger, go = Confirmations(now), threading.Event()
    question, sign = ask(ledger, 5_000)
    answers: list[Any] = []
    confirmer = CallbackConfirmer(lambda _: go.wait(20))
    thread = threading.Thread(target=lambda: answers.append(confirmer.confirm(question, sign)))
    thread.start()
    ledger.void(question.confirmation_id)
    thread.join(5)
    go.set()
    assert answers == [None]
    with pytest.raises(AuthorityError, match="AUTH_EXPIRED"):
        sign("approve")


def test_a_coroutine_in_the_loop_of_the_host() -> None:
    async def host() -> tuple[str | None, str | None, str | None]:
        loop = asyncio.get_running_loop()

        async def yes(_: Any) -> bool:
            await asyncio.sleep(0.01)
            return True

        async def fail(_: Any) -> bool:
            raise RuntimeError

        async def silent(_: Any) -> bool:
            await asyncio.sleep(20)
            return True

        return (
            await loop.run_in_executor(None, choice, CallbackConfirmer(yes, loop=loop)),
            await loop.run_in_executor(None, choice, CallbackConfirmer(fail, loop=loop)),
            await loop.run_in_executor(None, choice, CallbackConfirmer(silent, loop=loop), 100),
        )

    assert asyncio.run(host()) == ("approve", "deny", None)


def test_a_script() -> None:
    script = ScriptedConfirmer("approve", None, "deny")
    assert [choice(script), choice(script), choice(script), choice(script)] == ["approve", None, "deny", None]
    assert len(script.seen) == 4
    assert repr(script) == "<ScriptedConfirmer 4 of 3 answers given>"


def test_they_are_shown_shortly() -> None:
    assert (repr(DenyAll()), repr(CallbackConfirmer(lambda _: True))) == ("<DenyAll>", "<CallbackConfirmer>")
