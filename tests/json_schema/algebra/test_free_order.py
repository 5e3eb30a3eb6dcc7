"""Free order costs a state for each set of members, and is given while it is cheap."""

from __future__ import annotations

import pytest

from checkrail.json_schema.algebra.arrays import ANY_ARRAY
from checkrail.json_schema.algebra.free_order import FreeOrder
from checkrail.json_schema.algebra.objects import ObjectRecord, Property
from checkrail.json_schema.algebra.terms import Terms
from checkrail.json_schema.options import Options
from checkrail.limits import DEFAULT_LIMITS

TRUE = Terms(10).true


def free_order(order):
    return FreeOrder(
        Options.of(
            profile="open",
            property_order=order,
            whitespace=0,
            enforce_bounds=None,
            unsupported="error",
            limits=DEFAULT_LIMITS,
        )
    )


def of(count):
    return ObjectRecord(tuple(Property(str(i), TRUE, False) for i in range(count)))


@pytest.mark.parametrize(("order", "most"), [("declared", 0), ("mixed", 3), ("any", 1000)])
def test_the_order_says_how_many(order, most):
    assert free_order(order).of((of(2),)) == most


def test_many_alternatives_are_too_dear():
    assert free_order("mixed").of((of(3), of(3))) == 3
    assert free_order("mixed").of((of(3), of(3), of(3))) == 0
    assert free_order("any").of((of(3),) * 50) == 1000


def test_the_first_objects_use_up_what_there_is():
    order = free_order("mixed")
    assert [order.of((of(3),)) for _ in range(12)] == [3] * 10 + [0] * 2
    assert [order.of((of(2),)), order.of((of(2),)), order.of((of(2),))] == [3, 3, 0]
    assert (order.of((of(9),)), order.of((ANY_ARRAY,))) == (3, 3)  # these cost nothing
