"""Local masks as bytes: the way there and back, and files that are made to deceive."""

from __future__ import annotations

import hashlib
import random
import struct
from array import array
from typing import Any

import pytest

from checkrail.mask import stored_masks, stored_sections
from checkrail.mask.kernel import Kernel, load_interpreted
from checkrail.mask.stored_masks import decode, encode, memory_of
from checkrail.mask.stored_sections import HEAD_BYTES, Unusable
from checkrail.mask.token_tries import TokenTrie, records_of_texts
from checkrail.vocabulary.vocabulary import Vocabulary

VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(70)), None], eos=70)  # three words
LONGEST, MOST = 4, 20
NAMES = [(bytes([n]) * 32, n) for n in range(6)]


def sample(kernel: Kernel) -> dict[tuple[bytes, int], Any]:
    def mask(places: list[int], words: list[int], texts: dict[bytes, list[int]] | None) -> Any:
        rests = [] if texts is None else [TokenTrie(*records_of_texts(texts), kernel).kernel_trie]
        return kernel.machine.LocalMask(array("i", places), array("I", words), rests, array("i", [0]) * len(rests))

    masks = [
        mask([0, 2], [5, 127], {b'",': [3], b'"': [4, 5]}),
        mask([], [1, 2**32 - 1, 3], {b'",': [3], b'"': [4, 5]}),
        mask([], [], None),
        mask([1], [9], {}),
    ]
    return dict(zip(NAMES, [*masks, masks[0], mask([0, 2], [5, 127], {b'",': [3], b'"': [4, 5]})], strict=True))


def parts(mask: Any) -> list[bytes]:
    places, words, rests, exits = mask.parts()
    return [part.tobytes() for part in (places, words, exits, *(p for rest in rests for p in rest.parts()))]


def read(data: bytes, kernel: Kernel) -> dict[tuple[bytes, int], Any]:
    return decode(data, VOCABULARY, LONGEST, MOST, kernel)


def test_there_and_back(kernel: Kernel) -> None:
    masks = sample(kernel)
    found = read(encode(masks, VOCABULARY, LONGEST), kernel)
    assert {name: parts(mask) for name, mask in found.items()} == {name: parts(mask) for name, mask in masks.items()}
    assert [memory_of(mask) for mask in found.values()] == [memory_of(mask) for mask in masks.values()]


def test_equal_masks_and_tries_are_there_once(kernel: Kernel) -> None:
    found = list(read(encode(sample(kernel), VOCABULARY, LONGEST), kernel).values())
    assert found[4] is found[0]
    assert found[5] is found[0]
    assert found[1].parts()[2][0] is found[0].parts()[2][0]
    assert len({id(mask) for mask in found}) == 4


def test_masks_that_tell_how_they_ended_are_left_out(kernel: Kernel) -> None:
    trie = TokenTrie(*records_of_texts({b"a": [1]}), kernel).kernel_trie

    def mask(exits: list[int]) -> Any:
        return kernel.machine.LocalMask(array("i"), array("I"), [trie] * len(exits), array("i", exits))

    masks = {
        (b"x" * 32, 0): mask([0, 1]),
        (b"y" * 32, 0): mask([1]),
        (b"short", 0): mask([0]),
        (b"z" * 32, 0): mask([0]),
    }
    assert list(read(encode(masks, VOCABULARY, LONGEST), kernel)) == [(b"z" * 32, 0)]


def test_no_masks_at_all(kernel: Kernel) -> None:
    assert read(encode({}, VOCABULARY, LONGEST), kernel) == {}


def test_equal_versions_mean_equal_bytes(kernel: Kernel) -> None:
    """Where this fails the bytes have changed: raise FORMAT or LAYOUT, and enter the new digest."""
    known = {(2, 1): "010f1eff21228f0616d6b6b94b5aade7484cbcc3f53ab108bdb9783bf4ca5b1f"}
    found = hashlib.sha256(encode(sample(kernel), VOCABULARY, LONGEST)).hexdigest()
    assert known[stored_sections.FORMAT, stored_sections.LAYOUT] == found


def sealed(data: bytes) -> bytes:
    return data[:16] + hashlib.sha256(data[48:]).digest() + data[48:]


def changed(data: bytes, section: int, index: int, value: int) -> bytes:
    """With one number of a section changed, and the digest right."""
    count = len(stored_masks._TYPES)
    start = HEAD_BYTES + 8 * count
    for size in struct.unpack_from(f"<{count}Q", data, HEAD_BYTES)[:section]:
        start += size + -size % 8
    size = struct.unpack_from("<Q", data, HEAD_BYTES + 8 * section)[0]
    place = start + 4 * (index % (size // 4))
    return sealed(data[:place] + struct.pack("<i", value) + data[place + 4 :])


HOSTILE = [
    (1, 1, 4), (1, 1, -1), (1, 11, 2**31 - 1),  # uses
    (2, 0, -1), (2, 0, 3), (2, 1, 2**31 - 1), (2, 2, 1000), (2, 2, -2), (2, 4, 2),  # facts of masks
    (3, 0, 3), (3, 0, -1), (4, 1, 128), (4, 4, 128),  # places, words
    (5, 0, -3), (5, 0, 1), (5, 1, 2**31 - 1),  # facts of tries
    (6, 1, 2**31 - 1), (6, 4, 0), (6, 3, 256), (7, 0, 71), (7, 0, -1),  # nodes, tokens
]  # fmt: skip


@pytest.mark.parametrize(("section", "index", "value"), HOSTILE)
def test_what_points_outside_is_refused(section: int, index: int, value: int, kernel: Kernel) -> None:
    with pytest.raises(Unusable):
        read(changed(encode(sample(kernel), VOCABULARY, LONGEST), section, index, value), kernel)


def test_numbers_changed_at_random_are_refused_or_stay_inside() -> None:
    kernel, rng, taken = load_interpreted(), random.Random(2), 0
    data = encode(sample(kernel), VOCABULARY, LONGEST)
    for _ in range(400):
        forged = changed(
            data, rng.randrange(1, 8), rng.randrange(2**20), rng.choice([-1, 0, 1, 2, rng.randrange(-9, 300)])
        )
        try:
            masks = read(forged, kernel)
        except Unusable:
            continue
        taken += 1
        for mask in masks.values():
            places, words, rests, _ = mask.parts()
            assert set(places) <= {0, 1, 2}
            assert len(places) in (0, len(words))
            assert all(0 <= token < 71 for rest in rests for token in rest.parts()[1])
    assert taken > 10


def test_other_vocabularies_and_bounds_are_refused(kernel: Kernel) -> None:
    data = encode(sample(kernel), VOCABULARY, LONGEST)
    with pytest.raises(Unusable, match="longest"):
        decode(data, VOCABULARY, LONGEST + 1, MOST, kernel)
    with pytest.raises(Unusable, match="trie"):
        decode(data, VOCABULARY, LONGEST, 1, kernel)
    with pytest.raises(Unusable, match="vocabulary"):
        decode(data, Vocabulary.from_bytes([b"a", None], eos=1), LONGEST, MOST, kernel)
    shallow = encode(sample(kernel), VOCABULARY, 1)
    with pytest.raises(Unusable, match="trie"):
        decode(shallow, VOCABULARY, 1, MOST, kernel)


def test_every_damaged_byte_is_found() -> None:
    kernel = load_interpreted()
    data = encode(sample(kernel), VOCABULARY, LONGEST)
    for place in range(len(data)):
        with pytest.raises(Unusable):
            read(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], kernel)
