"""`safe_chat_ids`: messages to token ids, so that no message can speak with another's voice.

Stand-alone: it takes the tokenizer that a program has and the messages as transformers takes them, and replaces
`tokenizer.apply_chat_template(messages)`. The texts of messages never pass through the template and never become
control tokens, whatever they spell. Nothing else of Checkrail is needed.

A program that runs tools wants `build`, which also says where text is from.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from ...errors import InputError
from ...vocabulary.control_literals import Literals
from .adapters import adapt
from .assemble import Filling, Manner, assemble
from .jinja_template import JinjaTemplate
from .key import ReinsertKey
from .law import TokenizerAdapter
from .parts import Part, UserText
from .template import CHATML, PLAIN, Conversation, Slot, Template, fitting_template

__all__ = ["safe_chat_ids"]

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TEXTS = ("content", "text", "arguments", "reasoning_content", "thinking", "reasoning", "description")
_DEEPEST = 24
_BUILT_IN = {"chatml": CHATML, "plain": PLAIN}


def safe_chat_ids(
    tokenizer: Any,
    messages: Sequence[Mapping[str, Any]],
    *,
    template: str | Template | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    variables: Mapping[str, str] | None = None,
    add_generation_prompt: bool = True,
    max_tokens: int | None = None,
) -> list[int]:
    """The ids of a conversation.

    tokenizer: anything that `adapt` takes; adapt it once and pass the adapter, if you call this more than once.
    messages: dicts with `role` and `content`, and what else the template knows: `tool_calls`, `name`,
    `reasoning_content`. All texts in them are data, also in a system message; a `Part` may stand in place of one, as
    `Trusted(...)` for text that may hold control tokens, or `Untrusted(...)` for a document, with `BOUNDARY_NOTICE` in
    your system text. template: the text of a chat template, "chatml", "plain", or a
    `Template`; by default the tokenizer's own, or else the built-in one that fits. tools: schemas for the template;
    their texts are data as well. variables: further names for it. max_tokens: more are refused.

    Raises `InputError` INPUT_FORMAT, and what `build` raises.
    """
    adapter = adapt(tokenizer)
    chosen = _template(adapter, template)
    slots = _Slots(Literals(adapter.control_literals))
    conversation = Conversation(
        messages=tuple(slots.message(message, number) for number, message in enumerate(messages, 1)),
        tools=tuple(slots.data(tool, "tools", 0) for tool in tools),
        slots=len(slots.fillings),
        variables={**adapter.template_variables, **(variables or {})},
        add_generation_prompt=add_generation_prompt,
        today=datetime.date.today().isoformat(),
    )
    skeleton = chosen.skeleton(conversation)
    manner = Manner(ReinsertKey.new())
    prompt = assemble(adapter, skeleton, slots.fillings, manner, template_sha256=chosen.sha256, max_tokens=max_tokens)
    return list(prompt.ids)


def _template(adapter: TokenizerAdapter, template: str | Template | None) -> Template:
    if template is None:
        return fitting_template(adapter) if adapter.chat_template is None else JinjaTemplate(adapter.chat_template)
    if isinstance(template, str):
        return _BUILT_IN[template] if template in _BUILT_IN else JinjaTemplate(template)
    return template


@dataclass(slots=True)
class _Slots:
    """Takes the texts out of what a template is given."""

    literals: Literals
    fillings: list[Filling] = field(default_factory=list)
    number: int = 0

    def message(self, message: Mapping[str, Any], number: int) -> dict[str, Any]:
        """A message with slots in place of its texts. Its role goes into the template, so it is one of few words."""
        self.number = number
        if message.get("role") not in _ROLES:
            self.refuse(f"a message needs a role, one of {', '.join(_ROLES)}")
        return {"role": message["role"], **self.members({k: v for k, v in message.items() if k != "role"}, 0)}

    def members(self, value: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """The members of an object."""
        for name in value:
            if not (self.is_word(name)):
                self.refuse("the name of a member must be a word of at most 64 ASCII letters, digits, '_', '.' or '-'")
        return {name: self.data(item, name, depth + 1) for name, item in value.items()}

    def data(self, value: Any, name: str, depth: int) -> Any:
        """JSON data with slots in place of its texts; words that cannot matter stay, since templates compare them."""
        if depth > _DEEPEST:
            self.refuse(f"nested deeper than {_DEEPEST}")
        if isinstance(value, str):
            return value if name not in _TEXTS and self.is_word(value) else self.slot(UserText(value))
        if isinstance(value, get_args(Part)):
            return self.slot(value)
        if isinstance(value, Mapping):
            return self.members(value, depth)
        if isinstance(value, (list, tuple)):
            return [self.data(item, name, depth + 1) for item in value]
        if value is None or isinstance(value, (bool, int, float)):
            return value
        self.refuse(f"a value of type {type(value).__name__} is neither text nor JSON data")
        return None

    def slot(self, part: Part) -> Slot:
        """The place of a text."""
        self.fillings.append(Filling((part,), self.number))
        return Slot(len(self.fillings) - 1)

    def is_word(self, text: object) -> bool:
        """Whether a text is a plain word in which no control token's text begins."""
        return isinstance(text, str) and bool(_WORD.fullmatch(text)) and not self.literals.likely_starts(text)

    def refuse(self, what: str) -> None:
        """Raises."""
        raise InputError("INPUT_FORMAT", name=f"message {self.number}", what=what)
