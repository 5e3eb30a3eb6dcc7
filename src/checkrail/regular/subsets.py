"""Subset construction on demand: sets of rests, and how many letters their words may still have.

A state is a set of rests (`derivatives.py`) with a window: at least `need` and at most `room` letters follow (-1: no
bound). Rests without a word in the window are left out, so every state is alive, and a window that no word of the
state can miss is dropped, so `[a-z]+` of 3 to 20 letters is no larger than its counts. A row costs its moves.

Bounded by `limits.states`; the members of all sets by a multiple of it. What makes the states is in `_rests.py`.
"""

from __future__ import annotations

from typing import cast

from .derivatives import Derivatives
from .rests import NO_BOUND, Subsets, made_by

__all__ = ["NO_BOUND", "Subsets", "subsets_of"]


def subsets_of(derivatives: Derivatives) -> Subsets:
    """The subsets of some rests, none of which was met so far."""
    return cast(Subsets, made_by.Subsets(derivatives.rests))
