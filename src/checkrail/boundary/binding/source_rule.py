"""The keyword `x-source`: how a string is bound to the place in a document that it was taken from.

    {"type": "string", "x-source": {"doc": "invoice", "match": ["exact", "ws"], "occurrence": "unique"}}

doc: the id of the document, "document" if absent. match: modes of comparison, tried in this order, ["exact"] if
absent. occurrence: "unique", "first", "ordered" (each item of an array at or after the end of the one before) or
"near:<sibling property>" (the closest to the sibling's place; unique where the sibling has none). boundary: "word" if
the text may not be cut out of a longer word or number, "line" if it is whole lines but for the blanks at their ends,
"any" if absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from .edges import BOUNDARIES, Boundary
from .normal_form import MODES

__all__ = ["DOCUMENT_ID", "SourceRule", "read_source_rule"]

DOCUMENT_ID = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_OCCURRENCES = ("unique", "first", "ordered")


@dataclass(frozen=True, slots=True)
class SourceRule:
    """One `x-source`, read. near: the sibling's name if the occurrence is "near"."""

    doc: str = "document"
    match: tuple[str, ...] = ("exact",)
    occurrence: str = "unique"
    near: str = ""
    boundary: Boundary = "any"


def read_source_rule(raw: Any, fail: Callable[[str], NoReturn]) -> SourceRule:
    """Read the argument of `x-source`; what is wrong with it goes to `fail`."""
    if not isinstance(raw, dict):
        fail("x-source is an object")
    for word in raw:
        if word not in ("doc", "match", "occurrence", "boundary"):
            fail("x-source has the members doc, match, occurrence and boundary, and no others")
    doc = raw.get("doc", "document")
    if not isinstance(doc, str) or not DOCUMENT_ID.fullmatch(doc):
        fail("doc is a name of at most 32 lower-case letters, digits, _ and -, and begins with a letter")
    modes = raw.get("match", ["exact"])
    if not isinstance(modes, list) or not modes or not all(isinstance(mode, str) and mode in MODES for mode in modes):
        fail(f"match is a list of {', '.join(MODES)}")
    occurrence, near = _occurrence(raw.get("occurrence", "unique"), fail)
    boundary = raw.get("boundary", "any")
    if boundary not in BOUNDARIES:
        fail(f"boundary is one of {', '.join(BOUNDARIES)}")
    return SourceRule(doc, tuple(modes), occurrence, near, boundary)


def _occurrence(raw: Any, fail: Callable[[str], NoReturn]) -> tuple[str, str]:
    if isinstance(raw, str) and raw in _OCCURRENCES:
        return raw, ""
    if not isinstance(raw, str) or not raw.startswith("near:") or raw == "near:":
        fail("occurrence is unique, first, ordered or near:<sibling>")
    return "near", raw.removeprefix("near:")
