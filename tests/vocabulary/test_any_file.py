"""Picking the reader by content. Each format's own test also reads its real files through `from_file`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import InputError, VocabularyError
from checkrail.vocabulary.any_file import read_any

TOKENIZER = {
    "model": {"type": "BPE", "vocab": {"a": 0, "</s>": 1}},
    "decoder": {"type": "ByteLevel"},
    "added_tokens": [{"id": 1, "content": "</s>", "special": True}],
}
TEKKEN = {
    "config": {"default_vocab_size": 2, "default_num_special_tokens": 1},
    "vocab": [{"rank": 0, "token_bytes": "YQ=="}],
    "special_tokens": [{"rank": 0, "token_str": "</s>"}],
}


@pytest.mark.parametrize(
    ("content", "tokens"),
    [
        (json.dumps(TOKENIZER).encode(), [b"a", None]),
        (b"\xef\xbb\xbf\n" + json.dumps(TOKENIZER, indent=1).encode(), [b"a", None]),
        (json.dumps(TEKKEN).encode(), [None, b"a"]),
        (b"YQ== 0\nYWI= 1\n", [b"a", b"ab"]),
        (b"\x0a\x05\x0a\x03\xe2\x96\x81\x0a\x03\x0a\x01a", [b" ", b"a"]),
        (b"[UNK]\n##a\nb\n", [None, b"a", b"b"]),
        (b'["[UNK]", "##a"]', [None, b"a"]),
        (b'{"[UNK]": 1, "##a": 0}', [b"a", None]),
    ],
)
def test_formats(tmp_path: Path, content: bytes, tokens: list[bytes | None]) -> None:
    (tmp_path / "file").write_bytes(content)
    assert read_any(tmp_path / "file").tokens == tokens


@pytest.mark.parametrize("content", [b"", b"hello\n", b"{}", b'{"a": 0, "b": 1}', b'["a"]', b"PK\x03\x04", b"\xff\xfe"])
def test_unknown_content_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(VocabularyError) as raised:
        read_any(tmp_path / "file")
    assert raised.value.code == "VOCAB_FORMAT"


@given(st.sampled_from([b"", b"GGUF", b"{", b'["', b"\x0a\x05\x0a", b"YQ== "]), st.binary(max_size=40))
def test_garbage_ends_in_a_catalogued_error(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage"
    path.write_bytes(start + rest)
    code = None
    try:
        read_any(path)
    except VocabularyError as error:
        code = error.code
    assert code in {None, "VOCAB_FORMAT", "VOCAB_BYTES_UNKNOWN"}


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_any(tmp_path / "none")
    assert raised.value.code == "INPUT_MISSING"
