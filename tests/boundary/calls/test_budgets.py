"""Budgets: calls and questions."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.calls.budgets import Budgets, SessionLimits
from checkrail.errors import AuthorityError, InputError


def test_calls_of_a_turn_and_of_the_session() -> None:
    budgets = Budgets(SessionLimits(calls_per_turn=2, calls_per_session=3))
    assert [budgets.take_call(), budgets.take_call()] == [1, 2]
    with pytest.raises(AuthorityError, match="BUDGET_CALLS: 2 tool calls were made in this turn"):
        budgets.take_call()
    assert budgets.begin_turn() == 1
    assert budgets.take_call() == 3
    budgets.begin_turn()
    with pytest.raises(AuthorityError, match="BUDGET_CALLS: 3 tool calls were made in this session"):
        budgets.take_call()
    assert budgets.calls == 3


def test_questions_of_a_turn() -> None:
    budgets = Budgets(SessionLimits(confirmations_per_turn=1))
    budgets.take_confirmation()
    with pytest.raises(AuthorityError, match="BUDGET_CONFIRMATIONS: 1"):
        budgets.take_confirmation()
    budgets.begin_turn()
    budgets.take_confirmation()


def test_defaults() -> None:
    limits = SessionLimits()
    assert (limits.calls_per_turn, limits.calls_per_session) == (8, 256)
    assert (limits.confirmations_per_turn, limits.request_ms) == (3, 120_000)


@pytest.mark.parametrize(
    ("name", "most"),
    [("calls_per_turn", 64), ("calls_per_session", 4096), ("confirmations_per_turn", 16), ("request_ms", 600_000)],
)
def test_hard_maxima(name: str, most: int) -> None:
    assert getattr(SessionLimits(**{name: most}), name) == most
    bad: list[Any] = [most + 1, 0, -1, True, 1.0, None]
    for value in bad:
        with pytest.raises(InputError, match=f"SessionLimits.{name}"):
            SessionLimits(**{name: value})


def test_calls_left_in_a_turn_and_in_the_session() -> None:
    budgets = Budgets(SessionLimits(calls_per_turn=2, calls_per_session=3))
    left = [budgets.calls_left]
    for _ in range(2):
        budgets.take_call()
        left.append(budgets.calls_left)
    budgets.begin_turn()
    left.append(budgets.calls_left)
    budgets.take_call()
    assert [*left, budgets.calls_left] == [2, 1, 0, 1, 0]
