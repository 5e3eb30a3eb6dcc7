"""Items that must differ: which of them an automaton keeps apart by itself.

Where the items are a few listed scalars, the set of those that were written is part of a state. Other items are noted
by each text (see `ondemand.noted`), and the automaton is that of the same array without `uniqueItems`; there must then
be enough of them (see `enough`).

The opposite, arrays with two items that are equal, is what is left where `not`, `oneOf` or `if` exclude an array with
`uniqueItems`. No finite automaton has it, and few would miss it: a tool that takes a list without repetitions, or else
a text, is not called with a list that repeats an item. So such arrays are not written; the coverage says where. All
sets are combined and compared with them, and only then are they left out. Leaving them out before would be unsound: a
branch of `oneOf` that lacks them seems not to overlap another one that it does overlap.
"""

from __future__ import annotations

from dataclasses import replace

from ...errors import SchemaError
from .arrays import ArrayRecord
from .normal import Normalizer
from .numbers import NumberRange
from .terms import Term
from .texts import Texts
from .values import Values

__all__ = [
    "is_listed",
    "items_cannot_differ",
    "listed",
    "must_differ",
    "only_equal_items",
    "without_equal_items",
    "without_needless_maximum",
    "without_noted",
]

_MOST_LISTED = 8


def must_differ(record: ArrayRecord, normalizer: Normalizer) -> bool:
    """Whether there may be items that must not be equal, which is not left to the check after generation."""
    if record.unique is None or normalizer.leaves_items:
        return False
    return record.maximum is None or record.maximum > 1


def is_listed(record: ArrayRecord, normalizer: Normalizer) -> bool:
    """Whether all items of a record are few scalars."""
    terms = list(record.prefix)
    if record.maximum is None or record.maximum > len(terms):
        terms.append(record.item(len(terms), normalizer.terms))
    return all(listed(term, normalizer) is not None for term in terms)


def without_noted(record: ArrayRecord, normalizer: Normalizer) -> ArrayRecord:
    """The record as its automaton has it: without `uniqueItems` where texts note their items."""
    if must_differ(record, normalizer) and not is_listed(record, normalizer):
        return replace(record, unique=None)
    return record


def without_needless_maximum(record: ArrayRecord, normalizer: Normalizer) -> ArrayRecord:
    """The record without a bound that items which must differ never come to: they are few, and then there are no more.

    So the items are not counted beside the set of those that were written.
    """
    if record.maximum is None or not must_differ(record, normalizer) or not is_listed(record, normalizer):
        return record
    rest = listed(record.item(len(record.prefix), normalizer.terms), normalizer)
    if rest is None or record.maximum < len(record.prefix) + len(rest):
        return record
    return replace(record, maximum=None)


def listed(term: Term, normalizer: Normalizer) -> list[Term] | None:
    """The values of a term one by one, as terms; None where they are not a few scalars."""
    terms, values = normalizer.terms, normalizer.values(term)
    points = all(r.low is not None and r.low == r.high for r in values.numbers)
    if values.texts.members is None or not points or values.arrays or values.objects:
        return None
    found: list[Values] = []
    found += [Values(null=True)] if values.null else []
    found += [Values(true=True)] if values.true else []
    found += [Values(false=True)] if values.false else []
    found += [Values(texts=Texts((text,))) for text in values.texts.members]
    # Equal numbers are one term, however their ranges came about.
    zeros = normalizer.zeros
    found += [Values(numbers=(NumberRange(r.low, r.high, zeros=zeros),)) for r in values.numbers if not r.is_empty()]
    return list(dict.fromkeys(map(terms.values, found))) if len(found) <= _MOST_LISTED else None


def without_equal_items(values: Values) -> Values:
    """The values that can be written: without arrays that must have equal items."""
    if any(array.repeats is not None for array in values.arrays):
        return replace(values, arrays=tuple(array for array in values.arrays if array.repeats is None))
    return values


def only_equal_items(pointer: str) -> SchemaError:
    """The error for a schema that has no other values. pointer: the `uniqueItems` that it has the opposite of."""
    return SchemaError(
        "SCHEMA_KEYWORD_UNSUPPORTED",
        pointer=pointer,
        keyword="uniqueItems",
        what="only arrays with equal items are left where not, oneOf or if exclude it, and these cannot be in the mask",
    )


def items_cannot_differ(pointer: str) -> SchemaError:
    """The error for items that must differ and are not few, where an automaton as a whole is asked for."""
    return SchemaError(
        "SCHEMA_KEYWORD_UNSUPPORTED",
        pointer=pointer,
        keyword="uniqueItems",
        what=f"items that are not one of at most {_MOST_LISTED} scalars are kept apart while a text is written, and "
        "there is no whole automaton for that (a token budget, a report, rules and files need one)",
    )
