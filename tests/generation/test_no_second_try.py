"""Nothing is tried twice: what went wrong is told, and the model is not asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from checkrail import CalcEquation, Rule, Sampling, extract, generate
from checkrail.generation.output import Output
from checkrail.models.protocol import Logits
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

COPY = {"type": "string", "x-source": {"boundary": "word"}, "maxLength": 2}
NUMBER = {"type": "integer", "maximum": 9}


class Counted(ScriptedModel):
    """Keeps what it was asked. behave: changes the scores, or fails, from the call of that number on."""

    def __init__(self, vocabulary: Vocabulary, text: str, behave: Callable[[Any], Any], since: int = 0) -> None:
        super().__init__(vocabulary, text)
        self.asked: list[tuple[int, ...]] = []
        self._behave = behave
        self._since = since

    def logits(self, ids: Sequence[int], /) -> Logits:
        self.asked.append(tuple(ids))
        scores = super().logits(ids)
        changed: Logits = self._behave(scores) if len(self.asked) > self._since else scores
        return changed


def fail(_: Any) -> Any:
    raise RuntimeError


def keep(scores: Any) -> Any:
    return scores


WRONG: dict[str, tuple[str, Any, dict[str, Any], Callable[[Any], Any], int]] = {
    "a fault": ("999", NUMBER, {}, keep, 0),
    "a fault of the type": ("999", int, {}, keep, 0),
    "a broken rule": ("8", Output.of(NUMBER, rules=[Rule("odd", lambda number: number % 2 == 1)]), {}, keep, 0),
    "a rule that fails": ("8", Output.of(NUMBER, rules=[Rule("odd", lambda number: number["a"])]), {}, keep, 0),
    "an expression without a value": ('"1/0 = 1"', CalcEquation, {}, keep, 0),
    "a copy that stands twice": ('"ab"', COPY, {"documents": {"document": "ab ab"}, "copy_from_source": True}, keep, 0),
    "the token limit": ("12345", {"type": "integer"}, {"max_tokens": 2, "complete": False}, keep, 0),
    "a failure at once": ("999", NUMBER, {}, fail, 0),
    "a failure on the way": ("999", NUMBER, {}, fail, 2),
    "no scores": ("999", NUMBER, {}, lambda scores: scores * np.nan, 1),
    "other scores": ("999", NUMBER, {}, lambda scores: scores[:3], 1),
    "odd scores": ("999", NUMBER, {"sampling": Sampling(nan_policy="fail")}, lambda scores: scores * np.nan, 0),
    "free text without end": ("a" * 9, None, {"max_tokens": 4}, keep, 0),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_model_is_asked_once_for_each_place(vocabulary: Vocabulary, name: str) -> None:
    text, target, options, behave, since = WRONG[name]
    model = Counted(vocabulary, text, behave, since)
    result = generate(model, "?", target, **options)
    assert len(model.asked) == result.usage.model_calls
    assert len(set(model.asked)) == len(model.asked), "no sequence is asked for twice"
    assert all(later[: len(earlier)] == earlier for earlier, later in zip(model.asked, model.asked[1:], strict=False))
    assert len(model.asked) <= result.usage.tokens + 1
    if behave is not keep:
        assert len(model.asked) == since + 1
        assert not result.complete


def test_a_row_that_fails_is_one_row(vocabulary: Vocabulary) -> None:
    model = Counted(vocabulary, "999", fail, since=3)
    rows = list(extract(["first", "second", "third"], NUMBER, model=model))
    assert [row.ok for row in rows] == [False, False, False]
    assert [row.error.code if row.error else None for row in rows][1:] == ["BACKEND_FAILED"] * 2
    assert len(model.asked) == sum(row.usage.model_calls for row in rows if row.usage)
    assert len(set(model.asked)) == len(model.asked)


def test_faults_are_found_without_the_model(vocabulary: Vocabulary) -> None:
    model = Counted(vocabulary, "999", keep)
    result = generate(model, "?", NUMBER)
    before = len(model.asked)
    assert result.faults
    assert result.unchecked_value == 999
    assert result.to_json()["value"] is None
    assert len(model.asked) == before
