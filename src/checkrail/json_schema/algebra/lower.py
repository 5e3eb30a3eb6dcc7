"""From terms to rules: the last step of the open profile.

Each array or object set becomes one rule, named after its place; equal sets are one rule whatever terms they came
from. Sets are lowered from a queue, so recursion in a schema becomes recursion among rules and never recursion
of this code. What nothing satisfies becomes the empty expression and is pruned by the compiler.
"""

from __future__ import annotations

from collections import deque

from ...grammar.expression import NOTHING, Expression, Literal, Reference
from ..arrays import array_expression
from ..combine import alt, seq
from ..decimals import NUMBER
from ..names import name_of
from ..numbers import ANY_INTEGER
from ..objects import free_object_expression
from ..options import Options
from ..strings import ANY_STRING
from .arrays import ANY_ARRAY, ArrayRecord
from .free_order import FreeOrder
from .lower_arrays import ArrayLowering
from .lower_objects import ObjectLowering
from .lower_scalars import OTHER_CHARACTER, OTHER_CHARACTERS, number_expression, text_expression
from .normal import Normalizer
from .objects import ANY_OBJECT, ObjectRecord
from .rules import RuleBook, RuleSet
from .terms import Term, pointer_of
from .texts import Texts

__all__ = ["Lowering"]

_ROOT = "root"
_ANY = Reference("json-value")
_READY_MADE = ("string", "number", "integer", "json-value", "json-object", "json-array", OTHER_CHARACTER.rule)


class Lowering:
    """Lowers the terms of one schema: call `run` once. equal_items: as in `survey`."""

    def __init__(self, normalizer: Normalizer, options: Options) -> None:
        self._normalizer = normalizer
        self._options = options
        self._book = RuleBook((_ROOT, *_READY_MADE), options.limits)
        self._known: dict[Term, Expression] = {}
        self._containers: dict[tuple[ArrayRecord | ObjectRecord, ...], Reference] = {}
        self._texts: dict[Texts, Expression] = {}
        self._free_order = FreeOrder(options)
        self.equal_items: dict[str, None] = {}
        self._waiting: deque[tuple[tuple[ArrayRecord | ObjectRecord, ...], Reference, str]] = deque()

    @property
    def origins(self) -> dict[str, str]:
        """Where each rule came from, as JSON pointers."""
        return {_ROOT: "", **self._book.origins}

    def run(self, root: Term) -> dict[str, Expression]:
        """The rules; the start is `root`."""
        start = self.value(root)
        watch = self._normalizer.texts.watch
        while self._waiting:
            watch.spend()
            records, rule, pointer = self._waiting.popleft()
            rules = RuleSet(self._book, rule.rule, pointer)
            order = self._free_order.of(records)
            rules.define(rule, alt(*(self._record(record, rules, pointer, order) for record in records)))
        return {_ROOT: start, **self._book.rules, **self._ready_made()}

    def value(self, term: Term) -> Expression:
        """The texts of the values of a term."""
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._lowered(term)
        return known

    def _lowered(self, term: Term) -> Expression:
        if term is self._normalizer.terms.true:
            return _ANY
        self._normalizer.texts.watch.spend()
        values = self._normalizer.values(term)
        pointer = pointer_of(term)
        parts: list[Expression] = []
        for word, there in (("null", values.null), ("true", values.true), ("false", values.false)):
            if there:
                parts.append(Literal(word))
        parts.append(self._text(values.texts, pointer))
        parts.append(number_expression(values.numbers, pointer, self._options.limits))
        parts.append(self._container(values.arrays, ANY_ARRAY, "json-array", pointer))
        parts.append(self._container(values.objects, ANY_OBJECT, "json-object", pointer))
        return alt(*(part for part in parts if part != NOTHING))

    def _text(self, texts: Texts, pointer: str) -> Expression:
        """Strings that are more than a list are rules of their own, so that equal ones share an automaton."""
        if texts not in self._texts:
            expression = text_expression(texts)
            if texts.members is None and not isinstance(expression, Reference):
                rule = self._book.fresh(name_of(pointer), pointer)
                self._book.rules[rule.rule] = expression
                expression = rule
            self._texts[texts] = expression
        return self._texts[texts]

    def _container(
        self, records: tuple[ArrayRecord | ObjectRecord, ...], everything: object, ready_made: str, pointer: str
    ) -> Expression:
        if not records:
            return NOTHING
        if records == (everything,):
            return Reference(ready_made)
        known = self._containers.get(records)
        if known is None:
            known = self._containers[records] = self._book.fresh(name_of(pointer), pointer)
            self._waiting.append((records, known, pointer))
        return known

    def _record(self, record: ArrayRecord | ObjectRecord, rules: RuleSet, pointer: str, any_order: int) -> Expression:
        blanks, limits, normalizer = self._options.blanks, self._options.limits, self._normalizer
        if isinstance(record, ArrayRecord):
            if record.repeats is not None:
                self.equal_items[record.repeats] = None
                return NOTHING
            arrays = ArrayLowering(record, normalizer, blanks, self.value, rules, pointer=pointer, limits=limits)
            return arrays.expression()
        objects = ObjectLowering(
            record, normalizer, blanks, self.value, rules, any_order=any_order, pointer=pointer, limits=limits
        )
        return objects.expression()

    def _ready_made(self) -> dict[str, Expression]:
        blanks = self._options.blanks
        scalars = ("null", "true", "false", Reference("string"), Reference("number"))
        return {
            OTHER_CHARACTER.rule: OTHER_CHARACTERS,
            "string": ANY_STRING,
            "number": NUMBER,
            "integer": ANY_INTEGER,
            "json-value": alt(*scalars, Reference("json-object"), Reference("json-array")),
            "json-object": free_object_expression(Reference("string"), _ANY, blanks),
            "json-array": array_expression([], _ANY, 0, None, blanks, lambda _, tail: seq(tail)),
        }
