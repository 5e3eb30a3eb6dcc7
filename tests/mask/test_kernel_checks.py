"""What the kernel says of arrays from a file, against the definitions; both twins."""

from __future__ import annotations

from array import array
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checkrail.mask.kernel import Kernel
from checkrail.mask.token_tries import records_of_texts

same_twin = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
numbers = st.lists(st.integers(-3, 8), max_size=8)
# Near misses: mostly right tries of a few texts, with some numbers changed.
texts = st.dictionaries(st.binary(min_size=1, max_size=3), st.lists(st.integers(0, 5), max_size=2), max_size=4)
changes = st.lists(st.tuples(st.integers(0, 200), st.integers(-2, 9)), max_size=2)


def is_trie(nodes: list[int], tokens: list[int], size: int, longest: int) -> bool:
    """The definition, node by node with the intervals of all its ancestors."""
    count = len(nodes) // 3 - 1
    if len(nodes) % 3 or count < 1 or nodes[1] != count:
        return False
    ends, firsts = nodes[1 : 3 * count : 3], nodes[2::3]
    for node in range(1, count):
        above = [other for other in range(node) if other < node < ends[other]]
        if not 0 <= nodes[3 * node] <= 255 or not node < ends[node] <= min(ends[other] for other in above):
            return False
        if len(above) > longest:
            return False
    ascending = all(a <= b for a, b in pairwise(firsts)) and firsts[0] >= 0 and firsts[-1] == len(tokens)
    return ascending and all(0 <= token < size for token in tokens)


@same_twin
@given(texts, changes, changes, st.integers(0, 3))
def test_a_trie_is_what_it_should_be(kernel: Kernel, texts, edits, token_edits, longest) -> None:
    nodes, tokens = map(list, records_of_texts(texts))
    for place, value in edits:
        nodes[place % len(nodes)] = value
    for place, value in token_edits:
        if tokens:
            tokens[place % len(tokens)] = value
    found = kernel.walker.is_trie(array("i", nodes), array("i", tokens), 6, array("i", [0]) * longest)
    assert found == is_trie(nodes, tokens, 6, longest)


@same_twin
@given(st.lists(st.integers(-1, 7), max_size=18), st.lists(st.integers(0, 2), max_size=3))
def test_any_numbers(kernel: Kernel, nodes, tokens) -> None:
    found = kernel.walker.is_trie(array("i", nodes), array("i", tokens), 3, array("i", [0]) * 3)
    assert found == is_trie(nodes, tokens, 3, 3)


@same_twin
@given(numbers, st.integers(-3, 3), st.integers(-3, 8))
def test_within(kernel: Kernel, values, least, bound) -> None:
    assert kernel.walker.is_within(array("i", values), least, bound) == all(least <= v < bound for v in values)


@same_twin
@given(numbers)
def test_ascending(kernel: Kernel, values) -> None:
    assert kernel.walker.is_ascending(array("i", values)) == (values == sorted(values))


@same_twin
@given(numbers)
def test_forward(kernel: Kernel, values) -> None:
    expected = all(v == -1 or i < v < len(values) for i, v in enumerate(values))
    assert kernel.walker.is_forward(array("i", values)) == expected
