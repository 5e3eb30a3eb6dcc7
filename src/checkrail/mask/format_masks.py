"""The local masks of places in formats (dates, addresses, URIs ...), kept on disk in a file for each format.

They are made with the standard masks, when a vocabulary is prepared, by the compiled kernel; the interpreted one reads
them and makes none, as that would take it seconds. A file is read when a text first comes to its format, once its
language was used (`ondemand.formats`): a process that uses no format pays nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from ..limits import DEFAULT_LIMITS
from ..ondemand.formats import FORMAT_TEXTS, FORMATS
from ..ondemand.language import Language
from ..ondemand.scalars import string_language
from ..vocabulary.vocabulary import Vocabulary
from . import cache, cache_files, stored_masks
from .kernel import Kernel
from .places import make_masks, place_name, places_along
from .stored_masks import Name as StoredName
from .stored_sections import Unusable

if TYPE_CHECKING:
    from .token_tables import TokenTables

__all__ = ["SAMPLES", "VERSION", "FormatMasks"]

Name: TypeAlias = tuple[Any, ...]

_AT_ONCE = 16
_MANY = 1 << 20

VERSION = 2
"""Of the languages of formats: raise it when one of them changes, or masks of the old one are found in files."""

SAMPLES: Mapping[str, tuple[str, ...]] = {
    "date": ("2024-02-29", "1999-12-31", "2025-04-30", "2025-10-09"),
    "time": ("23:59:59.123456Z", "08:30:00+05:30", "19:05:10-23:00"),
    "date-time": ("2024-02-29T23:59:59.123456Z", "1999-12-31T08:30:00+05:30", "2025-04-09t19:05:10-11:00"),
    "duration": ("P11Y10M22DT14H25M36S", "P3W", "PT15M", "P1DT12H", "PT90S"),
    "uuid": ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6",),
    "ipv4": ("192.168.100.1", "10.0.0.255", "255.255.255.254", "8.8.4.4"),
    "ipv6": (
        "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
        "fe80::1ff:fe23:4567:890a",
        "::ffff:192.168.100.255",
        "2001:db8::1",
        "64:ff9b::192.0.2.33",
        "::1",
    ),
    "hostname": (
        "mail.internal-services.example.com",
        "a.b.c",
        "very-long-name-of-one-host.example.org",
        "www.very-long-name-of-some-company.com",
    ),
    "email": ("jane.doe+news@mail.internal-services.example.co.uk", "x_1@example.com"),
    "uri": (
        "https://www.example.com:8080/a/path_to/file-1.html?query=a%20b&c=d#fragment%20/2",
        "https://jane:x@www.example.com/",
        "http://192.168.100.1/",
        "http://[2001:db8::1]:80/x",
        "mailto:jane@example.com",
        "urn:isbn:0451450523",
    ),
    "uri-reference": (
        "/a/path_to/file-1.html?query=a%20b#fragment",
        "https://www.example.com:8080/a%20b?c=d#e",
        "https://jane:x@www.example.com/",
        "../images/x.png",
        "#part",
        "//example.com/x",
        "name?x=y",
    ),
    "json-pointer": ("/properties/a~0b/~1/é日\U0001f600",),
    "relative-json-pointer": ("12/a~0b/~1", "0#"),
    "uri-template": ("https://example.com/{id}/a%20b{?query,name*,list:30}é日\U0001f600", "{+path}/x{#a.b}"),
}
"""By format: texts that come to its different places."""


class FormatMasks:
    """Gives the masks of one vocabulary for the formats that are used."""

    def __init__(self, tables: TokenTables, vocabulary: Vocabulary, kernel: Kernel) -> None:
        self._tables = tables
        self._vocabulary = vocabulary
        self._kernel = kernel
        self._opened: dict[Hashable, _Opened] = {}  # by what all names of a language have in common
        self._known = 0  # of the formats of this process
        self._lock = RLock()  # making masks asks for masks

    def __repr__(self) -> str:
        return f"<FormatMasks {len(self._opened)} formats>"

    def find(self, name: Name) -> tuple[Any, int] | None:
        """A mask and its bytes."""
        if len(FORMATS.made) != self._known:
            self._open_used()
        opened = self._opened.get(_language_of(name))
        if opened is None:
            return None
        with self._lock:
            return opened.find(name)

    def prepare(self) -> None:
        """Make the masks of all formats, so that no text waits for them; only the compiled kernel does."""
        if self._kernel.mode != "compiled":
            return
        for label in SAMPLES:
            string_language(FORMAT_TEXTS[label], DEFAULT_LIMITS)
        self._open_used()

    def _open_used(self) -> None:
        with self._lock:
            used = list(FORMATS.made.items())
            new, self._known = used[self._known :], len(used)
            for label, language in new:
                if language is not None and (masks := self._masks(label, language)):
                    at_once = _AT_ONCE if self._kernel.mode == "compiled" else _MANY
                    opened = _Opened(label, language, masks, self._tables.trie.max_depth, at_once)
                    self._opened[_language_of(opened.start)] = opened

    def _masks(self, label: str, language: Language) -> dict[StoredName, Any]:
        """Those of a file, or those that are made and kept in one; none where neither can be."""
        file = cache.file_name(self._vocabulary, f"masks-{label}")
        if file is None:
            return {}
        masks = self._read(file)
        if masks and not any(
            place_name(VERSION, label, prefix) in masks for prefix, _ in places_along(language, _texts(label))
        ):
            masks = None  # of another version
        if masks is None:
            if self._kernel.mode != "compiled" or cache_files.obstacle():
                return {}
            made = make_masks(language, _texts(label), self._tables, self._kernel)
            masks = {place_name(VERSION, label, prefix): mask for prefix, mask in made}
            cache_files.write(file, stored_masks.encode(masks, self._vocabulary, self._tables.trie.max_depth))
        return masks

    def _read(self, file: str) -> dict[StoredName, Any] | None:
        data = cache_files.read(file)
        if data is None:
            return None
        trie = self._tables.trie
        try:
            return stored_masks.decode(data, self._vocabulary, trie.max_depth, trie.nodes, self._kernel)
        except Unusable:
            return None  # it is replaced


class _Opened:
    """The masks of one format. The samples are followed only as far as names are asked for, and `at_once` places for
    each of these: a place takes some microseconds, and to make a mask takes less than to come to all of them.

    start: the name of the first state.
    """

    def __init__(
        self, label: str, language: Language, masks: Mapping[StoredName, Any], longest: int, at_once: int
    ) -> None:
        self._label = label
        self._language = language
        self._masks = masks
        self._longest = longest
        self._at_once = at_once
        self._places = places_along(language, _texts(label))
        self._named: dict[Name, Any] = {}
        self._counted: set[int] = set()
        self.start = language.name_of(0, longest) or ()

    def find(self, name: Name) -> tuple[Any, int] | None:
        if name not in self._named:
            for prefix, state in islice(self._places, self._at_once):
                here = self._language.name_of(state, self._longest)
                if here is not None:
                    self._named.setdefault(here, self._masks.get(place_name(VERSION, self._label, prefix)))
                    if here == name:
                        break
        mask = self._named.get(name)
        if mask is None:
            return None
        memory = 0 if id(mask) in self._counted else stored_masks.memory_of(mask)
        self._counted.add(id(mask))
        return mask, memory


def _language_of(name: Name) -> Hashable:
    """What all names of places in one language have in common (`ondemand.strings`, `regular.texts`): the name of its
    automaton over characters, with which what follows a place is named, or each of what follows."""
    follows = name[-1] if name else ()
    if follows.__class__ is tuple and follows and follows[0].__class__ is tuple:
        follows = follows[0]
    return follows[0] if follows.__class__ is tuple and follows else None


def _texts(label: str) -> list[str]:
    return [f'"{text}"' for text in SAMPLES[label]]
