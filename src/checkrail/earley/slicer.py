"""The slicer: groups of tokens that are allowed together, without a walk.

Inside a string or a word nearly every token is allowed, and a walk would visit nearly the whole trie. So tokens are
grouped once for a vocabulary by what they are made of, and for each group there is a trie of all *other* tokens. Where
the lexer stands in a terminal that takes every text of such characters, the group is allowed as a whole and the walk
goes through the rest: of Llama 3's 311,000 nodes some ten thousand.

The idea is llguidance's. Whether a terminal takes all of a slice is decided on their automata, as for any two regular
languages: walk them side by side, and look for a byte that the slice takes and the terminal does not. A token that ends
inside a character belongs to a slice as well: whoever takes all texts of the slice takes the beginnings of them.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from ..grammar.codepoints import character_class
from ..grammar.expression import ANY_CHARACTER, CharacterClass, Expression, Repeat
from ..limits import DEFAULT_LIMITS
from ..mask.bitmask import words_for
from ..mask.kernel import Kernel
from ..regular.dfa import Dfa
from ..vocabulary.trie import Trie, lay_out
from ..vocabulary.vocabulary import Vocabulary
from .lexer import Lexer
from .readings import Reading
from .terminal_dfa import byte_dfa

__all__ = ["SLICES", "Slice", "Slicer", "Slices"]

_KEPT = 4  # vocabularies
_MAXIMUM_PREPARED = 1_000
_MAXIMUM_PAIRS = 4_096  # of states, looked at to decide whether a slice is contained; beyond, it counts as not


def _but(*characters: str) -> CharacterClass:
    """Every character but these and those below U+0020."""
    points = sorted(map(ord, characters))
    ends = zip([0x20, *(p + 1 for p in points)], [*(p - 1 for p in points), 0x10FFFF], strict=True)
    return character_class([(low, high) for low, high in ends if low <= high])


def _some(characters: CharacterClass, most: int | None = None) -> Expression:
    return Repeat(characters, 1, most)


# In the order in which they are tried: the large ones first. There are none for few letters, such as `[a-z]+`: most
# other tokens begin with other bytes, so a walk is nearly as short without a slice.
SLICES: dict[str, Expression] = {
    "any text": _some(ANY_CHARACTER),
    "a line": _some(character_class([(0, 9), (0xB, 0xC), (0xE, 0x2027), (0x202A, 0x10FFFF)])),
    "in a JSON string": _some(_but('"', "\\")),
    "in a JSON string, to 10 characters": _some(_but('"', "\\"), 10),
    "words and spaces": _some(character_class([(0x20, 0x20), (0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])),
}


@dataclass(frozen=True, eq=False, repr=False)
class Slice:
    """One group. vocabulary, trie: of all tokens. automaton: of the group's texts, over bytes."""

    name: str
    automaton: Dfa
    vocabulary: Vocabulary
    trie: Trie
    kernel: Kernel

    def __repr__(self) -> str:
        return f"<Slice {self.name}>"

    @cached_property
    def samples(self) -> list[int]:
        """One byte of each letter that a text of the group may begin with."""
        letters = {self.automaton.partition.letter(byte): byte for byte in range(256)}
        return [byte for letter, byte in letters.items() if letter in self.automaton.moves[0]]

    @cached_property
    def mask(self) -> array[int]:
        """The tokens that begin a text of the group, as words."""
        dfa = self.automaton
        letters = [dfa.partition.letter(byte) % (dfa.partition.width + 1) for byte in range(256)]  # -1: one more letter
        rows = array("i")
        for moves in dfa.moves:
            rows.extend(moves.get(letter, -1) for letter in range(dfa.partition.width + 1))
        trie, depth = self.trie, self.trie.max_depth + 2
        walker = self.kernel.walker.TrieWalker(
            trie.byte, trie.token, trie.end, trie.same, bytes(letters), dfa.partition.width + 1,
            array("i", [0]) * depth, array("i", [0]) * depth, array("i", [0]), None,
        )  # fmt: skip
        walker.set_rows(rows, array("B", [0]) * len(dfa))
        words = array("I", [0]) * words_for(len(self.vocabulary))
        walker.walk(0, 0, words, 0)
        return words

    @cached_property
    def rest(self) -> Trie:
        """The trie of all other tokens."""
        mask, tokens = self.mask, self.vocabulary.tokens
        first: dict[bytes, int] = {}
        same = array("i", [-1]) * len(tokens)
        for token in reversed(range(len(tokens))):
            text = tokens[token]
            if text and not mask[token >> 5] >> (token & 31) & 1:
                same[token] = first.get(text, -1)
                first[text] = token
        texts = sorted(first)
        byte, end, places = lay_out(texts)
        ends_here = array("i", [-1]) * len(byte)
        for place, text in zip(places, texts, strict=True):
            ends_here[place] = first[text]
        return Trie(byte, ends_here, end, same, max(map(len, texts), default=0))


class Slices:
    """The slices of a vocabulary, for all grammars. A group's tokens are found when it is first of use."""

    def __init__(self, vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> None:
        automata = {name: byte_dfa(expression, DEFAULT_LIMITS) for name, expression in SLICES.items()}
        self.all = [Slice(name, automaton, vocabulary, trie, kernel) for name, automaton in automata.items()]

    @classmethod
    def of(cls, vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> Slices:
        """Those of a vocabulary, made once."""
        key = (vocabulary, kernel.mode)
        with _lock:
            found = _kept.get(key)
            if found is None:
                found = _kept[key] = cls(vocabulary, trie, kernel)
                if len(_kept) > _KEPT:
                    _kept.popitem(last=False)
            _kept.move_to_end(key)
            return found


_kept: OrderedDict[tuple[Vocabulary, str], Slices] = OrderedDict()
_lock = Lock()


class Slicer:
    """Finds for readings of one grammar the slice that is allowed as a whole."""

    def __init__(self, slices: Slices, lexer: Lexer, *, greedy: bool) -> None:
        self._slices = slices
        self._lexer = lexer
        self._greedy = greedy
        self._known: dict[tuple[int, Slice], bool] = {}

    def find(self, reading: Reading) -> Slice | None:
        """The first slice that some thread takes all of; None where none does.

        With greedy lexing only the first thread stays for sure: those behind it go when it comes to a match.
        """
        threads = reading.threads[:1] if self._greedy else reading.threads
        return self._find(dict.fromkeys(place for _, lexer in threads for place in lexer.places))

    def prepare(self) -> None:
        """Find the tokens of the slices that are of use for this grammar, so that no text waits for that.

        For large grammars this is left to the texts: it takes some microseconds for each state of a terminal.
        """
        if self._lexer.place_count <= _MAXIMUM_PREPARED:
            for group in {self._find([place]) for place in range(self._lexer.place_count)}:
                if group is not None:
                    _ = group.rest

    def _find(self, places: Collection[int]) -> Slice | None:
        for each in self._slices.all:
            for place in places:
                if self._contains(place, each):
                    return each
        return None

    def _contains(self, place: int, group: Slice) -> bool:
        key = (place, group)
        known = self._known.get(key)
        if known is None:
            moves, letters = self._lexer.moves_of(place)
            begins = all(letters[byte] in moves for byte in group.samples)  # nearly always this says no
            known = self._known[key] = begins and self._decide(place, group.automaton)
        return known

    def _decide(self, place: int, automaton: Dfa) -> bool:
        """Whether each byte that the slice takes is taken from `place` on, for ever."""
        letters = [automaton.partition.letter(byte) for byte in range(256)]
        pairs = {(0, place): None}
        pending = list(pairs)
        for state, other in pending:
            moves, other_letters = self._lexer.moves_of(other)
            taken = automaton.moves[state]
            for letter, other_letter in dict.fromkeys(zip(letters, other_letters, strict=True)):
                target = taken.get(letter)
                if target is None:
                    continue
                after = moves.get(other_letter)
                if after is None or len(pairs) > _MAXIMUM_PAIRS:
                    return False
                if (target, after) not in pairs:
                    pairs[target, after] = None
                    pending.append((target, after))
        return True
