"""Automata out of data: the same tables, and a reason for each refusal."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from checkrail.automaton.compiler import compile_automaton
from checkrail.automaton.stored import from_data, to_data
from checkrail.errors import InputError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import DEFAULT_LIMITS, Limits

RECURSIVE = Grammar.from_gbnf('root ::= "[" (root ("," root)*)? "]" | x "!"\nx ::= "(" x ")" | [a-f]{2}')
AUTOMATON = compile_automaton(RECURSIVE, contract="context-free")


@pytest.mark.parametrize(
    "grammar",
    [
        RECURSIVE,
        Grammar.from_gbnf('root ::= "a"?'),
        Grammar.from_gbnf(r"root ::= [\x00-\U0010FFFF]*"),
        Grammar.from_json_schema(True),
    ],
)
def test_what_is_written_reads_back(grammar: Grammar) -> None:
    automaton = compile_automaton(grammar, contract="context-free")
    again = from_data(to_data(automaton), DEFAULT_LIMITS)
    assert again.canonical() == automaton.canonical()
    assert (again.visible, again.room, again.length) == (automaton.visible, automaton.room, automaton.length)


def change(data: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    data = copy.deepcopy(data)
    here: Any = data
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = to
    return data


DATA = to_data(AUTOMATON)
FIRST_CALL = next(i for i, s in enumerate(DATA["modules"][1]["states"]) if s[1])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("modules",), [], "there are no modules"),
        (("modules", 0, "letters"), 300, "the byte classes are out of range"),
        (("modules", 0, "classes"), "00", "the byte classes are out of range"),
        (("modules", 0, "classes"), "AA" * 256, "not in normal form"),
        (("modules", 0, "classes"), "zz", "not hexadecimal"),
        (("modules", 0, "accepting"), "02" * len(DATA["modules"][0]["states"]), "do not agree"),
        (("modules", 0, "states", 0), [], "a state is not three lists"),
        (("modules", 0, "states", 0, 0), [[0, 0, 0]], "a row has another width"),
        (("modules", 0, "states", 0, 0), [[0, 10**6]], "a number is out of range"),
        (("modules", 0, "states", 0, 0), [[0, True]], "a number is not of type int"),
        (("modules", 1, "states", FIRST_CALL, 1), [[0, 0, 0]], "the entry of the automaton is called"),
        (("modules", 1, "states", FIRST_CALL, 1), [[1, 99, 0]], "a number is out of range"),
        (("modules", 1, "states", 0, 1), [[1, 1, 0]], "the automaton is left-recursive"),
        (("modules", 1, "states", 0, 2), [[1.5, False, 0]], "neither an id nor a text"),
        (("modules", 1, "accepting"), "01" * len(DATA["modules"][1]["states"]), "a module has the empty word"),
        (("modules", 1, "accepting"), "00" * len(DATA["modules"][1]["states"]), "cannot finish"),
        (("modules", 0, "name"), "other", "does not have its digest"),
        (("sha256",), "0", "does not have its digest"),
    ],
)
def test_each_refusal_says_why(path: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_data(change(DATA, *path, to=value), DEFAULT_LIMITS)
    assert caught.value.code == "CONSTRAINT_FORMAT"


def test_the_limits_hold_here_too() -> None:
    with pytest.raises(InputError, match="more than 2 states"):
        from_data(DATA, Limits(states=2))
