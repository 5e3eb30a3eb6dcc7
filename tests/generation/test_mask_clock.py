"""The watch changes nothing and reads the time."""

from __future__ import annotations

from array import array

from checkrail.decoding.free_text import FreeText
from checkrail.generation.mask_clock import MaskClock
from checkrail.generation.plan import constraint_of
from checkrail.grammar.grammar import Grammar
from checkrail.vocabulary.vocabulary import Vocabulary


def test_it_passes_everything_on(vocabulary: Vocabulary) -> None:
    constraint = constraint_of(Grammar.from_gbnf('root ::= "ab"'), vocabulary)
    plain, timed = constraint.matcher(), MaskClock(constraint.matcher())
    assert timed.median_microseconds == 0
    for token in (97, 98):
        rows = [array("I", bytes(4 * 9)) for _ in range(2)]
        assert plain.fill_next_token_bitmask(rows[0]) == timed.fill_next_token_bitmask(rows[1])
        assert rows[0] == rows[1]
        assert plain.is_completed() == timed.is_completed()
        assert timed.accept_token(0) is False
        assert plain.accept_token(token)
        assert timed.accept_token(token)
    assert timed.is_completed()
    assert timed.median_microseconds > 0


def test_what_a_matcher_cannot_tell_is_nothing(vocabulary: Vocabulary) -> None:
    constraint = constraint_of(Grammar.from_gbnf('root ::= "a"* "b"'), vocabulary)
    closing = MaskClock(constraint.matcher(token_budget=1))
    closing.fill_next_token_bitmask(array("I", bytes(4 * 9)))
    assert (closing.forced_close, closing.find_jump_forward_tokens()) == (1, [98])  # "b" alone is left
    assert MaskClock(constraint.matcher()).forced_close == 0
    assert MaskClock(FreeText(vocabulary)).find_jump_forward_tokens() == []
