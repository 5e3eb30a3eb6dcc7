"""A prompt as ids, and what stands where in it.

You need the spans to show which part of a prompt is from whom, and to say how far a result reached the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ...errors import Error

__all__ = ["DataSpan", "Prompt", "Trust"]

Trust: TypeAlias = Literal["user", "untrusted", "own"]


@dataclass(frozen=True, slots=True)
class DataSpan:
    """`[start, end)` of the ids is text from `source`, with what frames it.

    header: the line that says where it is from, "" for text that has none. kept_chars of total_chars are there. hidden:
    characters that cannot be seen. escaped: all but ASCII is written as escapes, since the vocabulary loses or misreads
    the text as it is.
    """

    start: int
    end: int
    source: str
    trust: Trust
    header: str = field(default="", repr=False)
    kept_chars: int = 0
    total_chars: int = 0
    hidden: int = 0
    escaped: bool = False

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return self.kept_chars < self.total_chars


@dataclass(frozen=True, slots=True, repr=False)
class Prompt:
    """ids: for the model. spans: the data in it, ascending. notices: what a person should know, as errors of severity W
    or R that nobody raised. template_sha256: of what stands between."""

    ids: tuple[int, ...]
    spans: tuple[DataSpan, ...]
    notices: tuple[Error, ...]
    template_sha256: str

    def __repr__(self) -> str:
        return f"<Prompt {len(self.ids)} tokens, {len(self.spans)} spans of data>"
