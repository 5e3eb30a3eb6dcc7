"""The local masks that nearly every schema needs: places in JSON strings and numbers.

They belong to no schema, so they are part of what is prepared for a vocabulary, and are kept on disk beside the rest
(`cache`). Making them takes a walk of a trie for each, and a few automata: some tenths of a second.

Automata that are there in full name their states by digests (`PushdownAutomaton.digest_of`), and keep these names in
files; the states of other languages are named by `places`. Strings with a bounded length are the matter of `counted`,
formats that of `format_masks`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..automaton.compiler import compile_automaton
from ..grammar.grammar import Grammar
from ..json_schema.algebra.numbers import NumberRange
from ..limits import DEFAULT_LIMITS
from ..ondemand.scalars import ANY_CANONICAL, Language, any_number, any_string, number_language
from ..vocabulary.vocabulary import Vocabulary
from . import cache, cache_files, stored_masks
from .kernel import Kernel
from .places import make_masks, place_name, places_along, share
from .static_source import StaticSource
from .stored_masks import Name
from .stored_sections import Unusable
from .visible import Visible

if TYPE_CHECKING:
    from .token_tables import TokenTables

__all__ = ["VERSION", "languages", "share_standard_masks"]

VERSION = 2
"""Of the languages below: raise it when one of them changes, or masks of the old one are found in files."""

_CHARACTERS = "a\\n\\u00e9\\ud83d\\ude00\u00e9\u65e5\U0001f600"
_DIGITS = "12345678901234567"  # as many as a plain decimal has before the point
_NUMBERS = ("-0.25e+10", "12.5E-3", "7e1", f"{_DIGITS}.{_DIGITS}8")
_SMALL = tuple("0." + zeros * "0" + _DIGITS[zeros:] + "8" for zeros in range(4))
_WHOLE = ("0", _DIGITS[:16])
# language -> texts that come to its different places
_TEXTS: dict[str, tuple[str, ...]] = {
    "string": (f'"{_CHARACTERS}"',),
    "canonical": ('a\\n\\u0001\u00e9\u65e5\U0001f600"',),
    "number": (*_NUMBERS, f"-{_DIGITS}.{_DIGITS}8"),
    "integer": ("-120", f"-{_DIGITS[:16]}", *_WHOLE),
    "number from 0": (*_NUMBERS, *_SMALL),
    "number above 0": (*_NUMBERS, *_SMALL),
    "integer from 0": _WHOLE,
    "integer from 1": (*_WHOLE, "2"),
}
# The same for automata that are there in full, by schema.
_SCHEMAS = {'{"type": "string"}': "string", '{"type": "number"}': "number", '{"type": "integer"}': "integer"}


def share_standard_masks(tables: TokenTables, vocabulary: Vocabulary, kernel: Kernel) -> bool:
    """Put the masks among the shared ones; whether they had to be made.

    Nothing is done where they cannot be kept on disk: then each is made when a text first comes to its place.
    """
    file = cache.file_name(vocabulary, "masks")
    if file is None:
        return False
    masks = _read(file, tables, vocabulary, kernel)
    if masks is not None and place_name(VERSION, "string", b"") not in masks:
        masks = None  # of another version
    is_new = masks is None
    if masks is None:
        if cache_files.obstacle():
            return False
        masks = _make(tables, kernel)
        cache_files.write(file, stored_masks.encode(masks, vocabulary, tables.trie.max_depth))
    names = {
        place_name(VERSION, label, prefix): name
        for label, language in languages().items()
        for prefix, state in places_along(language, _TEXTS[label])
        if (name := language.name_of(state)) is not None
    }
    share(masks.items(), names, tables.shared)
    return is_new


def languages() -> Mapping[str, Language]:
    """The languages by their names here."""
    whole, zero, one = Decimal(1), Decimal(0), Decimal(1)
    makers: dict[str, Callable[[], Language | None]] = {
        "string": any_string,
        "canonical": lambda: ANY_CANONICAL,
        "number": any_number,
        "integer": lambda: _numbers(NumberRange(multiple=whole)),
        "number from 0": lambda: _numbers(NumberRange(zero)),
        "number above 0": lambda: _numbers(NumberRange(zero, low_open=True)),
        "integer from 0": lambda: _numbers(NumberRange(zero, multiple=whole)),
        "integer from 1": lambda: _numbers(NumberRange(one, multiple=whole)),
    }
    made = {label: maker() for label, maker in makers.items()}
    return {label: language for label, language in made.items() if language is not None}


def _numbers(range_: NumberRange) -> Language | None:
    return number_language((range_,), "", DEFAULT_LIMITS)


def _read(file: str, tables: TokenTables, vocabulary: Vocabulary, kernel: Kernel) -> dict[Name, Any] | None:
    data = cache_files.read(file)
    if data is None:
        return None
    try:
        return stored_masks.decode(data, vocabulary, tables.trie.max_depth, tables.trie.nodes, kernel)
    except Unusable:
        return None  # it is replaced


def _make(tables: TokenTables, kernel: Kernel) -> dict[Name, Any]:
    """Come to every place, and take the masks that are made on the way."""
    masks: dict[Name, Any] = {}
    for label, language in languages().items():
        for prefix, mask in make_masks(language, _TEXTS[label], tables, kernel):
            masks[place_name(VERSION, label, prefix)] = mask
    row = memoryview(array("I", [0]) * tables.word_count)
    for schema, label in _SCHEMAS.items():
        source = StaticSource(compile_automaton(Grammar.from_json_schema(schema)), tables.trie.max_depth)
        visible = Visible(source, tables, kernel)
        for text in map(str.encode, _TEXTS[label]):
            for length in range(len(text) + 1):
                cursor = visible.cursor()
                if not length or cursor.accept_bytes(text[:length]):
                    cursor.fill_row(row)
        for state in range(len(source.states) // 8):
            own = source.name_of(state)
            mask = tables.shared.get(own) if own else None
            if own and mask is not None:
                masks[own] = mask
    return masks
