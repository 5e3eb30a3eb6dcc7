"""Boolean combinations as tables: equal to the static pipeline's automata, and no larger than they must be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from checkrail.errors import BudgetError
from checkrail.grammar.expression import ANY_CHARACTER, Choice, Complement, Expression, Intersection, Literal, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.formats import MASK_FORMATS
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.combinations import combine
from checkrail.regular.compile import compile_regular
from checkrail.regular.derivatives import AND, ENDLESS, Derivatives, Table
from language_oracle import walk_both
from strategies import combinations


def table_of(expression: Expression, limits: Limits = DEFAULT_LIMITS) -> tuple[Derivatives, Table]:
    parts = (expression, Repeat(ANY_CHARACTER, 0, None))  # an intersection, whatever the expression is
    derivatives = Derivatives([Intersection(parts)], limits)
    formula = derivatives._formula(AND, [derivatives.node(part) for part in parts])
    return derivatives, combine(derivatives, formula, limits.states)


@given(combinations)
@settings(max_examples=150, deadline=None)
def test_tables_are_the_automata_of_their_expressions(expression):
    derivatives, table = table_of(expression)
    dfa = compile_regular(expression)
    if not table.rows:
        assert dfa.is_empty()
        return

    def step(state: int, value: int) -> int:
        letter = derivatives.partition.letter(value)
        return table.rows[state][letter] if letter >= 0 else -1

    starts = [ranges[0][0] for p in (derivatives.partition, dfa.partition) for ranges in p.ranges_by_letter()]
    walk_both(dfa, step, table.accepting.__getitem__, {0x1F600, 0x10FFFF, *starts})
    for state, row in enumerate(table.rows):
        targets = [target for target in row if target >= 0]
        assert targets or table.accepting[state]
        below = [table.low[target] for target in targets]
        assert table.low[state] == (0 if table.accepting[state] else 1 + min(below))
        assert table.high[state] == min(ENDLESS, max((1 + table.high[t] for t in targets), default=0))


def test_a_narrow_part_keeps_the_product_narrow():
    formats = [Complement(MASK_FORMATS[name].shape) for name in ("uri", "email", "ipv6", "uri-reference")]
    _, table = table_of(Intersection((Literal("http://example.org/"), *formats)))
    assert not table.rows
    _, table = table_of(Intersection((Literal("http//"), *formats[:3])))
    assert len(table.rows) == 7


def test_everything_is_one_state():
    _, table = table_of(Complement(search_expression("^x-")))
    assert len(table.rows) <= 4
    assert table.everything >= 0
    assert set(table.rows[table.everything]) == {table.everything}


def test_formulas_nest():
    a, b, c = (search_expression(pattern) for pattern in ("a", "b", "c"))
    derivatives = Derivatives([Intersection((a, Complement(Choice((Complement(b), c)))))], DEFAULT_LIMITS)
    node = derivatives.node(Intersection((a, Complement(Choice((Complement(b), c))))))
    assert node.low == 2
    assert node.high == ENDLESS


def test_states_are_bounded():
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        table_of(Complement(search_expression("a.{9}b")), Limits(states=200))
