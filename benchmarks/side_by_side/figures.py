"""Statistics over records: outcomes, and times with their percentiles.

Times of different engines compare only over the same work. `Selection` says which: what each engine accepts (`own`)
or what all of them accept (`common`).

    TTFM      of each schema that compiled
    TBM       of each token of each valid instance that was accepted
    document  TTFM, all TBM and the end check of a schema's first valid instance: its first use
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["MEASURES", "STATISTICS", "Selection", "by_case", "case", "outcomes", "percentile", "statistics", "times"]

Record = dict[str, Any]
MEASURES = ("TTFM", "TBM", "document")
STATISTICS = ("p50", "mean", "p99", "p99.9", "max")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which work counts. schemas: ids; texts: (id, index). None takes what the engine itself accepts."""

    schemas: frozenset[str] | None = None
    texts: frozenset[tuple[str, int]] | None = None

    @classmethod
    def common(cls, engines: Iterable[Sequence[Record]]) -> Selection:
        """What every one of the engines compiled, and accepted."""
        schemas: frozenset[str] | None = None
        texts: frozenset[tuple[str, int]] | None = None
        for records in engines:
            compiled = frozenset(record["id"] for record in records if record["status"] == "ok")
            accepted = frozenset((r["id"], n) for r in records for n, text in enumerate(_texts(r)) if _good(text))
            schemas = compiled if schemas is None else schemas & compiled
            texts = accepted if texts is None else texts & accepted
        return cls(schemas, texts)

    def takes_schema(self, record: Record) -> bool:
        """Whether its TTFM counts."""
        return record["status"] == "ok" and (self.schemas is None or record["id"] in self.schemas)

    def takes_text(self, record: Record, number: int) -> bool:
        """Whether this text of it counts."""
        texts = _texts(record)
        if number >= len(texts) or not _good(texts[number]):
            return False
        return self.texts is None or (record["id"], number) in self.texts


def _texts(record: Record) -> list[Record]:
    texts: list[Record] = record.get("texts", [])
    return texts


def _good(text: Record) -> bool:
    return bool(text["valid"] and text["accepted"])


def times(records: Iterable[Record], selection: Selection) -> dict[str, list[float]]:
    """The times of each measure, in microseconds, ascending."""
    found: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for record in records:
        if selection.takes_schema(record):
            found["TTFM"].append(record["ttfm_us"])
        for number, text in enumerate(_texts(record)):
            if selection.takes_text(record, number):
                found["TBM"] += [ns / 1000 for ns in text["tbm_ns"]]
        if selection.takes_text(record, 0):
            first = _texts(record)[0]
            found["document"].append(record["ttfm_us"] + (sum(first["tbm_ns"]) + first["end_ns"]) / 1000)
    return {measure: sorted(values) for measure, values in found.items()}


def percentile(ascending: Sequence[float], percent: float) -> float:
    """The value with `percent` of all below it (nearest rank); NaN of nothing."""
    return ascending[min(len(ascending) - 1, int(len(ascending) * percent / 100))] if ascending else math.nan


def statistics(ascending: Sequence[float]) -> dict[str, float]:
    """`STATISTICS` of sorted values."""
    return {
        "p50": percentile(ascending, 50),
        "mean": sum(ascending) / len(ascending) if ascending else math.nan,
        "p99": percentile(ascending, 99),
        "p99.9": percentile(ascending, 99.9),
        "max": ascending[-1] if ascending else math.nan,
    }


def outcomes(records: Sequence[Record]) -> dict[str, int]:
    """What became of the schemas and their instances: counts."""
    status = [record["status"] for record in records]
    texts = [text for record in records for text in _texts(record)]
    counts: Mapping[str, int] = {
        "schemas": len(records),
        "all instances decided rightly": sum(r["status"] == "ok" and all(map(_right, _texts(r))) for r in records),
        "refused": status.count("refused"),
        "out of time": status.count("timeout"),
        "crashed or out of memory": status.count("crash"),
        "compiled, parts left to a later check": sum(r.get("left_to_check", 0) > 0 for r in records),
        "valid instances": sum(text["valid"] for text in texts),
        "valid instances refused": sum(text["valid"] and not text["accepted"] for text in texts),
        "invalid instances": sum(not text["valid"] for text in texts),
        "invalid instances accepted": sum(map(_wrongly_accepted, texts)),
        "of these, by masks that leave nothing to a check": sum(
            _wrongly_accepted(text) for record in records if not record.get("left_to_check") for text in _texts(record)
        ),
        "mask and commit disagree": sum(text.get("disagrees", False) for text in texts),
        "raised during a text": sum("error" in text for text in texts),
        "peak memory, MB": max((record.get("peak_mb", 0) for record in records), default=0),
    }
    return dict(counts)


def _wrongly_accepted(text: Record) -> bool:
    return bool(text["accepted"] and not text["valid"])


def _right(text: Record) -> bool:
    return bool(text["valid"] == text["accepted"])


def by_case(engines: Mapping[str, Sequence[Record]]) -> dict[tuple[str, str], list[Record]]:
    """(engine, case) -> its repetitions, of records whose ids are `case#n`."""
    found: dict[tuple[str, str], list[Record]] = {}
    for name, records in engines.items():
        for record in records:
            found.setdefault((name, record["id"].rpartition("#")[0]), []).append(record)
    return found


def case(records: Sequence[Record]) -> dict[str, Any]:
    """The figures of one case over its repetitions, or why there are none.

    TTFM and TBM max are medians of the repetitions, TBM p50 is over all of them. accepted: whether the text was,
    every time. left_to_check: whether the masks leave a part of the schema out.
    """
    bad = next((record for record in records if record["status"] != "ok"), None)
    if bad is not None:
        return {"status": bad["status"], "error": bad.get("error", "")}
    steps = [[ns / 1000 for text in record["texts"] for ns in text["tbm_ns"]] for record in records]
    return {
        "status": "ok",
        "TTFM": percentile(sorted(record["ttfm_us"] for record in records), 50),
        "TBM p50": percentile(sorted(step for each in steps for step in each), 50),
        "TBM max": percentile(sorted(max(each, default=0.0) for each in steps), 50),
        "accepted": all(text["accepted"] for record in records for text in record["texts"]),
        "left_to_check": any(record.get("left_to_check") for record in records),
    }
