"""A person at a terminal, played through a pseudo-terminal: what is shown, and what counts as yes."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import select
import struct
import termios
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.confirm import Confirmations, Decision
from checkrail.boundary.confirmation.terminal_confirmer import TerminalConfirmer
from checkrail.boundary.confirmation.view import ConfirmationView

QUESTION = b'Type "yes" and Enter'
GO_ON = b"-- Enter shows the rest"
PATIENCE = 10.0


def now() -> int:
    return time.monotonic_ns() // 1_000_000


class Terminal:
    """Both ends of a pseudo-terminal. The person reads and types at one, the confirmer works at the other."""

    def __init__(self, rows: int = 24, columns: int = 80) -> None:
        self.person, self.device = pty.openpty()
        fcntl.ioctl(self.device, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.input = open(os.dup(self.device), encoding="utf-8")  # noqa: SIM115
        self.output = open(os.dup(self.device), "w", encoding="utf-8")  # noqa: SIM115
        self.seen = b""
        self.answer: Any = "not yet"
        self.ledger = Confirmations(now)
        self.thread: threading.Thread | None = None

    def ask(self, view: ConfirmationView | None = None, milliseconds: int = 5_000) -> None:
        """Put the question in a thread."""
        self.question, sign = toy_tools.ask(self.ledger, milliseconds, view)
        confirmer = TerminalConfirmer(self.input, self.output, styled=False)
        assert confirmer.is_available

        def run() -> None:
            self.answer = confirmer.confirm(self.question, sign)

        self.thread = threading.Thread(target=run)
        self.thread.start()

    def until(self, *texts: bytes) -> bytes:
        """Read until one of the texts stands on the screen that was not there before; which it was."""
        begin, end = len(self.seen), time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([self.person], [], [], 0.1)[0]:
                self.seen += os.read(self.person, 65_536)
            for text in texts:
                if text in self.seen[begin:]:
                    return text
        raise AssertionError(self.seen)

    def type(self, text: bytes) -> None:
        """Type."""
        os.write(self.person, text)

    def choice(self) -> str | None:
        """What came of it. Reads on meanwhile, so that the other side can write."""
        assert self.thread is not None
        end = time.monotonic() + PATIENCE
        while self.thread.is_alive() and time.monotonic() < end:
            if select.select([self.person], [], [], 0.02)[0]:
                self.seen += os.read(self.person, 65_536)
        assert not self.thread.is_alive()
        return self.answer.choice if isinstance(self.answer, Decision) else self.answer

    def close(self) -> None:
        self.input.close()
        self.output.close()
        os.close(self.device)
        if self.thread is not None:
            self.thread.join(PATIENCE)
        os.close(self.person)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


def test_yes(terminal: Terminal) -> None:
    terminal.ask()
    terminal.until(QUESTION)
    terminal.type(b"yes\n")
    assert terminal.choice() == "approve"
    screen = terminal.seen.decode()
    for line in ("= notes.append 1.0.0 asks to change something", "| Append: Adds a line.", "| buy milk"):
        assert line in screen


@pytest.mark.parametrize(
    "typed",
    [
        b"y\n",
        b"Yes\n",
        b"YES\n",
        b" yes\n",
        b"yes \n",
        b"\n",
        b"no\n",
        b"yes\x04",
        b"\x04",
        b"yess\n",
        b"ye\n",
        b"1\n",
        b"true\n",
    ],
)
def test_anything_else_is_no(terminal: Terminal, typed: bytes) -> None:
    terminal.ask()
    terminal.until(QUESTION)
    terminal.type(typed)
    assert terminal.choice() == "deny"


def test_what_was_typed_ahead_is_no_answer(terminal: Terminal) -> None:
    terminal.type(b"yes\n\nyes\nyes\n")
    terminal.ask(milliseconds=600)
    terminal.until(QUESTION)
    assert terminal.choice() is None


def test_what_was_typed_ahead_is_forgotten_before_the_real_answer(terminal: Terminal) -> None:
    terminal.type(b"no\nyes\n")
    terminal.ask()
    terminal.until(QUESTION)
    terminal.type(b"yes\n")
    assert terminal.choice() == "approve"


def test_what_is_typed_behind_the_answer_is_not_left_for_the_next_reader(terminal: Terminal) -> None:
    terminal.ask()
    terminal.until(QUESTION)
    terminal.type(b"yes\nrm -r /\n")
    assert terminal.choice() == "approve"
    os.set_blocking(terminal.device, False)
    with pytest.raises(BlockingIOError):
        os.read(terminal.device, 100)


LONG = toy_tools.view(text="\n".join(f"line {number}" for number in range(100)))


def test_the_question_comes_after_the_last_row(terminal: Terminal) -> None:
    terminal.ask(LONG)
    pages = 0
    while terminal.until(GO_ON, QUESTION) == GO_ON:
        assert b"line 99" not in terminal.seen
        pages += 1
        terminal.type(b"\n")
    assert pages == 4
    assert b"line 99" in terminal.seen
    terminal.type(b"yes\n")
    assert terminal.choice() == "approve"


def test_yes_before_the_last_row_is_no(terminal: Terminal) -> None:
    terminal.ask(LONG)
    terminal.until(GO_ON)
    terminal.type(b"yes\n")
    assert terminal.choice() == "deny"
    assert b"line 99" not in terminal.seen


def test_enters_that_were_typed_ahead_turn_no_pages(terminal: Terminal) -> None:
    terminal.type(b"\n" * 50)
    terminal.ask(LONG, milliseconds=600)
    terminal.until(GO_ON)
    assert terminal.choice() is None
    assert b"line 40" not in terminal.seen


def test_silence_is_no(terminal: Terminal) -> None:
    terminal.ask(milliseconds=300)
    terminal.until(QUESTION)
    assert terminal.choice() is None


def test_a_question_that_is_void_closes(terminal: Terminal) -> None:
    terminal.ask()
    terminal.until(QUESTION)
    terminal.ledger.void(terminal.question.confirmation_id)
    assert terminal.choice() is None


def test_a_terminal_that_gives_single_keys_is_set_to_lines_and_back(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.device)
    raw = list(before)
    raw[0] &= ~termios.ICRNL
    raw[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(terminal.device, termios.TCSANOW, raw)
    terminal.ask()
    terminal.until(QUESTION)
    terminal.type(b"yes\r")
    assert terminal.choice() == "approve"
    after = termios.tcgetattr(terminal.device)
    assert (after[0], after[3]) == (raw[0], raw[3])


def test_what_acts_on_a_screen_is_shown(terminal: Terminal) -> None:
    hostile = "a\x1b[2J\x1b]52;c;eA==\x07\rb\u202egpj\u2066 раypal\n= notes.append 1.0.0 asks to compute"
    terminal.ask(toy_tools.view(text=hostile))
    terminal.until(QUESTION)
    screen = terminal.seen.decode()
    assert not set(screen) & {"\x1b", "\x07", "\u202e", "\u2066"}
    for shown in ("a\\u{1B}[2J\\u{1B}]52;c;eA==\\u{7}\\u{D}b\\u{202E}gpj\\u{2066}", "! mixes CYRILLIC and LATIN"):
        assert shown in screen
    assert "| = notes.append 1.0.0 asks to compute" in screen
    assert screen.count("\n= notes.append") == 1
    terminal.type(b"no\n")
    assert terminal.choice() == "deny"


@pytest.mark.parametrize("size", [(1, 1), (4, 20), (0, 0), (500, 500)])
def test_any_size(size: tuple[int, int]) -> None:
    terminal = Terminal(*size)
    try:
        terminal.ask(LONG)
        while terminal.until(GO_ON, QUESTION) == GO_ON:
            terminal.type(b"\n")
        assert b"line 99" in terminal.seen
        terminal.type(b"yes\n")
        assert terminal.choice() == "approve"
    finally:
        terminal.close()


def test_no_terminal_is_nobody(terminal: Terminal) -> None:
    closed = io.StringIO()
    closed.close()
    for ends in ((io.StringIO("yes\n"), terminal.output), (terminal.input, io.StringIO()), (closed, terminal.output)):
        confirmer = TerminalConfirmer(*ends)
        assert not confirmer.is_available
        assert repr(confirmer) == "<TerminalConfirmer without a terminal>"
    assert repr(TerminalConfirmer(terminal.input, terminal.output)) == "<TerminalConfirmer with a terminal>"
