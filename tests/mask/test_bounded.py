"""Masks in strings of bounded length that are had from those without the bound, against trying every token."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import checkrail
from checkrail.grammar.grammar import Grammar
from checkrail.mask import visible
from checkrail.mask.bounded import BoundedMasks
from checkrail.mask.kernel import Kernel, load_compiled, load_interpreted
from checkrail.ondemand.languages import Languages
from checkrail.ondemand.strings import SpelledLanguage
from checkrail.vocabulary.vocabulary import Vocabulary

KERNELS = [kernel for kernel in (load_compiled(), load_interpreted()) if kernel is not None]
PIECES = [
    "a",
    "b",
    "ab",
    "é",
    "日",
    "\U0001f600",
    " ",
    "  ",
    "-",
    "7",
    "\\n",
    "\\u00e9",
    "\\ud83d\\ude00",
    "x@y.z",
    '"',
    '",',
]


def vocabulary() -> Vocabulary:
    """All bytes, and texts of up to 40 characters; some begin or end within a character or an escape."""
    rng = random.Random(11)
    texts = {"".join(rng.choices(PIECES[: rng.randint(1, len(PIECES))], k=rng.randint(1, 9))) for _ in range(1500)}
    texts |= {piece * k for piece in PIECES[:12] for k in (9, 12, 13, 14, 15, 20, 30)}
    data = {text.encode() for text in texts}
    data |= {text[1:] for text in data if text[0] >= 0x5C} | {text[:-1] for text in data if text[-1] >= 0x80}
    single = [bytes([b]) for b in range(256)]
    return Vocabulary.from_bytes(
        [*single, *sorted(data.difference(single, [b""])), None], eos=256 + len(data.difference(single, [b""]))
    )


VOCABULARY = vocabulary()

CASES: list[tuple[dict[str, Any], str]] = [
    ({"pattern": r"^(?:\S+\s+){0,9}\S+$", "maxLength": 45}, "ab ab é日 ab\n ab 7-7 ab aaaaaaaaaaaaaa\u00e9 ab"),
    ({"pattern": "^[a-b ]*$", "maxLength": 40}, "ab" * 20),
    ({"pattern": "^a.*(777)?bb$", "maxLength": 44}, "a" + "日é" * 20 + "bb"),
    ({"pattern": "ab-7", "maxLength": 60}, "é" * 30 + "\n" + "b" * 20 + "ab-7"),
    ({"pattern": "^(a{5}|b{20})*$", "maxLength": 50}, "a" * 20 + "b" * 20 + "aaaaa"),
    ({"pattern": "^[^é]+$", "minLength": 2, "maxLength": 40}, "b日" * 20),
    ({"format": "email", "maxLength": 50}, "a.b-7" * 6 + "@x.yy"),
    ({"pattern": "^(ab)*$", "maxLength": 41}, "ab" * 20),
]


def tried(matcher: Any) -> list[int]:
    """The tokens that a fork takes."""
    found = []
    for token, data in enumerate(VOCABULARY.tokens):
        if data:
            fork = matcher.fork()
            if fork.accept_token(token):
                found.append(token)
    return found


def allowed(matcher: Any) -> list[int]:
    row = np.zeros((1, (len(VOCABULARY) + 31) // 32), dtype=np.int32)
    matcher.fill_next_token_bitmask(row)
    bits = np.unpackbits(row.view(np.uint8), bitorder="little")
    return [token for token in np.flatnonzero(bits).tolist() if VOCABULARY.tokens[token]]


@pytest.mark.parametrize(("schema", "text"), CASES)
def test_they_allow_what_fits(schema: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[bool] = []
    make = BoundedMasks.make

    def counted(self: BoundedMasks, mask: Any, place: Any) -> Any:
        made = make(self, mask, place)
        answers.append(made is not None)
        return made

    monkeypatch.setattr(BoundedMasks, "make", counted)
    monkeypatch.setattr(visible, "_NARROW", 1)  # places that read few bytes are not asked for where walks are short
    grammar = Grammar.from_json_schema(json.dumps({"type": "string", **schema}), profile="open")
    matcher = checkrail.compile(grammar, VOCABULARY).matcher()
    data = json.dumps(text, ensure_ascii=False).encode()
    for place, byte in enumerate(data):
        if place % 3 == 0 or len(data) - place < 18:
            assert allowed(matcher) == tried(matcher), data[:place]
        assert matcher.accept_token(byte), data[:place]
    assert matcher.is_completed()
    assert True in answers


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.mode)
def test_a_row_keeps_nothing_of_what_it_held(kernel: Kernel) -> None:
    """Where a mask was looked for in vain, and the place is walked after all: no token closes so long a string here."""
    single = [bytes([b]) for b in range(256)]
    vocabulary = Vocabulary.from_bytes([*single, b"a" * 24 + b'"', None], eos=257)
    grammar = Grammar.from_json_schema({"type": "string", "pattern": "^se(-[a-z]+)+$", "maxLength": 25}, profile="open")
    matcher = checkrail.compile(grammar, vocabulary, kernel=kernel).matcher()
    kept = np.full((1, 9), -1, dtype=np.int32)
    for byte in b'"se-a':
        matcher.fill_next_token_bitmask(kept)
        taken = [token for token in range(257) if matcher.fork().accept_token(token)]
        assert np.flatnonzero(np.unpackbits(kept.view(np.uint8), bitorder="little")).tolist() == taken
        assert matcher.accept_token(byte)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.mode)
def test_tables_may_be_replaced_while_a_mask_is_found(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state without the bound is added when it is asked for, and may be the first that has no room."""
    added = Languages.join
    grown: list[int] = []

    def when_full(self: Languages, language: Any, exit: int = 0) -> Any:
        tables = self._owner.tables
        if isinstance(language, SpelledLanguage) and len(grown) < 2:
            tables.new_states(len(tables.states) // 8 - tables.state_count, 0, 0)
            grown.append(tables.generation)
        return added(self, language, exit)

    monkeypatch.setattr(Languages, "join", when_full)
    monkeypatch.setattr(visible, "_NARROW", 1)
    grammar = Grammar.from_json_schema({"type": "string", "pattern": "^[a-b-]+$", "maxLength": 30}, profile="open")
    matcher = checkrail.compile(grammar, VOCABULARY, kernel=kernel).matcher()
    for byte in b'"ab-a':
        assert matcher.accept_token(byte)
        assert allowed(matcher) == tried(matcher)
    assert len(grown) == 2
