"""What an automaton cannot remember, and has texts note: which items and keys were written.

Calls on values that must differ are noted: the kernel tells who follows a text where such a value begins. The keys
of an object that it does not declare, and the items of an array with `uniqueItems` that are not few.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from ..json_schema.literals import quote
from .strings import SpelledLanguage

__all__ = [
    "ANY_KEYS",
    "ENDLESS_ITEMS",
    "FREE_ITEMS",
    "ITEMS",
    "OPEN_ITEMS",
    "OTHER_KEYS",
    "KeyPrefixes",
    "Keys",
    "Places",
    "Unit",
    "keys_of",
    "listed_items",
]


_MANY_KEYS = 2**20
_MOST_BYTES = 1024  # of keys that are looked at
_MOST_PLACES = 64  # in a language of keys


class Places(Protocol):
    """Keys as an automaton over bytes. Place 0 is the first; all places are alive."""

    class_map: bytes

    def row(self, place: int, /) -> Sequence[int]:
        """The next place by class, -1 for none."""


class Keys(Places, Protocol):
    """A language of keys."""

    @property
    def takes_all(self) -> bool:
        """Whether every key is in it."""

    def united(self) -> Sequence[Places]:
        """The languages whose union it is; itself where there are none."""


class Unit:
    """What noted calls are about. kind: items of an array, or keys of an object that it does not declare. free: all
    strings are possible, but for finitely many, and nothing else. endless: whether there are more items than a text
    could write, wherever one may come. open: they are objects that may always have one more member, with any key.
    keys: their language, where they are not free. one_spelling: whether each has only the spelling of
    `json_schema.literals.quote`. listed: these strings, and nothing else that begins with a quote, are possible;
    sorted, in that spelling.
    """

    def __init__(
        self,
        kind: Literal["items", "keys"],
        *,
        free: bool,
        endless: bool = False,
        open: bool = False,
        keys: Keys | None = None,
        one_spelling: bool = False,
        listed: Sequence[bytes] | None = None,
    ) -> None:
        self.kind = kind
        self.free = free
        self.endless = endless or free or open
        self.open = open
        self.one_spelling = one_spelling
        self.listed = listed
        self._keys = keys
        self._few: dict[int, bool] = {}

    def __repr__(self) -> str:
        return f"<Unit of {'any ' * self.free}{self.kind}>"

    @cached_property
    def few(self) -> bool:
        """Whether there are so few keys that a text could write them all. Found when it is first asked for."""
        return not self.is_roomy and not self.has_many(b"")

    @cached_property
    def is_plain(self) -> bool:
        """Whether they are keys of which none can be left without an end."""
        return self.kind == "keys" and self.is_roomy

    @cached_property
    def is_roomy(self) -> bool:
        """Whether each beginning of a key goes on to more of them than a text could write, so that none can be left
        without an end. Found when it is first asked for; languages of many places count as others, and unions of
        which not each part is so."""
        keys = self._keys
        if keys is None:
            return self.endless
        return all(map(_is_roomy, keys.united()))

    def has_many(self, beginning: bytes) -> bool:
        """Whether more keys begin so than a text could write. beginning: of a key's one spelling, behind the quote."""
        keys = self._keys
        if keys is None:
            return True
        place = 0
        for byte in beginning:
            place = keys.row(place)[keys.class_map[byte]]
            if place < 0:
                return False
        return not self._is_few(place)

    def _is_few(self, place: int) -> bool:
        assert self._keys is not None
        if self.__dict__.get("is_roomy"):
            return False
        if place not in self._few:
            self._few[place] = _are_few(_by_bytes(self._keys), place)
        return self._few[place]


ITEMS = Unit("items", free=False)
FREE_ITEMS = Unit("items", free=True)
ENDLESS_ITEMS = Unit("items", free=False, endless=True)
OPEN_ITEMS = Unit("items", free=False, open=True)
OTHER_KEYS = Unit("keys", free=True, one_spelling=True)
ANY_KEYS = Unit("keys", free=True)


def listed_items(listed: Iterable[str]) -> Unit:
    """The unit of calls on items that are some strings."""
    return Unit("items", free=False, one_spelling=True, listed=sorted({quote(text).encode() for text in listed}))


def keys_of(language: Keys, *, one_spelling: bool = True) -> Unit:
    """The unit of calls on a language's keys."""
    if language.takes_all:
        return OTHER_KEYS if one_spelling else ANY_KEYS
    return Unit("keys", free=False, keys=language, one_spelling=one_spelling)


_ROOMY: WeakKeyDictionary[Places, bool] = WeakKeyDictionary()


def _is_roomy(keys: Places) -> bool:
    """Whether each beginning of a key leads on to many. Remembered as long as the language lives."""
    known = _ROOMY.get(keys)
    if known is None:
        known = _ROOMY[keys] = _find_roomy(keys)
    return known


def _find_roomy(keys: Places) -> bool:
    graph = _graph_of(keys)
    before: dict[int, set[int]] = {graph.start: set()}
    places = [graph.start]
    for place in places:
        for target in set(graph.row(place)):
            if target >= 0 and target not in before:
                if len(places) >= _MOST_PLACES:
                    return False
                before[target] = set()
                places.append(target)
            if target >= 0:
                before[target].add(place)
    many: set[int] = set()  # what leads to a place from which many keys go on has many itself
    for place in reversed(places):
        if place in many or graph.is_end(place):
            continue
        if _are_few(graph, place):
            return False
        leading = [place]
        for known in leading:
            leading += before[known] - many
            many |= before[known]
    return True


class _Graph(NamedTuple):
    """Keys as an automaton. sizes: how many bytes or characters have each class. is_end: whether a key has ended."""

    start: int
    sizes: Sequence[int]
    row: Callable[[int], Sequence[int]]
    is_end: Callable[[int], bool]


def _graph_of(keys: Places) -> _Graph:
    """By characters where that can be: a place within one leads to those before one, so it has many keys if they do."""
    if isinstance(keys, SpelledLanguage):
        return _Graph(keys.first, keys.sizes, keys.row_of_letters, lambda place: False)
    return _by_bytes(keys)


def _by_bytes(keys: Places) -> _Graph:
    sizes = Counter(keys.class_map)  # some classes of a row may have no byte
    return _Graph(
        0, [sizes[number] for number in range(len(keys.row(0)))], keys.row, lambda place: max(keys.row(place)) < 0
    )


def _are_few(graph: _Graph, start: int) -> bool:
    """Whether few words lead on from a place: not where so many beginnings of different ones are found that no text can
    hold as many."""
    sizes = graph.sizes
    here = {start: 1}
    for _ in range(_MOST_BYTES):
        after: dict[int, int] = {}
        for place, count in here.items():
            for letter, target in enumerate(graph.row(place)):
                if target >= 0:
                    after[target] = min(_MANY_KEYS, after.get(target, 0) + count * sizes[letter])
        if not after:
            return True
        if sum(after.values()) >= _MANY_KEYS:
            return False
        here = after
    return False


class KeyPrefixes:
    """What states of tries of names have read of a key."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._rows: list[tuple[bytes, int, int]] = []

    def add(self, first: int, text: bytes, offset: int, count: int) -> None:
        """`count` states in a row, from `first` on, have read so many bytes of the text, one more, and so on. Later
        ones have higher numbers."""
        self._firsts.append(first)
        self._rows.append((text, offset, count))

    def add_all(self, first: int, texts: Sequence[bytes], counts: Sequence[int]) -> None:
        """The same for states in a row, so many for each text: the last one of these has read all but the last byte."""
        for text, count in zip(texts, counts, strict=True):
            if count:
                self._firsts.append(first)
                self._rows.append((text, len(text) - count, count))
                first += count

    def before(self, state: int) -> bytes | None:
        """What a state has read; None where it is in no trie."""
        index = bisect_right(self._firsts, state) - 1
        if index < 0:
            return None
        place = state - self._firsts[index]
        text, offset, count = self._rows[index]
        return text[: offset + place] if place < count else None
