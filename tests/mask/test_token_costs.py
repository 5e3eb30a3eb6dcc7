"""Counts with nesting room, and the ceilings above them, against plain searches."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.automaton.compiler import compile_automaton
from checkrail.automaton.pushdown import PushdownAutomaton
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.token_costs import INFINITE, TokenCosts
from strategies import grammars


def byte_steps(automaton: PushdownAutomaton):
    """As if each byte were a token, and there were no longer ones."""
    return lambda state, allowance: {t for b in range(256) if (t := automaton.step(state, b)) >= 0}


def costs_of(automaton: PushdownAutomaton) -> TokenCosts:
    return TokenCosts(automaton, byte_steps(automaton), range(256))


def slow_least(automaton: PushdownAutomaton, most_room: int) -> list[list[int]]:
    """table[room][state] by rounds of relaxation: nothing but the definition."""
    count = len(automaton)
    table: list[list[int]] = []
    for room in range(most_room + 1):
        row = [0 if automaton.accepting[q] else INFINITE for q in range(count)]
        while True:
            before = list(row)
            for q in range(count):
                ways = [row[t] + 1 for t in byte_steps(automaton)(q, 0)]
                for e in automaton.calls[q]:
                    if e.weight <= room:
                        ways.append((row if e.weight == 0 else table[room - e.weight])[e.start] + row[e.after])
                row[q] = min([row[q], *ways])
            if row == before:
                break
        table.append(row)
    return table


@given(grammars(), st.sampled_from([1, 2, 5]))
@settings(max_examples=60)
def test_the_counts_are_least_for_each_room(grammar: Grammar, nesting: int) -> None:
    try:
        automaton = compile_automaton(grammar, contract="context-free", limits=Limits(nesting=nesting))
    except GrammarError:
        assume(False)
    assume(len(automaton) < 200)
    costs = costs_of(automaton)
    table = slow_least(automaton, nesting)
    for state in range(len(automaton)):
        assert [costs.least(state, room) for room in range(nesting + 1)] == [row[state] for row in table]
        assert costs.highest(state) == table[automaton.room[state]][state]


def test_a_ceiling_is_reached_by_some_bytes_and_passed_by_none() -> None:
    automaton = compile_automaton(Grammar.from_gbnf('root ::= ("[" x "]" | "b" "ccccc")* "end"\nx ::= "(" x ")" | "a"'))
    costs = costs_of(automaton)
    start = automaton.starts[0]
    # after 16 brackets: 16 closing ones, "a", "]" and "end"; no other place needs more
    assert costs.ceiling[start] >= 16 + 1 + 3
    assert costs.ceiling[start] <= 16 + 1 + 3 + 2
    assert [costs.ceiling[q] for q in range(len(automaton)) if automaton.accepting[q]] == [0, 0]


@pytest.mark.parametrize("nesting", [16, 100])
def test_a_ceiling_that_would_be_dear_is_given_up(nesting: int) -> None:
    grammar = Grammar.from_gbnf('root ::= "[" root "]" | "a"')
    automaton = compile_automaton(grammar, limits=Limits(nesting=nesting))
    ceiling = costs_of(automaton).ceiling[automaton.starts[0]]
    assert (ceiling >= INFINITE) == (nesting == 100)


def test_states_between_tokens_do_not_count() -> None:
    """In the middle of a character no token ends, so that nothing can be finished there does no harm."""
    automaton = compile_automaton(Grammar.from_gbnf("root ::= [aé]*"))
    lead = automaton.step(automaton.starts[0], 0xC3)
    start = automaton.starts[0]

    def steps(state: int, allowance: int) -> set[int]:
        return {start} if state == start else set()

    assert TokenCosts(automaton, steps, [ord("a"), 0xA9]).ceiling[start] == 0
    harmed = TokenCosts(automaton, steps, [ord("a"), 0xC3])
    assert (harmed.ceiling[start], harmed.highest(lead)) == (INFINITE, INFINITE)
