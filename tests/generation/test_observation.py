"""One record for each run, with the run's numbers in it, however the run ends."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checkrail import Evidence, Grammar, InputError, Sampling, extract, generate, read_evidence, stream
from checkrail.boundary.evidence.record import RunRecord
from checkrail.boundary.evidence.types import Extremes, OutputKind, Stop, coarse
from checkrail.decoding.run import Run
from checkrail.generation.documents import InputRow
from checkrail.generation.output import Output
from checkrail.generation.plan import constraint_of
from checkrail.models.protocol import Logits
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

Says = Callable[..., ScriptedModel]
PERSON = {
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "maximum": 9}},
    "required": ["name", "age"],
}
TEXT = '{"name": "Zoë", "age": 7}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


@pytest.fixture
def evidence(path: Path) -> Iterator[Evidence]:
    with Evidence(path) as session:
        yield session


def only(path: Path) -> RunRecord:
    (record,) = read_evidence(path)
    return record


def counts(counted: Any) -> dict[str, int]:
    return {str(each.code): each.count for each in counted}


def test_no_whole_automaton_is_made_for_a_name(
    says: Says, evidence: Evidence, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs that need not be complete need no whole automaton, which can take a minute; nor does their record."""

    def whole(*_: Any, **__: Any) -> Any:
        raise AssertionError("made")

    monkeypatch.setattr("checkrail.decoding.constraint.compile_automaton", whole)
    output = Output.of(PERSON, profile="open", whitespace=1)
    model = says(TEXT)
    names = set()
    for _ in range(2):
        running = stream(model, "who?", output, complete=False, evidence=evidence)
        names |= {event.composition_sha256 for event in running if event.type == "start"}
        assert running.result().ok
    assert len(names) == 1
    first, second = read_evidence(path)
    assert isinstance(first, RunRecord)
    assert first.bounds.states is None
    assert isinstance(second, RunRecord)
    assert first.grammar_tag == second.grammar_tag
    other = Output.of({**PERSON, "required": ["name"]}, profile="open", whitespace=1)
    (start, *_) = stream(model, "who?", other, complete=False)
    assert start.composition_sha256 not in names


def test_the_numbers_are_those_of_the_run(says: Says, evidence: Evidence, path: Path) -> None:
    model = says(TEXT)
    before = time.time()
    result = generate(model, "who?", PERSON, evidence=evidence)
    record = only(path)
    usage = result.usage
    assert (record.prompt_tokens, record.output_tokens) == (usage.prompt_tokens, usage.tokens)
    assert record.output_bytes == len(TEXT.encode())
    assert record.total_microseconds == usage.total_microseconds
    assert (record.stop, record.complete, record.code) == (Stop(result.stop), True, None)
    assert (record.kind, record.template.value) == (OutputKind.JSON, "chatml")
    assert (record.notices, record.faults, record.faults_not_listed) == ((), (), 0)
    assert record.hour % 3600 == 0
    assert record.hour <= before < record.hour + 7200
    assert record.session == evidence.session
    assert record.model_sha256 is None
    assert str(record.tokenizer_sha256) == model.vocabulary.fingerprint
    assert record.utf8_held == 0


def test_bounds_and_sizes(says: Says, vocabulary: Vocabulary, evidence: Evidence, path: Path) -> None:
    grammar = Grammar.from_regex("[a-z]{1,90}")
    generate(says("abc"), "?", grammar, max_tokens=100, time_limit=60.5, evidence=evidence)
    report = constraint_of(grammar, vocabulary).report
    bounds = only(path).bounds
    assert (bounds.max_tokens, bounds.time_limit_ms, bounds.context_tokens) == (100, 60_500, 1_000_000)
    assert (bounds.states, bounds.transitions) == (coarse(report.states), coarse(report.transitions))
    assert bounds.states != report.states


def test_times_lie_within_the_run(says: Says, evidence: Evidence, path: Path) -> None:
    result = generate(says("abc"), "?", Grammar.from_regex("[a-z]{1,9}"), evidence=evidence)
    record = only(path)
    for numbers in (record.mask_microseconds, record.model_microseconds, record.sample_microseconds):
        assert numbers is not None
        assert numbers.least <= numbers.median <= numbers.greatest <= record.total_microseconds
    assert record.mask_microseconds is not None
    assert 0 <= record.mask_microseconds.greatest <= result.usage.mask_microseconds_max + 1


def test_what_masks_allow_is_counted(says: Says, evidence: Evidence, path: Path) -> None:
    """Three masks: 26 letters; 26 letters or the end; and only the end."""
    generate(says("ab"), "?", Grammar.from_regex("[a-z]{1,2}"), evidence=evidence)
    assert only(path).allowed_tokens == Extremes(16, 256)


def test_free_text_has_no_masks_and_no_grammar(says: Says, evidence: Evidence, path: Path) -> None:
    generate(says("hello"), "?", evidence=evidence)
    record = only(path)
    assert record.kind is OutputKind.FREE
    assert (record.grammar_tag, record.allowed_tokens, record.mask_microseconds) == (None, None, None)
    assert (record.bounds.states, record.bounds.time_limit_ms) == (None, None)
    assert record.model_microseconds is not None


def test_a_schema_without_a_whole_automaton(says: Says, evidence: Evidence, path: Path) -> None:
    """Items that must differ are noted by each text: no automaton has a size then, and none is asked for."""
    output = Output.of({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, profile="open")
    assert generate(says("[1, 2]"), "?", output, evidence=evidence).value == [1, 2]
    record = only(path)
    assert (record.bounds.states, record.bounds.transitions) == (None, None)
    assert record.grammar_tag is not None


def test_grammars_are_told_apart_within_a_session_only(says: Says, path: Path) -> None:
    a, b = Grammar.from_regex("a+"), Grammar.from_regex("b+")
    for grammars in ((a, b, a), (a,)):
        with Evidence(path) as evidence:
            for grammar in grammars:
                generate(says("a", "b"), "?", grammar, max_tokens=3, evidence=evidence)
    first, other, again, elsewhere = (record.grammar_tag for record in read_evidence(path))
    assert first == again
    assert len({first, other, elsewhere}) == 3
    assert str(first) not in (a.sha256, constraint_of(a, says("a").vocabulary).sha256)


def test_the_run_is_named_anew(says: Says, evidence: Evidence, path: Path) -> None:
    """The handle's id may be anything that the caller knows a case by."""
    generate(says("a"), "?", run=Run("case of Mrs Miller"), evidence=evidence)
    assert str(only(path).run).startswith("rn_")


def test_faults_are_counted_by_code(says: Says, evidence: Evidence, path: Path) -> None:
    schema = {"items": {"type": "integer", "maximum": 9}, "type": "array", "maxItems": 130, "uniqueItems": True}
    text = str([10] * 120)
    result = generate(says(text), "?", schema, max_tokens=2000, evidence=evidence)
    record = only(path)
    assert record.complete
    assert sum(counts(record.faults).values()) == len(result.faults) == 100
    assert set(counts(record.faults)) == {"SEMANTIC_RANGE", "SEMANTIC_UNIQUE"}
    assert result.report is not None
    assert record.faults_not_listed == result.report.more > 0


def test_notices_are_counted_by_code(vocabulary: Vocabulary, evidence: Evidence, path: Path) -> None:
    class Odd(ScriptedModel):
        def logits(self, ids: Sequence[int], /) -> Logits:
            scores = super().logits(ids)
            scores[[1, 2]] = np.nan
            return scores

    result = generate(Odd(vocabulary, "abc"), "?", max_tokens=3, evidence=evidence)
    assert counts(only(path).notices) == {"LOGITS_NAN": 2 * result.usage.model_calls}


def test_a_narrowed_output_is_noticed(says: Says, evidence: Evidence, path: Path) -> None:
    result = generate(says("a" * 50), "?", Grammar.from_regex("a*b"), max_tokens=4, evidence=evidence)
    assert result.complete
    assert counts(only(path).notices) == {"BUDGET_CLOSING": result.usage.forced_close}


def test_a_failed_run(vocabulary: Vocabulary, evidence: Evidence, path: Path) -> None:
    class Broken(ScriptedModel):
        def logits(self, ids: Sequence[int], /) -> Logits:
            raise RuntimeError("the prompt was: secret")

    result = generate(Broken(vocabulary, "abc"), "?", evidence=evidence)
    record = only(path)
    assert (record.stop, record.complete, str(record.code)) == (Stop.FAILED, False, "BACKEND_FAILED")
    assert result.code == "BACKEND_FAILED"
    assert record.model_microseconds is not None, "the call that failed took time too"
    assert record.sample_microseconds is None


def test_a_cut_character_is_counted(vocabulary: Vocabulary, evidence: Evidence, path: Path) -> None:
    generate(ScriptedModel(vocabulary, "a😀"), "?", max_tokens=4, evidence=evidence)
    record = only(path)
    assert (record.output_bytes, record.utf8_held, record.stop) == (4, 3, Stop.MAX_TOKENS)


def test_a_cancelled_run(says: Says, evidence: Evidence, path: Path) -> None:
    run = Run()
    events = stream(says("abcdef"), "?", run=run, evidence=evidence)
    for _ in range(3):
        next(events)
    run.cancel()
    assert events.result().stop == "cancelled"
    assert (only(path).stop, str(only(path).code)) == (Stop.CANCELLED, "CANCELLED")


# --- streams


def test_the_record_is_there_when_the_reader_sees_the_end(says: Says, evidence: Evidence, path: Path) -> None:
    events = list(stream(says("abc"), "?", evidence=evidence))
    assert events[-1].type == "end"
    assert only(path).complete


def test_a_closed_stream_leaves_a_record(says: Says, evidence: Evidence, path: Path) -> None:
    with stream(says("abcdef"), "?", evidence=evidence) as events:
        for _ in range(3):
            next(events)
        assert path.read_bytes() == b""
    assert (only(path).stop, str(only(path).code)) == (Stop.CLOSED, "STREAM_CLOSED")
    events.close()
    events.result()
    assert only(path)


def test_a_stream_that_was_never_begun_was_no_run(says: Says, evidence: Evidence, path: Path) -> None:
    stream(says("abc"), "?", evidence=evidence).close()
    assert list(read_evidence(path)) == []


def test_an_interrupted_run_leaves_a_record(vocabulary: Vocabulary, evidence: Evidence, path: Path) -> None:
    class Interrupted(ScriptedModel):
        def logits(self, ids: Sequence[int], /) -> Logits:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(Interrupted(vocabulary, "abc"), "?", evidence=evidence)
    assert only(path).stop is Stop.CLOSED


def test_reading_events_and_then_the_result_writes_one_record(says: Says, evidence: Evidence, path: Path) -> None:
    events = stream(says(TEXT), "?", PERSON, evidence=evidence)
    for _ in events:
        pass
    assert events.result().ok
    events.close()
    assert only(path)


def test_evidence_that_cannot_be_written_is_told_and_the_result_kept(
    says: Says, evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    events = stream(says(TEXT), "?", PERSON, evidence=evidence)
    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(InputError, match="OUTPUT_WRITE"):
        events.result()
    assert events.result().value == {"name": "Zoë", "age": 7}


def test_closed_evidence_is_refused_before_the_run(says: Says, path: Path) -> None:
    evidence = Evidence(path)
    evidence.close()
    with pytest.raises(InputError, match="closed"):
        generate(says("a"), "?", evidence=evidence)
    with pytest.raises(InputError, match="closed"):
        extract(["a"], {"type": "integer"}, model=says("1"), evidence=evidence)


def test_nothing_changes_in_the_output(says: Says, evidence: Evidence) -> None:
    sampling = Sampling(temperature=1.5)
    plain = generate(says(TEXT), "?", PERSON, sampling=sampling, seed=5)
    watched = generate(says(TEXT), "?", PERSON, sampling=sampling, seed=5, evidence=evidence)
    assert plain.token_ids == watched.token_ids


def test_jump_forward_goes_through_the_watch(says: Says, evidence: Evidence, path: Path) -> None:
    result = generate(says(TEXT), "?", PERSON, jump_forward=True, evidence=evidence)
    assert result.usage.forced_tokens > 0
    assert only(path).output_tokens == result.usage.tokens


# --- extract, and the model's digest


def test_extract_records_each_run(says: Says, evidence: Evidence, path: Path) -> None:
    lost = InputRow("2", error=InputError("INPUT_FORMAT", name="row 2", what="bad"))
    rows = list(extract(["one", lost, "three"], {"type": "integer"}, model=says("7"), evidence=evidence))
    assert [row.ok for row in rows] == [True, False, True]
    assert len(list(read_evidence(path))) == 2, "a row without a run leaves no record"


def test_the_model_may_say_what_file_it_is(says: Says, evidence: Evidence, path: Path) -> None:
    model = says("a")
    model.sha256 = "c" * 64  # type: ignore[attr-defined]  # what an adapter may have
    generate(model, "?", evidence=evidence)
    assert str(only(path).model_sha256) == "c" * 64
    model.sha256 = "unknown"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"model\.sha256"):
        generate(model, "?", evidence=evidence)
