"""What is cut where: the older match is never lost, whichever way the bytes come in."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.earley.recognizer import Recognizer
from checkrail.errors import GrammarError, MaskError
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.limits import Limits
from lexical_oracle import Meaning, alt, greedy_accepts, lexical

MODES = ("all", "greedy")


def accepts(grammar: LexicalGrammar, text: str, lexing="all") -> bool:
    recognizer = Recognizer.of(grammar, lexing)
    return recognizer.push_bytes(text.encode()) and recognizer.flush()


OLDER = [
    (lexical({"start": alt("A B")}, A="a(bcd)?", B="bce"), ["abce", "abcdbce"], ["abc", "abcd", "abcde", "a"]),
    (lexical({"start": alt("A B")}, A="a(bc)?", B="b"), ["ab", "abcb"], ["abc", "a", "abcbc"]),
    (
        lexical({"start": alt("NUM D NUM")}, NUM="[0-9]+(\\.[0-9]+)?", D="\\.\\."),
        ["1..2", "1.5..2", "1..2.25", "10.0..20"],
        ["1.2", "1...2", "1..", "1.", "1. .2"],
    ),
    (lexical({"start": alt("STEM E")}, STEM="list|listen", E="ed"), ["listed", "listened"], ["list", "listen", "ed"]),
    # a fallback inside a fallback: A ends after a, and behind it B after b
    (lexical({"start": alt("A B C D")}, A="a(bcdx)?", B="b(cdy)?", C="c", D="d"), ["abcd", "abcdxbcd"], ["abcdx"]),
    # the fallback is found only at the end of the text
    (lexical({"start": alt("A B C", "A")}, A="a(bcd)?", B="b", C="c"), ["a", "abc", "abcd", "abcdbc"], ["ab"]),
]


@pytest.mark.parametrize("lexing", MODES)
@pytest.mark.parametrize(("grammar", "good", "bad"), OLDER)
def test_the_older_match_is_never_lost(grammar, good, bad, lexing):
    assert [text for text in good if not accepts(grammar, text, lexing)] == []
    assert [text for text in bad if accepts(grammar, text, lexing)] == []


@pytest.mark.parametrize(("grammar", "good", "bad"), OLDER)
def test_the_cases_mean_what_they_say(grammar, good, bad):
    assert [Meaning(grammar, text).accepts for text in [*good, *bad]] == [True] * len(good) + [False] * len(bad)


def test_only_all_cuts_where_the_longest_match_leads_nowhere():
    grammar = lexical({"start": alt("A B")}, A="ab?", B="bc?")
    assert accepts(grammar, "abc")
    assert not accepts(grammar, "abc", "greedy")  # A is ab, and c is no B
    assert accepts(grammar, "abbc", "greedy")


def test_terminals_of_one_span_are_all_meant():
    grammar = lexical({"start": alt("IF N", "NAME S")}, IF="if", NAME="[a-z]+", N="1", S="!")
    for lexing in MODES:
        assert [accepts(grammar, text, lexing) for text in ("if1", "if!", "ix!", "ix1")] == [True, True, True, False]


def test_ignored_text_ends_a_terminal_and_nothing_else():
    grammar = lexical({"start": alt("NAME NAME")}, ["WS"], NAME="[a-z]+", WS=" +")
    assert accepts(grammar, " ab  c ")
    assert accepts(grammar, "ab")
    assert not accepts(grammar, "a b c")
    assert accepts(grammar, " ab  c ", "greedy")
    assert not accepts(grammar, "ab", "greedy")


def test_an_ignored_terminal_that_is_declared_first_wins_when_greedy():
    for ignored_first in (True, False):
        patterns = {"WS": " ", "BLANK": "[ ]", "A": "a"} if ignored_first else {"BLANK": "[ ]", "WS": " ", "A": "a"}
        grammar = lexical({"start": alt("A BLANK A")}, ["WS"], **patterns)
        assert accepts(grammar, "a a")
        assert accepts(grammar, "a a", "greedy") is not ignored_first


TERMINALS = ("a", "ab", "ab?", "abc|a", "b+", "c", "a(bc)?", "[bc]+", "b", "bca?", "é?c")
BODIES = st.lists(st.sampled_from(("A", "B", "C", "start", "x")), max_size=3).map(" ".join)


@st.composite
def grammars(draw: st.DrawFn) -> LexicalGrammar:
    """Random rules over overlapping terminals, sometimes with an ignored one."""
    names = "ABC"
    patterns = {name: draw(st.sampled_from(TERMINALS)) for name in names}
    rules = {name: alt(*draw(st.lists(BODIES, min_size=1, max_size=3))) for name in ("start", "x")}
    ignored = draw(st.sampled_from([(), (), ("WS",), ("WS", "A")]))
    return lexical(rules, ignored, **patterns, WS=draw(st.sampled_from(["b", "d", "d+"])))


TEXTS = ["".join(t) for length in range(5) for t in product("abcd", repeat=length)]


@settings(max_examples=60)
@given(grammars(), st.lists(st.text("abcdé", max_size=8), max_size=12))
def test_texts_are_those_that_can_be_cut_somehow(grammar, longer):
    try:
        recognizer = Recognizer.of(grammar)
    except GrammarError:  # it has no text at all
        assert not any(Meaning(grammar, text).accepts for text in TEXTS[:85])
        return
    mark = recognizer.save()
    for text in [*TEXTS[:85], *longer]:
        recognizer.restore(mark)
        found = recognizer.push_bytes(text.encode()) and recognizer.flush()
        assert found == Meaning(grammar, text).accepts, text


SENTENCES = st.lists(st.lists(st.sampled_from("ABC"), max_size=4).map(tuple), min_size=1, max_size=4)


@given(
    SENTENCES,
    st.lists(st.sampled_from(TERMINALS), min_size=3, max_size=3),
    st.permutations(["A", "B", "C", "WS"]),
    st.sampled_from(["b", "d", "d+", "ab"]),
    st.sampled_from([(), ("WS",)]),
)
def test_greedy_takes_the_longest_match(sentences, patterns, order, blank, ignored):
    of = dict(zip("ABC", patterns, strict=True)) | {"WS": blank}
    grammar = lexical({"start": alt(*(" ".join(s) for s in sentences))}, ignored, **{n: of[n] for n in order})
    recognizer = Recognizer.of(grammar, "greedy")
    mark = recognizer.save()
    for text in TEXTS:
        recognizer.restore(mark)
        found = recognizer.push_bytes(text.encode()) and recognizer.flush()
        assert found == greedy_accepts(sentences, grammar.terminals, ignored, text), text


@given(grammars())
def test_a_byte_is_taken_only_if_some_text_goes_on_with_it(grammar):
    """Each reading that is reached leads to the end of some text."""
    try:
        recognizer = Recognizer.of(grammar)
    except GrammarError:
        return
    readings = recognizer.readings
    here = [readings.start]
    for _ in range(3):
        here = list(dict.fromkeys(n for r in here for b in b"abcd\xc3\xa9" if (n := readings.step(r, b)) is not None))
    for reading in here[:5]:
        seen = {reading: None}
        pending = [reading]
        for each in pending:
            if each.accepting or len(seen) > 2_000:
                break
            for byte in b"abcd\xc3\xa9":
                following = readings.step(each, byte)
                if following is not None and following not in seen:
                    seen[following] = None
                    pending.append(following)
        else:
            pytest.fail("no way to the end")


@pytest.mark.parametrize("lexing", MODES)
@pytest.mark.parametrize("pattern", ["[a-z]+", "a(.*b)?"])
def test_threads_stay_few_where_many_cuts_are_possible(pattern, lexing):
    counts = []
    for length in (30, 300):
        recognizer = Recognizer.of(lexical({"start": alt("start W", "W")}, W=pattern), lexing)
        assert recognizer.push_bytes(b"a" * length)
        counts.append(len(recognizer.reading.threads))
    assert counts[0] == counts[1] <= 5


@pytest.mark.parametrize("lexing", MODES)
def test_threads_are_bounded(lexing):
    grammar = lexical({"start": alt("A start B", "A")}, A="a([a-z]*x)?", B="b")
    recognizer = Recognizer.of(grammar, lexing, Limits(configuration_pairs=20))
    with pytest.raises(MaskError) as caught:
        recognizer.push_bytes(b"a" * 100)
    assert caught.value.code == "MASK_BUDGET"


def test_forgetting_changes_nothing():
    grammar = OLDER[2][0]
    recognizer = Recognizer.of(grammar)
    for number, byte in enumerate(b"10.5..20.25"):
        assert recognizer.push_byte(byte)
        if number % 3 == 0:
            recognizer.readings.forget()
    assert recognizer.flush()


def test_what_is_remembered_is_bounded(monkeypatch):
    from checkrail.earley import readings as module

    grammar = lexical({"start": alt("A C start", "A")}, A="[a-z]+", C=",")
    for name, bound in [("_MAXIMUM_MOVES", 20), ("_MAXIMUM_PAIRS", 20), ("_MAXIMUM_PLACES", 5)]:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, bound)
            recognizer = Recognizer.of(grammar)
            for _ in range(50):
                assert recognizer.push_bytes(b"ab,")
            readings = recognizer.readings
            assert readings.generation > 1
            assert readings._move_count <= 21
            assert len(readings.lexer) <= 8
            assert recognizer.push_bytes(b"x")
            assert recognizer.flush()
