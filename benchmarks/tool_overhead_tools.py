"""The two tools that `tool_overhead.py` calls; a worker imports this file for each call."""

from __future__ import annotations

from checkrail.tools import tool


@tool(name="double.here", version="1.0.0", capability="pure", effect="Doubles a number.", isolation="none")
def double_here(number: int) -> int:
    """Double a number."""
    return number * 2


@tool(name="double.apart", version="1.0.0", capability="pure", effect="Doubles a number.")
def double_apart(number: int) -> int:
    """Double a number."""
    return number * 2
