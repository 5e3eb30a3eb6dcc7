"""`checkrail check`: what is wrong, or worth knowing, about grammars and schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..grammar.coverage import Column, Coverage
from .byte_names import byte_ranges
from .exit_status import ExitStatus
from .grammar_source import Format, GrammarSource, engine_option, profile_option, read_vocabulary
from .lint import Finding, Lint, lint
from .sarif import sarif
from .talk import Talk, talking

if TYPE_CHECKING:
    from ..decoding.constraint import Constraint, EngineName
    from ..grammar.grammar import Contract
    from ..vocabulary.vocabulary import Vocabulary

__all__ = ["command"]

_COLORS = {"error": "red", "warning": "yellow", "note": "blue"}
_COLUMNS: tuple[tuple[Column, str], ...] = (
    ("mask", "in the mask"),
    ("checked", "checked after"),
    ("annotation", "annotation"),
)


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--tokenizer", metavar="FILE", help="Say what this vocabulary cannot write (default: that of the embedded model)."
)
@click.option("--as", "form", type=click.Choice(["gbnf", "lark", "json_schema", "regex"]), help="What the files are.")
@click.option(
    "--contract", type=click.Choice(["visibly-pushdown", "context-free"]), help="Instead of the grammar's own."
)
@click.option(
    "--hosted", type=click.Choice(["openai"]), help="Also say what hosted models refuse in a schema (strict mode)."
)
@click.option("--sarif", "as_sarif", is_flag=True, help="Print the findings of all files as one SARIF document.")
@engine_option
@profile_option
@talking
def command(
    talk: Talk,
    files: tuple[str, ...],
    tokenizer: str | None,
    form: Format | None,
    contract: Contract | None,
    hosted: str | None,
    as_sarif: bool,
    engine: EngineName | None,
    profile: str,
) -> int:
    """Check grammars (.gbnf, .lark) and schemas (.json).

    Errors come with their place and what to do. For a schema, a table says what the mask enforces, what is checked
    after generation, and what is an annotation. The exit status is 1 if there are errors.
    """
    vocabulary = None if tokenizer is None else read_vocabulary(tokenizer)
    if vocabulary is not None and not as_sarif:
        _tell_vocabulary(talk, vocabulary)
    sources = [GrammarSource.read(file, form, profile) for file in files]
    results = [lint(source, vocabulary, contract, hosted=hosted is not None, engine=engine) for source in sources]
    if as_sarif:
        talk.json(sarif(results))
    for result in () if as_sarif else results:
        if talk.as_json:
            talk.json(_as_data(result))
        else:
            _draw(talk, result)
    return ExitStatus.DONE if all(result.ok for result in results) else ExitStatus.NEGATIVE


def _tell_vocabulary(talk: Talk, vocabulary: Vocabulary) -> None:
    """What the vocabulary lacks, whatever the grammar: not every byte string can be written with it."""
    missing = vocabulary.missing_bytes()
    if talk.as_json:
        names = byte_ranges(missing)
        talk.json({"tokenizer": vocabulary.fingerprint, "tokens": vocabulary.size, "bytes_without_token": names})
        return
    text = f"{len(missing)} byte values have no token of their own: {', '.join(byte_ranges(missing))}"
    talk.data(f"tokenizer: {vocabulary.size:,} tokens; " + (text if missing else "every byte has a token of its own"))


def _as_data(result: Lint) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": result.source.name,
        "format": result.source.format,
        "ok": result.ok,
        "findings": [finding.to_json() for finding in result.findings],
    }
    if result.grammar is not None:
        data["coverage"] = [
            {"pointer": e.pointer, "keyword": e.keyword, "column": e.column, "note": e.note}
            for e in result.grammar.coverage
        ]
    if result.constraint is not None and not result.constraint.is_whole:
        data["constraint"] = {"sha256": result.constraint.sha256, "whole": False}
    elif result.constraint is not None:
        report = result.constraint.report
        names = (
            "engine",
            "because",
            "contract",
            "visible",
            "states",
            "transitions",
            "modules",
            "nesting",
            "memory",
            "shortest",
        )
        data["constraint"] = {"sha256": result.constraint.sha256, **{name: getattr(report, name) for name in names}}
    return data


def _draw(talk: Talk, result: Lint) -> None:
    for finding in result.findings:
        talk.data(_finding(talk, result.source.name, finding))
    if result.constraint is not None:
        state = talk.paint("ok", fg="green") if result.ok else "compiles"
        talk.data(f"{result.source.name}: {state}, {_size(result.constraint)}")
    if result.grammar is not None and len(result.grammar.coverage):
        _draw_coverage(talk, result.grammar.coverage)


def _finding(talk: Talk, name: str, finding: Finding) -> str:
    error = finding.error
    place = ""
    if error.position is not None:
        place = f":{error.position.line}:{error.position.column}"
    elif error.pointer is not None:
        place = f" {error.pointer or 'the root'}"
    severity = talk.paint(finding.severity, fg=_COLORS[finding.severity])
    lines = [f"{name}{place}  {severity} {error}"]
    lines += error.render().split("\n")[1:]
    return "\n".join(lines)


def _size(constraint: Constraint) -> str:
    if not constraint.is_whole:
        return "masks on demand; no whole automaton, so no token budget, no report and no file"
    report = constraint.report
    if report.engine == "earley":
        return (
            f"{report.modules} rules over terminals of {report.states:,} states, {report.memory / 1024:.0f} KiB, "
            f"shortest text {report.shortest} bytes; Earley engine, because {report.because}"
        )
    return (
        f"{report.contract}, {report.states:,} states, {report.transitions:,} transitions, {report.modules} modules, "
        f"nesting {report.nesting}, {report.memory / 1024:.0f} KiB, shortest text {report.shortest} bytes"
    )


def _draw_coverage(talk: Talk, coverage: Coverage) -> None:
    """The table: what the mask enforces in one line, the rest row by row with its note."""
    for column, title in _COLUMNS:
        entries = coverage.column(column)
        names = sorted({entry.keyword for entry in entries})
        talk.data(f"  {title:<14} {len(entries):>4}  {', '.join(names)}")
        for entry in entries if column == "checked" or talk.verbose else ():
            note = f": {entry.note}" if entry.note else ""
            talk.data(f"  {'':<14}       {entry.pointer or 'the root'} {entry.keyword}{note}")
