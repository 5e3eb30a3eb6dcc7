"""The masks of loops over classes of bytes, against a walk of all nodes: the same words, exits and remainders."""

from __future__ import annotations

import json
from array import array

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import Constraint, compile
from checkrail.grammar.grammar import Grammar
from checkrail.mask import slices, visible
from checkrail.mask.kernel import Kernel, load_compiled, load_interpreted
from checkrail.mask.slices import Slices
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


def compare(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Have each mask of a loop checked against the walk; the list says which were found."""
    found: list[bool] = []
    sliced = Slices.local

    def checked(self, machine, source, state, depth, words, exits):
        result = sliced(self, machine, source, state, depth, words, exits)
        found.append(result is not None)
        if result is not None:
            other_words, other_exits = array("I", words), array("i", bytes(4 * len(exits)))
            trie = self._trie.kernel_trie
            walked = machine.local(trie, state, depth, other_words, other_exits, -1, array("i", [-1]))
            assert (result, words) == (walked, other_words)
            assert exits[: 2 * result[0]] == other_exits[: 2 * result[0]]
        return result

    monkeypatch.setattr(Slices, "local", checked)
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
    ],
)
def test_loops_have_the_mask_of_a_walk(pattern, text, kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 16)
    monkeypatch.setattr(slices, "_SHARE", 1)
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
    ],
)
def test_loops_of_schemas_have_the_mask_of_a_walk(pattern, text, kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 16)
    monkeypatch.setattr(slices, "_SHARE", 1)
    constraint = of_schema(pattern, VOCABULARY, kernel)
    found = compare(monkeypatch)
    visit(constraint, json.dumps({"a": text}, ensure_ascii=False).encode())
    assert any(found)


def test_loops_that_may_end_and_small_ones_are_walked(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 16)
    for pattern, text in (("[a-z]+", b"ab"), ("[0-9a-f]+;", b"12"), ("[a-mo-y]+;", b"ab")):
        constraint = compile(Grammar.from_regex(pattern), VOCABULARY, kernel=kernel)
        with monkeypatch.context() as patch:
            found = compare(patch)
            visit(constraint, text)
        assert found
        assert not any(found)


@settings(max_examples=60)
@given(st.lists(ragged, max_size=30), st.lists(st.tuples(st.booleans(), classes), min_size=1, max_size=3), texts)
def test_random_classes_and_vocabularies(tokens, parts, text):
    pattern = "".join(f"[{'^' if inverted else ''}{inside}]+[{'@;/'[k]}]" for k, (inverted, inside) in enumerate(parts))
    constraint = compile(Grammar.from_regex(pattern), make_vocabulary(tokens), kernel=load_interpreted())
    assume(constraint.engine.visible is not None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visible, "_NARROW", 16)
        patch.setattr(slices, "_SHARE", 1)
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
        made = compile(Grammar.from_regex("a"), VOCABULARY, kernel=kernel).engine.visible.tables.slices
        parts = (made._first, made._nodes, made._before, made._roots, made._sets, made._starts, made._tokens)
        prepared.append([bytes(part) for part in parts])
    assert prepared[0] == prepared[1]
    assert all(prepared[0])
