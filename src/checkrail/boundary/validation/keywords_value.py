"""Keywords about one value by itself: its type, the values allowed, strings and numbers.

One function per keyword, named as the keyword is; a keyword that says nothing about a value's type passes it.
Lengths count code points. Numbers are compared as they are written, without rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..document import Node
from .exact import Exact
from .identity import identity
from .subschema import Outcome

__all__ = [
    "Format",
    "const",
    "enum",
    "exclusive_maximum",
    "exclusive_minimum",
    "format_",
    "max_length",
    "maximum",
    "min_length",
    "minimum",
    "multiple_of",
    "pattern",
    "type_",
]


class Format(NamedTuple):
    """A format's name, its test, and the keyword that asks for it."""

    name: str
    check: Callable[[str], bool]
    keyword: str = "format"


def type_(allowed: tuple[str, ...], outcome: Outcome) -> None:
    """The value has one of these types; 1.0 is an integer."""
    node = outcome.node
    if node.kind in allowed or ("integer" in allowed and _is_integer(node)):
        return
    found = "integer" if _is_integer(node) else node.kind
    outcome.fault("SCHEMA_TYPE", "type", expected=" or ".join(allowed), found=found)


def enum(allowed: frozenset[bytes], outcome: Outcome) -> None:
    """The value equals one of these."""
    if identity(outcome.node) not in allowed:
        outcome.fault("SCHEMA_ENUM", "enum", count=len(allowed))


def const(allowed: bytes, outcome: Outcome) -> None:
    """The value equals this one."""
    if identity(outcome.node) != allowed:
        outcome.fault("SCHEMA_ENUM", "const", count=1)


def min_length(limit: int, outcome: Outcome) -> None:
    """A string has at least this many code points."""
    value = outcome.node.value
    if isinstance(value, str) and len(value) < limit:
        outcome.fault("SCHEMA_LENGTH", "minLength", length=len(value), limit=limit)


def max_length(limit: int, outcome: Outcome) -> None:
    """A string has at most this many code points."""
    value = outcome.node.value
    if isinstance(value, str) and len(value) > limit:
        outcome.fault("SCHEMA_LENGTH", "maxLength", length=len(value), limit=limit)


def pattern(contains_match: Callable[[str], bool], outcome: Outcome) -> None:
    """The regular expression matches somewhere in the string."""
    value = outcome.node.value
    if isinstance(value, str) and not contains_match(value):
        outcome.fault("SCHEMA_PATTERN", "pattern")


def format_(form: Format, outcome: Outcome) -> None:
    """A string has the format, or is in the grammar of `x-grammar`."""
    value = outcome.node.value
    if isinstance(value, str) and not form.check(value):
        outcome.fault("SEMANTIC_FORMAT", form.keyword, format=form.name)


def minimum(limit: Exact, outcome: Outcome) -> None:
    """A number is at least this, or above it if draft 4's `exclusiveMinimum: true` stands beside."""
    strict = outcome.schema.raw.get("exclusiveMinimum") is True
    _bound("minimum", outcome, lambda number: number.compare(limit) > -1 + strict)


def maximum(limit: Exact, outcome: Outcome) -> None:
    """A number is at most this, or below it if draft 4's `exclusiveMaximum: true` stands beside."""
    strict = outcome.schema.raw.get("exclusiveMaximum") is True
    _bound("maximum", outcome, lambda number: number.compare(limit) < 1 - strict)


def exclusive_minimum(limit: Exact, outcome: Outcome) -> None:
    """A number is above this."""
    _bound("exclusiveMinimum", outcome, lambda number: number.compare(limit) > 0)


def exclusive_maximum(limit: Exact, outcome: Outcome) -> None:
    """A number is below this."""
    _bound("exclusiveMaximum", outcome, lambda number: number.compare(limit) < 0)


def multiple_of(divisor: Exact, outcome: Outcome) -> None:
    """A number divided by this is an integer."""
    if outcome.node.kind == "number" and not outcome.node.exact.is_multiple_of(divisor):
        outcome.fault("SEMANTIC_MULTIPLE", "multipleOf", limit=outcome.schema.raw["multipleOf"])


def _bound(keyword: str, outcome: Outcome, holds: Callable[[Exact], bool]) -> None:
    if outcome.node.kind == "number" and not holds(outcome.node.exact):
        outcome.fault("SEMANTIC_RANGE", keyword, limit=outcome.schema.raw[keyword])


def _is_integer(node: Node) -> bool:
    return node.kind == "number" and node.exact.is_integer
