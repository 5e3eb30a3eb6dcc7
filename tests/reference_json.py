"""A second strict reader of JSON, made of `json` and its hooks: the slow and simple twin of `boundary.strictjson`."""

from __future__ import annotations

import json
import math
from typing import Any

import rfc8785


def read(text: str) -> Any:
    """The value of a JSON text. Raises ValueError where the strict reader must refuse it, depth and size aside."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in items}) < len(items):
            raise ValueError("duplicate key")
        return dict(items)

    def constant(name: str) -> None:
        raise ValueError(name)

    value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=_real, parse_int=_integer)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate is a UnicodeError, a ValueError
    return value


def _real(literal: str) -> float:
    if math.isinf(float(literal)):
        raise ValueError("overflow")
    return float(literal)


def _integer(literal: str) -> int | float:
    if abs(int(literal)) < 2**53:
        return int(literal)
    double = _real(literal)
    if int(literal) != double and rfc8785.dumps(double).decode() != literal:
        raise ValueError("precision")
    return double


def same(left: Any, right: Any) -> bool:
    """Equal, of the same types, with the members in the same order, and with the same sign of zero."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return left == right and math.copysign(1, left) == math.copysign(1, right)
    return type(left) is type(right) and left == right
