"""A grammar as plain data and back: what a saved constraint holds of where it came from.

GBNF text would not do: printing and parsing keep the language but not the tree, and with the tree the digest would
change. Here an expression is a list of nodes, each after its parts, so reading it needs a stack and no recursion,
and no data can spell out more than its own size. Positions in a source text are not kept.

`from_data` takes data of any origin: what is not a grammar ends in InputError CONSTRAINT_FORMAT.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar, get_args

from ..errors import BudgetError, GrammarError, InputError
from ..limits import Limits
from .codepoints import character_class
from .coverage import Column, Coverage, CoverageEntry
from .expression import (
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
from .grammar import Contract, Grammar
from .traverse import check_size, children

__all__ = ["from_data", "item", "refuse", "to_data"]

T = TypeVar("T")


def refuse(what: str) -> NoReturn:
    """Say that stored data is wrong."""
    raise InputError("CONSTRAINT_FORMAT", what=what)


def item(value: Any, kind: type[T], what: str) -> T:
    """The value itself if it is exactly of this type; a bool is no int."""
    if type(value) is not kind:
        refuse(f"{what} is not of type {kind.__name__}")
    return value


def to_data(grammar: Grammar) -> dict[str, Any]:
    """The grammar as what JSON can hold."""
    return {
        "root": grammar.root,
        "contract": grammar.contract,
        "format": grammar.format,
        "rules": [[name, _nodes(expression)] for name, expression in grammar.rules.items()],
        "coverage": [[e.pointer, e.keyword, e.column, e.note] for e in grammar.coverage],
        "origins": sorted([rule, pointer] for rule, pointer in grammar.origins.items()),
    }


def from_data(data: Any, limits: Limits) -> Grammar:
    """The grammar of `to_data`."""
    data = item(data, dict, "the grammar")
    rules: dict[str, Expression] = {}
    for name, nodes in _pairs(data.get("rules"), "the rules"):
        if name in rules:
            refuse(f"rule {name!r} occurs twice")
        try:
            rules[name] = check_size(_expression(item(nodes, list, "a rule")), limits)
        except BudgetError as error:
            refuse(error.message)
    contract = data.get("contract")
    if contract not in get_args(Contract):
        refuse("the contract is unknown")
    try:
        return Grammar(
            rules,
            item(data.get("root"), str, "the root"),
            contract,
            item(data.get("format"), str, "the format"),
            Coverage(tuple(_entry(entry) for entry in item(data.get("coverage"), list, "the coverage"))),
            origins={rule: item(p, str, "an origin") for rule, p in _pairs(data.get("origins"), "the origins")},
        )
    except GrammarError as error:
        refuse(error.message)


def _pairs(data: Any, what: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for pair in item(data, list, what):
        if type(pair) is not list or len(pair) != 2:
            refuse(f"{what} are not pairs")
        found.append((item(pair[0], str, "a name"), pair[1]))
    return found


def _entry(data: Any) -> CoverageEntry:
    if type(data) is not list or len(data) != 4 or not all(type(part) is str for part in data):
        refuse("a coverage entry is not four texts")
    pointer, keyword, column, note = data
    if column not in get_args(Column):
        refuse("a coverage column is unknown")
    return CoverageEntry(pointer, keyword, column, note)


def _nodes(expression: Expression) -> list[list[Any]]:
    """All nodes, each after its parts."""
    found: list[list[Any]] = []
    stack = [expression]
    while stack:  # each node before its parts, from right to left; the other way round is what is wanted
        node = stack.pop()
        found.append(_node(node))
        stack.extend(children(node))
    return found[::-1]


def _node(node: Expression) -> list[Any]:
    match node:
        case Literal(text):
            return ["literal", text]
        case CharacterClass(ranges):
            return ["class", [list(r) for r in ranges]]
        case Sequence(items):
            return ["sequence", len(items)]
        case Choice(options):
            return ["choice", len(options)]
        case Intersection(items):
            return ["intersection", len(items)]
        case Repeat(_, minimum, maximum):
            return ["repeat", minimum, maximum]
        case Reference(rule):
            return ["reference", rule]
        case TokenReference(token, negated):
            return ["token", token, negated]
        case Multiple(modulus, places):
            return ["multiple", modulus, places]
        case Nest():
            return ["nest"]
        case Complement():
            return ["complement"]
        case JsonString():
            return ["string"]
    raise InputError("INTERNAL", what=f"{type(node).__name__} cannot be stored")


def _expression(nodes: list[Any]) -> Expression:
    stack: list[Expression] = []
    for data in nodes:
        stack.append(_read(data, stack))
    if len(stack) != 1:
        refuse("a rule is not one expression")
    return stack[0]


def _read(data: Any, stack: list[Expression]) -> Expression:
    """The node, with its parts taken off the stack."""
    match data:
        case ["literal", str(text)] if not any("\ud800" <= c <= "\udfff" for c in text):
            return Literal(text)
        case ["class", list(ranges)]:
            return _class(ranges)
        case ["sequence", count]:
            return Sequence(_parts(stack, count))
        case ["choice", count]:
            return Choice(_parts(stack, count))
        case ["intersection", count]:
            return Intersection(_parts(stack, count))
        case ["repeat", minimum, maximum]:
            least = item(minimum, int, "a repetition")
            most = least if maximum is None else item(maximum, int, "a repetition")
            if not 0 <= least <= most:
                refuse("a repetition is out of order")
            return Repeat(_parts(stack, 1)[0], least, maximum)
        case ["reference", str(rule)]:
            return Reference(rule)
        case ["token", str() | int() as token, bool(negated)] if type(token) is not bool:
            return TokenReference(token, negated)
        case ["multiple", modulus, places]:
            if item(modulus, int, "a modulus") < 1 or item(places, int, "the places of a multiple") < 0:
                refuse("a multiple is out of range")
            return Multiple(modulus, places)
        case ["nest"]:
            return Nest(_parts(stack, 1)[0])
        case ["complement"]:
            return Complement(_parts(stack, 1)[0])
        case ["string"]:
            return JsonString(_parts(stack, 1)[0])
    refuse("a node of a rule is unknown")


def _class(ranges: list[Any]) -> CharacterClass:
    pairs: list[tuple[int, int]] = []
    for pair in ranges:
        if type(pair) is not list or len(pair) != 2:
            refuse("a character class has no ranges")
        low, high = item(pair[0], int, "a code point"), item(pair[1], int, "a code point")
        if not 0 <= low <= high <= 0x10FFFF:
            refuse("a character class is out of range")
        pairs.append((low, high))
    found = character_class(pairs)
    if found.ranges != tuple(pairs):
        refuse("a character class is not in normal form")
    return found


def _parts(stack: list[Expression], count: Any) -> tuple[Expression, ...]:
    count = item(count, int, "the number of parts")
    if not 0 <= count <= len(stack):
        refuse("a node has too few parts")
    parts = tuple(stack[len(stack) - count :])
    del stack[len(stack) - count :]
    return parts
