"""The engine behind `compile`: masks, special tokens, rollback, explanations, what it refuses."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Grammar, Limits, Vocabulary, compile
from checkrail.earley import engine as engine_module
from checkrail.errors import Error, InputError, MaskError, VocabularyError
from checkrail.grammar.expression import Reference, Repeat, Sequence
from checkrail.grammar.lexical import LexicalGrammar, Terminal
from decoding_toys import byte_vocabulary, play
from lexical_oracle import alt, lexical, seq, terminal
from strategies import vocabularies

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
SUM = Grammar.from_lark('start: start "+" NUMBER | NUMBER\nNUMBER: /[0-9]+/\n%ignore " "')


def of_lexical(grammar: LexicalGrammar) -> Grammar:
    """A grammar that keeps these two floors."""
    return Grammar(grammar.to_rules(), grammar.start, "context-free", "lark", lexical=grammar)


def by_earley(grammar: Grammar, vocabulary: Vocabulary = BYTES, **options: Any):
    return compile(grammar, vocabulary, engine="earley", **options)


# --- which engine


def test_the_report_says_which_engine_and_why():
    chosen = compile(SUM, BYTES)
    asked = by_earley(SUM)
    assert (chosen.report.engine, chosen.report.because) == ("automaton", "its contract accepts the grammar")
    assert (asked.report.engine, asked.report.because) == ("earley", "it was asked for")
    assert (asked.report.modules, asked.report.shortest, asked.report.nesting) == (2, 1, 0)
    assert asked.report.states == asked.engine.readings.lexer.place_count > 0


def test_what_the_automaton_engine_refuses_goes_to_earley_if_it_has_two_floors():
    strict = compile(SUM, BYTES, contract="visibly-pushdown")
    assert strict.report.engine == "earley"
    assert strict.report.because == "the automaton engine refuses the grammar: GRAMMAR_LEFT_RECURSION"
    with pytest.raises(Error) as caught:
        compile(Grammar.from_gbnf('root ::= root "+" [0-9] | [0-9]'), BYTES)
    assert caught.value.code == "GRAMMAR_LEFT_RECURSION"
    with pytest.raises(Error) as caught:
        compile(SUM, BYTES, engine="automaton", contract="visibly-pushdown")
    assert caught.value.code == "GRAMMAR_LEFT_RECURSION"


def test_greedy_lexing_is_this_engine_alone():
    assert compile(SUM, BYTES, lexing="greedy").report.because == "greedy lexing was asked for"
    with pytest.raises(InputError):
        compile(SUM, BYTES, engine="automaton", lexing="greedy")


@pytest.mark.parametrize("options", [{"engine": "leo"}, {"lexing": "longest"}])
def test_unknown_choices(options):
    with pytest.raises(InputError) as caught:
        compile(SUM, BYTES, **options)
    assert caught.value.code == "INPUT_FORMAT"


def test_equal_constraints_have_equal_digests():
    assert by_earley(SUM).sha256 == by_earley(SUM).sha256
    others = {
        by_earley(SUM, lexing="greedy").sha256,
        compile(SUM, BYTES).sha256,
        by_earley(Grammar.from_lark('start: start "+" NUMBER | NUMBER\nNUMBER: /[0-9]+/')).sha256,
    }
    assert len(others | {by_earley(SUM).sha256}) == 4


def test_levels_of_nesting_are_part_of_what_a_constraint_is():
    grammar = Grammar.from_json_schema({"type": "array", "items": {"$ref": "#"}})
    some, more = by_earley(grammar, limits=Limits(nesting=2)), by_earley(grammar, limits=Limits(nesting=3))
    assert [c.report.nesting for c in (some, more, by_earley(SUM))] == [2, 3, 0]
    assert some.sha256 != more.sha256
    assert [c.matcher().explain(b"[[[]]]") is None for c in (some, more)] == [False, True]
    embedded = Grammar.from_lark('start: "(" start ")" | %json {"type": "array", "items": {"$ref": "#"}}')
    for engine in ("automaton", "earley"):
        matcher = compile(embedded, BYTES, engine=engine, limits=Limits(nesting=2)).matcher()
        assert matcher.explain(b"(((([[]]))))") is None
        assert matcher.explain(b"([[[]]])") is not None


def test_reprs():
    constraint = by_earley(SUM)
    assert repr(constraint).startswith("<Constraint <Rules 2 rules, 3 terminals> sha256:")
    assert repr(constraint.engine) == "<EarleyEngine <Rules 2 rules, 3 terminals> over 257 tokens>"


# --- matchers


def test_a_text_through_a_matcher(kernel):
    matcher = by_earley(SUM, kernel=kernel).matcher()
    assert matcher.next_bytes() == b" 0123456789"
    assert matcher.accept_bytes(b"12 +")
    assert not matcher.is_completed()
    assert not matcher.accept_token(256)
    assert matcher.accept_token(ord("3"))
    assert matcher.is_completed()
    assert 256 in matcher.allowed(None)
    assert matcher.accept_token(256)
    assert matcher.is_terminated()
    assert matcher.allowed() == []
    matcher.rollback(2)
    assert not matcher.is_completed()
    assert not matcher.accept_token(ord("+"))
    assert not matcher.accept_token(999)


def test_forks_and_rollbacks_are_independent():
    matcher = by_earley(SUM).matcher()
    matcher.accept_bytes(b"1+2")
    fork = matcher.fork()
    assert fork.accept_bytes(b"+3")
    matcher.rollback()
    assert matcher.next_bytes() == b" 0123456789"
    assert fork.is_completed()


def test_forced_bytes():
    grammar = Grammar.from_lark('start: "begin" NAME "end"\nNAME: /[xy]/')
    matcher = by_earley(grammar).matcher()
    assert matcher.find_jump_forward_bytes() == b"begin"
    matcher.accept_bytes(b"beginx")
    assert matcher.find_jump_forward_bytes() == b"end"
    assert matcher.find_jump_forward_tokens() == [*b"end"]


def test_a_mask_is_kept_and_found_again(kernel):
    constraint = by_earley(SUM, kernel=kernel)
    row = array("I", bytes(4 * constraint.engine.words))
    matcher = constraint.matcher()
    matcher.accept_bytes(b"1+")
    matcher.fill_next_token_bitmask(row)
    held = constraint.memory["masks"]
    matcher.accept_bytes(b"1+")
    matcher.fill_next_token_bitmask(row)
    assert constraint.memory["masks"] == held > 0
    assert set(constraint.memory) == {"automaton", "masks", "rows", "table"}


def test_kept_masks_are_bounded_and_let_go(monkeypatch):
    monkeypatch.setattr(engine_module, "_CACHE_BYTES", 100)
    constraint = by_earley(SUM)
    matcher = constraint.matcher()
    for _ in range(5):
        for byte in b"1 + 2+":
            assert byte in matcher.next_bytes()
            matcher.allowed()
            matcher.accept_token(byte)
            assert constraint.memory["masks"] <= 100
    constraint.engine.readings.forget()
    assert set(matcher.allowed()) == {*b" 0123456789"}


# --- the same matcher as of any engine


def test_a_run_of_the_decode_loop(kernel):
    """The model wants to write something else now and then; sampler, stream and forced tokens are the usual ones."""
    vocabulary = byte_vocabulary(b" + ", b"12", b"+1")
    matcher = by_earley(SUM, vocabulary, kernel=kernel).matcher()
    text, end, _ = play(b"1+2x3", vocabulary=vocabulary, matcher=matcher, max_tokens=4)
    assert (text, end.stop) == ("1+2 ", "max_tokens")  # the mask has no x, and takes the first that is left
    assert matcher.is_completed()
    matcher = by_earley(SUM, vocabulary, kernel=kernel).matcher()
    text, end, _ = play([ord("1"), 258, 259], vocabulary=vocabulary, matcher=matcher)
    assert (text, end.stop, end.complete) == ("1 + 12", "eos", True)
    matcher = by_earley(Grammar.from_lark('start: "begin" NAME "end"\nNAME: /[xy]/')).matcher()
    text, end, _ = play(b"beginyend", matcher=matcher)
    assert (text, end.usage.forced_tokens, end.usage.model_calls) == ("beginyend", 8, 1)


def splits(text: bytes) -> Iterator[list[bytes]]:
    """Every way to cut a text into pieces."""
    for cuts in product((False, True), repeat=len(text) - 1):
        places = [0, *(place for place, cut in enumerate(cuts, 1) if cut), len(text)]
        yield [text[begin:end] for begin, end in pairwise(places)]


@pytest.mark.parametrize("lexing", ["all", "greedy"])
@pytest.mark.parametrize(
    ("source", "text", "others"),
    [
        ('start: A B\nA: /a(bcd)?/\nB: "bce"', b"abce", [b"abcd", b"abc"]),
        ('start: A B\nA: /a(bc)?/\nB: "b"', b"ab", [b"abc"]),
        ('start: NUM ".." NUM\nNUM: /[0-9]+(\\.[0-9]+)?/', b"1..2", [b"1...2", b"1.2"]),
        ('start: STEM "ed"\nSTEM: "list" | "listen"', b"listed", [b"listing", b"listen"]),
        ('start: A B C D\nA: /a(bcdx)?/\nB: /b(cdy)?/\nC: "c"\nD: "d"', b"abcd", [b"abcdx", b"abcdy"]),
    ],
)
def test_the_older_match_is_kept_for_every_way_of_splitting_a_text(source, text, others, lexing, kernel):
    texts = (text, *others)
    pieces = {t[i:j] for t in texts for i in range(len(t)) for j in range(i + 1, len(t) + 1)}
    tokens = sorted(pieces)
    vocabulary = Vocabulary.from_bytes([*tokens, None], eos=len(tokens))
    matcher = by_earley(Grammar.from_lark(source), vocabulary, lexing=lexing, kernel=kernel).matcher()
    for whole in texts:
        for split in splits(whole):
            matcher.reset()
            fits = True
            for piece in split:
                token = tokens.index(piece)
                allowed = token in matcher.allowed(None)
                assert allowed == matcher.accept_token(token)
                fits = fits and allowed
            assert (fits and len(tokens) in matcher.allowed(None)) == (whole == text), split


# --- special tokens

TOOLS = Vocabulary.from_bytes(
    [b"a", b"b", b"ab", b"1", b" ", None, None, None], eos=7, special={"<call>": 5, "<end>": 6}
)


def special(**tokens: int | str) -> dict[str, Terminal]:
    return {name: Terminal(name, None, token) for name, token in tokens.items()}


def tool_grammar(**tokens: int | str) -> Grammar:
    text = lexical({"start": alt("CALL NAME END", "NAME")}, ["WS"], NAME="[ab]+", WS=" ")
    terminals = {**text.terminals, **special(**tokens)}
    return of_lexical(LexicalGrammar("start", text.rules, terminals, ("WS",)))


@pytest.mark.parametrize("lexing", ["all", "greedy"])
def test_special_tokens_are_where_the_grammar_names_them(lexing, kernel):
    matcher = by_earley(tool_grammar(CALL="<call>", END=6), TOOLS, lexing=lexing, kernel=kernel).matcher()
    assert matcher.allowed() == [0, 1, 2, 4, 5]
    assert matcher.accept_token(4)
    assert matcher.accept_token(5)
    assert matcher.allowed() == [0, 1, 2, 4]
    assert not matcher.accept_token(6)
    assert matcher.accept_token(2)
    assert matcher.allowed() == [0, 1, 2, 4, 6]
    assert matcher.accept_token(6)
    assert matcher.allowed() == [4, 7]
    assert matcher.is_completed()
    matcher.rollback(2)
    assert matcher.accept_token(0)


def test_a_token_that_the_vocabulary_lacks():
    with pytest.raises(VocabularyError) as caught:
        by_earley(tool_grammar(CALL="<nobody>", END=6), TOOLS)
    assert caught.value.code == "GRAMMAR_TOKEN"


def test_bytes_are_forced_unless_a_named_token_may_come_instead():
    text = lexical({"start": alt("CALL AB END", "AB B")}, AB="ab", B="b")
    grammar = of_lexical(LexicalGrammar("start", text.rules, {**text.terminals, **special(CALL="<call>", END=6)}))
    for engine in ("automaton", "earley"):
        matcher = compile(grammar, TOOLS, engine=engine).matcher()
        assert matcher.names_token()
        assert matcher.find_jump_forward_bytes() == b""
        assert matcher.accept_token(5)
        assert not matcher.names_token()
        assert matcher.find_jump_forward_bytes() == b"ab"
        assert matcher.find_jump_forward_tokens() == [2, 6]
        assert matcher.accept_bytes(b"ab")
        assert matcher.names_token()
        assert matcher.find_jump_forward_bytes() == b""
        matcher.reset()
        assert matcher.accept_bytes(b"a")
        assert matcher.find_jump_forward_bytes() == b"bb"


def test_a_token_that_is_text_as_well_is_read_both_ways(kernel):
    """Token 0 is the text `a` and is named by the grammar; what follows tells the two apart."""
    text = lexical({"start": alt("T X", "A Y")}, X="1", A="a", Y="b")
    terminals = {**text.terminals, **special(T=0)}
    grammar = of_lexical(LexicalGrammar("start", text.rules, terminals))
    matcher = by_earley(grammar, TOOLS, kernel=kernel).matcher()
    assert matcher.accept_token(0)
    assert matcher.allowed() == [1, 3]
    by_bytes = by_earley(grammar, TOOLS).matcher()
    assert by_bytes.accept_bytes(b"a")
    assert by_bytes.allowed() == [1]
    greedy = by_earley(grammar, TOOLS, lexing="greedy").matcher()
    assert greedy.accept_token(0)
    assert greedy.allowed() == [3]


def test_any_token_but_one():
    terminals = {"NOT": Terminal("NOT", None, "<call>", negated=True)}
    grammar = LexicalGrammar("start", {"start": seq("NOT", "NOT")}, terminals)
    matcher = by_earley(of_lexical(grammar), TOOLS).matcher()
    assert matcher.allowed() == [0, 1, 2, 3, 4, 6]
    assert not matcher.accept_token(5)
    assert matcher.accept_token(6)
    assert matcher.accept_token(3)
    assert matcher.is_completed()


def test_ignored_text_stays_outside_of_terminals_that_have_their_own():
    text = lexical({"start": alt("A B A")}, ["WS"], A="a", WS=" ")
    terminals = {**text.terminals, "B": terminal("B", "b", ignored_around=False)}
    grammar = of_lexical(LexicalGrammar("start", text.rules, terminals, ("WS",)))
    for engine in ("automaton", "earley"):
        constraint = compile(grammar, BYTES, engine=engine)
        found = [constraint.matcher().explain(data) is None for data in (b" ab a ", b"a ba", b"aba", b"ab  a")]
        assert found == [True, False, True, True]


# --- explanations


def test_an_explanation_has_rows_and_lexer_states():
    grammar = Grammar.from_lark('start: pair ("," pair)*\npair: NAME ":" NAME\nNAME: /[a-z]+/')
    rejection = by_earley(grammar).matcher().explain(b"a:b,c!")
    assert rejection is not None
    assert (rejection.offset, rejection.expected) == (5, b":abcdefghijklmnopqrstuvwxyz")
    assert rejection.rules == (("pair", "start"),)
    assert rejection.readings[0].startswith("row ")
    assert any('pair -> NAME . ":" NAME' in line for line in rejection.readings)
    assert compile(grammar, BYTES, engine="automaton").matcher().explain(b"!").readings == ()


def test_long_explanations_are_cut():
    rules = {"start": alt(*(f"x{n}" for n in range(200)))} | {f"x{n}": seq("A") for n in range(200)}
    rejection = by_earley(of_lexical(lexical(rules, A="a"))).matcher().explain(b"b")
    assert rejection is not None
    assert len(rejection.readings) == 51
    assert rejection.readings[-1].startswith("and ")


# --- what it does not have


@pytest.mark.parametrize(
    "use",
    [
        lambda c: c.automaton,
        lambda c: c.serialize_json(),
        lambda c: c.to_dot(),
        lambda c: c.matcher(token_budget=10),
        lambda c: c.min_tokens,
        lambda c: c.tokens_needed(),
        lambda c: c.matcher().configuration(),
    ],
)
def test_what_needs_an_automaton_is_refused_by_name(use):
    with pytest.raises(InputError) as caught:
        use(by_earley(SUM))
    assert caught.value.code == "CONSTRAINT_ENGINE"


# --- bounds, threads


def test_a_mask_that_takes_too_much_allows_nothing(kernel):
    grammar = of_lexical(lexical({"start": alt("start start", "A")}, A="a"))
    vocabulary = Vocabulary.from_bytes([b"a" * n for n in range(1, 60)] + [None], eos=59)
    matcher = by_earley(grammar, vocabulary, limits=Limits(row_items=30), kernel=kernel).matcher()
    row = array("I", [7, 7])
    with pytest.raises(MaskError) as caught:
        matcher.fill_next_token_bitmask(row)
    assert caught.value.code == "MASK_BUDGET"
    assert [*row] == [0, 0]


def test_long_texts_keep_few_readings_and_roll_back_anywhere(monkeypatch):
    from checkrail.mask import cursor

    monkeypatch.setattr(cursor, "_MAXIMUM_SIZE", 60)
    matcher = by_earley(SUM).matcher()
    masks = [matcher.allowed(None)]
    for byte in b"1+2 + 3+44" * 20:
        assert matcher.accept_token(byte) or byte == ord("1")
        masks.append(matcher.allowed(None))
    for _ in range(150):
        steps = matcher.steps
        matcher.rollback()
        assert matcher.steps == steps - 1
    assert matcher.accept_bytes(b"+1") or matcher.accept_bytes(b"1+1")


def test_threads_share_an_engine():
    constraint = by_earley(SUM)
    found: list[list[int]] = []

    def run() -> None:
        matcher = constraint.matcher()
        for byte in b"1+2 + 3+44+5" * 10:
            if matcher.accept_token(byte):
                found.append(matcher.allowed(None))

    workers = [threading.Thread(target=run) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) % 4 == 0
    assert len({tuple(mask) for mask in found}) <= 5


@settings(max_examples=25)
@given(vocabularies(), st.data())
def test_lists_by_right_recursion_over_any_vocabulary(vocabulary, data):
    """With and without slices, and with what was remembered forgotten in between."""
    body = Sequence((Reference("S"), Repeat(seq("A", "S"), 0, None)))
    grammar = of_lexical(lexical({"start": body}, S='"[^"]*"', A="a+b?"))
    constraint = by_earley(grammar, vocabulary)
    plain = by_earley(grammar, vocabulary).engine
    plain._slicer = None
    matcher = constraint.matcher()
    cursor = plain.cursor()
    for _ in range(6):
        allowed = matcher.allowed(None)
        row = memoryview(array("I", bytes(4 * plain.words)))
        cursor.fill_row(row)
        assert allowed == [t for t in range(len(vocabulary)) if row[t >> 5] >> (t & 31) & 1]
        text = [t for t in allowed if t not in vocabulary.eos]
        if not text:
            break
        token = data.draw(st.sampled_from(text))
        assert matcher.accept_token(token)
        assert cursor.accept_token(token)
        plain.readings.forget()
