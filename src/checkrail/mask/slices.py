"""Tokens by the kinds of bytes that they are made of: most of the mask of a loop, without a walk.

A place in `[a-z0-9_]+` takes each byte of a set and comes back to itself. The tokens made of such bytes alone are
allowed there, and no other is, but those that leave the loop at some byte which leads elsewhere: a quote, an escape, an
`@`. So the tokens are sorted once for a vocabulary by the kinds of bytes in them, and the nodes of the trie by the byte
into them and the kinds before it. A mask is then the tokens of the fitting kinds, and a walk of what is below the nodes
where a token leaves. This is llguidance's slicer with the slices read off the automaton. A place from which each such
byte leads into the loop (the one before the first character) has the same mask but for what its own row says of the
first byte.

It is of no use where most bytes leave, and not for loops that may end their module: there each byte that is refused
would be an exit.
"""

from __future__ import annotations

import string
from array import array
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from .kernel import Kernel

if TYPE_CHECKING:
    from .token_tries import TokenTrie
    from .visible import Source

__all__ = ["Slices"]

_KEPT = 32  # rows of words, for so many sets of kinds
_SHARE = 4  # where more than 1/4 of the nodes may be ones at which a token leaves, all are walked
_NONE = 255
_DEFAULT = 8  # the kind of a default state, as in the kernel
_NOWHERE = array("i", [-3]) * 7  # no entry of a row without calls
_TAIL = range(0x80, 0xC0)
# UTF-8: at the beginning of a character, in one with 1, 2, 3 bytes to come, and behind the four leading bytes that not
# every byte can follow. For each: the bytes, and where they lead.
_STEPS = (
    (
        (range(0x80), 0),
        (range(0xC2, 0xE0), 1),
        (range(0xE1, 0xF0), 2),
        (range(0xF1, 0xF4), 3),
        ((0xE0,), 4),
        ((0xED,), 5),
        ((0xF0,), 6),
        ((0xF4,), 7),
    ),
    ((_TAIL, 0),),
    ((_TAIL, 1),),
    ((_TAIL, 2),),
    ((range(0xA0, 0xC0), 1),),
    ((range(0x80, 0xA0), 1),),
    ((range(0x90, 0xC0), 2),),
    ((range(0x80, 0x90), 2),),
)
_LEADS = (0xC3, 0xE5, 0xF1, 0xE0, 0xED, 0xF0, 0xF4)  # for each place in a character a byte that leads there
_BLANKS = (0xC2, 0xE1, 0xE2, 0xE3, 0xEF)  # characters that begin so are blanks to some patterns: each is a kind


def _utf8() -> bytes:
    """For each of the eight places what each byte leads to."""
    table = bytearray([_NONE]) * (256 * len(_STEPS))
    for place, moves in enumerate(_STEPS):
        for values, after in moves:
            for byte in values:
                table[256 * place + byte] = after
    return bytes(table)


def _kinds() -> array[int]:
    """The kind of each byte, as one bit of a number; 0 for those that no character begins with."""
    groups = [_SMALL, _LARGE, "abcdef", "ABCDEF", "0", "123456789", *" \t\n\r\x7f", *string.punctuation]
    known = set("".join(groups))
    groups.append("".join(chr(b) for b in range(0x20) if chr(b) not in known))
    kinds = array("q", bytes(8 * 256))
    for number, group in enumerate(groups):
        for character in group:
            kinds[ord(character)] = 1 << number
    for byte in range(0x80, 0x100):
        if _UTF8[byte] != _NONE:
            kinds[byte] = 1 << len(groups)
    for number, byte in enumerate(_BLANKS, len(groups) + 1):
        kinds[byte] = 1 << number
    return kinds


_SMALL, _LARGE = string.ascii_lowercase[6:], string.ascii_uppercase[6:]
_UTF8 = _utf8()
_KINDS = _kinds()
_LETTERS = _KINDS[ord("a")] | _KINDS[ord("z")] | _KINDS[ord("A")] | _KINDS[ord("Z")]
_MANY = _KINDS[ord("z")] | _KINDS[ord("Z")] | _KINDS[_LEADS[0]]  # without these few tokens loop: a walk is as good


class Slices:
    """Those of one trie. depth: bytes of its longest token. word_count: words of a row."""

    def __init__(self, trie: TokenTrie, depth: int, word_count: int, kernel: Kernel) -> None:
        self._trie = trie
        self._walker = kernel.walker
        self._word_count = word_count
        self._first, self._nodes, self._before, self._roots, self._sets, self._starts, self._tokens = (
            kernel.walker.sort_by_kinds(trie.nodes, trie.tokens, _KINDS, _UTF8, _LETTERS, depth)
        )
        self._lock = Lock()
        self._words: OrderedDict[int, array[int]] = OrderedDict()

    def __repr__(self) -> str:
        return f"<Slices {len(self._sets)} sets of kinds, {len(self._nodes)} nodes>"

    @property
    def memory(self) -> int:
        """Bytes of what is prepared, and of the rows that are kept."""
        parts = (self._first, self._nodes, self._before, self._roots, self._sets, self._starts, self._tokens)
        return sum(memoryview(part).nbytes for part in parts) + 4 * self._word_count * len(self._words)

    def local(
        self, machine: Any, source: Source, state: int, depth: int, words: array[int], exits: array[int]
    ) -> tuple[int, bool] | None:
        """What the kernel's `local` finds by a walk of all nodes; None where that is as good."""
        own = machine.row(state)
        loop = self._walker.most_frequent(own)
        if loop < 0 or source.states[8 * state + 2] == _DEFAULT:
            return None
        row = own if loop == state else machine.row(loop)
        room = source.states[8 * state + 3]
        if not _only_reads(source, loop, room):
            return None
        places = self._places(machine, source, loop, row, room)
        kinds = self._walker.looping_kinds(row, _UTF8, places, _KINDS)
        if not kinds & _MANY:
            return None
        listed = self._first, self._nodes, self._before, self._roots
        most = self._trie.nodes[1] // _SHARE
        children = self._trie.child
        found = self._walker.leaving_nodes(children, row, own, *listed, kinds, _KINDS, _LETTERS, most)
        if found is None:
            return None
        nodes, broken = found
        words[:] = self._row_of(kinds)
        for byte in broken:
            if children[byte] >= 0:
                self._walker.clear_below(self._trie.nodes, self._trie.tokens, children[byte], words)
        begins = array("i", sorted(nodes))
        result: tuple[int, bool] = machine.local(self._trie.kernel_trie, state, depth, words, exits, loop, begins)
        return result

    def _places(self, machine: Any, source: Source, loop: int, row: array[int], room: int) -> array[int]:
        """The states of a loop for the places in a character, none but the loop where they do not lead back to it."""
        places = array("i", [loop, *(row[byte] for byte in _LEADS)])
        for place, state in enumerate(places):
            if place == 0:
                continue
            if state < 0 or not self._walker.is_inside_character(machine.row(state), _UTF8, place, places):
                return array("i", [loop]) + _NOWHERE
            if not _only_reads(source, state, room):
                return array("i", [loop]) + _NOWHERE
        return places

    def _row_of(self, kinds: int) -> array[int]:
        """The tokens made of bytes of these kinds, well-formed as far as they go."""
        with self._lock:
            known = self._words.get(kinds)
            if known is None:
                known = array("I", bytes(4 * self._word_count))
                self._walker.add_kinds(known, self._sets, self._starts, self._tokens, kinds)
                self._words[kinds] = known
                if len(self._words) > _KEPT:
                    self._words.popitem(last=False)
            else:
                self._words.move_to_end(kinds)
            return known


def _only_reads(source: Source, state: int, room: int) -> bool:
    """Whether a state does nothing but read bytes, and needs no more room than there is."""
    kind, needed, calls = (source.states[8 * state + field] for field in (2, 3, 5))
    return kind == 0 and calls == 0 and needed <= room
