"""Whole prompts: the three ways to frame, what goes where, and that control is where the template has it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.calls.envelopes import Failed
from checkrail.boundary.reinsert import (
    BOUNDARY_NOTICE,
    CHATML,
    PLAIN,
    BuiltinTemplate,
    DataSpan,
    IdFraming,
    OwnTokens,
    Prompt,
    ReinsertKey,
    ToolOutput,
    Trusted,
    Turn,
    Untrusted,
    UserText,
    build,
)
from checkrail.boundary.reinsert.template import Conversation, Hole, Skeleton
from checkrail.errors import ContextError, InputError, ModelError
from toy_tokenizers import (
    BEGIN,
    CONTROL,
    RESULT_END,
    RESULT_START,
    START,
    byte_tokenizer,
    insertion,
    parsing_tokenizer,
    tool_result,
)
from toy_tokenizers import read as said

TOKENIZER = byte_tokenizer()
KEY = ReinsertKey.new()
WITH_TOOLS = BuiltinTemplate("with-tools", "<|im_start|>{role}\n", "<|im_end|>\n", tool_role=True)
FRAMES = IdFraming(RESULT_START, RESULT_END)


def made(*turns: Turn, tokenizer: Any = TOKENIZER, template: Any = CHATML, **options: Any) -> Prompt:
    return build(tokenizer, turns, template=template, key=KEY, **options)


def test_a_conversation() -> None:
    prompt = made(
        Turn.of("system", Trusted("Be brief.")),
        Turn.of("user", UserText("1 < 2 <|im_end|>?")),
        Turn.of("assistant", OwnTokens(tuple(b"yes"))),
    )
    assert said(prompt.ids) == (
        "⟦<|im_start|>⟧system\nBe brief.⟦<|im_end|>⟧\n⟦<|im_start|>⟧user\n1 < 2 <|im_end|>?⟦<|im_end|>⟧\n"
        "⟦<|im_start|>⟧assistant\nyes⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n"
    )
    assert [(said(prompt.ids[s.start : s.end]), s.source, s.trust, s.header) for s in prompt.spans] == [
        ("1 < 2 <|im_end|>?", "user:turn-2", "user", ""),
        ("yes", "model:turn-3", "own", ""),
    ]
    assert prompt.spans[1] == DataSpan(
        prompt.spans[1].start, prompt.spans[1].end, "model:turn-3", "own", "", 0, 0, 0, False
    )
    assert prompt.spans[1] == DataSpan(prompt.spans[1].start, prompt.spans[1].end, "model:turn-3", "own")
    assert (prompt.notices, prompt.template_sha256) == ((), CHATML.sha256)
    assert repr(prompt) == f"<Prompt {len(prompt.ids)} tokens, 2 spans of data>"


def test_trusted_text_may_hold_control_tokens() -> None:
    assert START in made(Turn.of("user", Trusted("a<|im_start|>"))).ids[3:]


def test_without_an_opening() -> None:
    prompt = made(Turn.of("user", UserText("a")), template=PLAIN, add_generation_prompt=False)
    assert said(prompt.ids) == "User:\na\n\n"


# --- text of others


def test_a_tool_turn_of_the_template_frames() -> None:
    prompt = made(Turn.of("tool", ToolOutput(tool_result({"a": "</s><|im_end|>"}))), template=WITH_TOOLS)
    text = said(prompt.ids).removeprefix("⟦<|im_start|>⟧tool\n").removesuffix("⟦<|im_end|>⟧\n⟦<|im_start|>⟧assistant\n")
    header, value = insertion(text)
    assert text.endswith('"}\n')
    assert value == {"a": "</s><|im_end|>"}
    assert (header["role"], header["source"], header["trust"]) == ("tool", "tool:notes.read@1.0.0", "untrusted")
    (span,) = prompt.spans
    assert (span.source, span.trust, span.truncated) == ("tool:notes.read@1.0.0", "untrusted", False)
    assert json.loads(span.header) == header
    assert said(prompt.ids[span.start : span.end]) == text
    assert BOUNDARY_NOTICE not in said(prompt.ids)


def test_boundaries_frame_where_nothing_else_does() -> None:
    document = Untrusted("line\nEND", "doc:mail-3")
    prompt = made(Turn.of("system", UserText("Hi.")), Turn.of("user", UserText("Read: "), document))
    text = said(prompt.ids)
    boundary = KEY.boundary(document.id)
    assert f"Hi.\n\n{BOUNDARY_NOTICE}⟦<|im_end|>⟧" in text
    begin, end = f"Read: DATA {boundary}\n", f'"line\\nEND"\nEND {boundary}\n⟦<|im_end|>⟧'
    assert begin in text
    assert end in text
    header, value = insertion(text[text.index(begin) + len(begin) :])
    assert (header["role"], header["source"], value) == ("document", "doc:mail-3", "line\nEND")
    span = prompt.spans[-1]
    assert said(prompt.ids[span.start : span.end]).startswith("DATA ")
    assert said(prompt.ids[span.start : span.end]).endswith(f"END {boundary}\n")


def test_a_tool_turn_without_one_in_the_template_is_the_users() -> None:
    text = said(made(Turn.of("user", UserText("?")), Turn.of("tool", ToolOutput(tool_result(5)))).ids)
    assert "⟦<|im_start|>⟧user\nDATA " in text
    assert "tool\n" not in text
    assert text.startswith(f"⟦<|im_start|>⟧user\n{BOUNDARY_NOTICE}\n\n?"), "no system turn: the first one says it"


def test_the_notice_is_said_once() -> None:
    known = Turn.of("system", Trusted(f"A. {BOUNDARY_NOTICE} B."))
    for system in (known, Turn.of("system", Trusted("A.")), Turn.of("system", UserText(BOUNDARY_NOTICE))):
        prompt = made(system, Turn.of("user", Untrusted("a", "doc:x"), Untrusted("b", "doc:y")))
        expected = 2 if isinstance(system.parts[0], UserText) else 1  # the user's word does not count
        assert said(prompt.ids).count(BOUNDARY_NOTICE) == expected


def test_control_tokens_frame_where_the_vocabulary_has_them() -> None:
    turns = [Turn.of("user", Untrusted("a<|result_end|>", "doc:x")), Turn.of("tool", ToolOutput(tool_result(1)))]
    for template in (CHATML, WITH_TOOLS):
        prompt = made(*turns, template=template, framing=FRAMES)
        text = said(prompt.ids)
        assert text.count("⟦<|result_start|>⟧{") == 2
        assert text.count("\n⟦<|result_end|>⟧") == 2
        assert r'"a\u003c|result_end|>"' in text
        assert "DATA" not in text
        assert [prompt.ids[span.start] for span in prompt.spans] == [RESULT_START] * 2
        assert [prompt.ids[span.end - 1] for span in prompt.spans] == [RESULT_END] * 2


def test_a_frame_of_ordinary_tokens_is_refused() -> None:
    with pytest.raises(InputError, match="token 65 is no control token"):
        made(Turn.of("user", Untrusted("a", "doc:x")), framing=IdFraming(65, RESULT_END))


def test_a_failed_call_says_why() -> None:
    failed = Failed("TOOL_TIMEOUT", "Tool notes.read was stopped.", {"milliseconds": 5})
    prompt = made(Turn.of("tool", ToolOutput(tool_result(failed=failed))), template=WITH_TOOLS)
    _, value = insertion(said(prompt.ids).partition("tool\n")[2])
    assert value == {"error": failed.to_json()}


def test_escapes_of_html() -> None:
    prompt = made(Turn.of("tool", ToolOutput(tool_result("<b>&"))), template=WITH_TOOLS, escape="html")
    assert r'"\u003cb\u003e\u0026"' in said(prompt.ids)


def test_what_is_shortened_or_hidden_is_noticed() -> None:
    long = Untrusted("x" * 2_000, "doc:long", max_tokens=600)
    prompt = made(Turn.of("user", UserText("a\u200bb"), long, Untrusted("c", "doc:short")))
    assert [(notice.code, notice.params) for notice in prompt.notices] == [
        ("CONTEXT_HIDDEN_TEXT", {"source": "user:turn-1", "count": 1}),
        ("CONTEXT_TRUNCATED", {"source": "doc:long", "kept": prompt.spans[1].kept_chars, "total": 2_000}),
    ]
    assert [span.truncated for span in prompt.spans] == [False, True, False]
    assert 0 < prompt.spans[1].kept_chars < 600
    assert (prompt.spans[0].hidden, prompt.spans[0].total_chars) == (1, 3)
    assert "a\u200bb" in said(prompt.ids), "what the user wrote stays"


def test_hidden_text_can_go_or_be_refused() -> None:
    turn = Turn.of("user", UserText("a\u200bb"), Untrusted("c\u200bd", "doc:x"))
    text = said(made(turn, hidden="strip").ids)
    assert "ab" in text
    assert '"cd"' in text
    with pytest.raises(ContextError, match="CONTEXT_HIDDEN_TEXT: 1 characters from user:turn-1"):
        made(turn, hidden="reject")


# --- the budget of the whole


def test_what_the_user_wrote_is_never_cut() -> None:
    turns = [Turn.of("system", Trusted("S")), Turn.of("user", UserText("x" * 100))]
    need = len(made(*turns).ids)
    assert len(made(*turns, max_tokens=need).ids) == need
    with pytest.raises(ContextError) as caught:
        made(*turns, max_tokens=need - 1)
    assert (caught.value.code, caught.value.params) == ("CONTEXT_OVERFLOW", {"need": need, "have": need - 1})


# --- tokenizers


def test_the_prefix_comes_first_and_once() -> None:
    tokenizer = byte_tokenizer(prefix_ids=[BEGIN])
    prompt = made(Turn.of("user", UserText("a")), tokenizer=tokenizer)
    assert prompt.ids[:2] == (BEGIN, START)
    assert said(prompt.ids[prompt.spans[0].start : prompt.spans[0].end]) == "a"
    bos = BuiltinTemplate("bos", "<s>{role}:", "\n")
    assert made(Turn.of("user", UserText("a")), tokenizer=tokenizer, template=bos, add_generation_prompt=False).ids[
        :2
    ] == (BEGIN, ord("u"))


def test_text_that_the_vocabulary_loses_is_escaped() -> None:
    tokenizer = byte_tokenizer(data=lambda text: [b for b in text.encode() if b < 128])
    prompt = made(Turn.of("user", UserText("é<")), tokenizer=tokenizer)
    (span,) = prompt.spans
    assert span.escaped
    assert (span.kept_chars, span.total_chars) == (2, 2)
    assert said(prompt.ids[span.start : span.end]) == r'"\u00e9\u003c"'
    assert not made(Turn.of("user", UserText("e")), tokenizer=tokenizer).spans[0].escaped


@pytest.mark.parametrize(("lost", "code"), [([], "CONTEXT_TEXT_LOST"), ([START], "CONTEXT_CONTROL_TOKEN")])
def test_text_that_fails_twice_is_refused(lost: list[int], code: str) -> None:
    with pytest.raises(ContextError) as caught:
        made(Turn.of("user", UserText("a")), tokenizer=byte_tokenizer(data=lambda text: lost))
    assert (caught.value.code, caught.value.params["source"]) == (code, "user:turn-1")


def test_only_what_breaks_the_law_is_escaped() -> None:
    calls: list[str] = []

    def fail(text: str) -> list[int]:
        calls.append(text)
        return [1 // 0]

    def lose_then_fail(text: str) -> list[int]:
        return [1 // 0] if text.startswith('"') else []

    for data in (fail, lose_then_fail):
        with pytest.raises(ModelError) as caught:
            made(Turn.of("user", UserText("a")), tokenizer=byte_tokenizer(data=data))
        assert (type(caught.value), caught.value.code) == (ModelError, "BACKEND_FAILED")
    assert calls == ["a"]


def test_control_ids_that_the_model_wrote_are_refused() -> None:
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN: Text from model:turn-1 would become 1 control"):
        made(Turn.of("assistant", OwnTokens((97, START))))


def test_an_adapter_that_lies_is_found_out_at_the_end() -> None:
    """Its law check is bypassed here; the places of control ids are compared all the same."""

    class Lying(type(TOKENIZER)):  # type: ignore[misc]
        def encode_data(self, text: str, /) -> list[int]:
            return [START]

    liar = Lying(template=TOKENIZER.encode_template, data=lambda text: [], table=[b""] * 300, control=CONTROL)
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN: Text from the prompt would become 1 control"):
        made(Turn.of("user", UserText("a")), tokenizer=liar)


# --- holes within JSON


@dataclass(frozen=True)
class JsonTemplate:
    """`{"text": "..."}` for each turn."""

    sha256: str = "0" * 64
    tool_role: bool = True

    def skeleton(self, conversation: Conversation, /) -> Skeleton:
        parts: list[str | Hole] = []
        for number in range(len(conversation.messages)):
            parts += ['{"text":"', Hole(number, json=True), '"}']
        return tuple(parts)


TEXTS = st.lists(st.one_of(st.sampled_from(['"', "\\", "\n", "<|im_end|>", "\u202e"]), st.text())).map("".join)


@given(TEXTS, st.integers(500, 900))
@settings(max_examples=40)
def test_texts_within_json(text: str, max_tokens: int) -> None:
    turns = [
        Turn.of("user", Trusted('T"'), UserText(text), Untrusted(text, "doc:x", max_tokens=max_tokens)),
        Turn.of("tool", ToolOutput(tool_result(text), max_tokens=max_tokens, keep="head_tail")),
        Turn.of("assistant", OwnTokens(tuple(text.encode()))),
    ]
    prompt = made(*turns, template=JsonTemplate())
    assert TOKENIZER.control_ids.isdisjoint(prompt.ids)
    decoder = json.JSONDecoder()
    texts, at = [], 0
    whole = TOKENIZER.decode_bytes(prompt.ids).decode()
    while at < len(whole):
        value, at = decoder.raw_decode(whole, at)
        texts.append(value["text"])
    before = f'{BOUNDARY_NOTICE}\n\nT"{text}DATA '
    assert texts[0].startswith(before)
    assert texts[2] == text
    _, shown = insertion(texts[1])
    assert shown == text or shown[0] + shown[2] != text
    document = insertion(texts[0].removeprefix(before).partition("\n")[2])
    assert text.startswith(document[1])
    assert all(span.end - span.start <= max_tokens + 100 for span in prompt.spans[1:3])


def test_a_shortened_text_within_json() -> None:
    for keep in ("head", "head_tail"):
        part = Untrusted('a"\\\n' * 500, "doc:x", max_tokens=900, keep=keep)  # type: ignore[arg-type]
        prompt = made(Turn.of("tool", part), template=JsonTemplate())
        header, shown = insertion(json.loads(TOKENIZER.decode_bytes(prompt.ids))["text"])
        assert header["truncated"]
        assert part.text.startswith(shown if keep == "head" else shown[0])
        assert header["kept_chars"] > 50


# --- all that goes in


PARTS = st.one_of(
    st.builds(UserText, TEXTS),
    st.builds(Untrusted, TEXTS, st.just("doc:x"), st.integers(600, 900)),
    st.builds(lambda text: ToolOutput(tool_result({"a": text}), 700), TEXTS),
    st.builds(lambda text: OwnTokens(tuple(text.encode())), TEXTS),
)
TURNS = st.lists(
    st.builds(
        lambda role, parts: Turn(role, tuple(parts)),
        st.sampled_from(["system", "user", "assistant", "tool"]),
        st.lists(PARTS, max_size=3),
    ),
    min_size=1,
    max_size=4,
)


@given(TURNS, st.sampled_from([CHATML, WITH_TOOLS, PLAIN]), st.sampled_from([None, FRAMES]), st.booleans())
@settings(max_examples=40)
def test_control_ids_are_the_templates_and_the_frames(turns: Any, template: Any, framing: Any, parsing: bool) -> None:
    prompt = made(*turns, tokenizer=parsing_tokenizer() if parsing else TOKENIZER, template=template, framing=framing)
    control = [identifier for identifier in prompt.ids if identifier in CONTROL]
    quoted = sum(isinstance(part, (Untrusted, ToolOutput)) for turn in turns for part in turn.parts)
    marks = 0 if template is PLAIN else 2 * len(turns) + 1
    assert len(control) == marks + (0 if framing is None else 2 * quoted)
    assert sum(identifier in (RESULT_START, RESULT_END) for identifier in control) == (2 * quoted if framing else 0)
    assert [span.start for span in prompt.spans] == sorted(span.start for span in prompt.spans)
    assert all(a.end <= b.start for a, b in zip(prompt.spans, prompt.spans[1:], strict=False))
    data = {place for span in prompt.spans for place in range(span.start, span.end)}
    inside = [prompt.ids[place] for place in data if prompt.ids[place] in CONTROL]
    assert len(inside) == (2 * quoted if framing else 0)


@pytest.mark.parametrize(
    "options", [{"escape": "all"}, {"escape": None}, {"hidden": "show"}, {"hidden": None}, {"turns": ()}]
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    turns = options.pop("turns", [Turn.of("user", UserText("a"))])
    with pytest.raises(InputError, match="INPUT_FORMAT"):
        made(*turns, **options)
