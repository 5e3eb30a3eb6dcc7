"""Masks that are found without a walk when they are first asked for: what `SharedMasks` asks before it gives up.

Names tell which they can be (`ondemand.strings`, `ondemand.languages`): those of places in strings begin with the
number of a spelling. A pair of such a name and an exit is the same place in a module that tells how it ended.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..vocabulary.vocabulary import Vocabulary
from . import cache, cache_files
from .kernel import Kernel
from .stored_sections import Unusable

if TYPE_CHECKING:
    from .counted import CountedMasks, Place, Survey
    from .format_masks import FormatMasks
    from .token_tables import TokenTables

__all__ = ["DerivedMasks"]

_MASK_BYTES = 1024  # of a mask whose arrays belong to another one


class DerivedMasks:
    """Those of one vocabulary."""

    def __init__(self, tables: TokenTables, vocabulary: Vocabulary, kernel: Kernel) -> None:
        self._tables = tables
        self._vocabulary = vocabulary
        self._kernel = kernel
        self._parts: tuple[CountedMasks, FormatMasks] | None = None
        self._lock = Lock()

    def find(self, name: tuple[Any, ...]) -> tuple[Any, int] | None:
        """A mask and its bytes, None where it is not known without a walk."""
        kind = name[0].__class__
        if kind is tuple and len(name) == 2:
            return self._with_exit(*name)
        if kind is not int:
            return None
        counted, formats = self._parts or self._make_parts()
        return counted.find(name) or formats.find(name)

    def survey(self, kind: str) -> Survey:
        """What tokens do from a place of a kind (`counted.Place`) in a string of any spelling."""
        from .counted import PLACES

        (place,) = [place for place in PLACES[:3] if place.kind == kind]
        return (self._parts or self._make_parts())[0].survey_of(place)

    def open(self, *, make: bool) -> None:
        """Have ready what strings of bounded length need. make: have all made that is kept on disk, too."""
        counted, formats = self._make_parts()
        counted.load()
        if make:
            formats.prepare()

    def _make_parts(self) -> tuple[CountedMasks, FormatMasks]:
        from .counted import CountedMasks  # these need the languages of JSON, which other grammars do not
        from .format_masks import FormatMasks

        with self._lock:
            if self._parts is None:
                shared = self._tables, self._vocabulary, self._kernel
                self._parts = CountedMasks(self._tables, self._kernel, self._surveys), FormatMasks(*shared)
            return self._parts

    def _with_exit(self, name: tuple[Any, ...], number: int) -> tuple[Any, int] | None:
        """The mask of the same place where it returns with another exit than 0."""
        mask = self._tables.shared.get(name)
        if mask is None:
            return None
        places, words, rests, exits = mask.parts()
        others = array("i", [number]) * len(exits)
        return self._kernel.machine.LocalMask(places, words, rests, others), _MASK_BYTES

    def _surveys(self) -> Mapping[Place, Survey]:
        """What tokens do in strings, from the file if there is one; else made and kept, where that can be."""
        from . import stored_counts
        from .counted import PLACES, survey

        file = cache.file_name(self._vocabulary, "counts")
        data = None if file is None else cache_files.read(file)
        if data is not None:
            try:
                return stored_counts.decode(data, self._vocabulary, self._tables, self._kernel)
            except Unusable:
                pass  # it is replaced
        if file is None or cache_files.obstacle():
            return {}
        surveys = {place: survey(place, self._tables) for place in PLACES}
        cache_files.write(file, stored_counts.encode(surveys, self._vocabulary, self._tables.trie.max_depth))
        return surveys
