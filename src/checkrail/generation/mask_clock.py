"""A matcher with a watch: notes how long each mask takes, for the median in a result.

The decode loop adds masks up; a mean says little where one mask in a hundred is slow, hence the median here.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from ..decoding.protocols import ClosingMatcher, ForcingMatcher, TokenMatcher

__all__ = ["MaskClock"]


class MaskClock:
    """A `TokenMatcher` that passes everything on to another."""

    __slots__ = ("_matcher", "_seconds")

    def __init__(self, matcher: TokenMatcher) -> None:
        self._matcher = matcher
        self._seconds: list[float] = []

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """The mask, timed."""
        begin = time.perf_counter()
        try:
            return self._matcher.fill_next_token_bitmask(bitmask, index)
        finally:
            self._seconds.append(time.perf_counter() - begin)

    def accept_token(self, token_id: int, /) -> bool:
        """Passed on."""
        return self._matcher.accept_token(token_id)

    def is_completed(self) -> bool:
        """Passed on."""
        return self._matcher.is_completed()

    def find_jump_forward_tokens(self) -> list[int]:
        """Passed on; none for a matcher that cannot tell."""
        return self._matcher.find_jump_forward_tokens() if isinstance(self._matcher, ForcingMatcher) else []

    @property
    def forced_close(self) -> int:
        """Passed on; 0 for a matcher without a budget."""
        return self._matcher.forced_close if isinstance(self._matcher, ClosingMatcher) else 0

    @property
    def microseconds(self) -> list[int]:
        """Of each mask so far."""
        return [round(seconds * 1e6) for seconds in self._seconds]

    @property
    def median_microseconds(self) -> int:
        """Of one mask so far; 0 before the first."""
        return round(median(self._seconds) * 1e6) if self._seconds else 0
