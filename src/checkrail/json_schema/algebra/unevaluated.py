"""`unevaluatedProperties` and `unevaluatedItems`, where what is evaluated does not depend on the value.

Keywords beside them, and those of `allOf` and `$ref`, always apply, so the keys and items that they look at are
known beforehand. Where a branch of `anyOf`, `oneOf`, `if` or a dependency would add to them, they depend on
which branches hold: that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...grammar.regex import search_expression
from ..dialect import Dialect
from ..keywords import Keywords
from ..ledger import Ledger
from ..references import References
from ..schema import Place
from .arrays import ArrayRecord
from .objects import KeyClass, ObjectRecord
from .terms import Term, Terms
from .texts import ALL_TEXTS, TextAlgebra, Texts
from .values import ALL_VALUES, Values

__all__ = ["Unevaluated"]

_BY_CHOICE = ("anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies")


@dataclass(slots=True)
class _Evaluated:
    """What the keywords look at. depends: a place whose part in it depends on the value."""

    keys: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    all_keys: bool = False
    items: int = 0
    all_items: bool = False
    depends: Place | None = None

    def counts_for(self, keyword: str) -> bool:
        if keyword == "unevaluatedProperties":
            return bool(self.keys or self.patterns or self.all_keys)
        return bool(self.items or self.all_items or self.depends)


class Unevaluated:
    """Turns the two keywords into terms."""

    def __init__(self, references: References, dialect: Dialect, terms: Terms, texts: TextAlgebra) -> None:
        self._references = references
        self._dialect = dialect
        self._terms = terms
        self._texts = texts

    def terms_of(self, place: Place, ledger: Ledger, keywords: Keywords) -> Iterator[Term]:
        """What the two keywords of a place add to it."""
        for keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if keyword not in place.keywords:
                continue
            evaluated = self._look(place, keyword)
            if evaluated.depends is not None:
                what = "what is evaluated depends on which branch holds; write the properties or items beside it"
                keywords.refuse(place, keyword, what)
                continue
            ledger.note(place, keyword, "mask")
            value = self._terms.place(place.child(place.keywords[keyword], keyword))
            if keyword == "unevaluatedProperties":
                yield self._properties(evaluated, value)
            elif not evaluated.all_items:
                yield self._arrays(evaluated, value)

    def _properties(self, evaluated: _Evaluated, value: Term) -> Term:
        if evaluated.all_keys:
            return self._terms.true
        rest = self._texts.complement(Texts(tuple(evaluated.keys)))
        for pattern in evaluated.patterns:
            rest = self._texts.intersect(rest, self._texts.complement(Texts(None, search_expression(pattern))))
        classes = (KeyClass(rest, value), KeyClass(self._texts.complement(rest)))
        kept = tuple(part for part in classes if not self._texts.is_empty(part.keys))
        if len(kept) == 1:
            kept = (KeyClass(ALL_TEXTS, kept[0].value),)
        record = ObjectRecord(others=kept)
        every = ALL_VALUES
        return self._terms.values(Values(True, True, True, every.texts, every.numbers, every.arrays, (record,)))

    def _arrays(self, evaluated: _Evaluated, value: Term) -> Term:
        maximum = evaluated.items if value is self._terms.false else None
        rest = None if value is self._terms.true else value
        record = ArrayRecord((self._terms.true,) * evaluated.items, rest, maximum=maximum)
        every = ALL_VALUES
        return self._terms.values(Values(True, True, True, every.texts, every.numbers, (record,), every.objects))

    def _look(self, place: Place, keyword: str) -> _Evaluated:
        """Everything that is evaluated at a place, but for its own `unevaluated` keywords."""
        found = _Evaluated()
        seen: set[tuple[str, bool]] = set()
        pending = [(place, False)]
        while pending:
            here, by_choice = pending.pop()
            here = self._references.enter(here)
            if (here.pointer, by_choice) in seen or not isinstance(here.schema, dict):
                continue
            seen.add((here.pointer, by_choice))
            pending += [(inner, by_choice) for inner in self._always(here)]
            pending += [(inner, True) for inner in self._branches(here)]
            part = _Evaluated() if by_choice else found
            self._add(here, part, keyword, own=here.pointer != place.pointer)
            if by_choice and part.counts_for(keyword):
                found.depends = here
        return found

    def _always(self, place: Place) -> list[Place]:
        found = list(place.schemas("allOf")) if "allOf" in place.keywords else []
        if "$ref" in place.keywords:
            found.append(self._references.resolve(place))
        return found

    @staticmethod
    def _branches(place: Place) -> Iterator[Place]:
        for keyword in _BY_CHOICE:
            value = place.keywords.get(keyword)
            if isinstance(value, list):
                yield from place.schemas(keyword)
            elif keyword in ("dependentSchemas", "dependencies") and isinstance(value, dict):
                yield from place.mapping(keyword).values()
            elif isinstance(value, dict):
                yield place.child(value, keyword)

    def _add(self, place: Place, found: _Evaluated, keyword: str, *, own: bool) -> None:
        keywords = place.keywords
        if keyword == "unevaluatedProperties":
            found.keys += place.mapping("properties")
            found.patterns += place.mapping("patternProperties")
            found.all_keys |= "additionalProperties" in keywords or (own and keyword in keywords)
            return
        first = "items" if isinstance(keywords.get("items"), list) else "prefixItems"
        found.items = max(found.items, len(place.schemas(first)))
        rest = "additionalItems" if first == "items" else "items"
        found.all_items |= rest in keywords or (own and keyword in keywords)
        if "contains" in keywords and self._dialect.draft >= 2020:
            found.depends = place  # items that contain's schema matches are evaluated, wherever they stand
