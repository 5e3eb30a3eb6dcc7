"""A document that values are bound to: its text, its digest, and the places where a value occurs.

You need a `Source` to check many outputs against one document; `check_output` makes one from a plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from ...errors import InputError
from .edges import Boundary, is_bounded
from .normal_form import NormalForm, normal_form
from .occurrences import occurrences
from .offsets import ByteOffsets
from .source_rule import DOCUMENT_ID

__all__ = ["MAX_SOURCE_BYTES", "Source", "read_sources"]

MAX_SOURCE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Source:
    """One document: `id` as `x-source` names it, `text`, and `sha256` of its UTF-8 bytes in hexadecimal."""

    id: str
    text: str
    sha256: str
    _offsets: ByteOffsets
    _forms: dict[str, NormalForm] = field(default_factory=dict)  # by mode, made when first needed

    @classmethod
    def read(cls, id: str, data: str | bytes) -> Source:
        """A source from its text. Raises `InputError`: a bad id, more than 1 MiB, or not UTF-8."""
        if not DOCUMENT_ID.fullmatch(id):
            raise InputError("INPUT_FORMAT", name=ascii(id[:40]), what="this is no document id: [a-z][a-z0-9_-]{0,31}")
        try:
            encoded = data.encode("utf-8") if isinstance(data, str) else bytes(data)
            text = data if isinstance(data, str) else encoded.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError("INPUT_ENCODING", name=id, offset=error.start) from None
        except UnicodeEncodeError as error:
            raise InputError(
                "INPUT_FORMAT", name=id, what=f"half of a surrogate pair at character {error.start}"
            ) from None
        if len(encoded) > MAX_SOURCE_BYTES:
            raise InputError("INPUT_FORMAT", name=id, what=f"{len(encoded)} bytes; {MAX_SOURCE_BYTES} are allowed")
        return cls(id, text, sha256(encoded).hexdigest(), ByteOffsets(text))

    def byte(self, offset: int) -> int:
        """The UTF-8 byte offset of a code point offset."""
        return self._offsets.byte(offset)

    def find(self, value: str, mode: str, *, boundary: Boundary = "any") -> Iterator[tuple[int, int]]:
        """The spans `[start, end)` whose text has the same normal form as `value`, from left to right.

        boundary: leave out those whose edges it does not allow.
        """
        wanted = normal_form(mode, value).text
        if not wanted:
            return
        form = self.form(mode)
        for at in occurrences(form.text, wanted):
            span = form.span(at, at + len(wanted))
            if span is not None and is_bounded(self.text, *span, boundary):
                yield span

    def form(self, mode: str) -> NormalForm:
        """The normal form of the whole text."""
        if mode not in self._forms:
            self._forms[mode] = normal_form(mode, self.text)
        return self._forms[mode]

    def __repr__(self) -> str:
        return f"<Source {self.id} {len(self.text)} characters sha256:{self.sha256[:8]}..>"


def read_sources(documents: Mapping[str, str | bytes | Source] | None) -> dict[str, Source]:
    """The sources by id; those that are made already are kept."""
    return {id: data if isinstance(data, Source) else Source.read(id, data) for id, data in (documents or {}).items()}
