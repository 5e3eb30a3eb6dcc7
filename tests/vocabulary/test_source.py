"""Opening files and parsing JSON: every failure is in the catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import InputError, VocabularyError
from checkrail.vocabulary import source
from checkrail.vocabulary.source import is_json, parse_json, read_file

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(json_values)
def test_json_round_trip(value: object) -> None:
    assert parse_json(json.dumps(value)) == value
    assert parse_json(b"\xef\xbb\xbf" + json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{"a": 1,\n "b": }', "line 2, column 7"),
        (b'{"a": 1, "a": 2}', "'a' occurs twice"),
        (b'"\xff"', "byte 1"),
        (b"", "line 1, column 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5_000, "too many digits"),
        (b"[NaN]", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
    ],
)
def test_broken_json_names_the_place(data: bytes, place: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        parse_json(data)
    assert raised.value.code == "VOCAB_FORMAT"
    assert place in raised.value.message


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b" {", True),
        (b'["a"]', True),
        (b'\xef\xbb\xbf[ "', True),
        (b"[PAD]\n[UNK]", False),
        (b"", False),
        (b"a", False),
    ],
)
def test_is_json(data: bytes, expected: bool) -> None:
    assert is_json(data) is expected


def test_files_that_are_not_there_or_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError) as missing:
        read_file(tmp_path / "none.json")
    assert (missing.value.code, missing.value.params["name"]) == ("INPUT_MISSING", "none.json")
    with pytest.raises(InputError) as directory:
        read_file(tmp_path)
    assert directory.value.code == "INPUT_UNREADABLE"
    with pytest.raises(InputError) as null:
        read_file("a\0b")
    assert null.value.code == "INPUT_UNREADABLE"


def test_files_above_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAXIMUM_FILE_BYTES", 10)
    (tmp_path / "ten").write_bytes(b"0123456789")
    assert read_file(tmp_path / "ten") == b"0123456789"
    (tmp_path / "more").write_bytes(b"0123456789a")
    with pytest.raises(VocabularyError) as raised:
        read_file(tmp_path / "more")
    assert raised.value.code == "VOCAB_FORMAT"
