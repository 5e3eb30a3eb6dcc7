"""From turns to a prompt in which only the template speaks for the host.

    prompt = build(tokenizer, turns, template=template, key=key, max_tokens=model.context_size)

You need it wherever text that somebody else wrote is put in front of a local model. For a list of messages as
transformers has them, `safe_chat_ids` is enough.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from ...errors import InputError
from .assemble import Filling, Manner, assemble
from .framing import BOUNDARY_NOTICE, IdFraming
from .key import ReinsertKey
from .law import TokenizerAdapter
from .parts import ToolOutput, Trusted, Turn, Untrusted
from .payload import Escape, Hidden
from .prompt import Prompt
from .template import Conversation, Slot, Template

__all__ = ["build"]


def build(
    tokenizer: TokenizerAdapter,
    turns: Sequence[Turn],
    *,
    template: Template,
    key: ReinsertKey,
    max_tokens: int | None = None,
    framing: IdFraming | None = None,
    escape: Escape = "minimal",
    hidden: Hidden = "escape",
    add_generation_prompt: bool = True,
) -> Prompt:
    """The prompt of a conversation.

    max_tokens: of the whole. Text of others is shortened, each to its own bound; what the user or the developer wrote
    never is, so above it the prompt is refused. framing: control tokens to put around text of others; without them it
    is the template in a tool's turn, and boundary lines elsewhere, where `BOUNDARY_NOTICE` is added to the first
    system turn (or to the first turn) unless trusted text has it. A tool's turn is one of the user where the template
    has none. escape: "html" also escapes `<`, `>` and `&` in text of others. hidden: what becomes of characters that
    cannot be seen.

    Raises `ContextError`: CONTEXT_OVERFLOW, CONTEXT_TOOL_BUDGET, CONTEXT_CONTROL_TOKEN, CONTEXT_TEXT_LOST,
    CONTEXT_HIDDEN_TEXT (`hidden="reject"`), CONTEXT_TEMPLATE_OPAQUE, CONTEXT_TEMPLATE_UNSAFE; `InputError`
    INPUT_FORMAT; `DocumentError` CANON_*, for a text that no JSON can hold.
    """
    if not turns:
        raise InputError("INPUT_FORMAT", name="turns", what="at least one turn is needed")
    manner = Manner(key, framing, escape, hidden)
    fillings = [Filling(turn.parts, number, _framed(turn, template)) for number, turn in enumerate(turns, 1)]
    if framing is None and any(_needs_boundary(filling) for filling in fillings):
        fillings = _with_notice(turns, fillings)
    messages = tuple(
        {"role": turn.role if turn.role != "tool" or template.tool_role else "user", "content": Slot(number)}
        for number, turn in enumerate(turns)
    )
    conversation = Conversation(
        messages,
        len(messages),
        variables=tokenizer.template_variables,
        add_generation_prompt=add_generation_prompt,
        today=datetime.date.today().isoformat(),
    )
    skeleton = template.skeleton(conversation)
    return assemble(tokenizer, skeleton, fillings, manner, template_sha256=template.sha256, max_tokens=max_tokens)


def _framed(turn: Turn, template: Template) -> bool:
    return turn.role == "tool" and template.tool_role


def _needs_boundary(filling: Filling) -> bool:
    return not filling.framed and any(isinstance(part, (Untrusted, ToolOutput)) for part in filling.parts)


def _with_notice(turns: Sequence[Turn], fillings: list[Filling]) -> list[Filling]:
    """The fillings, with what boundaries mean said once."""
    trusted = (part.text for turn in turns for part in turn.parts if isinstance(part, Trusted))
    if any(BOUNDARY_NOTICE in text for text in trusted):
        return fillings
    at = next((number for number, turn in enumerate(turns) if turn.role == "system"), None)
    place, was = (0, fillings[0]) if at is None else (at, fillings[at])
    parts = (
        (Trusted(f"{BOUNDARY_NOTICE}\n\n"), *was.parts)
        if at is None
        else (*was.parts, Trusted(f"\n\n{BOUNDARY_NOTICE}"))
    )
    return [*fillings[:place], Filling(parts, was.number, was.framed), *fillings[place + 1 :]]
