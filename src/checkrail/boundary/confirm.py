"""Confirmation: a person approves one call, and what was approved is what runs, to the byte.

    display = the canonical sections of the view
    binding = SHA-256("tool-confirm/1\\0" + JCS{hashes of arguments, display, manifest, schema, composition; ids; level;
                                               capability; tool; version; expiry})
    mac     = HMAC-SHA256(session key, decision + "\\0" + binding)

`Confirmations` opens one question at a time. The answer comes from a `Signer`, which signs once. Then the binding is
computed again from the bytes that are kept, and once more from those that go to the worker: approving one thing and
running another is a different binding, and denied. An id is burnt by its first answer, whatever that is; an approval is
redeemed once; both are void after their time and after the session. Nothing here is ever stored on disk.

You need `Confirmer` to write a dialog. Whether a question is asked at all is for `authority` to say.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from ..errors import AuthorityError
from .calls.envelopes import ToolRequest
from .canon import dumps
from .confirmation.view import ConfirmationView
from .evidence.types import Id

__all__ = [
    "Approval",
    "Choice",
    "Clock",
    "ConfirmationRequest",
    "Confirmations",
    "Confirmer",
    "Decision",
    "Signer",
    "binding",
]

Choice: TypeAlias = Literal["approve", "deny"]
Clock: TypeAlias = Callable[[], int]  # milliseconds that never go back

_PREFIX = b"tool-confirm/1\0"


@dataclass(frozen=True, slots=True)
class ConfirmationRequest:
    """One question. view: what to show; display: its canonical form. milliseconds: until it is too late to answer."""

    confirmation_id: str
    view: ConfirmationView = field(repr=False)
    display: bytes = field(repr=False)
    binding: bytes = field(repr=False)
    milliseconds: int

    def to_json(self) -> dict[str, Any]:
        """What a page needs. The page answers with the id and a choice; the host signs."""
        sections = [section.to_json() for section in self.view.sections()]
        return {"confirmation_id": self.confirmation_id, "sections": sections, "milliseconds": self.milliseconds}


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer. binding: of the question that was shown, said back. mac: it came through this session's signer."""

    confirmation_id: str
    choice: Choice
    binding: bytes = field(repr=False)
    mac: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Approval:
    """What an approved question leaves: worth one run of the very same call, until it expires."""

    confirmation_id: str
    request_id: str
    binding: bytes = field(repr=False)


class Signer:
    """Signs one answer to one question: `sign("approve")` or `sign("deny")`. A second, or a late one, is refused."""

    def __init__(self, sign: Callable[[Choice], Decision], is_open: Callable[[], bool]) -> None:
        self._sign = sign
        self._is_open = is_open
        self._lock = threading.Lock()
        self._used = False

    @property
    def is_open(self) -> bool:
        """Whether an answer still counts. A dialog that waits asks now and then, and closes when it does not."""
        return not self._used and self._is_open()

    def __call__(self, choice: Choice) -> Decision:
        """The signed answer. Raises `AuthorityError` AUTH_REPLAY, AUTH_EXPIRED or AUTH_BAD_DECISION."""
        if choice not in ("approve", "deny"):
            raise AuthorityError("AUTH_BAD_DECISION")
        with self._lock:
            if self._used:
                raise AuthorityError("AUTH_REPLAY")
            if not self._is_open():
                raise AuthorityError("AUTH_EXPIRED")
            self._used = True
        return self._sign(choice)


class Confirmer(Protocol):
    """A way to ask a person."""

    @property
    def is_available(self) -> bool:
        """Whether somebody can be asked. Without it a call that needs an answer is denied, AUTH_NO_CHANNEL."""
        ...

    def confirm(self, request: ConfirmationRequest, sign: Signer) -> Decision | None:
        """Show the question and wait. None, and any exception, is no. Give up when `sign` is no longer open."""
        ...


def binding(request: ToolRequest, arguments: bytes, display: bytes, confirmation_id: str) -> bytes:
    """What an approval is bound to: 32 bytes. arguments: those that would run, whatever the request says of them."""
    bound = {
        "arguments_sha256": hashlib.sha256(arguments).hexdigest(),
        "authority": request.authority.level,
        "capability": request.capability,
        "composition_sha256": request.composition_sha256,
        "confirmation_id": confirmation_id,
        "display_sha256": hashlib.sha256(display).hexdigest(),
        "expires_unix_ms": request.expires_unix_ms,
        "input_schema_sha256": request.tool.input_schema_sha256,
        "manifest_sha256": request.tool.manifest_sha256,
        "request_id": request.request_id,
        "session_id": request.session_id,
        "tool": request.tool.name,
        "version": request.tool.version,
    }
    return hashlib.sha256(_PREFIX + dumps(bound)).digest()


@dataclass(slots=True)
class _Question:
    """One that is open, or whose approval is not redeemed yet."""

    request_id: str
    display: bytes
    binding: bytes
    deadline: int


class Confirmations:
    """The questions of one session. clock: milliseconds that never go back. The key never leaves this object."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._open: dict[str, _Question] = {}
        self._approved: dict[str, _Question] = {}
        self._burnt: set[str] = set()
        self._closed = False

    def ask(
        self, request: ToolRequest, arguments: bytes, view: ConfirmationView, milliseconds: int
    ) -> tuple[ConfirmationRequest, Signer]:
        """Open a question; the one that was open before, if any, is void. milliseconds: until it expires."""
        confirmation_id = str(Id.new("tc"))
        display = view.display()
        bound = binding(request, arguments, display, confirmation_id)
        with self._lock:
            self._burnt.update(self._open)
            self._open.clear()
            self._open[confirmation_id] = _Question(request.request_id, display, bound, self._clock() + milliseconds)

        def sign(choice: Choice) -> Decision:
            return Decision(confirmation_id, choice, bound, self._mac(choice, bound))

        question = ConfirmationRequest(confirmation_id, view, display, bound, milliseconds)
        return question, Signer(sign, lambda: self._is_open(confirmation_id))

    def settle(self, decision: Decision, request: ToolRequest, arguments: bytes) -> Approval:
        """Take an answer. The id is burnt by it. request, arguments: those that would run.

        Raises `AuthorityError`: AUTH_REPLAY, AUTH_BAD_DECISION, AUTH_EXPIRED, AUTH_BINDING_MISMATCH, AUTH_DENIED_USER.
        """
        with self._lock:
            if not _is_decision(decision):
                self._burnt.update(self._open)
                self._open.clear()
                raise AuthorityError("AUTH_BAD_DECISION")
            if decision.confirmation_id in self._burnt:
                raise AuthorityError("AUTH_REPLAY")
            question = self._open.pop(decision.confirmation_id, None)
            if question is None:
                raise AuthorityError("AUTH_BAD_DECISION")
            self._burnt.add(decision.confirmation_id)
            if not hmac.compare_digest(decision.mac, self._mac(decision.choice, decision.binding)):
                raise AuthorityError("AUTH_BAD_DECISION")
            self._check(question, decision.binding, decision.confirmation_id, request, arguments)
            if decision.choice != "approve":
                raise AuthorityError("AUTH_DENIED_USER")
            self._approved[decision.confirmation_id] = question
        return Approval(decision.confirmation_id, request.request_id, question.binding)

    def redeem(self, approval: Approval, request: ToolRequest, arguments: bytes) -> None:
        """Use up an approval, just before the tool starts. arguments: the very bytes that it will be given.

        Raises `AuthorityError`: AUTH_REPLAY, AUTH_EXPIRED, AUTH_BINDING_MISMATCH.
        """
        with self._lock:
            question = self._approved.pop(approval.confirmation_id, None)
            if question is None:
                raise AuthorityError("AUTH_REPLAY")
            self._check(question, approval.binding, approval.confirmation_id, request, arguments)

    def void(self, confirmation_id: str) -> None:
        """Nothing that is open or approved under this id counts any more: the call was cancelled."""
        with self._lock:
            self._burnt.add(confirmation_id)
            self._open.pop(confirmation_id, None)
            self._approved.pop(confirmation_id, None)

    def close(self) -> None:
        """The session is over, and so is everything that was asked or approved in it."""
        with self._lock:
            self._closed = True

    def _check(
        self, question: _Question, echo: bytes, confirmation_id: str, request: ToolRequest, arguments: bytes
    ) -> None:
        """Whether this is still the question that was shown. The binding is computed anew from what would run."""
        if self._closed or self._clock() >= question.deadline:
            raise AuthorityError("AUTH_EXPIRED")
        bound = binding(request, arguments, question.display, confirmation_id)
        for known in (question.binding, echo):
            if not hmac.compare_digest(known, bound):
                raise AuthorityError("AUTH_BINDING_MISMATCH")

    def _is_open(self, confirmation_id: str) -> bool:
        with self._lock:
            question = self._open.get(confirmation_id)
            return question is not None and not self._closed and self._clock() < question.deadline

    def _mac(self, choice: str, bound: bytes) -> bytes:
        return hmac.digest(self._key, choice.encode() + b"\0" + bound, "sha256")

    def __repr__(self) -> str:
        return f"<Confirmations {len(self._open)} open, {len(self._approved)} approved, {len(self._burnt)} burnt>"


def _is_decision(answer: Any) -> bool:
    """Whether what a dialog gave back is an answer at all."""
    return (
        type(answer) is Decision
        and all(type(text) is str for text in (answer.confirmation_id, answer.choice))
        and all(type(data) is bytes for data in (answer.binding, answer.mac))
    )
