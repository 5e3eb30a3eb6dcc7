"""What sums over records look like, to a person and as data; for the totals of runs and of turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

__all__ = ["counts", "median_and_greatest"]


def counts(counter: Counter[str]) -> str:
    """Each word and how often it came, the most frequent first.

    >>> counts(Counter(["eos", "failed", "eos"]))
    'eos 2, failed 1'
    """
    return ", ".join(f"{word} {count}" for word, count in counter.most_common())


def median_and_greatest(numbers: Sequence[int], greatest: int | None = None) -> dict[str, int] | None:
    """None where there are no numbers. greatest: where it is not the greatest of these."""
    if not numbers:
        return None
    return {"median": round(median(numbers)), "greatest": max(numbers) if greatest is None else greatest}
