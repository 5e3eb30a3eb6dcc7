"""The options of the translation, read and checked once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import InputError
from ..limits import Limits
from .whitespace import Whitespace

__all__ = ["MIXED_ORDER", "Options"]

# The orders of the open profile: the most properties of an object that may come in any order in a whole automaton,
# which needs a state for each set of them, so that without limit it ends in a budget for about ten. An automaton on
# demand has them in any order unless this is 0.
MIXED_ORDER = 3
_ORDERS = {"declared": 0, "mixed": MIXED_ORDER, "any": 1_000}


@dataclass(frozen=True, slots=True)
class Options:
    """open: the open profile. canonical_order: members sorted by UTF-16 code units. any_order: the most properties
    of an object that may come in any order (open profile only). report: keywords that are refused otherwise are left
    to the check where that is possible. enforce_bounds: numeric bounds in the mask (always so in the open profile).
    integer_fractions: integers may be written with a fraction of zeros.
    """

    blanks: Whitespace
    canonical_order: bool
    enforce_bounds: bool
    report: bool
    limits: Limits
    open: bool = False
    any_order: int = 0
    integer_fractions: bool = False

    @classmethod
    def of(
        cls,
        *,
        profile: str,
        property_order: str | None,
        whitespace: str | int,
        enforce_bounds: bool | None,
        unsupported: str,
        limits: Limits,
        integer_fractions: bool = False,
    ) -> Options:
        """Raises InputError for an option outside its domain."""
        values = profile, property_order, whitespace, enforce_bounds, unsupported, limits, integer_fractions
        try:
            return _checked(*values)
        except TypeError:  # something has no hash
            return _checked.__wrapped__(*values)


@lru_cache(maxsize=64, typed=True)
def _checked(
    profile: str,
    property_order: str | None,
    whitespace: str | int,
    enforce_bounds: bool | None,
    unsupported: str,
    limits: Limits,
    integer_fractions: bool,
) -> Options:
    _one_of("profile", profile, ("strict", "open"))
    order = ("declared" if profile == "strict" else "mixed") if property_order is None else property_order
    _one_of("property_order", order, ("declared", "canonical") if profile == "strict" else tuple(_ORDERS))
    _one_of("enforce_bounds", enforce_bounds, (None, False, True) if profile == "strict" else (None, True))
    _one_of("unsupported", unsupported, ("error", "report"))
    _one_of("integer_fractions", integer_fractions, (False,) if profile == "strict" else (False, True))
    return Options(
        Whitespace.of(whitespace),
        order == "canonical",
        bool(enforce_bounds),
        unsupported == "report",
        limits,
        open=profile == "open",
        any_order=_ORDERS.get(order, 0),
        integer_fractions=integer_fractions,
    )


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
        raise InputError("INPUT_FORMAT", name=name, what=f"must be {' or '.join(map(repr, allowed))}")
