"""Items that must differ: which of them an automaton keeps apart by itself, and whether there are enough of them.

Where the items are a few listed scalars, the set of those that were written is part of a state. Other items are noted
by each text (see `ondemand.noted`), and the automaton is that of the same array without `uniqueItems`. An end that it
knows of must then stay possible whatever was written: each item that has to come must have more values than there are
items before it. This is a condition on the schema, checked when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from ...errors import SchemaError
from ...limits import Limits
from ...regular.texts import text_automaton
from ..decimals import PLAIN_DIGITS
from ..integers import LARGEST_SAFE_INTEGER
from .arrays import ArrayRecord
from .normal import Normalizer
from .numbers import NumberRange
from .objects import ObjectRecord
from .terms import Term
from .texts import Texts
from .values import Values

__all__ = [
    "is_listed",
    "items_cannot_differ",
    "listed",
    "must_differ",
    "require_enough",
    "require_enough_keys",
    "without_noted",
]

_MOST_LISTED = 8
_MOST_CHARACTERS = 4_096
_INFINITE_ROOM = 2**30


def must_differ(record: ArrayRecord) -> bool:
    """Whether there may be items that must not be equal."""
    return record.unique is not None and (record.maximum is None or record.maximum > 1)


def is_listed(record: ArrayRecord, normalizer: Normalizer) -> bool:
    """Whether all items of a record are few scalars."""
    terms = list(record.prefix)
    if record.maximum is None or record.maximum > len(terms):
        terms.append(record.item(len(terms), normalizer.terms))
    return all(listed(term, normalizer) is not None for term in terms)


def without_noted(record: ArrayRecord, normalizer: Normalizer) -> ArrayRecord:
    """The record as its automaton has it: without `uniqueItems` where texts note their items."""
    if must_differ(record) and not is_listed(record, normalizer):
        return replace(record, unique=None)
    return record


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
    found += [Values(numbers=(number,)) for number in values.numbers]
    return list(dict.fromkeys(map(terms.values, found))) if len(found) <= _MOST_LISTED else None


def items_cannot_differ(pointer: str) -> SchemaError:
    """The error for items that must differ and are not few, where an automaton as a whole is asked for."""
    return SchemaError(
        "SCHEMA_KEYWORD_UNSUPPORTED",
        pointer=pointer,
        keyword="uniqueItems",
        what=f"items that are not one of at most {_MOST_LISTED} scalars are kept apart while a text is written, and "
        "there is no whole automaton for that (a token budget, a report, rules and files need one)",
    )


# Whether there are enough


def require_enough(
    record: ArrayRecord, normalizer: Normalizer, room: Callable[[Term], int], limits: Limits, pointer: str
) -> None:
    """See to it that items which must come do not run out. Raises SchemaError where that is not known.

    room: of a term, the levels of nesting that its least values need. Only these values count.
    """
    if not must_differ(record) or is_listed(record, normalizer):
        return
    count = _Count(normalizer, room, limits)
    for position in range(min(record.minimum, len(record.prefix))):
        _require(count, record, record.prefix[position], position + 1, pointer)
    rest = record.item(len(record.prefix), normalizer.terms)
    if record.minimum > len(record.prefix):
        _require(count, record, rest, record.minimum, pointer)
    most = max(record.minimum, sum(part.minimum for part in record.contains))
    if not record.contains or (most <= 1 and all(part.maximum is None for part in record.contains)):
        return
    for term in (*record.prefix, rest):
        for part in record.contains:
            for side in (part.value, normalizer.negation(part.value)):
                found = normalizer.terms.all_of((term, side))
                if room(found) < _INFINITE_ROOM:
                    _require(count, record, found, most, pointer)


def _require(count: _Count, record: ArrayRecord, term: Term, need: int, pointer: str) -> None:
    if need > 1 and not count.is_at_least(term, need):
        raise SchemaError(
            "SCHEMA_KEYWORD_UNSUPPORTED",
            pointer=record.unique or pointer,
            keyword="uniqueItems",
            what=f"it is not known to have {need} different values for items that must come; "
            'leave it out, or pass unsupported="report" to have it checked afterwards',
        )


def require_enough_keys(
    record: ObjectRecord, others: Sequence[Texts], normalizer: Normalizer, limits: Limits, pointer: str, *, free: bool
) -> None:
    """See to it that the keys of an object do not run out before there are `minProperties`. Raises SchemaError.

    others: the classes of keys that it does not declare and that may have some value. free: members may come in any
    order, so that those which were left out may still come.
    """
    declared = tuple(member.key for member in record.properties)
    surely = len(declared) if free else sum(member.required for member in record.properties)
    need = record.minimum - surely
    if need <= 0 or not others:
        return
    texts, count = normalizer.texts, _Count(normalizer, lambda _: 0, limits)
    found = 0
    for keys in others:
        found += count.texts(texts.minus(keys, declared) if declared else keys, need)
    if found < need:
        raise SchemaError(
            "SCHEMA_KEYWORD_UNSUPPORTED",
            pointer=pointer,
            keyword="minProperties",
            what=f"{need} keys that are not declared must come, and there are {found}; declare them, or lower it",
        )


class _Count:
    """Counts the values of terms, as far as that matters, and rather too few than too many."""

    def __init__(self, normalizer: Normalizer, room: Callable[[Term], int], limits: Limits) -> None:
        self._normalizer = normalizer
        self._room = room
        self._limits = limits

    def is_at_least(self, term: Term, need: int) -> bool:
        """Whether so many values of a term need no more levels of nesting than its least one does."""
        values = self._normalizer.values(term)
        room = self._room(term)
        if room == 0:
            found = values.null + values.true + values.false
            found += self.texts(values.texts, need)
            found += sum(_numbers(range_, need) for range_ in values.numbers)
            return found >= need
        return room < _INFINITE_ROOM and any(self._varies(record, room, need) for record in values.objects)

    def _varies(self, record: ObjectRecord, room: int, need: int) -> bool:
        """Whether a member that has to come has so many values by itself."""
        return any(
            self.is_at_least(member.value, need)
            for member in record.properties
            if member.required and self._room(member.value) < room
        )

    def texts(self, texts: Texts, need: int) -> int:
        """How many texts there are; where there are `need`, at least so many."""
        if texts.members is not None:
            return len(texts.members)
        automaton = text_automaton(texts.shape, texts.without, self._limits)
        if automaton is None:
            return 0
        characters, partition = automaton.characters, automaton.partition
        sizes: dict[int, int] = {}
        ends = (*partition.starts[1:], 0x110000)
        for start, end, letter in zip(partition.starts, ends, partition.letters, strict=True):
            surrogates = max(0, min(end, 0xE000) - max(start, 0xD800))
            sizes[letter] = sizes.get(letter, 0) + end - start - surrogates
        found, here = 0, {characters.start: 1}
        for _ in range(_MOST_CHARACTERS):
            found += sum(count for state, count in here.items() if characters.accepting(state))
            after: dict[int, int] = {}
            for state, count in here.items():
                for letter, target in enumerate(characters.row(state)):
                    if target >= 0:
                        after[target] = min(need, after.get(target, 0) + count * sizes.get(letter, 0))
            if found + sum(after.values()) >= need or not after:
                return found + sum(after.values())
            here = after
        return found


def _numbers(range_: NumberRange, need: int) -> int:
    """How many of the numbers of a range there are, up to `need`."""
    low, high, step = range_.low, range_.high, range_.multiple
    if low is not None and low == high:
        return 1
    if step is None:
        wide = low is None or high is None or Fraction(high) - Fraction(low) > Fraction(need, 10**PLAIN_DIGITS)
        return need if wide and not range_.but_not else 1
    first, direction = Fraction(0), Fraction(step)
    if low is not None:
        first = ceil(Fraction(low) / direction) * direction
    elif high is not None:
        first, direction = floor(Fraction(high) / direction) * direction, -direction
    tried = (first + k * direction for k in range(4 * need))
    return sum(range_.contains(value) for value in tried if abs(value) <= LARGEST_SAFE_INTEGER)
