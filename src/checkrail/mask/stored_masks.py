"""Local masks as bytes (`stored_sections`), and back: those of places in strings and numbers (`standard`).

A mask is its words, or those that are not zero with their places, and the trie of what is left of the tokens that leave
the module. Many names have equal masks, and many masks equal tries; each is there once. As in `stored_tables`, all
that a walk relies on is checked.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, TypeAlias

from ..vocabulary.vocabulary import MAXIMUM_TOKEN_BYTES, Vocabulary
from .bitmask import words_for
from .kernel import Kernel
from .stored_sections import Unusable, pack, unpack
from .token_tries import TokenTrie

__all__ = ["Joined", "Name", "are_bits", "decode", "encode", "memory_of", "parted"]

Name: TypeAlias = tuple[bytes, int]

_NAME_BYTES = 32
# The sections: names; two numbers for each, its second part and which mask it has. Three numbers for each mask, how
# many places, how many words, and which trie (-1: none); places and words of all. Two for each trie, how many numbers
# in nodes and how many tokens; nodes and tokens of all.
_TYPES = "BiiiIiii"


def encode(masks: Mapping[Name, Any], vocabulary: Vocabulary, longest: int) -> bytes:
    """The bytes of masks that can be kept; others are left out. longest: bytes of the longest token."""
    names, uses = bytearray(), array("i")
    known_masks, known_tries = Joined("iI"), Joined("ii")
    for (name, number), mask in masks.items():
        places, words, rests, exits = mask.parts()
        if len(name) != _NAME_BYTES or len(rests) > 1 or any(exits):
            continue  # a module that tells how it ended is no standard one
        trie = known_tries.add(_trie_of(rests[0])) if rests else -1
        names += name
        uses.extend((number, known_masks.add((places, words), trie)))
    sections: list[array[int] | bytes] = [
        bytes(names),
        uses,
        known_masks.facts,
        *known_masks.contents,
        known_tries.facts,
        *known_tries.contents,
    ]
    return pack("masks", vocabulary, longest, sections)


def decode(data: bytes, vocabulary: Vocabulary, longest: int, most_nodes: int, kernel: Kernel) -> dict[Name, Any]:
    """The masks by their names. most_nodes: of a trie of remainders. Raises Unusable."""
    head, sections = unpack("masks", data, vocabulary, _TYPES)
    names, uses, mask_facts, places, words, trie_facts, nodes, tokens = sections
    if head.longest != longest or longest > MAXIMUM_TOKEN_BYTES:
        raise Unusable("the longest token is another")
    size, open_ends = len(vocabulary), array("i", [0]) * longest
    tries: list[Any] = []
    for _, (own_nodes, own_tokens) in parted(trie_facts, 2, [nodes, tokens]):
        small = len(own_nodes) <= 3 * (most_nodes + 1)
        if not small or not kernel.walker.is_trie(own_nodes, own_tokens, size, open_ends):
            raise Unusable("the trie of a mask makes no sense")
        tries.append(TokenTrie(own_nodes, own_tokens, kernel).kernel_trie)
    masks: list[Any] = []
    for (_, _, trie), (own_places, own_words) in parted(mask_facts, 3, [places, words]):
        if not -1 <= trie < len(tries) or not _are_words(own_places, own_words, size, kernel):
            raise Unusable("the words of a mask make no sense")
        rests = [] if trie < 0 else [tries[trie]]
        masks.append(kernel.machine.LocalMask(own_places, own_words, rests, array("i", [0]) * len(rests)))
    if (
        len(names) != _NAME_BYTES * (len(uses) // 2)
        or len(uses) % 2
        or not all(0 <= u < len(masks) for u in uses[1::2])
    ):
        raise Unusable("the names of the masks make no sense")
    keys = (names[i : i + _NAME_BYTES].tobytes() for i in range(0, len(names), _NAME_BYTES))
    return {(key, number): masks[mask] for key, number, mask in zip(keys, uses[::2], uses[1::2], strict=True)}


def memory_of(mask: Any) -> int:
    """Bytes of a mask's arrays."""
    places, words, rests, exits = mask.parts()
    return sum(part.nbytes for part in (places, words, exits, *(p for rest in rests for p in rest.parts())))


def _trie_of(trie: Any) -> tuple[memoryview, memoryview]:
    """The nodes and the tokens; the kernel is given one where there are none."""
    nodes, tokens = trie.parts()
    return nodes, tokens[: nodes[-1]]


class Joined:
    """Arrays that belong together, joined to long ones, equal ones once. facts: their lengths and what else is told."""

    def __init__(self, types: str) -> None:
        self.contents = [array(kind) for kind in types]
        self.facts = array("i")
        self._numbers: dict[Hashable, int] = {}

    def add(self, parts: tuple[memoryview, ...], *more: int) -> int:
        """The number of what is added or was there."""
        key = (*(part.tobytes() for part in parts), *more)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers)
            for content, part in zip(self.contents, parts, strict=True):
                content.frombytes(part.cast("B"))
            self.facts.extend((*map(len, parts), *more))
        return number


def parted(facts: array[int], width: int, contents: list[array[int]]) -> Iterator[tuple[array[int], list[array[int]]]]:
    """The opposite: for each record of facts its parts."""
    if len(facts) % width:
        raise Unusable("a record is not whole")
    starts = [0] * len(contents)
    for i in range(0, len(facts), width):
        record = facts[i : i + width]
        ends = [start + count for start, count in zip(starts, record, strict=False)]
        if min(record[: len(contents)]) < 0 or any(end > len(c) for end, c in zip(ends, contents, strict=True)):
            raise Unusable("a part is outside of its section")
        yield record, [content[a:b] for content, a, b in zip(contents, starts, ends, strict=True)]
        starts = ends


def _are_words(places: array[int], words: array[int], size: int, kernel: Kernel) -> bool:
    if places:
        return are_bits(places, words, size, kernel)
    return len(words) in (0, words_for(size)) and not any(word >> (size - 1) % 32 >> 1 for word in words[-1:])


def are_bits(places: array[int], words: array[int], size: int, kernel: Kernel) -> bool:
    """Whether words at these places of a bitset hold none but tokens of a vocabulary of `size`."""
    width = words_for(size)
    if len(places) != len(words) or not kernel.walker.is_within(places, 0, width):
        return False
    start = 0
    while width - 1 in places[start:]:
        start = places.index(width - 1, start) + 1
        if words[start - 1] >> (size - 1) % 32 >> 1:
            return False
    return True
