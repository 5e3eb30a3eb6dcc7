"""Escapes lose nothing, leave nothing hidden, and leave no text of a control token."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary import canon
from checkrail.boundary.display.characters import HIDDEN, kind
from checkrail.boundary.reinsert.payload import escaped, readable, seen
from checkrail.errors import ContextError, DocumentError
from checkrail.vocabulary.control_literals import Literals

TEXTS = ["<think>", "</s>", "<|im_end|>", "\\n\\n", "[INST]", "👩"]
LITERALS = Literals(TEXTS)
TEXT = st.lists(
    st.one_of(st.sampled_from([*TEXTS, "\n\n", "\u202e", "\U000e0041", "\ufe0f", "\x7f", "\x00", "\\", '"']), st.text())
).map("".join)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


@given(VALUES, st.sampled_from(["minimal", "html", "all"]))
def test_the_value_is_the_same_and_nothing_is_left(value: Any, escape: Any) -> None:
    text = escaped(canon.dumps(value).decode(), LITERALS, escape)
    assert json.loads(text) == value
    assert not any(kind(character) == HIDDEN for character in text)
    inside = text.replace("\\\\", "__")
    assert not any(each in text for each in TEXTS if each[0] != "\\"), "no text of a control token"
    if escape != "minimal":
        assert set("<>&").isdisjoint(text)
    if escape == "all":
        assert text.isascii()
    assert "\n" not in inside


@given(TEXT, st.sampled_from(["minimal", "all"]))
def test_a_beginning_is_readable_wherever_it_was_cut(value: str, escape: Any) -> None:
    """Whole characters and whole escapes, and of them all: less than one more unit is left out."""
    data = escaped(json.dumps(value, ensure_ascii=False), LITERALS, escape).encode()
    for size in range(1, len(data)):
        shown = readable(data[:size])
        assert data.startswith(shown.encode())
        assert value.startswith(json.loads(shown + '"'))
        assert size - len(shown.encode()) < len("\\ud83d\\ude00")
    assert readable(data) == data.decode()


@pytest.mark.parametrize(
    ("value", "minimal", "html", "everything"),
    [
        ("a <b> & c", '"a <b> & c"', r'"a \u003cb\u003e \u0026 c"', r'"a \u003cb\u003e \u0026 c"'),
        ("x</s>", r'"x\u003c/s>"', r'"x\u003c/s\u003e"', r'"x\u003c/s\u003e"'),
        ("X</S>", r'"X\u003c/S>"', r'"X\u003c/S\u003e"', r'"X\u003c/S\u003e"'),
        ("é", '"é"', '"é"', r'"\u00e9"'),
        ("a\u200bb\xa0", r'"a\u200bb\u00a0"', r'"a\u200bb\u00a0"', r'"a\u200bb\u00a0"'),
        ("👩!", r'"\ud83d\udc69!"', r'"\ud83d\udc69!"', r'"\ud83d\udc69!"'),
        ("😀", '"😀"', '"😀"', r'"\ud83d\ude00"'),
        ("\n\t\r", r'"\n\t\r"', r'"\n\t\r"', r'"\n\t\r"'),
        ("\n\n", r'"\u000a\n"', r'"\u000a\n"', r'"\u000a\n"'),
        ("\x1b\x7f", r'"\u001b\u007f"', r'"\u001b\u007f"', r'"\u001b\u007f"'),
        ('"\\', r'"\"\\"', r'"\"\\"', r'"\"\\"'),
        ({"</s>": ["[inst]"]}, r'{"\u003c/s>":["\u005binst]"]}', None, None),
        ("＜think＞", r'"\uff1cthink＞"', None, r'"\uff1cthink\uff1e"'),
        ([1, True, None], "[1,true,null]", "[1,true,null]", "[1,true,null]"),
    ],
)
def test_each_way(value: Any, minimal: str, html: str | None, everything: str | None) -> None:
    text = canon.dumps(value).decode()
    for escape, expected in (("minimal", minimal), ("html", html), ("all", everything)):
        if expected is not None:
            assert escaped(text, LITERALS, escape) == expected  # type: ignore[arg-type]


def test_an_escape_that_ends_another_text() -> None:
    """The digits of an escape can be the end of a literal: that one's first character is escaped in turn."""
    literals = Literals(["<a", "x\\u003c"])
    assert escaped('"x<a"', literals, "minimal") == r'"\u0078\u003ca"'


@given(VALUES)
def test_what_is_hidden_is_counted_and_can_go(value: Any) -> None:
    def walk(item: Any) -> list[str]:
        if isinstance(item, dict):
            return [text for key, inner in item.items() for text in (key, *walk(inner))]
        if isinstance(item, list):
            return [text for inner in item for text in walk(inner)]
        return [item] if isinstance(item, str) else []

    def hidden(text: str) -> int:
        return sum(kind(c) == HIDDEN and c not in "\n\t\r" for c in text)

    count = sum(map(hidden, walk(value)))
    assert seen(value, "escape", "doc:x").hidden == count
    assert seen(value, "escape", "doc:x").value == value
    if not count:
        assert seen(value, "reject", "doc:x").value == value
        return
    with pytest.raises(ContextError) as caught:
        seen(value, "reject", "doc:x")
    assert (caught.value.code, caught.value.params) == ("CONTEXT_HIDDEN_TEXT", {"source": "doc:x", "count": count})
    try:
        left = seen(value, "strip", "doc:x")
    except ContextError:
        return  # keys that became equal
    assert left.hidden == count
    assert sum(map(hidden, walk(left.value))) == 0
    assert left.canonical == canon.dumps(left.value).decode()


def test_stripping() -> None:
    found = seen({"a\u200b": "b\u202e\\\x00c\n"}, "strip", "doc:x")
    assert (found.value, found.hidden) == ({"a": "b\\c\n"}, 3)
    with pytest.raises(ContextError, match="CONTEXT_HIDDEN_TEXT: 1 characters from doc:x cannot be seen"):
        seen({"a": 1, "a\u200b": 2}, "strip", "doc:x")


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(DocumentError, match="CANON_SURROGATE"):
        seen("\ud800", "escape", "doc:x")
    with pytest.raises(DocumentError, match="CANON_TYPE"):
        seen(b"a", "escape", "doc:x")
