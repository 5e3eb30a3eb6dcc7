"""Random marks that hold the place of texts while a template is rendered.

A mark is `Q`, 128 random bits as hexadecimal digits, and `Q`. It is fresh for each rendering and in nothing that the
template is given, so that a text cannot forge one; and the texts themselves are put in after the rendered text was
split, so that one in a text would do nothing. After rendering, each mark must be there exactly once. The template's
`tojson` ends a mark with `J` instead where it is the whole of a JSON string.

    planted, marks = plant(value, slots, avoid=[template])
    skeleton = split(render(planted), marks)
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import ContextError
from .template import Hole, Skeleton, Slot

__all__ = ["draw", "plant", "split"]

_MARK = re.compile(r"(Q[0-9a-f]{32})([QJ])")
_DRAWS = 3
_DEEPEST = 32


def draw(count: int, avoid: Iterable[str]) -> list[str]:
    """So many different marks, none of them in the texts to avoid."""
    texts = list(avoid)
    for _ in range(_DRAWS):
        marks = [f"Q{secrets.token_hex(16)}" for _ in range(count)]
        if len(set(marks)) == count and not any(mark in text for mark in marks for text in texts):
            return marks
    raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what="no mark is free")


def plant(value: Any, marks: Sequence[str], depth: int = _DEEPEST) -> Any:
    """JSON data with each slot replaced by its mark. Raises `ContextError` for data that is nested too deeply."""
    if not depth:
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what=f"it was given data nested deeper than {_DEEPEST}")
    if isinstance(value, Slot):
        return marks[value.number] + "Q"
    if isinstance(value, dict):
        return {key: plant(inner, marks, depth - 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plant(inner, marks, depth - 1) for inner in value]
    return value


def split(text: str, marks: Sequence[str]) -> Skeleton:
    """The text between the marks, and a hole for each. Raises `ContextError` CONTEXT_TEMPLATE_OPAQUE."""
    numbers = {mark: number for number, mark in enumerate(marks)}
    parts: list[str | Hole] = []
    last = 0
    for found in _MARK.finditer(text):
        number = numbers.pop(found[1], None)
        if number is None:
            continue  # a second one, or one that the template has made up: it shows in the text
        if last < found.start():
            parts.append(text[last : found.start()])
        parts.append(Hole(number, json=found[2] == "J"))
        last = found.end()
    if last < len(text):
        parts.append(text[last:])
    if numbers:
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what=f"it leaves out or changes text {min(numbers.values()) + 1}")
    if any(mark in part for part in parts if isinstance(part, str) for mark in marks):
        raise ContextError("CONTEXT_TEMPLATE_OPAQUE", what="it writes a text twice, or a part of it")
    return tuple(parts)
