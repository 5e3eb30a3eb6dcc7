"""Writes docs/reference/conformance.md: by what each part is tested, and how much of it.

python tools/conformance.py            write the page
python tools/conformance.py --check    fail when it is not current

The rows are in docs/conformance.toml; the numbers of vectors are counted.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vector_suites import SUITES

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "docs" / "conformance.toml"
PAGE = ROOT / "docs" / "reference" / "conformance.md"

INTRODUCTION = """<!-- Written by tools/conformance.py; do not edit. -->

# Conformance

By what each part is tested that must be the same everywhere, what tells right from wrong, and how much is tried. Every
test run does what the fourth column says; with `CHECKRAIL_THOROUGH=1` the counts of the last one take its place. The
vectors are in the folder `conformance/`, for implementations in any language. `python tools/run_vectors.py --pyodide`
runs all of them in CPython and in WebAssembly, and compares.
"""
_PLACE = re.compile(r"\{([a-z0-9_-]+)\}")


@dataclass(frozen=True, slots=True)
class Row:
    """One part. tests: files, folders, or functions of a file, as pytest names them."""

    part: str
    tests: tuple[str, ...]
    oracle: str
    ci: str
    thorough: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one thorough run gave."""

    what: str
    command: str
    found: str


def read_table() -> tuple[list[Row], list[Figure]]:
    """The rows and figures as they are written."""
    data = tomllib.loads(TABLE.read_text("utf-8"))
    rows = [Row(**{**row, "tests": tuple(row["tests"])}) for row in data["row"]]
    return rows, [Figure(**figure) for figure in data.get("figure", [])]


def page(rows: Iterable[Row], figures: Iterable[Figure], counts: Mapping[str, int]) -> str:
    """The page as text. counts: cases by suite."""
    lines = ["| part | tests | by | every run | thorough |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        tests = "<br>".join(f"`{test.removeprefix('tests/')}`" for test in row.tests)
        cells = (row.part, tests, row.oracle, _filled(row.ci, counts), row.thorough or "the same")
        lines.append("| " + " | ".join(cell.strip() for cell in cells) + " |")
    figures = list(figures)
    if figures:
        lines += ["", "## Figures of the last thorough run", "", "| what | command | found |", "| --- | --- | --- |"]
        lines += [f"| {figure.what} | `{figure.command}` | {figure.found.strip()} |" for figure in figures]
    return INTRODUCTION + "\n" + "\n".join(lines) + "\n"


def _filled(text: str, counts: Mapping[str, int]) -> str:
    return _PLACE.sub(lambda found: str(counts[found[1]]), text)


def main(arguments: list[str]) -> int:
    """Write the page, or with --check say whether it is outdated (1)."""
    text = page(*read_table(), {name: sum(1 for _ in suite()) for name, suite in SUITES.items()})
    if "--check" in arguments:
        current = PAGE.is_file() and PAGE.read_text("utf-8") == text
        if not current:
            print(f"{PAGE.name} is outdated: run python tools/conformance.py")
        return int(not current)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    sys.exit(main(sys.argv[1:]))
