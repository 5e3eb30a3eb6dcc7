"""What is right and wrong with one output: the report that a check returns.

Faults are data, never exceptions; the raw text is kept unaltered beside them. Nothing is repaired or tried again.
`value` can be had only when there is no fault, so that a wrong value cannot be used by accident; whoever wants it
all the same says `unchecked_value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import CATALOGUE, DocumentError, OutputError
from ..document import Document, Json

__all__ = ["Fault", "Report", "Span"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `pointer` leads into the value, `schema_pointer` into the schema, to the keyword.

    output_span: `[start, end)` in the output, in code points; None where there is no text. keyword: "" for the
    schema `false`. Keyword and schema_pointer are missing where the text is not even JSON.
    """

    code: str
    pointer: str
    keyword: str = ""
    schema_pointer: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    output_span: tuple[int, int] | None = None

    @property
    def message(self) -> str:
        """One sentence for a person."""
        values = {**self.params, "pointer": self.pointer or "the root", "keyword": self.keyword}
        return CATALOGUE[self.code].message.format(**values)

    def to_json(self) -> dict[str, Any]:
        """The fault as plain data; the parameters stand beside the other members."""
        data: dict[str, Any] = {"code": self.code, "pointer": self.pointer}
        if self.schema_pointer is not None:
            data |= {"keyword": self.keyword, "schema_pointer": self.schema_pointer}
        data |= self.params
        if self.output_span is not None:
            data["output_span"] = list(self.output_span)
        data["message"] = self.message
        return data

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in its source: `[start, end)` in code points and in UTF-8 bytes of the document.

    match: the mode that hit. occurrences: how often the text occurs, counted up to 1,000.
    """

    pointer: str
    doc: str
    doc_sha256: str
    start: int
    end: int
    start_byte: int
    end_byte: int
    match: str
    occurrences: int
    output_span: tuple[int, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """The record of boundary.md, section 7.4."""
        data: dict[str, Any] = {
            "pointer": self.pointer,
            "doc": self.doc,
            "doc_sha256": self.doc_sha256,
            "start": self.start,
            "end": self.end,
            "start_byte": self.start_byte,
            "end_byte": self.end_byte,
            "match": self.match,
            "occurrences": self.occurrences,
        }
        if self.output_span is not None:
            data["output_span"] = list(self.output_span)
        return data


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of a check.

    raw: the output as it came; None if a value was checked that had no text. document: what was read, None if it
    is not JSON. faults: sorted by place in the output, then code; `more` counts those beyond the limit. spans: the
    values that were found in their sources. absent: how many were null, "not present". derived: what `x-derived`
    reads off the texts, by the pointer at which each value belongs.
    """

    raw: str | bytes | None
    document: Document | None
    faults: tuple[Fault, ...] = ()
    more: int = 0
    spans: tuple[Span, ...] = ()
    absent: int = 0
    derived: Mapping[str, Json] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if there is no fault."""
        return not self.faults

    @property
    def value(self) -> Json:
        """The value, if there is no fault. Raises `OutputError` SEMANTIC_FAULTS otherwise."""
        if self.faults:
            first = self.faults[0]
            raise OutputError(
                "SEMANTIC_FAULTS", pointer=first.pointer, count=len(self.faults) + self.more, first=first.code
            )
        return self.unchecked_value

    @property
    def unchecked_value(self) -> Json:
        """The value, faults or not. Raises `DocumentError` if the output is not JSON at all."""
        if self.document is None:
            raise DocumentError("JSON_NO_VALUE", first=self.faults[0].code)
        return self.document.value

    def to_json(self) -> dict[str, Any]:
        """The report as plain data. Output that is not UTF-8 is given in hexadecimal, as `raw_hex`."""
        data: dict[str, Any] = {"semantic": "report/1", "ok": self.ok}
        if isinstance(self.raw, str):
            data["raw"] = self.raw
        elif self.raw is not None:
            try:
                data["raw"] = self.raw.decode("utf-8")
            except UnicodeDecodeError:
                data["raw_hex"] = self.raw.hex()
        if self.document is not None:
            data["value"] = self.document.value
        data["errors"] = [fault.to_json() for fault in self.faults]
        if self.more:
            data["more"] = self.more
        data["spans"] = [span.to_json() for span in self.spans]
        data["absent"] = self.absent
        if self.derived:
            data["derived"] = dict(self.derived)
        return data

    def __repr__(self) -> str:
        faults = len(self.faults) + self.more
        return f"<Report {'ok' if self.ok else f'{faults} faults'}, {len(self.spans)} spans>"
