"""`SlottedConstraint`: a compiled grammar with slots, ready to be filled for one text or for many.

    slotted = SlottedConstraint(compile(grammar, vocabulary), slots=1)     once
    matcher = slotted.fill([copies]).matcher()                             for each document

You need it where a part of the language comes with each text (see `json_schema.slots`); `extract` uses it to hold
copies to their document. The compiled tables are shared; a filling costs a copy of them, and the states that its texts
come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..mask.cache import prepare
from ..mask.kernel import Kernel, active
from ..mask.slotted_engine import SlottedEngine
from ..mask.slotted_source import SlottedSource, find_slots
from ..mask.static_source import StaticSource
from ..ondemand.filler import Filler
from .constraint import Constraint
from .matcher import Matcher

__all__ = ["FilledConstraint", "SlottedConstraint"]


class SlottedConstraint:
    """A constraint whose grammar has marks for `slots` slots, of which `found` are in it. Shared between threads.

    Raises GrammarError GRAMMAR_SLOTS where a slot has no place in the automaton, and what compiling the whole
    automaton raises.
    """

    def __init__(self, constraint: Constraint, slots: int, *, kernel: Kernel | None = None) -> None:
        self.constraint = constraint
        self.slots = slots
        self._kernel = kernel or active()
        self._trie = prepare(constraint.vocabulary).trie
        self._automaton = constraint.automaton
        self._places = find_slots(self._automaton, slots)
        self.found = frozenset(slot for slots in self._places.values() for slot, _ in slots)
        self._static = StaticSource(self._automaton, self._trie.max_depth)

    def __repr__(self) -> str:
        return f"<SlottedConstraint {self.slots} slots in {len(self._places)} places, {self._automaton!r}>"

    def fill(self, fillers: Sequence[Filler]) -> FilledConstraint:
        """The constraint with these languages in its slots, one for each, none of them empty."""
        if len(fillers) != self.slots:
            raise ValueError(f"{len(fillers)} fillers for {self.slots} slots")
        make = partial(SlottedSource, self._automaton, self._static, self._places, tuple(fillers), self._kernel)
        return FilledConstraint(SlottedEngine(make, self.constraint.vocabulary, self._trie, self._kernel))


class FilledConstraint:
    """A constraint with its slots filled. Made by `SlottedConstraint.fill`."""

    __slots__ = ("engine",)

    def __init__(self, engine: SlottedEngine) -> None:
        self.engine = engine

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held now, by what holds them."""
        return self.engine.memory

    def matcher(self) -> Matcher:
        """A matcher at the beginning of a text. There are no token budgets: what a slot takes is not known."""
        return Matcher(self.engine)
