"""Triggers of CONTEXT_* of prompts: text of others, templates, histories."""

from __future__ import annotations

from checkrail.boundary.reinsert import (
    CHATML,
    JinjaTemplate,
    ReinsertKey,
    Turn,
    Untrusted,
    UserText,
    build,
    read_history,
)
from checkrail.boundary.reinsert.template import Conversation, Slot
from error_triggers import Trigger
from toy_tokenizers import byte_tokenizer

KEY = ReinsertKey(b"0" * 32)


def built(*turns: Turn, hidden: str = "escape") -> object:
    prompt = build(byte_tokenizer(), turns, template=CHATML, key=KEY, hidden=hidden)  # type: ignore[arg-type]
    return prompt.notices


def rendered(text: str) -> object:
    return JinjaTemplate(text).skeleton(Conversation(({"role": "user", "content": Slot(0)},), 1))


TRIGGERS: dict[str, Trigger] = {
    "CONTEXT_TOOL_BUDGET": lambda: built(Turn.of("user", Untrusted("a", "doc:x", max_tokens=1))),
    "CONTEXT_TRUNCATED": lambda: built(Turn.of("user", Untrusted("a" * 9_999, "doc:x", max_tokens=900))),
    "CONTEXT_HIDDEN_TEXT": lambda: built(Turn.of("user", UserText("a\u200b")), hidden="reject"),
    "CONTEXT_TEMPLATE_OPAQUE": lambda: rendered("{{ messages[0].content | upper }}"),
    "CONTEXT_TEMPLATE_UNSAFE": lambda: JinjaTemplate("{{ x }}", expected_sha256="0" * 64),
    "CONTEXT_HISTORY_UNSIGNED": lambda: read_history(b"{}\n", KEY),
}
