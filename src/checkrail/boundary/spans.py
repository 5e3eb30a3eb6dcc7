"""Binding values to their sources: `x-source` and `x-overlap`.

You need this for extraction: a value that the model copied from a document gets the place where it stands, found
by the host after generation; the model never writes an offset. A value that is nowhere is a fault, and so is
one that stands in several places when the rule asks for one. Nothing is guessed.

Rules are read off the outcome of validation, so a rule in a branch of `anyOf` that does not hold binds nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from .binding.source import Source
from .binding.source_rule import SourceRule
from .document import Node
from .validation.report import Span
from .validation.subschema import Finding, Outcome

__all__ = ["COUNTED_OCCURRENCES", "Bindings", "bind"]

COUNTED_OCCURRENCES = 1_000
_SHOWN_CANDIDATES = 16

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bindings:
    """What `bind` found: spans in the order of the output, faults, and how many values were null."""

    spans: tuple[Span, ...] = ()
    findings: tuple[Finding, ...] = ()
    absent: int = 0


def bind(outcome: Outcome, sources: Mapping[str, Source]) -> Bindings:
    """Bind every value that an `x-source` of the outcome applies to."""
    requests = []
    overlaps = []
    for part in outcome.everywhere():
        if "x-source" in part.schema.arguments and not part.node.is_key:
            requests.append(part)
        if "x-overlap" in part.schema.arguments and part.node.kind in ("object", "array"):
            overlaps.append(part)
    requests.sort(key=_order)
    binder = _Binder(sources)
    # A value near its sibling waits for the sibling.
    for request in sorted(requests, key=lambda part: _rule(part).occurrence == "near"):
        binder.bind(request)
    spans = sorted(binder.bound.values(), key=lambda bound: _order(bound.outcome))
    for part in sorted(overlaps, key=_order):
        binder.findings.extend(_overlapping(part, spans))
    return Bindings(tuple(bound.span() for bound in spans), tuple(binder.findings), binder.absent)


def _order(part: Outcome) -> tuple[int, int]:
    return part.node.index, part.schema.number


def _rule(part: Outcome) -> SourceRule:
    rule: SourceRule = part.schema.arguments["x-source"]
    return rule


@dataclass(frozen=True, slots=True)
class _Bound:
    outcome: Outcome
    source: Source
    place: _Place
    mode: str
    count: int

    def span(self) -> Span:
        node = self.outcome.node
        start, end = self.place
        return Span(
            pointer=node.pointer,
            doc=self.source.id,
            doc_sha256=self.source.sha256,
            start=start,
            end=end,
            start_byte=self.source.byte(start),
            end_byte=self.source.byte(end),
            match=self.mode,
            occurrences=self.count,
            output_span=node.span,
        )


@dataclass(slots=True)
class _Binder:
    """Binds one value after the other and remembers what later ones depend on."""

    sources: Mapping[str, Source]
    bound: dict[tuple[int, int], _Bound] = field(default_factory=dict)
    places: dict[tuple[int, str], _Place] = field(default_factory=dict)  # by row and document, for `near`
    ends: dict[tuple[int, int], int] = field(default_factory=dict)  # by array and schema, for `ordered`
    findings: list[Finding] = field(default_factory=list)
    absent: int = 0

    def bind(self, part: Outcome) -> None:
        rule, value = _rule(part), part.node.value
        if value is None:
            self.absent += 1
            return
        if not isinstance(value, str):
            return  # another type of the same property; the keyword speaks of strings only
        source = self.sources.get(rule.doc)
        if not value.strip():
            self.fault(part, "SEMANTIC_SPAN_EMPTY")
        elif source is None:
            self.fault(part, "SEMANTIC_SPAN_DOCUMENT", doc=rule.doc)
        else:
            self.search(part, rule, value, source)

    def search(self, part: Outcome, rule: SourceRule, value: str, source: Source) -> None:
        """Try the modes in turn; the first that hits decides."""
        anchor = self.anchor(part, rule)
        after = self.ends.get(_series(part), 0) if rule.occurrence == "ordered" else 0
        hits = 0
        for mode in rule.match:
            found = source.find(value, mode, boundary=rule.boundary)
            if anchor is not None:
                place, count = _nearest(found, anchor)
            elif rule.occurrence in ("unique", "near"):
                places = list(islice(found, COUNTED_OCCURRENCES))
                if len(places) > 1:
                    self.ambiguous(part, rule, places)
                    return
                place, count = next(iter(places), None), len(places)
            else:
                place, count = _first(found, after)
            if place is not None:
                self.accept(_Bound(part, source, place, mode, count))
                return
            hits += count
        # What was found but not taken stands before the previous item.
        self.fault(part, "SEMANTIC_SPAN_ORDER" if hits else "SEMANTIC_SPAN_NOT_FOUND", doc=rule.doc)

    def accept(self, bound: _Bound) -> None:
        part = bound.outcome
        self.bound[_order(part)] = bound
        self.places.setdefault((part.node.index, bound.source.id), bound.place)
        self.ends[_series(part)] = bound.place[1]

    def anchor(self, part: Outcome, rule: SourceRule) -> _Place | None:
        """The place of the sibling that a value should be near to, if it has one in the same document."""
        parent = part.node.parent if rule.near else None
        if parent is None or parent.kind != "object":
            return None
        for sibling in parent.children():
            if sibling.key == rule.near:
                return self.places.get((sibling.index, rule.doc))
        return None

    def ambiguous(self, part: Outcome, rule: SourceRule, places: list[_Place]) -> None:
        candidates = [list(place) for place in places[:_SHOWN_CANDIDATES]]
        self.fault(part, "SEMANTIC_SPAN_AMBIGUOUS", doc=rule.doc, count=len(places), candidates=candidates)

    def fault(self, part: Outcome, code: str, **params: object) -> None:
        self.findings.append(Finding(code, "x-source", part.schema, part.node, params))


def _series(part: Outcome) -> tuple[int, int]:
    """What `ordered` orders: the values of one rule within the nearest array around them."""
    node = part.node.parent
    while node is not None and node.kind != "array":
        node = node.parent
    return (-1 if node is None else node.index, part.schema.number)


def _first(places: Iterator[_Place], after: int) -> tuple[_Place | None, int]:
    """The first place at or after an offset, and how many places there are, counted up to a bound."""
    counted = list(islice(places, COUNTED_OCCURRENCES))
    return next((place for place in chain(counted, places) if place[0] >= after), None), len(counted)


def _nearest(places: Iterable[_Place], anchor: _Place) -> tuple[_Place | None, int]:
    """The place closest to the anchor, the earlier of two, and how many places there are."""
    best, distance, count = None, 0, 0
    for place in places:
        gap = max(0, place[0] - anchor[1], anchor[0] - place[1])
        if best is None or gap < distance:
            best, distance = place, gap
        count += 1
    return best, min(count, COUNTED_OCCURRENCES)


def _overlapping(part: Outcome, spans: list[_Bound]) -> Iterator[Finding]:
    """A fault for each span under `part` that overlaps an earlier one of another child, by a sweep over the source."""
    starts = [child.index for child in part.node.children()]
    last = part.node.document.columns.lasts[part.node.index]
    inside = [bound for bound in spans if part.node.index < bound.outcome.node.index < last]
    reach: dict[str, list[tuple[int, int, Node]]] = {}  # by document: furthest end, child; of two different children
    for bound in sorted(inside, key=lambda bound: (bound.source.id, bound.place)):
        node = bound.outcome.node
        child = bisect_left(starts, node.index + 1)
        furthest = reach.setdefault(bound.source.id, [])
        other = next((entry for entry in furthest if entry[1] != child and entry[0] > bound.place[0]), None)
        if other is not None:
            params = {"doc": bound.source.id, "other": other[2].pointer}
            yield Finding("SEMANTIC_SPAN_OVERLAP", "x-overlap", part.schema, node, params)
        furthest.append((bound.place[1], child, node))
        furthest.sort(key=lambda entry: -entry[0])
        reach[bound.source.id] = _two_children(furthest)


def _two_children(furthest: list[tuple[int, int, Node]]) -> list[tuple[int, int, Node]]:
    """The furthest end, and the furthest of any other child: enough to find an overlap with some other child."""
    return furthest[:1] + [entry for entry in furthest[1:] if entry[1] != furthest[0][1]][:1]
