"""Room: the least number of levels of nesting that the values of a term need.

A scalar needs none; an object or array needs one more than what it must contain; a set needs the least of what its
members need; a set without members has no room at all. So room says in one number whether a set is empty, which a
schema that needs itself for ever is, and whether it still fits below a bound on nesting.

Rooms are a least fixpoint of functions that are monotone and never below their arguments, so they can be found in
increasing order: D. E. Knuth, "A generalization of Dijkstra's algorithm" (1977). Most terms never come to that: a set
with a scalar or with an object that needs nothing is decided alone, and what does not lead back to itself is decided
from its parts. All of it is a loop, not a recursion. Strings of which it cannot be decided whether there are any
within the limits count as there.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from heapq import heappop, heappush
from typing import TypeAlias

from ...regular.compile import compile_regular
from ..decimals import PLAIN_DIGITS
from ..integers import LARGEST_SAFE_INTEGER
from ..options import Options
from .arrays import ArrayRecord
from .different import must_differ, without_noted
from .lower_scalars import number_expression
from .normal import Normalizer
from .numbers import NumberRange
from .objects import ObjectRecord
from .states import Steps, array_steps, object_steps
from .terms import Term, pointer_of
from .values import Values

__all__ = ["INFINITE", "Rooms"]

INFINITE = 2**30
_ONE = Decimal(1)


class _AllOf:
    """A record that needs some terms, and `extra` out of others: each of `spare` once, those of `more` at will."""

    __slots__ = ("extra", "more", "needed", "spare")

    def __init__(self, needed: list[Term], extra: int = 0, spare: Iterable[Term] = (), more: Iterable[Term] = ()):
        self.needed = needed
        self.extra = extra
        self.spare = list(spare)
        self.more = list(more)

    def parts(self) -> list[Term]:
        return [*self.needed, *self.spare, *self.more] if self.extra else self.needed

    def room(self, known: dict[Term, int]) -> int:
        """What the record needs when each term needs what is known of it (nothing known: it has no values)."""
        inside = 0
        for term in self.needed:
            room = known.get(term, INFINITE)
            if room > inside:
                inside = room
        if self.extra:
            spare = sorted(known.get(term, INFINITE) for term in self.spare)
            others = min((known.get(term, INFINITE) for term in self.more), default=INFINITE)
            enough = spare[self.extra - 1] if len(spare) >= self.extra else INFINITE
            inside = max(inside, min(enough, others))
        return min(INFINITE, inside + 1)


class _Counted:
    """A record whose parts are counted."""

    __slots__ = ("_steps",)

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def parts(self) -> list[Term]:
        return self._steps.terms()

    def room(self, known: dict[Term, int]) -> int:
        """The least, over the ways to an end, of the most that a part on the way needs."""
        best = [INFINITE] * len(self._steps.edges)
        best[0] = 0
        heap = [(0, 0)]
        while heap:
            room, state = heappop(heap)
            if room > best[state]:
                continue
            if state in self._steps.closing:
                return room + 1
            for term, after in self._steps.edges[state]:
                reached = max(room, 0 if term is None else known.get(term, INFINITE))
                if reached < best[after]:
                    best[after] = reached
                    heappush(heap, (reached, after))
        return INFINITE


_Need: TypeAlias = _AllOf | _Counted


class Rooms:
    """The rooms of the terms of one schema."""

    def __init__(self, normalizer: Normalizer, options: Options) -> None:
        self._normalizer = normalizer
        self._options = options
        self._known: dict[Term, int] = {normalizer.terms.true: 0, normalizer.terms.false: INFINITE}
        self._numbers: dict[NumberRange, bool] = {}

    def of(self, term: Term) -> int:
        """The room of a term. Raises what reading the places that it needs raises."""
        known = self._known.get(term)
        return self._find(term) if known is None else known

    def _find(self, term: Term) -> int:
        watch = self._normalizer.texts.watch
        watch.spend()
        of_term = self._needs(term)
        if isinstance(of_term, int):  # most of them
            self._known[term] = of_term
            return of_term
        needs = {term: of_term}
        pending = [part for need in of_term for part in need.parts()]
        for found in pending:
            if found in needs or found in self._known:
                continue
            watch.spend()
            needs_of = self._needs(found)
            if isinstance(needs_of, int):
                self._known[found] = needs_of
                continue
            needs[found] = needs_of
            pending += (part for need in needs_of for part in need.parts())
        waiting = []
        for found, of_found in reversed(needs.items()):  # parts stand behind what needs them, unless it leads back
            if all(part in self._known for need in of_found for part in need.parts()):
                self._known[found] = min(need.room(self._known) for need in of_found)
            else:
                waiting.append(found)
        if waiting:
            self._close({found: needs[found] for found in waiting})
        return self._known[term]

    def _close(self, needs: dict[Term, list[_Need]]) -> None:
        """The least fixpoint, smallest rooms first; what never gets one has no values."""
        users: dict[Term, list[Term]] = {}
        for term, of_term in needs.items():
            for part in {part for need in of_term for part in need.parts()}:
                users.setdefault(part, []).append(term)
        heap: list[tuple[int, int, Term]] = []

        def offer(term: Term) -> None:
            room = min(need.room(self._known) for need in needs[term])
            if room < INFINITE:
                heappush(heap, (room, term.number, term))

        for term in needs:
            offer(term)
        watch = self._normalizer.texts.watch
        while heap:
            watch.spend()
            room, _, term = heappop(heap)
            if term in self._known:
                continue
            self._known[term] = room
            for user in users.get(term, ()):
                if user not in self._known:
                    offer(user)
        for term in needs:
            self._known.setdefault(term, INFINITE)

    def _needs(self, term: Term) -> int | list[_Need]:
        """The room of a term where that is seen at once; else what its records need."""
        values = self._normalizer.values(term)
        if values.null or values.true or values.false or self._has_scalars(values):
            return 0
        needs: list[_Need] = []
        found = [self._of_array(array, term) for array in values.arrays]
        found += [self._of_object(record, term) for record in values.objects]
        for need in found:
            if isinstance(need, _AllOf) and not need.needed and not need.extra:
                return 1
            if need is not None:
                needs.append(need)
        return needs or INFINITE

    # Scalars

    def _has_scalars(self, values: Values) -> bool:
        return any(map(self._has_number, values.numbers)) or not self._normalizer.texts.is_empty(values.texts)

    def _has_number(self, range_: NumberRange) -> bool:
        """Whether some number of a range can be written."""
        if range_.multiple is None and not range_.but_not:
            return True
        if range_.low is not None and range_.low == range_.high:
            return True
        if range_.multiple == _ONE and not range_.but_not:
            return True
        known = self._numbers.get(range_)
        if known is None:
            known = self._numbers[range_] = any(map(_is_written, range_.some())) or self._is_inhabited(range_)
        return known

    def _is_inhabited(self, range_: NumberRange) -> bool:
        limits, watch = self._options.limits, self._normalizer.texts.watch
        return not compile_regular(number_expression((range_,), "", limits), limits=limits, watch=watch).is_empty()

    # Records

    def _of_object(self, record: ObjectRecord, term: Term) -> _Need | None:
        needed = [member.value for member in record.properties if member.required]
        if record.maximum is not None and record.maximum < max(record.minimum, len(needed)):
            return None
        if record.witnesses:
            return _Counted(object_steps(record, self._normalizer, self._options, pointer_of(term)))
        extra = record.minimum - len(needed)
        if extra <= 0:
            return _AllOf(needed)
        texts, terms = self._normalizer.texts, self._normalizer.terms
        declared = tuple(member.key for member in record.properties)
        more = [
            terms.true if part.value is None else part.value
            for part in record.others
            if not texts.is_empty(texts.minus(part.keys, declared))
        ]
        return _AllOf(needed, extra, (m.value for m in record.properties if not m.required), more)

    def _of_array(self, record: ArrayRecord, term: Term) -> _Need | None:
        if record.repeats is not None or (record.maximum is not None and record.maximum < record.minimum):
            return None
        record = without_noted(record, self._normalizer)
        counted = record.contains and (record.minimum > 0 or any(part.minimum > 0 for part in record.contains))
        if counted or (must_differ(record, self._normalizer) and record.minimum > 1):
            return _Counted(array_steps(record, self._normalizer, self._options, pointer_of(term)))
        needed = list(record.prefix[: record.minimum])
        if record.minimum > len(record.prefix):
            needed.append(self._normalizer.terms.true if record.rest is None else record.rest)
        return _AllOf(needed)


def _is_written(number: Decimal) -> bool:
    """Whether it is seen that a number has a plain spelling."""
    return abs(number) <= LARGEST_SAFE_INTEGER and int(number.normalize().as_tuple().exponent) >= -PLAIN_DIGITS
