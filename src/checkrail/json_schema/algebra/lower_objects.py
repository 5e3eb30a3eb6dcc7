"""Object records as expressions: declared members in order, then members with other keys.

Where nothing must be counted there is one tail for each declared member, as in the strict profile. A count of
properties, witnesses and a free order need more memory: then each state (members behind, how many, which
witnesses were seen) is a rule, made when it is reached and bounded in number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...grammar.expression import NOTHING, Expression, Repeat
from ...limits import Limits
from ..combine import alt, seq
from ..literals import quote
from ..objects import Member, object_expression
from ..whitespace import Whitespace
from .cases import key_cases, split_member
from .counted import counted_expression
from .lower_scalars import key_expression
from .normal import Normalizer
from .objects import KeyClass, ObjectRecord, Property
from .rules import RuleSet
from .terms import Term
from .texts import Texts

__all__ = ["ObjectLowering"]


@dataclass(frozen=True, slots=True)
class _State:
    """behind: how many declared members are decided, or in free order a bit set of those that were written.
    count: properties so far, as far as it matters. seen: a bit set of the witnesses."""

    behind: int
    count: int
    seen: int


class ObjectLowering:
    """Lowers one record. value: the expression of a term. rules: where the tails become rules."""

    def __init__(
        self,
        record: ObjectRecord,
        normalizer: Normalizer,
        blanks: Whitespace,
        value: Callable[[Term], Expression],
        rules: RuleSet,
        *,
        any_order: int,
        pointer: str,
        limits: Limits,
    ) -> None:
        self._normalizer = normalizer
        self._terms = normalizer.terms
        self._blanks = blanks
        self._value = value
        self._rules = rules
        self._pointer = pointer
        self._limits = limits
        self._record = record
        self.begin = _State(0, 0, 0)
        self._cases: dict[tuple[str, int], list[tuple[Term, int]]] = {}
        self._other_cases: dict[int, list[tuple[Texts, list[tuple[Term, int]]]]] = {}
        self._members = [p for p in record.properties if p.required or value(p.value) != NOTHING]
        self._any_order = 1 < len(self._members) <= any_order
        declared = tuple(p.key for p in record.properties)
        texts = normalizer.texts
        self._others = [
            KeyClass(texts.minus(part.keys, declared), part.value)
            for part in record.others
            if self._value_of(part) != NOTHING
        ]

    def _value_of(self, part: KeyClass) -> Expression:
        return self._value(self._terms.true if part.value is None else part.value)

    def expression(self) -> Expression:
        """The objects of the record, or NOTHING."""
        members, record = self._members, self._record
        needed = sum(member.required for member in members)
        bounded = record.maximum is not None and (self._others or record.maximum < len(members))
        if not (record.witnesses or bounded or record.minimum > needed or self._any_order):
            return self._uncounted()
        return self._counted()

    def _uncounted(self) -> Expression:
        members = [Member(p.key, self._value(p.value), p.required) for p in self._members]
        if any(member.required and member.value == NOTHING for member in members):
            return NOTHING
        others = None
        pairs = [self.other_pair(part.keys, self._value_of(part)) for part in self._others]
        if pairs:
            more = Repeat(seq(",", self._blanks.after_comma, alt(*pairs)), 0, None)
            others = self._rules.share("other", seq(alt(*pairs), more, "}"))
        return object_expression(members, self._blanks, self._rules.share, others)

    def declared_pair(self, key: str, value: Expression) -> Expression:
        """A declared member and the blanks after it."""
        return self._pair(seq(quote(key)), value)

    def other_pair(self, keys: Texts, value: Expression) -> Expression:
        """A member with any of some keys, and the blanks after it."""
        return self._pair(key_expression(keys), value)

    def _pair(self, key: Expression, value: Expression) -> Expression:
        blanks = self._blanks
        return seq(key, blanks.padding, ":", blanks.after_colon, value, blanks.padding)

    def _counted(self) -> Expression:
        return counted_expression(
            "{}",
            self.begin,
            self.steps,
            self.may_close,
            self._blanks,
            self._rules,
            conditions=len(self._record.witnesses),
            parts="properties",
            pointer=self._pointer,
            limits=self._limits,
        )

    def may_close(self, state: _State) -> bool:
        """Whether the object may end here."""
        written = (
            all(state.behind & 1 << i for i, member in enumerate(self._members) if member.required)
            if self._any_order
            else not any(member.required for member in self._members[state.behind :])
        )
        return written and state.count >= self._record.minimum and state.seen == (1 << len(self._record.witnesses)) - 1

    def steps(self, state: _State) -> Iterator[tuple[Expression, _State]]:
        """The members that may come next, each with the state after it."""
        self._normalizer.texts.watch.spend(1 + len(self._members))
        maximum = self._record.maximum
        if maximum is not None and state.count >= maximum:
            return
        cap = self._record.minimum if maximum is None else maximum
        count = min(state.count + 1, cap)
        for i, member in enumerate(self._members):
            if state.behind & 1 << i if self._any_order else i < state.behind:
                continue
            for pair, seen in self._declared_pairs(member, state.seen):
                yield pair, _State(state.behind | 1 << i if self._any_order else i + 1, count, seen)
            if member.required and not self._any_order:
                return
        behind = state.behind if self._any_order else len(self._members)
        for pair, seen in self._other_pairs(state.seen):
            yield pair, _State(behind, count, seen)

    def _declared_pairs(self, member: Property, seen: int) -> Iterator[tuple[Expression, int]]:
        """The forms of a declared member, each with the witnesses that are seen after it."""
        cases = self._cases.get((member.key, seen))
        if cases is None:
            texts, witnesses = self._normalizer.texts, self._record.witnesses
            applying = [i for i, w in enumerate(witnesses) if texts.contains(w.keys, member.key, self._pointer)]
            cases = self._cases[member.key, seen] = self._split(member.value, applying, seen)
        for term, after in cases:
            value = self._value(term)
            if value != NOTHING:
                yield self.declared_pair(member.key, value), after

    def _other_pairs(self, seen: int) -> Iterator[tuple[Expression, int]]:
        """The forms of a member with another key."""
        cases = self._other_cases.get(seen)
        if cases is None:
            cases = self._other_cases[seen] = [
                (keys, self._split(self._terms.true if part.value is None else part.value, applying, seen))
                for part in self._others
                for keys, applying in self.key_cases(part.keys, seen)
            ]
        for keys, parts in cases:
            for term, after in parts:
                value = self._value(term)
                if value != NOTHING:
                    yield self.other_pair(keys, value), after

    def key_cases(self, keys: Texts, seen: int) -> list[tuple[Texts, list[int]]]:
        """The keys of a class by which of the witnesses that are not seen yet are about them."""
        return key_cases(self._normalizer.texts, self._record.witnesses, keys, seen, self._pointer)

    def _split(self, term: Term, applying: list[int], seen: int) -> list[tuple[Term, int]]:
        return split_member(self._normalizer, self._record.witnesses, term, applying, seen)
