"""Whole runs replay: the published ones, and the same ids from both samplers."""

import os
from collections import Counter
from typing import Any

import pytest

import decoding_suites
from checkrail import Grammar, Vocabulary, compile
from checkrail.decoding.plain_sampler import PlainSampler
from checkrail.decoding.sampler import Sampler
from vector_files import read

RUNS = read("replay.json")
STEPS = 50_000 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 1_500


def test_the_published_runs_cover_the_ends() -> None:
    ends = Counter(run["end"] for run in RUNS["runs"])
    assert {"grammar_complete", "eos", "max_tokens", "SAMPLING_FORBIDDEN_EMPTY"} <= set(ends)
    assert sum(len(run["ids"]) for run in RUNS["runs"]) > 250


@pytest.mark.parametrize("kind", [Sampler, PlainSampler])
@pytest.mark.parametrize("scene", RUNS["scenes"], ids=lambda scene: scene["name"])
def test_published_runs(scene: dict[str, Any], kind: Any) -> None:
    tokens = [None if token is None else bytes.fromhex(token) for token in scene["vocabulary"]]
    constraint = compile(Grammar.from_gbnf(scene["grammar"]), Vocabulary.from_bytes(tokens, eos=len(tokens) - 1))
    for run in (run for run in RUNS["runs"] if run["scene"] == scene["name"]):
        key = bytes.fromhex(run["key"])
        ids, _, end = decoding_suites.played(constraint, key, run["sampling"], run["max_tokens"], kind)
        assert (ids, end) == (run["ids"], run["end"])


def test_both_samplers_give_the_same_ids_under_a_grammar_that_nests(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = list(decoding_suites.replayed(STEPS))
    played = decoding_suites.played
    monkeypatch.setattr(decoding_suites, "played", lambda *arguments: played(*arguments, Sampler))
    assert list(decoding_suites.replayed(STEPS)) == plain
    assert len(set(plain)) > 100


def test_the_masks_that_are_compared_between_pythons_are_those_of_a_whole_text() -> None:
    masks = list(decoding_suites.schema_masks())
    assert masks[-1] == "True"
    assert len(set(masks)) > 40
