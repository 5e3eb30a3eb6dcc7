"""A schema that was read, and what became of a value under it.

`Subschema` is one schema object with its keywords' arguments already checked and converted; `Outcome` is one
subschema applied to one value. Keywords (the `keywords_*` modules) fill outcomes in; `validate` drives them.
Outcomes refer to the outcomes that they consist of, so faults, the properties that were evaluated, and source
spans are all read off one structure afterwards.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..document import Node
from ..pointers import join
from .dynamic import Scope

__all__ = ["Apply", "Finding", "Outcome", "Steps", "Subschema"]


@dataclass(slots=True, eq=False, repr=False)
class Subschema:
    """One schema: `raw` as written, `arguments` by keyword. Not changed once it was read.

    number: its position in the order of reading. base: the URI that its references are relative to. dynamic: of the
    root of a document with dynamic references, the names of the dynamic anchors of each resource.
    """

    number: int
    raw: Any
    parent: Subschema | None
    tokens: tuple[str | int, ...]  # from the parent to here
    base: str
    arguments: dict[str, Any] = field(default_factory=dict)
    dynamic: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def pointer(self) -> str:
        """Where it stands in the schema."""
        chain: list[tuple[str | int, ...]] = []
        here: Subschema | None = self
        while here is not None:
            chain.append(here.tokens)
            here = here.parent
        return join(token for tokens in reversed(chain) for token in tokens)

    def __repr__(self) -> str:
        return f"<Subschema {self.pointer or 'the root'}: {', '.join(self.arguments) or self.raw}>"


class Finding(NamedTuple):
    """A fault before it is written out."""

    code: str
    keyword: str
    schema: Subschema
    node: Node
    params: dict[str, Any]


class Apply(NamedTuple):
    """What a keyword asks the driver for: the outcome of `schema` on `node`."""

    schema: Subschema
    node: Node


Steps = Generator[Apply, "Outcome", None]


@dataclass(slots=True, eq=False, repr=False)
class Outcome:
    """`schema` applied to `node`. It is valid if it found nothing and all its parts are valid.

    parts: the outcomes that must hold for this one to hold (of `anyOf`, only the branches that do). scope: the dynamic
    scope, see `dynamic`.
    """

    schema: Subschema
    node: Node
    findings: list[Finding] = field(default_factory=list)
    parts: list[Outcome] = field(default_factory=list)
    valid: bool = True
    scope: Scope = ()

    def fault(self, code: str, keyword: str, node: Node | None = None, **params: Any) -> None:
        """Record that `keyword` is violated, at this value unless another `node` is to blame."""
        self.findings.append(Finding(code, keyword, self.schema, node or self.node, params))

    def conclude(self) -> None:
        """All keywords have been applied: settle whether the value is valid."""
        self.valid = not self.findings and all(part.valid for part in self.parts)

    def in_place(self) -> Iterator[Outcome]:
        """This outcome and its parts, and theirs, that are about the same value."""
        seen = {id(self)}
        stack = [self]
        while stack:
            outcome = stack.pop()
            yield outcome
            for part in outcome.parts:
                if part.node == self.node and id(part) not in seen:
                    seen.add(id(part))
                    stack.append(part)

    def everywhere(self) -> Iterator[Outcome]:
        """This outcome and all its parts at every depth, each once."""
        seen = {id(self)}
        stack = [self]
        while stack:
            outcome = stack.pop()
            yield outcome
            for part in outcome.parts:
                if id(part) not in seen:
                    seen.add(id(part))
                    stack.append(part)
