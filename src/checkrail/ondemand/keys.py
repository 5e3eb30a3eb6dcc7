"""Tries of declared names within other keys.

A place in such a trie behaves as the place in the language of other keys that the same letters lead to, but for the
bytes that lead on to a declared name: a default state of the kernel. Where no other keys may come it is a plain trie.
Names are spelled in one way, and so are the other keys, so that no escape can spell a name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from ..json_schema.literals import quote
from .noted import OTHER_KEYS, Keys, keys_of

if TYPE_CHECKING:
    from .automaton import OnDemand
    from .module import Outcomes

__all__ = ["NOTHING_OWN", "KeyTries", "Rest", "alphabet_of", "spelled"]


class Rest(Keys, Protocol):
    """Other keys behind their opening quote. outcomes: None where there is one class of them."""

    outcomes: Outcomes | None

    def state(self, place: int) -> int:
        """The state of the automaton for a place."""


# Rows are as wide as the letters of the names ask for.
_ALPHABETS = (
    b'abcdefghijklmnopqrstuvwxyz_"',
    b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"',
    bytes(range(128)),
    bytes(range(256)),
)
_NO_REST = bytes(256)
_NONE = array("i", [-1])
_PLAIN = bytes(byte for byte in range(0x20, 0x7F) if byte not in b'"\\')  # characters that are spelled as themselves
NOTHING_OWN = 2**30  # as `own`: the trie before stays


def alphabet_of(names: Iterable[str]) -> int:
    """The smallest alphabet that names can be spelled with."""
    letters = "".join(names).encode()
    first = 2 if b'"' in letters or b"\\" in letters else 0
    return next(i for i in range(first, len(_ALPHABETS)) if not letters.translate(None, _ALPHABETS[i]))


@lru_cache(maxsize=64)
def _classes(alphabet: int, other: bytes) -> tuple[bytes, int, tuple[int, ...]]:
    """A class map that tells apart the letters of an alphabet and the classes of another map on all other bytes; its
    width; and for each class that of the other map."""
    letters = _ALPHABETS[alphabet]
    numbers: dict[tuple[bool, int], int] = {}
    class_map = bytes(
        numbers.setdefault((True, byte) if byte in letters else (False, other[byte]), len(numbers))
        for byte in range(256)
    )
    return class_map, len(numbers), tuple(other[class_map.index(number)] for number in range(len(numbers)))


@lru_cache(maxsize=64)
def _loops(class_map: bytes, row: tuple[int, ...]) -> bytes:
    """The bytes that lead from the first place, which has this row, to itself."""
    return bytes([byte for byte, letter in enumerate(class_map) if row[letter] == 0])


@lru_cache(maxsize=4096)
def spelled(name: str) -> bytes:
    """A name as it stands behind the opening quote of a key, the closing one included."""
    return quote(name)[1:].encode()


@lru_cache(maxsize=256)
def _flags(samples: tuple[int, ...], row: tuple[int, ...]) -> bytes:
    """For each class, whether it leads on from a place that has this row."""
    return bytes([row[sample] >= 0 for sample in samples])


class KeyTries:
    """Makes tries among the states of one automaton. keys: what calls on other keys are about."""

    def __init__(self, owner: OnDemand, alphabet: int, rest: Rest | None) -> None:
        self._tables = owner.tables
        self._rest = rest
        classes = _classes(alphabet, _NO_REST if rest is None else rest.class_map)
        self.class_map, self.width, self._samples = classes
        self._map = owner.languages.place_of_map(self.class_map)
        self._edges: dict[tuple[int, int], int] = {}
        self._owner = owner
        self.keys = OTHER_KEYS if rest is None else keys_of(rest)
        self._loops = b"" if rest is None else _loops(rest.class_map, tuple(rest.row(0)))
        self._beside_all: dict[int, tuple[array[int], array[int]]] = {}
        self._live = b""  # for each place of the rest that was met a row of flags, one for each class
        self._live_of: dict[int, int] = {}

    def others(self, room: int, after: int) -> int:
        """A trie without names, in which every other key may come: it leads to the state `after`."""
        places, edges = self._beside_each(after)
        root = self._tables.new_default(room, self._live, places[0], edges[0], self._map, self.width)
        self._owner.languages.key_prefixes.add(root, b"", 0, 1)
        return root

    def words(self, words: Iterable[bytes], leaf: int) -> int:
        """A trie of some words; the last byte of each leads to `leaf`. No word may begin another one. -1: no words."""
        found = list(words)
        if not found:
            return -1
        ends = array("i", accumulate(map(len, found)))
        return self._tables.insert_words(b"".join(found), ends, leaf, self.class_map, self._map, self.width)

    def insert(
        self, root: int, text: bytes, leaf: int, rooms: tuple[int, int], after: int, own: int = NOTHING_OWN
    ) -> int:
        """A trie with one more name: its closing quote leads to `leaf` (-1: nowhere). root: -1 for no trie yet.

        A name that leads nowhere is left out where no other key begins as it does: nothing has to be kept from it.
        rooms: levels that the leaf needs, and the least that other keys need. after: the state to return to after
        another key, -1 where none may come. own: the trie before is of no use for nodes from this number on, which are
        changed in place; else it stays.
        """
        size = len(text)
        if after < 0 or self._rest is None:
            return self._insert(root, text, leaf, rooms, _NONE, _NONE, own)
        if len(text.translate(None, self._loops)) == 1:  # mostly: all characters may follow, and lead back here
            places, edges = self._beside_each(after)
        else:
            places, edges = self._beside(text, leaf, after)
            if len(places) < size:
                return root
        first = self._tables.state_count
        made = self._insert(root, text, leaf, rooms, places, edges, own)
        self._note(first, text, size)
        return made

    def insert_all(
        self, root: int, texts: Sequence[bytes], leaves: Sequence[int], rooms: Sequence[int], others: int, after: int,
        own: int,
    ) -> int:  # fmt: skip
        """`insert` for some names. leaves: what each of them leads to. rooms: the levels that these need; others: the
        least that other keys need."""
        rest = after >= 0 and self._rest is not None
        if rest and len(b"".join(texts).translate(None, self._loops)) != len(texts):
            for text, leaf, room in zip(texts, leaves, rooms, strict=True):
                root = self.insert(root, text, leaf, (room, others), after, own)
            return root
        places, edges = self._beside_each(after) if rest else (_NONE, _NONE)
        first = self._tables.state_count
        added: list[int] = []
        made = self._tables.insert_all(
            root, texts, leaves, rooms, others, self.class_map, self._map, self._live or b"\0", places, edges,
            self.width, own, added,
        )  # fmt: skip
        if rest:
            self._owner.languages.key_prefixes.add_all(first, texts, added)
        return made

    def _beside_each(self, after: int) -> tuple[array[int], array[int]]:
        """`_beside` for names of whose bytes each leads back to the first place: one number for all of them."""
        known = self._beside_all.get(after)
        if known is None:
            known = self._beside_all[after] = array("i", [self._live_at(0)]), array("i", [self._edge(0, after)])
        return known

    def _beside(self, text: bytes, leaf: int, after: int) -> tuple[array[int], array[int]]:
        """For each byte, the flags and the default edge of the place in other keys that the bytes before lead to; up to
        where no other key begins so, if the name leads nowhere."""
        assert self._rest is not None
        if self._rest.takes_all and not text[:-1].translate(None, _PLAIN):
            return self._beside_characters(text, after)
        places, edges = array("i"), array("i")
        place = 0
        class_map = self._rest.class_map
        for byte in text:
            if place < 0 and leaf < 0:
                break
            if place < 0:
                places.append(0)
                edges.append(-1)
                continue
            places.append(self._live_at(place))
            edges.append(self._edge(place, after))
            place = self._rest.row(place)[class_map[byte]]
        return places, edges

    def _beside_characters(self, text: bytes, after: int) -> tuple[array[int], array[int]]:
        """`_beside` where every key may come and each byte is a character: the same may follow everywhere, so the last
        place need not have a row."""
        assert self._rest is not None
        row, class_map = self._rest.row, self._rest.class_map
        place = 0
        edges = array("i", [self._edge(place, after)])
        for byte in text[:-1]:
            place = row(place)[class_map[byte]]
            edges.append(self._edge(place, after))
        return array("i", [self._live_at(0)]) * len(text), edges

    def _note(self, first: int, text: bytes, end: int) -> None:
        """Note what the new states have read: the last one all before `end`."""
        count = self._tables.state_count - first
        if count:
            self._owner.languages.key_prefixes.add(first, text, end - count, count)

    def _insert(
        self,
        root: int,
        text: bytes,
        leaf: int,
        rooms: tuple[int, int],
        places: array[int],
        edges: array[int],
        own: int,
    ) -> int:
        return self._tables.insert(
            root, text, leaf, *rooms, self.class_map, self._map, self._live or b"\0", places, edges, self.width, own
        )

    def _live_at(self, place: int) -> int:
        """Where the flags of a place are."""
        known = self._live_of.get(place)
        if known is None:
            assert self._rest is not None
            self._live += _flags(self._samples, tuple(self._rest.row(place)))
            known = self._live_of[place] = len(self._live_of)
        return known

    def _edge(self, place: int, after: int) -> int:
        known = self._edges.get((place, after))
        if known is None:
            assert self._rest is not None
            known = self._edges[place, after] = self._tables.add_edge(self._rest.state(place), after, 0, 0)
            self._owner.note(known, self.keys)
        return known

    def remove(self, root: int, text: bytes, besides: int) -> int:
        """A trie with one name less; -1 where nothing is left. besides: the room of other keys (2**30: none come)."""
        made = self._tables.remove(root, text, besides, self.class_map, self.width)
        if made >= 0 and self._rest is not None:
            self._note(made, text, self._tables.state_count - made)
        return made
