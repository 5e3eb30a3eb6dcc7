"""A line on standard error that shows how far long work has come.

On a terminal it is redrawn in place; elsewhere a plain line appears every 30 seconds, so that a log shows life.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from .talk import Talk

__all__ = ["Progress"]

_REDRAW_SECONDS = 0.1
_LOG_SECONDS = 30.0


class Progress:
    """Use as a context manager around the work."""

    def __init__(self, talk: Talk) -> None:
        self._moving = talk.shows_progress
        self._silent = talk.quiet or not talk.progress
        self._last = time.monotonic()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Show this, if it is time to."""
        now = time.monotonic()
        if self._silent or now - self._last < (_REDRAW_SECONDS if self._moving else _LOG_SECONDS):
            return
        self._last = now
        if self._moving:
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, so that other output can follow."""
        if self._moving and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
