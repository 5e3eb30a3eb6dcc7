"""The flat trie against the plain definition: the set of all prefixes of all tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary

# Few distinct bytes, so that prefixes are shared; NUL, empty, duplicate and ragged tokens among them.
tokens = st.lists(st.none() | st.lists(st.sampled_from(b"\x00ab\xc3\xff"), max_size=4).map(bytes), max_size=25)


def build(table: list[bytes | None]) -> tuple[Vocabulary, Trie]:
    vocabulary = Vocabulary.from_bytes([*table, None], eos=len(table))
    return vocabulary, Trie.build(vocabulary)


def spelled(trie: Trie) -> dict[int, bytes]:
    """Node -> the bytes that lead to it, by the children relation alone."""
    result = {0: b""}
    todo = [0]
    while todo:
        node = todo.pop()
        for child in trie.children(node):
            result[child] = result[node] + trie.byte[child : child + 1]
            todo.append(child)
    return result


@given(tokens)
def test_nodes_are_the_prefixes_in_depth_first_order(table: list[bytes | None]) -> None:
    _, trie = build(table)
    prefixes = {token[:n] for token in table if token for n in range(len(token) + 1)} | {b""}
    by_node = spelled(trie)
    assert [by_node[node] for node in range(trie.nodes)] == sorted(prefixes)
    assert trie.nodes == len(trie.byte) == len(trie.token) == len(trie.end) == trie.end[0]
    assert trie.max_depth == max(map(len, prefixes))


@given(tokens)
def test_end_is_just_past_the_subtree(table: list[bytes | None]) -> None:
    _, trie = build(table)
    by_node = spelled(trie)
    for node, prefix in by_node.items():
        below = [other for other, text in by_node.items() if text.startswith(prefix)]
        assert set(below) == set(range(node, trie.end[node]))


@given(tokens)
def test_each_token_is_at_its_node_and_nowhere_else(table: list[bytes | None]) -> None:
    vocabulary, trie = build(table)
    by_node = spelled(trie)
    for node, text in by_node.items():
        expected = [i for i, token in enumerate(vocabulary.tokens) if token == text and text]
        assert list(trie.ids(node)) == expected
        assert trie.token[node] == (expected[0] if expected else -1)
    assert len(trie.same) == len(vocabulary)
    assert all(trie.same[i] == -1 for i, token in enumerate(vocabulary.tokens) if not token)


@given(tokens, st.lists(st.sampled_from(b"\x00ab\xc3\xff"), max_size=5).map(bytes))
def test_find(table: list[bytes | None], prefix: bytes) -> None:
    _, trie = build(table)
    node = trie.find(prefix)
    if prefix and not any(token and token.startswith(prefix) for token in table):
        assert node is None
    else:
        assert node is not None
        assert spelled(trie)[node] == prefix


def test_long_chains_cost_no_recursion() -> None:
    _, trie = build([b"a" * 60_000, b"a" * 60_000 + b"b", b"a"])
    assert trie.max_depth == 60_001
    assert trie.nodes == 60_002
    assert trie.find(b"a" * 60_000) == 60_000
    assert repr(trie) == "<Trie 60002 nodes, depth 60001>"


def test_no_token_at_all() -> None:
    _, trie = build([b"", None])
    assert (trie.nodes, trie.max_depth, list(trie.children(0))) == (1, 0, [])


def test_the_array_items_are_32_bits() -> None:
    _, trie = build([b"a"])
    assert {trie.token.itemsize, trie.end.itemsize, trie.same.itemsize} == {4}
