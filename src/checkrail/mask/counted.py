"""The local masks of strings with a bounded length, for any bounds, without a walk.

In a string without a pattern a token does the same whatever the bounds are: it begins so many characters, and perhaps
closes the string behind so many. It is allowed where that many are. So the tokens are counted once for a vocabulary
(`survey`), and a mask for `need` more characters at least and `room` more at most is put together from plain tokens of
up to `room` characters, the other tokens of up to `room`, those that close the string behind `need` to `room`, and the
trie of what is left of the tokens that go on behind the closing quote. That takes some microseconds; a walk takes up to
one millisecond, and each length would need its own.

The names of places in spellings of any text (`ondemand.strings`) end with (`text`, need, room), or with that in a
tuple behind a backslash, where they are the bounds that hold behind the escape. `CountedMasks.find` knows such names.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..ondemand.alphabet import Spelling
from ..ondemand.scalars import ANY_CANONICAL, any_string
from .kernel import Kernel
from .token_tries import TokenTrie

if TYPE_CHECKING:
    from ..ondemand.language import FinishedLanguage
    from .token_tables import TokenTables

__all__ = ["PLACES", "CountedMasks", "Counts", "Place", "Survey", "places_by_name", "survey", "walked"]

Name: TypeAlias = tuple[Any, ...]

_DENSE_SHARE = 4  # as in `wide`
_MASK_BYTES = 1024
_MANY_REMAINDERS = 1 << 16  # nodes
_NOTHING = array("I")
_NO_CHILDREN = array("i", [-1])
_QUOTE, _BACKSLASH = 0x22, 0x5C


class Place(NamedTuple):
    """A kind of place in a string. kind: `` before a character, `start` before the opening quote, `escape` behind a
    backslash."""

    spelling: int
    kind: str = ""


PLACES = (
    Place(Spelling.ANY.value),
    Place(Spelling.ANY.value, "start"),
    Place(Spelling.ANY.value, "escape"),
    Place(Spelling.ONE.value),
)


class Counts(NamedTuple):
    """Tokens by a number of characters.

    counts: ascending; for each of them one word of a bitset: where it is, and its bits.
    """

    counts: array[int]
    places: array[int]
    words: array[int]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> Counts:
        """Of (count, token)."""
        found: dict[tuple[int, int], int] = {}
        for count, token in pairs:
            key = count, token >> 5
            found[key] = found.get(key, 0) | 1 << (token & 31)
        ordered = sorted(found)
        words = array("I", [found[key] for key in ordered])
        return cls(array("i", [count for count, _ in ordered]), array("i", [place for _, place in ordered]), words)


class Survey(NamedTuple):
    """What tokens do from one place on; plain ones aside where the place stands before a character.

    inside: tokens that end in the string, by the characters that they begin. closing: those that end with the closing
    quote, by the characters before it. exits: trie nodes at which the byte after a closing quote is read, in ascending
    order, and exit_counts: the characters before the quote.
    """

    inside: Counts
    closing: Counts
    exit_counts: array[int]
    exits: array[int]

    @property
    def longest_closed(self) -> int:
        """The most characters before a closing quote in any token."""
        closing = self.closing.counts
        return max(closing[-1] if closing else 0, max(self.exit_counts, default=0))

    def add_longer(self, words: array[int], count: int, walker: Any) -> None:
        """Add the tokens that end in the string and begin more characters to a row of words."""
        counts, places, values = self.inside
        first = bisect_right(counts, count)
        walker.or_sparse(words, places[first:], values[first:], len(places) - first)


def survey(place: Place, tables: TokenTables) -> Survey:
    """One walk of a trie in plain Python: most of its nodes lead out of a string at once."""
    language, here = _start(place)
    count = 0
    base = _base(language)
    trie = walked(place, tables)
    nodes, tokens = trie.nodes, trie.tokens
    rows = [language.row(state) for state in range(language.size or 0)]
    inside: list[tuple[int, int]] = []
    closing: list[tuple[int, int]] = []
    exits: list[tuple[int, int]] = []
    last = nodes[1]
    end = last
    stack: list[tuple[int, int, int]] = []
    node = 1
    while node < last:
        while node >= end:
            here, count, end = stack.pop()
        after = rows[here][language.class_map[nodes[3 * node]]]
        behind = nodes[3 * node + 1]
        if after < 0:
            node = behind
            continue
        own = tokens[nodes[3 * node + 2] : nodes[3 * node + 5]]
        if language.accepting(after):
            closing += [(count, token) for token in own]
            node += 1
            while node < behind:  # its children
                exits.append((node, count))
                node = nodes[3 * node + 1]
            continue
        begun = count + (here == base)
        inside += [(begun, token) for token in own]
        if behind > node + 1:
            stack.append((here, count, end))
            here, count, end = after, begun, behind
        node += 1
    columns = array("i", [count for _, count in exits]), array("i", [node for node, _ in exits])
    return Survey(Counts.of(inside), Counts.of(closing), *columns)


def walked(place: Place, tables: TokenTables) -> TokenTrie:
    """The trie that a place's survey is of. No plain token begins with the opening quote."""
    return tables.tokens if place.kind == "escape" else tables.others


def _start(place: Place) -> tuple[FinishedLanguage, int]:
    """The language of a place, and its state there."""
    if place.spelling == Spelling.ONE.value:
        return ANY_CANONICAL, _base(ANY_CANONICAL)
    language = any_string()
    if place.kind == "start":
        return language, 0
    base = _base(language)
    if place.kind == "escape":
        return language, language.row(base)[language.class_map[_BACKSLASH]]
    return language, base


@cache
def places_by_name() -> Mapping[Name, Place]:
    """By all of a name but the bounds."""
    named: dict[Name, Place] = {}
    for place in PLACES:
        language, state = _start(place)
        named[(language.name_of(state) or ())[:-1]] = place
    return named


def _base(language: FinishedLanguage) -> int:
    """The state before a character."""
    return 0 if language is ANY_CANONICAL else language.row(0)[language.class_map[_QUOTE]]


class CountedMasks:
    """Makes such masks for one vocabulary. load: what is known already, asked for once, when it is needed."""

    def __init__(self, tables: TokenTables, kernel: Kernel, load: Callable[[], Mapping[Place, Survey]] = dict) -> None:
        self._tables = tables
        self._kernel = kernel
        self._load = load
        self._surveys: dict[Place, Survey] | None = None
        self._rests: dict[tuple[Place, int, int], Any] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<CountedMasks {len(self._surveys or ())} surveys, {len(self._rests)} tries of remainders>"

    def find(self, name: Name) -> tuple[Any, int] | None:
        """The mask of a place of this name, and its bytes; None where it is no such place."""
        bounds = name[-1]
        if bounds.__class__ is tuple and len(bounds) == 1:
            bounds = bounds[0]  # of all states that an escape leads to
        if bounds.__class__ is not tuple or len(bounds) != 3 or bounds[0] != "text":
            return None
        place = places_by_name().get(name[:-1])
        if place is None:
            return None
        _, need, room = bounds
        return self._made(place, need, room if room >= 0 else self._tables.trie.max_depth)

    def load(self) -> None:
        """Have what is known already, before it is needed."""
        self.survey_of(PLACES[0])

    def _made(self, place: Place, need: int, room: int) -> tuple[Any, int] | None:
        tables, walker = self._tables, self._kernel.walker
        known = self.survey_of(place)
        words = array("I", bytes(4 * tables.word_count))
        inside, closing = known.inside, known.closing
        walker.or_sparse(words, inside.places, inside.words, bisect_right(inside.counts, room))
        low, high = bisect_left(closing.counts, need), bisect_right(closing.counts, room)
        if low < high:
            walker.or_sparse(words, closing.places[low:high], closing.words[low:high], high - low)
        rest, size = self._rest(place, known, need, room)
        if rest is None:
            return None
        plain = None if place.kind else tables.plain.up_to(room)
        places, values = walker.pack(words, plain or _NOTHING, _DENSE_SHARE)
        mask = self._kernel.machine.LocalMask(places, values, rest, array("i", bytes(4 * len(rest))))
        return mask, _MASK_BYTES + 4 * (len(places) + len(values)) + size

    def survey_of(self, place: Place) -> Survey:
        """What tokens do from a place on."""
        with self._lock:
            if self._surveys is None:
                self._surveys = dict(self._load())
            known = self._surveys.get(place)
            if known is None:
                known = self._surveys[place] = survey(place, self._tables)
            return known

    def _rest(self, place: Place, known: Survey, need: int, room: int) -> tuple[list[Any] | None, int]:
        """The trie of what is left behind the closing quote, if anything is, and its bytes where it is new.

        None where there is so much that it is better walked with the caller at hand, as in `WideMasks`.
        """
        most = max(known.exit_counts, default=0)
        key = place, min(need, most + 1), min(room, most)
        with self._lock:
            if key in self._rests:
                return self._rests[key], 0
            exits = array("i")
            for count, node in zip(known.exit_counts, known.exits, strict=True):
                if need <= count <= room:
                    exits.extend((node, 0))
            trie = walked(place, self._tables)
            walker = self._kernel.walker
            if walker.exit_numbers(trie.nodes, exits, len(exits) // 2)[1] > _MANY_REMAINDERS:
                self._rests[key] = None
                return None, 0
            if not exits:
                self._rests[key] = []
                return [], 0
            nodes, tokens = walker.merge(trie.nodes, trie.tokens, exits, len(exits) // 2, 0)
            self._rests[key] = [self._kernel.machine.TokenTrie(nodes, tokens or _NO_CHILDREN, _NO_CHILDREN)]
            return self._rests[key], 4 * (len(nodes) + len(tokens))
