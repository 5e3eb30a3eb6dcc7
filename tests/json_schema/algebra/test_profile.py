"""The open profile against `jsonschema`: random schemas with random instances."""

from __future__ import annotations

import json
from itertools import permutations, product

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from random_schemas import KEYS, scalars, schemas

instances = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "x"]), inner, max_size=3),
    max_leaves=6,
)


def spellings(value):
    """All texts of a value: its keys in every order."""
    if isinstance(value, dict):
        for order in permutations(value):
            members = [[f"{json.dumps(key)}:{text}" for text in spellings(value[key])] for key in order]
            yield from ("{" + ",".join(parts) + "}" for parts in product(*members))
    elif isinstance(value, list):
        yield from ("[" + ",".join(parts) + "]" for parts in product(*map(list, map(spellings, value))))
    else:
        yield json.dumps(value, ensure_ascii=False)


EMPTY = {"SCHEMA_CONFLICT", "GRAMMAR_EMPTY_LANGUAGE"}
BUDGETS = {"SCHEMA_BUDGET", "GRAMMAR_BUDGET_STATES"}


def attempt(opened, schema):
    """The code of the refusal, or the recogniser."""
    try:
        return None, opened(schema, property_order="any")
    except Error as error:
        return error.code, None


@settings(deadline=None, max_examples=120)
@given(schemas, st.lists(instances, min_size=5, max_size=12))
def test_it_agrees_with_a_validator_in_any_order(opened, schema, values):
    validator = jsonschema.Draft202012Validator(schema)
    code, accepts = attempt(opened, schema)
    if code in EMPTY:
        assert not any(map(validator.is_valid, values))
    if accepts is None:
        assert code in EMPTY | BUDGETS
        return
    for value in values:
        # Keys that no schema declares come last, so of a valid value some order is accepted, of others none.
        assert any(map(accepts, spellings(value))) == validator.is_valid(value), value
