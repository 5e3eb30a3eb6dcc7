"""Where files are kept: the variables and their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkrail.cache_folder import CACHE_VARIABLE, cache_folder


@pytest.mark.parametrize(
    ("named", "base", "expected"),
    [
        ("/a/b", "/x", "/a/b"),
        ("", "/x", "/x/checkrail"),
        ("", "relative", "/home/me/.cache/checkrail"),
        ("", "", "/home/me/.cache/checkrail"),
    ],
)
def test_the_folder(named: str, base: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, named)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert cache_folder() == Path(expected)
