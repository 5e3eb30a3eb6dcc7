"""`checkrail calc`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("2^10", "1024"),
        ("0.1+0.2", "0.30000000000000004"),
        ("-2^2", "-4"),
        ("-sqrt(9)", "-3"),
        ("--5", "5"),
        ("-0", "0"),
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
    ],
)
def test_a_value(program: Program, expression: str, answer: str) -> None:
    for arguments in ((expression,), ("--", expression)):
        result = program("calc", *arguments)
        assert (result.exit_code, result.stdout, result.stderr) == (0, answer + "\n", "")


def test_an_error_is_drawn_and_negative(program: Program) -> None:
    result = program("calc", "1 + 5/0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "CALC_DIV_ZERO: Division by zero.",
        "    1 + 5/0",
        "        ^",
        "    Check the divisor.",
    ]


def test_json(program: Program, lines: Lines) -> None:
    result = program("calc", "2*3", "--json")
    assert lines(result.stdout) == [{"schema_version": 1, "expression": "2*3", "ok": True, "value": 6}]
    result = program("calc", "--json", "1/0")
    assert result.exit_code == 1
    (row,) = lines(result.stdout)
    assert row["error"] == {"code": "CALC_DIV_ZERO", "start": 0, "end": 3, "message": "Division by zero."}
    assert not row["ok"]


def test_steps(program: Program, lines: Lines) -> None:
    assert program("calc", "--steps", "2*(3-1)").stdout.splitlines() == ["3-1 = 2", "2*(3-1) = 4", "4"]
    (row,) = lines(program("calc", "2*(3-1)", "--steps", "--json").stdout)
    assert row["steps"] == [{"start": 3, "end": 6, "value": 2.0}, {"start": 0, "end": 7, "value": 4.0}]


def test_exact_forms(program: Program, lines: Lines) -> None:
    exact = "0.1000000000000000055511151231257827021181583404541015625"
    assert program("calc", "0.1", "--digits").stdout == exact + "\n"
    assert program("calc", "-0", "--digits").stdout == "0\n"
    assert program("calc", "1e21", "--digits").stdout == "1000000000000000000000\n"
    assert program("calc", "--fraction", "-0.75").stdout == "-3/4\n"
    assert program("calc", "--fraction", "6").stdout == "6\n"
    (row,) = lines(program("calc", "--fraction", "0.5", "--json").stdout)
    assert (row["value"], row["exact"]) == (0.5, "1/2")
    assert program("calc", "1/0", "--fraction", "--json").exit_code == 1
    assert program("calc", "1", "--digits", "--fraction").exit_code == 2


def test_one_expression_a_line(program: Program, lines: Lines) -> None:
    result = program("calc", "-", stdin="1+1\n2+\r\n\n-3")
    assert result.exit_code == 1
    assert result.stdout == "2\nCALC_SYNTAX\nCALC_EMPTY\n-3\n"
    assert "CALC_SYNTAX" in result.stderr
    result = program("calc", "-", "--json", stdin="1+1\n2*2\n")
    assert result.exit_code == 0
    assert [row["value"] for row in lines(result.stdout)] == [2, 4]


def test_options_may_stand_anywhere(program: Program) -> None:
    for arguments in (["--color", "never", "-1"], ["-1", "--color=never"], ["-q", "-1", "-v"]):
        assert program("calc", *arguments).stdout == "-1\n"


@pytest.mark.parametrize("arguments", [[], ["1", "2"], ["1", "--color"], ["1", "--color", "loud"], ["--nothing", "1"]])
def test_usage(program: Program, arguments: list[str]) -> None:
    assert program("calc", *arguments).exit_code == 2


def test_help(program: Program) -> None:
    assert "correctly rounded" in program("calc", "--help").stdout
