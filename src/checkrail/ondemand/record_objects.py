"""The states inside an object of one record in which nothing is counted: most objects of most schemas.

A member, from its opening quote to the end of its value, is a module of its own whose outcome is its number, and the
caller, who knows the position so far, goes on from the position after it. So the states after a name are made once,
whatever stood before. The modules of two positions differ only in which names they still accept:

- members in any order: with n of them there are 2^n sets of members that were written. The trie of a set is that of
  the set before it, less one name (path copying), so a set costs as many rows as its last name has letters;
- members in declared order: going back from the last position, each adds one name to the trie after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..json_schema.algebra.profile import INFINITE
from .kinds import Starts
from .members import FreeOrder, InOrder
from .module import Module
from .record_names import RecordNames
from .tables import Names

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["RecordModule"]


class RecordModule(Module):
    """The objects of one record. Its states are made by `_tables.RecordStates`."""

    def __init__(self, owner: OnDemand, record: FreeOrder | InOrder) -> None:
        self._owner = owner
        self._record = record
        self._terms = [term for _, term, _ in record.members]
        self._terms += [term for _, term in record.other_classes]  # a class of other keys is numbered as members are
        self._rooms = [*record.rooms, *(owner.room(term) for _, term in record.other_classes)]
        # Near the nesting bound some of the other keys have no room for their values: at each further level there are
        # those only that need no more.
        levels = sorted(set(self._rooms[len(record.members) :]), reverse=True) or [INFINITE]
        self._before: dict[int, tuple[int, int]] = {}
        free = isinstance(record, FreeOrder)
        blanks = owner.blanks
        self._states = owner.made_by.RecordStates(
            owner.made, self._starts, self._names, self._rooms, levels, free, len(record.members),
            record.required if isinstance(record, FreeOrder) else 0,
            [] if isinstance(record, FreeOrder) else record.ends,
            bool(record.other_classes), (blanks.padding, blanks.after_comma, blanks.after_colon), record.room(0),
            self._before,
        )  # fmt: skip
        super().__init__(self._states.start)

    def _starts(self, number: int) -> Starts:
        """What the value of a member may be."""
        return self._owner.starts(self._terms[number])

    def _names(self, most: int) -> Names:
        """The names, with the other keys whose values need so many levels of nesting at most."""
        first = len(self._record.members)
        classes = [number for number in range(first, len(self._rooms)) if self._rooms[number] <= most]
        names = RecordNames(self._owner, self._record, classes, most, self._rooms, self._before, self._states.name_end)
        return names.states
