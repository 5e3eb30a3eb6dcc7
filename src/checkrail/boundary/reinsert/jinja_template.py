"""The chat template of a model file, rendered where it can do no harm, and believed only as far as it was checked.

The template runs in a worker process (`template_tool`), twice, with different marks in place of the texts. Each mark
must come out exactly once, and what is between the marks must be the same both times; a template that looks into texts,
cuts them, or repeats them is refused (CONTEXT_TEMPLATE_OPAQUE). One that breaks out of its bounds is refused as well
(CONTEXT_TEMPLATE_UNSAFE). Texts then go between the template's pieces as they are: what a template does to them, taking
blanks off their ends for one, does not happen.

A skeleton depends on the turns' roles and not on their texts, so it is remembered: rendering takes a few tenths of a
second, the start of a process, once for each form of a conversation.

Needs the package jinja2 (`pip install 'checkrail[chat]'`), in the worker only; this process never imports it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from ...errors import ContextError, Error, MissingExtra
from .. import canon, runner
from ..tools.registration import register
from ..tools.tool import RegisteredTool
from .law import utf8
from .sentinels import draw, plant, split
from .template import Conversation, Skeleton, Slot
from .template_tool import render_twice

__all__ = ["JinjaTemplate"]

_REMEMBERED = 64
_OPAQUE = {
    "TEMPLATE_BROKEN": "it is not Jinja, or it fails on these turns",
    "TEMPLATE_REFUSES": "it refuses these turns",
}
_SLOT = "\0slot"


class JinjaTemplate:
    """A chat template.

    text: in Jinja. tool_role: whether it has turns of tools; by default, whether it speaks of a role "tool".
    variables: further names, as `{"eos_token": "</s>"}`. expected_sha256: of the text, where it is known; another text
    is refused. Raises `ContextError` CONTEXT_TEMPLATE_UNSAFE for that.
    """

    __slots__ = ("sha256", "text", "tool_role", "variables")

    def __init__(
        self,
        text: str,
        *,
        tool_role: bool | None = None,
        variables: Mapping[str, str] | None = None,
        expected_sha256: str | None = None,
    ) -> None:
        self.text = text
        self.tool_role = "'tool'" in text or '"tool"' in text if tool_role is None else tool_role
        self.variables = dict(variables or {})
        self.sha256 = hashlib.sha256(utf8(text)).hexdigest()
        if expected_sha256 not in (None, self.sha256):
            raise ContextError("CONTEXT_TEMPLATE_UNSAFE", what="it is another one than was agreed to")

    def skeleton(self, conversation: Conversation, /) -> Skeleton:
        """See `Template`. Raises also `MissingExtra`, where jinja2 is not installed."""
        if find_spec("jinja2") is None:
            raise MissingExtra("MISSING_EXTRA", package="jinja2", command="pip install 'checkrail[chat]'")
        context = {
            **conversation.variables,
            **self.variables,
            "messages": [dict(message) for message in conversation.messages],
            "tools": list(conversation.tools) or None,
            "add_generation_prompt": conversation.add_generation_prompt,
            "now": conversation.today,
        }
        written = _written(context)
        utf8(written)
        if written.count(json.dumps(_SLOT)) != conversation.slots:
            raise ContextError(
                "CONTEXT_TEMPLATE_OPAQUE", what="it was given a text twice, or one that says it is a slot"
            )
        return _skeleton(self.text, written, conversation.slots)

    def __repr__(self) -> str:
        return f"<JinjaTemplate {len(self.text)} characters, sha256:{self.sha256[:12]}>"


def _written(context: dict[str, Any]) -> str:
    """The context as JSON, slots as lists that nothing else can be; so it can be looked up."""

    def default(value: object) -> Any:
        if isinstance(value, Slot):
            return {_SLOT: value.number}
        if isinstance(value, Mapping):
            return dict(value)
        raise TypeError

    try:
        return json.dumps(context, default=default, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what="it was given something that is not JSON data") from None


def _read(text: str) -> dict[str, Any]:
    def hook(value: dict[str, Any]) -> Any:
        return Slot(value[_SLOT]) if _SLOT in value else value

    context: dict[str, Any] = json.loads(text, object_hook=hook)
    return context


@lru_cache(maxsize=_REMEMBERED)
def _skeleton(template: str, written: str, slots: int) -> Skeleton:
    context = _read(written)
    first, second = draw(slots, [template, written]), draw(slots, [template, written])
    texts = _rendered(template, plant(context, first), plant(context, second))
    skeleton, other = split(texts[0], first), split(texts[1], second)
    if skeleton != other:
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what="what it writes depends on the texts")
    return skeleton


def _rendered(template: str, first: dict[str, Any], second: dict[str, Any]) -> tuple[str, str]:
    """Both texts, from one worker."""
    arguments = {"template": template, "first": json.dumps(first), "second": json.dumps(second)}
    try:
        outcome = runner.run(_registered(), canon.dumps(arguments))
    except Error:  # more than canonical JSON may have
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what="it, or what it was given, cannot be sent to it") from None
    if outcome.result is not None:
        result = json.loads(outcome.result)
        return result["first"], result["second"]
    raise _failure(outcome.error, outcome.failure)


def _failure(error: Error | None, declared: tuple[str, Any] | None) -> ContextError:
    if declared is not None and declared[0] in _OPAQUE:
        return ContextError("CONTEXT_TEMPLATE_OPAQUE", what=_OPAQUE[declared[0]])
    code = "TOOL_PROTOCOL" if error is None else error.code
    if code in ("TOOL_ARGS_TOO_LARGE", "TOOL_ISOLATION_UNAVAILABLE", "TOOL_START"):
        return ContextError("CONTEXT_TEMPLATE_OPAQUE", what=f"it cannot be run ({code})")
    return ContextError("CONTEXT_TEMPLATE_UNSAFE", what=code if declared is None else declared[0])


@cache
def _registered() -> RegisteredTool:
    return register(render_twice, {})
