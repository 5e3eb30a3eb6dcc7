"""Whether there are enough values for items that must differ, and enough keys for members.

Such items and keys are noted by each text (see `different`). An end that the automaton knows of must stay possible
whatever was written: each item that has to come must have more values than there are items before it. This is a
condition on the schema, checked when it is read. What is counted is rather too few than too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from ...errors import SchemaError
from ...limits import Limits
from ...regular.texts import text_automaton
from ..decimals import PLAIN_DIGITS
from ..integers import LARGEST_SAFE_INTEGER
from .arrays import ArrayRecord
from .different import is_listed, must_differ
from .normal import Normalizer
from .numbers import NumberRange
from .objects import ObjectRecord
from .room import INFINITE, Rooms
from .terms import Term
from .texts import Texts
from .values import Values

__all__ = ["require_enough", "require_enough_keys"]

_MOST_CHARACTERS = 4_096
_MOST_TRIED = 1 << 14  # numbers that are looked at one by one


def require_enough(record: ArrayRecord, normalizer: Normalizer, rooms: Rooms, limits: Limits, pointer: str) -> None:
    """See to it that items which must come do not run out. Raises SchemaError where that is not known.

    Only those values of a term count that need as few levels of nesting as its least ones.
    """
    if not must_differ(record, normalizer) or is_listed(record, normalizer):
        return
    count = _Count(normalizer, rooms, limits)
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
                if rooms.of(found) < INFINITE:
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
    record: ObjectRecord,
    others: Sequence[Texts],
    normalizer: Normalizer,
    rooms: Rooms,
    limits: Limits,
    pointer: str,
    *,
    free: bool,
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
    texts, count = normalizer.texts, _Count(normalizer, rooms, limits)
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
    """Counts the values of terms, as far as that matters."""

    def __init__(self, normalizer: Normalizer, rooms: Rooms, limits: Limits) -> None:
        self._normalizer = normalizer
        self._rooms = rooms
        self._limits = limits

    def is_at_least(self, term: Term, need: int) -> bool:
        """Whether so many values of a term need no more levels of nesting than its least one does.

        An object has as many as any member that it must have, so what counts is whether a way through such members
        leads to enough scalars.
        """
        seen = {term}
        pending = [term]
        for here in pending:
            self._normalizer.texts.watch.spend()
            if self._rooms.of(here) == 0:
                if self._scalars(self._normalizer.values(here), need) >= need:
                    return True
                continue
            new = [inner for inner in dict.fromkeys(self._varying(here)) if inner not in seen]
            seen.update(new)
            pending += new
        return False

    def _varying(self, term: Term) -> Iterator[Term]:
        """The members that the least objects of a term must have. Those with a witness are left out, since it may
        tell what a member is."""
        room = self._rooms.of(term)
        for record in self._normalizer.values(term).objects:
            alone = self._normalizer.terms.values(Values(objects=(record,)))
            if room < INFINITE and not record.witnesses and self._rooms.of(alone) <= room:
                yield from (member.value for member in record.properties if member.required)

    def _scalars(self, values: Values, need: int) -> int:
        found = values.null + values.true + values.false
        return found + self.texts(values.texts, need) + _numbers(values.numbers, need)

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


def _numbers(ranges: Sequence[NumberRange], need: int) -> int:
    """How many numbers there are in a union, up to `need`. Where ranges overlap, those of one range, or what each has
    above the ones before it."""
    counts = [_in_range(range_, need) for range_ in ranges]
    found, end, is_open = 0, None, False
    for range_ in sorted(ranges, key=lambda each: (each.low is not None, each.low or 0)):
        found += _in_range(range_ if end is None else _above(range_, end, is_open), need)
        if range_.high is None:
            break
        if end is None or range_.high > end:
            end, is_open = range_.high, not range_.high_open
    return max(found, *counts, 0)


def _above(range_: NumberRange, end: Decimal, is_open: bool) -> NumberRange:
    """The part of a range that is above an end."""
    low = range_.low
    if low is not None and (low > end or (low == end and (range_.low_open or not is_open))):
        return range_
    return replace(range_, low=end, low_open=is_open)


def _in_range(range_: NumberRange, need: int) -> int:
    """How many of the numbers of a range there are, up to `need`."""
    low, high, step = range_.low, range_.high, range_.multiple
    if low is not None and high is not None and low >= high:
        return int(range_.contains(low))
    if step is None:
        wide = low is None or high is None or Fraction(high) - Fraction(low) > Fraction(need, 10**PLAIN_DIGITS)
        return need if wide and not range_.but_not else 1
    every = Fraction(step)
    least, greatest = Fraction(-LARGEST_SAFE_INTEGER), Fraction(LARGEST_SAFE_INTEGER)
    first = ceil((least if low is None else max(least, Fraction(low))) / every)
    last = floor((greatest if high is None else min(greatest, Fraction(high))) / every)
    if not range_.but_not:
        ends = int(range_.low_open and low == first * every) + int(range_.high_open and high == last * every)
        return max(0, min(need, last - first + 1 - ends))
    begin = first if low is not None else 0 if high is None else max(first, last - _MOST_TRIED)
    return sum(range_.contains(k * every) for k in range(begin, min(last + 1, begin + _MOST_TRIED)))
