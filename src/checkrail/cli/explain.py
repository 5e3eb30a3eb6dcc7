"""`checkrail explain`: where and why a text stops matching a grammar."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from .byte_names import byte_ranges, visible
from .exit_status import ExitStatus
from .grammar_source import Format, GrammarSource, compiled, engine_option, profile_option, read_vocabulary
from .json_place import pointer_at
from .talk import Talk, talking
from .target import read_text

if TYPE_CHECKING:
    from ..decoding.constraint import Constraint, EngineName
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
@click.option("--trace", is_flag=True, help="Show a mask call of the Earley engine there, step by step.")
@click.option("--tokenizer", metavar="FILE", help="Of --trace: its tokens. Without it each byte is one.")
@click.option("--lines", type=click.IntRange(min=1), default=200, show_default=True, help="Of --trace: at most.")
@engine_option
@profile_option
@talking
def command(
    talk: Talk,
    grammar: str,
    text: str | None,
    form: Format | None,
    contract: Contract | None,
    trace: bool,
    tokenizer: str | None,
    lines: int,
    engine: EngineName | None,
    profile: str,
) -> int:
    """Show where TEXT stops matching GRAMMAR, and what could stand there.

    GRAMMAR is a .gbnf, .lark or .json file, or a grammar or schema written out. TEXT is read from standard input if it
    is absent or -, without its last line end. The exit status is 1 if it does not match. With --engine earley, the rows
    of the parser and the states of the lexer before the place are shown; with --trace, also what a walk through the
    vocabulary meets from there: the nodes of its trie, with the rows and states that they lead to.
    """
    if trace and engine == "automaton":
        raise click.UsageError("--trace is of the Earley engine")
    if tokenizer is not None and not trace:
        raise click.UsageError("--tokenizer is of use with --trace only")
    source = GrammarSource.read(grammar, form, profile)
    parsed = source.grammar()
    vocabulary = None if tokenizer is None else read_vocabulary(tokenizer)
    constraint = compiled(parsed, vocabulary, contract, "earley" if trace else engine)
    if text is None or text == "-":
        text = read_text("-").removesuffix("\n").removesuffix("\r")
    data = text.encode("utf-8", "surrogateescape")
    rejection = constraint.matcher().explain(data)
    before = data if rejection is None else data[: rejection.offset]
    steps = list(islice(_trace(constraint, before), lines + 1)) if trace else []
    if len(steps) > lines:
        steps[lines:] = [f"... (more with --lines; {lines} shown)"]
    if talk.as_json:
        found = {} if rejection is None else as_data(data, rejection, parsed)
        talk.json({"matches": rejection is None, **found, **({"trace": steps} if trace else {})})
    elif rejection is None:
        talk.data(talk.paint("✓", fg="green") + f" matches: {len(data)} bytes")
    else:
        talk.data(drawing(talk, data, rejection, parsed))
    if steps and not talk.as_json:
        talk.data("\n".join(["", f"a mask call after {len(before)} bytes:", *(f"  {step}".rstrip() for step in steps)]))
    return ExitStatus.DONE if rejection is None else ExitStatus.NEGATIVE


def _trace(constraint: Constraint, before: bytes) -> Iterator[str]:
    """A mask call after some bytes, a line each step."""
    from ..earley.engine import EarleyEngine
    from ..earley.recognizer import Recognizer
    from ..earley.trace import trace

    engine = constraint.engine
    assert isinstance(engine, EarleyEngine)  # as it was asked for
    recognizer = Recognizer(engine.readings)
    recognizer.push_bytes(before)
    return trace(engine.readings, recognizer.reading, engine.vocabulary, engine.trie)


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
