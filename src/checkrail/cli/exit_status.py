"""The exit status of the program: one table for all commands."""

from __future__ import annotations

from enum import IntEnum

from ..errors import Error

__all__ = ["ExitStatus", "status_of"]


class ExitStatus(IntEnum):
    """What the program ends with."""

    DONE = 0
    NEGATIVE = 1  # check found errors, a text does not match, an output has faults
    USAGE = 2
    UNREADABLE = 3  # something cannot be read, loaded or run
    DEAD_LETTERS = 4  # finished, and some rows have no value
    DENIED = 5  # a tool was not allowed: nobody agreed, or what was agreed to has changed
    BUDGET = 6  # too few tokens, too little time
    INTERRUPTED = 130
    BROKEN_PIPE = 141


_BY_AREA = {
    "grammar": ExitStatus.USAGE,
    "schema": ExitStatus.USAGE,
    "sampling": ExitStatus.USAGE,
    "auth": ExitStatus.DENIED,
    "budget": ExitStatus.BUDGET,
    "cancelled": ExitStatus.INTERRUPTED,
    "semantic": ExitStatus.NEGATIVE,
    "calc": ExitStatus.NEGATIVE,
}


def status_of(error: Error) -> ExitStatus:
    """The status of a program that ends with `error`."""
    return _BY_AREA.get(error.code.partition("_")[0].lower(), ExitStatus.UNREADABLE)
