"""The pieces that stand next to each other in a text: `%regex {"substring_words": ...}`.

`substrings(["a", "b", "c"])` is `"" | "a" | "ab" | "abc" | "b" | "bc" | "c"`. Written out, n pieces make n * n / 2
texts. Here the list is halved: what lies across the middle is an end of the left half before a beginning of the right
half. That takes n * log(n) ** 2 nodes and log(n) levels, and becomes the suffix automaton (Blumer et al., 1985) of at
most 2 n states once it is determinized. Use it to let a model quote a document and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence as Items

from .expression import Expression, Literal
from .simplify import choice_of, repeat_of, sequence_of

__all__ = ["substrings"]


def substrings(chunks: Items[str]) -> Expression:
    """All runs of neighbouring chunks, joined; the empty text too. The recursion is as deep as log2 of their number."""
    if not chunks:
        return sequence_of(())
    return repeat_of(_inside(chunks), 0, 1)


def _inside(chunks: Items[str]) -> Expression:
    """Runs of at least one chunk."""
    if len(chunks) == 1:
        return Literal(chunks[0])
    left, right = _halves(chunks)
    return choice_of([_inside(left), _inside(right), sequence_of([_ends(left), _beginnings(right)])])


def _beginnings(chunks: Items[str]) -> Expression:
    """Runs of at least one chunk, from the first on."""
    if len(chunks) == 1:
        return Literal(chunks[0])
    left, right = _halves(chunks)
    return choice_of([_beginnings(left), sequence_of([Literal("".join(left)), _beginnings(right)])])


def _ends(chunks: Items[str]) -> Expression:
    """Runs of at least one chunk, up to the last."""
    if len(chunks) == 1:
        return Literal(chunks[0])
    left, right = _halves(chunks)
    return choice_of([_ends(right), sequence_of([_ends(left), Literal("".join(right))])])


def _halves(chunks: Items[str]) -> tuple[Items[str], Items[str]]:
    middle = len(chunks) // 2
    return chunks[:middle], chunks[middle:]
