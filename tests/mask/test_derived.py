"""Masks without a walk: which names are known, and places that return with another exit."""

from __future__ import annotations

import pytest

from checkrail.mask import cache
from checkrail.mask.derived import DerivedMasks
from checkrail.mask.kernel import Kernel
from checkrail.mask.token_tables import TokenTables
from checkrail.vocabulary.vocabulary import Vocabulary

VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b'ab"', b'",', b'a":', None], eos=259)


@pytest.fixture
def tables(kernel: Kernel) -> TokenTables:
    made = TokenTables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)
    made.shared.derive = DerivedMasks(made, VOCABULARY, kernel).find
    return made


def test_a_place_with_another_exit_has_the_same_mask(tables: TokenTables) -> None:
    name = 1, ("text", 0, 9)
    places, words, rests, exits = tables.shared.get(name).parts()
    other = tables.shared.get((name, 3)).parts()
    assert (other[0].tolist(), other[1].tolist()) == (places.tolist(), words.tolist())
    assert other[2] == rests
    assert (exits.tolist(), other[3].tolist()) == ([0], [3])
    assert tables.shared.get((name, 3)) is tables.shared.get((name, 3))


@pytest.mark.parametrize(
    "name", [(b"digest", 3), (b"number", 0), ((b"number", 0), 2), ("opening", (1, ("text", 0, 3)))]
)
def test_other_names_are_not_known(name: tuple[object, ...], tables: TokenTables) -> None:
    assert tables.shared.get(name) is None


def test_what_is_derived_is_kept(tables: TokenTables, monkeypatch: pytest.MonkeyPatch) -> None:
    name = 1, ("text", 0, 2)
    assert tables.shared.kept(name) is None
    made = tables.shared.get(name)
    assert tables.shared.memory > 1_000
    monkeypatch.setattr(tables.shared, "derive", lambda _: pytest.fail("made again"))
    assert tables.shared.get(name) is made
