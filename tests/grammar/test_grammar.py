"""A grammar as a value: unchangeable, compared by what it says, and perhaps made late."""

from __future__ import annotations

import threading
import time

import pytest

from checkrail.errors import GrammarError
from checkrail.grammar.expression import Literal, Reference
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema import json_schema_to_grammar

RULES = {"root": Reference("a"), "a": Literal("a")}
FULL = Grammar(RULES, contract="context-free", format="json_schema", origins={"a": "/a"})


def late(make=lambda watch: FULL, schema=None):
    return Grammar.deferred(make, lambda: "digest", contract="context-free", format="json_schema", schema=schema)


def test_a_deferred_grammar_is_the_one_that_is_made():
    assert late() == FULL
    assert (str(late()), repr(late()), late().sha256) == (str(FULL), repr(FULL), FULL.sha256)
    assert (late().rules, late().origins, late().coverage, late().positions) == (RULES, {"a": "/a"}, FULL.coverage, {})
    assert late() != FULL.with_rules({"root": Literal("b")})
    assert late() != "no grammar"


def test_it_is_made_when_it_is_needed_and_once():
    made = []

    def make(watch):
        made.append(threading.get_ident())
        time.sleep(0.02)
        return FULL

    grammar = late(make, schema=(1, 2))
    assert (grammar.contract, grammar.format, grammar.root, grammar.schema) == (
        "context-free",
        "json_schema",
        "root",
        (1, 2),
    )
    assert made == []
    threads = [threading.Thread(target=lambda: grammar.rules["a"]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert grammar.rules is FULL.rules


def test_making_that_fails_is_tried_again():
    outcomes = [GrammarError("GRAMMAR_EMPTY_LANGUAGE"), None]

    def make(watch):
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome
        return FULL

    grammar = late(make)
    with pytest.raises(GrammarError):
        _ = grammar.rules
    assert grammar.rules == RULES


def test_it_does_not_change():
    for change in (lambda g: setattr(g, "root", "a"), lambda g: delattr(g, "root"), lambda g: g.rules.update(a=1)):
        with pytest.raises(AttributeError):
            change(FULL)
    with pytest.raises(TypeError):
        hash(FULL)


def test_rules_are_copied_and_have_a_root():
    rules = dict(RULES)
    grammar = Grammar(rules)
    del rules["a"]
    assert grammar.rules == RULES
    assert grammar.schema is None
    with pytest.raises(GrammarError) as caught:
        Grammar({"a": Literal("a")})
    assert caught.value.code == "GRAMMAR_UNDEFINED_RULE"


def test_grammars_of_schemas():
    opened = json_schema_to_grammar({"type": "object", "properties": {"a": {"title": "t"}}}, profile="open")
    assert opened.schema is not None
    assert repr(opened.schema).startswith("<OpenSchema")
    assert {entry.pointer for entry in opened.coverage} == {"", "/properties/a"}
    assert set(opened.origins) == set(opened.rules) & set(opened.origins) >= {"root"}
    assert json_schema_to_grammar({"type": "null"}).schema is None
