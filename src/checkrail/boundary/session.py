"""`Session`: which tools there are, who may be asked, how much may happen. Frozen when it begins.

    session = Session([calc, append_note], composition=composition, confirm=TerminalConfirmer(),
                      lockfile="tools.lock", roots={"notes": folder})

You need one for each conversation. What it fixes cannot be changed: no tool can be added, no manifest exchanged, no
taint cleared. Lowering the level of authority is free; raising it asks the person. Tools, templates and models hold no
reference to it. It is not stored: what was asked or approved ends with it.

`calls` carries a call through it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from ..errors import AuthorityError, Error, InputError, ToolError
from .authority import Authority, OnTaint, Verdict, decide
from .calls.budgets import Budgets, SessionLimits
from .calls.composition import Composition
from .calls.envelopes import Standing, ToolRef
from .confirm import Confirmations, Confirmer
from .confirmation.confirmers import DenyAll
from .evidence.types import Id
from .taint import MOST_NAMED, Taint
from .tools.lockfile import read_lock
from .tools.manifest import Manifest
from .tools.registration import check_source, register
from .tools.tool import RegisteredTool, Tool

__all__ = ["HiddenText", "Pinned", "Session"]

HiddenText: TypeAlias = Literal["refuse", "show"]


@dataclass(frozen=True, slots=True)
class Pinned:
    """A tool as it was when the session began."""

    tool: Tool
    registered: RegisteredTool
    ref: ToolRef

    def check(self) -> None:
        """Raises `AuthorityError` AUTH_MANIFEST_DRIFT if the tool is another now: its manifest, or its file."""
        manifest = self.tool.manifest
        try:
            now = Manifest.from_json(manifest.to_json()).sha256  # hashed anew: the schemas are dicts
        except Error:
            now = ""
        if now != self.ref.manifest_sha256:
            raise AuthorityError("AUTH_MANIFEST_DRIFT", name=self.ref.name)
        check_source(self.tool)


class Session:
    """One conversation's tools, and all that decides about them.

    tools: with different names. composition: what the calls come from, or a function that says what it is now. confirm:
    who is asked; nobody by default. lockfile: what was agreed to; a tool that is not in it, or differs, is refused.
    roots: folders by their ids. hidden: what becomes of a `write` whose arguments have characters that cannot be seen.
    unix_ms, monotonic_ms: clocks.

    Raises `ToolError` for a tool that cannot be registered, `AuthorityError` AUTH_MANIFEST_DRIFT.
    """

    __slots__ = (
        *("_authority", "_closed", "_composition", "_consumed", "_lock", "_sealed"),
        *("budgets", "confirmations", "confirmer", "hidden", "id", "limits", "monotonic_ms", "on_taint", "taint"),
        *("tools", "turnstile", "unix_ms"),
    )

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        composition: Composition | Callable[[], Composition],
        authority: Authority = Authority.AUTO_PURE,
        confirm: Confirmer | None = None,
        lockfile: str | os.PathLike[str] | None = None,
        roots: Mapping[str, str | os.PathLike[str]] | None = None,
        on_taint: OnTaint | None = None,
        limits: SessionLimits | None = None,
        hidden: HiddenText = "refuse",
        unix_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        monotonic_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        if hidden not in ("refuse", "show"):
            raise InputError("INPUT_FORMAT", name="hidden", what='must be "refuse" or "show"')
        self.id = str(Id.new("ts"))
        self.tools: Mapping[str, Pinned] = MappingProxyType(_pinned(tools, roots or {}))
        self.confirmer: Confirmer = DenyAll() if confirm is None else confirm
        self.on_taint = on_taint or OnTaint()
        self.limits = limits or SessionLimits()
        self.hidden: HiddenText = hidden
        self.unix_ms = unix_ms
        self.monotonic_ms = monotonic_ms
        self.budgets = Budgets(self.limits)
        self.taint = Taint()
        self.confirmations = Confirmations(monotonic_ms)
        self._composition = composition if callable(composition) else lambda: composition
        self._authority = authority
        self._consumed: set[str] = set()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self.turnstile = threading.RLock()  # calls go through one after another
        if lockfile is not None:
            self._compare(lockfile)
        self._sealed = True

    def __setattr__(self, name: str, value: object) -> None:
        if getattr(self, "_sealed", False):
            raise AttributeError(f"a session is frozen; {name} cannot be set")
        object.__setattr__(self, name, value)

    @property
    def authority(self) -> Authority:
        """The level in force."""
        return self._authority

    @property
    def composition(self) -> Composition:
        """What calls come from, now."""
        return self._composition()

    @property
    def standing(self) -> Standing:
        """How authority stands, for an envelope."""
        sources = self.taint.sources
        more = max(0, len(sources) - MOST_NAMED)
        return Standing(self._authority.value, self.taint.is_set, sources[:MOST_NAMED], more)

    def verdict(self, pinned: Pinned) -> Verdict:
        """What becomes of a call of this tool, as things stand."""
        if self.is_closed:
            return Verdict.DENY
        manifest = pinned.tool.manifest
        return decide(
            self._authority,
            manifest.capability,
            manifest.sensitivity,
            tainted=self.taint.is_set,
            on_taint=self.on_taint,
        )

    def lower_authority(self, level: Authority) -> None:
        """Allow less from now on. Raises `AuthorityError` AUTH_LEVEL if it would be more."""
        with self._lock:
            if level.rank > self._authority.rank:
                raise AuthorityError("AUTH_LEVEL", level=level.value)
            object.__setattr__(self, "_authority", level)

    def raise_authority(self, level: Authority, gesture: Callable[[Authority, Authority], bool]) -> None:
        """Allow more, if the person says so now. gesture: asks the person, from one level to another; only True is yes.

        Raises `AuthorityError` AUTH_LEVEL; also where the level was lowered while the person was asked.
        """
        before = self._authority
        if level.rank > before.rank and gesture(before, level) is not True:
            raise AuthorityError("AUTH_LEVEL", level=level.value)
        with self._lock:
            if level.rank > self._authority.rank and self._authority is not before:
                raise AuthorityError("AUTH_LEVEL", level=level.value)  # it was not this step that was agreed to
            object.__setattr__(self, "_authority", level)

    def consume(self, request_id: str) -> None:
        """A request is about to run, for the first and only time. Raises `AuthorityError` AUTH_REPLAY."""
        with self._lock:
            if request_id in self._consumed:
                raise AuthorityError("AUTH_REPLAY")
            self._consumed.add(request_id)

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return self._closed.is_set()

    def begin_turn(self) -> int:
        """The user said something. Returns the number of the turn."""
        return self.budgets.begin_turn()

    def close(self) -> None:
        """The end: nothing that was asked or approved counts any more, and nothing new is."""
        self._closed.set()
        self.confirmations.close()

    def _compare(self, lockfile: str | os.PathLike[str]) -> None:
        locked = read_lock(lockfile)
        for name, pinned in self.tools.items():
            if name not in locked or locked[name].sha256 != pinned.ref.manifest_sha256:
                raise AuthorityError("AUTH_MANIFEST_DRIFT", name=name)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        taint = ", tainted" if self.taint.is_set else ""
        return f"<Session {self.id}: {len(self.tools)} tools, {self._authority.value}{taint}>"


def _pinned(tools: Iterable[Tool], roots: Mapping[str, str | os.PathLike[str]]) -> dict[str, Pinned]:
    found: dict[str, Pinned] = {}
    for tool in tools:
        manifest = tool.manifest
        if tool.name in found:
            raise ToolError("TOOL_MANIFEST", name=tool.name, pointer="/name", what="two tools have this name")
        ref = ToolRef(tool.name, manifest.version, manifest.sha256, manifest.input_schema_sha256)
        found[tool.name] = Pinned(tool, register(tool, roots), ref)
    return found
