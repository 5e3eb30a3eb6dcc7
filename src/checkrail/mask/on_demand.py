"""The mask engine of an automaton that is made on demand.

Masks and moves come from the source by the deterministic path. What needs the automaton as a whole (token budgets,
the rules of an explanation) comes from an engine over the static one, which is compiled when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import ClassVar, Protocol

from ..errors import BudgetError, MaskError
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .configuration import Configuration
from .cursor import Cursor
from .engine import EngineName, MaskEngine
from .kernel import Kernel, active
from .registers.follower import Follower
from .registers.register import NotedSource
from .registers.token_index import token_index
from .token_tables import token_tables
from .visible import Source, Visible

__all__ = ["GrowingSource", "OnDemandEngine"]


class GrowingSource(Source, NotedSource, Protocol):
    """A source that grows with the texts that it has read, and can say what a text is in the middle of."""

    @property
    def is_large(self) -> bool:
        """Whether the next text should begin with a new source."""

    @property
    def memory(self) -> int:
        """Bytes of its tables."""

    def described_strings(self) -> Sequence[int]:
        """The states before the strings so far whose first masks are not those of any string, in the order of texts."""

    def pending(self, text: bytes, /) -> tuple[str, ...]:
        """The places of the schema that the text is in the middle of, innermost first."""


class OnDemandEngine:
    """Masks over one vocabulary. make_source: a source of the grammar, as new. make_full: the engine over its whole
    automaton."""

    name: ClassVar[EngineName] = "automaton"

    def __init__(
        self,
        make_source: Callable[[], GrowingSource],
        vocabulary: Vocabulary,
        trie: Trie,
        make_full: Callable[[], MaskEngine],
        kernel: Kernel | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.trie = trie
        self.words = words_for(len(vocabulary))
        kernel = kernel or active()
        self._make_source = make_source
        self._index = token_index(vocabulary)
        self._make_visible = partial(Visible, tables=token_tables(vocabulary, trie, kernel), kernel=kernel)
        self.source = make_source()
        self.visible = self._visible()
        self._make_full = make_full
        self._full: MaskEngine | None = None
        self._has_full: bool | None = None
        self._lock = Lock()

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held, by what holds them."""
        source = self.source
        own = {"automaton": source.memory, "masks": self.visible.memory}
        if self._full is None:
            return own
        return {name: own.get(name, 0) + size for name, size in self._full.memory.items()}

    @property
    def full(self) -> MaskEngine:
        """The engine over the whole automaton. Raises what compiling it raises."""
        with self._lock:
            if self._full is None:
                self._full = self._make_full()
            return self._full

    @property
    def has_full(self) -> bool:
        """Whether the whole automaton is within the limits; found by making it."""
        if self._has_full is None:
            try:
                self._has_full = self.full is not None
            except BudgetError:
                self._has_full = False
        return self._has_full

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text.

        A source keeps every state that a text came to. Once these are many, new texts go to a new source; the old one
        goes with its last cursor.
        """
        with self._lock:
            if self.source.is_large:
                self.source = self._make_source()
                self.visible = self._visible()
            return self.visible.cursor()

    def _visible(self) -> Visible:
        source = self.source
        return self._make_visible(source, follower=Follower(source, self._index), strings=source.described_strings())

    def names_token(self, _cursor: Cursor, _taken: Sequence[int | bytes]) -> bool:
        """No source that makes states on demand names tokens."""
        return False

    def configuration(self, _cursor: Cursor, taken: Sequence[int | bytes]) -> Configuration:
        """What a text can mean, in terms of the whole automaton: it is read again."""
        full = self.full
        here: Configuration | None = full.stepper.start
        for step in taken:
            if isinstance(step, int):
                here = None if here is None else full.advance(here, step)
                continue
            for byte in step:
                here = None if here is None else full.stepper.step(here, byte)
        if here is None:
            raise MaskError("MATCHER_ORDER")
        return here

    def pending_rules(self, _cursor: Cursor, taken: Sequence[int | bytes]) -> tuple[tuple[str, ...], ...]:
        """Pointers to the subschemas that the text is in the middle of, innermost first."""
        tokens = self.vocabulary.tokens
        text = b"".join(step if isinstance(step, bytes) else tokens[step] or b"" for step in taken)
        return (self.source.pending(text),)

    def lines(self, _cursor: Cursor) -> tuple[str, ...]:
        """None: the pointers to the schema say all."""
        return ()
