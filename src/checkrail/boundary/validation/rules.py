"""Rules between the parts of a value: predicates with a declared name.

    Rule("adds-up", lambda invoice: invoice["net"] + invoice["tax"] == invoice["total"])

You need them for what no keyword says: a sum, an order of dates. A rule is asked once for each value that its pointer
names, and only where that value has the shape that the schema asks for; a predicate may rely on it. One that fails with
an exception counts as broken: the value is not known to be right. It is given a copy, so it cannot change what it
judges.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ...errors import InputError
from ..document import Node
from ..pointers import split
from .subschema import Finding, Subschema

__all__ = ["Rule", "broken_rules"]

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_SHAPE = "SCHEMA_"  # codes of faults of shape; those of values begin otherwise


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition on a value. name: what faults call it. holds: given the value as plain data, whether it is met.

    at: a JSON pointer to the value; a token `*` stands for every item or member. what: what is wrong where it is
    broken. Raises InputError for a name that is none and a pointer that is none.

    >>> Rule("ordered", lambda trip: trip["from"] <= trip["to"], at="/trips/*")
    <Rule ordered at /trips/*>
    """

    name: str
    holds: Callable[[Any], bool]
    at: str = ""
    what: str = "it does not hold"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            what = "is a lower-case letter, then at most 63 of a-z, 0-9, _ and -"
            raise InputError("INPUT_FORMAT", name="The name of a rule", what=what)
        try:
            split(self.at)
        except ValueError:
            raise InputError("INPUT_FORMAT", name=f"The rule {self.name}", what="at is no JSON pointer") from None

    def nodes(self, root: Node) -> Iterator[Node]:
        """The values that it is about, in the order of the text."""
        found = [root]
        for token in split(self.at):
            found = [child for node in found for child in node.children() if token in ("*", str(child.key))]
        return iter(found)

    def __repr__(self) -> str:
        return f"<Rule {self.name} at {self.at or 'the root'}>"


def broken_rules(
    rules: Iterable[Rule], root: Node, schema: Subschema, findings: Iterable[Finding]
) -> Iterator[Finding]:
    """A finding for each value that a rule does not hold for. findings: what the schema found."""
    misshapen = sorted(finding.node.index for finding in findings if finding.code.startswith(_SHAPE))
    for rule in rules:
        for node in rule.nodes(root):
            first, last = node.index, node.document.columns.lasts[node.index]
            if bisect_left(misshapen, first) < bisect_left(misshapen, last):
                continue
            what = _verdict(rule, node)
            if what is not None:
                yield Finding("SEMANTIC_RULE", "", schema, node, {"rule": rule.name, "what": what})


def _verdict(rule: Rule, node: Node) -> str | None:
    """What is wrong; None where the rule holds."""
    try:
        return None if rule.holds(deepcopy(node.value)) else rule.what
    except Exception:  # of the caller's code; the report must not be lost with it
        return "it could not be decided"
