"""`Job`: one grammar and the texts to replay on it. The driver sends it to a worker as a line of JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Job"]


@dataclass(frozen=True, slots=True)
class Job:
    """kind: "schema" (source is JSON text), "regex" or "lark". texts: (text, valid). cold: drop caches before it.

    nesting: how deep the texts nest, where that is beyond what engines allow by default.
    """

    id: str
    kind: str
    source: str
    texts: tuple[tuple[str, bool], ...]
    cold: bool = False
    nesting: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Job:
        """From plain data."""
        return cls(**{**data, "texts": tuple((text, valid) for text, valid in data["texts"])})
