"""Array records as expressions: a prefix and a repeated item, or one rule for each state where more is counted.

Items that `contains` counts are split by what they are: an item has the wanted value or its opposite, so each text
has one reading. The state is the position, as far as it matters, and a count for each `contains`. Items that must
differ are listed one by one where they are few, and the state is the set of those that were written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...grammar.expression import NOTHING, Expression
from ...limits import Limits
from ..arrays import array_expression, longest
from ..combine import seq
from ..literals import quote
from ..whitespace import Whitespace
from .arrays import ArrayRecord
from .cases import split_item
from .counted import counted_expression
from .different import items_cannot_differ, listed, must_differ, without_needless_maximum
from .lower_scalars import number_expression
from .normal import Normalizer
from .rules import RuleSet
from .terms import Term

__all__ = ["ArrayLowering"]


@dataclass(frozen=True, slots=True)
class _State:
    """position: items so far, as far as it matters. counts: for each `contains`. written: the items that must not
    come again, where items must differ."""

    position: int
    counts: tuple[int, ...]
    written: frozenset[Expression]


class ArrayLowering:
    """Lowers one record. value: the expression of a term. rules: where the states become rules."""

    def __init__(
        self,
        record: ArrayRecord,
        normalizer: Normalizer,
        blanks: Whitespace,
        value: Callable[[Term], Expression],
        rules: RuleSet,
        *,
        pointer: str,
        limits: Limits,
    ) -> None:
        self._record = record = without_needless_maximum(record, normalizer)
        self._normalizer = normalizer
        self._terms = normalizer.terms
        self._blanks = blanks
        self._value = value
        self._rules = rules
        self._pointer = pointer
        self._limits = limits
        self.begin = _State(0, (0,) * len(record.contains), frozenset())
        self._unique = must_differ(record, normalizer)

    def expression(self) -> Expression:
        """The arrays of the record, or NOTHING."""
        record = self._record
        if record.contains or self._unique:
            return self._counted()
        prefix = [self._value(term) for term in record.prefix]
        item = self._value(record.item(len(prefix), self._terms))
        most = longest(prefix, item, record.maximum)
        if most is not None and record.minimum > most:
            return NOTHING
        return array_expression(prefix, item, record.minimum, most, self._blanks, self._rules.share)

    def _counted(self) -> Expression:
        padding = self._blanks.padding
        return counted_expression(
            "[]",
            self.begin,
            lambda state: ((seq(item, padding), after) for item, after in self.steps(state)),
            self.may_close,
            self._blanks,
            self._rules,
            conditions=len(self._record.contains),
            parts="items",
            pointer=self._pointer,
            limits=self._limits,
        )

    def may_close(self, state: _State) -> bool:
        """Whether the array may end here."""
        enough = all(count >= c.minimum for count, c in zip(state.counts, self._record.contains, strict=True))
        return enough and state.position >= self._record.minimum

    def steps(self, state: _State) -> Iterator[tuple[Expression, _State]]:
        """The items that may come next, each with the state after it."""
        record = self._record
        if record.maximum is not None and state.position >= record.maximum:
            return
        term = record.item(state.position, self._terms)
        marks = [len(record.prefix), record.minimum, record.maximum or 0, *(c.start for c in record.contains)]
        position = min(state.position + 1, max(marks))
        for part, counts in split_item(self._normalizer, record.contains, term, state.position, state.counts):
            if not self._unique:
                value = self._value(part)
                if value != NOTHING:
                    yield value, _State(position, counts, state.written)
                continue
            for item in self._listed(part):
                if item not in state.written:
                    yield item, _State(position, counts, state.written | {item})

    def _listed(self, term: Term) -> list[Expression]:
        """The values of an item one by one. Raises SchemaError where they are not few."""
        terms = listed(term, self._normalizer)
        if terms is None:
            raise items_cannot_differ(self._record.unique or self._pointer)
        return [self._word(part) for part in terms]

    def _word(self, term: Term) -> Expression:
        """The spelling of the only value of a term."""
        values = self._normalizer.values(term)
        for word, there in (("null", values.null), ("true", values.true), ("false", values.false)):
            if there:
                return seq(word)
        if values.numbers:
            return number_expression(values.numbers, self._pointer, self._limits)
        return seq(quote((values.texts.members or ("",))[0]))
