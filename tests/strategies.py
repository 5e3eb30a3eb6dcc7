"""Random grammars, vocabularies and texts over a small alphabet, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from checkrail.grammar.codepoints import character_class
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.grammar.grammar import Grammar
from checkrail.vocabulary.vocabulary import Vocabulary

# One, two, three and four UTF-8 bytes; neighbours share lead bytes.
ALPHABET = 'ab"\\é\u00e8日\U0001f600\U0001f601'

texts = st.text(ALPHABET, max_size=6)

_leaves = st.one_of(
    st.text(ALPHABET, max_size=3).map(Literal),
    st.lists(st.sampled_from(ALPHABET), min_size=1, max_size=3).map(
        lambda cs: character_class([(ord(c), ord(c)) for c in cs])
    ),
    st.just(character_class([(ord("a"), ord("b")), (0xE8, 0xE9)])),
    st.just(ANY_CHARACTER),
)


def _compound(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda items: Sequence(tuple(items))),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: Choice(tuple(items))),
        st.tuples(inner, st.integers(0, 2), st.one_of(st.none(), st.integers(0, 2))).map(
            lambda t: Repeat(t[0], t[1], None if t[2] is None else t[1] + t[2])
        ),
    )


regular_expressions = st.recursive(_leaves, _compound, max_leaves=8)

algebra = st.recursive(
    regular_expressions,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=2).map(lambda items: Intersection(tuple(items))),
        inner.map(Complement),
        inner.map(JsonString),
        _compound(inner),
    ),
    max_leaves=4,
)

# Over characters alone: without spellings.
combinations = st.recursive(
    regular_expressions,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda items: Intersection(tuple(items))),
        inner.map(Complement),
        _compound(inner),
    ),
    max_leaves=5,
)


@st.composite
def grammars(draw: st.DrawFn, max_rules: int = 4) -> Grammar:
    """Grammars of one to four rules, with every kind of recursion; each rule can end."""
    names = ["root", "x", "y", "z"][: draw(st.integers(1, max_rules))]
    leaves = st.one_of(_leaves, st.sampled_from(names).map(Reference))
    bodies = st.recursive(leaves, _compound, max_leaves=6)
    rules: dict[str, Expression] = {}
    for name in names:
        ending = draw(st.text(ALPHABET[:4], max_size=1).map(Literal))
        rules[name] = Choice((draw(bodies), ending))
    return Grammar(rules)


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Small vocabularies: overlapping prefixes, ragged UTF-8, duplicates, NUL, empty tokens, holes, one or two ends."""
    everything = ALPHABET.encode() + b"\0"
    pieces = st.one_of(
        st.text(ALPHABET, min_size=1, max_size=4).map(str.encode),
        st.binary(min_size=1, max_size=3).filter(lambda b: all(x in everything for x in b)),
        st.tuples(st.integers(0, len(everything)), st.integers(1, 6)).map(lambda t: everything[t[0] : t[0] + t[1]]),
    )
    tokens: list[bytes | None] = [bytes([b]) for b in sorted(set(everything))]
    tokens += draw(st.lists(pieces, max_size=25))
    tokens += draw(st.lists(st.sampled_from(tokens), max_size=3))
    tokens += [b"", None][: draw(st.integers(0, 2))]
    ends = draw(st.integers(1, 2))
    size = len(tokens)
    return Vocabulary.from_bytes(tokens + [None] * ends, eos=list(range(size, size + ends)))
