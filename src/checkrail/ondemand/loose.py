"""A record beside others that declare names which are other keys to it: those of them that were written.

Each key of an object comes once. A record knows of its declared members which were written, and texts note the other
keys; but what another record declares is in the trie of names, so nobody notes it. A position is then a position of the
record and the set of such names.
"""

from __future__ import annotations

from typing import NamedTuple

from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import Texts
from .members import Position, Record

__all__ = ["Beside", "BesideOthers"]


class Beside(NamedTuple):
    """position: of the record. written: the names that others declare."""

    position: Position
    written: frozenset[str]


class BesideOthers:
    """A record with such positions."""

    def __init__(self, record: Record) -> None:
        self.begin: Position = Beside(record.begin, frozenset())
        self.declared = record.declared
        self._record = record

    def named(self, position: Position) -> list[tuple[str, Term, Position]]:
        """The declared members that may come next."""
        assert isinstance(position, Beside)
        steps = self._record.named(position.position)
        return [(name, term, Beside(after, position.written)) for name, term, after in steps]

    def others(self, position: Position) -> list[tuple[Texts, Term, Position]]:
        """The other members that may come next, whatever was written."""
        assert isinstance(position, Beside)
        steps = self._record.others(position.position)
        return [(texts, term, Beside(after, position.written)) for texts, term, after in steps]

    def may_close(self, position: Position) -> bool:
        """Whether the object may end here."""
        assert isinstance(position, Beside)
        return self._record.may_close(position.position)

    def room(self, position: Position) -> int:
        """Levels of nesting that are needed from here to the end."""
        assert isinstance(position, Beside)
        return self._record.room(position.position)
