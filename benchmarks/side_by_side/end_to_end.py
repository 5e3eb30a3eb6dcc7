"""Tokens per second of the embedded model, without a constraint and with several.

The path that users take is timed: `generate` with greedy choice, prompt evaluation included, compilation not. Tokens
that the grammar forces cost no call of the model, so a constraint can also make a generation faster; the column
`model calls` tells.
"""

from __future__ import annotations

from typing import Any

import checkrail

__all__ = ["measure"]

_TASK = "List ten facts about the sea. "
_STRINGS = {"type": "array", "minItems": 50, "items": {"type": "string"}}  # more than fit: no run ends early
_RECORDS = {
    "type": "array",
    "minItems": 50,
    "items": {
        "type": "object",
        "properties": {"fact": {"type": "string"}, "depth": {"type": "integer"}, "sure": {"type": "boolean"}},
        "required": ["fact", "depth", "sure"],
        "additionalProperties": False,
    },
}
_OUTPUTS: dict[str, Any] = {
    "free text": None,
    "regex [a-z ]{400,}": lambda: checkrail.Grammar.from_regex("[a-z ]{400,}"),
    "array of strings": lambda: _STRINGS,
    "array of records": lambda: _RECORDS,
}


def measure(max_tokens: int, repeat: int) -> dict[str, Any]:
    """Rows of totals over `repeat` runs each, free text first; `absent` with the reason where there is no model.

    The outputs take turns. A first run of each, which fills caches, is not counted.
    """
    try:
        model = checkrail.load_model()
    except checkrail.Error as error:
        return {"absent": str(error)}
    rows = {name: _empty(name) for name in _OUTPUTS}
    with model:
        for turn in range(repeat + 1):
            for name, make in _OUTPUTS.items():
                output = make() if make else None
                result = checkrail.generate(model, f"{_TASK}Attempt {turn}.", output, max_tokens=max_tokens)
                if turn:
                    _add(rows[name], result)
    for row in rows.values():
        row["tokens_per_second"] = row["tokens"] / (row["total_us"] / 1e6)
        row["mask_p50_us"] = sorted(row.pop("medians"))[repeat // 2]
    return {"name": model.name, "rows": list(rows.values())}


def _empty(name: str) -> dict[str, Any]:
    counters = ("tokens", "forced", "calls", "total_us", "mask_us", "model_us", "sample_us")
    return {"output": name, **dict.fromkeys(counters, 0), "medians": []}


def _add(row: dict[str, Any], result: checkrail.Result[Any]) -> None:
    usage = result.usage
    row["tokens"] += usage.tokens
    row["forced"] += usage.forced_tokens
    row["calls"] += usage.model_calls
    row["total_us"] += usage.total_microseconds
    row["mask_us"] += usage.mask_microseconds
    row["model_us"] += usage.model_microseconds
    row["sample_us"] += usage.sample_microseconds
    row["medians"].append(result.mask_microseconds_median)
