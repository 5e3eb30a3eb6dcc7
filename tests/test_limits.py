"""Bounds, and the one that a profile decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import checkrail
from checkrail.errors import BudgetError, InputError, SchemaError
from checkrail.limits import DEFAULT_LIMITS, Limits

BYTES = checkrail.Vocabulary.from_bytes([*(bytes([byte]) for byte in range(256)), None], eos=[256])
NESTED = {"$ref": "#/$defs/list", "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}}


def deepest(constraint: checkrail.Constraint) -> int:
    """How many arrays within one another it takes, which can be closed again."""
    matcher = constraint.matcher()
    depth = 0
    while matcher.accept_bytes(b"["):
        depth += 1
    assert matcher.accept_bytes(b"]" * depth)
    assert matcher.is_completed()
    return depth


@pytest.mark.parametrize("schema", [NESTED, {}])
@pytest.mark.parametrize(
    ("profile", "nesting", "levels"),
    [("strict", None, 16), ("open", None, 64), ("open", 16, 16), ("open", 3, 3), ("strict", 70, 70), ("open", 70, 70)],
)
def test_the_profile_decides_how_deep_values_are_unless_the_limits_say_it(
    schema: dict[str, Any], profile: str, nesting: int | None, levels: int, tmp_path: Path
) -> None:
    limits = Limits(nesting=nesting)
    grammar = checkrail.Grammar.from_json_schema(schema, profile=profile, limits=limits)
    constraint = checkrail.compile(grammar, BYTES, limits=limits)
    assert deepest(constraint) == levels
    assert constraint.report.nesting == levels
    constraint.save(tmp_path / "c.json")
    assert deepest(checkrail.Constraint.load(tmp_path / "c.json", BYTES)) == levels
    matcher = constraint.matcher(token_budget=3 * levels)
    assert matcher.accept_bytes(b"[" * levels)
    assert not matcher.accept_bytes(b"[")


def chain(levels: int) -> dict[str, Any]:
    """A schema whose least value is so deep."""
    inner = {f"d{i}": {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/d{i + 1}"}} for i in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**inner, f"d{levels}": {"type": "null"}}}


def test_a_schema_whose_least_value_is_deeper_is_refused() -> None:
    checkrail.compile(checkrail.Grammar.from_json_schema(chain(64), profile="open"), BYTES)
    with pytest.raises(BudgetError) as caught:
        checkrail.compile(checkrail.Grammar.from_json_schema(chain(65), profile="open"), BYTES)
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"
    assert caught.value.params["limit"] == 64
    with pytest.raises(SchemaError):
        checkrail.Grammar.from_json_schema(chain(17))


def test_what_is_no_bound_is_refused() -> None:
    assert DEFAULT_LIMITS.nesting is None
    assert DEFAULT_LIMITS.levels == 16
    for name, wrong in (("nesting", 0), ("nesting", -1), ("nesting", True), ("nesting", 1.5), ("states", None)):
        with pytest.raises(InputError):
            Limits(**{name: wrong})
