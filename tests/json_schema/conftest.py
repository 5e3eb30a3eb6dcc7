"""A slow recogniser of grammars with everything that JSON Schema needs: algebra, JSON strings, nesting depth.

It shares nothing with the engine. A node at a position yields the set of positions where it can end; the text is
short, so all of them are kept. A JSON string is decoded from where it starts, character by character (each
spelling has one reading), and its item is matched against the decoded characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

import pytest

from checkrail.errors import Error
from checkrail.grammar.expression import (
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema import json_schema_to_grammar

_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"
    r'|\\["\\/bfnrt]|[^"\\\x00-\x1f]',
    re.DOTALL,
)


class Recogniser:
    """Whether a text belongs to a grammar whose nesting is at most `nesting`."""

    def __init__(self, rules: Mapping[str, Expression], text: str, nesting: int) -> None:
        self.rules = rules
        self.text = text
        self.nesting = nesting
        self.memo: dict[tuple[int, int, int], frozenset[int]] = {}

    def ends(self, node: Expression, start: int, depth: int = 0) -> frozenset[int]:
        key = id(node), start, depth
        if key not in self.memo:
            self.memo[key] = frozenset(self.find(node, start, depth))
        return self.memo[key]

    def find(self, node: Expression, start: int, depth: int) -> set[int] | frozenset[int]:
        text = self.text
        match node:
            case Literal(want):
                return {start + len(want)} if text.startswith(want, start) else set()
            case CharacterClass(ranges):
                inside = start < len(text) and any(low <= ord(text[start]) <= high for low, high in ranges)
                return {start + 1} if inside else set()
            case Sequence(items):
                here = {start}
                for item in items:
                    here = {end for position in here for end in self.ends(item, position, depth)}
                return here
            case Choice(options):
                return {end for option in options for end in self.ends(option, start, depth)}
            case Repeat(item, minimum, maximum):
                found, here, count = set(), {start}, 0
                while here and (maximum is None or count <= maximum):
                    if count >= minimum:
                        if here <= found:
                            break
                        found |= here
                    here = {end for position in here for end in self.ends(item, position, depth)}
                    count += 1
                return found
            case Reference(rule):
                return self.ends(self.rules[rule], start, depth)
            case Nest(item):
                return self.ends(item, start, depth + 1) if depth < self.nesting else set()
            case Intersection(items):
                return frozenset.intersection(*(self.ends(item, start, depth) for item in items))
            case Complement(item):
                return set(range(start, len(text) + 1)) - self.ends(item, start, depth)
            case JsonString(item):
                units, position = [], start
                while unit := _UNIT.match(text, position):
                    units.append(unit)
                    position = unit.end()
                decoded = "".join(json.loads(f'"{unit[0]}"') for unit in units)
                places = [start, *(unit.end() for unit in units)]
                return {places[end] for end in Recogniser(self.rules, decoded, self.nesting).ends(item, 0)}
        raise TypeError(type(node).__name__)


@pytest.fixture(scope="session")
def accepts() -> Callable[..., bool]:
    """accepts(grammar, expression or schema, text, **options): whether the text belongs to it."""

    def decide(subject: object, text: str, *, nesting: int = 16, **options: object) -> bool:
        if isinstance(subject, Expression):
            subject = Grammar({"root": subject})
        elif not isinstance(subject, Grammar):
            subject = json_schema_to_grammar(subject, **options)
        return len(text) in Recogniser(subject.rules, text, nesting).ends(Reference(subject.root), 0)

    return decide


@pytest.fixture(scope="session")
def refusal() -> Callable[..., Error]:
    """refusal(schema, **options): the error with which a schema is refused."""

    def refused(schema: object, **options: object) -> Error:
        with pytest.raises(Error) as caught:
            json_schema_to_grammar(schema, **options)
        return caught.value

    return refused


@pytest.fixture(scope="session")
def attempt() -> Callable[..., Grammar | Error]:
    """attempt(schema, **options): its grammar, or the error with which it is refused."""

    def made(schema: object, **options: object) -> Grammar | Error:
        try:
            return json_schema_to_grammar(schema, **options)
        except Error as error:
            return error

    return made


@pytest.fixture(scope="session")
def columns() -> Callable[..., dict[str, str]]:
    """columns(schema, **options): "pointer keyword" -> column, out of the coverage."""

    def listed(schema: object, **options: object) -> dict[str, str]:
        coverage = json_schema_to_grammar(schema, **options).coverage
        return {f"{entry.pointer} {entry.keyword}".strip(): entry.column for entry in coverage}

    return listed
