"""Multiples by long division, against exact arithmetic."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import Multiple
from checkrail.limits import Limits
from checkrail.regular.compile import compile_regular


@settings(deadline=None, max_examples=200)
@given(
    st.integers(1, 40),
    st.integers(0, 3),
    st.integers(0, 10**6),
    st.text(alphabet="0123456789", max_size=5),
)
def test_a_text_belongs_exactly_when_its_value_is_a_multiple(modulus, places, whole, fraction):
    dfa = compile_regular(Multiple(modulus, places))
    text = f"{whole}.{fraction}" if fraction else str(whole)
    assert dfa.accepts(text) == ((Decimal(text) * 10**places) % modulus == 0)


@pytest.mark.parametrize("text", ["", ".", "1.", ".5", "-1", "1e1", "1.0.0", "a"])
def test_what_is_no_plain_decimal_does_not_belong(text):
    assert not compile_regular(Multiple(1, 2)).accepts(text)


def test_leading_and_trailing_zeros_are_left_to_the_syntax_of_numbers():
    dfa = compile_regular(Multiple(5, 1))
    assert all(dfa.accepts(text) for text in ("0", "00.5", "1.500", "2.0"))
    assert not dfa.accepts("1.501")


def test_a_large_modulus_ends_in_the_budget_of_states():
    with pytest.raises(BudgetError):
        compile_regular(Multiple(10_000, 0), limits=Limits(states=500))
