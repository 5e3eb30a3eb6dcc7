"""Files into rows: what is refused with which place, and what is only one bad row."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from checkrail.errors import InputError
from checkrail.generation.documents import InputRow, read_rows, require_files


def rows(*paths: Path | str, **options: object) -> list[InputRow]:
    return list(read_rows([str(path) for path in paths], **options))  # type: ignore[arg-type]


def file(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_a_text_file_is_one_document(tmp_path: Path) -> None:
    path = file(tmp_path, "mail.txt", "\ufeffFür Zoë 🎂\r\nline\n")
    assert rows(path) == [InputRow(str(path), "Für Zoë 🎂\r\nline\n")]


def test_json_lines(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", '{"text": "eins"}\n\n{"id": 7, "text": "zwei\\n"}\r\n{"id": "x", "text": ""}')
    assert rows(path) == [InputRow(f"{path}:1", "eins"), InputRow("7", "zwei\n"), InputRow("x", "")]


def test_tables(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", 'id,body\r\n1,"a ""quoted""\nline"\r\n\r\n2,é\r\n')
    assert rows(path) == [InputRow("1", 'a "quoted"\nline'), InputRow("2", "é")]
    tabs = file(tmp_path, "b.tsv", "key\tdocument\nk\ta,b\n")
    assert rows(tabs, id_column="key") == [InputRow("k", "a,b")]
    assert rows(file(tmp_path, "c.csv", "")) == []


def test_columns_are_named(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", '{"text": "no", "mail": "yes", "nr": 3}\n')
    assert rows(path, text_column="mail", id_column="nr") == [InputRow("3", "yes")]


def test_standard_input_is_json_lines_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, data, wanted in (
        (None, b'{"text": "a"}\n', InputRow("stdin:1", "a")),
        ("text", b"plain\n", InputRow("stdin", "plain\n")),
    ):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        assert rows("-", kind=kind) == [wanted]


def test_the_limit_stops_reading(tmp_path: Path) -> None:
    good = file(tmp_path, "a.txt", "a")
    assert len(rows(good, tmp_path / "missing.txt", limit=1)) == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "Not valid JSON"),
        ('{"text": "a", "text": "b"}', "twice"),
        ("[1]", "not a JSON object"),
        ('{"other": 1}', "there is no column text or"),
        ('{"text": 1}', "not a string"),
        ('{"text": "a", "id": [1]}', "neither"),
    ],
)
def test_a_bad_row_is_named_and_does_not_stop_the_others(tmp_path: Path, line: str, says: str) -> None:
    path = file(tmp_path, "a.jsonl", f'{{"text": "a"}}\n{line}\n{{"text": "b"}}\n')
    first, bad, last = rows(path)
    assert (first.text, last.text) == ("a", "b")
    assert bad.error is not None
    assert bad.error.code == "INPUT_FORMAT"
    assert "row 2" in bad.error.message
    assert says in bad.error.message
    assert bad.id == f"{path}:2"


def test_a_bad_row_of_a_table(tmp_path: Path) -> None:
    first, bad, last = rows(file(tmp_path, "a.csv", "id,text\n1,a\n2\n3,c\n"))
    assert (first.id, last.id) == ("1", "3")
    assert bad.error is not None
    assert "1 fields, the header has 2" in bad.error.message


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"caf\xe9"),
        ("a.jsonl", b'{"text": "\xc3\xa9"}\n{"text": "\xff"}\n'),
        ("a.csv", b"text\n\xc3(\n"),
        ("b.txt", b"ok\xed\xa0\x80"),
    ],
)
def test_what_is_not_utf8_is_refused_with_the_byte(tmp_path: Path, name: str, data: bytes) -> None:
    with pytest.raises(UnicodeDecodeError) as truth:
        data.decode("utf-8")
    path = file(tmp_path, name, data)
    with pytest.raises(InputError) as caught:
        rows(path)
    assert (caught.value.code, caught.value.params["offset"]) == ("INPUT_ENCODING", truth.value.start)


def test_rows_before_the_bad_byte_come_first(tmp_path: Path) -> None:
    reader = read_rows([str(file(tmp_path, "a.jsonl", b'{"text": "a"}\n\xff'))])
    assert next(reader).text == "a"
    with pytest.raises(InputError):
        next(reader)


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    for paths, code in (([tmp_path / "none.txt"], "INPUT_MISSING"), ([tmp_path], "INPUT_UNREADABLE")):
        with pytest.raises(InputError) as caught:
            rows(*paths)
        assert caught.value.code == code
        with pytest.raises(InputError) as caught:
            require_files(map(str, paths))
        assert caught.value.code == code


def test_a_name_that_is_not_utf8_can_be_told(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    try:
        file(tmp_path, name, "a")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    (row,) = rows(tmp_path / name)
    assert row.id.endswith("caf\\xe9.txt")
    with pytest.raises(InputError) as caught:
        rows(tmp_path / name / "x")
    caught.value.render().encode("utf-8")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights(tmp_path: Path) -> None:
    path = file(tmp_path, "a.txt", "a")
    path.chmod(0)
    with pytest.raises(InputError, match="INPUT_UNREADABLE"):
        rows(path)


@pytest.mark.parametrize(("name", "data"), [("a.csv", 'text\n"a" b\n'), ("b.csv", "a,a\n1,2\n")])
def test_a_broken_table_is_refused(tmp_path: Path, name: str, data: str) -> None:
    with pytest.raises(InputError, match="INPUT_FORMAT"):
        rows(file(tmp_path, name, data))


def test_a_line_without_end_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkrail.generation.documents._MAXIMUM_LINE", 64)
    with pytest.raises(InputError, match="longer than 64 bytes"):
        rows(file(tmp_path, "a.jsonl", "x" * 100))
