"""Records of turns: read back to the letter, within a line, and true to the turn."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acting import answer, call, session
from checkrail import Evidence, read_evidence
from checkrail.boundary.authority import Authority
from checkrail.boundary.evidence.file import read_evidence as read_again
from checkrail.boundary.evidence.record import MOST_BYTES, chain_of, read_line, write_line
from checkrail.boundary.evidence.setting import Bounds, Environment
from checkrail.boundary.evidence.turn import MOST_CALLS, CallRecord, Questions, TurnRecord
from checkrail.boundary.evidence.types import (
    LARGEST_COUNT,
    CallEnd,
    Capability,
    Code,
    CodeCount,
    Digest,
    Effects,
    FiveNumbers,
    Format,
    Id,
    Implementation,
    IsolationLevel,
    Kernel,
    Level,
    Platform,
    TurnStop,
    Version,
)
from checkrail.errors import CATALOGUE

counts = st.integers(0, LARGEST_COUNT)
digests = st.binary(min_size=32, max_size=32).map(lambda data: Digest(data.hex()))
codes = st.sampled_from(sorted(CATALOGUE)).map(Code)
five = st.none() | st.builds(FiveNumbers, *[counts] * 5)
calls = st.builds(
    CallRecord,
    tool_tag=digests,
    args_tag=digests,
    capability=st.sampled_from(Capability),
    state=st.sampled_from(CallEnd),
    effects=st.sampled_from(Effects),
    code=st.none() | codes,
    isolation=st.sampled_from(IsolationLevel),
    run_ms=counts,
    args_bytes=counts,
    result_bytes=counts,
    result_tokens=counts,
    truncated=st.booleans(),
)
LONGEST = Code(max(CATALOGUE, key=len))


def example() -> TurnRecord:
    """A record whose every field is at its widest."""
    version, many = Version(*[LARGEST_COUNT] * 3), FiveNumbers(*[LARGEST_COUNT] * 5)
    one = CallRecord(
        tool_tag=Digest("a" * 64),
        args_tag=Digest("b" * 64),
        capability=Capability.WRITE,
        state=CallEnd.TIMED_OUT,
        effects=Effects.COMPLETED,
        code=LONGEST,
        isolation=IsolationLevel.LIMITS,
        run_ms=LARGEST_COUNT,
        args_bytes=LARGEST_COUNT,
        result_bytes=LARGEST_COUNT,
        result_tokens=LARGEST_COUNT,
        truncated=False,
    )
    return TurnRecord(
        session=Id("se_" + "0" * 26),
        run=Id("rn_" + "1" * 26),
        hour=1_796_022_000,
        environment=Environment(version, Implementation.CPYTHON, version, Platform.BROWSER, Kernel.INTERPRETED),
        model_sha256=Digest("c" * 64),
        tokenizer_sha256=Digest("d" * 64),
        template_sha256=Digest("e" * 64),
        grammar_tag=Digest("f" * 64),
        bounds=Bounds(*[LARGEST_COUNT] * 5),
        level=Level.AUTO_PURE,
        steps=LARGEST_COUNT,
        prompt_tokens=LARGEST_COUNT,
        output_tokens=LARGEST_COUNT,
        mask_microseconds=LARGEST_COUNT,
        model_microseconds=LARGEST_COUNT,
        total_microseconds=LARGEST_COUNT,
        stop=TurnStop.CANCELLED,
        code=LONGEST,
        calls=(one,) * MOST_CALLS,
        calls_not_listed=LARGEST_COUNT,
        questions=Questions(
            asked=LARGEST_COUNT, approved=LARGEST_COUNT, denied=LARGEST_COUNT, expired=LARGEST_COUNT, milliseconds=many
        ),
        sources=LARGEST_COUNT,
        source_tokens=LARGEST_COUNT,
        notices=(CodeCount(Code("CONTEXT_TRUNCATED"), LARGEST_COUNT),),
    )


def test_the_largest_record_fits() -> None:
    assert len(write_line(example(), b"")) < MOST_BYTES


@given(
    st.lists(calls, max_size=3).map(tuple),
    st.builds(Questions, asked=counts, approved=counts, denied=counts, expired=counts, milliseconds=five),
    st.sampled_from(TurnStop),
    st.none() | codes,
    st.binary(max_size=20),
)
def test_a_line_is_read_back_to_the_letter(
    some: tuple[CallRecord, ...], questions: Questions, stop: TurnStop, code: Code | None, before: bytes
) -> None:
    record = dataclasses.replace(example(), calls=some, questions=questions, stop=stop, code=code)
    assert read_line(write_line(record, before)) == (record, chain_of(record, before))


@pytest.mark.parametrize("changes", [{"hour": 1}, {"evidence": Format.RUN}])
def test_what_is_no_record(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"hour|evidence"):
        dataclasses.replace(example(), **changes)  # type: ignore[arg-type]


def test_a_record_says_how_the_turn_went(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    script = [call("double", {"number": 2}), call("notes.append", {"text": "four"}), answer("done")]
    with Evidence(path) as evidence:
        session(tmp_path, script, "approve", evidence=evidence, authority=Authority.AUTO_READ).run("Double 2")
        session(tmp_path, script[1:], "deny", evidence=evidence).run("Write it down")
        turn = session(tmp_path, [answer("x")], evidence=evidence).stream("Hi")
        turn.close()
    first, second, third = list(read_evidence(path))
    assert isinstance(first, TurnRecord)
    assert isinstance(second, TurnRecord)
    assert isinstance(third, TurnRecord)
    assert [(c.capability.value, c.state.value, c.effects.value) for c in first.calls] == [
        ("pure", "done", "none"),
        ("write", "done", "completed"),
    ]
    assert (first.steps, first.level, first.stop, first.code) == (3, Level.AUTO_READ, TurnStop.ANSWERED, None)
    assert (first.questions.asked, first.questions.approved, first.questions.denied) == (1, 1, 0)
    assert first.sources == 1
    assert first.source_tokens == sum(c.result_tokens for c in first.calls) > 0
    assert first.calls[1].args_bytes == len(b'{"text":"four"}')
    assert (second.questions.denied, str(second.calls[0].code)) == (1, "AUTH_DENIED_USER")
    assert second.calls[0].state is CallEnd.DENIED
    assert (third.stop, str(third.code), third.calls) == (TurnStop.CANCELLED, "CANCELLED", ())
    assert len(list(read_again(path))) == 3
    assert first.grammar_tag == second.grammar_tag
    assert repr(first) == f"<TurnRecord {first.run} answered, 3 steps, 2 calls>"


def test_calls_beyond_those_that_fit_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    script = [call("double", {"number": n}) for n in range(8)]
    with Evidence(path) as evidence:
        session(tmp_path, script, evidence=evidence).run("Go on")
    (record,) = read_evidence(path)
    assert isinstance(record, TurnRecord)
    assert (len(record.calls), record.calls_not_listed) == (MOST_CALLS, 8 - MOST_CALLS)
