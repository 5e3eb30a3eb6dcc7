"""Attack 18: escape sequences in what a person is shown. boundary/display/test_terminal has the large corpus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.confirmation.confirmers import ScriptedConfirmer
from checkrail.boundary.display.terminal import rows
from checkrail.boundary.display.visible_text import visible

SEQUENCES = {
    "clear the screen": "\x1b[2J\x1b[H",
    "copy to the clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "a link to elsewhere": "\x1b]8;;https://evil.example\x1b\\harmless\x1b]8;;\x1b\\",
    "the title": "\x1b]0;root\x07",
    "up and over the question": "\x1b[10A\r\x1b[0Jyes",
    "eight-bit": "\x9b2J\x9d52;c;eA==\x9c",
    "delete and backspace": "delete\x08\x08\x08\x08\x08\x08keep\x7f",
    "another character set": "\x0e\x1b(0",
    "a report that types": "\x1b[6n\x1b[c\x05",
}
ACTS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
OWN = re.compile(r"\x1b\[(?:0|2|4|7)?m")


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("styled", [False, True])
def test_no_control_character_reaches_the_terminal(name: str, styled: bool) -> None:
    for row in rows(visible(f"before {SEQUENCES[name]} after"), width=60, styled=styled):
        assert not ACTS.search(OWN.sub("", row))
        assert row[:2] in ("| ", ": ", "! ")


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_write_with_one_is_refused_unless_it_is_shown(tmp_path: Path, name: str) -> None:
    proposal = Proposal.of_program("notes.append", {"text": SEQUENCES[name]})
    refused = carry(toy_tools.session(tmp_path, "approve"), proposal, run=toy_tools.Runner())
    assert refused.error is not None
    assert refused.error.code == "TOOL_ARGS_HIDDEN_TEXT"
    person = ScriptedConfirmer("approve")
    shown = carry(toy_tools.session(tmp_path, confirm=person, hidden="show"), proposal, run=toy_tools.Runner())
    assert shown.state.value == "done"
    text = "".join(span.text for section in person.seen[0].view.sections() for span in section.spans)
    assert not ACTS.search(text)
    assert "\\u{" in text


def test_plain_text_is_shown_as_it_is() -> None:
    assert rows(visible("[2J is text, and so is ]52;c")) == ["| [2J is text, and so is ]52;c"]
