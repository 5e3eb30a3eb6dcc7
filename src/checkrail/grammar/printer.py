"""Write a grammar as GBNF text that reads back as an equal language.

Nodes that GBNF cannot say are written as marked calls, for people and not for the parser: `@json(x)`, `@and(x, y)`,
`@not(x)`, `@multiple(modulus, places)`, `@token("...")` and `@nothing`. `Nest` is a count, not text, so its item is
written in its place. Rule names with characters outside `[a-zA-Z0-9_-]` are changed and numbered where needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .codepoints import Ranges, complement
from .expression import (
    ANY_CHARACTER,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Multiple,
    Nest,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from .grammar import Grammar
from .simplify import rename_references
from .traverse import fold

__all__ = ["expression_to_gbnf", "to_gbnf"]

_CHOICE, _SEQUENCE, _ITEM, _ATOM = range(4)  # how tightly a piece of text holds together
_SIGNS = {(0, None): "*", (1, None): "+", (0, 1): "?"}
_ESCAPES = {"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"}
_TOKEN = re.compile(r"<[^\[>\r\n][^>\r\n]*>")

_Piece = tuple[str, int]


def to_gbnf(grammar: Grammar) -> str:
    """One line for each rule, in order of declaration."""
    names = _gbnf_names(grammar.rules)
    changed = {old: new for old, new in names.items() if old != new}
    lines = []
    for name, expression in grammar.rules.items():
        if changed:
            expression = rename_references(expression, changed)
        lines.append(f"{names[name]} ::= {expression_to_gbnf(expression)}\n")
    return "".join(lines)


def expression_to_gbnf(expression: Expression) -> str:
    """The right side of a rule.

    >>> expression_to_gbnf(Repeat(Choice((Literal("a"), Literal("b"))), 0, None))
    '("a" | "b")*'
    """
    text, _ = fold(expression, _write)
    return text


def _gbnf_names(names: Iterable[str]) -> Mapping[str, str]:
    result: dict[str, str] = {}
    taken = set(names)
    for name in names:
        clean = re.sub(r"[^a-zA-Z0-9_-]", "-", name) or "-"
        number = 1
        new = clean
        while new != name and new in taken:
            number += 1
            new = f"{clean}-{number}"
        taken.add(new)
        result[name] = new
    return result


def _write(node: Expression, parts: list[_Piece]) -> _Piece:
    if isinstance(node, Literal):
        return '"' + "".join(_escape(char, '"') for char in node.text) + '"', _ATOM
    if isinstance(node, CharacterClass):
        return _class(node.ranges), _ATOM
    if isinstance(node, Reference):
        return node.rule, _ATOM
    if isinstance(node, TokenReference):
        return _token(node), _ATOM
    if isinstance(node, Nest):
        return parts[0]
    if isinstance(node, Repeat):
        return _at_least(parts[0], _ATOM) + _sign(node.minimum, node.maximum), _ITEM
    if isinstance(node, Sequence):
        return _joined(parts, " ", _SEQUENCE) if parts else ('""', _ATOM)
    if isinstance(node, Choice):
        return _joined(parts, " | ", _CHOICE) if parts else ("@nothing", _ATOM)
    if isinstance(node, (Intersection, Complement, JsonString)):
        name = {Intersection: "and", Complement: "not", JsonString: "json"}[type(node)]
        return f"@{name}({', '.join(text for text, _ in parts)})", _ATOM
    if isinstance(node, Multiple):
        return f"@multiple({node.modulus}, {node.places})", _ATOM
    raise TypeError(f"no such node: {type(node).__name__}")


def _joined(parts: list[_Piece], separator: str, level: int) -> _Piece:
    if len(parts) == 1:
        return parts[0]
    return separator.join(_at_least(part, level + 1) for part in parts), level


def _at_least(piece: _Piece, level: int) -> str:
    """The text, in parentheses where it holds together less tightly than is needed."""
    text, own = piece
    return text if own >= level else f"({text})"


def _sign(minimum: int, maximum: int | None) -> str:
    if (minimum, maximum) in _SIGNS:
        return _SIGNS[minimum, maximum]
    if minimum == maximum:
        return f"{{{minimum}}}"
    return f"{{{minimum},{'' if maximum is None else maximum}}}"


def _token(node: TokenReference) -> str:
    sign = "!" if node.negated else ""
    if isinstance(node.token, int):
        return f"{sign}<[{node.token}]>"
    if _TOKEN.fullmatch(node.token):
        return sign + node.token
    return f'{sign}@token("{"".join(_escape(char, chr(34)) for char in node.token)}")'


def _class(ranges: Ranges) -> str:
    if ranges == ANY_CHARACTER.ranges:
        return "."
    if not ranges:
        return "@nothing"
    others = complement(ranges)
    if len(others) < len(ranges):
        return f"[^{_members(others)}]"
    return f"[{_members(ranges)}]"


def _members(ranges: Ranges) -> str:
    parts = []
    for low, high in ranges:
        ends = [_escape(chr(code), "[]^-") for code in (low, high)]
        if low == high:
            parts.append(ends[0])
        else:
            parts.append("".join(ends) if high == low + 1 else "-".join(ends))
    return "".join(parts)


def _escape(char: str, special: str) -> str:
    """The character as it may stand in a literal or class where the `special` ones mean something else."""
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char in special:
        return f"\\x{ord(char):02X}" if char in "^-" else f"\\{char}"
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
