"""What local masks are packed of: rows of words, and tries of what is left of tokens, against brute force."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.mask.kernel import load_compiled, load_interpreted
from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary

KERNELS = [load_interpreted(), *filter(None, [load_compiled()])]

texts = st.lists(st.binary(min_size=1, max_size=5).map(lambda b: bytes(c % 4 + 0x61 for c in b)), max_size=40)
rows = st.lists(st.sampled_from([0, 0, 1, 0x80000000, 0xFFFFFFFF]), min_size=1, max_size=30)


def trie_of(tokens: list[bytes]) -> tuple[array[int], array[int]]:
    """The trie of a vocabulary in the kernel's layout."""
    trie = Trie.build(Vocabulary.from_bytes([*tokens, None], eos=[len(tokens)]))
    nodes, ids = array("i"), array("i")
    for node in range(trie.nodes):
        nodes.extend((trie.byte[node], trie.end[node], len(ids)))
        ids.extend(trie.ids(node))
    nodes.extend((0, trie.nodes, len(ids)))
    return nodes, ids


def spell(nodes: array[int], ids: array[int], top: int) -> dict[bytes, list[int]]:
    """The texts below a node, the byte on the edge into it included, and their tokens."""
    found: dict[bytes, list[int]] = {}
    path: list[tuple[int, int]] = []  # byte, end
    for node in range(top, nodes[3 * top + 1]):
        while path and path[-1][1] <= node:
            path.pop()
        path.append((nodes[3 * node], nodes[3 * node + 1]))
        tokens = ids[nodes[3 * node + 2] : nodes[3 * node + 5]]
        if tokens:
            found.setdefault(bytes(byte for byte, _ in path), []).extend(tokens)
    return found


@given(texts, st.data())
def test_what_is_left_of_tokens_is_one_trie(tokens, data):
    nodes, ids = trie_of(tokens)
    count = nodes[1]
    choices = st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, 2)), max_size=12, unique_by=lambda e: e[0])
    exits = [(node, number) for node, number in data.draw(choices) if node]
    flat = array("i", [value for pair in exits for value in pair])
    flat.extend((0, 7))  # beyond those that count
    for kernel in KERNELS:
        walker = kernel.walker
        numbers, total = walker.exit_numbers(nodes, flat, len(exits))
        assert sorted(numbers) == sorted({number for _, number in exits})
        assert total == sum(nodes[3 * node + 1] - node for node, _ in exits)
        for number in numbers:
            expected: dict[bytes, list[int]] = {}
            for node, other in exits:
                if other == number:
                    for text, tokens_there in spell(nodes, ids, node).items():
                        expected.setdefault(text, []).extend(tokens_there)
            merged, merged_ids = walker.merge(nodes, ids, flat, len(exits), number)
            found: dict[bytes, list[int]] = {}
            child = 1
            while child < merged[1]:
                found.update(spell(merged, merged_ids, child))
                child = merged[3 * child + 1]
            assert found == expected
            assert walker.is_trie(merged, merged_ids, len(tokens), array("i", [0]) * 5)
            # no two siblings have one byte
            prefixes = {text[:n] for text in expected for n in range(1, len(text) + 1)}
            assert merged[1] == len(prefixes) + 1


@given(rows, st.data(), st.integers(1, 5))
def test_a_row_is_packed_as_its_words_or_as_those_that_are_not_zero(row, data, share):
    more = data.draw(st.one_of(st.just([]), st.lists(st.sampled_from([0, 2]), min_size=len(row), max_size=len(row))))
    expected = [word | other for word, other in zip(row, more or [0] * len(row), strict=True)]
    for kernel in KERNELS:
        places, values = kernel.walker.pack(array("I", row), array("I", more), share)
        used = sum(word != 0 for word in expected)
        if used * share > len(expected):
            assert (list(places), list(values)) == ([], expected)
        else:
            assert [(p, v) for p, v in zip(places, values, strict=True)] == [
                (p, w) for p, w in enumerate(expected) if w
            ]


def test_no_exits_leave_nothing(kernel):
    nodes, ids = trie_of([b"a", b"ab"])
    none = array("i", [0, 0])
    assert kernel.walker.exit_numbers(nodes, none, 0) == ([], 0)
    merged, merged_ids = kernel.walker.merge(nodes, ids, none, 0, 0)
    assert (list(merged), list(merged_ids)) == ([0, 1, 0, 0, 1, 0], [])


@pytest.mark.parametrize("share", [4])
def test_an_empty_row_has_no_words(kernel, share):
    places, values = kernel.walker.pack(array("I", [0, 0]), array("I"), share)
    assert (len(places), len(values)) == (0, 0)
