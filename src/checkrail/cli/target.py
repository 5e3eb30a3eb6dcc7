"""The options that say what is to be written: `--schema`, `--type`, `--grammar`, `--regex`, `--choice`.

Shared by `generate` and `extract`. At most one of them is given; `target` turns it into an `Output`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import InputError

if TYPE_CHECKING:
    from ..generation.output import Output

__all__ = ["read_schema_option", "read_text", "schema_options", "target", "text_options"]

_MOST_BLANKS = 64
_LIKE_A_PATH = re.compile(r".*\.json|[^\s,:]*[/\\][^\s,:]*")  # and not like fields, whose descriptions may hold a slash
F = TypeVar("F", bound=Callable[..., Any])


def schema_options(command: F) -> F:
    """Options for JSON."""
    for option in reversed(
        (
            click.option("--schema", metavar="FILE|JSON|FIELDS", help="JSON Schema, or fields: 'name, age int'."),
            click.option("--type", "type_name", metavar="MODULE:NAME", help="A Python type; its module is imported."),
            click.option(
                "--whitespace",
                default="json.dumps",
                show_default=True,
                help="compact, json.dumps, or the most blanks at one place.",
            ),
            click.option(
                "--profile",
                type=click.Choice(["strict", "open"]),
                default="strict",
                show_default=True,
                help="How the schema is read.",
            ),
            click.option("--enforce-bounds", is_flag=True, help="minimum and maximum in the mask as well."),
        )
    ):
        command = option(command)
    return command


def text_options(command: F) -> F:
    """Options for other texts."""
    for option in reversed(
        (
            click.option("--grammar", "grammar_file", metavar="FILE", help="A GBNF grammar, or Lark (.lark)."),
            click.option("--regex", metavar="PATTERN", help="A regular expression, matched as a whole."),
            click.option("--choice", metavar="A,B,...", help="One of these texts."),
        )
    ):
        command = option(command)
    return command


def target(
    *,
    schema: str | None = None,
    type_name: str | None = None,
    whitespace: str = "json.dumps",
    profile: str = "strict",
    enforce_bounds: bool = False,
    grammar_file: str | None = None,
    regex: str | None = None,
    choice: str | None = None,
) -> Output[Any]:
    """The output that the options name; free text if they name none. UsageError if they name several."""
    from ..generation.output import Output
    from ..grammar.grammar import Grammar

    given = [option for option in (schema, type_name, grammar_file, regex, choice) if option is not None]
    if len(given) > 1:
        raise click.UsageError("Give only one of --schema, --type, --grammar, --regex and --choice.")
    if grammar_file is not None:
        format = "lark" if grammar_file.lower().endswith(".lark") else "gbnf"
        return Output.of(Grammar.parse(format, read_text(grammar_file)))
    if regex is not None:
        return Output.of(Grammar.from_regex(regex))
    if choice is not None:
        return Output.of(Grammar.from_choice(choice.split(",")))
    source: Any = read_schema_option(schema) if schema is not None else None
    if type_name is not None:
        source = _imported(type_name)
    output: Output[Any] = Output.of(
        source, profile=profile, whitespace=_blanks(whitespace), enforce_bounds=enforce_bounds or None
    )
    return output


def _blanks(text: str) -> str | int:
    if text in ("compact", "json.dumps"):
        return text
    if text.isdecimal() and int(text) <= _MOST_BLANKS:
        return int(text)
    raise click.BadParameter(f"must be compact, json.dumps or 0 to {_MOST_BLANKS}", param_hint="--whitespace")


def read_schema_option(text: str) -> str | dict[str, Any]:
    """The schema that `--schema` means: JSON text, a file, or the short notation."""
    if text.lstrip().startswith("{") or text.strip() in ("true", "false"):
        return text
    if text == "-" or os.path.exists(text) or _LIKE_A_PATH.fullmatch(text):
        return read_text(text)
    from .schema_notation import schema_from_notation

    return schema_from_notation(text)


def read_text(path: str) -> str:
    """A UTF-8 file, or standard input for `-`."""
    from ..generation.documents import TextFile

    return TextFile(path).read()


def _imported(name: str) -> Any:
    """The object `module:name`; modules in the current folder are found as well."""
    module, colon, attribute = name.partition(":")
    if not (colon and module and attribute):
        raise click.BadParameter("must be MODULE:NAME", param_hint="--type")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, TypeError, ValueError) as error:  # the last two: no name of a module
        raise InputError("INPUT_FORMAT", name=f"--type {name}", what=str(error)) from None
    return found
