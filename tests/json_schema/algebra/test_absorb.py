"""What a union of records drops is covered by what stays."""

from __future__ import annotations

from checkrail.json_schema.algebra.absorb import RecordUnion, absorb
from checkrail.json_schema.algebra.arrays import ANY_ARRAY, ArrayRecord
from checkrail.json_schema.algebra.objects import ANY_OBJECT, KeyClass, ObjectRecord, Property
from checkrail.json_schema.algebra.terms import Terms
from checkrail.json_schema.algebra.texts import ALL_TEXTS
from checkrail.json_schema.schema import Place

TERMS = Terms(100)
A, B = (TERMS.place(Place({"type": name}, f"/{name}", "")) for name in ("string", "null"))


def left(*records):
    return absorb(dict.fromkeys(records), TERMS.true)


def test_everything_covers_all():
    one = ObjectRecord((Property("k", A, True),))
    assert left(one, ANY_OBJECT) == (ANY_OBJECT,)
    assert left(ArrayRecord((A,)), ANY_ARRAY) == (ANY_ARRAY,)


def test_fewer_demands_cover_more():
    weak = ObjectRecord((Property("k", A, False),))
    strong = ObjectRecord((Property("k", TERMS.all_of((A, B)), True), Property("l", B, True)), minimum=1)
    assert left(strong, weak) == (weak,)
    assert left(weak, strong) == (weak,)


def test_what_says_something_else_stays():
    closed = (KeyClass(ALL_TEXTS, TERMS.false),)
    pairs = [
        (ObjectRecord((Property("k", A, False),)), ObjectRecord((Property("k", B, True),))),
        (ObjectRecord((Property("k", A, True),)), ObjectRecord((Property("k", A, False),), maximum=3)),
        (ObjectRecord((Property("k", A, False),), closed), ObjectRecord((Property("l", A, False),), closed)),
        (ObjectRecord(minimum=2), ObjectRecord(maximum=4)),
        (ObjectRecord(witnesses=(KeyClass(ALL_TEXTS, A),)), ObjectRecord((Property("k", A, True),))),
        (ArrayRecord((A,)), ArrayRecord((TERMS.true, A))),
        (ArrayRecord(maximum=2), ArrayRecord(rest=A)),
    ]
    for pair in pairs:
        assert left(*pair) == pair


def test_a_closed_object_covers_those_with_the_same_rest_and_less():
    closed = (KeyClass(ALL_TEXTS, TERMS.false),)
    wide = ObjectRecord((Property("k", TERMS.true, False),), closed)
    narrow = ObjectRecord((Property("k", A, True),), closed)
    assert left(narrow, wide) == (wide,)
    other = ObjectRecord((Property("k", A, True), Property("l", A, False)), closed)
    assert left(other, wide) == (other, wide)


def test_arrays_compare_item_by_item():
    assert left(ArrayRecord((A, A), A, 1), ArrayRecord(rest=A)) == (ArrayRecord(rest=A),)
    assert left(ArrayRecord(rest=A), ArrayRecord(rest=A, unique="/u")) == (ArrayRecord(rest=A),)


def test_a_union_that_grows_is_what_it_would_be_at_once():
    records = [ObjectRecord((Property(key, A, True),)) for key in "abc"]
    wide, narrow = (
        ObjectRecord((Property("b", TERMS.true, False),)),
        ObjectRecord((*records[0].properties, Property("d", B, True))),
    )
    union = RecordUnion(TERMS.true)
    union.add(records, settled=True)
    union.add([records[1], wide])
    union.add([narrow])
    assert union.records == absorb([*records, wide, narrow], TERMS.true) == (records[0], records[2], wide)
    union.add([ANY_OBJECT, records[1]])
    union.add(records)
    assert union.records == (ANY_OBJECT,)


def test_very_many_records_are_not_compared():
    many = [ObjectRecord((Property(f"k{i}", A, True),)) for i in range(300)]
    assert absorb([*many, ObjectRecord((Property("k1", A, False),))], TERMS.true)[:300] == tuple(many)
