"""The whitespace policy: which blanks may stand at the structural places of a JSON text.

A model that may write any number of blanks can write them for ever, so there is no unbounded policy. Three
exist: `"compact"` (none), `"json.dumps"` (exactly one space after each comma and colon, none elsewhere: what
Python's json.dumps writes) and a number n (at most n of space, tab, newline and carriage return at each place).
No policy allows blanks before or after the whole text.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InputError
from ..grammar.expression import EMPTY, Expression, Literal, Repeat
from .combine import chars

__all__ = ["MAXIMUM_BLANKS", "Whitespace"]

MAXIMUM_BLANKS = 64
_BLANK = chars(" \t\n\r")


@dataclass(frozen=True, slots=True)
class Whitespace:
    """padding: inside brackets, before commas and around colons. after_comma, after_colon: what follows those."""

    padding: Expression = EMPTY
    after_comma: Expression = EMPTY
    after_colon: Expression = EMPTY

    @classmethod
    def of(cls, policy: str | int) -> Whitespace:
        """Read a policy; raises InputError for anything but the three that exist."""
        if policy == "compact":
            return cls()
        if policy == "json.dumps":
            return cls(EMPTY, Literal(" "), Literal(" "))
        if isinstance(policy, int) and not isinstance(policy, bool) and 0 <= policy <= MAXIMUM_BLANKS:
            blanks = Repeat(_BLANK, 0, policy) if policy else EMPTY
            return cls(blanks, blanks, blanks)
        raise InputError(
            "INPUT_FORMAT",
            name="whitespace",
            what=f'must be "compact", "json.dumps" or a number of blanks from 0 to {MAXIMUM_BLANKS}',
        )
