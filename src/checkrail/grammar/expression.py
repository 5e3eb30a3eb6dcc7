"""The abstract syntax of grammars: immutable expressions over Unicode code points.

Every front end (GBNF, regex, JSON Schema, Lark) produces these nodes and every later stage reads them. They
say what a language is, not how to recognise it. The first block is context-free; the second block, boolean
algebra and encoding, applies to regular operands only, which the compiler checks and resolves with automata.

`Sequence(())` is the empty string, `Choice(())` the empty language.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import Position

__all__ = [
    "ANY_CHARACTER",
    "EMPTY",
    "NOTHING",
    "CharacterClass",
    "Choice",
    "Complement",
    "Expression",
    "Intersection",
    "JsonString",
    "Literal",
    "Multiple",
    "Nest",
    "Reference",
    "Repeat",
    "Sequence",
    "TokenReference",
]


@dataclass(frozen=True, slots=True)
class Expression:
    """Base of all nodes. Nodes are values: equal structure, equal node."""


class _Composite(Expression):
    """A node with parts. Its hash is found once: sets of nodes would else walk each node again for all above it.

    Each subclass names `__hash__`, or its dataclass would make one.
    """

    __slots__ = ("_hash",)
    __match_args__: tuple[str, ...] = ()
    _hash: int

    def __hash__(self) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            known = hash((self.__class__, *[getattr(self, name) for name in self.__match_args__]))
            object.__setattr__(self, "_hash", known)
        return known


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """Exactly this text (Unicode scalar values only)."""

    text: str


@dataclass(frozen=True, slots=True)
class CharacterClass(Expression):
    """One code point out of inclusive ranges: sorted, disjoint, not adjacent, without surrogates.

    Build it with `codepoints.character_class`, which normalises. No ranges: the empty language.
    """

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Sequence(_Composite):
    """The items one after the other."""

    items: tuple[Expression, ...]

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Choice(_Composite):
    """Any one of the options."""

    options: tuple[Expression, ...]

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Repeat(_Composite):
    """`item` from `minimum` to `maximum` times; `maximum` None is unbounded."""

    item: Expression
    minimum: int
    maximum: int | None

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Reference(Expression):
    """A use of another rule."""

    rule: str
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TokenReference(Expression):
    """One token of the vocabulary, by id (int) or by its text (str); negated: any one token but this."""

    token: int | str
    negated: bool = False
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Nest(_Composite):
    """The item counts as one level of nesting (a JSON object or array)."""

    item: Expression

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Intersection(_Composite):
    """What all items accept. Items must be regular."""

    items: tuple[Expression, ...]

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Complement(_Composite):
    """Every string of Unicode scalar values that the item does not accept. The item must be regular."""

    item: Expression

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class JsonString(_Composite):
    """All spellings, between the quotes of a JSON string, of the strings of a regular item (RFC 8259, section 7).

    Each character stands raw, where JSON allows that, or as an escape: the two-character escapes and
    `\\uXXXX` with hex digits in either case, pairs of them beyond U+FFFF. Lone surrogates have no spelling.
    """

    item: Expression

    __hash__ = _Composite.__hash__


@dataclass(frozen=True, slots=True)
class Multiple(Expression):
    """The plain decimals, without a sign, whose value times 10**places is a multiple of `modulus`.

    `Multiple(5, 1)` holds 0, 0.5, 1, 1.0, 1.50, ...: digits, then perhaps a point and digits. Leading and trailing
    zeros are allowed, so intersect with the syntax of numbers.
    """

    modulus: int
    places: int


EMPTY = Sequence(())
NOTHING = Choice(())
ANY_CHARACTER = CharacterClass(((0x0, 0xD7FF), (0xE000, 0x10FFFF)))
