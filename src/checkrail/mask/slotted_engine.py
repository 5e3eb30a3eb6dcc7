"""The mask engine of an automaton whose slots are filled (see `slotted_source`).

It serves one text or a few with the same fillers: a document to copy from. What the texts have in common, the tables of
the automaton and of the vocabulary, is shared with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import ClassVar, NamedTuple

from ..errors import InputError
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .configuration import Configuration
from .cursor import Cursor
from .engine import EngineName, MaskEngine
from .kernel import Kernel
from .renewing import RenewingCursor
from .slotted_source import SlottedSource
from .token_tables import token_tables
from .visible import Visible

__all__ = ["SlottedEngine"]


class _Tables(NamedTuple):
    """A source and the kernel's view of it."""

    source: SlottedSource
    visible: Visible

    @property
    def is_large(self) -> bool:
        return self.source.is_large

    def cursor(self) -> Cursor:
        return self.visible.cursor()


class SlottedEngine:
    """Masks over one vocabulary. make_source: the automaton with its slots filled, as new."""

    name: ClassVar[EngineName] = "automaton"

    def __init__(
        self, make_source: Callable[[], SlottedSource], vocabulary: Vocabulary, trie: Trie, kernel: Kernel
    ) -> None:
        self.vocabulary = vocabulary
        self.trie = trie
        self.words = words_for(len(vocabulary))
        self._make_source = make_source
        self._make_visible = partial(Visible, tables=token_tables(vocabulary, trie, kernel), kernel=kernel)
        self._lock = Lock()
        self._tables = self._begin()

    def _begin(self) -> _Tables:
        source = self._make_source()
        return _Tables(source, self._make_visible(source))

    def _fresh(self) -> _Tables:
        """Tables that are not large; those of other texts as long as they are not."""
        with self._lock:
            if self._tables.is_large:
                self._tables = self._begin()
            return self._tables

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held, by what holds them."""
        return {"automaton": self._tables.source.memory, "masks": self._tables.visible.memory}

    @property
    def full(self) -> MaskEngine:
        """There is none: what a slot holds is never known as a whole. Raises InputError CONSTRAINT_ENGINE."""
        raise self._has_no("count of the tokens that a text takes")

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text."""
        return RenewingCursor(self._fresh)

    def names_token(self, _cursor: Cursor, _taken: Sequence[int | bytes]) -> bool:
        """No grammar with slots names tokens."""
        return False

    def configuration(self, _cursor: Cursor, _taken: Sequence[int | bytes]) -> Configuration:
        """There is none, as for `full`."""
        raise self._has_no("configuration")

    def pending_rules(self, cursor: Cursor, _taken: Sequence[int | bytes]) -> tuple[tuple[str, ...], ...]:
        """The pending rules, innermost first; "slot" within a slot."""
        assert isinstance(cursor, RenewingCursor)
        tables = cursor.tables
        assert isinstance(tables, _Tables)
        state, calls = cursor.position()
        return (tuple(tables.source.rule_of(place) for place in (state, *(after for after, _ in calls))),)

    def lines(self, _cursor: Cursor) -> tuple[str, ...]:
        """None: the pending rules say all."""
        return ()

    def _has_no(self, what: str) -> InputError:
        return InputError("CONSTRAINT_ENGINE", engine="slotted", what=what)
