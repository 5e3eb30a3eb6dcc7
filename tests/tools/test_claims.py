"""The page of claims prints a promise only while its gates are green."""

from __future__ import annotations

from pathlib import Path

import pytest

import claims

RESULTS = """<?xml version="1.0"?>
<testsuites><testsuite timestamp="2026-11-30T07:00:00" tests="9">
<testcase classname="tests.a.test_one" name="test_x[1]"/>
<testcase classname="tests.a.test_one" name="test_x[a.b::c]"/>
<testcase classname="tests.a.test_one" name="test_xy"><failure message="no">...</failure></testcase>
<testcase classname="tests.a.test_two" name="test_z"><skipped message="no data"/></testcase>
<testcase classname="tests.a.test_two" name="test_zz"/>
<testcase classname="tests.b.test_three" name="test_q"><skipped message="no data"/></testcase>
<testcase classname="tests.ab.test_four" name="test_r"><error message="broken">...</error></testcase>
</testsuite></testsuites>
"""
GREEN = claims.Claim("green", "construction", "It holds.", ("tests/a/test_one.py::test_x", "tests/a/test_two.py"))
NOT = claims.Claim("not", "none", "It thinks.")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.xml"
    path.write_text(RESULTS, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("gate", "objection"),
    [
        ("tests/a/test_one.py::test_x", None),
        ("tests/a/test_one.py::test_xy", "1 failed"),
        ("tests/a/test_one.py", "1 failed"),
        ("tests/a/test_two.py", None),
        ("tests/a/test_two.py::test_z", "skipped"),
        ("tests/b", "skipped"),
        ("tests/a", "1 failed"),
        ("tests/ab", "1 failed"),
        ("tests/none.py", "not run"),
        ("tests/a/test_one.py::test_", "not run"),
    ],
)
def test_a_gate_is_green_where_something_passed_and_nothing_failed(
    results: Path, gate: str, objection: str | None
) -> None:
    run = claims.read_run(results)
    claim = claims.Claim("c", "check", "It holds.", (gate,))
    assert list(run.objections(claim)) == ([] if objection is None else [f"{gate}: {objection}"])


def test_the_page(results: Path) -> None:
    red = claims.Claim("red", "check", "It never fails.", ("tests/a/test_one.py", "tests/c.py"))
    fast = claims.Claim("fast", "measured", "It is fast.", ("tests/a/test_two.py::test_zz",), "explanation/speed.md")
    page = claims.page([GREEN, red, fast, NOT], claims.read_run(results))
    assert "The last run: 7 tests on 2026-11-30." in page
    green = "`a/test_one.py::test_x`: 2 passed<br>`a/test_two.py`: 1 passed, 1 skipped"
    assert f"| `green` | It holds. | {green} |\n" in page
    assert (
        "| `fast` | It is fast. | `a/test_two.py::test_zz`: 1 passed<br>[the report](../explanation/speed.md) |" in page
    )
    assert "| `not` | It thinks. | nothing |" in page
    assert "It never fails" not in page
    assert page.endswith("- `red`: tests/a/test_one.py: 1 failed; tests/c.py: not run\n")


def test_gates_are_named_once() -> None:
    others = [
        claims.Claim("a", "check", "A.", ("tests/x.py::test_a", "tests/y.py::test_b", "tests/z.py")),
        claims.Claim("b", "check", "B.", ("tests/x.py", "tests/y.py::test_b")),
    ]
    assert claims.gates([*others, NOT]) == ["tests/y.py::test_b", "tests/z.py", "tests/x.py"]


def test_the_command(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = [GREEN, NOT]
    monkeypatch.setattr(claims, "PAGE", tmp_path / "claims.md")
    monkeypatch.setattr(claims, "read_claims", lambda: table)
    assert claims.main([str(results)]) == 0
    assert "| `green` |" in (tmp_path / "claims.md").read_text("utf-8")
    table.append(claims.Claim("red", "check", "It never fails.", ("tests/c.py",)))
    assert claims.main([str(results)]) == 1
    assert "red: tests/c.py: not run" in capsys.readouterr().err
    assert claims.main(["--gates"]) == 0
    assert "tests/c.py" in capsys.readouterr().out
    assert claims.main([]) == 2
    assert claims.main(["--write"]) == 2


def test_the_table_is_read() -> None:
    found = claims.read_claims()
    assert len(found) > 10
    assert all(claim.text == claims.one_line(claim.text) for claim in found)
