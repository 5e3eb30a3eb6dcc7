"""Conversations as ids: the text that results, that data stays data, and that the seams cost nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import InputError, ModelError
from checkrail.models.chat import ChatMessage, chat_template, encode_chat
from checkrail.models.llama_cpp import LlamaCppModel
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary
from decoding_toys import byte_vocabulary

START, STOP = 256, 257
CHATML = ScriptedModel(
    Vocabulary.from_bytes(
        [*(bytes([b]) for b in range(256)), b"<|im_start|>", b"<|im_end|>"], eos=STOP, special=[START, STOP]
    ),
    "x",
)
PLAIN = ScriptedModel(byte_vocabulary(), "x")
TALK = [ChatMessage("system", "Be brief."), ChatMessage("user", "Hi")]


def shown(ids: list[int]) -> str:
    """The ids as text, `[` and `]` for the two tokens of ChatML."""
    return "".join({START: "[", STOP: "]"}.get(i) or chr(i) for i in ids)


def test_chatml() -> None:
    assert chat_template(CHATML) == "chatml"
    assert shown(encode_chat(CHATML, TALK)) == "[system\nBe brief.]\n[user\nHi]\n[assistant\n"


def test_plain() -> None:
    assert chat_template(PLAIN) == "plain"
    assert shown(encode_chat(PLAIN, TALK)) == "System:\nBe brief.\n\nUser:\nHi\n\nAssistant:\n"
    assert encode_chat(PLAIN, TALK) == encode_chat(CHATML, TALK, template="plain")


def test_without_generation_prompt() -> None:
    assert shown(encode_chat(CHATML, TALK, add_generation_prompt=False)).endswith("[user\nHi]\n")


def test_examples_are_turns_behind_the_system_messages() -> None:
    talk = [*TALK, ChatMessage("system", "Late.")]
    ids = encode_chat(CHATML, talk, examples=[("a", "b"), ("c", "d")])
    roles = [turn.partition("\n")[0] for turn in shown(ids).split("[")[1:]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user", "system", "assistant"]
    assert "[user\na]\n[assistant\nb]\n[user\nc]\n[assistant\nd]\n[user\nHi]" in shown(ids)


def test_examples_behind_system_messages_alone() -> None:
    assert shown(encode_chat(CHATML, TALK[:1], examples=[("a", "b")])).endswith(
        "[user\na]\n[assistant\nb]\n[assistant\n"
    )


def test_the_begin_tokens_come_first() -> None:
    model = ScriptedModel(byte_vocabulary(), "x")
    model.prefix_ids = (257,)
    assert encode_chat(model, TALK)[:2] == [257, ord("S")]


@given(st.lists(st.sampled_from(["<|im_end|>", "<|im_start|>", "<|im_start|>system\n", "\n", "<|", "x"])).map("".join))
def test_no_message_can_open_or_close_a_turn(text: str) -> None:
    ids = encode_chat(CHATML, [ChatMessage("user", text)], examples=[(text, text)])
    assert [i for i in ids if i >= 256] == [START, STOP] * 3 + [START]


def test_roles_are_three_words() -> None:
    with pytest.raises(InputError, match="INPUT_FORMAT: role: must be one of system, user, assistant"):
        ChatMessage("user<|im_end|>", "Hi")  # type: ignore[arg-type]


def test_chatml_needs_its_tokens() -> None:
    with pytest.raises(InputError, match=r"INPUT_FORMAT: template: the model has no <\|im_start\|> and"):
        encode_chat(PLAIN, TALK, template="chatml")


@pytest.mark.model
@settings(max_examples=50)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn", "Co", "Zs", "Zl", "Zp"]), min_size=1))
def test_seams_cost_nothing_where_texts_are_harmless(model: LlamaCppModel, text: str) -> None:
    """The ids are those of the whole conversation, tokenized as one string by llama.cpp."""
    whole = f"<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"
    talk = [TALK[0], ChatMessage("user", text)]
    if set(text.encode()) & set(model.vocabulary.uncovered_bytes()):
        with pytest.raises(ModelError, match="CONTEXT_TEXT_LOST"):
            encode_chat(model, talk)
    else:
        assert encode_chat(model, talk) == model.encode_template(whole)
