"""The line that says where inserted text is from: canonical JSON, written by the host.

Its fields are numbers, hashes, listed words and ids that were checked; no character of it comes from the text behind
it. It is never read back: a text that has such a line in it, or a whole earlier insertion, is that text, escaped.

`tokens` and `bytes` count what follows the line. `sha256` is of the canonical bytes of the value as it came, whole, so
that a shortened one can be told from another. `encoding` says what follows: `json`, the value itself; `json-text`, the
beginning of its JSON as a text; `json-parts`, a list of its beginning, what is left out, and its end.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from .. import canon

__all__ = ["Encoding", "Header"]

Encoding: TypeAlias = Literal["json", "json-text", "json-parts"]


@dataclass(frozen=True, slots=True)
class Header:
    """See above. role: `tool` or `document`. kept_chars of total_chars: of a text, else of the value's JSON."""

    request_id: str
    role: str
    source: str
    sha256: str
    encoding: Encoding
    bytes: int
    tokens: int
    hidden: int
    kept_chars: int
    total_chars: int

    @property
    def truncated(self) -> bool:
        """Whether something is left out."""
        return self.kept_chars < self.total_chars

    def line(self) -> str:
        """The canonical JSON, without a line end."""
        return canon.dumps({**asdict(self), "truncated": self.truncated, "trust": "untrusted", "v": 1}).decode()
