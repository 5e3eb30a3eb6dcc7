"""Local masks: the tokens that stay inside one module, found by one walk of the trie and kept.

A relative configuration stands on an unknown stack: its bottom frame says only how deep it is. Walking the trie
from the pair (state, unknown stack) gives the tokens that this state alone allows, deeper calls included, plus
the trie nodes at which the module may be complete with bytes of the token left: the exits, which `exits`
continues. Neither depends on the stack, so both are computed once per state (XGrammar's context-independent
tokens, Dong et al. 2024, derived from the automaton).

The walk runs in the kernel over a table of relative configurations whose rows are filled on demand.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from ..errors import MaskError
from ..vocabulary.trie import Trie
from .bitmask import words_for
from .configuration import Configuration, Stepper
from .kernel import Kernel

__all__ = ["PartialMask", "RelativeWalker"]

_UNKNOWN = -2
_DENSE_SHARE = 4  # a mask with more than 1/4 of its words set is kept dense
_MAXIMUM_ROWS = 1 << 18
_MAXIMUM_SIZE = 1 << 19  # pairs and entries of all configurations; a walk begins with fewer
_MAXIMUM_IN_WALK = 4 * _MAXIMUM_SIZE


@dataclass(frozen=True, slots=True)
class PartialMask:
    """Tokens, as all words (places empty) or as (place, word) pairs, and the trie nodes where the module ends."""

    places: array[int]
    words: array[int]
    exits: tuple[int, ...]

    @property
    def memory(self) -> int:
        """Bytes held."""
        return 4 * (len(self.places) + len(self.words)) + 8 * len(self.exits)


class RelativeWalker:
    """Walks a trie from relative configurations of one automaton. One walk at a time: callers hold a lock."""

    def __init__(self, stepper: Stepper, trie: Trie, vocabulary_size: int, kernel: Kernel) -> None:
        self.stepper = stepper
        self.trie = trie
        self.word_count = words_for(vocabulary_size)
        self._kernel = kernel.walker
        class_of, self._sample = _byte_classes(stepper.automaton.class_maps)
        self._width = len(self._sample)
        self._scratch = array("I", [0]) * self.word_count
        self._found_places = array("i", [0]) * self.word_count
        self._found_words = array("I", [0]) * self.word_count
        stack = array("i", [0]) * (trie.max_depth + 2)
        self._exit_nodes = array("i", [0]) * (len(trie.end) + 1)
        self._walker = self._kernel.TrieWalker(
            trie.byte, trie.token, trie.end, trie.same, class_of, self._width,
            stack, array("i", stack), self._exit_nodes, self._resolve,
        )  # fmt: skip
        self._forget()

    def _forget(self) -> None:
        """Start with an empty table; what was computed with the old one stays valid."""
        self._numbers: dict[Configuration, int] = {}
        self._configurations: list[Configuration] = []
        self._size = 0
        self._rows = array("i")
        self._leaves = array("B")
        self._capacity = 0
        self._grow(256)

    @property
    def memory(self) -> int:
        """Bytes of the table. Those of the configurations in it are counted by the stepper."""
        return self._capacity * (4 * self._width + 1)

    def _grow(self, capacity: int) -> None:
        rows = array("i", [_UNKNOWN]) * (capacity * self._width)
        leaves = array("B", [0]) * capacity
        rows[: len(self._rows)] = self._rows
        leaves[: len(self._leaves)] = self._leaves
        self._rows, self._leaves, self._capacity = rows, leaves, capacity
        self._walker.set_rows(rows, leaves)

    def _number(self, configuration: Configuration) -> int:
        number = self._numbers.get(configuration)
        if number is None:
            number = self._numbers[configuration] = len(self._configurations)
            self._configurations.append(configuration)
            self._size += configuration.size
            if self._size > _MAXIMUM_IN_WALK:
                raise MaskError("MASK_BUDGET", limit=_MAXIMUM_IN_WALK)
            if number >= self._capacity:
                self._grow(2 * self._capacity)
            self._leaves[number] = configuration.accepting
        return number

    def _resolve(self, number: int, byte_class: int) -> int:
        """Fill one cell of the table (called by the kernel)."""
        following = self.stepper.step(self._configurations[number], self._sample[byte_class])
        target = -1 if following is None else self._number(following)
        self._rows[number * self._width + byte_class] = target
        return target

    def local(self, state: int, depth: int) -> PartialMask:
        """The tokens whose first byte `state` reads itself, with `depth` levels of nesting open around it.

        What the state calls is left out: callees are pairs of their own, so their masks are shared.
        """
        root = Configuration(((state, self.stepper.bottoms[depth]),), False)
        return self._walk((0,), root, ())

    def whole(self, configuration: Configuration) -> PartialMask:
        """The tokens that all pairs of a configuration allow together, on the stacks that they have."""
        return self._walk((0,), configuration, ())

    def after_return(self, nodes: tuple[int, ...], state: int, depth: int) -> PartialMask:
        """The tokens below the exit `nodes` that go on from the return state, and where that module ends in turn."""
        root = self.stepper.close([(state, self.stepper.bottoms[depth])])
        return self._walk(nodes, root, nodes if root.accepting else ())

    def _walk(self, nodes: tuple[int, ...], root: Configuration, exits: tuple[int, ...]) -> PartialMask:
        if len(self._configurations) > _MAXIMUM_ROWS or self._size > _MAXIMUM_SIZE:
            self._forget()
        number = self._number(root)
        count = 0
        try:
            for node in nodes:
                count = self._walker.walk(node, number, self._scratch, count)
        except BaseException:  # what was found so far must not come into the next mask
            self._kernel.clear(self._scratch, self.word_count)
            self._forget()
            raise
        found = self._kernel.take_sparse(self._scratch, self._found_places, self._found_words, self.word_count)
        places, words = self._found_places[:found], self._found_words[:found]
        if found * _DENSE_SHARE > self.word_count:
            dense = array("I", [0]) * self.word_count
            self._kernel.or_sparse(dense, places, words, found)
            places, words = array("i"), dense
        return PartialMask(places, words, tuple(sorted({*exits, *self._exit_nodes[:count]})))


def _byte_classes(maps: tuple[bytes, ...]) -> tuple[bytes, list[int]]:
    """The byte classes of all modules together: the map, and one byte of each class."""
    numbers: dict[tuple[int, ...], int] = {}
    class_of = bytearray(256)
    sample: list[int] = []
    for byte in range(256):
        key = tuple(m[byte] for m in maps)
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(sample)
            sample.append(byte)
        class_of[byte] = number
    return bytes(class_of), sample
