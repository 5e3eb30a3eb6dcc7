"""Keys, strings and numbers as text: what each set lets through, by brute force."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError, SchemaError
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema.algebra.lower_scalars import (
    OTHER_CHARACTER,
    OTHER_CHARACTERS,
    key_expression,
    number_expression,
    text_expression,
)
from checkrail.json_schema.algebra.numbers import NumberRange
from checkrail.json_schema.algebra.texts import ALL_TEXTS, TextAlgebra, Texts
from checkrail.json_schema.decimals import NUMBER
from checkrail.json_schema.numbers import ANY_INTEGER
from checkrail.json_schema.strings import ANY_STRING
from checkrail.limits import Limits

RULES = {OTHER_CHARACTER.rule: OTHER_CHARACTERS, "string": ANY_STRING, "number": NUMBER, "integer": ANY_INTEGER}
ALGEBRA = TextAlgebra(Limits())


def grammar(expression):
    return Grammar({"root": expression, **RULES}, contract="context-free")


names = st.text(alphabet='ab"\\\né\x01😀', max_size=3)


@settings(deadline=None, max_examples=60)
@given(st.lists(names, min_size=1, max_size=4, unique=True), st.lists(names, max_size=6))
def test_other_keys_are_all_but_the_names_under_no_spelling(opened, taken, keys):
    accepts = opened(grammar(key_expression(ALGEBRA.complement(Texts(tuple(taken))))))
    for key in [*taken, *keys, *(name + "a" for name in taken), *(name[:-1] for name in taken)]:
        assert accepts(json.dumps(key, ensure_ascii=False)) == (key not in taken)
    for name in taken:
        escaped = "".join(f"\\u{ord(char):04x}" for char in name if ord(char) < 0x10000)
        assert not accepts(f'"{escaped}"') or json.loads(f'"{escaped}"') not in taken


def test_long_names_need_no_deep_expression(opened):
    long = "x" * 300
    accepts = opened(grammar(key_expression(ALGEBRA.complement(Texts((long, "xy"))))))
    assert not accepts(f'"{long}"')
    assert not accepts('"xy"')
    for key in (long[1:], long + "x", "x", "", "xyz", "é", "\\n"):
        assert accepts(f'"{key}"')


def test_texts_may_be_escaped_and_lists_have_one_spelling(opened):
    accepts = opened(grammar(text_expression(ALGEBRA.complement(Texts(("a",))))))
    assert accepts('"b"')
    assert accepts('"\\u0062"')
    assert not accepts('"a"')
    assert not accepts('"\\u0061"')
    assert not opened(grammar(text_expression(Texts(("b",)))))('"\\u0062"')
    assert opened(grammar(text_expression(ALL_TEXTS)))('"\\ud83d\\ude00"')


ends = st.none() | st.integers(-30, 30).map(lambda n: Decimal(n) / 4)
multiples = st.sampled_from([None, Decimal(1), Decimal(3), Decimal("0.5"), Decimal("2.5"), Decimal("0.01")])


@settings(deadline=None, max_examples=60)
@given(ends, ends, st.booleans(), st.booleans(), multiples, st.sampled_from([(), (Decimal(1),), (Decimal("0.2"),)]))
def test_numbers_are_those_of_the_range(opened, low, high, low_open, high_open, multiple, but_not):
    range_ = NumberRange(low, high, low_open, high_open, multiple, but_not)
    if range_.is_empty():
        return
    accepts = opened(grammar(number_expression((range_,), "", Limits())))
    for n in range(-36, 37):
        value = (Decimal(n) / 4).normalize()
        assert accepts(f"{value:f}" if n else "0") == range_.contains(value)
    for text in ("0.01", "7.49", "-0.2", "1.1"):
        if multiple is None or multiple != multiple.to_integral_value():
            assert accepts(text) == range_.contains(Decimal(text))


def test_multiples_of_large_numbers_end_in_a_budget_and_unreachable_bounds_are_refused():
    with pytest.raises(BudgetError) as caught:
        number_expression((NumberRange(multiple=Decimal(10_007)),), "/x", Limits())
    assert caught.value.code == "SCHEMA_BUDGET"
    with pytest.raises(SchemaError) as refused:
        number_expression((NumberRange(low=Decimal("1e30")),), "/x", Limits())
    assert refused.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert refused.value.pointer == "/x"
