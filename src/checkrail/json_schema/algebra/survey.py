"""A look at everything that values can reach, for the errors that lowering would end in, without its expressions.

The open profile does without rules until somebody asks for them, but a schema that cannot be in the mask is refused
when it is read. So this walks the sets of values as `lower` does, in the same order, and checks what lowering checks.
Whether the rules are too many is no question here: an automaton on demand does without them.

It also finds which objects may have their members in any order, since that depends on the order of the walk.
"""

from __future__ import annotations

from collections import deque
from decimal import Decimal
from typing import TypeAlias

from ..decimals import PLAIN_DIGITS
from ..options import Options
from .arrays import ANY_ARRAY, ArrayRecord
from .different import (
    must_differ,
    only_equal_items,
    without_equal_items,
    without_needless_maximum,
    without_noted,
)
from .enough import require_enough, require_enough_keys
from .free_order import FreeOrder
from .lower_scalars import check_numbers
from .normal import Normalizer
from .numbers import NumberRange
from .objects import ANY_OBJECT, ObjectRecord
from .room import INFINITE, Rooms
from .states import Steps, array_steps, object_steps
from .terms import Term, pointer_of
from .texts import ALL_TEXTS, Texts
from .values import Values, is_nothing

__all__ = ["Records", "Survey"]

_ONE = Decimal(1)
_REACH = Decimal(10) ** PLAIN_DIGITS
Records: TypeAlias = tuple[ArrayRecord, ...] | tuple[ObjectRecord, ...]
"""A set of arrays or of objects."""


class Survey:
    """Looks at one schema: call `run` once.

    orders: the object sets whose members may come in any order, each with the most members of which that is so. noted:
    the first place, if any, whose items must differ and are noted by each text, so that there are no rules.
    equal_items: the places of `uniqueItems` whose opposite is left out.
    """

    def __init__(self, normalizer: Normalizer, options: Options) -> None:
        self._normalizer = normalizer
        self._options = options
        self._rooms = Rooms(normalizer, options)
        self._seen: set[Term] = {normalizer.terms.true}
        self._containers: set[Records] = {(ANY_ARRAY,), (ANY_OBJECT,)}
        self._numbers: set[NumberRange] = set()
        self._texts: set[Texts] = {ALL_TEXTS}
        self._waiting: deque[tuple[Records, str]] = deque()
        self._free_order = FreeOrder(options)
        self._watch = normalizer.texts.watch
        self.orders: dict[Records, int] = {}
        self.noted = ""
        self.equal_items: dict[str, None] = {}

    def run(self, root: Term) -> None:
        """Raises what lowering raises: SchemaError, BudgetError."""
        self._visit(root)
        while self._waiting:
            self._watch.spend()
            records, pointer = self._waiting.popleft()
            order = self._free_order.of(records)
            for record in records:
                if isinstance(record, ArrayRecord):
                    self._array(record, pointer)
                elif self._object(record, order, pointer):
                    self.orders[records] = order
        if self.equal_items and self._rooms.of(root) >= INFINITE:
            raise only_equal_items(next(iter(self.equal_items)))

    def _visit(self, term: Term) -> Values:
        """The values of a term, looked at when it is seen for the first time."""
        values = term.resolved or self._normalizer.values(term)
        if term in self._seen:
            return values
        self._seen.add(term)
        self._watch.spend()
        if values.numbers:
            self._check_numbers(values.numbers, term)
        if values.arrays and term.place is not None and is_nothing(without_equal_items(values)):
            raise only_equal_items(values.arrays[0].repeats or term.place.pointer)
        texts = values.texts
        if texts is not ALL_TEXTS and texts.members is None and texts not in self._texts:
            self._texts.add(texts)
            self._normalizer.texts.check(texts, pointer_of(term))
        for records in (values.arrays, values.objects):
            if records and records not in self._containers:
                self._containers.add(records)
                self._waiting.append((records, pointer_of(term)))
        return values

    def _check_numbers(self, ranges: tuple[NumberRange, ...], term: Term) -> None:
        for range_ in ranges:
            if not _is_easily_written(range_) and range_ not in self._numbers:
                self._numbers.add(range_)
                check_numbers(range_, pointer_of(term))

    # Containers

    def _visit_all(self, steps: Steps) -> None:
        for term in steps.terms():
            self._visit(term)

    def _array(self, record: ArrayRecord, pointer: str) -> None:
        if record.repeats is not None:
            self.equal_items[record.repeats] = None
            return
        require_enough(record, self._normalizer, self._rooms, self._options.limits, pointer)
        known = without_noted(record, self._normalizer)
        if known is not record:
            self.noted = self.noted or (record.unique or pointer)
        record = without_needless_maximum(known, self._normalizer)
        if record.contains or must_differ(record, self._normalizer):
            self._visit_all(array_steps(record, self._normalizer, self._options, pointer))
            return
        for term in record.prefix:
            self._visit(term)
        if record.rest is not None:
            self._visit(record.rest)

    def _object(self, record: ObjectRecord, any_order: int, pointer: str) -> bool:
        """Whether the members may come in any order."""
        required: list[Term] = []
        members = 0
        for member in record.properties:
            if member.required:
                required.append(member.value)
            elif not is_nothing(self._visit(member.value)):
                members += 1
        members += len(required)
        others: list[Texts] = []
        for part in record.others:
            if part.value is None or not is_nothing(self._visit(part.value)):
                self._normalizer.texts.check(part.keys, pointer)
                others.append(part.keys)
        free = 1 < members <= any_order
        if others and record.minimum:
            on_demand = self._options.any_order > 0  # the order of an automaton on demand, where keys must not run out
            limits = self._options.limits
            require_enough_keys(record, others, self._normalizer, self._rooms, limits, pointer, free=on_demand)
        bounded = record.maximum is not None and (bool(others) or record.maximum < members)
        counted = free or bounded or record.minimum > len(required)
        if counted or record.witnesses:
            most = record.minimum if record.maximum is None else record.maximum
            states = (2**members if free else members + 1) * (1 + (most if others else min(most, members)))
            if record.witnesses or states > self._options.limits.counted_states:
                self._visit_all(object_steps(record, self._normalizer, self._options, pointer, any_order))
                return free
        for term in required:
            if is_nothing(self._visit(term)) and counted and not free:
                break  # lowering goes no further either: what comes after is never reached
        return free


def _is_easily_written(range_: NumberRange) -> bool:
    """Whether it is seen at once that the range has an expression within the limits."""
    if range_.but_not or (range_.multiple is not None and range_.multiple != _ONE):
        return False
    if range_.multiple is not None:
        return True
    return all(
        end is None or (-_REACH < end < _REACH and int(end.as_tuple().exponent) >= -PLAIN_DIGITS)
        for end in (range_.low, range_.high)
    )
