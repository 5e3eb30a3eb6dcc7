"""The report of a finished run: reads its raw records, writes summary.json, report.md and plot.svg beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import figures, plot, table
from .results import Results

__all__ = ["write"]

Times = dict[str, dict[str, list[float]]]


def write(folder: Path, wanted: Sequence[str] | None = None, *, common_only: bool = False) -> str:
    """Write the three files; returns the Markdown. wanted: only these engines (also for what they have in common)."""
    results = Results.read(folder / "raw.jsonl")
    text = table.markdown(results, wanted=wanted, common_only=common_only)
    (folder / "report.md").write_text(text, encoding="utf-8")
    engines = results.engines("maskbench", wanted)
    common = figures.Selection.common(engines.values())
    times = _times(engines, common)
    summary = {
        "conditions": results.conditions,
        "engines": results.about_engines(),
        "outcomes": {name: figures.outcomes(records) for name, records in engines.items()},
        "common": _statistics(times),
        "own": _statistics(_times(engines, figures.Selection())),
        **{part: _cases(results.engines(part, wanted)) for part in ("micro", "growth")},
        "model": results.model,
    }
    (folder / "summary.json").write_text(json.dumps(summary, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    if engines:
        caption = f"MaskBench: the {len(common.schemas or ()):,} schemas that all of these engines compile"
        (folder / "plot.svg").write_text(plot.svg(times, caption), encoding="utf-8")
    return text


def _times(engines: Mapping[str, Sequence[dict[str, Any]]], selection: figures.Selection) -> Times:
    return {name: figures.times(records, selection) for name, records in engines.items()}


def _statistics(times: Times) -> dict[str, dict[str, dict[str, float]]]:
    """engine -> measure -> statistics, without those of nothing (JSON has no NaN)."""
    return {
        name: {measure: figures.statistics(values) for measure, values in found.items() if values}
        for name, found in times.items()
    }


def _cases(engines: Mapping[str, Sequence[dict[str, Any]]]) -> dict[str, dict[str, dict[str, Any]]]:
    """case -> engine -> figures."""
    return {
        case: {name: figures.case(found) for name, records in engines.items() if (found := by_case.get((name, case)))}
        for by_case in [figures.by_case(engines)]
        for case in dict.fromkeys(case for _, case in by_case)
    }
