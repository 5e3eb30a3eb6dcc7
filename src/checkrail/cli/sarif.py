"""Findings as SARIF 2.1.0 (OASIS), the form that editors and code hosts show beside the lines of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import __version__
from .lint import Finding, Lint

__all__ = ["sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(results: Iterable[Lint]) -> dict[str, Any]:
    """One run with all findings, as plain data."""
    rules: dict[str, dict[str, Any]] = {}
    found: list[dict[str, Any]] = []
    for result in results:
        for finding in result.findings:
            error = finding.error
            rules.setdefault(error.code, {"id": error.code, "help": {"text": error.advice}})
            found.append(_result(result.source.name, finding))
    driver = {"name": "checkrail", "version": __version__, "rules": list(rules.values())}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}


def _result(name: str, finding: Finding) -> dict[str, Any]:
    error = finding.error
    place: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": name}}}
    if error.position is not None:
        region = {"startLine": error.position.line, "startColumn": error.position.column}
        place["physicalLocation"]["region"] = region
    elif error.pointer is not None:
        place["logicalLocations"] = [{"fullyQualifiedName": error.pointer or "/", "kind": "value"}]
    message = {"text": f"{error.message} {error.advice}"}
    return {"ruleId": error.code, "level": finding.severity, "message": message, "locations": [place]}
