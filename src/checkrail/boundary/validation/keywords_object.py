"""Keywords about objects: declared and further properties, names, counts, dependencies.

One function per keyword. Those that apply schemas are generators: they yield an `Apply` and are sent its outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..document import Node
from .keywords_combine import evaluated
from .subschema import Apply, Outcome, Steps, Subschema

__all__ = [
    "PatternSchema",
    "additional_properties",
    "dependencies",
    "dependent_required",
    "dependent_schemas",
    "max_properties",
    "min_properties",
    "pattern_properties",
    "properties",
    "property_names",
    "required",
    "unevaluated_properties",
]


class PatternSchema(NamedTuple):
    """One entry of `patternProperties`."""

    contains_match: Callable[[str], bool]
    schema: Subschema


def properties(schemas: dict[str, Subschema], outcome: Outcome) -> Steps:
    """Each declared property that is present."""
    for member in _members(outcome):
        schema = schemas.get(str(member.key))
        if schema is not None:
            outcome.parts.append((yield Apply(schema, member)))


def pattern_properties(patterns: list[PatternSchema], outcome: Outcome) -> Steps:
    """Each property whose name a pattern matches."""
    for member in _members(outcome):
        for contains_match, schema in patterns:
            if contains_match(str(member.key)):
                outcome.parts.append((yield Apply(schema, member)))


def additional_properties(schema: Subschema, outcome: Outcome) -> Steps:
    """Each property that neither `properties` nor `patternProperties` beside it names."""
    declared = outcome.schema.arguments.get("properties", {})
    patterns = outcome.schema.arguments.get("patternProperties", ())
    for member in _members(outcome):
        name = str(member.key)
        if name not in declared and not any(entry.contains_match(name) for entry in patterns):
            yield from _further(schema, member, "additionalProperties", outcome)


def unevaluated_properties(schema: Subschema, outcome: Outcome) -> Steps:
    """Each property that no other keyword at this place has looked at."""
    if outcome.node.kind != "object":
        return
    seen = evaluated(outcome)
    for member in _members(outcome):
        if member.index not in seen:
            yield from _further(schema, member, "unevaluatedProperties", outcome)


def _further(schema: Subschema, member: Node, keyword: str, outcome: Outcome) -> Steps:
    if schema.raw is False:
        outcome.fault("SCHEMA_ADDITIONAL", keyword, member.name)
    else:
        outcome.parts.append((yield Apply(schema, member)))


def property_names(schema: Subschema, outcome: Outcome) -> Steps:
    """Each name, as a string."""
    for member in _members(outcome):
        outcome.parts.append((yield Apply(schema, member.name)))


def required(names: tuple[str, ...], outcome: Outcome) -> None:
    """Each of these properties is there."""
    value = outcome.node.value
    if isinstance(value, dict):
        for name in names:
            if name not in value:
                outcome.fault("SCHEMA_REQUIRED", "required", name=name)


def min_properties(limit: int, outcome: Outcome) -> None:
    """At least this many properties."""
    value = outcome.node.value
    if isinstance(value, dict) and len(value) < limit:
        outcome.fault("SCHEMA_PROPERTIES", "minProperties", length=len(value), limit=limit)


def max_properties(limit: int, outcome: Outcome) -> None:
    """At most this many properties."""
    value = outcome.node.value
    if isinstance(value, dict) and len(value) > limit:
        outcome.fault("SCHEMA_PROPERTIES", "maxProperties", length=len(value), limit=limit)


def dependent_required(needs: dict[str, tuple[str, ...]], outcome: Outcome) -> None:
    """If a property is there, so are these others."""
    for name, others in needs.items():
        _depend(name, others, "dependentRequired", outcome)


def _depend(name: str, others: tuple[str, ...], keyword: str, outcome: Outcome) -> None:
    value = outcome.node.value
    if isinstance(value, dict) and name in value:
        for other in others:
            if other not in value:
                outcome.fault("SEMANTIC_DEPENDENT", keyword, name=name, needs=other)


def dependent_schemas(schemas: dict[str, Subschema], outcome: Outcome) -> Steps:
    """If a property is there, the object satisfies its schema."""
    value = outcome.node.value
    if isinstance(value, dict):
        for name, schema in schemas.items():
            if name in value:
                outcome.parts.append((yield Apply(schema, outcome.node)))


def dependencies(needs: dict[str, tuple[str, ...] | Subschema], outcome: Outcome) -> Steps:
    """The older spelling of `dependentRequired` and `dependentSchemas` in one."""
    for name, need in needs.items():
        if isinstance(need, Subschema):
            yield from dependent_schemas({name: need}, outcome)
        else:
            _depend(name, need, "dependencies", outcome)


def _members(outcome: Outcome) -> Iterator[Node]:
    return outcome.node.children() if outcome.node.kind == "object" else iter(())
