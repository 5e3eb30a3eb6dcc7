"""Keywords about arrays: items by position, counts, `contains`, uniqueness.

One function per keyword. Those that apply schemas are generators: they yield an `Apply` and are sent its outcome.
"""

from __future__ import annotations

from .identity import identity
from .keywords_combine import evaluated
from .subschema import Apply, Outcome, Steps, Subschema

__all__ = [
    "additional_items",
    "contains",
    "items",
    "max_items",
    "min_items",
    "prefix_items",
    "unevaluated_items",
    "unique_items",
]


def prefix_items(schemas: list[Subschema], outcome: Outcome) -> Steps:
    """The first items, one schema each."""
    if outcome.node.kind == "array":
        for schema, item in zip(schemas, outcome.node.children(), strict=False):
            outcome.parts.append((yield Apply(schema, item)))


def items(schema: Subschema | list[Subschema], outcome: Outcome) -> Steps:
    """The items after `prefixItems`. A list of schemas is the older spelling of `prefixItems`."""
    if isinstance(schema, list):
        yield from prefix_items(schema, outcome)
    else:
        yield from _rest(schema, len(outcome.schema.arguments.get("prefixItems", ())), "items", outcome)


def additional_items(schema: Subschema, outcome: Outcome) -> Steps:
    """The items after an `items` that is a list (drafts before 2020-12); beside any other it says nothing."""
    first = outcome.schema.arguments.get("items")
    if isinstance(first, list):
        yield from _rest(schema, len(first), "additionalItems", outcome)


def unevaluated_items(schema: Subschema, outcome: Outcome) -> Steps:
    """The items that no other keyword at this place has looked at."""
    if outcome.node.kind != "array":
        return
    seen = evaluated(outcome)
    for item in outcome.node.children():
        if item.index not in seen:
            outcome.parts.append((yield Apply(schema, item)))


def _rest(schema: Subschema, skip: int, keyword: str, outcome: Outcome) -> Steps:
    value = outcome.node.value
    if not isinstance(value, list):
        return
    if schema.raw is False:
        if len(value) > skip:
            outcome.fault("SCHEMA_ITEMS", keyword, length=len(value), limit=skip)
        return
    for position, item in enumerate(outcome.node.children()):
        if position >= skip:
            outcome.parts.append((yield Apply(schema, item)))


def min_items(limit: int, outcome: Outcome) -> None:
    """At least this many items."""
    value = outcome.node.value
    if isinstance(value, list) and len(value) < limit:
        outcome.fault("SCHEMA_ITEMS", "minItems", length=len(value), limit=limit)


def max_items(limit: int, outcome: Outcome) -> None:
    """At most this many items."""
    value = outcome.node.value
    if isinstance(value, list) and len(value) > limit:
        outcome.fault("SCHEMA_ITEMS", "maxItems", length=len(value), limit=limit)


def unique_items(wanted: bool, outcome: Outcome) -> None:
    """No two items are equal. The first pair is reported."""
    if not wanted or outcome.node.kind != "array":
        return
    seen: dict[bytes, int] = {}
    for position, item in enumerate(outcome.node.children()):
        first = seen.setdefault(identity(item), position)
        if first != position:
            outcome.fault("SEMANTIC_UNIQUE", "uniqueItems", first=first, second=position)
            return


def contains(schema: Subschema, outcome: Outcome) -> Steps:
    """The number of items that match is within `minContains` (1 if absent) and `maxContains`."""
    if outcome.node.kind != "array":
        return
    count = 0
    for item in outcome.node.children():
        match = yield Apply(schema, item)
        if match.valid:
            count += 1
            outcome.parts.append(match)
    arguments = outcome.schema.arguments
    least, most = arguments.get("minContains", 1), arguments.get("maxContains")
    if count < least:
        keyword = "minContains" if "minContains" in arguments else "contains"
        outcome.fault("SEMANTIC_CONTAINS", keyword, count=count, limit=least)
    if most is not None and count > most:
        outcome.fault("SEMANTIC_CONTAINS", "maxContains", count=count, limit=most)
