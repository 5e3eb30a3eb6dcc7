"""`checkrail explain`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
SCHEMA = (
    '{"type": "object", "properties": {"vendor": {"type": "string"}, "total": {"type": "number"}},'
    ' "required": ["vendor", "total"]}'
)


def test_a_text_that_matches(program: Program, lines: Lines) -> None:
    result = program("explain", 'root ::= "é" [0-9]+', "é12")
    assert (result.exit_code, result.stdout) == (0, "✓ matches: 4 bytes\n")
    assert lines(program("explain", 'root ::= "a"', "a", "--json").stdout) == [{"schema_version": 1, "matches": True}]


def test_the_earley_engine_shows_its_rows(program: Program, lines: Lines) -> None:
    grammar = 'root ::= root "+" [0-9]+ | [0-9]+'
    result = program("explain", grammar, "12+x", "--engine", "earley")
    assert result.exit_code == 1
    drawn = result.stdout.splitlines()
    assert drawn[0] == "✗ byte 3 of 4 does not fit"
    assert any(line.startswith("  row ") and "lexer {" in line for line in drawn)
    assert any('root -> root . "+" [0-9]+ (0)' in line for line in drawn)
    (data,) = lines(program("explain", grammar, "12+x", "--engine", "earley", "--json").stdout)
    assert data["readings"][0].startswith("row ")
    (data,) = lines(program("explain", 'root ::= "a"', "b", "--json").stdout)
    assert "readings" not in data


def test_a_trace_shows_a_mask_call_at_the_place(program: Program, lines: Lines) -> None:
    grammar = 'start: "a" NUMBER\nNUMBER: /[0-9]+/'
    result = program("explain", grammar, "a1x", "--trace")
    assert result.exit_code == 1
    drawn = result.stdout.splitlines()
    begin = drawn.index("a mask call after 2 bytes:")
    assert any("lexer {NUMBER@" in line for line in drawn[begin : begin + 6])
    assert sum("ALLOWS" in line for line in drawn[begin:]) == 10
    assert drawn[-1] == "  the text may end here"
    (data,) = lines(program("explain", grammar, "a1", "--trace", "--json", "--lines", "3").stdout)
    assert data["matches"]
    assert len(data["trace"]) == 4
    assert data["trace"][-1] == "... (more with --lines; 3 shown)"


def test_a_trace_over_the_tokens_of_a_file(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = Vocabulary.from_bytes([b"aa", b'a"', b'",', None], eos=3)
    monkeypatch.setattr("checkrail.cli.explain.read_vocabulary", lambda _: vocabulary)
    result = program("explain", 'root ::= ["] [a]* ["]', '"a', "--trace", "--tokenizer", "some.json")
    assert "ALLOWS 0 'aa'" in result.stdout
    assert "ALLOWS 1 'a\"'" in result.stdout
    assert "ALLOWS 2" not in result.stdout


@pytest.mark.parametrize("options", [["--trace", "--engine", "automaton"], ["--tokenizer", "x"]])
def test_options_that_do_not_go_together(program: Program, options: list[str]) -> None:
    assert program("explain", 'root ::= "a"', "a", *options).exit_code == 2


def test_where_and_why_it_stops(program: Program, lines: Lines) -> None:
    text = '{"vendor":"Café","total":"41.50"}'
    result = program("explain", SCHEMA, text)
    assert result.exit_code == 1
    drawn = result.stdout.splitlines()
    place = text.index('"41')
    assert drawn[0] == f"✗ byte {place + 1} of {len(text) + 1} does not fit"
    assert drawn[1] == "    " + text
    assert drawn[2] == " " * (4 + place) + "^"
    assert '  found     " (0x22)' in drawn
    assert "  at        /total" in drawn
    (expected,) = [line for line in drawn if line.startswith("  expected")]
    assert "-" in expected
    assert "0-9" in expected
    (data,) = lines(program("explain", SCHEMA, text, "--json").stdout)
    assert (data["offset"], data["character"], data["byte"], data["at_end"]) == (place + 1, place, 0x22, False)
    assert {"-", "0-9", "space"} <= set(data["expected"])
    assert data["rules"]
    assert data["pointer"] == "/total"


def test_an_incomplete_text(program: Program, lines: Lines) -> None:
    result = program("explain", 'root ::= "ab" | "ac"', "a")
    assert result.exit_code == 1
    assert "incomplete: 1 bytes fit" in result.stdout
    assert "expected  b-c" in result.stdout
    (data,) = lines(program("explain", 'root ::= "ab"', "", "--json").stdout)
    assert (data["at_end"], data["byte"], data["expected"]) == (True, None, ["a"])
    assert data["pointer"] is None, "only a JSON text has one"


def test_what_could_have_ended(program: Program) -> None:
    assert "0-9, or the end" in program("explain", "root ::= [0-9]+", "12x").stdout


def test_the_rules_are_named_from_outside_in(program: Program) -> None:
    grammar = 'root ::= "[" item "]"\nitem ::= "(" item ")" | "x"'
    assert "rules     root › item › item" in program("explain", grammar, "[((]").stdout


def test_the_text_may_be_piped_in(program: Program) -> None:
    assert program("explain", 'root ::= "a\\n"?', stdin="a\n").exit_code == 1
    assert program("explain", 'root ::= "a"', stdin="a\n").exit_code == 0
    assert program("explain", 'root ::= "a"', "-", stdin="b").exit_code == 1


@pytest.mark.parametrize("text", ["a" * 300 + "!", "\x1b[31m!", "é\\" + "\t!"])
def test_long_and_strange_texts_are_drawn_in_a_window(program: Program, text: str) -> None:
    result = program("explain", "[^!]*", text, "--as", "regex")
    drawn = result.stdout.splitlines()
    assert result.exit_code == 1
    assert len(drawn[1]) <= 104
    assert drawn[1][drawn[2].index("^")] == "!"
    assert "\x1b" not in result.stdout


def test_bad_grammars_are_refused(program: Program) -> None:
    result = program("explain", "root ::= (", "a")
    assert result.exit_code == 2
    assert result.stderr.startswith("GRAMMAR_SYNTAX")
