"""Keywords that combine schemas on one value: references, `allOf`, `anyOf`, `oneOf`, `not`, `if`.

One function per keyword; all are generators that yield an `Apply` and are sent its outcome. When no branch of
`anyOf` or `oneOf` holds, and all but one are clearly meant for something else (another type, another
discriminator), the faults inside that one are reported: "expected string at /items/0/name" says more than
"no branch matches".
"""

from __future__ import annotations

from .dynamic import DynamicReference
from .subschema import Apply, Outcome, Steps, Subschema

__all__ = ["all_of", "any_of", "dynamic_ref", "evaluated", "if_", "not_", "one_of", "ref"]


def ref(schema: Subschema, outcome: Outcome) -> Steps:
    """The schema that is referred to."""
    outcome.parts.append((yield Apply(schema, outcome.node)))


def dynamic_ref(reference: DynamicReference, outcome: Outcome) -> Steps:
    """The schema that is referred to in this scope."""
    outcome.parts.append((yield Apply(reference.target(outcome.scope), outcome.node)))


def all_of(schemas: list[Subschema], outcome: Outcome) -> Steps:
    """Every branch holds."""
    for schema in schemas:
        outcome.parts.append((yield Apply(schema, outcome.node)))


def any_of(schemas: list[Subschema], outcome: Outcome) -> Steps:
    """At least one branch holds."""
    branches = []
    for schema in schemas:
        branches.append((yield Apply(schema, outcome.node)))
    matches = [branch for branch in branches if branch.valid]
    if matches:
        outcome.parts.extend(matches)
    else:
        _none(branches, "anyOf", outcome)


def one_of(schemas: list[Subschema], outcome: Outcome) -> Steps:
    """Exactly one branch holds."""
    branches = []
    for schema in schemas:
        branches.append((yield Apply(schema, outcome.node)))
    matches = [branch for branch in branches if branch.valid]
    outcome.parts.extend(matches)
    if len(matches) > 1:
        outcome.fault("SCHEMA_ONEOF", "oneOf", count=len(matches))
    elif not matches:
        _none(branches, "oneOf", outcome)


def _none(branches: list[Outcome], keyword: str, outcome: Outcome) -> None:
    """No branch holds: blame the only one that the value can have been meant for, else the keyword."""
    meant = [branch for branch in branches if not _misses(branch)]
    if len(meant) == 1:
        outcome.parts.append(meant[0])
    else:
        outcome.fault("SCHEMA_ONEOF", keyword, count=0)


def _misses(branch: Outcome) -> bool:
    """True if the value has another type than the branch wants, or another constant in a direct property."""
    here = branch.node
    for outcome in branch.in_place():
        if outcome.schema.raw is False or any(f.code in ("SCHEMA_TYPE", "SCHEMA_ENUM") for f in outcome.findings):
            return True
        for part in outcome.parts:
            if part.node != here and any(f.keyword == "const" for f in part.findings):
                return True
    return False


def not_(schema: Subschema, outcome: Outcome) -> Steps:
    """The schema does not hold."""
    forbidden = yield Apply(schema, outcome.node)
    if forbidden.valid:
        outcome.fault("SCHEMA_NOT", "not")


def if_(schema: Subschema, outcome: Outcome) -> Steps:
    """`then` where the condition holds, `else` where it does not."""
    condition = yield Apply(schema, outcome.node)
    if condition.valid:
        outcome.parts.append(condition)
    branch = outcome.schema.arguments.get("then" if condition.valid else "else")
    if branch is not None:
        outcome.parts.append((yield Apply(branch, outcome.node)))


def evaluated(outcome: Outcome) -> set[int]:
    """The children that a keyword at this place, or in a schema that holds here, has looked at.

    A schema that does not hold here is either no part of the outcome, or makes the whole of it invalid anyway.
    """
    here = outcome.node
    return {
        part.node.index
        for whole in outcome.in_place()
        for part in whole.parts
        if part.node != here and not part.node.is_key
    }
