"""Places in scalar languages, and their masks.

What a language calls its states may hold for one process only. In a file a place is therefore named by the language
and by bytes that lead there. The same masks then have the names of this process in `SharedMasks`.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..ondemand.language import Language
from .kernel import Kernel
from .language_source import LanguageSource
from .stored_masks import Name, memory_of
from .visible import Visible

if TYPE_CHECKING:
    from .token_tables import SharedMasks, TokenTables

__all__ = ["make_masks", "place_name", "places_along", "share"]


def places_along(language: Language, texts: Iterable[str]) -> Iterator[tuple[bytes, int]]:
    """The states that some texts come to: each once, with the bytes that lead there first."""
    seen = {0}
    yield b"", 0
    for text in texts:
        data = text.encode()
        state = 0
        for place, byte in enumerate(data, 1):
            state = language.row(state)[language.class_map[byte]]
            if state < 0:
                break
            if state not in seen:
                seen.add(state)
                yield data[:place], state


def place_name(version: int, label: str, prefix: bytes) -> Name:
    """What a place is called in files. version: of the language called `label`."""
    return hashlib.sha256(f"{version} {label} ".encode() + prefix).digest(), 0


def make_masks(
    language: Language, texts: Iterable[str], tables: TokenTables, kernel: Kernel
) -> Iterator[tuple[bytes, Any]]:
    """Come to the places along some texts, and take the masks that are made on the way: those of wide places."""
    longest = tables.trie.max_depth
    row = memoryview(array("I", [0]) * tables.word_count)
    visible = Visible(LanguageSource(language, longest), tables, kernel)
    for prefix, state in places_along(language, texts):
        cursor = visible.cursor()
        if not prefix or cursor.accept_bytes(prefix):
            cursor.fill_row(row)
        name = language.name_of(state, longest)
        mask = tables.shared.get(name) if name else None
        if mask is not None:
            yield prefix, mask


def share(masks: Iterable[tuple[Name, Any]], names: Mapping[Name, Any], shared: SharedMasks) -> None:
    """Put masks where all constraints find them. names: those of this process, for those that have another in files.

    The bytes of a mask count once, whatever it is called.
    """
    counted: set[int] = set()
    for place, mask in masks:
        shared.put(names.get(place, place), mask, 0 if id(mask) in counted else memory_of(mask))
        counted.add(id(mask))
