from __future__ import annotations

from hypothesis import given

from checkrail.grammar.expression import Reference, Sequence
from checkrail.grammar.nullable import is_nullable
from reference import matches
from strategies import algebra


@given(algebra)
def test_nullable_is_membership_of_the_empty_string(expression):
    assert is_nullable(expression) == matches(expression, "")


def test_references_are_as_nullable_as_is_known_of_them():
    both = Sequence((Reference("a"), Reference("b")))
    assert not is_nullable(both)
    assert not is_nullable(both, {"a"})
    assert is_nullable(both, {"a", "b"})
