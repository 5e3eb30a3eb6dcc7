"""Counts of tokens as bytes: the way there and back, and files that are made to deceive."""

from __future__ import annotations

import hashlib
import random
import struct

import pytest

from checkrail.mask import cache, stored_counts
from checkrail.mask.counted import PLACES, CountedMasks, Place, Survey, places_by_name, survey, walked
from checkrail.mask.kernel import Kernel, load_interpreted
from checkrail.mask.stored_counts import decode, encode
from checkrail.mask.stored_sections import HEAD_BYTES, Unusable
from checkrail.mask.token_tables import TokenTables
from checkrail.vocabulary.vocabulary import Vocabulary

SINGLE = [bytes([b]) for b in range(70)]
VOCABULARY = Vocabulary.from_bytes(
    [*SINGLE, b"\\n", b'a"', b'""', b'",', b'a",', b"\\\\", b'"a', b'"a":', None], eos=78
)


def tables_of(kernel: Kernel) -> TokenTables:
    return TokenTables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)


def surveys(tables: TokenTables) -> dict[Place, Survey]:
    return {place: survey(place, tables) for place in PLACES}


def test_there_and_back(kernel: Kernel) -> None:
    tables = tables_of(kernel)
    made = surveys(tables)
    assert decode(encode(made, VOCABULARY, tables.trie.max_depth), VOCABULARY, tables, kernel) == made


def sealed(data: bytes) -> bytes:
    return data[:16] + hashlib.sha256(data[48:]).digest() + data[48:]


def changed(data: bytes, section: int, index: int, value: int) -> bytes:
    """With one number of a section changed, and the digest right."""
    count = 2 + len(stored_counts._COLUMNS)
    sizes = struct.unpack_from(f"<{count}Q", data, HEAD_BYTES)
    start = HEAD_BYTES + 8 * count + sum(size + -size % 8 for size in sizes[:section])
    place = start + 4 * (index % (sizes[section] // 4))
    return sealed(data[:place] + struct.pack("<i", value) + data[place + 4 :])


HOSTILE = [
    (0, 0, 2),  # the version
    (1, 0, -1), (1, 1, 1000), (1, 2, 0), (1, 8, 4), (1, 8, -1), (1, 6, 2**31 - 1),  # facts
    (3, 0, 3), (3, 0, -1), (4, -1, 1 << 30), (6, 0, 3), (8, 0, -1), (9, 0, 0), (9, 0, 2**31 - 1),
]  # fmt: skip


@pytest.mark.parametrize(("section", "index", "value"), HOSTILE)
def test_what_points_outside_is_refused(section: int, index: int, value: int, kernel: Kernel) -> None:
    tables = tables_of(kernel)
    data = encode(surveys(tables), VOCABULARY, tables.trie.max_depth)
    if section == 8:  # any number of characters is as good as another
        decode(changed(data, section, index, value), VOCABULARY, tables, kernel)
        return
    with pytest.raises(Unusable):
        decode(changed(data, section, index, value), VOCABULARY, tables, kernel)


def test_numbers_changed_at_random_are_refused_or_stay_inside() -> None:
    kernel, rng, taken = load_interpreted(), random.Random(2), 0
    tables = tables_of(kernel)
    data = encode(surveys(tables), VOCABULARY, tables.trie.max_depth)
    names = {place: name for name, place in places_by_name().items()}
    for _ in range(300):
        value = rng.choice([-1, 0, 1, 2, rng.randrange(-9, 300)])
        try:
            found = decode(changed(data, rng.randrange(1, 10), rng.randrange(2**20), value), VOCABULARY, tables, kernel)
        except Unusable:
            continue
        taken += 1
        counted = CountedMasks(tables, kernel, lambda found=found: found)  # type: ignore[misc]
        for place in found:
            for need, room in [(0, -1), (1, 3), (0, 0)]:
                bounds = "text", need, room
                name = *names[place], (bounds,) if place.kind == "escape" else bounds
                counted.find(name)  # the interpreted kernel would raise IndexError
            last = walked(place, tables).nodes[1]
            assert all(0 < node < last for node in found[place].exits)
    assert taken > 10


def test_other_vocabularies_are_refused(kernel: Kernel) -> None:
    tables = tables_of(kernel)
    data = encode(surveys(tables), VOCABULARY, tables.trie.max_depth + 1)
    with pytest.raises(Unusable, match="something else"):
        decode(data, VOCABULARY, tables, kernel)
    with pytest.raises(Unusable, match="vocabulary"):
        decode(data, Vocabulary.from_bytes([b"a", None], eos=1), tables, kernel)
