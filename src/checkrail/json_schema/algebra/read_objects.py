"""What a schema says about objects, as a record: declared properties, and classes of all other keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ..ledger import Ledger
from ..schema import Place
from .normal import Normalizer
from .objects import KeyClass, ObjectRecord, Property
from .patterns import pattern_texts
from .terms import Term
from .texts import ALL_TEXTS, Texts

__all__ = ["read_object"]


def read_object(
    place: Place, normalizer: Normalizer, ledger: Ledger
) -> tuple[tuple[ObjectRecord, ...], tuple[ObjectRecord, ...]]:
    """The objects of a schema, at most one record, and those that may be meant (see `Doubt`)."""
    terms = normalizer.terms
    declared = {key: terms.place(inner) for key, inner in place.mapping("properties").items()}
    required = place.names("required")
    minimum, maximum = place.count("minProperties"), place.count("maxProperties")
    for keyword in ("properties", "required", "minProperties", "maxProperties"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    others = _classes(place, normalizer, ledger)
    read = partial(_record, place, normalizer, declared, required, others=others, minimum=minimum or 0, maximum=maximum)
    names, most_names = _names(place, normalizer, ledger)
    records = read(names)
    return records, records if most_names == names else read(most_names)


def _record(
    place: Place,
    normalizer: Normalizer,
    declared: dict[str, Term],
    required: tuple[str, ...],
    names: Texts,
    *,
    others: _Classes,
    minimum: int,
    maximum: int | None,
) -> tuple[ObjectRecord, ...]:
    """The record where all keys are some of `names`; none where nothing is in it."""
    terms, texts = normalizer.terms, normalizer.texts
    properties = []
    for key in dict.fromkeys((*declared, *required)):
        value = declared.get(key)
        parts = [] if value is None else [value]
        for part in others.patterns:
            if texts.contains(part.keys, key, place.pointer) and part.value is not None:
                parts.append(part.value)
        if value is None and not any(texts.contains(p.keys, key, place.pointer) for p in others.patterns):
            parts.append(others.additional)
        if not texts.contains(names, key, place.at("propertyNames")):
            parts = [terms.false]
        member = Property(key, terms.all_of(parts), key in required)
        if member.required and member.value is terms.false:
            return ()
        properties.append(member)
    if maximum is not None and (maximum < minimum or maximum < len(required)):
        return ()
    classes = others.partition(normalizer)
    if names != ALL_TEXTS:
        classes = [KeyClass(texts.intersect(part.keys, names), part.value) for part in classes]
        classes.append(KeyClass(texts.complement(names), terms.false))
        classes = [part for part in classes if not texts.is_empty(part.keys)]
    if len({part.value for part in classes}) == 1:
        classes = [KeyClass(ALL_TEXTS, classes[0].value)]
    return (ObjectRecord(tuple(properties), tuple(classes), minimum, maximum),)


@dataclass(frozen=True, slots=True)
class _Classes:
    """patterns: those of `patternProperties`, which may overlap. additional: for keys that match none."""

    patterns: list[KeyClass]
    additional: Term

    def partition(self, normalizer: Normalizer) -> list[KeyClass]:
        """Disjoint classes of all keys with what all patterns say about them."""
        terms, texts = normalizer.terms, normalizer.texts
        found: list[tuple[Texts, tuple[Term, ...] | None]] = [(ALL_TEXTS, None)]
        for pattern in self.patterns:
            value = terms.true if pattern.value is None else pattern.value
            split: list[tuple[Texts, tuple[Term, ...] | None]] = []
            for keys, values in found:
                inside, outside = texts.split(keys, pattern.keys)
                if not texts.is_empty(inside):
                    split.append((inside, (*(values or ()), value)))
                if not texts.is_empty(outside):
                    split.append((outside, values))
            found = split
            if len(found) > normalizer.most_classes:
                raise normalizer.too_many()
        result = []
        for keys, values in found:
            value = self.additional if values is None else terms.all_of(values)
            result.append(KeyClass(keys, None if value is terms.true else value))
        return result


def _classes(place: Place, normalizer: Normalizer, ledger: Ledger) -> _Classes:
    terms = normalizer.terms
    patterns = []
    for pattern, inner in place.mapping("patternProperties").items():
        pointer = place.child(None, "patternProperties", pattern).pointer
        keys = pattern_texts(pattern, pointer=pointer)
        patterns.append(KeyClass(keys, terms.place(inner)))
    if "patternProperties" in place.keywords:
        ledger.note(place, "patternProperties", "mask")
    additional = terms.true
    repeat = "other keys may repeat in the text, which the reader refuses"
    if "additionalProperties" not in place.keywords:
        ledger.note(place, "additionalProperties", "mask", f"absent: the object is open; {repeat}")
    else:
        value = place.keywords["additionalProperties"]
        ledger.note(place, "additionalProperties", "mask", "" if value is False else repeat)
        additional = terms.place(place.child(place.keywords["additionalProperties"], "additionalProperties"))
    return _Classes(patterns, additional)


def _names(place: Place, normalizer: Normalizer, ledger: Ledger) -> tuple[Texts, Texts]:
    """The keys that `propertyNames` allows, and those that it may mean."""
    if "propertyNames" not in place.keywords:
        return ALL_TEXTS, ALL_TEXTS
    ledger.note(place, "propertyNames", "mask")
    inner = normalizer.terms.place(place.child(place.keywords["propertyNames"], "propertyNames"))
    values = normalizer.values(inner)
    return values.texts, values.most_texts
