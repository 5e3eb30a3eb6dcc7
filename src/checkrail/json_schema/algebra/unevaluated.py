"""`unevaluatedProperties` and `unevaluatedItems`.

Keywords beside them, and those of `allOf` and `$ref`, always apply, so the keys and items that they look at are known
beforehand. What a branch of `anyOf`, `oneOf`, `if` or a dependency adds counts where the branch holds. So the values
are split by which of these branches hold, and in each case it is known what is evaluated: exact, and as large as the
number of cases, which is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ...grammar.regex import search_expression
from ..dialect import Dialect
from ..keywords import Keywords
from ..ledger import Ledger
from ..references import REFERENCES, References
from ..schema import Place
from .arrays import ArrayRecord
from .objects import KeyClass, ObjectRecord, Property
from .terms import Term, Terms
from .texts import ALL_TEXTS, TextAlgebra, Texts
from .values import ALL_VALUES, Values

__all__ = ["Unevaluated"]

_MOST_CASES = 64
_MOST_CONDITIONS = 256  # on the way to each case

_Chain = tuple[Term, ...]
"""What must all hold for a place to be applied, besides that the schema itself holds."""


@dataclass(slots=True)
class _Evaluated:
    """What keywords look at. contains: items that are in one of these are evaluated wherever they stand."""

    keys: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    all_keys: bool = False
    items: int = 0
    all_items: bool = False
    contains: list[Term] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.keys or self.patterns or self.all_keys or self.items or self.all_items or self.contains)

    def add(self, other: _Evaluated) -> None:
        self.keys += other.keys
        self.patterns += other.patterns
        self.all_keys |= other.all_keys
        self.items = max(self.items, other.items)
        self.all_items |= other.all_items
        self.contains += other.contains

    def covers(self, other: _Evaluated) -> bool:
        """Whether it is seen that all that the other looks at is looked at here."""
        keys = self.all_keys or (
            not other.all_keys and {*other.keys} <= {*self.keys} and {*other.patterns} <= {*self.patterns}
        )
        items = self.all_items or (
            not other.all_items and other.items <= self.items and {*other.contains} <= {*self.contains}
        )
        return keys and items


@dataclass(slots=True)
class _Found:
    """All that is evaluated at a place. always: whatever holds. parts: where the conditions of a chain hold. groups:
    of which conditions at least one holds, or just one, if a chain does."""

    always: _Evaluated = field(default_factory=_Evaluated)
    parts: list[tuple[_Chain, _Evaluated]] = field(default_factory=list)
    groups: list[tuple[_Chain, bool, _Chain]] = field(default_factory=list)

    def drop_needless(self) -> None:
        """Leave out the parts that add nothing: what they look at is looked at wherever they hold."""
        self.parts = [(chain, part) for chain, part in self.parts if not self._anyway(frozenset(chain)).covers(part)]

    def _anyway(self, conditions: frozenset[Term]) -> _Evaluated:
        """What is looked at where some conditions hold, by what asks for fewer."""
        known = _Evaluated()
        known.add(self.always)
        for chain, part in self.parts:
            if conditions > frozenset(chain):
                known.add(part)
        return known


def _undecided(found: _Found, holds: Mapping[Term, bool]) -> Term | None:
    """A condition that matters where these hold and the others do not: what stands before it in its chain holds."""
    for chain, _ in found.parts:
        for term in chain:
            if term not in holds:
                return term
            if not holds[term]:
                break
    return None


class Unevaluated:
    """Turns the two keywords into terms. negation: that of a term."""

    def __init__(
        self,
        references: References,
        dialect: Dialect,
        terms: Terms,
        texts: TextAlgebra,
        negation: Callable[[Term], Term],
    ) -> None:
        self._references = references
        self._dialect = dialect
        self._terms = terms
        self._texts = texts
        self._negation = negation

    def terms_of(self, place: Place, ledger: Ledger, keywords: Keywords) -> Iterator[Term]:
        """What the two keywords of a place add to it."""
        for keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if keyword not in place.keywords:
                continue
            found = self._look(place, keyword)
            found.drop_needless()
            cases = self._cases(found)
            if cases is None:
                what = "what is evaluated depends on too many branches; write the properties or items beside it"
                keywords.refuse(place, keyword, what)
                continue
            ledger.note(place, keyword, "mask")
            value = self._terms.place(place.child(place.keywords[keyword], keyword))
            make = self._properties if keyword == "unevaluatedProperties" else self._arrays
            yield self._terms.any_of(
                self._terms.all_of((*conditions, make(evaluated, value))) for conditions, evaluated in cases
            )

    def _cases(self, found: _Found) -> list[tuple[list[Term], _Evaluated]] | None:
        """The cases, each by what holds and what does not, with what is evaluated then; None for too many."""
        if len({term for chain, _ in found.parts for term in chain}) > _MOST_CONDITIONS:
            return None
        cases: list[tuple[list[Term], _Evaluated]] = []
        pending: list[dict[Term, bool]] = [{}]
        while pending:
            holds = pending.pop()
            if any(self._excludes(group, holds) for group in found.groups):
                continue
            condition = _undecided(found, holds)
            if condition is not None:
                pending += ({**holds, condition: False}, {**holds, condition: True})
                continue
            evaluated = _Evaluated()
            evaluated.add(found.always)
            for chain, part in found.parts:
                if all(holds.get(term, False) for term in chain):
                    evaluated.add(part)
            cases.append(([term if yes else self._negation(term) for term, yes in holds.items()], evaluated))
            if len(cases) > _MOST_CASES:
                return None
        return cases

    @staticmethod
    def _excludes(group: tuple[_Chain, bool, _Chain], holds: Mapping[Term, bool]) -> bool:
        """Whether a group of branches does not allow that just these conditions hold."""
        chain, only_one, options = group
        if not all(holds.get(term, False) for term in chain):
            return False
        count = sum(holds.get(term, False) for term in options)
        if only_one and count > 1:
            return True
        return count == 0 and all(term in holds for term in options)

    def _properties(self, evaluated: _Evaluated, value: Term) -> Term:
        if evaluated.all_keys:
            return self._terms.true
        rest = self._texts.complement(Texts(tuple(dict.fromkeys(evaluated.keys))))
        for pattern in evaluated.patterns:
            rest = self._texts.intersect(rest, self._texts.complement(Texts(None, search_expression(pattern))))
        classes = (KeyClass(rest, value), KeyClass(self._texts.complement(rest)))
        kept = tuple(part for part in classes if not self._texts.is_empty(part.keys))
        if len(kept) == 1:
            kept = (KeyClass(ALL_TEXTS, kept[0].value),)
        return self._objects(ObjectRecord(others=kept))

    def _arrays(self, evaluated: _Evaluated, value: Term) -> Term:
        if evaluated.all_items:
            return self._terms.true
        value = self._terms.any_of((value, *evaluated.contains))
        maximum = evaluated.items if value is self._terms.false else None
        rest = None if value is self._terms.true else value
        record = ArrayRecord((self._terms.true,) * evaluated.items, rest, maximum=maximum)
        every = ALL_VALUES
        return self._terms.values(Values(True, True, True, every.texts, every.numbers, (record,), every.objects))

    def _objects(self, record: ObjectRecord) -> Term:
        every = ALL_VALUES
        return self._terms.values(Values(True, True, True, every.texts, every.numbers, every.arrays, (record,)))

    # What is evaluated

    def _look(self, place: Place, keyword: str) -> _Found:
        """Everything that is evaluated at a place, but for its own `unevaluated` keywords."""
        found = _Found()
        seen: set[tuple[str, _Chain]] = set()
        pending: list[tuple[Place, _Chain]] = [(place, ())]
        while pending:
            here, chain = pending.pop()
            here = self._references.enter(here)
            if (here.name, chain) in seen or not isinstance(here.schema, dict):
                continue
            seen.add((here.name, chain))
            pending += [(inner, chain) for inner in self._always(here)]
            pending += self._branches(here, chain, found)
            part = self._evaluated(here, keyword, own=here.name == place.name)
            if not chain:
                found.always.add(part)
            elif part:
                found.parts.append((chain, part))
        return found

    def _always(self, place: Place) -> list[Place]:
        found = list(place.schemas("allOf")) if "allOf" in place.keywords else []
        found += (self._references.resolve(place, word) for word in REFERENCES if word in place.keywords)
        return found

    def _branches(self, place: Place, chain: _Chain, found: _Found) -> Iterator[tuple[Place, _Chain]]:
        """The schemas that are applied where a condition holds, each with its chain."""
        keywords = place.keywords
        for keyword in ("anyOf", "oneOf"):
            if keyword in keywords:
                options = [
                    (inner, self._terms.place(self._references.enter(inner))) for inner in place.schemas(keyword)
                ]
                found.groups.append((chain, keyword == "oneOf", tuple(term for _, term in options)))
                yield from ((inner, self._longer(chain, term)) for inner, term in options)
        if "if" in keywords:
            inner = place.child(keywords["if"], "if")
            condition = self._terms.place(inner)
            yield inner, self._longer(chain, condition)
            for keyword, term in (("then", condition), ("else", self._negation(condition))):
                if keyword in keywords:
                    yield place.child(keywords[keyword], keyword), self._longer(chain, term)
        for keyword in ("dependentSchemas", "dependencies"):
            if keyword in keywords:
                for key, inner in place.mapping(keyword).items():
                    if not isinstance(inner.schema, list):
                        present = self._objects(ObjectRecord((Property(key, self._terms.true, True),)))
                        yield inner, self._longer(chain, present)

    def _longer(self, chain: _Chain, term: Term) -> _Chain:
        return chain if term is self._terms.true or term in chain else (*chain, term)

    def _evaluated(self, place: Place, keyword: str, *, own: bool) -> _Evaluated:
        """What the keywords of one place look at. own: it is the place of the keyword in question itself."""
        keywords = place.keywords
        found = _Evaluated()
        if keyword == "unevaluatedProperties":
            found.keys += place.mapping("properties")
            found.patterns += place.mapping("patternProperties")
            found.all_keys = "additionalProperties" in keywords or (not own and keyword in keywords)
            return found
        first = "items" if isinstance(keywords.get("items"), list) else "prefixItems"
        found.items = len(place.schemas(first))
        rest = "additionalItems" if first == "items" else "items"
        found.all_items = rest in keywords or (not own and keyword in keywords)
        if "contains" in keywords and self._dialect.draft >= 2020:
            found.contains.append(self._terms.place(place.child(keywords["contains"], "contains")))
        return found
