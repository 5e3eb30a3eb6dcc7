"""Each way to compute a mask equals the one before it."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.earley.compile import readings_of
from checkrail.earley.masks import mask_by_flat_trie, mask_by_tokens, mask_by_trie
from checkrail.earley.recognizer import Recognizer
from checkrail.earley.slicer import SLICES, Slicer, Slices
from checkrail.earley.terminal_dfa import byte_dfa
from checkrail.earley.walker import ReadingWalker
from checkrail.errors import MaskError
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.grammar.regex import parse_regex_grammar
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.mask.bitmask import allowed_tokens, words_for
from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary
from lexical_oracle import alt, lexical
from strategies import grammars, vocabularies

JSON_STRING = '"([^"\\\\\\x00-\\x1f]|\\\\(["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
STRINGS = lexical({"start": alt("start C S", "S")}, ["WS"], S=JSON_STRING, C=",", WS="[ \\n]+")


def kernel_mask(walker: ReadingWalker, trie: Trie, recognizer: Recognizer, size: int) -> set[int]:
    words = array("I", [0]) * words_for(size)
    walker.walk(trie, recognizer.reading, words)
    return set(allowed_tokens(words)) if any(words) else set()


@settings(max_examples=60)
@given(grammars(), vocabularies(), st.sampled_from(["all", "greedy"]), st.data())
def test_the_four_masks_agree_along_a_walk(grammar, vocabulary, lexing, data):
    from checkrail.mask.kernel import load_interpreted

    _, readings = readings_of(LexicalGrammar.of_grammar(grammar), lexing)
    recognizer = Recognizer(readings)
    trie = Trie.build(vocabulary)
    walker = ReadingWalker(readings, load_interpreted())
    slicer = Slicer(Slices(vocabulary, trie, load_interpreted()), readings.lexer, greedy=lexing == "greedy")
    for _ in range(4):
        truth = mask_by_tokens(recognizer, vocabulary)
        assert mask_by_trie(recognizer, trie) == truth
        assert mask_by_flat_trie(recognizer, trie) == truth
        assert kernel_mask(walker, trie, recognizer, len(vocabulary)) == truth
        group = slicer.find(recognizer.reading)
        if group is not None:
            inside = set(allowed_tokens(group.mask)) if any(group.mask) else set()
            assert inside <= truth
            assert inside | kernel_mask(walker, group.rest, recognizer, len(vocabulary)) == truth
        if not truth:
            break
        assert recognizer.push_bytes(vocabulary.tokens[data.draw(st.sampled_from(sorted(truth)))])


TEXT_TOKENS = Vocabulary.from_bytes(
    [
        *(bytes([b]) for b in range(256)),
        *(
            b"ab",
            b"Abc_1",
            b" the",
            b'say "',
            b'", "',
            b"\\n",
            b"a\nb",
            "é".encode(),
            "日本".encode(),
            b"x\xc3",
            b"\xa9y",
        ),
        *(b"abcdefghijklmnop", b"0123456789", b"\xf0\x9f", b'"', b""),
        None,
    ],
    eos=272,
)


def test_a_slice_is_the_tokens_that_begin_a_text_of_it(kernel):
    trie = Trie.build(TEXT_TOKENS)
    for group in Slices(TEXT_TOKENS, trie, kernel).all:
        dfa = group.automaton
        begun = set()
        for token, text in enumerate(TEXT_TOKENS.tokens):
            state = 0
            for byte in text or b"":
                state = dfa.step(state, byte) if state >= 0 else -1
            if text and state >= 0:
                begun.add(token)
        assert set(allowed_tokens(group.mask)) == begun
        rest = {token for node in range(group.rest.nodes) for token in group.rest.ids(node)}
        assert rest == {token for token, text in enumerate(TEXT_TOKENS.tokens) if text} - begun


@pytest.mark.parametrize(
    ("pattern", "typed", "name"),
    [
        (JSON_STRING, b'"', "in a JSON string"),
        (JSON_STRING, b'"a\\', None),
        (".*", b"", "a line"),
        ("[^]*!", b"", "any text"),
        ("[a-z]+", b"", None),
        ('"[^"\\\\\\x00-\\x1f]{0,40}"', b'"', "in a JSON string, to 10 characters"),
        ("[ \\w]+", b"", "words and spaces"),
        ('"[^"\\\\\\x00-\\x1f]{0,40}"', b'"' + b"a" * 35, None),
        ("[0-9]+", b"", None),
    ],
)
def test_the_slice_that_a_terminal_takes(pattern, typed, name, kernel):
    _, readings = readings_of(lexical({"start": alt("A")}, A=pattern.replace(".*", ".+")))
    slicer = Slicer(Slices.of(TEXT_TOKENS, Trie.build(TEXT_TOKENS), kernel), readings.lexer, greedy=False)
    recognizer = Recognizer(readings)
    assert recognizer.push_bytes(typed)
    group = slicer.find(recognizer.reading)
    assert (group and group.name) == name


def test_slices_are_told_apart_by_their_texts():
    automata = [byte_dfa(e, DEFAULT_LIMITS) for e in SLICES.values()]
    texts = [b"a b", b"a-b", b"a-b" * 4, b'"', b"\n"]
    assert len({tuple(a.accepts(t) for t in texts) for a in automata}) == len(SLICES)


def test_greedy_lexing_trusts_the_first_thread_alone():
    """Behind the first thread one takes any text; but once the first comes to its match, it is dropped."""
    grammar = lexical({"start": alt("A W")}, A="a(bc)?", W="[ \\w]+")
    _, readings = readings_of(grammar, "greedy")
    slices = Slices(TEXT_TOKENS, Trie.build(TEXT_TOKENS), _interpreted())
    recognizer = Recognizer(readings)
    recognizer.push_bytes(b"ab")
    assert Slicer(slices, readings.lexer, greedy=True).find(recognizer.reading) is None
    assert Slicer(slices, readings.lexer, greedy=False).find(recognizer.reading) is not None


def _interpreted():
    from checkrail.mask.kernel import load_interpreted

    return load_interpreted()


def test_rows_survive_backtracking_and_are_shared_between_branches(kernel):
    """Tokens that finish the same terminals lead to the same row, however many spell it."""
    _, readings = readings_of(STRINGS)
    vocabulary = Vocabulary.from_bytes([b'"%d",' % n for n in range(200)] + [b"<end>"], eos=200)
    recognizer = Recognizer(readings)
    walker = ReadingWalker(readings, kernel)
    assert len(kernel_mask(walker, Trie.build(vocabulary), recognizer, 201)) == 200
    assert readings.chart._serial == 2  # after the string, and after the comma


def test_a_table_that_is_too_large_is_begun_anew(monkeypatch):
    from checkrail.earley import walker as module

    monkeypatch.setattr(module, "_MAXIMUM_SIZE", 20)
    _, readings = readings_of(STRINGS)
    trie = Trie.build(TEXT_TOKENS)
    walker = ReadingWalker(readings, _interpreted())
    recognizer = Recognizer(readings)
    for byte in b'"a","b\\n"':
        assert kernel_mask(walker, trie, recognizer, 273) == mask_by_flat_trie(recognizer, trie)
        assert recognizer.push_byte(byte)
    monkeypatch.setattr(module, "_MAXIMUM_IN_WALK", 10)
    with pytest.raises(MaskError) as caught:
        kernel_mask(walker, trie, Recognizer(readings), 273)
    assert caught.value.code == "MASK_BUDGET"


def test_a_walk_that_breaks_off_leaves_nothing_behind():
    grammar = lexical({"start": alt("start start", "A")}, A="a")
    _, readings = readings_of(grammar, limits=Limits(row_items=30))
    vocabulary = Vocabulary.from_bytes([b"a" * n for n in range(1, 60)] + [b"<end>"], eos=59)
    trie = Trie.build(vocabulary)
    walker = ReadingWalker(readings, _interpreted())
    with pytest.raises(MaskError):
        walker.walk(trie, readings.start, array("I", [0, 0]))
    assert "0 readings" in repr(walker)


def test_patterns_of_the_oracle_are_what_they_seem():
    assert parse_regex_grammar(JSON_STRING).rules["root"] == STRINGS.terminals["S"].pattern
