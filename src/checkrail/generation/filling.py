"""`Filling`: what stands in the slots of an output, for each of its documents.

    filling = Filling.of(output, vocabulary, copies=True)        once: the grammar with marks is compiled
    filling.matcher({"document": source})                        for each text: copies from its document

Copied strings (`x-source`) come out of the documents of the text; equations follow from what the text says. A document
that has nothing for a slot is served by a grammar without that slot, compiled when the first such document comes; if
the schema asks for the value, there is no text, and COPY_NOTHING says where. `Plan` uses it; you need it to drive a
matcher of your own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..automaton.compiler import compile_automaton
from ..automaton.pushdown import PushdownAutomaton
from ..boundary.binding.copying import copy_pieces
from ..boundary.binding.source import Source
from ..boundary.binding.source_rule import read_source_rule
from ..boundary.calc.equation import Equations
from ..decoding.constraint import compile
from ..decoding.matcher import Matcher
from ..decoding.slotted import FilledConstraint, SlottedConstraint
from ..errors import GrammarError, InputError, SchemaError
from ..json_schema.slots import Slot, SlottedSchema
from ..limits import DEFAULT_LIMITS, Limits
from ..ondemand.copied import Copies, CopyIndex
from ..ondemand.filler import Filler
from ..vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from .output import Output

__all__ = ["Filling"]

_MOST_KEPT = 32  # compiled grammars without some of the slots
_NOTHING_LEFT = ("SCHEMA_CONFLICT", "GRAMMAR_EMPTY_LANGUAGE", "GRAMMAR_UNPRODUCTIVE")


class Filling:
    """The slots of one output over one vocabulary. Shared between threads. Make it with `of`."""

    def __init__(self, output: Output[Any], schema: SlottedSchema, vocabulary: Vocabulary, limits: Limits) -> None:
        self._output = output
        self._schema = schema
        self._vocabulary = vocabulary
        self._limits = limits
        self._lock = Lock()
        self._guides = [self._guide(slot) for slot in schema.slots]
        self._compiled: dict[frozenset[int], SlottedConstraint | str] = {}  # as `_compile` gives them
        found = self._constraint(frozenset()).found
        for number, slot in enumerate(schema.slots):
            if number not in found:
                raise GrammarError("GRAMMAR_SLOTS", what=f"nothing leads to {slot.pointers[0]}, or to it alone")

    @classmethod
    def of(
        cls, output: Output[Any], vocabulary: Vocabulary, *, copies: bool = False, limits: Limits = DEFAULT_LIMITS
    ) -> Filling | None:
        """The filling of an output; None where it has no slots. copies: whether strings with `x-source` are slots.

        Raises SchemaError, GrammarError GRAMMAR_SLOTS where a slot has no place of its own, and what compiling raises.
        """
        schema = output.slots(copies=copies, limits=limits)
        return cls(output, schema, vocabulary, limits) if schema is not None and schema.slots else None

    def __repr__(self) -> str:
        return f"<Filling of {len(self._schema.slots)} slots>"

    def matcher(self, documents: Mapping[str, Source]) -> Matcher:
        """A matcher at the beginning of a text about these documents. See `fill`."""
        return self.fill(documents).matcher()

    def fill(self, documents: Mapping[str, Source]) -> FilledConstraint:
        """The constraint of texts about these documents, by the names that `x-source` uses.

        Raises InputError where a document is missing, COPY_NOTHING where the schema asks for a copy and there is
        none, BudgetError COPY_BUDGET beyond `Limits.copied_bytes`.
        """
        indexes: dict[tuple[object, ...], CopyIndex] = {}
        fillers = [
            self._filler(slot, guide, documents, indexes)
            for slot, guide in zip(self._schema.slots, self._guides, strict=True)
        ]
        empty = frozenset(i for i, filler in enumerate(fillers) if isinstance(filler, Copies) and filler.is_empty)
        return self._constraint(empty).fill(fillers)

    def _filler(
        self,
        slot: Slot,
        guide: _StringGuide | None,
        documents: Mapping[str, Source],
        indexes: dict[tuple[object, ...], CopyIndex],
    ) -> Filler:
        if slot.kind == "equation":
            return Equations()
        rule = read_source_rule(slot.source, _malformed)
        source = documents.get(rule.doc)
        if source is None:
            raise InputError(
                "INPUT_FORMAT", name=f"Document {rule.doc}", what="it is to be copied from and is not there"
            )
        key = (rule.doc, rule.match, rule.boundary)
        index = indexes.get(key)
        if index is None:
            pieces = copy_pieces(source, rule)
            index = indexes[key] = CopyIndex(pieces, self._limits.copied_bytes, rule.doc)
        return Copies(index, low=slot.low or 1, high=slot.high, guide=guide, name=rule.doc)

    def _guide(self, slot: Slot) -> _StringGuide | None:
        """What a slot's schema says besides, as an automaton; None where that is nothing, or lengths."""
        if not slot.others:
            return None
        grammar = self._output.grammar_of({"type": "string", **slot.others}, limits=self._limits)
        return _StringGuide(compile_automaton(grammar, contract=grammar.contract, limits=self._limits), slot)

    def _constraint(self, without: frozenset[int]) -> SlottedConstraint:
        with self._lock:
            known = self._compiled.get(without)
            if known is None:
                if len(self._compiled) > _MOST_KEPT:
                    del self._compiled[next(filter(None, self._compiled))]  # the oldest that leaves slots out
                known = self._compiled[without] = self._compile(without)
        if isinstance(known, str):
            raise InputError("COPY_NOTHING", pointer=known)
        return known

    def _compile(self, without: frozenset[int]) -> SlottedConstraint | str:
        """The grammar without some slots; the pointer of one that the schema asks for where it leaves no text then."""
        slots: Sequence[Slot] = self._schema.slots
        try:
            grammar = self._output.grammar_of(self._schema.schema(without), limits=self._limits)
            return SlottedConstraint(compile(grammar, self._vocabulary, limits=self._limits), len(slots))
        except GrammarError as error:
            if not without or error.code not in _NOTHING_LEFT:
                raise
        if len(without) > 1:
            for slot in sorted(without):
                alone = self._compile(frozenset({slot}))
                if isinstance(alone, str):
                    return alone
        return slots[min(without)].pointers[0]


class _StringGuide:
    """An automaton of JSON strings, between their quotes (`copied.Guide`)."""

    def __init__(self, automaton: PushdownAutomaton, slot: Slot) -> None:
        if any(automaton.calls):
            raise GrammarError("GRAMMAR_SLOTS", what=f"{slot.pointers[0]} is no plain string")
        self._step = automaton.step
        self._accepting = automaton.accepting
        self.start = automaton.step(automaton.starts[0], 0x22)

    def step(self, state: int, byte: int, /) -> int:
        return self._step(state, byte)

    def accepts(self, state: int, /) -> bool:
        end = self._step(state, 0x22)
        return end >= 0 and bool(self._accepting[end])


def _malformed(what: str) -> Any:
    raise SchemaError("SCHEMA_SYNTAX", pointer="", what=what)
