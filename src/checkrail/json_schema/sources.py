"""The shape of our own keywords; what all but `x-grammar` mean is checked after generation.

`x-source` on a string says that the text must occur in a source document, `x-overlap` on an object or array that
the spans of its parts are disjoint, `x-derived` on an object how values follow from extracted texts, and
`x-grammar` on a string that it is a text of a grammar (see `text_grammars`).
"""

from __future__ import annotations

import re

from .schema import Json, Place
from .text_grammars import TEXT_GRAMMARS

__all__ = ["BOUNDARIES", "DERIVATIONS", "MATCH_MODES", "check_source_keyword"]

MATCH_MODES = ("exact", "ws", "nfkc", "casefold", "digits")
DERIVATIONS = (
    "int",
    "decimal-point",
    "decimal-comma",
    "date-dmy",
    "date-mdy",
    "date-iso",
    "percent",
    "bool-words",
    "calc",
    "calc-equation",
)

_DOCUMENT = re.compile("[a-z][a-z0-9_-]{0,31}")
BOUNDARIES = ("any", "word", "line")
_OCCURRENCES = ("unique", "first", "ordered")


def check_source_keyword(place: Place, keyword: str) -> None:
    """Raise SchemaError where the value of one of these keywords is malformed."""
    value = place.keywords[keyword]
    if keyword == "x-overlap":
        if value != "forbid":
            raise place.malformed(keyword, 'must be "forbid"')
    elif keyword == "x-grammar":
        if not isinstance(value, str) or value not in TEXT_GRAMMARS:
            raise place.malformed(keyword, f"must be one of {', '.join(TEXT_GRAMMARS)}")
    elif not isinstance(value, dict):
        raise place.malformed(keyword, "must be an object")
    elif keyword == "x-source":
        _check_source(place, value)
    else:
        _check_derived(place, value)


def _check_source(place: Place, source: dict[str, Json]) -> None:
    unknown = source.keys() - {"doc", "match", "occurrence", "boundary"}
    if unknown:
        raise place.malformed(
            "x-source", f"has no member {sorted(unknown)[0][:40]!r}; there are doc, match, occurrence, boundary"
        )
    document = source.get("doc", "document")
    if not isinstance(document, str) or not _DOCUMENT.fullmatch(document):
        raise place.malformed(
            "x-source", "doc must be the name of a document: a-z, then at most 31 of a-z, 0-9, _ and -"
        )
    modes = source.get("match", ["exact"])
    if not isinstance(modes, list) or not modes or any(mode not in MATCH_MODES for mode in modes):
        raise place.malformed("x-source", f"match must be a list of {', '.join(MATCH_MODES)}")
    occurrence = source.get("occurrence", "unique")
    near = isinstance(occurrence, str) and occurrence.startswith("near:") and len(occurrence) > len("near:")
    if occurrence not in _OCCURRENCES and not near:
        raise place.malformed("x-source", "occurrence must be unique, first, ordered or near:<property>")
    if source.get("boundary", "any") not in BOUNDARIES:
        raise place.malformed("x-source", f"boundary must be one of {', '.join(BOUNDARIES)}")


def _check_derived(place: Place, derived: dict[str, Json]) -> None:
    for name, rule in derived.items():
        if not isinstance(rule, dict) or rule.keys() != {"from", "parse"}:
            raise place.malformed("x-derived", f"{name[:40]!r} must be an object of from and parse")
        if not isinstance(rule["from"], str):
            raise place.malformed("x-derived", "from must be the name of a property")
        if rule["parse"] not in DERIVATIONS:
            raise place.malformed("x-derived", f"parse must be one of {', '.join(DERIVATIONS)}")
