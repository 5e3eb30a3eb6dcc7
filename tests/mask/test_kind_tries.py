"""Walks over kinds of bytes, against a walk of all nodes byte by byte: the same words and exits."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import Constraint, compile
from checkrail.grammar.grammar import Grammar
from checkrail.mask import kind_tries, visible
from checkrail.mask.kernel import Kernel, load_compiled, load_interpreted
from checkrail.mask.kind_tries import KindTrie
from checkrail.mask.token_tables import token_tables
from checkrail.vocabulary.vocabulary import Vocabulary

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHARACTERS = [
    *'aeghzAGZ019 _-.@/"\\\n\x01',
    "\xa0",
    "\xe9",
    "\u07ff",
    "\u0800",
    "\u2003",
    "\u65e5",
    "\ud7ff",
    "\U0001f600",
    "\U0010ffff",
]
WHOLE = [bytes([byte]) for byte in range(256)]
WORDS = [(a + b).encode() for a in LETTERS for b in LETTERS]
MORE = [
    b"ab1",
    b"-a",
    b"a-b",
    b'ab"',
    b'ab","',
    b'a"}',
    b"a@b",
    b"a@b.",
    b"\xe6\x97",
    b"a\xf0\x9f",
    b"a\xed\xa0",
    b"\xc0\x80",
    b"z\\u00",
]

classes = st.lists(
    st.sampled_from(["a-z", "g-z", "A-Z", "0-9", "1-9", " ", "_", ".", "@", "/", "\\-", "a-f", "b", "\xe9", "\u2003"]),
    min_size=1,
    max_size=5,
).map("".join)
texts = st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=4).map(lambda t: "".join(t).encode())
ragged = st.tuples(texts, st.integers(0, 3), st.integers(0, 3)).map(lambda t: t[0][t[1] : len(t[0]) - t[2]])


def make_vocabulary(tokens: list[bytes]) -> Vocabulary:
    every = list(dict.fromkeys([*WHOLE, *WORDS, *MORE, *filter(None, tokens)]))
    return Vocabulary.from_bytes([*every, every[300], None], eos=[len(every) + 1])  # two tokens of one text


VOCABULARY = make_vocabulary([])


@pytest.fixture(autouse=True)
def small_tries_too(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have walks and loops where a vocabulary of this size would have none."""
    monkeypatch.setattr(visible, "_NARROW", 16)
    monkeypatch.setattr(kind_tries, "_LARGE", 4)
    token_tables.cache_clear()
    yield
    token_tables.cache_clear()


def compare(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have each walk by kinds checked against the walk byte by byte; the list says how many tokens each found."""
    found: list[int] = []
    by_kinds = KindTrie.local

    def checked(self, machine, source, state, depth, words, exits):
        result = by_kinds(self, machine, source, state, depth, words, exits)
        found.append(sum(word.bit_count() for word in words))
        other_words, other_exits = array("I", bytes(4 * len(words))), array("i", bytes(4 * len(exits)))
        walked = machine.local(self._trie.kernel_trie, state, depth, other_words, other_exits, 0, array("i"))
        assert (result, words) == (walked, other_words)
        assert exits[: 2 * result[0]] == other_exits[: 2 * result[0]]
        return result

    monkeypatch.setattr(KindTrie, "local", checked)
    return found


def visit(constraint: Constraint, text: bytes) -> None:
    matcher = constraint.matcher()
    matcher.allowed(None)
    for byte in text:
        if not matcher.accept_bytes(bytes([byte])):
            return
        matcher.allowed(None)


def of_schema(pattern: str, vocabulary: Vocabulary, kernel: Kernel) -> Constraint:
    schema = json.dumps({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}})
    return compile(Grammar.from_json_schema(schema), vocabulary, kernel=kernel)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("[a-z]+;", b"ab"),
        ("[A-Za-z0-9_-]+;", b"a-"),
        ("[a-z0-9.-]+@", b"a.b"),
        ("[^ @]+ ", "a\u65e5".encode()),
        (r"\S+@\S+ ", "\xe9a@b".encode()),
        ("[a-zA-Z_][a-zA-Z0-9_]*;", b"_1"),
        ("[0-9][a-z]+(-[a-z]+)*;", b"1ab-c"),
        ("[a-z]+", b"ab"),
        ("[0-9a-f]+;", b"12"),
        ("[a-mo-y]+;", b"ab"),
        ("([a-z]{1,3}[0-9]){2}", b"ab1c"),
        ("(ab|cd|[e-z]x)+", b"abx"),
        (r"[^\xe9]+(a|bc)*\xe9", "a\u65e5a".encode()),
    ],
)
def test_loops_have_the_mask_of_a_walk(pattern, text, kernel, monkeypatch):
    constraint = compile(Grammar.from_regex(pattern), VOCABULARY, kernel=kernel)
    found = compare(monkeypatch)
    visit(constraint, text)
    assert any(found)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^[a-z]+$", "ab"),
        ("^[^ ]+$", "a\u65e5"),
        (r"^\S+@\S+$", "\xe9a@b"),
        ("^[a-zA-Z_][a-zA-Z0-9_]*$", "_1"),
        ("^a[^/]*/b", "a./b"),
        ("^[A-Za-z0-9]{4}(-[0-9a-f]{2,3})*$", "Ab12-0a"),
        ("^[^x]+x.+x", "axbx"),
    ],
)
def test_loops_of_schemas_have_the_mask_of_a_walk(pattern, text, kernel, monkeypatch):
    constraint = of_schema(pattern, VOCABULARY, kernel)
    found = compare(monkeypatch)
    visit(constraint, json.dumps({"a": text}, ensure_ascii=False).encode())
    assert any(found)


def test_what_calls_modules_has_the_mask_of_a_walk(kernel, monkeypatch):
    rules = 'root ::= "x" | [a-z0-9] list | [a-f]+ "-" root | "g" [a-z]* ";"', 'list ::= "(" root ")" root'
    constraint = compile(Grammar.from_gbnf("\n".join(rules)), VOCABULARY, kernel=kernel)
    found = compare(monkeypatch)
    visit(constraint, b"a(x)ab-gabc;")
    assert any(found)


def test_a_walk_that_fails_leaves_nothing_behind(kernel, monkeypatch):
    constraint = compile(Grammar.from_regex("[a-z]+;|[b-y]+0[a-f]+"), VOCABULARY, kernel=kernel)
    source = constraint.engine.visible.source
    tables = constraint.engine.visible.tables
    kinds = tables.kinds_of(tables.tokens)
    words, exits = array("I", bytes(4 * tables.word_count)), array("i", bytes(8 * tables.tokens.nodes[1]))
    machine = constraint.engine.visible._machine
    expected = kinds.local(machine, source, source.start, 0, words, exits), words[:]
    states = source.states

    class Broken:
        generation = 0
        next_state, class_of = source.next_state, source.class_of

        def __init__(self) -> None:
            self.states = array("i", [-1 if k % 8 == 0 and k != 8 * source.start else n for k, n in enumerate(states)])

    class Refusing:
        def make(self, state: int) -> None:
            raise ValueError(state)

    with pytest.raises(ValueError, match=r"\d"):
        kinds.local(Refusing(), Broken(), source.start, 0, words, exits)
    assert (kinds.local(machine, source, source.start, 0, words, exits), words) == expected


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ragged, max_size=30), st.lists(st.tuples(st.booleans(), classes), min_size=1, max_size=3), texts)
def test_random_classes_and_vocabularies(tokens, parts, text):
    counts = ["+", "{1,3}", "*"]
    pattern = "".join(
        f"[{'^' if inverted else ''}{inside}]{counts[len(inside) % 3]}[{'@;/'[k]}]"
        for k, (inverted, inside) in enumerate(parts)
    )
    constraint = compile(Grammar.from_regex(pattern), make_vocabulary(tokens), kernel=load_interpreted())
    assume(constraint.engine.visible is not None)
    with pytest.MonkeyPatch.context() as patch:
        compare(patch)
        visit(constraint, text)
        visit(constraint, b"gg@" + text)
        visit(constraint, b"gg@gg;" + text)


def test_prepared_data_is_the_same_in_both_twins():
    twins = [load_interpreted(), load_compiled()]
    if twins[1] is None:
        pytest.skip("no compiled kernel was built: run `make kernel`")
    prepared = []
    for kernel in twins:
        tables = compile(Grammar.from_regex("a"), VOCABULARY, kernel=kernel).engine.visible.tables
        made = tables.kinds_of(tables.tokens)
        parts = made.kinds, made.children, made.members, made.member_nodes, made.member_bytes, made.token_starts
        prepared.append([bytes(part) for part in (*parts, made.tokens, *made.lists)])
    assert prepared[0] == prepared[1]
    assert all(prepared[0])
