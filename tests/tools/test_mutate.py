"""The mutator: which changes it makes, and that it tells what the tests do not notice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mutate

TOOL = Path(mutate.__file__)


def changes(source: str) -> list[str]:
    return [f"{mutant.before} -> {mutant.after}" for mutant in mutate.mutants(source)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x < y", ["return x < y -> return None", "x < y -> x <= y", "x < y -> x >= y"]),
        ("return x is y", ["return x is y -> return None", "x is y -> x is not y"]),
        ("return x and y", ["return x and y -> return None", "x and y -> x or y"]),
        ("return x + y", ["return x + y -> return None", "x + y -> x - y"]),
        ("return not x", ["return not x -> return None", "not x -> x"]),
        ("return -x", ["return -x -> return None", "-x -> x"]),
        ("x += y", ["x += y -> x -= y", "x += y -> pass"]),
        ("return None", []),
        ("return", []),
        ("return True", ["return True -> return None", "True -> False"]),
        ("return 2.5", ["return 2.5 -> return None", "2.5 -> 3.5"]),
        ("return 'text'", ["return 'text' -> return None"]),
        ("return x if y else y", ["return x if y else y -> return None", "x if y else y -> x if not y else y"]),
        ("while x: pass", ["while x: pass -> while not x: pass"]),
        ("raise x", ["raise x -> pass"]),
        ("x()", ["x() -> pass"]),
        ("assert x < y", []),
        ("'a docstring'", []),
        ("z: Literal[1] = x", ["z: Literal[1] = x -> pass"]),
    ],
)
def test_changes_within_a_function(body: str, expected: list[str]) -> None:
    found = changes(f"def f(x: Literal[5], y=None) -> Literal[6]:\n    {body}")
    assert [" ".join(change.split()) for change in found] == expected


def test_outside_of_functions_only_numbers_change() -> None:
    source = (
        "import a\n__all__ = [1]\nLIMIT = 5 * 2\nif TYPE_CHECKING:\n    x = 1\n@wrap(3)\nclass A:\n    b: int = 7\n"
    )
    assert changes(source) == ["5 -> 6", "2 -> 3", "7 -> 8"]


def test_each_mutant_is_the_module_with_one_change() -> None:
    source = "def f(x):\n    y = x > 1\n    return y\nLIMIT = 3"
    assert [(mutant.line, mutant.source) for mutant in mutate.mutants(source)] == [
        (2, source.replace("y = x > 1", "pass")),
        (2, source.replace("x > 1", "x >= 1")),
        (2, source.replace("x > 1", "x <= 1")),
        (2, source.replace("x > 1", "x > 2")),
        (3, source.replace("return y", "return None")),
        (4, source.replace("3", "4")),
    ]


def run(folder: Path, source: str, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "sizes.py").write_text(source)
    (folder / "test_sizes.py").write_text(f"import sizes\n\n\ndef test_sizes():\n    assert {test}\n")
    command = [sys.executable, str(TOOL), "sizes.py", "--root", ".", "--tests", "test_sizes.py", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_survivors_are_listed(tmp_path: Path) -> None:
    done = run(tmp_path, "def is_big(x):\n    return x > 10\n", "sizes.is_big(12) and not sizes.is_big(1)")
    assert done.stdout.splitlines() == [
        "sizes.py:2: x > 10  ->  x >= 10",
        "sizes.py:2: 10  ->  11",
        "sizes.py: 2 of 4 mutants noticed",
        "2 of 4 mutants noticed: 50.0 %",
    ]
    assert done.returncode == 1, done.stderr


def test_an_endless_mutant_is_noticed(tmp_path: Path) -> None:
    source = "def up(x):\n    while x < 1:\n        x += 1\n"
    done = run(tmp_path, source, "sizes.up(0) is None", "--seconds", "2", "--goal", "28")
    assert "x += 1  ->  pass" not in done.stdout
    assert "x < 1  ->  x <= 1" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


def test_tests_that_fail_by_themselves_are_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "x = 1\n", "False")
    assert done.returncode == 2
    assert "test_sizes" in done.stderr
