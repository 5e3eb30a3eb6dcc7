"""Which lengths words have, against all of them written out."""

from __future__ import annotations

import pytest

from checkrail.errors import BudgetError
from checkrail.grammar.regex import search_expression
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.derivatives import Derivatives
from checkrail.regular.lengths import WordLengths

CASES = {
    "^(ab)*$": lambda n: n % 2 == 0,
    "^(aa|bbbbb){2}$": lambda n: n in (4, 7, 10),
    "^((aaa)*|(bbbbb)*)c$": lambda n: n >= 1 and ((n - 1) % 3 == 0 or (n - 1) % 5 == 0),
    "^(a{4}){3,5}$": lambda n: n in (12, 16, 20),
    "^(a{4}b{2})*c{3}$": lambda n: n % 6 == 3,
}


@pytest.mark.parametrize("most", [3, 40, 100_000])
@pytest.mark.parametrize("pattern", CASES)
def test_windows_hold_a_length_or_not(pattern, most):
    expression = search_expression(pattern)
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    start = derivatives.start(derivatives.node(expression))
    known = WordLengths(derivatives.rests, start, most)
    has = CASES[pattern]
    for low in range(min(most, 30)):
        for high in range(low, min(most, low + 9) + 1):
            assert known.any_within(start, low, high) == any(map(has, range(low, high + 1))), (low, high)


@pytest.mark.parametrize("length", [999_997, 999_998, 999_999, 1_000_000])
def test_far_away_lengths_follow_from_the_cycle(length):
    expression = search_expression("^((aaa)*|(bbbbb)*)c$")
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    start = derivatives.start(derivatives.node(expression))
    known = WordLengths(derivatives.rests, start, 1_000_000)
    assert len(known._sets) < 40
    assert known.any_within(start, length, length) == CASES["^((aaa)*|(bbbbb)*)c$"](length)


def test_long_cycles_are_refused():
    primes = (2, 3, 5, 7, 11, 13, 17, 19)
    expression = search_expression("^(" + "|".join(f"(a{{{p}}})*" for p in primes) + ")$")
    derivatives = Derivatives([expression], Limits(states=1_000))
    start = derivatives.start(derivatives.node(expression))
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        WordLengths(derivatives.rests, start, 1_000_000)
