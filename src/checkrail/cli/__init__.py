"""The command line: `checkrail COMMAND`. Each command is a module here, loaded when it is called.

Data goes to standard output, everything else to standard error. `main` is the entry point and a click group; loading
it, and `--help`, import click and the standard library only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from .. import __version__

__all__ = ["main"]

_COMMANDS = (
    *("demo", "generate", "extract", "chat", "check", "explain", "mask", "calc"),
    *("tools", "models", "cache", "doctor", "rule"),
)


class _Commands(click.Group):
    """A group that imports a command when its name is given."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of one name."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, "-V", "--version", package_name="checkrail", message="%(prog)s %(version)s")
def main(**_: Any) -> None:
    """Make a local language model say only what a grammar allows.

    Exit status: 0 done; 1 a negative answer (errors found, no match, faults); 2 wrong usage, or a grammar or schema
    that cannot be used; 3 something cannot be read or loaded; 4 finished, but some rows have no value; 5 a tool was
    not allowed; 6 the token or time budget was too small; 130 interrupted.
    """
