"""Terms: equal ones are one object, and negation reaches the leaves."""

from __future__ import annotations

import pytest

from checkrail.errors import BudgetError
from checkrail.json_schema.algebra.objects import ObjectRecord, Property
from checkrail.json_schema.algebra.terms import Terms
from checkrail.json_schema.algebra.values import Values
from checkrail.json_schema.schema import Place


def place(name):
    return Place({"type": "string"}, f"/$defs/{name}", "")


def test_equal_terms_are_one_object_in_whatever_order():
    terms = Terms(100)
    a, b, c = (terms.place(place(name)) for name in "abc")
    assert terms.place(place("a")) is a
    assert terms.all_of((a, b, a)) is terms.all_of((b, a))
    assert terms.all_of((a, terms.all_of((b, c)))) is terms.all_of((c, b, a))
    assert terms.all_of((a, b)) is not terms.any_of((a, b))


def test_true_false_and_contradictions():
    terms = Terms(100)
    a = terms.place(place("a"))
    other = terms.opposite(a)
    assert terms.opposite(other) is a
    assert terms.all_of((a, other)) is terms.false
    assert terms.any_of((a, other)) is terms.true
    assert terms.all_of((a, terms.true)) is a
    assert terms.all_of((a, terms.false)) is terms.false
    assert terms.all_of(()) is terms.true
    assert terms.any_of(()) is terms.false
    assert terms.place(Place(True, "/x", "")) is terms.true
    assert terms.place(Place(False, "/x", ""), negated=True) is terms.true
    assert terms.opposite(terms.values(Values(null=True))) is None


def test_their_number_is_bounded():
    terms = Terms(5)
    for name in "abc":
        terms.place(place(name))
    with pytest.raises(BudgetError) as caught:
        terms.place(place("d"))
    assert caught.value.code == "SCHEMA_BUDGET"


def test_records_of_different_keys_are_told_apart_by_their_hashes():
    terms = Terms(10)
    records = [ObjectRecord((Property(f"k{i}", terms.true, True),)) for i in range(100)]
    assert len(set(map(hash, records))) == 100


def test_repr_names_places():
    terms = Terms(100)
    a, b = terms.place(place("a")), terms.place(place("b"))
    assert repr(terms.all_of((a, terms.opposite(b)))) == "(</$defs/a> & !</$defs/b>)"
    assert repr(terms.true) == "true"
