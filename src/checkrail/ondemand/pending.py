"""What a text is in the middle of, in terms of the schema: for explanations.

The states of an automaton on demand know nothing of where they stand in a schema, so that they can be shared. An
explanation is rare, and the text says where it is: its open brackets and the last key of each object lead through the
schema's terms to the places that are about what comes next.
"""

from __future__ import annotations

import json

from ..json_schema.algebra.profile import OpenSchema
from ..json_schema.algebra.terms import Term

__all__ = ["pending_places"]

_MOST = 16  # places of one level; alternatives beyond are not named


def pending_places(schema: OpenSchema, text: bytes) -> tuple[str, ...]:
    """The JSON pointers of the subschemas that the text is in the middle of, innermost first, without repetitions.

    text: the beginning of a JSON text that the schema's automaton has read.
    """
    with schema.lock:
        terms = [schema.root]
        levels = [_pointers(schema, terms)]
        for step in _path(text):
            terms = _below(schema, terms, step)
            if not terms:
                break
            levels.append(_pointers(schema, terms))
    return tuple(dict.fromkeys(pointer for level in reversed(levels) for pointer in level))


def _pointers(schema: OpenSchema, terms: list[Term]) -> list[str]:
    return list(dict.fromkeys(schema.pointer_of(term) for term in terms))[:_MOST]


def _path(text: bytes) -> list[str | int]:
    """The steps from the root to what comes next: keys whose value is not finished, and positions in arrays."""
    steps: list[str | int] = []
    wants_value: list[bool] = []  # for each open object whether a key was read and its value is not done
    start = -1  # of the string that is open
    last = ""
    escaped = False
    for place, byte in enumerate(text):
        if start >= 0:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                last = text[start : place + 1].decode("utf-8", "replace")
                start = -1
        elif byte == 0x22:
            start = place
        elif byte in b"{[":
            wants_value.append(byte == 0x5B)
            steps.append(0 if byte == 0x5B else "")
        elif byte in b"}]":
            wants_value.pop()
            steps.pop()
        elif byte == 0x3A:
            steps[-1] = str(json.loads(last))
            wants_value[-1] = True
        elif byte == 0x2C:
            step = steps[-1]
            if isinstance(step, int):
                steps[-1] = step + 1
            else:
                wants_value[-1] = False
    return [step for step, wanted in zip(steps, wants_value, strict=True) if wanted]


def _below(schema: OpenSchema, terms: list[Term], step: str | int) -> list[Term]:
    """The terms of a member or an item."""
    normalizer = schema.normalizer
    found: dict[Term, None] = {}
    for term in terms:
        values = normalizer.values(term)
        if isinstance(step, int):
            for array in values.arrays:
                found[array.item(step, normalizer.terms)] = None
            continue
        for record in values.objects:
            named = next((member.value for member in record.properties if member.key == step), None)
            if named is not None:
                found[named] = None
                continue
            for part in record.others:
                if normalizer.texts.contains(part.keys, step, ""):
                    found[normalizer.terms.true if part.value is None else part.value] = None
    return list(found)[:_MOST]
