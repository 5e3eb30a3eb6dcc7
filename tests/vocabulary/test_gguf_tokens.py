"""The vocabulary in GGUF metadata: small tables, and llama.cpp's nineteen real ones with its golden tokenisations."""

from __future__ import annotations

import unicodedata
from array import array
from typing import Any

import pytest

from checkrail.errors import VocabularyError
from checkrail.vocabulary.gguf import read_metadata
from checkrail.vocabulary.gguf_tokens import table_of
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import embedded_model, real_file

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def metadata(model: str, tokens: list[tuple[str, int]], **ids: object) -> dict[str, object]:
    return {
        "tokenizer.ggml.model": model,
        "tokenizer.ggml.tokens": [text for text, _ in tokens],
        "tokenizer.ggml.token_type": array("i", [kind for _, kind in tokens]),
        **{f"tokenizer.ggml.{name}_token_id": value for name, value in ids.items()},
    }


def test_byte_level() -> None:
    tokens = [("Ġa", NORMAL), ("Ċ", NORMAL), ("Ġ", USER_DEFINED), ("<x>", CONTROL), ("[PAD4]", USER_DEFINED)]
    table = table_of(metadata("gpt2", [*tokens, ("\udcff", NORMAL), ("<u>", UNUSED), ("", NORMAL)], eos=3))
    assert table.tokens == [b" a", b"\n", "Ġ".encode(), None, None, b"\xff", None, b""]
    assert (table.special, table.eos) == ({"<x>": 3}, {3})


@pytest.mark.parametrize("model", ["llama", "t5", "gemma4"])
def test_pieces(model: str) -> None:
    tokens = [
        ("<unk>", UNKNOWN),
        ("</s>", CONTROL),
        ("<0x0A>", BYTE),
        ("▁P", NORMAL),
        ("▁▁", USER_DEFINED),
        ("é", NORMAL),
    ]
    table = table_of(metadata(model, tokens, eos=1))
    assert table.tokens == [None, None, b"\n", b" P", b"  ", b"\xc3\xa9"]
    assert (table.special, table.eos) == ({"<unk>": 0, "</s>": 1}, {1})


def test_wordpiece_ends_with_its_separator() -> None:
    tokens = [("[CLS]", CONTROL), ("[SEP]", CONTROL), ("▁play", NORMAL), ("ing", NORMAL)]
    table = table_of(metadata("bert", tokens, seperator=1))
    assert (table.tokens, table.eos) == ([None, None, b"play", b"ing"], {1})


def test_end_tokens_by_id_and_by_text() -> None:
    tokens = [("a", NORMAL), ("</s>", NORMAL), ("<|im_end|>", USER_DEFINED), ("<|file_sep|>", CONTROL), ("b", NORMAL)]
    tokens += [("<fim_prefix>", USER_DEFINED), ("<eot>", CONTROL), ("<reponame>", CONTROL)]
    table = table_of(metadata("gpt2", tokens, eos=4, eot=6, fim_rep=6))
    assert table.eos == {2, 3, 4, 6}
    assert table.tokens == [b"a", b"</s>", None, None, None, None, None, None]
    assert table.special_ids == {2, 3, 4, 5, 6, 7}


def test_types_may_be_absent_where_they_are_not_needed() -> None:
    value = metadata("gpt2", [("a", NORMAL), ("<e>", NORMAL)], eos=1)
    del value["tokenizer.ggml.token_type"]
    assert table_of(value).tokens == [b"a", None]
    with pytest.raises(VocabularyError):
        table_of({**value, "tokenizer.ggml.model": "llama"})


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"model": "rwkv"}, "tokenizer.ggml.model is 'rwkv'"),
        ({"model": None}, "tokenizer.ggml.model"),
        ({"tokens": None}, "tokenizer.ggml.tokens"),
        ({"tokens": "ab"}, "tokenizer.ggml.tokens"),
        ({"tokens": array("i", [1, 2])}, "tokenizer.ggml.tokens"),
        ({"token_type": array("i", [1])}, "tokenizer.ggml.token_type"),
        ({"token_type": array("f", [1.0, 1.0])}, "tokenizer.ggml.token_type"),
        ({"token_type": ["1", "1"]}, "tokenizer.ggml.token_type"),
        ({"token_type": 1}, "tokenizer.ggml.token_type"),
        ({"token_type": array("i", [BYTE, 1])}, "token 0 is a byte"),
        ({"eos_token_id": 2}, "tokenizer.ggml.eos_token_id"),
        ({"eos_token_id": -1}, "tokenizer.ggml.eos_token_id"),
        ({"eos_token_id": True}, "tokenizer.ggml.eos_token_id"),
        ({"eos_token_id": "1"}, "tokenizer.ggml.eos_token_id"),
    ],
)
def test_broken_metadata_names_the_key(changes: dict[str, Any], place: str) -> None:
    value = metadata("llama", [("a", NORMAL), ("</s>", CONTROL)], eos=1)
    with pytest.raises(VocabularyError) as raised:
        table_of({**value, **{f"tokenizer.ggml.{key}": change for key, change in changes.items()}})
    assert raised.value.code == "VOCAB_FORMAT"
    assert place in raised.value.message


def test_too_many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkrail.vocabulary.gguf_tokens.MAXIMUM_TOKENS", 1)
    with pytest.raises(VocabularyError) as raised:
        table_of(metadata("llama", [("a", NORMAL), ("</s>", CONTROL)], eos=1))
    assert raised.value.code == "VOCAB_FORMAT"


# Size, end tokens, ids without text, bytes that no token writes alone. Sizes and end tokens are what llama.cpp's
# library says of these files (llama_vocab_is_eog), except that it has no [SEP] for BERT and has Qwen's ordinary `</s>`.
REAL = {
    "aquila": (100_008, (0, 100_007), 9, 0),
    "baichuan": (64_000, (2,), 3, 0),
    "bert-bge": (30_522, (0, 102), 5, 188),
    "command-r": (256_000, (0, 255_001), 980, 0),
    "deepseek-coder": (32_256, (32_014,), 239, 13),
    "deepseek-llm": (102_400, (100_001,), 2_387, 13),
    "falcon": (65_024, (11,), 12, 28),
    "gemma-4": (262_144, (1, 50, 106), 18, 0),
    "gpt-2": (50_257, (50_256,), 1, 0),
    "gpt-neox": (50_432, (0,), 157, 13),
    "llama-bpe": (128_256, (128_001, 128_009), 256, 0),
    "llama-spm": (32_000, (2,), 3, 0),
    "mpt": (50_432, (0,), 157, 13),
    "nomic-bert-moe": (250_048, (2,), 51, 161),
    "phi-3": (32_064, (2, 32_000, 32_007), 67, 0),
    "qwen2": (151_936, (151_643, 151_645), 293, 0),
    "qwen35": (151_936, (151_643, 151_645), 293, 0),
    "refact": (49_216, (0, 4, 18), 83, 14),
    "starcoder": (49_152, (0, 4), 38, 14),
}


@pytest.mark.parametrize("name", REAL)
def test_real_vocabularies(name: str) -> None:
    path = real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf")
    v = Vocabulary.from_gguf(path)
    without = [i for i, token in enumerate(v.tokens) if token is None]
    assert (len(v), v.eos, len(without), len(v.missing_bytes())) == REAL[name]
    assert v.logits_width == len(v)
    # every id without text is special, unused, or a row by which the converter widened the vocabulary
    values: Any = read_metadata(path)
    texts, kinds = values["tokenizer.ggml.tokens"], values["tokenizer.ggml.token_type"]
    for i in without:
        assert i in v.special_ids or kinds[i] == UNUSED or texts[i] == f"[PAD{i}]"
        assert i not in v.special_ids or v.special[texts[i]] == i


WITHOUT_GOLDEN = {"aquila", "baichuan", "gpt-neox", "mpt", "nomic-bert-moe"}


@pytest.mark.parametrize("name", sorted(REAL.keys() - WITHOUT_GOLDEN - {"bert-bge"}))
def test_golden_tokenisations_decode_to_their_texts(name: str) -> None:
    v = Vocabulary.from_gguf(real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf"))
    prefix = b" " if name in {"llama-spm", "phi-3"} else b""  # their encoder puts a space before a text
    for text, ids in golden(name):
        assert v.decode(ids) == (prefix + text.encode() if ids else b"")


def test_golden_tokenisations_of_bert_decode_to_their_letters() -> None:
    v = Vocabulary.from_gguf(real_file("llama-cpp-python", "ggml-vocab-bert-bge.gguf"))
    unknown = v.special["[UNK]"]
    compared = 0
    for text, ids in golden("bert-bge"):
        if unknown not in ids:
            plain = unicodedata.normalize("NFD", text.lower())
            letters = "".join(c for c in plain if unicodedata.category(c) not in {"Mn", "Zs", "Cc", "Cf"})
            assert v.decode(ids).decode() == letters
            compared += 1
    assert compared > 20


def golden(name: str) -> list[tuple[str, list[int]]]:
    """Texts and their ids, from the files beside a vocabulary."""
    inputs = real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf.inp").read_bytes().decode()
    outputs = real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf.out").read_text()
    texts = inputs.split("\n__ggml_vocab_test__\n")
    lines = outputs.split("\n")
    assert len(texts) in {len(lines), len(lines) - 1}
    return [(text, [int(i) for i in line.split()]) for text, line in zip(texts, lines, strict=False)]


def test_the_embedded_model() -> None:
    v = Vocabulary.from_file(embedded_model())
    assert (len(v), v.eos, len(v.special_ids)) == (49_152, (0, 2, 4), 17)
    assert len(v.missing_bytes()) == 21
    assert v.find("<|im_start|>") == 1
