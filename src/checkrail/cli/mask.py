"""`checkrail mask`: which tokens of a vocabulary may come next."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import click

from .byte_names import visible
from .exit_status import ExitStatus
from .explain import as_data, drawing
from .grammar_source import Format, GrammarSource, compiled, engine_option, profile_option, read_vocabulary
from .talk import Talk, talking

if TYPE_CHECKING:
    from ..decoding.constraint import EngineName
    from ..decoding.matcher import Matcher
    from ..grammar.grammar import Contract
    from ..vocabulary.vocabulary import Vocabulary

__all__ = ["command"]


@click.command("mask")
@click.argument("grammar")
@click.argument("prefix", default="")
@click.option("--tokenizer", default="default", show_default=True, metavar="FILE", help="Or the embedded model's.")
@click.option("--as", "form", type=click.Choice(["gbnf", "lark", "json_schema", "regex"]), help="What GRAMMAR is.")
@click.option(
    "--contract", type=click.Choice(["visibly-pushdown", "context-free"]), help="Instead of the grammar's own."
)
@click.option("--top", type=click.IntRange(min=0), default=50, show_default=True, help="List so many tokens.")
@click.option("--count", "only_count", is_flag=True, help="Print how many there are, and nothing else.")
@click.option("--ids", "only_ids", is_flag=True, help="Print their ids, one a line, all of them.")
@click.option("--forbidden", is_flag=True, help="The others: tokens that may not come next.")
@engine_option
@profile_option
@talking
def command(
    talk: Talk,
    grammar: str,
    prefix: str,
    tokenizer: str,
    form: Format | None,
    contract: Contract | None,
    top: int,
    only_count: bool,
    only_ids: bool,
    forbidden: bool,
    engine: EngineName | None,
    profile: str,
) -> int:
    """List the tokens that may follow PREFIX under GRAMMAR.

    GRAMMAR is a .gbnf, .lark or .json file, or a grammar or schema written out. Tokens are listed by id, with their
    bytes as text. The exit status is 1 if PREFIX itself does not fit.
    """
    source = GrammarSource.read(grammar, form, profile)
    parsed = source.grammar()
    vocabulary = read_vocabulary(tokenizer)
    matcher = compiled(parsed, vocabulary, contract, engine).matcher()
    data = prefix.encode("utf-8", "surrogateescape")
    rejection = matcher.explain(data) if data else None
    if rejection is not None and rejection.byte is not None:
        if talk.as_json:
            talk.json({"fits": False, **as_data(data, rejection, parsed)})
        else:
            talk.data(drawing(talk, data, rejection, parsed))
        return ExitStatus.NEGATIVE
    matcher.accept_bytes(data)
    ids = _ids(matcher, vocabulary, forbidden=forbidden)
    if talk.as_json:
        _write_json(talk, ids if only_ids else ids[:top], len(ids), matcher, vocabulary)
    elif only_count:
        talk.data(str(len(ids)))
    elif only_ids:
        talk.data("\n".join(map(str, ids)), end="\n" if ids else "")
    else:
        for identifier in ids[:top]:
            talk.data(f"{identifier:>8}  {_name(vocabulary, identifier)}")
        what = "forbidden" if forbidden else "allowed"
        end = "may end here" if matcher.is_completed() else "may not end here"
        talk.say(f"{len(ids)} of {vocabulary.size} tokens {what}; the text {end}")
    return ExitStatus.DONE


def _ids(matcher: Matcher, vocabulary: Vocabulary, *, forbidden: bool) -> list[int]:
    row = array("I", bytes(4 * ((vocabulary.size + 31) // 32)))
    matcher.fill_next_token_bitmask(row)
    wanted = 0 if forbidden else 1
    return [i for i in range(vocabulary.size) if (row[i >> 5] >> (i & 31)) & 1 == wanted]


def _name(vocabulary: Vocabulary, identifier: int) -> str:
    data = vocabulary.token_bytes(identifier)
    if data is not None:
        return visible(data).replace(" ", "·")
    text = next((text for text, number in vocabulary.special.items() if number == identifier), "no text")
    return f"[{text}]"


def _write_json(talk: Talk, ids: list[int], count: int, matcher: Matcher, vocabulary: Vocabulary) -> None:
    tokens = [(i, vocabulary.token_bytes(i)) for i in ids]
    talk.json(
        {
            "fits": True,
            "count": count,
            "size": vocabulary.size,
            "may_end_here": matcher.is_completed(),
            "tokens": [
                {"id": i, "hex": None if data is None else data.hex(), "text": _name(vocabulary, i)}
                for i, data in tokens
            ],
        }
    )
