"""How members and items are told apart by what a record counts: the rules that lowering and automata on demand share.

A witness of an object, or what an array must contain, splits a value's set into what it is about and the rest, so that
each text has one reading.
"""

from __future__ import annotations

from collections.abc import Sequence

from .arrays import Contains
from .normal import Normalizer
from .objects import KeyClass
from .terms import Term
from .texts import TextAlgebra, Texts

__all__ = ["key_cases", "split_item", "split_member"]


def split_member(
    normalizer: Normalizer, witnesses: Sequence[KeyClass], term: Term, applying: Sequence[int], seen: int
) -> list[tuple[Term, int]]:
    """The values of a member by which of the witnesses they are, each with the bit set of those seen after it.

    applying: the witnesses that are about the member's key. seen: the bit set of those seen before.
    """
    cases = [(term, seen)]
    for i in applying:
        wanted = witnesses[i].value
        if seen & 1 << i:
            continue
        if wanted is None:
            cases = [(part, after | 1 << i) for part, after in cases]
            continue
        all_of, opposite = normalizer.terms.all_of, normalizer.negation(wanted)
        cases = [
            case
            for part, after in cases
            for case in ((all_of((part, wanted)), after | 1 << i), (all_of((part, opposite)), after))
        ]
    return cases


def key_cases(
    texts: TextAlgebra, witnesses: Sequence[KeyClass], keys: Texts, seen: int, pointer: str
) -> list[tuple[Texts, list[int]]]:
    """The keys of a class by which of the witnesses that are not seen yet are about them."""
    classes: list[tuple[Texts, list[int]]] = [(keys, [])]
    for i, witness in enumerate(witnesses):
        if seen & 1 << i:
            continue
        split: list[tuple[Texts, list[int]]] = []
        for known, applying in classes:
            split.append((texts.intersect(known, witness.keys, pointer), [*applying, i]))
            split.append((texts.intersect(known, texts.complement(witness.keys), pointer), applying))
        classes = [entry for entry in split if not texts.is_empty(entry[0])]
    return classes


def split_item(
    normalizer: Normalizer, contains: Sequence[Contains], term: Term, position: int, counts: Sequence[int]
) -> list[tuple[Term, tuple[int, ...]]]:
    """The values of an item by what `contains` counts, each with the counts after it."""
    all_of = normalizer.terms.all_of
    cases: list[tuple[Term, tuple[int, ...]]] = [(term, ())]
    for part, count in zip(contains, counts, strict=True):
        if position < part.start or (part.maximum is None and count >= part.minimum):
            cases = [(known, (*before, count)) for known, before in cases]
            continue
        opposite = normalizer.negation(part.value)
        found = [(all_of((known, opposite)), (*before, count)) for known, before in cases]
        if part.maximum is None or count < part.maximum:
            found += [(all_of((known, part.value)), (*before, count + 1)) for known, before in cases]
        cases = found
    return cases
