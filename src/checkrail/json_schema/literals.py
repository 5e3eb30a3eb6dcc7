"""The one spelling in which a fixed value is written: keys, `const` and the members of `enum`.

Strings are raw UTF-8 with only the escapes that RFC 8259 demands, the two-character ones where they exist.
Numbers are spelled as ECMAScript and RFC 8785 spell them, but with all digits that the schema gives. Members of
objects keep the schema's order, or the canonical one. Whitespace follows the policy.
"""

from __future__ import annotations

from decimal import Decimal
from json.encoder import encode_basestring

from ..grammar.expression import Expression, Nest
from .combine import seq
from .schema import Json
from .whitespace import Whitespace

__all__ = ["canonical_key", "depth_of", "quote", "spell", "spell_number"]

_PLAIN_DIGITS = 21  # ECMAScript writes an exponent beyond this


def quote(text: str) -> str:
    """The JSON spelling of a string, quotes included."""
    return encode_basestring(text)


def canonical_key(key: str) -> bytes:
    """A sort key: by UTF-16 code units, as RFC 8785 orders members."""
    return key.encode("utf-16-be")


def spell_number(number: int | Decimal) -> str:
    """The decimal spelling of a number.

    >>> spell_number(Decimal("1.50")), spell_number(Decimal("1e-7"))
    ('1.5', '1e-7')
    """
    if isinstance(number, int):
        return str(number)
    sign, digit_tuple, exponent = number.as_tuple()
    written = "".join(map(str, digit_tuple)).lstrip("0")
    digits = written.rstrip("0")
    if not digits:
        return "0"
    point = len(written) + int(exponent)  # the decimal point stands before the digit of this index
    if len(digits) <= point <= _PLAIN_DIGITS:
        text = digits + "0" * (point - len(digits))
    elif 0 < point <= _PLAIN_DIGITS:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
        text = f"{mantissa}e{point - 1:+d}"
    return f"-{text}" if sign else text


def spell(value: Json, blanks: Whitespace, *, canonical_order: bool = False) -> Expression:
    """The spelling of any value; one level of nesting for each object and array in it."""
    match value:
        case None:
            return seq("null")
        case bool():
            return seq("true" if value else "false")
        case int() | Decimal():
            return seq(spell_number(value))
        case str():
            return seq(quote(value))
        case list():
            return _bracketed("[", [spell(v, blanks, canonical_order=canonical_order) for v in value], "]", blanks)
        case dict():
            keys = sorted(value, key=canonical_key) if canonical_order else list(value)
            colon = seq(blanks.padding, ":", blanks.after_colon)
            members = [seq(quote(k), colon, spell(value[k], blanks, canonical_order=canonical_order)) for k in keys]
            return _bracketed("{", members, "}", blanks)


def _bracketed(opening: str, items: list[Expression], closing: str, blanks: Whitespace) -> Expression:
    comma = seq(blanks.padding, ",", blanks.after_comma)
    parts: list[Expression | str] = []
    for i, item in enumerate(items):
        parts += [comma, item] if i else [item]
    end = blanks.padding if items else ""
    return Nest(seq(opening, blanks.padding, *parts, end, closing))


def depth_of(value: Json) -> int:
    """Levels of objects and arrays in a value."""
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0
