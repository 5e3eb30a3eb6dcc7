"""How commands speak: data on standard output, talk on standard error, and the options that say how.

`@talking` adds the common options to a command and passes it a `Talk`. It also catches what may go wrong: a
catalogued error is drawn (or written as JSON) and becomes the exit status of the table, an interrupt becomes 130.
What is not catalogued is a defect and keeps its traceback.
"""

from __future__ import annotations

import functools
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TextIO

import click

from ..errors import Error, InputError
from .exit_status import ExitStatus, status_of

__all__ = ["SCHEMA_VERSION", "Talk", "talking"]

SCHEMA_VERSION = 1  # of the objects that only the program writes; a result or row brings its own


@dataclass(slots=True)
class Talk:
    """The voice of one command. as_json: data is JSON. quiet: errors only. verbose: -v, how often."""

    as_json: bool = False
    quiet: bool = False
    verbose: int = 0
    color: str = "auto"
    progress: bool = True

    def data(self, text: str, *, end: str = "\n") -> None:
        """Write to standard output at once."""
        try:
            sys.stdout.write(text + end)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError("OUTPUT_WRITE", what=(error.strerror or "failed").lower()) from None

    def json(self, data: dict[str, Any]) -> None:
        """Write one JSON object, on one line."""
        self.data(json.dumps({"schema_version": SCHEMA_VERSION, **data}, ensure_ascii=False, allow_nan=False))

    def say(self, text: str) -> None:
        """Tell a person, unless --quiet."""
        if not self.quiet:
            click.echo(text, err=True, color=self.in_color(sys.stderr))

    def note(self, text: str) -> None:
        """Tell a person who asked for more (-v)."""
        if self.verbose:
            self.say(text)

    def error(self, error: Error) -> None:
        """Report a failure."""
        if self.as_json:
            data = {"schema_version": SCHEMA_VERSION, "error": error.to_json()}
            click.echo(json.dumps(data, ensure_ascii=False), err=True)
        else:
            head, _, rest = error.render().partition("\n")
            click.echo(self.paint(head, sys.stderr, fg="red", bold=True) + "\n" + rest, err=True, color=True)

    def in_color(self, stream: TextIO) -> bool:
        """Whether to color what goes to `stream`: --color, then NO_COLOR and FORCE_COLOR, then whether it is a TTY."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()

    def paint(self, text: str, stream: TextIO | None = None, **style: Any) -> str:
        """The text in a style of `click.style`, where the stream (standard output by default) is in color."""
        return click.style(text, **style) if self.in_color(stream or sys.stdout) else text

    @property
    def shows_progress(self) -> bool:
        """Whether a moving line may be drawn on standard error."""
        return self.progress and not self.quiet and sys.stderr.isatty()


_OPTIONS = (
    click.option("--json", "as_json", is_flag=True, help="Write JSON on standard output, and errors as JSON."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
    click.option("-v", "--verbose", count=True, help="Say more."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        envvar="CHECKRAIL_COLOR",
        show_envvar=True,
        help="Color; auto honours NO_COLOR and FORCE_COLOR.",
    ),
    click.option("--no-progress", is_flag=True, help="Draw no progress line."),
)


def talking(command: Callable[..., int | None]) -> Callable[..., None]:
    """Give a command function the common options, a `Talk`, and the failure handling; it returns its exit status."""

    @functools.wraps(command)
    def wrapper(
        *, as_json: bool, quiet: bool, verbose: int, color: str, no_progress: bool, **arguments: Any
    ) -> NoReturn:
        talk = Talk(as_json, quiet, verbose, color, not no_progress)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # data is UTF-8, whatever the locale
        sys.exit(_run(talk, lambda: command(talk, **arguments)))

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper


def _run(talk: Talk, command: Callable[[], int | None]) -> int:
    try:
        return int(command() or ExitStatus.DONE)
    except Error as error:
        talk.error(error)
        return status_of(error)
    except KeyboardInterrupt:
        talk.say("interrupted")
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left. Nothing more can be written, not even at the interpreter's exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.BROKEN_PIPE
