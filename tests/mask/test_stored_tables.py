"""Prepared vocabularies as bytes: the way there and back, and files that are damaged or made to deceive."""

from __future__ import annotations

import hashlib
import random
import struct
import sys
from array import array
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.mask import stored_sections, stored_tables
from checkrail.mask.kernel import Kernel, load_interpreted
from checkrail.mask.prepared import Prepared, build
from checkrail.mask.stored_sections import HEAD_BYTES, Unusable, head_of, little_endian
from checkrail.mask.stored_tables import decode, encode
from checkrail.vocabulary.vocabulary import Vocabulary

SAMPLE = Vocabulary.from_bytes(
    [*(bytes([b]) for b in range(256)), b"ab", b"abc", b"ab", b"", None, b'a"', "é".encode(), b"\0\0", b"abd", None],
    eos=265,
)
TABLES = st.lists(st.none() | st.lists(st.sampled_from(b'\x00ab"\xc3\xa9'), max_size=4).map(bytes), max_size=40)
DIGESTED = 48


def fields(prepared: Prepared) -> list[object]:
    trie, plain = prepared.trie, prepared.plain
    return [
        trie.byte, trie.token, trie.end, trie.same, trie.max_depth, prepared.nodes, prepared.tokens,
        prepared.token_bytes, prepared.token_starts, prepared.other_nodes, prepared.other_tokens,
        list(plain.lengths), plain.words, plain.longest,
    ]  # fmt: skip


def sealed(data: bytes) -> bytes:
    """With the digest made right again."""
    return data[:16] + hashlib.sha256(data[DIGESTED:]).digest() + data[DIGESTED:]


def section(data: bytes, name: str) -> tuple[int, int]:
    """Where a section begins and how many bytes it has."""
    count = len(stored_tables._SECTIONS)
    start = HEAD_BYTES + 8 * count
    sizes = struct.unpack_from(f"<{count}Q", data, HEAD_BYTES)
    for here, size in zip(stored_tables._SECTIONS, sizes, strict=True):
        if here == name:
            return start, size
        start += size + -size % 8
    raise KeyError(name)


def changed(data: bytes, name: str, index: int, value: int) -> bytes:
    """With one number of a section changed, and the digest right."""
    start, size = section(data, name)
    place = start + 4 * (index % (size // 4))
    return sealed(data[:place] + struct.pack("<i", value) + data[place + 4 :])


@given(TABLES)
def test_there_and_back(table: list[bytes | None]) -> None:
    vocabulary = Vocabulary.from_bytes([*table, None], eos=len(table))
    prepared = build(vocabulary)
    data = encode(prepared, vocabulary)
    assert fields(decode(data, vocabulary, load_interpreted())) == fields(prepared)
    assert data == encode(build(vocabulary), vocabulary)


def test_both_kernels_take_a_whole_vocabulary(kernel: Kernel) -> None:
    data = encode(build(SAMPLE), SAMPLE)
    assert fields(decode(data, SAMPLE, kernel)) == fields(build(SAMPLE))
    head = head_of(data[:HEAD_BYTES])
    assert (head.kind, head.fingerprint, head.tokens, head.longest) == ("tables", SAMPLE.fingerprint, 266, 3)
    assert head.is_current


def test_equal_versions_mean_equal_bytes() -> None:
    """Where this fails the bytes have changed: raise FORMAT or LAYOUT, and enter the new digest."""
    known = {(2, 1): "3f11894460d55c3692182454b3efce98d118aec4628c4feea0854b54df8b8e06"}
    version = stored_sections.FORMAT, stored_sections.LAYOUT
    assert known[version] == hashlib.sha256(encode(build(SAMPLE), SAMPLE)).hexdigest()


def test_the_bytes_are_little_endian_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    values = array("i", [1, -2])
    assert little_endian(values) == struct.pack("<2i", 1, -2)
    monkeypatch.setattr(sys, "byteorder", "big" if sys.byteorder == "little" else "little")
    assert little_endian(values) == struct.pack(">2i", 1, -2)
    assert values == array("i", [1, -2])


def test_every_damaged_byte_is_found() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"ab", None], eos=2)
    data = encode(build(vocabulary), vocabulary)
    kernel = load_interpreted()
    for place in range(len(data)):
        with pytest.raises(Unusable):
            decode(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], vocabulary, kernel)
    for length in range(len(data)):
        with pytest.raises(Unusable):
            decode(data[:length], vocabulary, kernel)
    with pytest.raises(Unusable):
        decode(data + b"\0", vocabulary, kernel)


def test_another_version_or_vocabulary_is_refused(kernel: Kernel) -> None:
    data = encode(build(SAMPLE), SAMPLE)
    for place, reason in ((DIGESTED, "version"), (DIGESTED + 4, "version"), (DIGESTED + 8, "vocabulary")):
        other = sealed(data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :])
        with pytest.raises(Unusable, match=reason):
            decode(other, SAMPLE, kernel)
    with pytest.raises(Unusable, match="vocabulary"):
        decode(data, Vocabulary.from_bytes([b"a", None], eos=1), kernel)


HOSTILE = [
    ("nodes", 1, 1), ("nodes", 3 * 5, 256), ("nodes", 3 * 5, -1), ("nodes", 3 * 5 + 1, 5), ("nodes", 3 * 5 + 1, -1),
    ("nodes", 3 * 5 + 1, 2**31 - 1), ("nodes", 3 * 5 + 2, 2**31 - 1), ("nodes", 3 * 5 + 2, -1), ("nodes", -1, 5),
    ("tokens", 3, 266), ("tokens", 3, -1), ("token", 0, 266), ("token", 0, -2), ("same", 9, 9), ("same", 9, 3),
    ("same", 9, 266), ("same", 9, -2), ("token_starts", 0, 1), ("token_starts", 7, 2**31 - 1), ("token_starts", 7, -1),
    ("token_starts", -1, 2**31 - 1), ("plain_lengths", 0, 0), ("plain_lengths", 0, 99), ("plain_words", -1, -1),
    ("other_nodes", 1, 2**31 - 1), ("other_nodes", 4, 0), ("other_tokens", 0, 266),
]  # fmt: skip


@pytest.mark.parametrize(("name", "index", "value"), HOSTILE)
def test_what_points_outside_is_refused(name: str, index: int, value: int, kernel: Kernel) -> None:
    with pytest.raises(Unusable, match=r"no sense|no trie"):
        decode(changed(encode(build(SAMPLE), SAMPLE), name, index, value), SAMPLE, kernel)


@pytest.mark.parametrize("name", list(stored_tables._SECTIONS))
@pytest.mark.parametrize("size", [0, 1, 4, 20, 2**63, 2**64 - 1])
def test_sections_of_other_sizes_are_refused(name: str, size: int, kernel: Kernel) -> None:
    data = encode(build(SAMPLE), SAMPLE)
    place = HEAD_BYTES + 8 * list(stored_tables._SECTIONS).index(name)
    with pytest.raises(Unusable):
        decode(sealed(data[:place] + struct.pack("<Q", size) + data[place + 8 :]), SAMPLE, kernel)


def test_more_other_nodes_than_there_is_work_space_for_are_refused(kernel: Kernel) -> None:
    chain = array("i", [0, 300, 0])
    for node in range(1, 300):
        chain.extend((97, node + 1, 0))
    forged = replace(build(SAMPLE), other_nodes=chain + array("i", [0, 300, 0]), other_tokens=array("i"))
    assert len(forged.other_nodes) > len(forged.nodes)
    with pytest.raises(Unusable, match="other_nodes"):
        decode(encode(forged, SAMPLE), SAMPLE, kernel)


def test_a_trie_deeper_than_the_longest_token_is_refused(kernel: Kernel) -> None:
    data = encode(build(SAMPLE), SAMPLE)
    place = DIGESTED + 44
    assert struct.unpack_from("<I", data, place) == (3,)
    for longest in (0, 2, 2**32 - 1):
        with pytest.raises(Unusable, match="no sense"):
            decode(sealed(data[:place] + struct.pack("<I", longest) + data[place + 4 :]), SAMPLE, kernel)


def test_numbers_changed_at_random_are_refused_or_walked_inside(kernel: Kernel) -> None:
    rng = random.Random(1)
    data = encode(build(SAMPLE), SAMPLE)
    taken = 0
    for _ in range(300):
        name = rng.choice([n for n in stored_tables._SECTIONS if n != "token_bytes"])
        forged = changed(data, name, rng.randrange(2**20), rng.choice([-1, 0, 1, 255, 256, rng.randrange(-5, 400)]))
        try:
            prepared = decode(forged, SAMPLE, kernel)
        except Unusable:
            continue
        taken += 1
        for nodes, tokens in ((prepared.nodes, prepared.tokens), (prepared.other_nodes, prepared.other_tokens)):
            assert walked(nodes, 3) <= set(range(len(nodes) // 3))
            assert set(tokens) <= set(range(266))
    assert taken > 10  # some changes do not matter to where a walk goes


def walked(nodes: array[int], longest: int) -> set[int]:
    """The nodes of a trie by the definition of a walk, with the levels counted."""
    seen = set()
    pending = [(1, nodes[1], 1)]
    while pending:
        node, end, depth = pending.pop()
        assert node >= end or depth <= longest
        while node < end:
            assert 0 <= nodes[3 * node] < 256
            assert node < nodes[3 * node + 1] <= end
            seen.add(node)
            pending.append((node + 1, nodes[3 * node + 1], depth + 1))
            node = nodes[3 * node + 1]
        assert node == end
    return seen
