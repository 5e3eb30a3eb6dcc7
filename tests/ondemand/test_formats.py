"""Languages of formats are constants; all others may go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checkrail.grammar.grammar import Grammar
from checkrail.json_schema.algebra.conjunctions import factors_of
from checkrail.json_schema.algebra.texts import Texts
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand import scalars
from checkrail.ondemand.formats import FORMAT_TEXTS, FORMATS
from checkrail.ondemand.kept import Kept
from checkrail.ondemand.scalars import string_language


def test_they_are_kept_while_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalars, "_KEPT", Kept(0))
    monkeypatch.setattr(FORMATS, "made", {})
    uuid = string_language(FORMAT_TEXTS["uuid"], DEFAULT_LIMITS)
    assert list(FORMATS.made) == ["uuid"]
    for n in range(100):
        string_language(Texts((f"{n}", "x")), DEFAULT_LIMITS)
    assert string_language(FORMAT_TEXTS["uuid"], DEFAULT_LIMITS) is uuid
    assert repr(FORMATS) == "<FormatLanguages uuid>"


def test_other_limits_and_other_texts_are_other_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FORMATS, "made", {})
    limits = replace(DEFAULT_LIMITS, states=DEFAULT_LIMITS.states - 1)
    assert string_language(FORMAT_TEXTS["date"], limits) is not None
    assert string_language(Texts(("a", "b")), DEFAULT_LIMITS) is not None
    assert FORMATS.made == {}


@pytest.mark.parametrize("label", FORMAT_TEXTS)
def test_the_reader_hands_on_these_very_texts(label: str) -> None:
    schema = Grammar.from_json_schema(f'{{"type": "string", "format": "{label}"}}', profile="open").schema
    texts = schema.normalizer.values(schema.root).texts
    if label in ("hostname", "email"):  # with a bound on the whole length, which is counted beside the language
        assert factors_of(texts.shape)[0] is FORMAT_TEXTS[label].shape
        assert string_language(texts, DEFAULT_LIMITS) is not None
        assert label in FORMATS.made
    else:
        assert texts is FORMAT_TEXTS[label]
