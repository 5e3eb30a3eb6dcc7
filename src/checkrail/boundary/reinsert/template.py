"""What stands between the texts of a conversation: a skeleton with holes.

A template says how a model was trained to see turns. It is asked with slots in place of texts, and answers with its own
text and holes; the texts are put in afterwards, as tokens, and never pass through it. So it can neither change a text
nor be changed by one.

Two templates are built in. `CHATML` marks turns with `<|im_start|>` and `<|im_end|>`, as Qwen, SmolLM2 and many others
were trained; `PLAIN` writes role names as words, for models without such tokens. For the template of a model file, use
`JinjaTemplate`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from ...errors import ContextError
from .law import TokenizerAdapter

__all__ = [
    "CHATML",
    "PLAIN",
    "BuiltinTemplate",
    "Conversation",
    "Hole",
    "Skeleton",
    "Slot",
    "Template",
    "fitting_template",
]


@dataclass(frozen=True, slots=True)
class Slot:
    """Stands for a text in what a template is given."""

    number: int


@dataclass(frozen=True, slots=True)
class Hole:
    """Where the text of a slot goes. json: within the quotes of a JSON string, so the text is escaped for one."""

    slot: int
    json: bool = False


Skeleton: TypeAlias = tuple[str | Hole, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a template is given. messages, tools: JSON data in which slots stand for texts. slots: how many there are.

    variables: further names for the template, `bos_token` for one. today: an ISO date, for templates that name the day.
    """

    messages: tuple[Mapping[str, Any], ...]
    slots: int
    tools: tuple[Any, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    add_generation_prompt: bool = True
    today: str = "1970-01-01"


class Template(Protocol):
    """sha256: of the template's text. tool_role: whether it has turns of tools."""

    @property
    def sha256(self) -> str:
        """See above."""

    @property
    def tool_role(self) -> bool:
        """See above."""

    def skeleton(self, conversation: Conversation, /) -> Skeleton:
        """The template's own text and the holes, in order; each slot has one. Raises `ContextError`."""


@dataclass(frozen=True, slots=True)
class BuiltinTemplate:
    """A template of three texts; `{role}` is the role's name and `{Role}` the same with a capital."""

    name: str
    opening: str
    closing: str
    tool_role: bool = False

    @property
    def sha256(self) -> str:
        """See `Template`."""
        return hashlib.sha256(f"{self.opening}\0{self.closing}".encode()).hexdigest()

    def skeleton(self, conversation: Conversation, /) -> Skeleton:
        """See `Template`."""
        if conversation.tools:
            raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what=f"{self.name} has no place for tools")
        parts: list[str | Hole] = []
        for message in conversation.messages:
            content = message.get("content")
            if set(message) != {"role", "content"} or not isinstance(content, Slot):
                raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what=f"{self.name} has turns with a role and a text only")
            parts += [self._opening(message["role"]), Hole(content.number), self.closing]
        if conversation.add_generation_prompt:
            parts.append(self._opening("assistant"))
        return tuple(parts)

    def _opening(self, role: str) -> str:
        return self.opening.format(role=role, Role=role.capitalize())


CHATML = BuiltinTemplate("chatml", "<|im_start|>{role}\n", "<|im_end|>\n")
PLAIN = BuiltinTemplate("plain", "{Role}:\n", "\n\n")


def fitting_template(tokenizer: TokenizerAdapter) -> BuiltinTemplate:
    """The built-in template that fits: `CHATML` if the vocabulary has its two tokens, else `PLAIN`."""
    return CHATML if {"<|im_start|>", "<|im_end|>"} <= set(tokenizer.control_literals) else PLAIN
