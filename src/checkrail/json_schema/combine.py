"""Short names for building regular expressions by hand: `seq`, `alt`, `optional`, `chars`.

Formats and number ranges are tables of regular languages; these four functions keep them as readable as the
specifications they are taken from. Text stands for itself. Nothing here knows about JSON or schemas.
"""

from __future__ import annotations

from ..grammar.codepoints import character_class
from ..grammar.expression import NOTHING, CharacterClass, Choice, Expression, Literal, Repeat, Sequence

__all__ = ["alt", "chars", "optional", "seq", "times"]


def _node(part: Expression | str) -> Expression:
    return Literal(part) if isinstance(part, str) else part


def seq(*parts: Expression | str) -> Expression:
    """The parts one after the other; flattened, adjacent texts joined, and nothing when a part is nothing."""
    items: list[Expression] = []
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        if part == NOTHING:
            return NOTHING
        for item in part.items if isinstance(part, Sequence) else (part,):
            if isinstance(item, Literal):
                texts.append(item.text)
                continue
            if texts and (text := "".join(texts)):
                items.append(Literal(text))
            texts.clear()
            items.append(item)
    if texts and (text := "".join(texts)):
        items.append(Literal(text))
    return items[0] if len(items) == 1 else Sequence(tuple(items))


def alt(*parts: Expression | str) -> Expression:
    """Any one of the parts, each once; nested choices are flattened."""
    if len(parts) == 1 and not isinstance(parts[0], Choice):
        return _node(parts[0])  # which may be long: to look it up among others takes its length
    options: dict[Expression, None] = {}
    for part in parts:
        node = _node(part)
        options.update(dict.fromkeys(node.options if isinstance(node, Choice) else (node,)))
    return next(iter(options)) if len(options) == 1 else Choice(tuple(options))


def optional(*parts: Expression | str) -> Expression:
    """The parts one after the other, or nothing."""
    return Repeat(seq(*parts), 0, 1)


def times(part: Expression | str, minimum: int, maximum: int | None) -> Expression:
    """The part from `minimum` to `maximum` times; None is unbounded."""
    node = _node(part)
    return node if minimum == maximum == 1 else Repeat(node, minimum, maximum)


def chars(spelling: str) -> CharacterClass:
    """One character out of a spelling such as `a-zA-Z_`; a hyphen first or last stands for itself.

    >>> chars("0-9-")
    CharacterClass(ranges=((45, 45), (48, 57)))
    """
    ranges: list[tuple[int, int]] = []
    i = 0
    while i < len(spelling):
        width = 3 if spelling[i + 1 : i + 2] == "-" and i + 2 < len(spelling) else 1
        ranges.append((ord(spelling[i]), ord(spelling[i + width - 1])))
        i += width
    return character_class(ranges)
