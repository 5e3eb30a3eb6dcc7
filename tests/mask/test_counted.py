"""Masks of strings of bounded length that no walk made, against those that a walk makes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from checkrail.grammar.expression import ANY_CHARACTER, Repeat
from checkrail.limits import DEFAULT_LIMITS
from checkrail.mask import cache
from checkrail.mask.counted import PLACES, CountedMasks, Place, Survey, places_by_name, survey
from checkrail.mask.kernel import Kernel
from checkrail.mask.language_source import LanguageSource
from checkrail.mask.token_tables import TokenTables
from checkrail.mask.visible import Visible
from checkrail.ondemand.alphabet import Spelling
from checkrail.ondemand.strings import SpelledLanguage
from checkrail.regular.texts import text_automaton
from checkrail.vocabulary.vocabulary import Vocabulary

BOUNDS = [(0, None), (0, 0), (0, 1), (0, 2), (0, 3), (0, 7), (1, None), (1, 1), (2, 3), (2, None), (3, 5), (9, 9)]


def vocabulary() -> Vocabulary:
    """Tokens that count in every way: plain text, escapes, halves of characters, quotes in all places."""
    rng = random.Random(7)
    pieces = [
        "a",
        "b",
        "é",
        "日",
        "\U0001f600",
        "\\n",
        '\\"',
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\ud8",
        "\\",
        " ",
        '"',
        ":",
        ",",
    ]
    texts = {"".join(rng.choices(pieces, k=rng.randint(1, 5))).encode() for _ in range(4000)}
    texts |= {text[1:] for text in sorted(texts) if text[0] >= 0x80} | {b'"":"', b'":"":', b'a"b"c"'}
    single = [bytes([b]) for b in range(256)]
    tokens = [*single, *sorted(texts.difference(single, [b""]))]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


VOCABULARY = vocabulary()


def language(low: int, high: int | None, spelling: Spelling, *, opened: bool = False) -> SpelledLanguage:
    automaton = text_automaton(Repeat(ANY_CHARACTER, low, high), (), DEFAULT_LIMITS)
    assert automaton is not None
    return SpelledLanguage(automaton, spelling, DEFAULT_LIMITS, opened=opened)


def tables_of(kernel: Kernel) -> TokenTables:
    return TokenTables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)


def content(mask: Any, tables: TokenTables) -> tuple[list[int], list[list[list[int]]], list[int]]:
    """All words, and the tries."""
    places, words, rests, exits = mask.parts()
    row = [0] * tables.word_count
    for place, word in zip(places or range(tables.word_count), words, strict=False):
        row[place] = word
    return row, [[part.tolist() for part in rest.parts()] for rest in rests], exits.tolist()


@pytest.mark.parametrize("spelling", [Spelling.ANY, Spelling.ONE])
@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_the_masks_are_those_of_a_walk(low: int, high: int | None, spelling: Spelling, kernel: Kernel) -> None:
    tables = tables_of(kernel)
    strings = language(low, high, spelling, opened=spelling is Spelling.ONE)
    source = LanguageSource(strings, tables.trie.max_depth)
    visible = Visible(source, tables, kernel)
    counted = CountedMasks(tables, kernel)
    compared = set()
    for state in range(len(source.states) // 8):
        name = source.name_of(state)
        assert name is not None
        found = counted.find(name)
        if found is None:
            continue
        walked = visible._masks._make(visible._machine, state, 0, source.plain_run(state))
        assert walked is not None
        assert not walked[1]
        assert content(found[0], tables) == content(walked[0], tables)
        compared.add(name[:-1])
    names = {place: name for name, place in places_by_name().items()}
    before, start, escape, canonical = (names[place] for place in PLACES)
    escapes = set() if high == 0 else {escape}
    assert compared == ({canonical} if spelling is Spelling.ONE else {before, start} | escapes)


def test_other_names_are_not_known(kernel: Kernel) -> None:
    counted = CountedMasks(tables_of(kernel), kernel)
    bounds = "text", 0, 3
    for name in [
        (0, bounds),
        (1, ("tail", 1, ((0, 0),)), (bounds,)),
        (1, ("text", 3)),
        (1, 5),
        (1, "x", bounds),
        (1, -2),
    ]:
        assert counted.find(name) is None


def test_what_is_known_is_asked_for_once(kernel: Kernel) -> None:
    tables, asked = tables_of(kernel), []
    known = {PLACES[0]: survey(PLACES[0], tables)}

    def load() -> dict[Place, Survey]:
        asked.append(1)
        return known

    counted = CountedMasks(tables, kernel, load)
    assert asked == []
    for name in [(1, ("text", 0, 5)), (1, ("text", 0, 4)), (1, "start", ("text", 0, 4))]:
        assert counted.find(name) is not None
    assert asked == [1]


def test_remainders_without_number_are_left_to_a_walk(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = CountedMasks(tables_of(kernel), kernel)
    assert counted.find((1, ("text", 0, 0))) is not None
    monkeypatch.setattr("checkrail.mask.counted._MANY_REMAINDERS", 3)
    assert counted.find((1, ("text", 0, 4))) is None
    assert counted.find((1, ("text", 0, 4))) is None
