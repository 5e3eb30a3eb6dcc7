"""Both cases of a letter: what the flag `i` means in a Lark grammar.

A letter stands for itself and for its one-character lower, upper and title case forms, and for what shares them (sigma
and final sigma). ASCII letters pair with ASCII letters only: `"select"i` does not hold the long s or the Kelvin sign,
which folding by Unicode would let in and no reader of keywords expects.

One pass over the cased planes (30 ms) is made when the first character beyond ASCII is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from .codepoints import Ranges, difference, intersect, union

__all__ = ["both_cases"]

_ASCII: Ranges = ((0, 0x7F),)
_UPPER: Ranges = ((0x41, 0x5A),)
_LOWER: Ranges = ((0x61, 0x7A),)
_STEP = 0x20
_LAST_CASED = 0x1FFFF  # no cased letter lies beyond the first two planes


def both_cases(ranges: Ranges) -> Ranges:
    """The characters of a set with their other cases.

    >>> both_cases(((0x61, 0x63),))
    ((65, 67), (97, 99))
    """
    lower = [(low + _STEP, high + _STEP) for low, high in intersect(ranges, _UPPER)]
    upper = [(low - _STEP, high - _STEP) for low, high in intersect(ranges, _LOWER)]
    others = difference(ranges, _ASCII)
    found = [(code, code) for low, high in others for code in _partners(low, high)]
    return union(ranges, lower, upper, found)


def _partners(low: int, high: int) -> list[int]:
    table = _table()
    codes = range(low, high + 1) if high - low < len(table) else [c for c in table if low <= c <= high]
    return [partner for code in codes for partner in table.get(code, ())]


@lru_cache(maxsize=1)
def _table() -> dict[int, tuple[int, ...]]:
    """Each cased character beyond ASCII -> the others of its family."""
    families: dict[str, set[int]] = defaultdict(set)
    for code in range(0x80, _LAST_CASED + 1):
        char = chr(code)
        lower, upper = char.lower(), char.upper()
        if lower == upper:
            continue
        key = upper.lower() if len(upper) == 1 and len(upper.lower()) == 1 else lower
        if len(key) == 1 and key >= "\x80":
            forms = (char, key, lower, upper, char.title())
            families[key].update(ord(form) for form in forms if len(form) == 1 and form >= "\x80")
    return {code: tuple(sorted(family - {code})) for family in families.values() for code in family if len(family) > 1}
