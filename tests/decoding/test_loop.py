"""The decode loop: how runs end, and that they can be cancelled and closed at every point."""

import hashlib
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import checkrail
from checkrail.decoding import loop
from checkrail.decoding.run import Run
from checkrail.decoding.sampling import Draw, Sampling
from checkrail.decoding.stream import Delta, End, Event, Start
from checkrail.errors import ModelError
from decoding_toys import (
    BYTES,
    EOS,
    PROMPT,
    Script,
    TextsMatcher,
    Ticks,
    byte_vocabulary,
    check_envelope,
    make,
    play,
)

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"


# -- ends -----------------------------------------------------------------------------------------------------


def test_forced_tokens_need_no_model_and_the_end_neither() -> None:
    stream, source, run = make(b'{"a":2}', [b'{"a":1}', b'{"a":2}'])
    events = list(stream)
    end = check_envelope(events)
    assert "".join(e.text for e in events if isinstance(e, Delta)) == '{"a":2}'
    assert (end.complete, end.stop, end.code) == (True, "grammar_complete", None)
    assert (end.usage.tokens, end.usage.forced_tokens, end.usage.model_calls) == (7, 6, 1)
    assert source.calls == [tuple(PROMPT) + tuple(b'{"a":')]
    assert run.token_ids == list(b'{"a":2}')


def test_eos_competes_where_the_text_may_end() -> None:
    assert play(b"a", [b"a", b"ab"])[1].stop == "eos"
    text, end, _ = play(b"ab", [b"a", b"ab"])
    assert (text, end.stop, end.complete) == ("ab", "grammar_complete", True)


def test_an_empty_text_is_a_text() -> None:
    text, end, _ = play(b"", [b"", b"a"])
    assert (text, end.stop, end.complete) == ("", "eos", True)
    text, end, _ = play(b"", [b""])
    assert (text, end.stop, end.complete, end.usage.model_calls) == ("", "grammar_complete", True, 0)


def test_the_mask_wins_over_the_model() -> None:
    text, end, _ = play(b"no way", [b"yes", b"yet"])
    assert text in ("yes", "yet")
    assert end.complete


def test_dead_end() -> None:
    text, end, _ = play(b"abc", [b"abc"], vocabulary=byte_vocabulary(without=b"c"))
    assert (text, end.stop, end.code, end.complete) == ("ab", "dead_end", "MASK_DEAD_END", False)
    assert end.error is not None
    assert end.error.params == {"tokens": 2}


def test_max_tokens() -> None:
    text, end, _ = play(b"abcdef", [b"abcdef"], max_tokens=3)
    assert (text, end.stop, end.code, end.complete) == ("abc", "max_tokens", "BUDGET_TOKENS", False)
    assert play(b"abc", [b"abc"], max_tokens=3)[1].stop == "grammar_complete"
    # "12" is a whole number, but the model might have gone on: a cut number must not pass for a value.
    assert play(b"123", [b"1", b"12", b"123"], max_tokens=2)[1].complete is False


def test_max_bytes_takes_no_token_that_would_pass_it() -> None:
    text, end, _ = play([258, 258], vocabulary=byte_vocabulary(b"long"), max_bytes=7)
    assert (text, end.stop, end.code) == ("long", "max_bytes", "BUDGET_BYTES")
    assert end.error is not None
    assert end.error.params == {"bytes": 4}
    assert play(b"ab", max_bytes=2)[1].stop == "eos"


def test_time_limit() -> None:
    text, end, _ = play(b"x" * 50, time_limit=1.0, clock=Ticks(0.01))
    assert (end.stop, end.code, end.complete) == ("time_limit", "BUDGET_TIME", False)
    assert 0 < len(text) < 50
    assert end.error is not None
    assert end.error.params == {"milliseconds": 1000}
    # An output that is already whole is not made incomplete by the clock.
    assert play(b"", [b""], time_limit=0.001, clock=Ticks(1.0))[1].stop == "grammar_complete"


def test_stop_at_first_accept() -> None:
    text, end, _ = play(b"abc", [b"ab", b"abc"], stop_at_first_accept=True)
    assert (text, end.stop, end.complete) == ("ab", "grammar_complete", True)
    waiting = play(b"abc", [b"ab", b"abc"], stop_at_first_accept=True, sampling=Sampling(min_tokens=3))
    assert waiting[0] == "abc"


def test_min_tokens_holds_the_end_back() -> None:
    assert play(b"", [b"", b"a", b"ab"], sampling=Sampling(min_tokens=1))[0] == "a"
    assert play(b"", [b""], sampling=Sampling(min_tokens=5))[1].stop == "grammar_complete"


def test_forbidden() -> None:
    _, end, _ = play(b"ab", [b"ab"], sampling=Sampling(forbidden=[ord("b")]))
    assert (end.stop, end.code) == ("failed", "SAMPLING_FORBIDDEN_EMPTY")
    text, end, _ = play(b"a", [b"a", b"ab"], sampling=Sampling(forbidden=[EOS, ord("b")]))
    assert (text, end.stop, end.complete) == ("a", "grammar_complete", True)


class Failing:
    def __init__(self, failure: BaseException) -> None:
        self.failure = failure

    def logits(self, ids: Sequence[int], /) -> Any:
        raise self.failure


@pytest.mark.parametrize("failure", [RuntimeError("secret prompt"), MemoryError(), ZeroDivisionError("secret")])
def test_a_failing_backend_is_named_by_class_alone(failure: Exception) -> None:
    run = Run("r")
    _, end, events = play(source=Failing(failure), run=run)
    assert (end.stop, end.code, end.complete) == ("failed", "BACKEND_FAILED", False)
    assert end.error is not None
    assert end.error.params == {"what": type(failure).__name__}
    assert "secret" not in "".join(e.to_json() for e in events)
    assert end.error.__cause__ is None
    assert run.exception is failure


def test_errors_of_the_catalogue_pass_through() -> None:
    error = ModelError("CONTEXT_OVERFLOW", need=5, have=4)
    _, end, _ = play(source=Failing(error))
    assert end.error is error


def test_a_matcher_that_contradicts_its_mask() -> None:
    class Liar(TextsMatcher):
        def accept_token(self, token_id: int, /) -> bool:
            return False

    _, end, _ = play(b"ab", matcher=Liar(BYTES, [b"ab", b"ac"]))
    assert (end.stop, end.code) == ("failed", "MASK_STATE")
    _, end, _ = play(b"", matcher=Liar(BYTES, [b"", b"ac"]))
    assert (end.stop, end.code) == ("failed", "MASK_STATE")


def test_a_defect_is_an_internal_error_and_kept_for_debugging() -> None:
    class Broken(TextsMatcher):
        def is_completed(self) -> bool:
            raise KeyError("secret")

    run = Run("r")
    _, end, events = play(b"ab", matcher=Broken(BYTES, [b"ab"]), run=run)
    assert (end.stop, end.code) == ("failed", "INTERNAL")
    assert "secret" not in events[-1].to_json()
    assert isinstance(run.exception, KeyError)


def test_an_interrupt_is_not_swallowed() -> None:
    stream, _, run = make(source=Failing(KeyboardInterrupt()))
    assert isinstance(next(stream), Start)
    with pytest.raises(KeyboardInterrupt):
        next(stream)
    assert run.end is not None
    assert (run.end.stop, run.end.code, run.end.complete) == ("closed", "STREAM_CLOSED", False)


def test_same_input_same_events() -> None:
    runs = [play(b"hello", sampling=Sampling(temperature=2.0), max_tokens=20)[2] for _ in range(2)]
    first, second = ([e.to_json() for e in events] for events in runs)
    assert first == second


# -- cancelling and closing ---------------------------------------------------------------------------------------


class Stage:
    """Runs a decode whose every outside call and every event is a point at which something may happen."""

    def __init__(self, wanted: bytes, texts: Any, at: int | None, **options: Any) -> None:
        self.points = 0
        self.at = at
        self.answer: bool | None = None
        self.after: list[Event] = []
        self.late_calls = 0
        self.run = Run("r")
        self.source = Script(BYTES, list(wanted), len(PROMPT))
        clock = Ticks()
        self.source.hook, clock.hook = self.model_point, self.point
        matcher = options.pop("matcher", None) or (None if texts is None else TextsMatcher(BYTES, texts))
        if isinstance(matcher, TextsMatcher):
            self.watched(matcher)
        stream, _, _ = make(source=self.source, matcher=matcher, run=self.run, clock=clock, **options)
        self.events: list[Event] = []
        for event in stream:
            if self.answer:
                self.after.append(event)
            self.events.append(event)
            self.point()
        self.end = check_envelope(self.events)

    def point(self) -> None:
        if self.points == self.at:
            self.answer = self.run.cancel()
        self.points += 1

    def model_point(self) -> None:
        self.late_calls += self.answer is True
        self.point()

    def watched(self, matcher: TextsMatcher) -> None:
        for name in ("fill_next_token_bitmask", "accept_token", "is_completed"):
            self.watch(matcher, name)

    def watch(self, matcher: TextsMatcher, name: str) -> None:
        inner = getattr(matcher, name)

        def method(*arguments: Any) -> Any:
            self.point()
            return inner(*arguments)

        setattr(matcher, name, method)

    def check(self, late: int = 0) -> None:
        """late: events, and steps of the model, that may follow the cancel."""
        assert len([e for e in self.after if not isinstance(e, (Start, End))]) <= late
        assert self.late_calls <= late
        if self.answer:
            assert (self.end.stop, self.end.code, self.end.complete) == ("cancelled", "CANCELLED", False)
        else:
            assert self.end.stop != "cancelled"
        text = "".join(e.text for e in self.events if isinstance(e, Delta)) + self.end.held_text
        written = b"".join(BYTES.token_bytes(i) or b"" for i in self.run.token_ids)
        assert text.encode() + bytes.fromhex(self.end.held_hex) == written
        assert len(text) == self.end.text_len
        assert self.end.text_sha256 == hashlib.sha256(text.encode()).hexdigest()
        assert self.run.cancel() == bool(self.answer)  # idempotent


class Lines(Stage):
    """The same, with a point at each line that the loop or its text runs: also where nothing is called."""

    FILES = tuple(str(Path(loop.__file__).with_name(f"{name}.py")) for name in ("loop", "text_output", "utf8"))

    def __init__(self, wanted: bytes, texts: Any, at: int | None, **options: Any) -> None:
        before = sys.gettrace()  # that of a measurement of coverage, for one
        sys.settrace(self.frame)
        try:
            super().__init__(wanted, texts, at, **options)
        finally:
            sys.settrace(before)

    def frame(self, frame: Any, event: str, argument: Any) -> Any:
        return self.line if frame.f_code.co_filename in self.FILES else None

    def line(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            self.point()
        return self.line


SCENES: list[tuple[bytes, Any, dict[str, Any]]] = [
    ("a€😀".encode(), None, {"stop": ["a€x", "€😀!"]}),
    (b'{"a":2}', [b'{"a":1}', b'{"a":2}', b'{"a":2}x'], {"time_limit": 9.0}),
    ("ü€".encode(), None, {"progress_interval": 0.1, "max_tokens": 4}),
    (b"abcd\xe2\x82\xff", None, {"utf8": "fail", "max_bytes": 9}),
]


@pytest.mark.parametrize(("wanted", "texts", "options"), SCENES)
def test_cancel_at_every_point(wanted: bytes, texts: Any, options: dict[str, Any]) -> None:
    free = Stage(wanted, texts, None, **options)
    free.check()
    assert free.points > 30
    cancelled = 0
    for at in range(free.points):
        stage = Stage(wanted, texts, at, **options)
        stage.check()
        cancelled += stage.answer is True
        if not stage.answer:
            assert stage.events == free.events or stage.end.text_sha256 == free.end.text_sha256
    assert free.points - 6 < cancelled < free.points  # only the very last points come too late


@pytest.mark.parametrize(("wanted", "texts", "options"), SCENES)
def test_cancel_between_any_two_lines(wanted: bytes, texts: Any, options: dict[str, Any]) -> None:
    free = Lines(wanted, texts, None, **options)
    assert free.points > 300
    late = cancelled = 0
    for at in range(0, free.points, 1 if THOROUGH else 5):
        stage = Lines(wanted, texts, at, **options)
        stage.check(late=1)  # one that was being handed over, or begun, at that very moment
        late += any(isinstance(e, Delta) for e in stage.after)
        cancelled += stage.answer is True
    assert late < cancelled


def test_cancel_while_forced_tokens_are_written() -> None:
    grammar = checkrail.Grammar.from_gbnf('root ::= "abcdabcd" ("!" | "?")')
    constraint = checkrail.compile(grammar, BYTES)
    free = Stage(b"abcdabcd!", None, None, matcher=constraint.matcher(), jump_forward=True)
    free.check()
    lengths = set()
    for at in range(free.points):
        stage = Stage(b"abcdabcd!", None, at, matcher=constraint.matcher(), jump_forward=True)
        stage.check()
        lengths.add(stage.end.text_len)
    assert lengths == set(range(10))


def test_a_thousand_random_interleavings() -> None:
    random = Random(3)
    answers = set()
    for _ in range(10_000 if THOROUGH else 1_000):
        wanted = "".join(random.choice("ab€😀") for _ in range(random.randint(0, 5)))
        stop = ["".join(random.choice("ab€") for _ in range(3)) + "#"] if random.random() < 0.7 else []
        stage = Stage(wanted.encode(), None, random.randrange(120), stop=stop, max_tokens=random.randint(1, 16))
        stage.check()
        answers.add(stage.answer)
    assert answers == {True, False, None}


def test_cancel_before_the_start() -> None:
    run = Run("r")
    assert run.cancel()
    text, end, events = play(b"abc", run=run)
    assert (text, end.stop, len(events), end.usage.model_calls) == ("", "cancelled", 2, 0)


def test_a_token_drawn_while_cancelling_is_not_used() -> None:
    class Cancelling:
        sampling = Sampling()

        def sample(self, logits: Any, bitmask: Any, history: Sequence[int], **arguments: Any) -> Draw:
            assert run.cancel()
            return Draw(97)

    run = Run("r")
    text, end, _ = play(sampler=Cancelling(), run=run)
    assert (text, end.stop, end.held_text, run.token_ids) == ("", "cancelled", "", [])


def test_cancel_from_another_thread() -> None:
    for delay in (0.0, 0.002, 0.01):
        run = Run("r")
        stream, _, _ = make(b"x" * 100_000, max_tokens=100_000, run=run)
        answers: list[bool] = []
        timer = threading.Timer(delay, lambda run=run, answers=answers: answers.append(run.cancel()))
        timer.start()
        end = check_envelope(list(stream))
        timer.join()
        assert answers == [True]
        assert end.stop == "cancelled"
        assert end.text_len == len(run.token_ids)


def test_exactly_one_side_wins_a_race() -> None:
    for _ in range(200):
        run = Run("r")
        stream, _, _ = make(b"ab", run=run)
        answers: list[bool] = []
        threads = [threading.Thread(target=lambda a=answers, r=run: a.append(r.cancel())) for _ in range(2)]
        for thread in threads:
            thread.start()
        end = check_envelope(list(stream))
        for thread in threads:
            thread.join()
        assert answers == [end.stop == "cancelled"] * 2
        assert end.complete == (end.stop == "eos")


def test_closing_the_stream_at_every_event() -> None:
    total = len(play("a€bc".encode(), stop=["bcd"])[2])
    for taken in range(1, total + 1):
        stream, _, run = make("a€bc".encode(), stop=["bcd"])
        text = "".join(e.text for e in [next(stream) for _ in range(taken)] if isinstance(e, Delta))
        stream.close()
        end = run.end
        assert end is not None
        if taken == total:
            assert end.stop == "eos"
            assert run.cancel() is False
            continue
        assert (end.stop, end.code, end.complete, end.seq) == ("closed", "STREAM_CLOSED", False, taken)
        assert (text + end.held_text).encode() + bytes.fromhex(end.held_hex) == bytes(run.token_ids)
        assert list(stream) == []
