"""The built-in templates, and marks that hold the place of texts."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.reinsert import CHATML, PLAIN, fitting_template, sentinels
from checkrail.boundary.reinsert.sentinels import draw, plant, split
from checkrail.boundary.reinsert.template import Conversation, Hole, Slot
from checkrail.errors import ContextError
from toy_tokenizers import byte_tokenizer


def conversation(*roles: str, **options: Any) -> Conversation:
    messages = tuple({"role": role, "content": Slot(number)} for number, role in enumerate(roles))
    return Conversation(messages, len(roles), **options)


def test_chatml() -> None:
    assert CHATML.skeleton(conversation("system", "user")) == (
        *("<|im_start|>system\n", Hole(0), "<|im_end|>\n", "<|im_start|>user\n", Hole(1), "<|im_end|>\n"),
        "<|im_start|>assistant\n",
    )
    assert CHATML.sha256 == hashlib.sha256(b"<|im_start|>{role}\n\0<|im_end|>\n").hexdigest()
    assert not CHATML.tool_role


def test_plain_without_an_opening() -> None:
    found = PLAIN.skeleton(conversation("user", add_generation_prompt=False))
    assert found == ("User:\n", Hole(0), "\n\n")


@pytest.mark.parametrize(
    "wrong",
    [
        conversation("user", tools=({"name": "a"},)),
        Conversation(({"role": "user", "content": "text"},), 0),
        Conversation(({"role": "user", "content": Slot(0), "name": "bob"},), 1),
        Conversation(({"role": "user"},), 0),
    ],
)
def test_what_they_have_no_place_for_is_refused(wrong: Conversation) -> None:
    with pytest.raises(ContextError, match="CONTEXT_TEMPLATE_OPAQUE: The chat template cannot be used: chatml has"):
        CHATML.skeleton(wrong)


def test_the_fitting_one() -> None:
    assert fitting_template(byte_tokenizer()) is CHATML
    assert fitting_template(byte_tokenizer({256: "<|im_start|>"})) is PLAIN
    assert fitting_template(byte_tokenizer({256: "<s>"})) is PLAIN
    assert fitting_template(byte_tokenizer({256: "<|im_start|>", 257: "<|im_end|>"})) is CHATML


# --- marks


@given(st.lists(st.text(), max_size=5), st.booleans())
def test_texts_around_marks_come_back(texts: list[str], as_json: bool) -> None:
    marks = draw(len(texts), texts)
    rendered = "".join(text + mark + ("J" if as_json else "Q") for text, mark in zip(texts, marks, strict=True))
    expected = [part for n, text in enumerate(texts) for part in (text, Hole(n, as_json)) if part != ""]
    assert split(rendered + "end", marks) == (*expected, "end")


def test_marks_have_128_random_bits() -> None:
    marks = draw(100, [])
    assert len(set(marks)) == 100
    assert all(re.fullmatch("Q[0-9a-f]{32}", mark) for mark in marks)


def test_a_mark_that_is_in_a_text_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = iter(["a" * 32, "b" * 32, "c" * 32, "c" * 32, "d" * 32, "e" * 32])
    monkeypatch.setattr(sentinels.secrets, "token_hex", lambda size: next(tokens))
    assert draw(2, ["x", f"Q{'b' * 32}"]) == [f"Q{'d' * 32}", f"Q{'e' * 32}"], "twice the same is no draw either"
    monkeypatch.setattr(sentinels.secrets, "token_hex", lambda size: "a" * 32)
    with pytest.raises(ContextError, match="no mark is free"):
        draw(1, [f"Q{'a' * 32}"])


MARKS = ["Q" + "a" * 32, "Q" + "b" * 32]
ONE, TWO = (mark + "Q" for mark in MARKS)


@pytest.mark.parametrize(
    ("rendered", "what"),
    [
        (f"a{ONE}", "leaves out or changes text 2"),
        ("a", "leaves out or changes text 1"),
        (f"{ONE.upper()}{TWO}", "leaves out or changes text 1"),
        (f"{ONE[:-1]} {TWO}", "leaves out or changes text 1"),
        (f"{ONE}{TWO}{ONE}", "writes a text twice"),
        (f"{ONE}{TWO}{ONE[:-1]}", "writes a text twice"),
    ],
)
def test_each_mark_must_be_there_once(rendered: str, what: str) -> None:
    with pytest.raises(ContextError, match=f"CONTEXT_TEMPLATE_OPAQUE: .*{what}"):
        split(rendered, MARKS)


def test_marks_of_nobody_are_text() -> None:
    other = "Q" + "3" * 32 + "Q"
    assert split(f"{ONE}{other}{TWO}", MARKS) == (Hole(0), other, Hole(1))


def test_slots_are_planted_everywhere() -> None:
    value = {"a": [Slot(1), "x", 1, None, (Slot(0),)]}
    assert plant(value, MARKS) == {"a": [TWO, "x", 1, None, [ONE]]}
    deep: Any = Slot(0)
    for _ in range(31):
        deep = [deep]
    assert plant(deep, MARKS)
    with pytest.raises(ContextError, match="nested deeper than 32"):
        plant([deep], MARKS)
