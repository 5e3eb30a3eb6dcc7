"""What others wrote and the model has read: which sources, and their text.

Once a document or the result of a tool is in the context, the model may do what it says. That cannot be seen from the
outside, so a session is tainted from then on, for good; a new one begins clean. The texts are kept to show where an
argument of a call was copied from (`provenance`).

You need it where text enters a context. The session holds one; tools and templates have no way to it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any, TypeAlias

from ..errors import InputError
from .pointers import join

__all__ = ["MOST_NAMED", "Taint", "strings", "texts_of"]

MOST_NAMED = 32  # sources that an envelope lists
_SOURCE = re.compile(r"[a-z]{1,16}:[A-Za-z0-9_.@-]{1,96}")
_MOST_CHARACTERS = 4 * 1024 * 1024
_MOST_SOURCES = 65_536


class Taint:
    """The sources in the order in which they were read. It only grows.

    complete: whether all is kept. Beyond 4 Mi characters the sources are remembered and the texts are not; beyond
    65,536 sources it is only remembered that there are more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sources: dict[str, list[str]] = {}
        self._size = 0
        self.complete = True

    def add(self, source: str, text: str) -> None:
        """Note a text from others. source: `doc:mail-3`, `tool:notes.read@1.0.0`. Raises `InputError` INPUT_FORMAT."""
        if not _SOURCE.fullmatch(source):
            raise InputError("INPUT_FORMAT", name="The source", what="must be a kind, a colon and an ASCII id")
        with self._lock:
            if len(self._sources) >= _MOST_SOURCES and source not in self._sources:
                self.complete = False
                return
            texts = self._sources.setdefault(source, [])
            if self._size + len(text) > _MOST_CHARACTERS:
                self.complete = False
                return
            texts.append(text)
            self._size += len(text)

    @property
    def is_set(self) -> bool:
        """Whether anything was read."""
        return bool(self._sources)

    @property
    def sources(self) -> tuple[str, ...]:
        """All sources."""
        with self._lock:
            return tuple(self._sources)

    def texts(self) -> list[tuple[str, str]]:
        """Each text with its source."""
        with self._lock:
            return [(source, text) for source, texts in self._sources.items() for text in texts]

    def __repr__(self) -> str:
        return f"<Taint {len(self._sources)} sources, {self._size} characters>"


def strings(value: Any) -> Iterator[tuple[str, str]]:
    """Each text of a JSON value, keys too, with the pointer of its place."""
    for place, text in _texts(value):
        tokens = []
        while place is not None:
            place, token = place
            tokens.append(token)
        yield join(reversed(tokens)), text


def texts_of(value: Any) -> Iterator[str]:
    """Each text of a JSON value, keys too. Linear, also where the pointers would take the square of it."""
    return (text for _, text in _texts(value))


# The place around it and the last token; None is the root. A long key above a million numbers is not copied for each.
_Place: TypeAlias = "tuple[_Place, str | int] | None"


def _texts(value: Any) -> Iterator[tuple[_Place, str]]:
    """Each text with its place; depth costs no Python stack."""
    waiting: list[tuple[_Place, Any]] = [(None, value)]
    while waiting:
        place, item = waiting.pop()
        if isinstance(item, str):
            yield place, item
        elif isinstance(item, dict):
            yield from (((place, key), key) for key in item)
            waiting.extend(((place, key), inner) for key, inner in reversed(item.items()))
        elif isinstance(item, list):
            waiting.extend(((place, at), item[at]) for at in reversed(range(len(item))))
