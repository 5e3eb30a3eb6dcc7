"""SentencePiece models, with the library itself as the oracle: models it trains here, and Mistral's."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import VocabularyError
from checkrail.vocabulary.sentencepiece import is_model, read_model
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import real_file

CORPUS = ["the cat sat on the mat", "a cat and a dog", "the dog sat", "naïve café on the mat", "one two three four"] * 4


def trained(**options: object) -> sentencepiece.SentencePieceProcessor:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=model, hard_vocab_limit=False, minloglevel=2, **options
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def check_every_id(v: Vocabulary, oracle: sentencepiece.SentencePieceProcessor) -> None:
    """Each id is special or unused as the library says, or writes what the library decodes after an anchor."""
    assert len(v) == oracle.get_piece_size()
    anchor = next(i for i in range(len(v)) if oracle.id_to_piece(i) == "a")
    for i in range(len(v)):
        if oracle.is_control(i) or oracle.is_unknown(i):
            assert i in v.special_ids
            assert v.special[oracle.id_to_piece(i)] <= i
        elif oracle.is_unused(i):
            assert v.tokens[i] is None
            assert i not in v.special_ids
        elif oracle.is_byte(i):
            assert v.tokens[i] == bytes.fromhex(oracle.id_to_piece(i)[3:5])
        else:
            assert b"a" + (v.tokens[i] or b"") == oracle.decode([anchor, i]).encode()


@pytest.mark.parametrize(
    "options",
    [
        {"vocab_size": 60, "model_type": "unigram"},
        {"vocab_size": 350, "model_type": "bpe", "byte_fallback": True},
        {"vocab_size": 80, "model_type": "bpe", "user_defined_symbols": ["<think>", "▁▁"], "control_symbols": ["<c>"]},
        {"vocab_size": 60, "pad_id": 3, "eos_piece": "<END>", "bos_id": -1, "treat_whitespace_as_suffix": True},
    ],
)
def test_trained_models(options: dict[str, object], tmp_path: Path) -> None:
    oracle = trained(**options)
    data = oracle.serialized_model_proto()
    v = Vocabulary.from_sentencepiece(oracle)
    check_every_id(v, oracle)
    assert v.eos == (oracle.eos_id(),)
    (tmp_path / "tokenizer.model").write_bytes(data)
    for source in (data, tmp_path / "tokenizer.model", str(tmp_path / "tokenizer.model")):
        assert v == Vocabulary.from_sentencepiece(source)
    assert v == Vocabulary.from_file(tmp_path / "tokenizer.model")


def test_unused_pieces_have_no_text() -> None:
    data = model(piece("<unk>", 2), piece("a"), piece("b", 5), piece("▁a", 4), piece("</s>", 3))
    oracle = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert oracle.is_unused(2)
    v = Vocabulary.from_sentencepiece(data)
    check_every_id(v, oracle)
    assert v.tokens == (None, b"a", None, b" a", None)


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def piece(text: str, kind: int | None = None) -> bytes:
    content = field(1, text.encode()) + b"\x15\0\0\0\0" + (b"" if kind is None else b"\x18" + varint(kind))
    return field(1, content)


def model(*pieces: bytes) -> bytes:
    return b"".join(pieces)


def test_fields_in_any_order_and_unknown_ones() -> None:
    content = b"\x18\x06" + field(9, b"??") + b"\x61" + bytes(8) + field(1, b"<0x0A>")
    trainer = field(2, field(47, b"<END>") + b"\x20\x80\x80\x04")
    data = model(trainer, field(1, content), field(7, b""), piece("<END>", 3), piece("▁P"), piece("P"))
    table = read_model(data)
    assert table.tokens == [b"\n", None, b" P", b"P"]
    assert table.eos == {1}


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "byte 0"),
        (piece("a")[:-2], "byte 0"),
        (piece("a") + b"\x0a\xff\xff\xff\xff\x7f", "byte 10"),
        (piece("a") + b"\x80" * 20, "byte 10"),
        (piece("a") + b"\x0b", "byte 10: unknown wire type 3"),
        (piece("a") + b"\x02\x00", "byte 10"),
        (b"\x08\x01", "byte 0: expected a message"),
        (field(1, b"\x08\x01"), "byte 2: expected a message"),
        (field(1, field(1, b"a\xff")), "byte 5: not valid UTF-8"),
        (piece("a", 9), "unknown piece type 9"),
        (piece("ab", 6), "instead of <0xNN>"),
    ],
)
def test_broken_models(data: bytes, place: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        read_model(data)
    assert raised.value.code == "VOCAB_FORMAT"
    assert place in raised.value.message


@given(st.data())
def test_damaged_models_end_in_a_catalogued_error(data: st.DataObject) -> None:
    good = bytearray(model(field(2, field(47, b"</s>")), piece("a"), piece("<0x00>", 6), piece("</s>", 3)))
    for _ in range(data.draw(st.integers(1, 3))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    code = None
    try:
        read_model(bytes(good[: data.draw(st.integers(0, len(good)))]))
    except VocabularyError as error:
        code = error.code
    assert code in {None, "VOCAB_FORMAT"}


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkrail.vocabulary.sentencepiece.MAXIMUM_TOKENS", 2)
    assert len(read_model(piece("a") * 2).tokens) == 2
    with pytest.raises(VocabularyError) as many:
        read_model(piece("a") * 3)
    assert "byte 22" in many.value.message
    with pytest.raises(VocabularyError) as no_bytes:
        Vocabulary.from_sentencepiece(SimpleNamespace(serialized_model_proto=lambda: "text"))
    assert no_bytes.value.code == "VOCAB_FORMAT"


def test_is_model() -> None:
    assert is_model(piece("a"))
    assert is_model(piece("a" * 200))
    assert not is_model(b"\x0a")
    assert not is_model(b"GGUF")


@pytest.mark.parametrize(
    ("name", "size", "specials"), [("tokenizer.model.v1", 32_000, 3), ("_240323.model.v3", 32_768, 751)]
)
def test_real_models(name: str, size: int, specials: int) -> None:
    folder = real_file("mistral-common", "tokenizer.model.v1").parent
    path = next(file for file in folder.iterdir() if file.name.endswith(name))
    oracle = sentencepiece.SentencePieceProcessor(model_file=str(path))
    v = Vocabulary.from_file(path)
    assert (len(v), len(v.special_ids), v.eos) == (size, specials, (2,))
    check_every_id(v, oracle)
    assert v.missing_bytes() == b""
    for text in ("Hello, world!", '{"name": "Zoë"}', "東京 🗼\u200d", "a  b\t\n c"):
        assert v.decode(oracle.encode(text)) == b" " + text.encode()
