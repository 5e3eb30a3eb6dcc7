"""`checkrail generate`: one prompt, one output, on standard output as it is written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from .exit_status import ExitStatus, status_of
from .model_options import Writing, model_options
from .talk import Talk, talking
from .target import read_text, schema_options, target, text_options

if TYPE_CHECKING:
    from ..generation.result import Result
    from ..generation.stream import Stream

__all__ = ["command"]


@click.command("generate")
@click.argument("prompt", required=False)
@schema_options
@text_options
@model_options
@click.option("--system", help="The system's turn before the prompt.")
@click.option("--stop", multiple=True, help="A text that ends free text; may be repeated.")
@click.option("--stream/--no-stream", default=True, help="Write text as it comes (default), or at the end.")
@click.option(
    "--complete/--no-complete",
    default=None,
    help="Under a grammar, close the output within --max-tokens (default, but not where strings are computed); else "
    "it is cut, and incomplete.",
)
@talking
def command(
    talk: Talk,
    prompt: str | None,
    writing: Writing,
    system: str | None,
    stop: tuple[str, ...],
    stream: bool,
    complete: bool | None,
    **options: Any,
) -> int:
    """Write one output under a grammar.

    PROMPT is the user's turn; without it, or as -, it is read from standard input. The text goes to standard output,
    everything else to standard error. Without a schema or grammar the text is free.
    """
    output = target(**options)
    sampling = writing.sampling()
    text = _prompt(prompt)
    from ..generation.generate import stream as begin

    with writing.record() as evidence, writing.load() as model:
        run = begin(
            model,
            text,
            output,
            system=system,
            sampling=sampling,
            max_tokens=writing.max_tokens,
            seed=writing.seed,
            time_limit=writing.time_limit,
            stop=stop,
            complete=complete,
            evidence=evidence,
        )
        with run:
            result = _write(talk, run, stream and not talk.as_json)
    if talk.as_json:
        talk.json(result.to_json())
    return _conclude(talk, result)


def _prompt(prompt: str | None) -> str:
    if prompt is not None and prompt != "-":
        return prompt
    if prompt is None and sys.stdin.isatty():
        raise click.UsageError("Give a PROMPT, or pipe one in.")
    return read_text("-")


def _write(talk: Talk, run: Stream[Any], as_it_comes: bool) -> Result[Any]:
    from ..decoding.stream import Delta

    try:
        for event in run:
            if as_it_comes and isinstance(event, Delta):
                talk.data(event.text, end="")
    finally:
        if as_it_comes:
            talk.data("")
    result = run.result()
    if not as_it_comes and not talk.as_json:
        talk.data(result.text)
    return result


def _conclude(talk: Talk, result: Result[Any]) -> int:
    """Say how it went, and make it the exit status."""
    for fault in result.faults:
        talk.say(talk.paint(str(fault), sys.stderr, fg="yellow"))
    usage = result.usage
    talk.note(
        f"{result.stop}: {usage.tokens} tokens, {usage.forced_tokens} forced, mask "
        f"{result.mask_microseconds_median} us (median), model {usage.model_microseconds // 1000} ms"
    )
    if usage.forced_close:
        talk.say(
            talk.paint(
                "The token budget shortened the output: with more tokens (-n) it may differ.", sys.stderr, fg="yellow"
            )
        )
    if result.error is not None:
        if not talk.as_json:
            talk.error(result.error)
        return status_of(result.error)
    return ExitStatus.DONE if result.ok else ExitStatus.NEGATIVE
