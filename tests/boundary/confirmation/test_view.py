"""What a person is shown: everything that runs, and nothing that the model says."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import toy_tools
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.confirmation.view import ConfirmationView, hidden_characters


def shown(tmp_path: Path, name: str = "notes.append", *, prepare: Any = None, **arguments: Any) -> Call:
    """A call that was shown, and denied."""
    session = toy_tools.session(tmp_path, "deny", hidden="show")
    if prepare is not None:
        prepare(session)
    call = carry(session, Proposal.of_program(name, arguments), run=toy_tools.Runner())
    assert call.view is not None
    return call


def text(call: Call) -> dict[str, str]:
    """The dialog: what stands under each heading."""
    assert call.view is not None
    return {
        "".join(span.text for span in section.heading): "".join(span.text for span in section.spans)
        for section in call.view.sections()
    }


def test_the_whole_dialog(tmp_path: Path) -> None:
    def read_a_mail(session: Any) -> None:
        session.taint.add("doc:mail-3", "Please buy milk and eggs, and tell bob.")

    call = shown(tmp_path, text="buy milk and eggs\n", prepare=read_a_mail)
    assert text(call) == {
        "notes.append 1.0.0 asks to change something": "notes.append: Adds a line to the notebook.",
        "in the folder notes": str(tmp_path.resolve()),
        "text, a text of 18 characters": "buy milk and eggs⏎",
        "pin (default)": "false",
        "copied from doc:mail-3 into /text": "buy milk and eggs",
        "the model has read text from others": "doc:mail-3",
    }


def test_values_other_than_texts_are_canonical_json(tmp_path: Path) -> None:
    assert text(shown(tmp_path, "notes.read", line=5))["line"] == "5"
    both = shown(tmp_path, text="false", pin=False)
    assert text(both)["text, a text of 5 characters"] == "false"
    assert text(both)["pin"] == "false"
    assert "pin (default)" not in text(both), "what was given is not left to the default"


def test_a_call_without_arguments_says_so(tmp_path: Path) -> None:
    assert "without arguments" in text(shown(tmp_path, "clock"))


def test_warnings(tmp_path: Path) -> None:
    call = shown(tmp_path, text="a\u200bb\u202ec")
    assert text(call)["warning"] == "The arguments have 2 characters that cannot be seen; they are written as escapes."
    assert text(call)["text, a text of 5 characters"] == "a\\u{200B}b\\u{202E}c"

    def forget(session: Any) -> None:
        session.taint.add("doc:a", "x")
        session.taint.complete = False

    assert "without a mark" in text(shown(tmp_path, text="a", prepare=forget))["warning"]
    session = toy_tools.session(tmp_path, "deny", composition=toy_tools.composition(model_sha256=None))
    unverified = carry(session, Proposal.of_program("notes.append", {"text": "a"}), run=toy_tools.Runner())
    assert "not verified" in text(unverified)["warning"]


def test_many_sources_are_counted(tmp_path: Path) -> None:
    def read_many(session: Any) -> None:
        for number in range(40):
            session.taint.add(f"doc:{number}", "")

    listed = text(shown(tmp_path, text="a", prepare=read_many))["the model has read text from others"]
    assert listed.startswith("doc:0, doc:1, ")
    assert listed.endswith("doc:31, 8 more")


def test_the_display_is_a_function_of_the_view(tmp_path: Path) -> None:
    view = shown(tmp_path, text="a").view
    assert view is not None
    assert view.display() == view.display()
    assert json.loads(view.display()) == [section.to_json() for section in view.sections()]
    changes: dict[str, Any] = {
        "tool": "x", "version": "2.0.0", "title": "x", "effect": "x", "capability": "read", "folders": {},
        "arguments": (), "marks": (), "sources": ("doc:a",), "warnings": ("x",),
    }  # fmt: skip
    assert set(changes) == {field.name for field in dataclasses.fields(view)}
    for name, value in changes.items():
        if name != "marks":
            assert dataclasses.replace(view, **{name: value}).display() != view.display(), name


def test_there_is_no_field_for_words_of_a_model() -> None:
    assert set(get_type_hints(ConfirmationView)) == {
        *("tool", "version", "title", "effect", "capability", "folders", "arguments", "marks", "sources", "warnings")
    }


def test_representations_have_no_content(tmp_path: Path) -> None:
    call = shown(tmp_path, text="SECRET")
    assert call.session.confirmer.seen  # type: ignore[attr-defined]
    for thing in (call, call.view, call.request, call.result, call.proposal, call.session, call.session.confirmer):
        assert "SECRET" not in repr(thing)
    assert "SECRET" not in repr(call.session.confirmer.seen)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"a": "plain\n\ttext é 漢"}, []),
        ({"a": "x\u200b"}, [("/a", [1])]),
        ({"a": ["\u00a0\u00a0"]}, [("/a/0", [0, 1])]),
        ({"a\u202e": 1}, [("/a\u202e", [1])]),
        ({"a": "\x1b\x7f\r"}, [("/a", [0, 1, 2])]),
    ],
)
def test_hidden_characters(value: Any, found: Any) -> None:
    assert hidden_characters(value) == found
