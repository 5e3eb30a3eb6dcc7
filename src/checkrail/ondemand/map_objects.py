"""The states inside an object that declares no names and in which nothing is counted: a map, or any object at all.

`{` blanks (key blanks `:` blanks value blanks (`,` blanks key ...)*)? `}`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import Texts
from .key_rests import are_all
from .kinds import Starts
from .module import Module
from .noted import ANY_KEYS, Unit, keys_of

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["MapModule", "unit_of_keys"]


class MapModule(Module):
    """The objects whose keys are all of one class. keys, term: these and their values. Its states are made by
    `_tables.MapStates`."""

    def __init__(self, owner: OnDemand, keys: Texts, term: Term) -> None:
        self._owner = owner
        self._keys = keys
        self._term = term
        blanks = owner.blanks
        states = owner.made_by.MapStates(
            owner.made, self._starts, self._keys_of, owner.room(term),
            (blanks.padding, blanks.after_comma, blanks.after_colon),
        )  # fmt: skip
        super().__init__(states.start)

    def _starts(self) -> Starts:
        """What a value may be."""
        return self._owner.starts(self._term)

    def _keys_of(self) -> tuple[int, Unit]:
        """The state before a key, -1 where none may come, and what calls on keys are about."""
        module = self._owner.languages.keys((self._keys,))
        return (-1, ANY_KEYS) if module is None else (module.start, unit_of_keys(self._owner, (self._keys,)))


def unit_of_keys(owner: OnDemand, keys: tuple[Texts, ...]) -> Unit:
    """What calls on keys of some classes are about, each key in all its spellings."""
    rest = None if are_all(keys) else owner.languages.rest_of_keys(keys)
    return ANY_KEYS if rest is None else keys_of(rest, one_spelling=False)
