"""The hot-loop check finds Python arithmetic, and only between the markers."""

from __future__ import annotations

from pathlib import Path

import pytest

import check_hot_loop

pytest.importorskip("Cython")

KERNEL = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import cython

def total(xs: cython.uint[::1]):
    i: cython.Py_ssize_t
    {declaration}
    # hot loop begins
    for i in range(10):
        y = xs[i] + 1
        xs[i] = y
    # hot loop ends
    return [xs[0]]
"""
DIRECTIVES = {"boundscheck": False, "wraparound": False}


def write(folder: Path, declaration: str, name: str = "kernel.py") -> Path:
    path = folder / name
    path.write_text(KERNEL.format(declaration=declaration), encoding="utf-8")
    return path


def test_typed_loop_is_clean(tmp_path: Path) -> None:
    assert list(check_hot_loop.slow_lines(write(tmp_path, "y: cython.uint"), DIRECTIVES)) == []


def test_untyped_local_is_found(tmp_path: Path) -> None:
    found = list(check_hot_loop.slow_lines(write(tmp_path, "y: object"), DIRECTIVES))
    assert [line.strip() for _, _, line in found] == ["y = xs[i] + 1", "xs[i] = y"]
    assert all(score > 0 for _, score, _ in found)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("x = 1\n", "no line is marked"),
        ("# hot loop begins\nx = 1\n", "does not end"),
        ("# hot loop ends\n", "did not begin"),
        ("# hot loop begins\n# hot loop begins\n", "inside another"),
    ],
)
def test_missing_markers_are_an_error(source: str, what: str) -> None:
    with pytest.raises(check_hot_loop.HotLoopError, match=what):
        check_hot_loop.marked_lines(source)


def test_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_hot_loop.main([str(write(tmp_path, "y: cython.uint"))]) == 0
    assert check_hot_loop.main([str(write(tmp_path, "y: object"))]) == 1
    assert "calls the interpreter" in capsys.readouterr().err


def test_every_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [write(tmp_path, "y: object", "first.py"), write(tmp_path, "y: cython.uint", "second.py")]
    assert check_hot_loop.main([str(path) for path in files]) == 1
    assert check_hot_loop.main([str(path) for path in reversed(files)]) == 1
    told = capsys.readouterr().err
    assert "first.py" in told
    assert "second.py" not in told
