r"""The characters of a script of Unicode: Greek, Han, Cyrillic and so on.

For `\p{Script=Greek}` and `\p{scx=Grek}` in patterns, and for the rules of IDNA about neighbours. The table is in
`unicode_scripts`; the rest of Unicode comes from the running Python, which has no table of scripts.
"""

from __future__ import annotations

from functools import lru_cache

from .codepoints import Ranges, difference, normalise, union
from .unicode_scripts import SCRIPTS

__all__ = ["script_ranges"]


@lru_cache(maxsize=512)
def script_ranges(name: str, *, extended: bool = False) -> Ranges | None:
    """The characters whose Script is `name`, a long or a short name; None where there is no such script.

    extended: those in whose Script_Extensions it is.

    >>> script_ranges("Ogam")
    ((5760, 5788),)
    """
    row = _rows().get(name)
    if row is None:
        return None
    own, more, fewer = row
    return difference(union(_ranges(own), _ranges(more)), _ranges(fewer)) if extended else _ranges(own)


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, str, str]]:
    """By name: the ranges of a script, and those that its extensions add and take away."""
    rows = {}
    for row in SCRIPTS.replace("\n      ", " ").strip().split("\n"):  # a row goes on where it is indented further
        names, _, ranges = row.strip().partition(": ")
        both, _, fewer = ranges.partition(" - ")
        own, _, more = both.partition(" + ")
        rows.update(dict.fromkeys(names.split("|"), (own, more, fewer)))
    return rows


def _ranges(text: str) -> Ranges:
    bounds = (part.partition("-") for part in text.split())
    return normalise((int(low, 16), int(high or low, 16)) for low, _, high in bounds)
