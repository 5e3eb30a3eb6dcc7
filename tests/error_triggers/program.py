"""Triggers of what the command line finds and says: INPUT_*, OUTPUT_*, the findings of `checkrail check`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from unittest import mock

from checkrail import Constraint, Grammar, Limits, Vocabulary, check_output, compile, read_evidence
from checkrail.boundary.evidence.codec import to_plain
from checkrail.boundary.evidence.types import Record
from checkrail.cli.grammar_source import GrammarSource
from checkrail.cli.lint import lint
from checkrail.cli.talk import Talk
from error_triggers import Trigger
from error_triggers.grammar import BYTES


def schema_findings(schema: str, profile: str) -> Trigger:
    """The last of what it finds in a schema."""
    source = GrammarSource("argument", schema, "json_schema", profile)
    return lambda: lint(source, None, None).findings[-1].error


def findings(text: str, *tokens: bytes) -> Trigger:
    """What `checkrail check` finds in a GBNF text, for a vocabulary of these tokens."""

    def run() -> object:
        vocabulary = Vocabulary.from_bytes([*tokens, b"<end>"], eos=len(tokens)) if tokens else None
        return [finding.error for finding in lint(GrammarSource("argument", text, "gbnf"), vocabulary, None).findings]

    return run


def full_disk() -> object:
    with mock.patch.object(sys, "stdout", mock.Mock(write=mock.Mock(side_effect=OSError(28, "No space left")))):
        Talk().data("a row")
    return None


def foreign_evidence() -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.jsonl")
        path.write_text("{}\n", encoding="utf-8")
        return list(read_evidence(path))


TRIGGERS: dict[str, Trigger] = {
    "GRAMMAR_UNREACHABLE": findings('root ::= "a"\nunused ::= "b"'),
    "VOCAB_UNCOVERED": findings('root ::= "ab"', b"a"),
    "VOCAB_BYTES_MISSING": findings('root ::= "ab"', b"ab"),
    "LINT_OPEN_PROFILE": schema_findings('{"type": "object", "patternProperties": {"a": {}}}', "strict"),
    "LINT_EQUAL_ITEMS": schema_findings('{"not": {"type": "array", "uniqueItems": true}}', "open"),
    "INPUT_MISSING": lambda: Vocabulary.from_file("no-such-file"),
    "INPUT_UNREADABLE": lambda: Vocabulary.from_file("/"),
    "INPUT_ENCODING": lambda: check_output("1", True, documents={"doc": b"\xff"}),
    "INPUT_FORMAT": lambda: Limits(states=0),
    "CONSTRAINT_ENGINE": lambda: compile(Grammar.from_gbnf('root ::= "a"'), BYTES, engine="earley").automaton,
    "CONSTRAINT_FORMAT": lambda: Constraint.deserialize_json("{}", BYTES),
    "EVIDENCE_FORMAT": foreign_evidence,
    "EVIDENCE_TYPE": lambda: to_plain(Record()),
    "OUTPUT_WRITE": full_disk,
}
