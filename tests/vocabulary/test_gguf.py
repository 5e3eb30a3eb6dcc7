"""GGUF metadata: files written by hand after the format's description, and real ones beside the `gguf` package."""

from __future__ import annotations

import struct
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import InputError, VocabularyError
from checkrail.vocabulary import gguf
from checkrail.vocabulary.gguf import read_metadata
from real_vocabularies import real_file

CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9


def text(value: str, order: str) -> bytes:
    data = value.encode("utf-8", "surrogateescape")
    return struct.pack(order + "Q", len(data)) + data


def scalar(kind: int, value: object, order: str) -> bytes:
    return text(str(value), order) if kind == STRING else struct.pack(order + CODES[kind], value)


def file_of(pairs: list[tuple[str, int, object]], *, version: int = 3, order: str = "<") -> bytes:
    """A GGUF file; an array is (key, 9, (item type, items))."""
    out = b"GGUF" + struct.pack(order + "IQQ", version, 0, len(pairs))
    for key, kind, value in pairs:
        out += text(key, order) + struct.pack(order + "I", kind)
        if kind == ARRAY:
            assert isinstance(value, tuple)
            item, items = value
            out += struct.pack(order + "IQ", item, len(items)) + b"".join(scalar(item, i, order) for i in items)
        else:
            out += scalar(kind, value, order)
    return out


ALL_TYPES: list[tuple[str, int, object]] = [
    ("u8", 0, 255), ("i8", 1, -128), ("u16", 2, 65_535), ("i16", 3, -5), ("u32", 4, 2**32 - 1), ("i32", 5, -(2**31)),
    ("f32", 6, 0.5), ("bool", 7, True), ("text", 8, "é▁\0"), ("ragged", 8, "\udcff"), ("u64", 10, 2**64 - 1),
    ("i64", 11, -(2**63)), ("f64", 12, 0.1),
    ("numbers", 9, (5, (1, -2, 3))), ("floats", 9, (6, (0.5, -1.0))), ("bools", 9, (7, (True, False))),
    ("texts", 9, (8, ("a", "", "é", "\udc80"))), ("none", 9, (8, ())), ("", 0, 0),
]  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [2, 3])
def test_every_type_in_both_byte_orders(path: Path, version: int, order: str) -> None:
    path.write_bytes(file_of(ALL_TYPES, version=version, order=order) + b"tensors")
    read = read_metadata(path)
    expected = {key: list(value[1]) if isinstance(value, tuple) else value for key, _, value in ALL_TYPES}
    assert {key: list(value) if isinstance(value, array) else value for key, value in read.items()} == expected
    assert list(read) == list(expected)


@given(st.data())
def test_damaged_files_end_in_a_catalogued_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    good = bytearray(file_of(ALL_TYPES))
    for _ in range(data.draw(st.integers(0, 3))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.gguf"
    path.write_bytes(good[: data.draw(st.integers(1, len(good)))])
    code = None
    try:
        read_metadata(path)
    except VocabularyError as error:
        code = error.code
    assert code in {None, "VOCAB_FORMAT"}


def header(version: int, pairs: int) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, pairs)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "byte 0"),
        (b"GG", "byte 0"),
        (b"GGML" + bytes(20), "byte 0: not a GGUF file"),
        (header(1, 0), "version 1"),
        (header(4, 0), "version 4"),
        (header(3, 1), "byte 16"),
        (header(3, 2**63), "byte 16"),
        (header(3, 1) + struct.pack("<Q", 2**60) + bytes(20), "byte 24"),
        (header(3, 1) + text("k", "<") + struct.pack("<I", 13) + bytes(8), "unknown type 13"),
        (header(3, 1) + text("k", "<") + struct.pack("<IIQ", 9, 9, 1) + bytes(8), "array of type 9"),
        (header(3, 1) + text("k", "<") + struct.pack("<IIQ", 9, 8, 2**40) + bytes(8), "the length of the value of 'k'"),
        (
            header(3, 1) + text("k", "<") + struct.pack("<IIQ", 9, 12, 2**61) + bytes(8),
            "the length of the value of 'k'",
        ),
        (header(3, 1) + text("k", "<") + struct.pack("<IIQQ", 9, 8, 1, 5) + bytes(4), "ends within the value of 'k'"),
        (file_of([("k", 0, 1), ("k", 0, 2)]), "occurs twice"),
    ],
)
def test_broken_files_name_the_place(path: Path, content: bytes, place: str) -> None:
    path.write_bytes(content)
    with pytest.raises(VocabularyError) as raised:
        read_metadata(path)
    assert raised.value.code == "VOCAB_FORMAT"
    assert place in raised.value.message


def test_metadata_above_the_bound_is_refused_without_being_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(file_of([("k", 9, (0, (1,) * 100))]))
    assert len(read_metadata(path)["k"]) == 100  # type: ignore[arg-type]
    monkeypatch.setattr(gguf, "MAXIMUM_METADATA_BYTES", 80)
    with pytest.raises(VocabularyError) as raised:
        read_metadata(path)
    assert "80 bytes" in raised.value.message or "more than the file can hold" in raised.value.message


def test_too_many_strings_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "MAXIMUM_TOKENS", 2)
    path.write_bytes(file_of([(name, 9, (8, ("x", "y"))) for name in "ab"]))
    assert list(read_metadata(path)) == ["a", "b"]
    path.write_bytes(file_of([(name, 9, (8, ("x", "y"))) for name in "abc"]))
    with pytest.raises(VocabularyError) as raised:
        read_metadata(path)
    assert "more than 4 strings" in raised.value.message


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_metadata(tmp_path / "none.gguf")
    assert raised.value.code == "INPUT_MISSING"


@pytest.mark.parametrize("name", ["llama-spm", "bert-bge"])
def test_real_metadata_as_the_gguf_package_reads_it(name: str) -> None:
    oracle = pytest.importorskip("gguf", reason="the gguf package is not installed")
    path = real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf")
    fields = oracle.GGUFReader(path).fields
    expected = {key: field.contents() for key, field in fields.items() if not key.startswith("GGUF.")}
    read = read_metadata(path)
    assert {key: list(value) if isinstance(value, array) else value for key, value in read.items()} == expected
