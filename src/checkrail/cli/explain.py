"""`checkrail explain`: where and why a text stops matching a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .byte_names import byte_ranges, visible
from .exit_status import ExitStatus
from .grammar_source import Format, GrammarSource, compiled, engine_option, profile_option
from .json_place import pointer_at
from .talk import Talk, talking
from .target import read_text

if TYPE_CHECKING:
    from ..decoding.constraint import EngineName
    from ..decoding.matcher import Rejection
    from ..grammar.grammar import Contract, Grammar

__all__ = ["as_data", "command", "drawing"]

_WIDTH = 100  # characters of the text that are drawn
_READINGS = 3  # ways to read the text that are listed


@click.command("explain")
@click.argument("grammar")
@click.argument("text", required=False)
@click.option("--as", "form", type=click.Choice(["gbnf", "lark", "json_schema", "regex"]), help="What GRAMMAR is.")
@click.option(
    "--contract", type=click.Choice(["visibly-pushdown", "context-free"]), help="Instead of the grammar's own."
)
@engine_option
@profile_option
@talking
def command(
    talk: Talk,
    grammar: str,
    text: str | None,
    form: Format | None,
    contract: Contract | None,
    engine: EngineName | None,
    profile: str,
) -> int:
    """Show where TEXT stops matching GRAMMAR, and what could stand there.

    GRAMMAR is a .gbnf, .lark or .json file, or a grammar or schema written out. TEXT is read from standard input if it
    is absent or -, without its last line end. The exit status is 1 if it does not match. With --engine earley, the rows
    of the parser and the states of the lexer before the place are shown.
    """
    source = GrammarSource.read(grammar, form, profile)
    parsed = source.grammar()
    constraint = compiled(parsed, None, contract, engine)
    if text is None or text == "-":
        text = read_text("-").removesuffix("\n").removesuffix("\r")
    data = text.encode("utf-8", "surrogateescape")
    rejection = constraint.matcher().explain(data)
    if talk.as_json:
        talk.json({"matches": rejection is None, **({} if rejection is None else as_data(data, rejection, parsed))})
    elif rejection is None:
        talk.data(talk.paint("✓", fg="green") + f" matches: {len(data)} bytes")
    else:
        talk.data(drawing(talk, data, rejection, parsed))
    return ExitStatus.DONE if rejection is None else ExitStatus.NEGATIVE


def as_data(data: bytes, rejection: Rejection, grammar: Grammar) -> dict[str, Any]:
    """The rejection as plain data. offset is in bytes, character in code points of the text."""
    return {
        "offset": rejection.offset,
        "character": len(_before(data, rejection)),
        "byte": rejection.byte,
        "at_end": rejection.byte is None,
        "expected": byte_ranges(rejection.expected),
        "rules": [list(rules) for rules in rejection.rules],
        "pointer": _pointer(data, rejection, grammar),
        "may_end_here": rejection.complete,
        **({"readings": list(rejection.readings)} if rejection.readings else {}),
    }


def drawing(talk: Talk, data: bytes, rejection: Rejection, grammar: Grammar) -> str:
    """The rejection for a person: the text with a caret, the rules, what was expected."""
    before = _before(data, rejection)
    text = before + visible(data[len(before.encode("utf-8", "surrogateescape")) :]).replace("\\\\", "\\")
    if rejection.byte is None:
        head = f"incomplete: {len(data)} bytes fit, and more must follow"
    else:
        head = f"byte {rejection.offset} of {len(data)} does not fit"
    start = max(0, len(before) - _WIDTH * 3 // 4)
    window = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[start : start + _WIDTH])
    lines = [f"{talk.paint('✗', fg='red')} {head}", f"    {window}", "    " + " " * (len(before) - start) + "^"]
    if rejection.byte is not None:
        lines.append(f"  found     {byte_ranges([rejection.byte])[0]} (0x{rejection.byte:02X})")
    expected = byte_ranges(rejection.expected)
    lines.append(
        "  expected  "
        + (", ".join(expected) if expected else "nothing")
        + (", or the end" if rejection.complete else "")
    )
    pointer = _pointer(data, rejection, grammar)
    if pointer is not None:
        lines.append(f"  at        {pointer or 'the root'}")
    for rules in rejection.rules[:_READINGS]:
        lines.append("  rules     " + " › ".join(reversed(rules)))
    if len(rejection.rules) > _READINGS:
        lines.append(f"            and {len(rejection.rules) - _READINGS} more readings")
    lines += [f"  {line}" for line in rejection.readings]
    return "\n".join(lines)


def _before(data: bytes, rejection: Rejection) -> str:
    """The whole characters before the place, each one character wide."""
    return data[: rejection.offset].decode("utf-8", "ignore")


def _pointer(data: bytes, rejection: Rejection, grammar: Grammar) -> str | None:
    """The value that a JSON text was at."""
    return pointer_at(_before(data, rejection)) if grammar.format == "json_schema" else None
