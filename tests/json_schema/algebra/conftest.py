"""Whether a text belongs to the language of a schema in the open profile: compiled and stepped byte by byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import checkrail
from checkrail.automaton.compiler import compile_automaton
from checkrail.grammar.grammar import Grammar, NoRules
from checkrail.json_schema import json_schema_to_grammar
from checkrail.mask.configuration import Stepper
from checkrail.mask.slow import advance_bytes

BYTES = checkrail.Vocabulary.from_bytes([*(bytes([byte]) for byte in range(256)), None], eos=[256])


@pytest.fixture(scope="session")
def opened() -> Callable[..., Callable[[str], bool]]:
    """opened(schema or grammar, **options): a function that tells whether it accepts a text."""

    def recogniser(subject: object, **options: object) -> Callable[[str], bool]:
        options = {"whitespace": "compact", **options}
        grammar = (
            subject if isinstance(subject, Grammar) else json_schema_to_grammar(subject, profile="open", **options)
        )
        if isinstance(grammar.rules, NoRules):
            constraint = checkrail.compile(grammar, BYTES)

            def takes(text: str) -> bool:
                matcher = constraint.matcher()
                return matcher.accept_bytes(text.encode()) and matcher.is_completed()

            return takes
        stepper = Stepper(compile_automaton(grammar))

        def accepts(text: str) -> bool:
            found = advance_bytes(stepper, stepper.start, text.encode())
            return found is not None and found.accepting

        return accepts

    return recogniser
