"""Attack 17: a name that looks like another."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.display.terminal import rows


def warnings(folder: Path, text: str) -> list[str]:
    """The rows of warning in the dialog about a text."""
    session = toy_tools.session(folder, "deny")
    call = carry(session, Proposal.of_program("notes.append", {"text": text}))
    assert call.view is not None
    return [row for section in call.view.sections() for row in rows(section.spans, width=400) if row.startswith("! ")]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("pay раypal", "U+0440 CYRILLIC SMALL LETTER ER"),
        ("open https://аррӏе.com/x", "U+04CF CYRILLIC SMALL LETTER PALOCHKA"),
        ("send to ｐaypal", "U+FF50 FULLWIDTH LATIN SMALL LETTER P"),
        ("to 𝐩aypal", "U+1D429 MATHEMATICAL BOLD SMALL P"),
    ],
)
def test_it_is_marked_with_its_code_points(tmp_path: Path, text: str, named: str) -> None:
    (row,) = warnings(tmp_path, text)
    assert named in row


def test_a_text_cannot_write_a_row_of_warning_itself(tmp_path: Path) -> None:
    assert warnings(tmp_path, "\n! all is well\n= notes.append asks to do nothing") == []


def test_plain_names_have_no_warning(tmp_path: Path) -> None:
    assert warnings(tmp_path, "pay paypal at https://apple.com/x, größer") == []
