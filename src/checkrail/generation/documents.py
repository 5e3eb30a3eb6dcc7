"""Reading the documents of `extract`: JSON Lines, CSV or text files, strictly UTF-8, one row at a time.

A file that cannot be read as a whole is refused with its place: INPUT_MISSING, INPUT_UNREADABLE, INPUT_ENCODING with
the offset of the first bad byte. A row that is wrong in itself (not an object, no such column) is given on as a row
with an error, INPUT_FORMAT with its number, so that one bad row among thousands does not stop the others.

The name decides the kind: `.jsonl` and `.ndjson`, `.csv` and `.tsv`; anything else is one document of plain text.
`-` is standard input, JSON Lines unless told otherwise: the mistake is then refused and not read as one long text. You
need this for files; `extract` takes rows from anywhere.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from ..boundary.strictjson import parse
from ..errors import DocumentError, Error, InputError

__all__ = ["InputRow", "Kind", "TextFile", "read_rows", "require_files"]

Kind = Literal["text", "jsonl", "csv"]
_KINDS: dict[str, Kind] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv"}
_TEXT_COLUMNS = ("text", "document", "content", "body")
_ID_COLUMNS = ("id",)
_MAXIMUM_LINE = 8 * 1024 * 1024  # bytes of one row


@dataclass(frozen=True, slots=True)
class InputRow:
    """One document. id: what the output row is called. error: why there is no text."""

    id: str
    text: str = ""
    error: Error | None = None


def require_files(paths: Iterable[str]) -> None:
    """Refuse at once what is not there or cannot be opened, before any work is done for the others."""
    for path in paths:
        if path != "-":
            TextFile(path).open().close()


def read_rows(
    paths: Sequence[str],
    *,
    kind: Kind | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    limit: int | None = None,
) -> Iterator[InputRow]:
    """The rows of files, in order, read as they are asked for.

    kind: of all files, instead of what the names say. text_column: the column that holds the document; by default
    the first of text, document, content, body that there is. id_column: by default id, else rows are named by file
    and number. limit: so many rows at most.
    """
    files = (TextFile(path) for path in paths)
    rows = chain.from_iterable(_rows_of(file, kind or file.kind, _Columns(text_column, id_column)) for file in files)
    return islice(rows, limit)


def _rows_of(file: TextFile, kind: Kind, columns: _Columns) -> Iterator[InputRow]:
    if kind == "text":
        return iter([InputRow(file.name, file.read())])
    return _jsonl_rows(file, columns) if kind == "jsonl" else _csv_rows(file, columns)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that must be UTF-8. `-` is standard input."""

    path: str

    @property
    def name(self) -> str:
        """What it is called in messages and ids."""
        return "stdin" if self.path == "-" else os.fsencode(self.path).decode("utf-8", "backslashreplace")

    @property
    def kind(self) -> Kind:
        """By the end of its name."""
        return "jsonl" if self.path == "-" else _KINDS.get(Path(self.path).suffix.lower(), "text")

    def open(self) -> BinaryIO:
        """The bytes. Raises InputError: INPUT_MISSING, INPUT_UNREADABLE."""
        if self.path == "-":
            return sys.stdin.buffer
        try:
            return open(self.path, "rb")
        except FileNotFoundError:
            raise InputError("INPUT_MISSING", name=self.name) from None
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from None

    def read(self) -> str:
        """The whole text, without a byte order mark. Raises InputError as `open`, and INPUT_ENCODING."""
        try:
            with self.open() as stream:
                data = stream.read()
        except OSError as error:
            raise self._unreadable(error) from None
        return self._decode(data, 0).removeprefix("\ufeff")

    def lines(self) -> Iterator[str]:
        """The lines with their ends, split at LF alone. Raises InputError as `read`."""
        offset = 0
        with self.open() as stream:
            while True:
                try:
                    line = stream.readline(_MAXIMUM_LINE)
                except OSError as error:
                    raise self._unreadable(error) from None
                if not line:
                    return
                if len(line) == _MAXIMUM_LINE and not line.endswith(b"\n"):
                    what = f"a line is longer than {_MAXIMUM_LINE} bytes"
                    raise InputError("INPUT_FORMAT", name=self.name, what=what)
                yield self._decode(line, offset).removeprefix("\ufeff" if offset == 0 else "")
                offset += len(line)

    def _decode(self, data: bytes, offset: int) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError("INPUT_ENCODING", name=self.name, offset=offset + error.start) from None

    def _unreadable(self, error: Exception) -> InputError:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        return InputError("INPUT_UNREADABLE", name=self.name, what=reason[:1].lower() + reason[1:])


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which column holds the text, which the id."""

    text: str | None
    id: str | None

    def row(self, file: TextFile, number: int, record: dict[str, Any]) -> InputRow:
        """The row of a record, or a row with the error that says what it lacks."""
        fallback = f"{file.name}:{number}"
        text_column = self._find(self.text, _TEXT_COLUMNS, record)
        if text_column is None or text_column not in record:
            wanted = self.text if self.text is not None else " or ".join(_TEXT_COLUMNS)
            return _bad_row(file, number, f"there is no column {wanted}")
        text = record[text_column]
        if not isinstance(text, str):
            return _bad_row(file, number, f"the column {text_column} is not a string")
        id_column = self._find(self.id, _ID_COLUMNS, record)
        if id_column is None:
            return InputRow(fallback, text)
        if id_column not in record:
            return _bad_row(file, number, f"there is no column {id_column}")
        identifier = record[id_column]
        if isinstance(identifier, bool) or not isinstance(identifier, (str, int)):
            return _bad_row(file, number, f"the column {id_column} is neither a string nor an integer")
        return InputRow(str(identifier), text)

    @staticmethod
    def _find(named: str | None, usual: Sequence[str], record: dict[str, Any]) -> str | None:
        return named if named is not None else next((name for name in usual if name in record), None)


def _bad_row(file: TextFile, number: int, what: str) -> InputRow:
    return InputRow(
        f"{file.name}:{number}", error=InputError("INPUT_FORMAT", name=f"{file.name}, row {number}", what=what)
    )


def _jsonl_rows(file: TextFile, columns: _Columns) -> Iterator[InputRow]:
    for number, line in enumerate(file.lines(), 1):
        if not line.strip():
            continue
        try:
            record = parse(line.strip(), big_integers=True).value
        except DocumentError as error:
            yield _bad_row(file, number, error.message.rstrip("."))
            continue
        if isinstance(record, dict):
            yield columns.row(file, number, record)
        else:
            yield _bad_row(file, number, "not a JSON object")


def _csv_rows(file: TextFile, columns: _Columns) -> Iterator[InputRow]:
    """Rows of a table with a header. The whole file is read, since a field may hold line ends."""
    text = file.read()
    delimiter = "\t" if file.path.lower().endswith(".tsv") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        header = next(reader, None)
        if header is None:
            return
        if len(set(header)) < len(header):
            raise InputError("INPUT_FORMAT", name=file.name, what="two columns have the same name")
        for number, fields in enumerate(reader, 1):
            if len(fields) == len(header):
                yield columns.row(file, number, dict(zip(header, fields, strict=True)))
            elif fields:
                yield _bad_row(file, number, f"{len(fields)} fields, the header has {len(header)}")
    except csv.Error as error:
        raise InputError("INPUT_FORMAT", name=f"{file.name}, row {number + 1}", what=str(error)) from None
