"""Letters: two values share one exactly where the same labels hold them, however the sets of labels are named."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.regular import partition
from checkrail.regular.partition import Partition, join_ranges

labels = st.lists(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 8)), max_size=4).map(
        lambda ranges: join_ranges([[(low, low + more)] for low, more in _disjoint(ranges)])
    ),
    max_size=8,
)


def _disjoint(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for low, more in sorted(ranges):
        if not kept or low > kept[-1][0] + kept[-1][1]:
            kept.append((low, more))
    return kept


@pytest.mark.parametrize("most", [1_024, 0], ids=["exact names", "random names"])
@given(found=labels)
def test_letters_tell_apart_what_the_labels_tell_apart(most, found):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "_MOST_NAMED_EXACTLY", most)
        made = Partition.of(found)

    def holders(value: int) -> frozenset[int]:
        return frozenset(i for i, label in enumerate(found) if any(a <= value <= b for a, b in label))

    holding = {value: holders(value) for value in range(60)}
    letters = {value: made.letter(value) for value in holding}
    for value, labels_of_value in holding.items():
        assert (letters[value] < 0) == (not labels_of_value)
        for other, labels_of_other in holding.items():
            assert (letters[value] == letters[other]) == (labels_of_value == labels_of_other)
    for label in found:
        inside = {letter for value, letter in letters.items() if any(a <= value <= b for a, b in label)}
        assert inside == set(made.letters_of(label))
    assert sorted({letter for letter in letters.values() if letter >= 0}) == list(range(made.width))


def test_many_labels_take_memory_by_their_number():
    """Named by the bits of a number, 20,000 labels would take 50 megabytes."""
    tracemalloc.start()
    try:
        made = Partition.of(((2 * i, 2 * i),) for i in range(20_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert made.width == 20_000
    assert peak < 16 * 2**20
