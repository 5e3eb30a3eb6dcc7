"""The keyword `x-derived`: values that the host reads off an extracted text, in place of the model.

    {"x-derived": {"amount": {"from": "amount_text", "parse": "decimal-comma"}}}

The model copies "1.234,50" and the host says 1234.5: the right place with the wrong number cannot happen. If the model
writes `amount` as well, the two must agree. A text that its parser cannot read is a fault; nothing is guessed, and
no parser looks at the machine's locale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from ..calc.calculator import calc
from ..calc.equation import is_equation
from ..document import Json, Node, document_from_value
from ..pointers import escape
from ..validation.exact import Exact
from ..validation.formats_time import is_date
from ..validation.identity import identity
from ..validation.subschema import Outcome

__all__ = ["PARSERS", "Derivation", "derived", "derived_values", "read_derivations"]

_LONGEST = 64  # characters of a text that is a number, a date or a word
_BLANK = " \xa0\u202f'"  # separators of thousands in use beside the point and the comma
_NUMBER = r"[+-]?(?:[0-9]{{1,3}}(?:[{group}][0-9]{{3}})+|[0-9]+)(?:{mark}[0-9]+)?"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_POINT = re.compile(_NUMBER.format(group="," + _BLANK, mark=r"\."))
_COMMA = re.compile(_NUMBER.format(group="." + _BLANK, mark=","))
_PERCENT = re.compile(r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*%")
_DAY_FIRST = re.compile(r"(?P<d>[0-9]{1,2})[./-](?P<m>[0-9]{1,2})[./-](?P<y>[0-9]{4})")
_MONTH_FIRST = re.compile(r"(?P<m>[0-9]{1,2})[./-](?P<d>[0-9]{1,2})[./-](?P<y>[0-9]{4})")
_YES = frozenset(("yes", "true", "ja", "wahr", "oui", "vrai", "sí", "si", "sì", "verdadero", "vero"))
_NO = frozenset(("no", "false", "nein", "falsch", "non", "faux", "falso"))


class Derivation(NamedTuple):
    """One entry of `x-derived`: the property `name` is `parse` applied to the text of the property `source`."""

    name: str
    source: str
    parse: str


def read_derivations(raw: Any, fail: Callable[[str], NoReturn]) -> tuple[Derivation, ...]:
    """Read the argument of `x-derived`; what is wrong with it goes to `fail`."""
    if not isinstance(raw, dict):
        fail("x-derived is an object")
    derivations = []
    for name, rule in raw.items():
        if not isinstance(rule, dict) or set(rule) != {"from", "parse"} or not isinstance(rule["from"], str):
            fail("each member of x-derived has a property's name under from, and a parser under parse")
        if rule["parse"] not in PARSERS:
            fail(f"parse is one of {', '.join(PARSERS)}")
        derivations.append(Derivation(str(name), rule["from"], rule["parse"]))
    return tuple(derivations)


def derived(derivations: tuple[Derivation, ...], outcome: Outcome) -> None:
    """Each text can be read, and says what the model wrote, if it wrote the value too."""
    members = {child.key: child for child in outcome.node.children()} if outcome.node.kind == "object" else {}
    for name, source, parse in derivations:
        text = members.get(source)
        if text is None or not isinstance(text.value, str):
            continue
        value = _read(parse, text.value)
        written = members.get(name)
        if value is None:
            outcome.fault("SEMANTIC_DERIVED", "x-derived", text, parse=parse)
        elif written is not None and identity(written) != identity(document_from_value(value).root):
            outcome.fault("SEMANTIC_SPAN_VALUE", "x-derived", written, name=source, parse=parse)


def derived_values(outcome: Outcome) -> dict[str, Json]:
    """The derived values of a whole outcome, by the pointer at which each belongs."""
    found: dict[str, Json] = {}
    parts = (part for part in outcome.everywhere() if "x-derived" in part.schema.arguments)
    for part in sorted(parts, key=lambda part: (part.node.index, part.schema.number)):
        found.update(_values_of(part.schema.arguments["x-derived"], part.node))
    return found


def _values_of(derivations: tuple[Derivation, ...], node: Node) -> Iterator[tuple[str, Json]]:
    members = node.value if isinstance(node.value, dict) else {}
    for name, source, parse in derivations:
        text = members.get(source)
        value = _read(parse, text) if isinstance(text, str) else None
        if value is not None:
            yield f"{node.pointer}/{escape(name)}", value


def _read(parse: str, text: str) -> Json:
    if parse in ("calc", "calc-equation"):
        return PARSERS[parse](text)  # has bounds and blanks of its own
    text = text.strip()
    return PARSERS[parse](text) if len(text) <= _LONGEST else None


def _number(literal: str) -> Json:
    """The number that a JSON-like literal says: an int, or else the nearest double."""
    exact = Exact.parse(literal.removeprefix("+"))
    return exact.coefficient * 10**exact.exponent if exact.is_integer else float(literal)


def _integer(text: str) -> Json:
    return _number(text) if _INTEGER.fullmatch(text) else None


def _decimal(pattern: re.Pattern[str], mark: str, text: str) -> Json:
    if pattern.fullmatch(text) is None:
        return None
    return _number("".join("." if c == mark else c for c in text if c == mark or c in "+-0123456789"))


def _percent(text: str) -> Json:
    match = _PERCENT.fullmatch(text)
    return None if match is None else _number(match[1].replace(",", ".") + "e-2")


def _calculated(text: str) -> Json:
    value: Json = calc(text).to_json().get("value")
    return value


def _equated(text: str) -> Json:
    return _calculated(text.partition(" = ")[0]) if is_equation(text) else None


def _date(pattern: re.Pattern[str], text: str) -> Json:
    match = pattern.fullmatch(text)
    if match is None:
        return None
    return _iso_date(f"{match['y']}-{match['m']:0>2}-{match['d']:0>2}")


def _iso_date(text: str) -> Json:
    return text if is_date(text) else None


def _truth(text: str) -> Json:
    word = text.casefold()
    return True if word in _YES else False if word in _NO else None


PARSERS: Mapping[str, Callable[[str], Json]] = {
    "int": _integer,
    "decimal-point": lambda text: _decimal(_POINT, ".", text),
    "decimal-comma": lambda text: _decimal(_COMMA, ",", text),
    "percent": _percent,
    "date-dmy": lambda text: _date(_DAY_FIRST, text),
    "date-mdy": lambda text: _date(_MONTH_FIRST, text),
    "date-iso": _iso_date,
    "bool-words": _truth,
    "calc": _calculated,
    "calc-equation": _equated,
}
"""Name -> parser; each gives None for what it cannot read. Dates become ISO dates, percentages fractions of one, and
`calc` is the value of an expression, `calc-equation` that of one with its value behind it."""
