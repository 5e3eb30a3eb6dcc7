"""Checking a value against a schema, and an output against a schema and its documents.

You need this after generation: the mask guarantees the shape, the check says whether the values are right, with
every fault and its place in the output. It is complete in itself and knows nothing of masks, so it also serves for
text that was not generated under one: tool results, edits by hand, other engines' output.

The driver runs keywords as coroutines on a stack of its own, so neither deep values nor deep schemas meet Python's
recursion limit. Each pair of schema and value is applied once (once for each dynamic scope, where references depend on
it) and remembered: the work is at most O(schemas x values), whatever the references.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from ..errors import DocumentError, InputError
from .binding.derived import derived_values
from .binding.source import Source, read_sources
from .document import DEFAULT_MAX_DEPTH, Document, Json, Node, document_from_value
from .pointers import escape
from .spans import bind
from .strictjson import DEFAULT_MAX_BYTES, LARGEST_INTEGER, parse
from .validation.dynamic import Scope, Scopes
from .validation.keywords import KEYWORDS
from .validation.patterns import Matches, matches
from .validation.report import Fault, Report
from .validation.rules import Rule, broken_rules
from .validation.schema_reader import read_schema
from .validation.subschema import Finding, Outcome, Steps, Subschema

__all__ = ["check_output", "evaluate", "validate"]

Schema = Subschema | dict[str, Any] | bool | str | bytes


def check_output(
    raw: str | bytes,
    schema: Schema,
    *,
    documents: Mapping[str, str | bytes | Source] | None = None,
    rules: Iterable[Rule] = (),
    format_assertion: bool = True,
    limit: int = 100,
    max_depth: int = DEFAULT_MAX_DEPTH,
    max_bytes: int = DEFAULT_MAX_BYTES,
    big_integers: bool | None = None,
    matches: Matches = matches,
) -> Report:
    """Read an output strictly, validate it, and bind its values to the documents. Never raises for a bad output.

    documents: the sources of `x-source`, by id. rules: conditions beyond the schema. limit: how many faults are
    written out. big_integers: None allows integers beyond 2**53 - 1 where the schema names such an integer itself.

    Raises `SchemaError` for a bad schema and `InputError` for a bad document.

    >>> report = check_output('{"age": 999}', {"properties": {"age": {"maximum": 120}}})
    >>> report.faults[0].code, report.faults[0].pointer, report.faults[0].output_span
    ('SEMANTIC_RANGE', '/age', (8, 11))
    """
    read = read_schema(schema, format_assertion=format_assertion, matches=matches)
    sources = read_sources(documents)
    if big_integers is None:
        big_integers = _names_big_integer(read.raw)
    try:
        document = parse(raw, max_depth=max_depth, max_bytes=max_bytes, big_integers=big_integers)
    except DocumentError as error:
        return Report(raw, None, (_reading_fault(error),))
    return _report(raw, document, read, sources, rules, limit)


def validate(
    value: Document | Json,
    schema: Schema,
    *,
    documents: Mapping[str, str | bytes | Source] | None = None,
    rules: Iterable[Rule] = (),
    format_assertion: bool = True,
    limit: int = 100,
    matches: Matches = matches,
) -> Report:
    """Check a value that is there already: a `Document`, or plain Python data (which has no output spans).

    The parameters are those of `check_output`. Raises `SchemaError`, `InputError`, and `DocumentError` for data
    that JSON cannot hold.
    """
    read = read_schema(schema, format_assertion=format_assertion, matches=matches)
    document = value if isinstance(value, Document) else document_from_value(value)
    return _report(document.text, document, read, read_sources(documents), rules, limit)


def evaluate(schema: Subschema, node: Node) -> Outcome:
    """Apply a schema to a value."""
    outcomes: dict[tuple[int, int, bool, Scope], Outcome] = {}
    scopes = Scopes(schema.dynamic)
    root = Outcome(schema, node, scope=scopes.enter((), schema))
    stack = [(root, _keywords(root))]
    received: Outcome | None = None
    while stack:
        outcome, steps = stack[-1]
        try:
            request = steps.send(received)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration:
            outcome.conclude()
            stack.pop()
            received = outcome
            continue
        scope = scopes.enter(outcome.scope, request.schema) if schema.dynamic else ()
        key = (request.schema.number, request.node.index, request.node.is_key, scope)
        received = outcomes.get(key)
        if received is None:
            outcomes[key] = Outcome(request.schema, request.node, scope=scope)
            stack.append((outcomes[key], _keywords(outcomes[key])))
    return root


def _keywords(outcome: Outcome) -> Steps:
    """Apply each keyword of the outcome's schema."""
    if outcome.schema.raw is False:
        outcome.fault("SCHEMA_FALSE", "")
    for word, argument in outcome.schema.arguments.items():
        keyword = KEYWORDS[word]
        if keyword.check is not None:
            keyword.check(argument, outcome)
        elif keyword.steps is not None:
            yield from keyword.steps(argument, outcome)


def _report(
    raw: str | bytes | None,
    document: Document,
    schema: Subschema,
    sources: Mapping[str, Source],
    rules: Iterable[Rule],
    limit: int,
) -> Report:
    if limit < 1:
        raise InputError("INPUT_FORMAT", name="limit", what="at least one fault is written out")
    outcome = evaluate(schema, document.root)
    bindings = bind(outcome, sources)
    findings = list(chain(chain.from_iterable(part.findings for part in outcome.everywhere()), bindings.findings))
    findings += list(broken_rules(rules, document.root, schema, findings))
    faults = tuple(map(_fault, heapq.nsmallest(limit, findings, key=_order)))
    more = len(findings) - len(faults)
    return Report(raw, document, faults, more, bindings.spans, bindings.absent, derived_values(outcome))


def _order(finding: Finding) -> tuple[int, str, int, str]:
    """By place in the output, then code; rows stand in the output's order where there is no text."""
    span = finding.node.span
    return span[0] if span else finding.node.index, finding.code, finding.schema.number, finding.keyword


def _fault(finding: Finding) -> Fault:
    if finding.code == "SEMANTIC_RULE":  # of no keyword
        return Fault(finding.code, finding.node.pointer, params=finding.params, output_span=finding.node.span)
    where = finding.schema.pointer + (f"/{escape(finding.keyword)}" if finding.keyword else "")
    return Fault(finding.code, finding.node.pointer, finding.keyword, where, finding.params, finding.node.span)


def _reading_fault(error: DocumentError) -> Fault:
    params = error.to_json()["params"]
    span = None
    if error.position is not None:
        span = (error.position.offset, error.position.offset)
        params.setdefault("offset", error.position.offset)
    if error.expected:
        params["expected"] = list(error.expected)
    return Fault(error.code, error.pointer or "", params=params, output_span=span)


def _names_big_integer(raw: Any) -> bool:
    """True if the schema itself names an integer that a double may not hold: then such integers are meant."""
    waiting: list[Iterable[Any]] = [[raw]]
    seen: set[int] = set()
    while waiting:
        for item in waiting.pop():
            if isinstance(item, int) and abs(item) > LARGEST_INTEGER:
                return True
            if isinstance(item, (dict, list)) and id(item) not in seen:
                seen.add(id(item))
                waiting.append(item.values() if isinstance(item, dict) else item)
    return False
