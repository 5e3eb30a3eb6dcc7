"""Levels: computed from parts, compared, written and read."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from checkrail.boundary.worker.isolation import LEVELS, Isolation, is_enough

WHOLE = Isolation(7, syscall_filter=True, netns=True, pidns=True, rlimits=True, sweeps=True)


def every() -> list[Isolation]:
    flags = itertools.product((False, True), repeat=5)
    return [Isolation(abi, *rest) for rest in flags for abi in (None, 1, 2, 3, 7)]


def test_sandbox_needs_all_that_it_claims() -> None:
    for isolation in every():
        needs = (isolation.landlock_abi or 0) >= 3, isolation.syscall_filter, isolation.rlimits, isolation.sweeps
        assert (isolation.level == "sandbox") is all(needs)
        assert is_enough(isolation.level, "process")
        assert is_enough(isolation.level, "process+limits") is isolation.rlimits


def test_levels_are_ordered() -> None:
    for low, high in itertools.combinations(LEVELS, 2):
        assert is_enough(high, low)
        assert not is_enough(low, high)


def test_there_and_back() -> None:
    for isolation in every():
        assert Isolation.from_json(isolation.to_json()) == isolation


@pytest.mark.parametrize(
    "change", [{"landlock_abi": "7"}, {"landlock_abi": True}, {"rlimits": 1}, {"rlimits": None}, {"more": True}]
)
def test_other_data_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not the parts"):
        Isolation.from_json({**WHOLE.to_json(), **change})
    with pytest.raises(ValueError, match="not the parts"):
        Isolation.from_json({"level": "sandbox"})


def test_repr() -> None:
    assert repr(Isolation()) == "<Isolation process: nothing more>"
    assert repr(WHOLE) == "<Isolation sandbox: landlock 7, syscall_filter, netns, pidns, rlimits, sweeps>"
