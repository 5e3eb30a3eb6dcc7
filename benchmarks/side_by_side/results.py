"""The raw results: one file of JSON lines, the conditions first, then every record as it came.

A run appends as it goes, so that an interrupted one can still be reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

__all__ = ["Results"]

Record = dict[str, Any]


@dataclass(slots=True)
class Results:
    """conditions: machine, versions, command line. parts: part -> engine -> records, in the order measured.

    about: (part, engine) -> what the worker said of itself. absent: engine -> why it did not start.
    """

    conditions: Record = field(default_factory=dict)
    parts: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    about: dict[tuple[str, str], Record] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    model: Record | None = None

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a file of raw results."""
        results = cls()
        with file.open(encoding="utf-8") as lines:
            results.add_all(json.loads(line) for line in lines)
        return results

    def add_all(self, records: Iterable[Record]) -> None:
        """`add` each."""
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Sort one record in."""
        match record:
            case {"conditions": conditions}:
                self.conditions = conditions
            case {"model": model}:
                self.model = model
            case {"engine": engine, "absent": reason}:
                self.absent[engine] = reason
            case {"part": part, "engine": engine, "about": about}:
                self.about[part, engine] = about
            case {"part": part, "engine": engine}:
                self.parts.setdefault(part, {}).setdefault(engine, []).append(record)

    def engines(self, part: str, wanted: Iterable[str] | None = None) -> dict[str, list[Record]]:
        """The records of a part by engine; of those in `wanted` only, where given."""
        found = self.parts.get(part, {})
        return {name: records for name, records in found.items() if wanted is None or name in set(wanted)}

    def about_engines(self) -> dict[str, Record]:
        """What each engine said of itself, with the whole vocabulary; why, for those that did not start."""
        found = {engine: about for (part, engine), about in self.about.items() if part in ("maskbench", "micro")}
        return {**found, **{engine: {"absent": why} for engine, why in self.absent.items()}}
