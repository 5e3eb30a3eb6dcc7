"""The table of JSON readers is current, and the cells say what they should."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("orjson", reason="the table compares orjson")
pytest.importorskip("msgspec", reason="the table compares msgspec")

import compare_json_readers as tool


def test_the_page_is_current_for_the_versions_that_it_names() -> None:
    page = tool.PAGE.read_text("utf-8")
    if tool.made_with() not in page:
        pytest.skip("other versions are installed than those of the page")
    assert tool.run(["--check"]) == 0


def test_the_page_says_what_the_strict_reader_does_today() -> None:
    page = tool.PAGE.read_text("utf-8")
    for name, data in tool.CASES.items():
        code, value = tool.strict(data)
        row = re.search(rf"^\| {re.escape(name)} \| ([^|]+) \|", page, re.MULTILINE)
        if row is None:
            assert name in page, "neither in the table nor among the cases in which all agree"
        else:
            assert row[1] == (f"`{code}`" if code else tool.spelled(value))


@pytest.mark.parametrize(
    ("data", "result", "expected"),
    [
        (b"[1]", [1], "as strict"),
        (b"[1]", [1.0], "`[1.0]`"),
        (b"[-0.0]", [0.0], "`[0.0]`"),
        (b"[1]", ValueError(), "refused"),
        (b"[1,]", ValueError(), "as strict"),
        (b"[1,]", RecursionError(), "as strict"),
        (b"[1,]", ["x" * 99], "`['" + "x" * 31 + "…`"),
    ],
)
def test_cells(data: bytes, result: Any, expected: str) -> None:
    def read(_: bytes) -> Any:
        if isinstance(result, Exception):
            raise result
        return result

    assert tool.compared(read, data) == expected


def test_a_page_that_is_not_current_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: Any) -> None:
    monkeypatch.setattr(tool, "PAGE", tmp_path / "page.md")
    assert tool.run(["--check"]) == 1
    assert "not current" in capsys.readouterr().err
    assert tool.run([]) == 0
    assert tool.run(["--check"]) == 0
