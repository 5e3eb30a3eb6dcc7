"""What can be said about a grammar or schema before it runs: the findings of `checkrail check`.

A finding is an error (it cannot be used), a warning (it can, but is hardly meant so) or a note. The order of work
is that of the pipeline: parse, unused rules, compile, then what the vocabulary can and cannot write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ..errors import Error, GrammarError, SchemaError, VocabularyError
from .byte_names import byte_ranges
from .grammar_source import GrammarSource, compiled

if TYPE_CHECKING:
    from ..decoding.constraint import Constraint, EngineName
    from ..grammar.grammar import Contract, Grammar
    from ..vocabulary.vocabulary import Vocabulary

__all__ = ["Finding", "Lint", "lint"]

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. error carries the code, the place and the advice."""

    severity: Severity
    error: Error

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"severity": self.severity, **self.error.to_json(), "advice": self.error.advice}


@dataclass(slots=True)
class Lint:
    """All that was found about one source. grammar and constraint are None where it did not come so far."""

    source: GrammarSource
    findings: list[Finding] = field(default_factory=list)
    grammar: Grammar | None = None
    constraint: Constraint | None = None

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.severity != "error" for finding in self.findings)


def lint(
    source: GrammarSource,
    vocabulary: Vocabulary | None,
    contract: Contract | None,
    *,
    hosted: bool = False,
    engine: EngineName | None = None,
) -> Lint:
    """Examine a source. Bad grammars are findings; only what is wrong with the call itself is raised.

    hosted: also what hosted models refuse in a schema, as warnings.
    """
    from ..grammar.grammar import NoRules

    result = Lint(source)
    try:
        result.grammar = source.grammar()
        if not isinstance(result.grammar.rules, NoRules):
            result.findings += _warnings(result.grammar)
        result.findings += _narrower(result.grammar)
        result.constraint = compiled(result.grammar, vocabulary, contract, engine)
    except GrammarError as error:
        result.findings += [Finding("error", each) for each in _with_others(source, error)]
        result.findings += _open_profile(source, error, engine)
        return result
    if hosted and source.format == "json_schema":
        result.findings += _hosted(source)
    if vocabulary is not None and result.constraint.is_whole:
        result.findings += _unwritable(result.constraint, vocabulary)
    return result


def _with_others(source: GrammarSource, error: GrammarError) -> list[GrammarError]:
    """An error, and what else is refused in the same schema: whoever mends it sees all places at once."""
    if source.format != "json_schema" or source.profile != "strict" or not isinstance(error, SchemaError):
        return [error]
    from ..json_schema.to_grammar import strict_refusals

    try:
        found = strict_refusals(source.text)
    except GrammarError:
        return [error]
    known = {(each.code, each.pointer, str(each)): each for each in (error, *found)}
    return list(known.values())


def _open_profile(source: GrammarSource, error: GrammarError, engine: EngineName | None) -> Iterator[Finding]:
    """A hint where what the strict profile refuses can be had in the open one."""
    if source.format != "json_schema" or source.profile != "strict" or not isinstance(error, SchemaError):
        return
    try:
        compiled(replace(source, profile="open").grammar(), None, engine=engine)
    except GrammarError:
        return
    yield Finding("note", SchemaError("LINT_OPEN_PROFILE"))


def _narrower(grammar: Grammar) -> Iterator[Finding]:
    """Where the mask leaves out values that the schema allows."""
    from ..json_schema.ledger import EQUAL_ITEMS

    for entry in grammar.coverage:
        if entry.note == EQUAL_ITEMS:
            yield Finding("note", SchemaError("LINT_EQUAL_ITEMS", pointer=f"{entry.pointer}/{entry.keyword}"))


def _hosted(source: GrammarSource) -> Iterator[Finding]:
    from ..json_schema.hosted import hosted_faults

    for error in hosted_faults(source.text):
        yield Finding("warning", error)


def _warnings(grammar: Grammar) -> Iterator[Finding]:
    from ..grammar.analyze import warnings

    for error in warnings(grammar):
        yield Finding("warning", error)


def _unwritable(constraint: Constraint, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Bytes of the grammar that the vocabulary has in no token, or only inside longer ones."""
    alphabet = _alphabet(constraint)
    nowhere = alphabet & set(vocabulary.uncovered_bytes())
    severity: Severity = "warning" if constraint.matcher().allowed(1) else "error"
    for name in byte_ranges(nowhere):
        yield Finding(severity, VocabularyError("VOCAB_UNCOVERED", byte=name))
    inside = (alphabet & set(vocabulary.missing_bytes())) - nowhere
    if inside:
        names = ", ".join(byte_ranges(inside))
        yield Finding("note", VocabularyError("VOCAB_BYTES_MISSING", count=len(inside), bytes=names))


def _alphabet(constraint: Constraint) -> set[int]:
    """The bytes that occur in some text of the grammar."""
    from ..earley.engine import EarleyEngine

    if isinstance(constraint.engine, EarleyEngine):
        return constraint.engine.alphabet
    automaton = constraint.automaton
    classes: list[set[int]] = [set() for _ in automaton.names]
    for state, module in enumerate(automaton.module_of):
        row = automaton.row_of[state]
        classes[module].update(c for c in range(automaton.widths[module]) if automaton.next_state[row + c] >= 0)
    return {
        byte
        for module, class_map in enumerate(automaton.class_maps)
        for byte, letter in enumerate(class_map)
        if letter in classes[module]
    }
