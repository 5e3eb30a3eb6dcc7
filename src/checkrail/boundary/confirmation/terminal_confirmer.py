"""A person at a terminal is asked: the whole call is shown, page by page, and only `yes` and Enter is yes.

What could answer in the person's place is ruled out. What was typed before the question stood on the screen is thrown
away, at each page. Input that is no terminal (a pipe, a file, a service) is nobody, and the call is denied. The answer
is a word, so that no single key, and no Enter too many, is one. The last row must have been shown before the question
comes; nothing is cut off.

You need it in programs that run in a terminal. It needs `termios`; where there is none (Windows), nobody is there.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ..confirm import ConfirmationRequest, Decision, Signer
from ..display.terminal import NARROWEST, rows

try:
    import termios
except ImportError:  # Windows
    _HAS_TERMINALS = False
else:
    _HAS_TERMINALS = True

__all__ = ["TerminalConfirmer"]

_LOOK_SECONDS = 0.1
_LEAST_ROWS = 4  # of a page, on a terminal that is lower or says nothing
_GO_ON = "-- Enter shows the rest, anything else denies: "
_QUESTION = 'Type "yes" and Enter to allow this once; anything else denies: '


class TerminalConfirmer:
    """Asks on a terminal. input, output: standard input and standard error by default. styled: see `terminal.rows`."""

    def __init__(
        self, input: TextIO | None = None, output: TextIO | None = None, *, styled: bool | None = None
    ) -> None:
        self._input = sys.stdin if input is None else input
        self._output = sys.stderr if output is None else output
        self._styled = not os.environ.get("NO_COLOR") if styled is None else styled

    @property
    def is_available(self) -> bool:
        """Whether both ends are a terminal."""
        try:
            return _HAS_TERMINALS and self._input.isatty() and self._output.isatty()
        except ValueError:  # closed
            return False

    def confirm(self, request: ConfirmationRequest, sign: Signer) -> Decision | None:
        """Show the call and wait for the answer, as long as the question is open."""
        pages = self._pages(request)
        with _lines(self._input.fileno()):
            for number, page in enumerate(pages, 1):
                self._write("\n".join(page) + "\n")
                is_last = number == len(pages)
                answer = self._answer(_QUESTION if is_last else _GO_ON, sign)
                if answer is None:
                    self._write("\n")
                    return sign("deny") if sign.is_open else None
                if is_last:
                    return sign("approve" if answer == b"yes\n" else "deny")
                if answer != b"\n":
                    return sign("deny")
        return None

    def _pages(self, request: ConfirmationRequest) -> list[list[str]]:
        try:
            width, height = os.get_terminal_size(self._output.fileno())
        except OSError:
            width, height = 80, 24
        width, height = max(width or 80, NARROWEST), max((height or 24) - 2, _LEAST_ROWS)  # 0: it does not know
        lines = [""]
        for section in request.view.sections():
            lines += ["= " + row[2:] for row in rows(section.heading, width=width)]  # no other row begins like that
            lines += rows(section.spans, width=width, styled=self._styled) if section.spans else []
        return [lines[at : at + height] for at in range(0, len(lines), height)]

    def _answer(self, prompt: str, sign: Signer) -> bytes | None:
        """One line that was typed after the page stood there; None at the end of input, or when it is too late."""
        descriptor = self._input.fileno()
        termios.tcdrain(self._output.fileno())
        termios.tcflush(descriptor, termios.TCIFLUSH)
        self._write(prompt)
        while sign.is_open:
            if select.select([descriptor], [], [], _LOOK_SECONDS)[0]:
                return os.read(descriptor, 4096) or None
        return None

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def __repr__(self) -> str:
        return f"<TerminalConfirmer {'with' if self.is_available else 'without'} a terminal>"


@contextmanager
def _lines(descriptor: int) -> Iterator[None]:
    """The terminal gives whole lines and shows what is typed, whatever was set before; afterwards it is as it was."""
    before = termios.tcgetattr(descriptor)
    during = list(before)
    during[0] |= termios.ICRNL
    during[3] |= termios.ICANON | termios.ECHO | termios.ISIG
    termios.tcsetattr(descriptor, termios.TCSADRAIN, during)
    try:
        yield
    finally:
        # what was typed behind the answer is not left for whoever reads next
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
