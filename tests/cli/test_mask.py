"""`checkrail mask`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
TOKENS = [b"a", b"b", b"ab", b" c", b"\xff", None]


@pytest.fixture(autouse=True)
def _vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = Vocabulary.from_bytes(TOKENS, eos=5, special={"<end>": 5})
    monkeypatch.setattr("checkrail.cli.mask.read_vocabulary", lambda _: vocabulary)


def test_the_tokens_that_may_follow(program: Program) -> None:
    result = program("mask", 'root ::= "ab" " c"?', "")
    assert result.exit_code == 0
    assert result.stdout == "       0  a\n       2  ab\n"
    assert "2 of 6 tokens allowed; the text may not end here" in result.stderr


def test_after_a_prefix_and_at_the_end(program: Program) -> None:
    result = program("mask", 'root ::= "ab" " c"?', "ab")
    assert result.stdout == "       3  ·c\n       5  [<end>]\n"
    assert "may end here" in result.stderr


def test_the_earley_engine(program: Program) -> None:
    result = program("mask", 'root ::= root "b" | "a"', "a", "--engine", "earley", "--ids")
    assert (result.exit_code, result.stdout) == (0, "1\n5\n")


def test_other_views(program: Program, lines: Lines) -> None:
    arguments = ("mask", 'root ::= "a" | "ab"', "")
    assert program(*arguments, "--count").stdout == "2\n"
    assert program(*arguments, "--ids").stdout == "0\n2\n"
    assert program(*arguments, "--forbidden", "--ids").stdout == "1\n3\n4\n5\n"
    assert program(*arguments, "--top", 1).stdout.count("\n") == 1
    (data,) = lines(program(*arguments, "--json").stdout)
    assert (data["count"], data["size"], data["may_end_here"]) == (2, 6, False)
    assert data["tokens"] == [{"id": 0, "hex": "61", "text": "a"}, {"id": 2, "hex": "6162", "text": "ab"}]


def test_a_prefix_that_does_not_fit(program: Program, lines: Lines) -> None:
    result = program("mask", 'root ::= "ab"', "aa")
    assert result.exit_code == 1
    assert "byte 1 of 2 does not fit" in result.stdout
    (data,) = lines(program("mask", 'root ::= "ab"', "aa", "--json").stdout)
    assert (data["fits"], data["offset"]) == (False, 1)
