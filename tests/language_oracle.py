"""Two deterministic automata walked side by side: are they of one language, and is each state of the first alive?"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from checkrail.automaton.standalone import standalone
from checkrail.grammar.expression import Expression, Reference
from checkrail.grammar.traverse import transform
from checkrail.json_schema.algebra.lower_scalars import OTHER_CHARACTER, OTHER_CHARACTERS
from checkrail.json_schema.decimals import NUMBER
from checkrail.json_schema.numbers import ANY_INTEGER
from checkrail.json_schema.strings import ANY_STRING
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.language import Language
from checkrail.regular.dfa import Dfa

_RULES = {"string": ANY_STRING, "number": NUMBER, "integer": ANY_INTEGER, OTHER_CHARACTER.rule: OTHER_CHARACTERS}


def walk_both(
    dfa: Dfa, step: Callable[[int, int], int], accepting: Callable[[int], bool], values: Iterable[int], most: int = 4000
) -> set[int]:
    """The states met on the way, of the automaton that `step` walks from state 0. Raises AssertionError where it is not
    equal to the minimal `dfa`, all of whose states are alive; so those met are alive too."""
    sample = [(value, dfa.partition.letter(value)) for value in values]
    seen = {(0, 0)}
    queue = [(0, 0)]
    for state, place in queue:
        assert accepting(state) == bool(dfa.accepting[place]), (state, place)
        moves = dfa.moves[place]
        for value, letter in sample:
            target, expected = step(state, value), moves.get(letter, -1)
            assert (target < 0) == (expected < 0), (state, place, value)
            if target >= 0 and (target, expected) not in seen:
                seen.add((target, expected))
                queue.append((target, expected))
        if len(queue) > most:
            break
    return {state for state, _ in queue}


def without_references(expression: Expression) -> Expression:
    """The same with the ready-made rules written out."""
    return transform(expression, lambda node: _RULES[node.rule] if isinstance(node, Reference) else node)


def assert_same_language(language: Language | None, expression: Expression) -> set[int]:
    """The states met. `expression` goes through the static pipeline."""
    dfa = standalone(without_references(expression), DEFAULT_LIMITS).dfa
    if language is None:
        assert dfa.is_empty()
        return set()
    assert not dfa.is_empty()
    assert len(language.class_map) == 256
    assert max(language.class_map) < language.width

    def step(state: int, byte: int) -> int:
        row = language.row(state)
        assert len(row) == language.width
        return row[language.class_map[byte]]

    kinds = {(dfa.partition.letter(byte), language.class_map[byte]): byte for byte in range(256)}
    return walk_both(dfa, step, language.accepting, kinds.values())
