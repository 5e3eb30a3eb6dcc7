"""One frozen value that holds every bound of the engine; all stages share it.

The defaults are the contract of the strict profile. Each bound is checked where it is reached and refused
with its code; none is exceeded in silence, and none is a fallback to unconstrained output. Every quantity
stays far below 2**31, because the compiled kernel counts in 32-bit integers. One bound is no quantity but a time: the
others bound the work, and it ends work that is too slow for the machine (see `watch`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from .errors import InputError

__all__ = ["DEFAULT_LIMITS", "Limits"]

_HARD_MAXIMUM = 2**24
_LEVELS = 16
_OPEN_LEVELS = 64  # what the readers of the boundary take: schemas in the wild need up to 61, and more cost nothing


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on grammars, automata and matchers. Units are in the names; all are positive integers, seconds may be
    fractions.

    >>> Limits(nesting=32).nesting
    32
    """

    grammar_bytes: int = 4 * 1024 * 1024
    rules: int = 16_384
    expression_depth: int = 100  # parentheses in one rule
    expression_nodes: int = 1_000_000
    repetitions: int = 65_536  # the count in X{m,n}
    states: int = 131_072
    transitions: int = 524_288
    nesting: int | None = None  # pending calls, as brackets in brackets; 16, for schemas of the open profile 64
    configuration_pairs: int = 4_096  # readings of one prefix that may be alive together
    row_items: int = 65_536  # of the Earley engine, in one place of a text
    chart_items: int = 4_194_304  # of the Earley engine, in all places of a text
    schema_bytes: int = 8 * 1024 * 1024
    schema_depth: int = 64
    subschemas: int = 32_768  # places of a schema that its values can reach, and combinations of them
    enum_members: int = 16_384  # values in one enum or const, those within them included
    counted_length: int = 1_024  # characters that minLength and maxLength count in the mask
    counted_items: int = 256  # items that minItems and maxItems count in the mask
    alternatives: int = 512  # combinations of alternatives, of objects or of arrays, in one place of a schema
    copied_bytes: int = 65_536  # of a document that is copied from, spelled as JSON
    counted_states: int = 12_288  # states that counting in one object, array or number may take
    compile_seconds: float = 60.0  # for reading a schema, and for compiling a grammar

    def __post_init__(self) -> None:
        for name in self.__match_args__:
            value = getattr(self, name)
            if name == "compile_seconds":
                _check_seconds(value)
            elif name == "nesting" and value is None:
                continue
            elif not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _HARD_MAXIMUM:
                raise InputError(
                    "INPUT_FORMAT", name=f"Limits.{name}", what=f"must be an integer from 1 to {_HARD_MAXIMUM}"
                )

    @property
    def levels(self) -> int:
        """The bound on nesting as a number."""
        return _LEVELS if self.nesting is None else self.nesting

    def in_open_profile(self) -> Limits:
        """These limits, with the bound on nesting that schemas of the open profile have."""
        return _in_open_profile(self) if self.nesting is None else self


@lru_cache(maxsize=16)
def _in_open_profile(limits: Limits) -> Limits:
    return replace(limits, nesting=_OPEN_LEVELS)


def _check_seconds(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _HARD_MAXIMUM:
        what = f"must be a number of seconds above 0, at most {_HARD_MAXIMUM}"
        raise InputError("INPUT_FORMAT", name="Limits.compile_seconds", what=what)


DEFAULT_LIMITS = Limits()
