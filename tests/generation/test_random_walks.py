"""Random texts written under masks of real schemas: each ends, and an independent validator accepts it.

The other direction of `tests/ondemand/test_maskbench_masks.py`: not "valid documents pass" but "what passes is valid,
and there is no dead end". Tokens are drawn at random from the mask, so walks come to places that no document comes to.
Some have a token budget, and end within it; the others are followed for a while. Twenty-five schemas in every run; with
CHECKRAIL_THOROUGH=1 a ninth of the development half.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from array import array
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import checkrail
from checkrail.errors import BudgetError, SchemaError
from checkrail.mask.bitmask import words_for
from data_path import unpacked

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EACH, REST = (9, 2) if THOROUGH else (225, 2)
WALKS = 2
FREE_TOKENS = 200


def chosen(path: Path) -> bool:
    return int(hashlib.sha256(path.name.encode()).hexdigest(), 16) % EACH == REST


FILES = [path for path in sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json")) if chosen(path)]
PIECES = [
    '"',
    '":',
    '",',
    '", "',
    '": "',
    "{",
    "}",
    "[",
    "]",
    '"}',
    '"]',
    "},",
    "],",
    "ab",
    "name",
    "type",
    "a1",
    "日",
    "\\n",
]
PIECES += ["\\u00e9", "true", "false", "null", "12", "0.5", "-1", "2024-01-", "http://", "x@y.z", "   ", '{"', '[{"']


def vocabulary() -> checkrail.Vocabulary:
    """All bytes, and texts put together from pieces of JSON."""
    rng = random.Random(5)
    texts = {"".join(rng.choices(PIECES, k=rng.randint(1, 3))).encode() for _ in range(1500)}
    tokens: list[bytes | None] = [*(bytes([b]) for b in range(256)), *sorted(text for text in texts if len(text) > 1)]
    return checkrail.Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


VOCABULARY = vocabulary()


def walk(matcher: Any, rng: random.Random, most: int) -> str | None:
    """A text; None where it was not ended after so many tokens."""
    words = words_for(len(VOCABULARY))
    row = memoryview(array("i", bytes(4 * words))).cast("B").cast("i", (1, words))
    end = 1 << VOCABULARY.eos[0]
    text = b""
    for _ in range(most + 1):
        matcher.fill_next_token_bitmask(row)
        bits = int.from_bytes(row, "little")
        assert bits, text[-300:]
        if bits & end and (bits == end or rng.random() < 0.2):
            return text.decode()
        bits &= ~end
        token = rng.choice([t for t in range(bits.bit_length()) if bits >> t & 1])
        assert matcher.accept_token(token), (text[-300:], VOCABULARY.tokens[token])
        text += VOCABULARY.tokens[token] or b""
    return None


def budgets(constraint: checkrail.Constraint, rng: random.Random) -> list[int]:
    """Some that can be kept; none where there is no automaton as a whole, which they need."""
    if not constraint.is_whole:
        return []
    least = constraint.matcher().min_tokens_to_finish()
    assert least is not None
    return [least, *(least + rng.randrange(FREE_TOKENS) for _ in range(WALKS - 1))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_is_valid(path: Path) -> None:
    schema: Any = json.loads(path.read_text(encoding="utf-8"))["schema"]
    try:
        grammar = checkrail.Grammar.from_json_schema(json.dumps(schema), profile="open")
        constraint = checkrail.compile(grammar, VOCABULARY)
    except (SchemaError, BudgetError) as error:
        pytest.skip(f"refused: {error.code}")
    validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema)
    rng = random.Random(path.name)
    texts = [walk(constraint.matcher(), rng, FREE_TOKENS) for _ in range(WALKS)]
    for budget in budgets(constraint, rng):
        texts.append(walk(constraint.matcher(token_budget=budget), rng, budget))
        assert texts[-1] is not None  # a budget is kept
    for text in texts:
        if text is None:
            continue
        try:
            faults = [fault.message for fault in validator.iter_errors(json.loads(text))]
        except re.error as error:
            pytest.skip(f"the oracle does not read a pattern: {error}")
        assert not faults, (text[:600], faults[:2])
