import json
import re
import threading
from collections.abc import Generator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.decoding.loop import decode
from checkrail.decoding.run import Run
from checkrail.decoding.sampler import Sampler
from checkrail.decoding.sampling import Draw, Sampling
from checkrail.decoding.stream import Delta, End, Event, Notice, Progress, Start
from checkrail.errors import ModelError, SamplingError
from decoding_toys import EOS, SPECIAL, Script, TextsMatcher, Ticks, byte_vocabulary

BYTES = byte_vocabulary()
PROMPT = [104, 105]


def make(
    wanted: bytes | Sequence[int] = b"", texts: Any = None, **options: Any
) -> tuple[Generator[Event, None, None], Script, Run]:
    """A run over bytes in which the model wants to write `wanted`; `texts` is the grammar."""
    vocabulary = options.pop("vocabulary", BYTES)
    sampling = options.pop("sampling", Sampling())
    sampler = options.pop("sampler", None) or Sampler(
        sampling, logits_width=vocabulary.logits_width, vocabulary_size=vocabulary.size, seed=0
    )
    source = options.pop("source", None) or Script(vocabulary, list(wanted), len(PROMPT))
    run = options.pop("run", None) or Run("r")
    matcher = options.pop("matcher", None) or (None if texts is None else TextsMatcher(vocabulary, texts))
    options = {"max_tokens": 1000, "clock": Ticks(), **options}
    return decode(source, PROMPT, matcher, sampler, vocabulary=vocabulary, run=run, **options), source, run


def play(*arguments: Any, **options: Any) -> tuple[str, End, list[Event]]:
    stream, _, run = make(*arguments, **options)
    events = list(stream)
    end = check_envelope(events)
    assert run.end is end
    return "".join(e.text for e in events if isinstance(e, Delta)), end, events


def check_envelope(events: list[Event]) -> End:
    """What holds for every stream."""
    assert [e.seq for e in events] == list(range(len(events)))
    assert [e for e in events if isinstance(e, Start)] == events[:1]
    assert [e for e in events if isinstance(e, End)] == events[-1:]
    at = 0
    for event in events:
        assert json.loads(event.to_json())["type"] == event.type
        if isinstance(event, Delta):
            assert event.text
            assert event.at == at
            at += len(event.text)
    end = events[-1]
    assert isinstance(end, End)
    assert end.text_len == at + len(end.held_text)
    assert end.complete == (end.error is None)
    return end


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


# -- text -----------------------------------------------------------------------------------------------------

CORPUS = [
    "plain", "é", "naïve façade", "€ 5,–", "日本語のテキスト", "😀", "👩‍💻👨‍👩‍👧", "🏳️‍🌈", "e\u0301",
    "\ufeffBOM", "\x00\x7f",
    "\u0085\u2028", "שלום", "नमस्ते", "\U0010ffff\ufffd", '{"k": "ü\\n"}', "Zürich–Köln", "ไทย", "ﷺ", "𝔘𝔫𝔦",
]  # fmt: skip


def splits(data: bytes, random: Random) -> list[bytes]:
    pieces = []
    while data:
        n = random.randint(1, 4)
        pieces.append(data[:n])
        data = data[n:]
    return pieces


def test_any_split_of_a_corpus_gives_the_same_text() -> None:
    random = Random(1)
    texts = CORPUS + ["".join(random.choice(CORPUS) for _ in range(3)) for _ in range(180)]
    for text in texts:
        pieces = splits(text.encode(), random)
        vocabulary = byte_vocabulary(*dict.fromkeys(pieces))
        ids = [vocabulary.tokens.index(p, 258) for p in pieces]
        for utf8 in ("replace", "fail"):
            given_out, end, _ = play(ids, vocabulary=vocabulary, utf8=utf8)
            assert (given_out, end.stop, end.held_hex) == (text, "eos", "")


def test_free_text_never_contains_special_tokens_or_padding() -> None:
    sampling = Sampling(temperature=5.0)
    for seed in range(5):
        sampler = Sampler(sampling, logits_width=BYTES.logits_width, vocabulary_size=BYTES.size, seed=seed)
        stream, _, run = make(b"hello", sampler=sampler, max_tokens=40)
        check_envelope(list(stream))
        assert all(i < 256 for i in run.token_ids)


def test_replace_tells_how_often() -> None:
    text, end, events = play(b"a\xff\xe2\x82b\xc3")
    assert (text, end.stop, end.complete, end.held_hex) == ("a\ufffd\ufffdb\ufffd", "eos", True, "")
    assert [(e.code, e.count) for e in events if isinstance(e, Notice)] == [("STREAM_REPLACED", 1)] * 3


def test_fail_keeps_the_text_before_and_the_bytes_after() -> None:
    vocabulary = byte_vocabulary(b"ok\xffrest")
    text, end, _ = play([ord("a"), 258], vocabulary=vocabulary, utf8="fail")
    assert (text, end.stop, end.code, end.held_hex) == ("aok", "failed", "STREAM_UTF8", b"\xffrest".hex())
    assert end.error is not None
    assert end.error.params == {"offset": 3}


def test_fail_on_a_tail_that_never_came() -> None:
    text, end, _ = play(b"a\xe2\x82", utf8="fail")
    assert (text, end.code, end.held_hex, end.complete) == ("a", "STREAM_UTF8", "e282", False)


def test_a_cut_character_is_held_not_replaced() -> None:
    text, end, _ = play("a€".encode(), max_tokens=3)
    assert (text, end.stop, end.held_hex) == ("a", "max_tokens", "e282")


def test_stop_strings_are_not_sent() -> None:
    text, end, _ = play(b"one\n\nUser: two", stop=["\n\nUser:", "never"])
    assert (text, end.stop, end.complete, end.stop_string, end.held_text) == (
        "one",
        "stop_string",
        True,
        "\n\nUser:",
        "",
    )
    vocabulary = byte_vocabulary(b"x END y\xe2")
    text, end, _ = play([258], vocabulary=vocabulary, stop=["END"])
    assert (text, end.stop, end.complete, end.held_hex) == ("x ", "stop_string", True, "e2")


def test_a_stop_string_before_bad_bytes_ends_the_text_well() -> None:
    vocabulary = byte_vocabulary(b"x END\xff")
    text, end, _ = play([258], vocabulary=vocabulary, stop=["END"], utf8="fail")
    assert (text, end.stop, end.complete) == ("x ", "stop_string", True)


def test_what_was_held_is_sent_when_the_run_ends() -> None:
    for options in ({"max_tokens": 4}, {}):
        text, end, events = play(b"aSTO", stop=["STOP"], **options)
        assert (text, end.held_text) == ("aSTO", "")
        assert [e.text for e in events if isinstance(e, Delta)] == ["a", "STO"]


# -- what reaches the sampler -----------------------------------------------------------------------------------


class Spy:
    def __init__(self, sampling: Sampling, draws: list[Draw]) -> None:
        self.sampling = sampling
        self.draws = draws
        self.seen: list[Any] = []

    def sample(self, logits: Any, bitmask: Any, history: Sequence[int], **arguments: Any) -> Draw:
        self.seen.append((list(history), arguments))
        return self.draws.pop(0)


def test_history_and_step() -> None:
    for include, start in ((False, []), (True, PROMPT)):
        spy = Spy(Sampling(include_prompt=include), [Draw(97), Draw(98, 1.0, (("LOGITS_NAN", 3),)), Draw(EOS)])
        text, end, events = play(sampler=spy)
        assert (text, end.stop) == ("ab", "eos")
        common = {"eos_ids": (EOS,), "accepting": True}
        assert spy.seen == [([*start, *b"ab"[:n]], {**common, "step": n}) for n in range(3)]
        assert [(e.code, e.count) for e in events if isinstance(e, Notice)] == [("LOGITS_NAN", 3)]


def test_a_special_token_that_the_grammar_names_writes_nothing() -> None:
    class Naming(TextsMatcher):
        def allows(self, token: int) -> bool:
            return token == SPECIAL if not self.prefix and not self.ended else super().allows(token)

        def accept_token(self, token_id: int, /) -> bool:
            self.ended = True
            return True

        def is_completed(self) -> bool:
            return self.ended

    stream, _, run = make(matcher=Naming(BYTES, []))
    end = check_envelope(list(stream))
    assert (end.stop, end.text_len, run.token_ids) == ("grammar_complete", 0, [SPECIAL])


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.binary(min_size=1, max_size=4).map(lambda b: bytes(97 + x % 3 for x in b)), min_size=1, max_size=6),
    st.integers(0, 99),
)
def test_skipping_the_model_changes_no_draw(texts: list[bytes], seed: int) -> None:
    vocabulary = byte_vocabulary(b"ab", b"abc", b"cc")
    sampling = Sampling(temperature=3.0)
    sampler = Sampler(sampling, logits_width=vocabulary.logits_width, vocabulary_size=vocabulary.size, seed=seed)
    stream, source, run = make(b"abcabc", texts, vocabulary=vocabulary, sampler=sampler)
    end = check_envelope(list(stream))

    matcher, row = TextsMatcher(vocabulary, texts), bytearray(4 * ((vocabulary.size + 31) // 32))
    ids: list[int] = []
    while not matcher.ended:
        matcher.fill_next_token_bitmask(row)
        token = sampler.sample(
            source.logits([*PROMPT, *ids]),
            memoryview(row).cast("i"),
            ids,
            eos_ids=(EOS,),
            accepting=matcher.is_completed(),
        ).token
        assert token is not None
        assert matcher.accept_token(token)
        ids.append(token)
    assert [*run.token_ids, EOS] == ids
    assert end.complete


# -- cancelling and closing ---------------------------------------------------------------------------------------


class Stage:
    """Runs a decode whose every outside call and every event is a point at which something may happen."""

    def __init__(self, wanted: bytes, texts: Any, at: int | None, **options: Any) -> None:
        self.points = 0
        self.at = at
        self.answer: bool | None = None
        self.after: list[Event] = []
        self.run = Run("r")
        source = Script(BYTES, list(wanted), len(PROMPT))
        clock = Ticks()
        source.hook = clock.hook = self.point
        matcher = None if texts is None else self.watched(TextsMatcher(BYTES, texts))
        stream, _, _ = make(source=source, matcher=matcher, run=self.run, clock=clock, **options)
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

    def watched(self, matcher: TextsMatcher) -> TextsMatcher:
        for name in ("fill_next_token_bitmask", "accept_token", "is_completed"):
            self.watch(matcher, name)
        return matcher

    def watch(self, matcher: TextsMatcher, name: str) -> None:
        inner = getattr(matcher, name)

        def method(*arguments: Any) -> Any:
            self.point()
            return inner(*arguments)

        setattr(matcher, name, method)

    def check(self) -> None:
        assert not any(isinstance(e, (Delta, Notice, Progress)) for e in self.after)
        if self.answer:
            assert (self.end.stop, self.end.code, self.end.complete) == ("cancelled", "CANCELLED", False)
        else:
            assert self.end.stop != "cancelled"
        text = "".join(e.text for e in self.events if isinstance(e, Delta)) + self.end.held_text
        assert text.encode() + bytes.fromhex(self.end.held_hex) == bytes(self.run.token_ids)
        assert len(text) == self.end.text_len
        assert self.run.cancel() == bool(self.answer)  # idempotent


SCENES: list[tuple[bytes, Any, dict[str, Any]]] = [
    ("a€😀".encode(), None, {"stop": ["a€x", "€😀!"]}),
    (b'{"a":2}', [b'{"a":1}', b'{"a":2}', b'{"a":2}x'], {"time_limit": 9.0}),
    ("ü€".encode(), None, {"progress_interval": 0.1, "max_tokens": 4}),
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


def test_a_thousand_random_interleavings() -> None:
    random = Random(3)
    answers = set()
    for _ in range(1000):
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
    class Cancelling(Spy):
        def sample(self, logits: Any, bitmask: Any, history: Sequence[int], **arguments: Any) -> Draw:
            assert run.cancel()
            return Draw(97)

    run = Run("r")
    text, end, _ = play(sampler=Cancelling(Sampling(), []), run=run)
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


# -- forced tokens and token budgets --------------------------------------------------------------------------------

FORCED = byte_vocabulary(b"ab", b"cd")
AB, CD = 258, 259


def forced_run(**options: Any) -> tuple[str, End, Script]:
    grammar = checkrail.Grammar.from_gbnf('root ::= "abcdabcd" ("!" | "?")')
    matcher = checkrail.compile(grammar, FORCED).matcher()
    stream, source, _ = make(b"abcdabcd!", vocabulary=FORCED, matcher=matcher, **options)
    events = list(stream)
    return "".join(e.text for e in events if isinstance(e, Delta)), check_envelope(events), source


def test_a_jump_takes_long_tokens_and_asks_where_there_is_a_choice_of_text() -> None:
    text, end, source = forced_run()
    assert (text, end.usage.tokens, end.usage.forced_tokens) == ("abcdabcd!", 9, 4)
    text, end, source = forced_run(jump_forward=True)
    assert (text, end.usage.tokens, end.usage.forced_tokens, end.usage.model_calls) == ("abcdabcd!", 5, 4, 1)
    assert [list(ids) for ids in source.calls] == [[*PROMPT, AB, CD, AB, CD]]


def test_a_jump_keeps_to_the_bounds_and_the_forbidden_ids() -> None:
    text, end, _ = forced_run(jump_forward=True, max_tokens=3)
    assert (text, end.stop, end.usage.tokens) == ("abcdab", "max_tokens", 3)
    text, end, _ = forced_run(jump_forward=True, max_bytes=5)
    assert (text, end.stop) == ("abcd", "max_bytes")
    text, end, _ = forced_run(jump_forward=True, sampling=Sampling(forbidden=[CD]))
    assert (text, end.usage.tokens, end.usage.forced_tokens) == ("abcdabcd!", 7, 4)  # each c asked for, then only d


def test_a_budget_brings_the_text_to_its_end_and_says_so() -> None:
    grammar = checkrail.Grammar.from_gbnf('root ::= "a"* "!"')
    matcher = checkrail.compile(grammar, BYTES).matcher(token_budget=4)
    text, end, events = play(b"a" * 50, matcher=matcher, max_tokens=4)
    assert (text, end.stop, end.complete, end.usage.forced_close) == ("aaa!", "grammar_complete", True, 1)
    assert [(e.code, e.count) for e in events if isinstance(e, Notice)] == [("BUDGET_CLOSING", 1)]


# -- arguments, usage, progress -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("max_tokens", {"max_tokens": 0}),
        ("max_tokens", {"max_tokens": None}),
        ("max_tokens", {"max_tokens": True}),
        ("max_bytes", {"max_bytes": 0}),
        ("time_limit", {"time_limit": 0}),
        ("time_limit", {"time_limit": float("nan")}),
        ("time_limit", {"time_limit": float("inf")}),
        ("time_limit", {"time_limit": "1"}),
        ("progress_interval", {"progress_interval": 0.01}),
        ("utf8", {"utf8": "ignore"}),
        ("stop", {"stop": [""]}),
        ("stop", {"stop": ["x"], "texts": [b"a"]}),
        ("stop_at_first_accept", {"stop_at_first_accept": True}),
        ("jump_forward", {"jump_forward": True}),
        ("jump_forward", {"jump_forward": True, "texts": [b"a"]}),
    ],
)
def test_bad_arguments_are_refused_at_once(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(SamplingError) as caught:
        make(b"", **options)
    assert (caught.value.code, caught.value.params["name"]) == ("SAMPLING_PARAM", name)


def test_a_run_serves_once() -> None:
    run = Run()
    make(b"", run=run)
    with pytest.raises(SamplingError, match="run must be a fresh Run"):
        make(b"", run=run)


def test_usage_adds_up() -> None:
    _, end, _ = play(b"ab", [b"ab", b"ac", b"bb"], clock=Ticks(0.001))
    usage = end.usage
    assert (usage.prompt_tokens, usage.tokens, usage.forced_tokens, usage.model_calls, usage.masks) == (2, 2, 0, 2, 3)
    assert (usage.mask_microseconds, usage.mask_microseconds_max) == (3000, 1000)
    assert (usage.model_microseconds, usage.sample_microseconds) == (2000, 2000)
    assert usage.total_microseconds > 7000


def test_progress() -> None:
    events = play(b"x" * 60, clock=Ticks(0.01), progress_interval=0.5)[2]
    shown = [e.tokens for e in events if isinstance(e, Progress)]
    assert len(shown) in range(3, 20)
    assert shown == sorted(set(shown))
    assert not any(isinstance(e, Progress) for e in play(b"x" * 60, clock=Ticks(0.01))[2])


def test_same_input_same_events() -> None:
    runs = [play(b"hello", sampling=Sampling(temperature=2.0), max_tokens=20)[2] for _ in range(2)]
    first, second = ([e.to_json() for e in events] for events in runs)
    assert first == second


def test_with_a_real_grammar() -> None:
    vocabulary = byte_vocabulary(b'{"', b'"a', b'": ', b"12", b"}")
    grammar = checkrail.Grammar.from_gbnf('root ::= "{\\"a\\": " [0-9]{1,3} "}"')
    for seed in range(20):
        matcher = checkrail.compile(grammar, vocabulary).matcher()
        sampler = Sampler(
            Sampling(temperature=2.0), logits_width=vocabulary.logits_width, vocabulary_size=vocabulary.size, seed=seed
        )
        text, end, _ = play(b"garbage", vocabulary=vocabulary, sampler=sampler, matcher=matcher)
        assert re.fullmatch(r'\{"a": [0-9]{1,3}\}', text)
        assert (end.stop, end.complete) == ("grammar_complete", True)
