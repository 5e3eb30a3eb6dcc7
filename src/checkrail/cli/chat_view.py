"""What a person sees of a turn: the calls with their arguments and ends, what the model is shown, and the answer.

Everything that a model, a tool or a note wrote goes to the screen as visible text, behind a gutter.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from ..boundary.calls.states import CallState
from ..boundary.display.terminal import NARROWEST, rows
from ..boundary.display.visible_text import visible
from ..tools.events import CallChanged, Finished, Inserted
from .talk import Talk

if TYPE_CHECKING:
    from ..boundary.calls.call import Call
    from ..tools.events import TurnEvent

__all__ = ["ChatView"]


class ChatView:
    """Shows the events of turns. The answer is data; everything else is talk."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def event(self, event: TurnEvent) -> None:
        """Show an event, if it is one for a person."""
        if isinstance(event, CallChanged):
            self._call(event.call, event.after)
        elif isinstance(event, Inserted):
            self._say("the model is shown", event.text.rstrip("\n"))
        elif isinstance(event, Finished):
            self._finished(event)

    def _call(self, call: Call, after: CallState) -> None:
        if after is CallState.VALIDATED and call.request is not None:
            self._say(f"{call.request.tool.name} is called", call.arguments.decode())
        elif after.is_final:
            reason = "" if call.error is None else f": {call.error.message}"
            self._say(f"{after.value}{reason}", "")

    def _finished(self, event: Finished) -> None:
        answer = event.answer
        if answer.complete:
            self._talk.data("\n".join(_shown(answer.text)))
        elif answer.error is not None:
            self._talk.error(answer.error)

    def _say(self, heading: str, text: str) -> None:
        lines = ["= " + row[2:] for row in rows(visible(heading), width=_width(sys.stderr))]
        lines += rows(visible(text), width=_width(sys.stderr)) if text else []
        self._talk.say("\n".join(lines))


def _shown(text: str) -> list[str]:
    """An answer: on a terminal as visible text behind a gutter, elsewhere as it is."""
    if sys.stdout.isatty():
        return rows(visible(text), width=_width(sys.stdout))
    return [text]


def _width(stream: TextIO) -> int:
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # no terminal, or not even a file
        columns = 80
    return max(columns or 80, NARROWEST)
