"""The demo on a terminal: source and result side by side, found values in the same color, text as it comes.

Narrow terminals get one below the other. Without color, found values are underlined and faulty ones reversed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ..decoding.stream import Delta, End, Event, Start
from .demo_view import Pace, figures, line_breaks, result_verdicts, summary, verdicts
from .talk import Talk

if TYPE_CHECKING:
    from ..boundary.validation.report import Report
    from ..generation.extract import Row
    from ..generation.result import Result
    from ..models.protocol import Model
    from .demo_scenes import Scene

__all__ = ["RichView"]

_WIDE = 96  # columns from which source and result stand side by side
_COLORS = ("cyan", "green", "magenta", "yellow", "bright_blue", "bright_green", "bright_magenta")


class RichView:
    """See `demo_view.View`."""

    def __init__(self, talk: Talk, stream: TextIO) -> None:
        color = talk.in_color(stream)
        self._console = Console(
            file=stream, force_terminal=True if color else None, no_color=not color, highlight=False, emoji=False
        )
        self._moving = stream.isatty() and talk.progress
        self._live: Live | None = None
        self._text = ""
        self._pace = Pace()

    def begin(self, model: Model) -> None:
        """See `View`."""
        self._console.print(
            Text.assemble(("Checkrail", "bold"), f"  {model.name}, {len(model.vocabulary):,} tokens, on this machine")
        )

    def scene(self, scene: Scene, seconds: float) -> None:
        """See `View`."""
        self._console.print()
        title = Text.assemble((scene.title, "bold"), f"  schema compiled in {seconds * 1000:.0f} ms")
        self._console.print(Rule(title, align="left", style="dim"))

    def event(self, source: str, event: Event) -> None:
        """Redraw the text as it grows."""
        self._pace.event(event)
        if not self._moving:
            return
        if isinstance(event, Start):
            self._text = ""
            self._live = Live(
                self._pair(Text(source), Text("")), console=self._console, transient=True, refresh_per_second=8
            )
            self._live.start()
        elif self._live is not None and isinstance(event, Delta):
            self._text += event.text
            self._live.update(self._pair(Text(source), _json(Text(self._text))))
        elif isinstance(event, End):
            self.close()

    def row(self, source: str, row: Row[Any]) -> None:
        """See `View`."""
        left, right = Text(source), Text(row.text)
        for number, span in enumerate(row.spans):
            style = f"bold underline {_COLORS[number % len(_COLORS)]}"
            left.stylize(style, span.start, span.end)
            if span.output_span is not None:
                right.stylize(style, *span.output_span)
        for fault in row.faults:
            if fault.output_span is not None:
                right.stylize("reverse red", *fault.output_span)
        self._console.print(self._pair(left, _json(right), title=row.id))
        self._tell(verdicts(row), figures(row.result, self._pace))

    def contrast(self, prompt: str) -> None:
        """See `View`."""
        self._console.print()
        self._console.print(
            Rule(Text("The same question without and with the mask", "bold"), align="left", style="dim")
        )
        self._console.print(Panel(Text(prompt), border_style="dim"))

    def answers(self, free: Result[str], report: Report, masked: Result[Any]) -> None:
        """See `View`."""
        said = ["✓ is the JSON that was asked for" if report.ok else f"✗ {report.faults[0]}"]
        without = Group(Text(free.text), *map(_verdict, said), Text(figures(free), "dim"))
        told = map(_verdict, result_verdicts(masked))
        within = Group(_json(Text(masked.text)), *told, Text(figures(masked), "dim"))
        self._console.print(self._pair(without, within, "without the mask", "with the mask"))

    def end(self, rows: Sequence[Row[Any]], seconds: float) -> None:
        """See `View`."""
        self._console.print()
        self._console.print(Text(summary(rows, seconds), "bold"))

    def close(self) -> None:
        """Stop redrawing and show the cursor again."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _tell(self, lines: Sequence[str], costs: str) -> None:
        for line in lines:
            self._console.print(_verdict(line))
        self._console.print(Text(costs, "dim"))

    def _pair(
        self, left: RenderableType, right: RenderableType, title: str | None = None, other: str | None = None
    ) -> RenderableType:
        first = Panel(left, title=title, title_align="left", border_style="dim")
        second = Panel(right, title=other, title_align="left", border_style="dim")
        if self._console.width < _WIDE:
            return Group(first, second)
        table = Table.grid(expand=True)
        table.add_column(ratio=1)
        table.add_column(ratio=1)
        table.add_row(first, second)
        return table


def _verdict(line: str) -> Text:
    return Text(line, "green" if line.startswith("✓") else "red")


def _json(text: Text) -> Text:
    """The text of the model, broken into lines at the top level, the inner ones indented."""
    parts = text.divide(line_breaks(text.plain))
    lines = []
    for part in parts:
        part.rstrip()
        lines.append(part if part.plain[:1] in tuple("{}[]") else Text("  ") + part)
    return Text("\n").join(lines)
