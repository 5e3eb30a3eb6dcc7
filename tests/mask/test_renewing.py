"""A text goes on where it was when its tables are replaced."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest

from checkrail import Vocabulary
from checkrail.boundary.calc.equation import Equations
from checkrail.generation.filling import Filling
from checkrail.generation.output import Output
from checkrail.mask import slotted_source
from checkrail.mask.renewing import RenewingCursor

PIECES = [b"12", b"345", b" + ", b"((", b"))", b"sqrt(", b" = ", b'"]', b'["', b"- ", b"0.5"]
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *PIECES, None], eos=256 + len(PIECES))
SUMS: dict[str, Any] = {"type": "array", "items": {"type": "string", "x-grammar": "calc-equation/1"}}


def filling() -> Filling:
    found = Filling.of(Output.of(SUMS, whitespace="compact"), VOCABULARY)
    assert found is not None
    return found


def test_masks_and_steps_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = filling().matcher({})
    monkeypatch.setattr(slotted_source, "_MANY_STATES", 300)
    renewed = filling().matcher({})
    cursor = renewed._cursor
    assert isinstance(cursor, RenewingCursor)
    random = Random(8)
    seen = []
    for step in range(120):
        allowed = usual.allowed(None)
        assert renewed.allowed(None) == allowed
        seen.append(id(cursor.tables))
        choice = [t for t in allowed if b"]" not in (VOCABULARY.tokens[t] or b"]")]
        token = random.choice(choice)
        if step % 10 == 7:
            fork = renewed.fork()
            assert fork.accept_token(token)
            assert renewed.allowed(None) == allowed
            renewed.rollback(2)
            usual.rollback(2)
            continue
        data = VOCABULARY.tokens[token] or b""
        took = [m.accept_bytes(data) if step % 3 == 0 else m.accept_token(token) for m in (usual, renewed)]
        assert took == [True, True]
        assert not renewed.accept_bytes(b"\xff")
    assert len(set(seen)) > 3
    assert renewed.is_completed() == usual.is_completed()


def test_states_of_one_text_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slotted_source, "_MANY_STATES", 2_000)
    matcher = filling().matcher({})
    row = array("I", [0]) * ((len(VOCABULARY) + 31) // 32)
    cursor: Any = matcher._cursor
    most = 0
    assert matcher.accept_bytes(b'["')
    for data in [b"1 + "] * 40 + [b"2 = ", b"42", b'"]']:
        matcher.fill_next_token_bitmask(row)
        assert matcher.accept_bytes(data)
        most = max(most, cursor.tables.source._tables.state_count)
    assert matcher.is_completed()
    assert 2_000 < most < 8_000


def test_the_language_has_no_bytes_twice() -> None:
    language = Equations()
    assert len({byte for byte, _ in language.moves(language.start)}) == len(language.moves(language.start))
