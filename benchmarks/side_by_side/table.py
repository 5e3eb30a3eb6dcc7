"""The report as Markdown: outcomes, times with ratios beside them, micro cases, growth, model, machine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .figures import MEASURES, STATISTICS, Selection, by_case, case, outcomes, statistics, times
from .hostile import PART as HOSTILE
from .hostile import table as hostile_rows
from .results import Results

__all__ = ["markdown", "reference_of"]

Record = dict[str, Any]
_NOTE = (
    "Times are microseconds, one thread. They belong to the machine and to its load at that hour; the ratios, in "
    "parentheses, are what carries over: each is the figure divided by that of {reference} in the same run."
)


def markdown(results: Results, *, wanted: Sequence[str] | None = None, common_only: bool = False) -> str:
    """The whole report. wanted: the engines to show; common_only: leave out what only compares unlike work."""
    parts: list[str] = ["# Benchmark", _conditions(results)]
    if engines := results.engines("maskbench", wanted):
        parts += ["## MaskBench", _maskbench(engines, common_only)]
    for part, title in (("micro", "Micro cases"), ("growth", "Growth")):
        if engines := results.engines(part, wanted):
            parts += [f"## {title}", _cases(engines)]
    if engines := results.engines(HOSTILE, wanted):
        parts += ["## Hostile inputs", _hostile(engines, results)]
    if results.about_engines():
        parts += ["## Preparing the vocabulary", _preparation(results, wanted)]
    if results.model is not None:
        parts += ["## With a model", _model(results.model)]
    return "\n\n".join(parts) + "\n"


def reference_of(engines: Iterable[str]) -> str:
    """The engine that ratios refer to: llguidance, or the first."""
    names = list(engines)
    return "llguidance" if "llguidance" in names else names[0]


def figure(value: float) -> str:
    """A number for people: three digits or so."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def ratio(value: float, reference: float) -> str:
    """`(0.25)`; nothing where there is none to give."""
    if not reference > 0 or math.isnan(value):
        return ""
    times = value / reference
    return f" ({times:,.0f})" if times >= 10 else f" ({times:.1f})" if times >= 2 else f" ({times:.2f})"


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first to the right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _maskbench(engines: Mapping[str, Sequence[Record]], common_only: bool) -> str:
    names = list(engines)
    reference = reference_of(names)
    counted = {name: outcomes(records) for name, records in engines.items()}
    first = counted[names[0]]
    parts = [grid(["", *names], [[row, *(f"{counted[n][row]:,}" for n in names)] for row in first])]
    selections = [] if common_only else [("Each engine on the schemas and instances it accepts", Selection())]
    common = Selection.common(engines.values())
    schemas, texts = len(common.schemas or ()), len(common.texts or ())
    selections.append((f"On what all of them accept: {schemas:,} schemas, {texts:,} valid instances", common))
    parts.append(_NOTE.format(reference=reference))
    for title, selection in selections:
        parts += [f"### {title}", _times(engines, selection, reference)]
    return "\n\n".join(parts)


def _times(engines: Mapping[str, Sequence[Record]], selection: Selection, reference: str) -> str:
    found = {name: times(records, selection) for name, records in engines.items()}
    rows = []
    for measure in MEASURES:
        by_name = {name: statistics(found[name][measure]) for name in engines}
        for statistic in STATISTICS:
            base = by_name[reference][statistic]
            cells = [figure(by_name[n][statistic]) + ratio(by_name[n][statistic], base) for n in engines]
            rows.append([f"{measure} {statistic}", *cells])
    rows.append(["tokens", *(f"{len(found[name]['TBM']):,}" for name in engines)])
    return grid(["", *engines], rows)


def _cases(engines: Mapping[str, Sequence[Record]]) -> str:
    found = by_case(engines)
    cases = dict.fromkeys(name for _, name in found)
    rows = [[name, *(_case(found.get((engine, name), [])) for engine in engines)] for name in cases]
    head = "TTFM / TBM p50 / TBM max in microseconds; TTFM and the maximum are medians of the repetitions."
    return head + "\n\n" + grid(["case", *engines], rows)


def _hostile(engines: Mapping[str, Sequence[Record]], results: Results) -> str:
    about = {name: results.about[HOSTILE, name] for name in engines}
    head = "Time to the first mask or the refusal; memory beyond that of the idle engine; the slowest step of a text."
    return head + "\n\n" + grid(["input", *engines], hostile_rows(engines, about))


def _case(records: Sequence[Record]) -> str:
    if not records:
        return "-"
    found = case(records)
    if found["status"] != "ok":
        return ": ".join(filter(None, (found["status"], _short(found["error"]))))
    notes = "" if found["accepted"] else ", valid text refused"
    notes += ", part left to a later check" if found["left_to_check"] else ""
    return " / ".join(figure(found[name]) for name in ("TTFM", "TBM p50", "TBM max")) + notes


def _short(error: str) -> str:
    """The beginning of a message, safe inside a table."""
    text = " ".join(error.replace("|", "/").split())
    return text if len(text) <= 60 else text[:57] + "..."


def _preparation(results: Results, wanted: Sequence[str] | None) -> str:
    about = {name: facts for name, facts in results.about_engines().items() if wanted is None or name in wanted}
    rows = [
        [name, facts["version"], f"{facts['vocabulary']:,}", f"{facts['prepare_s']:.2f}", f"{facts['prepare_mb']:,}"]
        for name, facts in about.items()
        if "absent" not in facts
    ]
    absent = [f"{name} did not start: {_short(facts['absent'])}" for name, facts in about.items() if "absent" in facts]
    return "\n\n".join([grid(["engine", "version", "tokens", "seconds", "MB"], rows), *absent])


def _model(model: Record) -> str:
    if "absent" in model:
        return f"Not measured: {_short(model['absent'])}."
    names = (
        "output",
        "tokens",
        "model calls",
        "tokens/s",
        "ratio",
        "masks, %",
        "model, %",
        "sampler, %",
        "mask p50, us",
    )
    base = model["rows"][0]["tokens_per_second"]
    rows = [
        [
            row["output"],
            f"{row['tokens']:,}",
            f"{row['calls']:,}",
            figure(row["tokens_per_second"]),
            f"{row['tokens_per_second'] / base:.2f}",
            *(f"{100 * row[part] / row['total_us']:.1f}" for part in ("mask_us", "model_us", "sample_us")),
            figure(row["mask_p50_us"]),
        ]
        for row in model["rows"]
    ]
    return f"{model['name']}, greedy, prompt evaluation included; shares of the time in percent.\n\n" + grid(
        names, rows
    )


def _conditions(results: Results) -> str:
    facts = results.conditions
    lines = [f"- {name}: {value}" for name, value in facts.items() if name != "command"]
    return "\n".join([*lines, f"- command: `{facts.get('command', '')}`"])
