"""Prepared vocabularies, each made once: kept in memory while the process runs, and on disk between runs.

A vocabulary of fewer than `MINIMUM_TOKENS` tokens is made anew in each process, since that costs little more than
reading a file. Larger ones are kept by `cache_files`, and checked when they are read (`stored_tables`): a file that is
damaged, of an older version or of another vocabulary is made again and replaced. Whether the arrays come from a file
makes no other difference.

You need `prepare` wherever the trie or the tables of a vocabulary are used.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ..vocabulary.vocabulary import Vocabulary
from . import cache_files, stored_tables
from .kernel import active
from .prepared import Prepared, build
from .stored_sections import FORMAT, Unusable
from .token_tries import LAYOUT

__all__ = ["MINIMUM_TOKENS", "file_name", "prepare"]

MINIMUM_TOKENS = 10_000
_MAXIMUM_KEPT = 4  # in memory

_kept: OrderedDict[Vocabulary, Prepared] = OrderedDict()
_lock = Lock()


def prepare(vocabulary: Vocabulary) -> Prepared:
    """The arrays of a vocabulary: those of this process, else those of a file, else made now.

    Raises InputError (INPUT_FORMAT) where `CHECKRAIL_CACHE_MB` is no number; nothing else about files is an error.
    """
    with _lock:
        found = _kept.get(vocabulary)
        if found is None:
            found = _kept[vocabulary] = _read_or_make(vocabulary)
            if len(_kept) > _MAXIMUM_KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(vocabulary)
        return found


def file_name(vocabulary: Vocabulary, kind: str) -> str | None:
    """The name of a vocabulary's file (`vocabulary`, `masks`, `counts`, `masks-uri` ...), None where it has none.

    Raises InputError (INPUT_FORMAT) where `CHECKRAIL_CACHE_MB` is no number.
    """
    if len(vocabulary) < MINIMUM_TOKENS or not cache_files.bound():
        return None
    return f"{vocabulary.fingerprint}.{FORMAT}-{LAYOUT}.{kind}"


def _read_or_make(vocabulary: Vocabulary) -> Prepared:
    name = file_name(vocabulary, "vocabulary")
    if name is None:
        return build(vocabulary)
    data = cache_files.read(name)
    if data is not None:
        try:
            return stored_tables.decode(data, vocabulary, active())
        except Unusable:
            pass  # it is replaced
    prepared = build(vocabulary)
    cache_files.write(name, stored_tables.encode(prepared, vocabulary))
    return prepared
