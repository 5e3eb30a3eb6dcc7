"""`Position`, `Error` and the drawing of places."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import CATALOGUE, Error, GrammarError, MissingExtra, Position, SchemaError

TEXT = "first\nsecond line\n\nlast"


@pytest.mark.parametrize(
    ("offset", "line", "column", "source_line"),
    [
        (0, 1, 1, "first"),
        (5, 1, 6, "first"),  # the end of a line belongs to it
        (6, 2, 1, "second line"),
        (13, 2, 8, "second line"),
        (18, 3, 1, ""),
        (23, 4, 5, "last"),
        (-1, 1, 1, "first"),
        (99, 4, 5, "last"),
    ],
)
def test_position_counts_lines_and_columns(offset: int, line: int, column: int, source_line: str) -> None:
    position = Position.at(TEXT, offset)
    assert (position.line, position.column, position.source_line) == (line, column, source_line)


@given(st.text(alphabet="ab\n\r\té😀"), st.integers(0, 40))
def test_position_agrees_with_splitting(text: str, offset: int) -> None:
    position = Position.at(text, offset)
    offset = min(offset, len(text))
    assert position.offset == offset
    assert position.line == text[:offset].count("\n") + 1
    assert position.column == len(text[:offset].split("\n")[-1]) + 1
    assert position.source_line == text.split("\n")[position.line - 1]


@given(st.text(alphabet="ab\té\u202e\x1b", min_size=1, max_size=300), st.integers(0, 299))
def test_caret_stands_under_the_character_and_nothing_unprintable_is_drawn(line: str, offset: int) -> None:
    offset = min(offset, len(line) - 1)
    above, below = Position.at(line, offset).caret(width=60).split("\n")
    assert len(above) <= 64
    place = below.index("^")
    assert above[place] == (line[offset] if line[offset].isprintable() else "\N{REPLACEMENT CHARACTER}")
    assert above.isprintable()


def test_error_carries_data_and_draws_itself() -> None:
    error = GrammarError("GRAMMAR_SYNTAX", position=Position.at(TEXT, 13), what="a surprise", expected=["this", "that"])
    assert error.code == "GRAMMAR_SYNTAX"
    assert str(error) == "GRAMMAR_SYNTAX: Grammar error at line 2, column 8: a surprise."
    assert error.render().splitlines() == [
        "GRAMMAR_SYNTAX: Grammar error at line 2, column 8: a surprise.",
        "    second line",
        "           ^",
        "    expected: this, that",
        "    Correct the grammar at the caret.",
    ]
    assert error.to_json() == {
        "code": "GRAMMAR_SYNTAX",
        "area": "grammar",
        "message": "Grammar error at line 2, column 8: a surprise.",
        "params": {"what": "a surprise"},
        "position": {"line": 2, "column": 8, "offset": 13},
        "expected": ["this", "that"],
    }


def test_pointer_of_the_root_has_words() -> None:
    error = SchemaError("SCHEMA_SYNTAX", pointer="", what="it is a number")
    assert error.message == "The schema is malformed at the root: it is a number."
    assert error.to_json()["pointer"] == ""


def test_advice_may_hold_a_command() -> None:
    error = MissingExtra("MISSING_EXTRA", package="tokenizers", command="pip install 'checkrail[hf]'")
    assert error.advice == "Run: pip install 'checkrail[hf]'"


def test_error_survives_a_pickle() -> None:
    error = SchemaError("SCHEMA_CONFLICT", pointer="/a", what="x", expected=["y"])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is SchemaError
    assert again.to_json() == error.to_json()


def test_unknown_code_or_missing_parameter_is_a_defect() -> None:
    with pytest.raises(KeyError):
        Error("NO_SUCH_CODE")
    with pytest.raises(KeyError):
        Error("GRAMMAR_DUPLICATE_RULE")


def test_area_is_the_first_word() -> None:
    assert CATALOGUE["SCHEMA_KEYWORD_UNSUPPORTED"].area == "schema"
