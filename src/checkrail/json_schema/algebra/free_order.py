"""How many properties of an object may come in any order.

Free order needs a state for each set of properties, and alternatives multiply what that costs. Where a schema has very
many small objects, the first ones use up what there is.
"""

from __future__ import annotations

from ..options import MIXED_ORDER, Options
from .arrays import ArrayRecord
from .objects import ObjectRecord

__all__ = ["FreeOrder"]

_FREE_STEPS = 64  # members and sets of members before them, in one object
_ALL_FREE_STEPS = 256  # in all objects


class FreeOrder:
    """Asked once for each set of objects or arrays, in the order in which they are reached."""

    def __init__(self, options: Options) -> None:
        self._most = options.any_order
        self._left = _ALL_FREE_STEPS

    def of(self, records: tuple[ArrayRecord | ObjectRecord, ...]) -> int:
        """The most properties that may come in any order in these objects."""
        most = self._most
        if most > MIXED_ORDER:
            return most
        counts = [len(record.properties) for record in records if isinstance(record, ObjectRecord)]
        steps = sum(count * 2**count for count in counts if count <= most)
        if steps > min(_FREE_STEPS, self._left):
            return 0
        self._left -= steps
        return most
