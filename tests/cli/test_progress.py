"""The line that shows life."""

from __future__ import annotations

import io
import sys

import pytest

from checkrail.cli.progress import Progress
from checkrail.cli.talk import Talk


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("checkrail.cli.progress.time.monotonic", lambda: self.now)


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, talk: Talk) -> str:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(talk) as progress:
        for second in range(61):
            clock.now = second
            progress.show(f"{second} rows")
    return stream.getvalue()


def test_a_terminal_is_redrawn_in_place_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal(), Talk())
    assert "\n" not in text
    assert text.count("\r") == 60 + 2
    assert text.endswith("\r" + " " * len("60 rows") + "\r")


def test_a_log_gets_a_line_every_thirty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), Talk()) == "30 rows\n60 rows\n"


@pytest.mark.parametrize("talk", [Talk(quiet=True), Talk(progress=False)])
def test_silence_on_request(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    assert shown(monkeypatch, Terminal(), talk) == ""
    assert shown(monkeypatch, io.StringIO(), talk) == ""
