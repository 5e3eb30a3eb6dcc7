"""The levels of nesting that finishing a container takes, for each of its positions.

The least over all ways to an end of the most that a part on the way needs: Dijkstra's algorithm with a maximum in
place of the sum, backwards from the positions that may close. O(steps * log steps).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

from ..errors import BudgetError

__all__ = ["least_rooms"]

P = TypeVar("P", bound=Hashable)


def least_rooms(
    begin: P,
    steps: Callable[[P], Iterable[tuple[int, P]]],
    may_close: Callable[[P], bool],
    limit: int,
    too_many: Callable[[], BudgetError],
) -> dict[P, int]:
    """The levels from each position that can be reached and has an end; others are left out.

    steps: the levels that the next part needs, and the position after it. Raises `too_many()` beyond `limit` positions.
    """
    before: dict[P, list[tuple[int, P]]] = {}
    pending, reached = [begin], {begin}
    for position in pending:
        for room, after in steps(position):
            before.setdefault(after, []).append((room, position))
            if after not in reached:
                if len(reached) >= limit:
                    raise too_many()
                reached.add(after)
                pending.append(after)
    order = count()  # positions need not be comparable
    heap = [(0, next(order), position) for position in pending if may_close(position)]
    rooms: dict[P, int] = {}
    while heap:
        level, _, position = heappop(heap)
        if position in rooms:
            continue
        rooms[position] = level
        for room, source in before.get(position, ()):
            if source not in rooms:
                heappush(heap, (max(level, room), next(order), source))
    return rooms
