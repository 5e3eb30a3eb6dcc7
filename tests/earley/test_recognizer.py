from __future__ import annotations

from checkrail.earley.recognizer import Recognizer
from checkrail.grammar.lexical import LexicalGrammar, Terminal
from lexical_oracle import alt, lexical

LIST = lexical({"start": alt("start C N", "N")}, ["WS"], N="[0-9]+", C=",", WS=" ")


def test_a_text_from_beginning_to_end():
    recognizer = Recognizer.of(LIST)
    assert recognizer.allowed_terminals() == ("N", "WS")
    assert not recognizer.is_accepting()
    assert recognizer.push_bytes(b"12")
    assert recognizer.allowed_terminals() == ("N", "C", "WS")
    assert recognizer.is_accepting()
    assert recognizer.can_continue()
    assert recognizer.flush()
    assert not recognizer.can_continue()
    assert recognizer.allowed_terminals() == ()
    assert not recognizer.push_byte(ord("3"))
    assert recognizer.flush()


def test_restore_takes_back_bytes_and_the_end():
    recognizer = Recognizer.of(LIST)
    recognizer.push_bytes(b"1")
    mark = recognizer.save()
    recognizer.push_bytes(b" , 2")
    recognizer.flush()
    recognizer.restore(mark)
    assert recognizer.push_bytes(b"3,4")
    assert recognizer.is_accepting()


def test_bytes_are_taken_all_or_none():
    recognizer = Recognizer.of(LIST)
    before = recognizer.reading
    assert not recognizer.push_bytes(b"1,x")
    assert recognizer.reading is before
    assert not recognizer.flush()
    assert recognizer.push_bytes(b"")


def test_nothing_can_follow_where_the_grammar_ends():
    recognizer = Recognizer.of(lexical({"start": alt("A")}, A="ab"))
    assert recognizer.push_bytes(b"ab")
    assert not recognizer.can_continue()
    assert recognizer.is_accepting()


def test_a_special_token_ends_what_is_before_it():
    tokens = {"END": Terminal("END", None, "<end>"), "OTHER": Terminal("OTHER", None, 7)}
    grammar = lexical({"start": alt("N END", "OTHER N")}, ["WS"], N="[0-9]+", WS=" ")
    recognizer = Recognizer.of(LexicalGrammar("start", grammar.rules, {**grammar.terminals, **tokens}, ("WS",)))
    assert recognizer.allowed_terminals() == ("N", "WS", "OTHER")
    assert not recognizer.push_terminal("END")
    recognizer.push_bytes(b"12 ")
    assert recognizer.allowed_terminals() == ("WS", "END")
    assert not recognizer.push_terminal("N")
    assert recognizer.push_terminal("END")
    assert recognizer.flush()
    assert not recognizer.push_terminal("OTHER")


def test_repr_shows_rows_and_lexer_states():
    recognizer = Recognizer.of(LIST)
    recognizer.push_bytes(b"1")
    assert repr(recognizer) == "<Recognizer 1 steps, <Reading row 0 {N@1}, row 1 {C@0 WS@0} accepting>>"
    recognizer.flush()
    assert repr(recognizer) == "<Recognizer 1 steps, ended>"
