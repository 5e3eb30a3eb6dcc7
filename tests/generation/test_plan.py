"""What the runs of one task share."""

from __future__ import annotations

from checkrail.generation.plan import constraint_of
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary


def test_equal_grammars_compile_once(vocabulary: Vocabulary) -> None:
    first = constraint_of(Grammar.from_regex("[a-z]+"), vocabulary)
    assert constraint_of(Grammar.from_regex("[a-z]+"), vocabulary) is first
    assert constraint_of(Grammar.from_regex("[a-z]*"), vocabulary) is not first
    assert constraint_of(Grammar.from_regex("[a-z]+"), vocabulary, Limits(nesting=3)) is not first
    other = Vocabulary.from_bytes([b"a", None], eos=1)
    assert constraint_of(Grammar.from_regex("[a-z]+"), other) is not first
