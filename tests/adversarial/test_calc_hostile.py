"""Attack 48: code, towers of powers and mountains of brackets for the calculator, through the whole of a call."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import toy_tools
from acting import answer, call, session
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.tools import desk

CODE = [
    '__import__("os").system("touch ran")',
    "().__class__.__bases__[0].__subclasses__()",
    "abs.__globals__",
    "open('ran','w')",
    "lambda: 0",
    "1 if 1 else 2",
    "0x10",
    "1_000",
    "9**9**9",
    "١+٢",
]
HEAVY = {
    "a tower": ("9^9^9^9", "CALC_OVERFLOW"),
    "brackets": ("(" * 500 + "1" + ")" * 500, "CALC_DEPTH"),
    "minus signs": ("-" * 1000 + "1", "CALC_DEPTH"),
    "operations": ("1" + "+1" * 500, "CALC_NODES"),
    "a long number": ("1" * 1000, "CALC_NUMBER"),
    "too long": ("1" + "+1" * 100_000, "CALC_TOO_LONG"),
}


def test_code_is_refused_or_an_error_of_the_calculator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = toy_tools.session(tmp_path, tools=[desk.calculate])
    for expression in CODE:
        done = carry(made, Proposal.of_program("calculate", {"expression": expression}))
        assert done.error is not None or done.result is not None
        assert done.error is not None or done.result.result["ok"] is False  # type: ignore[union-attr]
        made.begin_turn()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", HEAVY)
def test_what_is_heavy_ends_at_once(tmp_path: Path, name: str) -> None:
    expression, code = HEAVY[name]
    made = toy_tools.session(tmp_path, tools=[desk.calculate])
    begin = time.process_time()
    done = carry(made, Proposal.of_program("calculate", {"expression": expression}))
    assert time.process_time() - begin < 2
    if done.error is not None:  # longer or deeper than arguments may be
        assert done.error.code in ("TOOL_ARGS_TOO_LARGE", "SEMANTIC_FORMAT")
    else:
        assert done.result is not None
        assert done.result.result["error"]["code"] == code


@pytest.mark.parametrize("expression", CODE)
def test_a_model_under_the_mask_cannot_write_it(tmp_path: Path, expression: str) -> None:
    made = session(tmp_path, [], tools=[desk.calculate])
    assert made.plan.constraint is not None
    written = call("calculate", {"expression": expression}).encode()
    assert made.plan.constraint.matcher().explain(written) is not None


def test_a_sum_is_computed(tmp_path: Path) -> None:
    made = session(
        tmp_path, [call("calculate", {"expression": "2 ^ 10 - sqrt(576)"}), answer("1000")], tools=[desk.calculate]
    )
    (one,) = made.run("Compute it").calls
    assert one.result is not None
    assert one.result.result["value"] == 1000
