"""`checkrail rule`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from click.testing import Result

from checkrail.errors import CATALOGUE

Program = Callable[..., Result]


def test_one_code(program: Program) -> None:
    result = program("rule", "json_bom")
    assert result.exit_code == 0
    for part in ("JSON_BOM", CATALOGUE["JSON_BOM"].message, CATALOGUE["JSON_BOM"].advice):
        assert part in result.stdout


def test_all_codes(program: Program, lines: Callable[[str], list[dict[str, Any]]]) -> None:
    assert [row["code"] for row in lines(program("rule", "--all", "--json").stdout)] == list(CATALOGUE)


def test_an_unknown_code_gets_a_hint(program: Program) -> None:
    result = program("rule", "TOKENS")
    assert result.exit_code == 2
    assert "BUDGET_TOKENS" in result.stderr
