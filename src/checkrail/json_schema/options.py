"""The options of the translation, read and checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..limits import Limits
from .whitespace import Whitespace

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """canonical_order: members sorted by UTF-16 code units. report: keywords that are refused otherwise are left
    to the check where that is possible. enforce_bounds: numeric bounds in the mask."""

    blanks: Whitespace
    canonical_order: bool
    enforce_bounds: bool
    report: bool
    limits: Limits

    @classmethod
    def of(
        cls,
        *,
        profile: str,
        property_order: str,
        whitespace: str | int,
        enforce_bounds: bool | None,
        unsupported: str,
        limits: Limits,
    ) -> Options:
        """Raises InputError for an option outside its domain."""
        _one_of("profile", profile, ("strict",))
        _one_of("property_order", property_order, ("declared", "canonical"))
        _one_of("enforce_bounds", enforce_bounds, (None, False, True))
        _one_of("unsupported", unsupported, ("error", "report"))
        return cls(
            Whitespace.of(whitespace),
            property_order == "canonical",
            bool(enforce_bounds),
            unsupported == "report",
            limits,
        )


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
        raise InputError("INPUT_FORMAT", name=name, what=f"must be {' or '.join(map(repr, allowed))}")
