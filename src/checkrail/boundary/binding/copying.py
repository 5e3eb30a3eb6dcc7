"""Which texts are copies from a document, under a rule: the pieces that a mask copies from.

A copy is a part of the document that `x-source` would find, in the document's own spelling: it begins and ends with a
character that is no blank, at edges that the rule's `boundary` allows. Under `ws` each run of white space is one space;
under `nfkc`, `casefold` and `digits` it begins and ends where the normal form can be cut. So what is copied is found
again; whether it is found once is asked afterwards, by `spans`.
"""

from __future__ import annotations

from ...ondemand.copied import Piece
from .edges import beginnings, endings
from .source import Source
from .source_rule import SourceRule

__all__ = ["copy_pieces"]


def copy_pieces(source: Source, rule: SourceRule) -> list[Piece]:
    """The pieces of a document that a rule allows copies from; a text that stands in one of them is a copy.

    O(n) for each mode of the rule.
    """
    starts, ends = beginnings(source.text, rule.boundary), endings(source.text, rule.boundary)
    pieces = []
    for mode in dict.fromkeys(rule.match):
        if mode == "exact":
            pieces.append(Piece(source.text, starts, ends))
        elif mode == "ws":
            pieces.append(_unwrapped(source, frozenset(starts), frozenset(ends)))
        elif "exact" not in rule.match:  # else it is a part of the first piece
            pieces.append(_cut_by(mode, source, starts, ends))
    return pieces


def _unwrapped(source: Source, starts: frozenset[int], ends: frozenset[int]) -> Piece:
    """The text with its runs of white space as single spaces."""
    form = source.form("ws")
    if form.starts is None or form.ends is None:
        return Piece(form.text, sorted(starts), sorted(ends))
    begin = [at for at, start in enumerate(form.starts) if start in starts]
    end = [at for at, end in enumerate(form.ends, 1) if end in ends]
    return Piece(form.text, begin, end)


def _cut_by(mode: str, source: Source, starts: list[int], ends: list[int]) -> Piece:
    """The text, cut only where a segment of its normal form begins or ends."""
    form = source.form(mode)
    if form.starts is None or form.ends is None:
        return Piece(source.text, starts, ends)
    real = [(start, end) for start, end in zip(form.starts, form.ends, strict=True) if start < end]
    begins, closes = {start for start, _ in real}, {end for _, end in real}
    return Piece(source.text, [at for at in starts if at in begins], [at for at in ends if at in closes])
