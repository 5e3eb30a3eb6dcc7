"""How the demo looks: plain lines anywhere, columns and live text on a terminal.

`View` is what the demo tells; `PlainView` writes lines and needs nothing, `rich_view.RichView` draws. Both show the
text of the model as it is, broken into lines at the top level of its JSON.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from ..decoding.stream import Delta, Event, Start
from .talk import Talk

if TYPE_CHECKING:
    from ..boundary.validation.report import Report
    from ..generation.extract import Row
    from ..generation.result import Result
    from ..models.protocol import Model
    from .demo_scenes import Scene

__all__ = [
    "Pace",
    "PlainView",
    "View",
    "broken",
    "figures",
    "line_breaks",
    "result_verdicts",
    "summary",
    "verdicts",
    "view_for",
]


class View(Protocol):
    """What the demo tells, in this order."""

    def begin(self, model: Model) -> None:
        """The model is loaded."""

    def scene(self, scene: Scene, seconds: float) -> None:
        """A schema was compiled, in so many seconds."""

    def event(self, source: str, event: Event) -> None:
        """An event of the run over `source`."""

    def row(self, source: str, row: Row[Any]) -> None:
        """The run is over."""

    def contrast(self, prompt: str) -> None:
        """A question that will be asked without and with the mask."""

    def answers(self, free: Result[str], report: Report, masked: Result[Any]) -> None:
        """Both answers; `report` is the check of the first."""

    def end(self, rows: Sequence[Row[Any]], seconds: float) -> None:
        """All is done."""

    def close(self) -> None:
        """Leave the terminal as it was, also after a failure."""


def view_for(talk: Talk, *, plain: bool) -> View:
    """The view that fits the terminal."""
    if plain:
        return PlainView(talk)
    from .rich_view import RichView

    return RichView(talk, sys.stdout)


class PlainView:
    """Lines, one result after the other."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._pace = Pace()

    def begin(self, model: Model) -> None:
        """See `View`."""
        self._write(f"model: {model.name}, {len(model.vocabulary):,} tokens")

    def scene(self, scene: Scene, seconds: float) -> None:
        """See `View`."""
        self._write(f"\n== {scene.title} ==  (schema compiled in {seconds * 1000:.0f} ms)")

    def event(self, source: str, event: Event) -> None:
        """Only timed; nothing is redrawn here."""
        self._pace.event(event)

    def row(self, source: str, row: Row[Any]) -> None:
        """See `View`."""
        lines = ["", row.id, *_indented(source.split("\n")), "->", *_indented(broken(row.text))]
        self._write("\n".join([*lines, *verdicts(row), figures(row.result, self._pace)]))

    def contrast(self, prompt: str) -> None:
        """See `View`."""
        self._write("\n== The same question without and with the mask ==\n" + "\n".join(_indented(prompt.split("\n"))))

    def answers(self, free: Result[str], report: Report, masked: Result[Any]) -> None:
        """See `View`."""
        self._write("without ->\n" + "\n".join(_indented(free.text.split("\n"))))
        self._write(
            ("✓ is the JSON that was asked for" if report.ok else f"✗ {report.faults[0]}") + "\n" + figures(free)
        )
        self._write("with ->\n" + "\n".join(_indented(broken(masked.text))))
        self._write("\n".join([*result_verdicts(masked), figures(masked)]))

    def end(self, rows: Sequence[Row[Any]], seconds: float) -> None:
        """See `View`."""
        self._write("\n" + summary(rows, seconds))

    def close(self) -> None:
        """Nothing to undo."""

    def _write(self, text: str) -> None:
        if not self._talk.as_json:
            self._talk.data(text)


def _indented(lines: Sequence[str]) -> list[str]:
    return ["    " + line for line in lines]


def line_breaks(text: str) -> list[int]:
    """Offsets before which to break a JSON text, whole or not: the members of the outermost object or array."""
    offsets, depth, quoted, escaped = [], 0, False, False
    for offset, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            if depth == 1:
                offsets.append(offset + 1)
        elif character in "]}":
            if depth == 1:
                offsets.append(offset)
            depth -= 1
        elif character == "," and depth == 1:
            offsets.append(offset + (2 if text[offset + 1 : offset + 2] == " " else 1))
    return [offset for offset in offsets if offset < len(text)]


def broken(text: str) -> list[str]:
    """The lines of a JSON text that `line_breaks` makes, the inner ones indented."""
    edges = [0, *line_breaks(text), len(text)]
    parts = [text[start:end].rstrip() for start, end in pairwise(edges)]
    return [part if part[:1] in tuple("{}[]") else "  " + part for part in parts]


def verdicts(row: Row[Any]) -> list[str]:
    """What the check says about a row, a line for each fault."""
    if row.result is None:
        return [f"✗ {row.error}"]
    return result_verdicts(row.result)


def result_verdicts(result: Result[Any]) -> list[str]:
    """What the check says about a result."""
    if not result.complete:
        return [f"✗ {result.error}"]
    if result.faults:
        return [f"✗ {fault}" for fault in result.faults]
    found = len(result.spans)
    return ["✓ valid" + (f"; {found} values stand in the source" if found else "")]


class Pace:
    """How fast a model writes: from the first text to the end, the reading of the prompt left out."""

    def __init__(self) -> None:
        self._begin = self._end = 0.0
        self._first = self._last = 0

    def event(self, event: Event) -> None:
        """Look at the clock."""
        if isinstance(event, Start):
            self._begin = self._end = 0.0
        elif isinstance(event, Delta):
            self._end, self._last = time.perf_counter(), event.tokens
            if not self._begin:
                self._begin, self._first = self._end, self._last

    @property
    def tokens_per_second(self) -> float:
        """Of the last run; 0 where it was too short to tell."""
        seconds = self._end - self._begin
        return (self._last - self._first) / seconds if seconds > 0 else 0.0


def figures(result: Result[Any] | None, pace: Pace | None = None) -> str:
    """What a run cost, in one line."""
    return " · ".join(_figures(result, pace))


def _figures(result: Result[Any] | None, pace: Pace | None) -> Iterator[str]:
    if result is None:
        return
    usage = result.usage
    yield f"{usage.tokens} tokens"
    if usage.masks and result.mask_microseconds_median:
        yield f"{usage.forced_tokens} forced"
        yield f"mask {result.mask_microseconds_median} µs (median)"
    if pace is not None and pace.tokens_per_second:
        yield f"{pace.tokens_per_second:.0f} tokens/s"
    yield result.stop


def summary(rows: Sequence[Row[Any]], seconds: float) -> str:
    """The last line."""
    complete = sum(row.complete for row in rows)
    faulty = sum(bool(row.faults) for row in rows)
    tokens = sum(row.usage.tokens for row in rows if row.usage)
    return (
        f"{complete} of {len(rows)} outputs parse and have their schema's shape; the check found faults in {faulty}. "
        f"{tokens} tokens in {seconds:.0f} s. The mask promises the shape, not the truth."
    )
