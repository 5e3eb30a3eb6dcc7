"""What a prompt is made of: parts that say where their text comes from.

Only `Trusted` text is put where a template's own text stands, and may hold control tokens; it is for what the
developer wrote. `UserText` goes in as it is, as data. Text of others, `Untrusted` and `ToolOutput`, goes in as a
JSON value behind a line that says where it is from. `OwnTokens` are ids that the model itself wrote in this session:
they are never made of text again.

A part's `repr` shows sizes, never text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from ...errors import InputError
from ..calls.envelopes import ToolResult
from ..evidence.types import Id

__all__ = [
    "DEFAULT_MAX_TOKENS",
    "Keep",
    "OwnTokens",
    "Part",
    "Role",
    "ToolOutput",
    "Trusted",
    "Turn",
    "Untrusted",
    "UserText",
]

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Keep: TypeAlias = Literal["head", "head_tail"]

DEFAULT_MAX_TOKENS = 2_048
_SOURCE = re.compile(r"[a-z]{1,16}:[A-Za-z0-9_.@-]{1,96}")  # as `taint` has it


@dataclass(frozen=True, slots=True, repr=False)
class _Text:
    text: str

    def __post_init__(self) -> None:
        if type(self.text) is not str:
            raise InputError("INPUT_FORMAT", name=type(self).__name__, what="must be made of a text")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self.text)} characters>"


@dataclass(frozen=True, slots=True, repr=False)
class Trusted(_Text):
    """Text that the developer wrote; control tokens in it count."""


@dataclass(frozen=True, slots=True, repr=False)
class UserText(_Text):
    """Text of the user, pasted or typed. It is data: whatever it spells, no control token comes of it."""


@dataclass(frozen=True, slots=True, repr=False)
class Untrusted(_Text):
    """Text that somebody else wrote: a document, a page, an old answer.

    source: a kind, a colon and an ASCII id, `doc:mail-3`. max_tokens: of header and text; what is longer is shortened,
    and marked as shortened. keep: of a shortened text, its beginning or both ends. id: of the insertion.
    """

    source: str
    max_tokens: int = DEFAULT_MAX_TOKENS
    keep: Keep = "head"
    id: str = field(default_factory=lambda: str(Id.new("tr")), compare=False)

    def __post_init__(self) -> None:
        _Text.__post_init__(self)
        if type(self.source) is not str or not _SOURCE.fullmatch(self.source):
            raise InputError("INPUT_FORMAT", name="The source", what="must be a kind, a colon and an ASCII id")
        _check_size(self.max_tokens, self.keep)

    def __repr__(self) -> str:
        return f"<Untrusted {self.source}, {len(self.text)} characters>"


@dataclass(frozen=True, slots=True, repr=False)
class ToolOutput:
    """What a call of a tool came to. The model sees the result, or of a failed call the error. Rest as `Untrusted`."""

    result: ToolResult
    max_tokens: int = DEFAULT_MAX_TOKENS
    keep: Keep = "head"

    def __post_init__(self) -> None:
        _check_size(self.max_tokens, self.keep)

    def __repr__(self) -> str:
        return f"<ToolOutput {self.result.tool.name} {self.result.state}>"


@dataclass(frozen=True, slots=True, repr=False)
class OwnTokens:
    """Ids that the model wrote in this session, without the token that ended them."""

    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(self.ids))
        if not all(type(identifier) is int and identifier >= 0 for identifier in self.ids):
            raise InputError("INPUT_FORMAT", name="OwnTokens", what="must be made of token ids")

    def __repr__(self) -> str:
        return f"<OwnTokens {len(self.ids)}>"


Part: TypeAlias = Trusted | UserText | Untrusted | ToolOutput | OwnTokens


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: whose it is, and its parts in order."""

    role: Role
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if self.role not in get_args(Role):
            raise InputError("INPUT_FORMAT", name="role", what=f"must be one of {', '.join(get_args(Role))}")
        for part in self.parts:
            if not isinstance(part, get_args(Part)):
                what = f"must be a part that says where it is from, not {type(part).__name__}"
                raise InputError("INPUT_FORMAT", name="A part of a turn", what=what)

    @classmethod
    def of(cls, role: Role, *parts: Part) -> Turn:
        """The turn of these parts.

        >>> Turn.of("user", UserText("Hello"))
        Turn(role='user', parts=(<UserText 5 characters>,))
        """
        return cls(role, parts)


def _check_size(max_tokens: int, keep: str) -> None:
    if type(max_tokens) is not int or max_tokens < 1:
        raise InputError("INPUT_FORMAT", name="max_tokens", what="must be a positive integer")
    if keep not in get_args(Keep):
        raise InputError("INPUT_FORMAT", name="keep", what='must be "head" or "head_tail"')
