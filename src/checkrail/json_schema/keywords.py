"""One look at every keyword of a schema before it is translated: known, applicable, allowed by the profile.

What passes is noted by the code that enforces it; what constrains nothing here is noted as an annotation; what
the profile refuses ends the compilation, or is left to the check when the options ask for a report.
"""

from __future__ import annotations

from ..errors import SchemaError
from .dialect import Dialect
from .ledger import Ledger
from .options import Options
from .profile import ALL_TYPES, KEYWORDS, TYPE_NAMES, Keyword, suggestion, types_named
from .references import subschemas
from .schema import Place
from .sources import check_source_keyword

__all__ = ["APPLICATORS", "Keywords"]

# Keywords that hand the value over to other schemas.
APPLICATORS = ("$ref", "anyOf", "oneOf", "allOf")


class Keywords:
    """Sorts the keywords of places; one for each translation. refusals: what was refused, or left to the check instead
    because the options say so."""

    def __init__(self, dialect: Dialect, options: Options, ledger: Ledger) -> None:
        self._dialect = dialect
        self._options = options
        self._ledger = ledger
        self.refusals: list[SchemaError] = []

    def only_reference(self, place: Place) -> bool:
        """Whether a schema is a reference beside which, in its draft, no other keyword counts."""
        return "$ref" in place.keywords and self._dialect.reference_hides_siblings

    def declared_types(self, place: Place) -> frozenset[str] | None:
        """What `type` says; None when it is absent."""
        value = place.keywords.get("type")
        if value is None and "type" not in place.keywords:
            return None
        names = value if isinstance(value, list) else [value]
        if not names or any(name not in TYPE_NAMES for name in names):
            raise place.malformed("type", f"must be one or a list of {', '.join(TYPE_NAMES)}")
        return frozenset().union(*(types_named(str(name)) for name in names))

    def implied_types(self, place: Place) -> frozenset[str]:
        """The one type that all constraining keywords are about; all types when nothing constrains.

        Raises SchemaError where they are about several: then the schema has to say which it means.
        """
        groups = {row.types for row in self._rows(place) if row.column != "annotation" and row.types != ALL_TYPES}
        groups -= {group for group in groups if any(other < group for other in groups)}
        if not groups:
            return ALL_TYPES
        if len(groups) > 1:
            self.refuse(
                place, "type", "it is absent and the other keywords are about several types; say which are meant"
            )
        return groups.pop()

    def constraints(self, place: Place) -> list[str]:
        """The keywords that shape the value themselves: neither `type` nor one that hands it over."""
        return [
            row.name
            for row in self._rows(place)
            if row.column in ("mask", "checked")
            and row.name != "type"
            and row.name not in APPLICATORS
            and not (row.column == "checked" and row.name.startswith("x-"))
        ]

    def sort(self, place: Place, types: frozenset[str]) -> None:
        """Note or refuse every keyword that this place does not enforce. types: the values it can have."""
        hidden = self.only_reference(place)
        for keyword in place.keywords:
            row = KEYWORDS.get(keyword)
            if row is None:
                self._unknown(place, keyword)
            elif hidden and keyword != "$ref" and row.column != "annotation":
                self._ledger.note(place, keyword, "annotation", "hidden by $ref in this draft")
            elif row.column == "annotation":
                self._ledger.note(place, keyword, "annotation", row.note)
            elif not row.types & types:
                self._ledger.note(place, keyword, "annotation", f"not about {' or '.join(sorted(types)) or 'anything'}")
            elif row.column == "refused":
                self.refuse(place, keyword, row.note)
            elif keyword.startswith("x-"):
                check_source_keyword(place, keyword)
                if row.column == "checked":
                    self._ledger.note(place, keyword, "checked")

    def refuse(self, place: Place, keyword: str, what: str) -> None:
        """Refuse a keyword, or leave it to the check after generation when the options say so."""
        error = SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer=place.at(keyword), keyword=keyword, what=what)
        if not self._options.report or keyword in ("type", "$dynamicRef", "$recursiveRef", "$recursiveAnchor"):
            raise error
        self.refusals.append(error)
        self._ledger.note(place, keyword, "checked", "not in the mask")

    def leave_to_check(self, place: Place) -> None:
        """Note a whole schema as checked afterwards; unknown keywords in it are refused as everywhere."""
        pending = [place]
        while pending:
            here = pending.pop()
            for keyword in here.keywords if isinstance(here.schema, dict) else ():
                row = KEYWORDS.get(keyword)
                if row is None:
                    self._unknown(here, keyword)
                else:
                    self._ledger.note(here, keyword, "annotation" if row.column == "annotation" else "checked")
            pending += subschemas(here)

    def only_annotations(self, place: Place) -> bool:
        """Whether a schema constrains nothing."""
        return all(
            row.column == "annotation" if (row := KEYWORDS.get(keyword)) else keyword.startswith("x-")
            for keyword in place.keywords
        )

    def _rows(self, place: Place) -> list[Keyword]:
        return [KEYWORDS[keyword] for keyword in place.keywords if keyword in KEYWORDS]

    def _unknown(self, place: Place, keyword: str) -> None:
        if keyword.startswith("x-") or self._options.report:
            self._ledger.note(place, keyword, "annotation", "a note of the schema's author")
            return
        what = suggestion(keyword)
        raise SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer=place.at(keyword), keyword=keyword[:40], what=what)
