from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.earley.chart import Chart, Row
from checkrail.earley.items import Rules, TerminalSymbol
from checkrail.earley.normalize import normalize
from checkrail.errors import GrammarError, MaskError
from checkrail.grammar.expression import Choice, Reference, Repeat, Sequence
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.limits import Limits
from lexical_oracle import Meaning, alt, lexical

# Written down by hand from the textbook's rules: E -> E + T | T, T -> T * F | F, F -> n
ARITHMETIC = {"start": alt("E"), "E": alt("E P T", "T"), "T": alt("T M F", "F"), "F": alt("N")}


def rules_of(grammar: LexicalGrammar, limits: Limits) -> Rules:
    return normalize(grammar, dict.fromkeys(grammar.terminals, 1), limits)


class Parser:
    """Terminals one by one, by name."""

    def __init__(self, grammar: LexicalGrammar, **limits: int) -> None:
        bounds = Limits(**limits)
        rules = rules_of(grammar, bounds)
        self.symbols: dict[str, TerminalSymbol] = {t.name: t for t in rules.terminals}
        self.chart = Chart(rules, bounds)

    def after(self, names: str) -> Row | None:
        row: Row | None = self.chart.root
        for name in names:
            assert row is not None
            row = self.chart.scan(row, (self.symbols[name],))
            if row is None:
                return None
        return row

    def accepts(self, names: str) -> bool:
        row = self.after(names)
        return row is not None and row.accepting


def arithmetic() -> Parser:
    return Parser(lexical(ARITHMETIC, P="p", M="m", N="n"))


def test_rows_read_as_in_the_textbook():
    parser = arithmetic()
    row = parser.after("NP")
    assert row is not None
    assert row.lines()[0] == "E -> E P . T (0)"
    assert sorted(row.lines()[1:]) == ["F -> . N (2)", "T -> . F (2)", "T -> . T M F (2)"]
    assert [t.name for t in row.terminals] == ["N"]
    assert not row.accepting


def test_a_row_after_a_whole_sentence():
    row = arithmetic().after("NPN")
    assert row is not None
    assert row.accepting
    assert {t.name for t in row.terminals} == {"P", "M"}
    assert "E -> E P T . (0)" in row.lines()


def test_what_cannot_follow_leads_nowhere():
    assert arithmetic().after("NN") is None
    assert arithmetic().after("P") is None


def test_equal_places_are_one_row():
    parser = arithmetic()
    assert parser.after("NP") is parser.after("NPNP")
    assert parser.after("NMN") is not parser.after("NPN")


def test_terminals_that_end_at_one_place_lead_to_one_row():
    parser = Parser(lexical({"start": alt("A C", "B D")}, A="a", B="b", C="c", D="d"))
    row = parser.chart.scan(parser.chart.root, (parser.symbols["A"], parser.symbols["B"]))
    assert row is not None
    assert [t.name for t in row.terminals] == ["C", "D"]


def test_terminals_that_began_in_several_rows_lead_to_one_row():
    parser = Parser(lexical({"start": alt("A A A C", "B D")}, A="a", B="b", C="c", D="d"))
    two = parser.after("AA")
    assert two is not None
    row = parser.chart.join([(two, (parser.symbols["A"],)), (parser.chart.root, (parser.symbols["B"],))])
    assert row is not None
    assert [t.name for t in row.terminals] == ["C", "D"]


# --- against the fixpoint over spans


NAMES = ("start", "x", "y")
BODIES = st.lists(st.sampled_from(("A", "B", *NAMES)), max_size=3).map(" ".join)


@st.composite
def grammars(draw: st.DrawFn) -> LexicalGrammar:
    """Plain rules over two letters, with every kind of recursion and emptiness."""
    return lexical({name: alt(*draw(st.lists(BODIES, min_size=1, max_size=3))) for name in NAMES}, A="A", B="B")


def parser_of(grammar: LexicalGrammar) -> Parser | None:
    """None for a grammar without a sentence."""
    try:
        return Parser(grammar)
    except GrammarError:
        return None


@given(grammars())
def test_sentences_are_those_of_the_grammar(grammar):
    texts = ["".join(t) for length in range(5) for t in product("AB", repeat=length)]
    truth = {text for text in texts if Meaning(grammar, text).accepts}
    parser = parser_of(grammar)
    if parser is None:
        assert not truth
        return
    assert {text for text in texts if parser.accepts(text)} == truth


@given(grammars())
def test_no_row_is_a_wall(grammar):
    """From every row that is reached, some sentence can be completed."""
    parser = parser_of(grammar)
    if parser is None:
        return
    here = [parser.chart.root]
    for _ in range(4):
        following = [parser.chart.scan(row, (t,)) for row in here for t in row.terminals]
        assert all(row is not None for row in following)
        here = list(dict.fromkeys(row for row in following if row is not None))[:6]
    for row in here:
        seen = [row]
        for each in seen:
            if each.accepting or len(seen) > 3_000:
                break
            seen += [r for t in each.terminals if (r := parser.chart.scan(each, (t,))) is not None and r not in seen]
        else:
            pytest.fail("no way to the end")


# --- work


def work(grammar: LexicalGrammar, names: str) -> int:
    parser = Parser(grammar)
    assert parser.accepts(names)
    return parser.chart.work


RIGHT = lexical({"start": alt("A C start", "A")}, A="a", C="c")
LEFT = lexical({"start": alt("start C A", "A")}, A="a", C="c")
HIDDEN = lexical({"start": alt("x start A", "A"), "x": alt("", "C")}, A="a", C="c")
DEEP = lexical({"start": alt("C start A", "A")}, A="a", C="c")
STAR = lexical({"start": Sequence((Reference("A"), Repeat(alt("C A"), 0, None)))}, A="a", C="c")
COUNTED = lexical({"start": Sequence((Reference("A"), Repeat(alt("C A"), 0, 4_000)))}, A="a", C="c")


@pytest.mark.parametrize("grammar", [RIGHT, LEFT, STAR], ids=["right", "left", "star"])
def test_a_list_of_10_000_takes_the_same_work_for_each_element(grammar):
    assert work(grammar, "A" + "CA" * 10_000) <= 10.1 * work(grammar, "A" + "CA" * 1_000)


def test_counts_hidden_left_recursion_and_nesting_are_linear_as_well():
    assert work(COUNTED, "A" + "CA" * 2_000) <= 10.1 * work(COUNTED, "A" + "CA" * 200)
    assert work(HIDDEN, "A" * 2_000) <= 10.1 * work(HIDDEN, "A" * 200)
    assert work(DEEP, "C" * 2_000 + "A" * 2_001) <= 10.1 * work(DEEP, "C" * 200 + "A" * 201)


def test_a_left_recursive_list_needs_a_handful_of_rows():
    parser = Parser(LEFT)
    rows = {id(parser.after("A" + "CA" * n)) for n in range(50)}
    assert len(rows) == 2  # after the first element, and after each other one


def test_the_ambiguous_expression_is_cubic():
    grammar = lexical({"start": alt("start P start", "A")}, A="a", P="p")
    some, twice = work(grammar, "A" + "PA" * 30), work(grammar, "A" + "PA" * 60)
    assert twice <= 8.5 * some


def test_unit_cycles_end():
    grammar = lexical({"start": alt("x", "start"), "x": alt("start", "A", "x x")}, A="a")
    assert Parser(grammar).accepts("AAAA")


# --- bounds


def test_pairs_of_one_row_are_bounded():
    parser = Parser(lexical({"start": alt("start start", "A")}, A="a"), row_items=40)
    with pytest.raises(MaskError) as caught:
        parser.after("A" * 200)
    assert caught.value.code == "MASK_BUDGET"


def test_pairs_of_one_text_are_bounded():
    parser = Parser(DEEP, chart_items=500)
    with pytest.raises(MaskError) as caught:
        parser.after("C" * 2_000)
    assert caught.value.code == "MASK_CHART"


def test_what_is_forgotten_is_made_again():
    parser = arithmetic()
    row = parser.after("NPN")
    parser.chart.forget()
    assert row is not None
    again = parser.chart.scan(row, (parser.symbols["M"],))
    assert again is not None
    assert again.lines()[0].startswith("T -> T M . F")
    assert parser.accepts("NPNMN")


def test_rows_that_nobody_stands_on_go():
    parser = Parser(RIGHT)
    row = parser.after("ACA" + "CA" * 500)
    assert row is not None
    parser.chart.forget()
    assert len(parser.chart._rows) > 500  # its own, and those in which what it reads began
    row = None
    parser.chart.forget()
    assert len(parser.chart._rows) == 0


def test_choice_of_nothing_is_no_alternative():
    grammar = lexical({"start": Choice((Choice(()), Reference("A")))}, A="a")
    assert Parser(grammar).accepts("A")


def test_what_rows_predict_counts_as_well():
    """Each place predicts rules of its own, hundreds of them: the text ends where a bound says so."""
    names = [f"x{n}" for n in range(50)]
    rules = {"start": alt(*(f"C {name}" for name in names))}
    rules |= {name: Sequence((Reference("C"), alt(*(f"C {other}" for other in names), "A"))) for name in names}
    grammar = lexical(rules, A="a", C="c")
    assert Parser(grammar, chart_items=20_000).after("C" * 6) is not None
    with pytest.raises(MaskError):
        Parser(grammar, chart_items=1_000).after("C" * 6)
