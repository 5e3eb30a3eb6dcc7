"""Ways to ask a person, other than the terminal: nobody, a function of the host, a script for tests.

You need `CallbackConfirmer` to put the question into a window or a page of your own. The callback gets the question and
answers True or False; it never gets the signer, so an answer that comes after the question has closed is no answer.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ..confirm import Choice, ConfirmationRequest, Decision, Signer

__all__ = ["CallbackConfirmer", "DenyAll", "ScriptedConfirmer"]

_LOOK_SECONDS = 0.05  # how often a waiting dialog looks whether its question is still open


class DenyAll:
    """Nobody to ask: every call that needs an answer is denied."""

    is_available = False

    def confirm(self, request: ConfirmationRequest, sign: Signer) -> Decision | None:
        """No."""
        return None

    def __repr__(self) -> str:
        return "<DenyAll>"


class CallbackConfirmer:
    """Asks a function of the host. Only True is yes; False, any other value, an exception and silence are no.

    The function runs in a thread of its own, so that silence can end. loop: the function is a coroutine function, and
    runs in this event loop; the session itself must not run in the loop's thread.
    """

    is_available = True

    def __init__(
        self,
        callback: Callable[[ConfirmationRequest], bool | Awaitable[bool]],
        *,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._callback = callback
        self._loop = loop

    def confirm(self, request: ConfirmationRequest, sign: Signer) -> Decision | None:
        """Call the function and wait for it as long as the question is open."""
        answer = self._start(request)
        while sign.is_open:
            done, _ = concurrent.futures.wait([answer], timeout=_LOOK_SECONDS)
            if done:
                return sign("approve" if answer.exception() is None and answer.result() is True else "deny")
        answer.cancel()
        return None

    def _start(self, request: ConfirmationRequest) -> concurrent.futures.Future[Any]:
        if self._loop is not None:
            return asyncio.run_coroutine_threadsafe(self._awaited(request), self._loop)
        answer: concurrent.futures.Future[Any] = concurrent.futures.Future()
        # a daemon: a dialog that never answers must not keep the program alive
        threading.Thread(target=self._answer, args=(request, answer), daemon=True).start()
        return answer

    async def _awaited(self, request: ConfirmationRequest) -> Any:
        outcome: Any = self._callback(request)
        return await outcome

    def _answer(self, request: ConfirmationRequest, answer: concurrent.futures.Future[Any]) -> None:
        try:
            outcome: Any = self._callback(request)
        except BaseException as error:  # it is no, and the thread has nobody to tell
            _set(answer, error=error)
        else:
            _set(answer, outcome)

    def __repr__(self) -> str:
        return "<CallbackConfirmer>"


class ScriptedConfirmer:
    """Gives the answers of a list, for tests; None is silence, and after the list there is only silence.

    seen: the questions that were asked.
    """

    is_available = True

    def __init__(self, *answers: Choice | None) -> None:
        self._answers: Sequence[Choice | None] = answers
        self.seen: list[ConfirmationRequest] = []

    def confirm(self, request: ConfirmationRequest, sign: Signer) -> Decision | None:
        """The next answer."""
        self.seen.append(request)
        choice = self._answers[len(self.seen) - 1] if len(self.seen) <= len(self._answers) else None
        return None if choice is None else sign(choice)

    def __repr__(self) -> str:
        return f"<ScriptedConfirmer {len(self.seen)} of {len(self._answers)} answers given>"


def _set(answer: concurrent.futures.Future[Any], value: Any = None, error: BaseException | None = None) -> None:
    """Fill in an answer, unless it was given up meanwhile."""
    if not answer.set_running_or_notify_cancel():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)
