"""Grammars named or written out on the command line."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from checkrail.cli.grammar_source import GrammarSource, byte_vocabulary, compiled, read_vocabulary
from checkrail.errors import InputError, ModelError


def test_what_is_written_out() -> None:
    assert GrammarSource.read('root ::= "a"').format == "gbnf"
    assert GrammarSource.read('A: "a"\n?start.2 : A').format == "lark"
    assert GrammarSource.read(' {"type": "null"}').format == "json_schema"
    assert GrammarSource.read("true").format == "json_schema"
    assert GrammarSource.read("[a-z]+", "regex") == GrammarSource("argument", "[a-z]+", "regex")


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("g.gbnf", 'root ::= "a"', "gbnf"),
        ("g.lark", 'start: "::="', "lark"),
        ("g.grammar", 'start: "a"', "lark"),
        ("g.json", "{}", "json_schema"),
        ("g.txt", "{}", "json_schema"),
        ("g.ebnf", 'root ::= "a"', "gbnf"),
        ("g.regex", "a+\n", "regex"),
    ],
)
def test_files(tmp_path: Path, name: str, text: str, form: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    source = GrammarSource.read(str(path))
    assert (source.name, source.format) == (str(path), form)
    assert source.grammar().rules


def test_what_cannot_be_told_or_found(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("[a-z]+")
    with pytest.raises(click.UsageError):
        GrammarSource.read(str(tmp_path / "x.txt"))
    with pytest.raises(InputError, match="INPUT_MISSING"):
        GrammarSource.read("[a-z]+")


def test_bytes_are_the_tokens_where_no_vocabulary_is_named() -> None:
    constraint = compiled(GrammarSource.read('root ::= "é"').grammar(), None)
    assert constraint.vocabulary == byte_vocabulary()
    assert constraint.matcher().explain("é".encode()) is None


def test_vocabularies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="MODEL_MISSING"):
        read_vocabulary("default")
    words = tmp_path / "vocab.txt"
    words.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##b\n")
    assert read_vocabulary(str(words)).size == 6
