"""`checkrail extract`: documents in, one line of JSON for each out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..errors import DocumentError, InputError
from .exit_status import ExitStatus
from .model_options import Writing, model_options
from .progress import Progress
from .talk import Talk, talking
from .target import schema_options, target

if TYPE_CHECKING:
    from ..generation.extract import Row

__all__ = ["command"]


@click.command("extract")
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@schema_options
@model_options
@click.option("--format", "kind", type=click.Choice(["text", "jsonl", "csv"]), help="Instead of what the names say.")
@click.option("--text", "text_column", metavar="COL", help="The column that holds the document.")
@click.option("--id", "id_column", metavar="COL", help="The column that names the row.")
@click.option("--instructions", help="The system's turn before each document.")
@click.option("--examples", "examples_file", metavar="FILE", help='JSON Lines: {"document": ..., "answer": ...}.')
@click.option(
    "--copy-from-source", is_flag=True, help="Strings with x-source are copies from the document, already in the mask."
)
@click.option("-o", "--output", "output_file", metavar="FILE", help="Write there instead of standard output.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many documents at most.")
@talking
def command(
    talk: Talk,
    inputs: tuple[str, ...],
    writing: Writing,
    kind: Any,
    text_column: str | None,
    id_column: str | None,
    instructions: str | None,
    examples_file: str | None,
    copy_from_source: bool,
    output_file: str | None,
    limit: int | None,
    **options: Any,
) -> int:
    """Read documents into JSON.

    IN is a .jsonl, .csv or .tsv file with a row for each document, any other file as one document of text, or - for
    standard input (JSON Lines unless --format says otherwise). Each document gives one line of JSON: its value if the
    output is complete and free of faults, and in any case the raw text and why the run ended. Lines are written one
    by one, so what is done stays when a later file cannot be read. The exit status is 4 if a row has no value.
    """
    if options["schema"] is None and options["type_name"] is None:
        raise click.UsageError("Say what to extract: --schema or --type.")
    output = target(**options)
    sampling = writing.sampling()
    from ..generation.documents import read_rows, require_files
    from ..generation.extract import INSTRUCTIONS, extract

    require_files(inputs)
    examples = [] if examples_file is None else _examples(examples_file)
    rows = read_rows(inputs, kind=kind, text_column=text_column, id_column=id_column, limit=limit)
    with ExitStack() as stack:
        evidence = stack.enter_context(writing.record())
        model = stack.enter_context(writing.load())
        write = _writer(talk, output_file, stack)
        tally = _Tally(stack.enter_context(Progress(talk)))
        for row in extract(
            rows,
            output,
            model=model,
            instructions=INSTRUCTIONS if instructions is None else instructions,
            examples=examples,
            sampling=sampling,
            max_tokens=writing.max_tokens,
            seed=writing.seed,
            time_limit=writing.time_limit,
            copy_from_source=copy_from_source,
            on_event=lambda *_: tally.show(),
            evidence=evidence,
        ):
            tally.progress.clear()
            write(row)
            tally.add(row)
    talk.say(tally.summary())
    return ExitStatus.DEAD_LETTERS if tally.without_value else ExitStatus.DONE


class _Tally:
    """Counts rows for the progress line and the summary."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.rows = self.without_value = self.faulty = self.tokens = self.forced = 0
        self._begin = time.monotonic()

    def add(self, row: Row[Any]) -> None:
        self.rows += 1
        self.without_value += not row.ok
        self.faulty += bool(row.faults)
        if row.usage is not None:
            self.tokens += row.usage.tokens
            self.forced += row.usage.forced_tokens

    def show(self) -> None:
        seconds = time.monotonic() - self._begin
        rate = f"{self.rows / seconds:.1f} rows/s, " if seconds > 1 else ""
        self.progress.show(f"{self.rows} rows done, {rate}{self.without_value} without a value")

    def summary(self) -> str:
        share = f"{100 * self.forced // self.tokens} %" if self.tokens else "none"
        text = f"{self.rows} rows, {self.tokens} tokens, {share} forced"
        if self.without_value:
            text += f"; {self.without_value} without a value ({self.faulty} with faults)"
        return text


def _writer(talk: Talk, path: str | None, stack: ExitStack) -> Callable[[Row[Any]], None]:
    """Writes one row at once, whatever happens to the next."""
    from ..generation.result import json_line

    if path is None or path == "-":
        return lambda row: talk.data(json_line(row.to_json()))
    file = stack.enter_context(_opened(path))

    def write(row: Row[Any]) -> None:
        file.write(json_line(row.to_json()) + "\n")
        file.flush()

    return write


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    """The output file; what the system says against it becomes OUTPUT_WRITE."""
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise InputError("OUTPUT_WRITE", what=f"{path}: {(error.strerror or 'failed').lower()}") from None


def _examples(path: str) -> list[tuple[str, Any]]:
    """The examples of a JSON Lines file: objects with a document and an answer."""
    from ..boundary.strictjson import parse
    from ..generation.documents import TextFile

    file = TextFile(path)
    examples = []
    for number, line in enumerate(file.lines(), 1):
        if not line.strip():
            continue
        try:
            record = parse(line.strip()).value
        except DocumentError as error:
            raise _bad_example(file.name, number, error.message.rstrip(".")) from None
        document = record.get("document") if isinstance(record, dict) else None
        if not (isinstance(record, dict) and isinstance(document, str) and set(record) == {"document", "answer"}):
            raise _bad_example(file.name, number, 'an example is an object with "document", a string, and "answer"')
        examples.append((document, record["answer"]))
    return examples


def _bad_example(name: str, number: int, what: str) -> InputError:
    return InputError("INPUT_FORMAT", name=f"{name}, row {number}", what=what)
