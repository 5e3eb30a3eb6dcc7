"""Writes the reference pages that come from the code, or checks that they are current.

python tools/generate_docs.py            write them
python tools/generate_docs.py --check    fail, and name the page, when one is not current
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click

from checkrail.cli import main
from checkrail.errors import CATALOGUE, Failure
from checkrail.json_schema.profile import strict_profile_page
from checkrail.limits import Limits

DOCS = Path(__file__).resolve().parents[1] / "docs"

ERRORS_INTRODUCTION = """# Errors

Everything that Checkrail raises on purpose is a `checkrail.Error` with a `code` out of this catalogue, the
message's parameters, and where it applies a position in the source text, a JSON pointer, and what could have
stood there. `error.render()` draws it with a caret; `error.to_json()` is the same as data. The library never
retries by itself; the last column says what a person may do."""

LIMITS_INTRODUCTION = """# Limits

One frozen `checkrail.Limits` bounds every stage. What breaks a bound is refused with its code, the bound and
what was reached; nothing falls back to unconstrained output. Each bound can be moved up or down, as in
`Limits(nesting=32)`."""

COMMANDS_INTRODUCTION = """# The command line

Data goes to standard output and all talk to standard error; `--json` makes the data JSON Lines. Each command loads what
it needs when it is called."""

WIDTH = 100  # of the help texts, in characters


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def errors_page() -> str:
    """Every row of the failure catalogue."""
    rows = map(error_row, CATALOGUE.values())
    return f"{ERRORS_INTRODUCTION}\n\n{table(('code', 'message', 'effect', 'what to do', 'again?'), rows)}"


def error_row(failure: Failure) -> tuple[str, ...]:
    """One line of the errors page."""
    return f"`{failure.code}`", failure.message, failure.effect, failure.advice, failure.again


def limits_page() -> str:
    """The bounds and their defaults, with the comments of their declarations."""
    kinds = r"int|float|int \| None"
    comments = dict(
        re.findall(rf"^    (\w+): (?:{kinds}) = [^#\n]+(?:  # (.*))?$", inspect.getsource(Limits), re.MULTILINE)
    )
    defaults = (
        (f.name, "by profile" if f.default is None else f"{f.default:,.12g}") for f in dataclasses.fields(Limits)
    )
    rows = [(f"`{name}`", default, comments.get(name, "")) for name, default in defaults]
    return f"{LIMITS_INTRODUCTION}\n\n{table(('name', 'default', 'counts'), rows)}"


def commands_page() -> str:
    """The help of every command."""
    sections = [f"## {context.command_path}\n\n```text\n{context.get_help()}\n```" for context in contexts()]
    return "\n\n".join([COMMANDS_INTRODUCTION, *sections])


def contexts(
    parent: click.Context | None = None, command: click.Command = main, name: str = "checkrail"
) -> Iterator[click.Context]:
    """A context for each command, groups before their members."""
    context = click.Context(command, parent, name, terminal_width=WIDTH, **command.context_settings)
    yield context
    if isinstance(command, click.Group):
        for member in command.list_commands(context):
            found = command.get_command(context, member)
            if found is not None:
                yield from contexts(context, found, member)


PAGES: Mapping[str, Callable[[], str]] = {
    "reference/command-line.md": commands_page,
    "reference/errors.md": errors_page,
    "reference/limits.md": limits_page,
    "reference/strict-profile.md": strict_profile_page,
}


def outdated() -> list[str]:
    """The names of the pages that differ from what the code says."""
    return [name for name, text in texts() if not (DOCS / name).is_file() or (DOCS / name).read_text("utf-8") != text]


def texts() -> Iterable[tuple[str, str]]:
    """(page, its text) for all generated pages."""
    for name, page in PAGES.items():
        yield name, f"<!-- Written by tools/generate_docs.py; do not edit. -->\n\n{page().strip()}\n"


def run(arguments: list[str]) -> int:
    """Write the pages, or with --check say which are outdated (1 if any)."""
    if arguments == ["--check"]:
        names = outdated()
        for name in names:
            print(f"docs/{name} is not current: run `make docs`", file=sys.stderr)
        return 1 if names else 0
    for name, text in texts():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
