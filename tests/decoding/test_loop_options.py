"""The decode loop: text and stop strings, what reaches the sampler, forced tokens, bounds, usage."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.decoding.run import Run
from checkrail.decoding.sampler import Sampler
from checkrail.decoding.sampling import Draw, Sampling
from checkrail.decoding.stream import Delta, End, Notice, Progress
from checkrail.errors import SamplingError
from decoding_toys import (
    BYTES,
    EOS,
    PROMPT,
    SPECIAL,
    Script,
    TextsMatcher,
    Ticks,
    byte_vocabulary,
    check_envelope,
    make,
    play,
)

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
        for utf8 in ("mask", "replace", "fail"):
            given_out, end, _ = play(ids, vocabulary=vocabulary, utf8=utf8)
            assert (given_out, end.stop, end.held_hex) == (text, "eos", "")


def test_free_text_never_contains_special_tokens_or_padding() -> None:
    sampling = Sampling(temperature=5.0)
    for seed in range(5):
        sampler = Sampler(sampling, logits_width=BYTES.logits_width, vocabulary_size=BYTES.size, seed=seed)
        stream, _, run = make(b"hello", sampler=sampler, max_tokens=40)
        check_envelope(list(stream))
        assert all(i < 256 for i in run.token_ids)


def test_free_text_is_well_formed_by_default_and_ends_between_characters() -> None:
    text, end, events = play(b"a\xff\xe2\x82b\xc3")  # what the model wants
    assert "\ufffd" not in text
    assert text.startswith("a")
    assert (end.stop, end.complete, end.held_hex) == ("eos", True, "")
    assert not any(isinstance(e, Notice) for e in events)
    for seed in range(20):
        sampler = Sampler(
            Sampling(temperature=9.0), logits_width=BYTES.logits_width, vocabulary_size=BYTES.size, seed=seed
        )
        text, end, _ = play(b"", sampler=sampler, max_tokens=60, utf8="mask")
        assert "\ufffd" not in text
        assert end.complete == (end.held_hex == "" and end.stop == "eos")


def test_replace_tells_how_often() -> None:
    text, end, events = play(b"a\xff\xe2\x82b\xc3", utf8="replace")
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
