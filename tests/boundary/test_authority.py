"""The table of authority, whole."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest

from checkrail.boundary.authority import Authority, OnTaint, Verdict, decide
from checkrail.boundary.calls.envelope_schemas import REQUEST
from checkrail.errors import InputError

KINDS = [
    ("pure", "public"),
    ("pure", "private"),
    ("read", "public"),
    ("read", "private"),
    ("write", "public"),
    ("write", "private"),
]
# rows: level; columns: pure, read public, read private, write; by hand from the design
CLEAN = {
    Authority.OFF: ("deny", "deny", "deny", "deny"),
    Authority.PROPOSE: ("show", "show", "show", "show"),
    Authority.ASK_ALL: ("ask", "ask", "ask", "ask"),
    Authority.AUTO_PURE: ("run", "ask", "ask", "ask"),
    Authority.AUTO_READ: ("run", "run", "run", "ask"),
}
TAINTED = CLEAN | {Authority.AUTO_READ: ("run", "run", "ask", "ask")}


def column(capability: str, sensitivity: str) -> int:
    """Where a kind of tool stands in the rows."""
    return {"pure": 0, "write": 3}.get(capability, 1 if sensitivity == "public" else 2)


@pytest.mark.parametrize(("level", "kind", "tainted"), list(itertools.product(Authority, KINDS, [False, True])))
def test_the_table(level: Authority, kind: Any, tainted: bool) -> None:
    wanted = (TAINTED if tainted else CLEAN)[level][column(*kind)]
    assert decide(level, *kind, tainted=tainted, on_taint=OnTaint()).value == wanted


@pytest.mark.parametrize(("level", "kind"), list(itertools.product(Authority, KINDS)))
def test_deny_when_tainted(level: Authority, kind: Any) -> None:
    everything = OnTaint(read_private="deny", write="deny")
    wanted = TAINTED[level][column(*kind)]
    if level not in (Authority.OFF, Authority.PROPOSE) and column(*kind) >= 2:
        wanted = "deny"
    assert decide(level, *kind, tainted=True, on_taint=everything).value == wanted
    assert decide(level, *kind, tainted=False, on_taint=everything).value == CLEAN[level][column(*kind)]


def test_each_policy_is_for_its_own_kind() -> None:
    reads, writes = OnTaint(read_private="deny"), OnTaint(write="deny")
    for level in (Authority.ASK_ALL, Authority.AUTO_PURE, Authority.AUTO_READ):
        assert decide(level, "write", "private", tainted=True, on_taint=reads) is Verdict.ASK
        assert decide(level, "read", "private", tainted=True, on_taint=writes) is Verdict.ASK


def test_nothing_runs_a_write() -> None:
    policies = [OnTaint(*words) for words in itertools.product(("ask", "deny"), repeat=2)]  # type: ignore[arg-type]
    for level, sensitivity, tainted, policy in itertools.product(
        Authority, ("public", "private"), (False, True), policies
    ):
        verdict = decide(level, "write", sensitivity, tainted=tainted, on_taint=policy)  # type: ignore[arg-type]
        assert verdict is not Verdict.RUN


def test_a_higher_level_never_allows_less() -> None:
    order = [Verdict.DENY, Verdict.SHOW, Verdict.ASK, Verdict.RUN]
    for kind, tainted in itertools.product(KINDS, (False, True)):
        verdicts = [decide(level, *kind, tainted=tainted, on_taint=OnTaint()) for level in Authority]  # type: ignore[arg-type]
        assert [order.index(verdict) for verdict in verdicts] == sorted(order.index(verdict) for verdict in verdicts)


def test_taint_never_allows_more() -> None:
    order = [Verdict.DENY, Verdict.SHOW, Verdict.ASK, Verdict.RUN]
    for level, kind in itertools.product(Authority, KINDS):
        clean, tainted = (decide(level, *kind, tainted=t, on_taint=OnTaint()) for t in (False, True))  # type: ignore[arg-type]
        assert order.index(tainted) <= order.index(clean)


@pytest.mark.parametrize("name", ["read_private", "write"])
@pytest.mark.parametrize("word", ["run", "show", "", None, True])
def test_run_is_no_policy(name: str, word: Any) -> None:
    with pytest.raises(InputError, match=f'OnTaint.{name}: must be "ask" or "deny"\\.'):
        OnTaint(**{name: word})


def test_levels_are_in_order() -> None:
    assert [level.rank for level in Authority] == [0, 1, 2, 3, 4]
    assert Authority.OFF.rank < Authority.PROPOSE.rank < Authority.ASK_ALL.rank < Authority.AUTO_PURE.rank


def test_words_of_the_levels_are_those_of_the_envelope() -> None:
    assert [level.value for level in Authority] == REQUEST.schema["properties"]["authority"]["properties"]["level"][
        "enum"
    ]
    assert [level.value for level in Authority] == ["off", "propose", "ask_all", "auto_pure", "auto_read"]


def test_a_policy_is_frozen() -> None:
    policy: Any = OnTaint(write="deny")
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.write = "ask"
