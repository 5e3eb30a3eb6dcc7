"""Writes docs/reference/claims.md from docs/claims.toml and the results of a test run.

python tools/claims.py --gates        the tests that the claims stand on, as arguments of pytest
python tools/claims.py RESULTS.xml    write the page; RESULTS.xml is what `pytest --junitxml` wrote

A claim is printed as a promise only while its gates are green: each gate ran, and nothing in it failed. Any other is
listed as withheld, with the reason, and the exit status is 1.
"""

from __future__ import annotations

import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "docs" / "claims.toml"
PAGE = ROOT / "docs" / "reference" / "claims.md"

How = Literal["construction", "check", "measured", "none"]
Outcome = Literal["passed", "failed", "skipped"]

HOW: Mapping[How, str] = {
    "construction": "by construction: the mask, a type or the kernel leaves no other way; tests look for one",
    "check": "checked afterwards: a failure is visible, and nothing is handed over",
    "measured": "measured on published data, with the numbers and the machine",
    "none": "not promised",
}

INTRODUCTION = """# Claims

What Checkrail promises, in the words in which it may, and the tests that each promise stands on. A row is printed only
while its tests pass; `make claims` runs them and writes this page, and the README repeats no promise that is not here.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """One promise, or one that is not made. report: a page with its numbers."""

    id: str
    how: How
    text: str
    gates: tuple[str, ...] = ()
    report: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One test of the run. file: as in a gate."""

    file: str
    name: str
    outcome: Outcome

    def belongs_to(self, gate: str) -> bool:
        """Whether the gate, a folder, a file or a test of it with any parameters, takes it in."""
        file, _, name = gate.partition("::")
        if name:
            return self.file == file and self.name.partition("[")[0] == name
        return self.file == file or self.file.startswith(file + "/")


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of tests came to. day: in ISO form, "" where the file does not say."""

    tests: tuple[Case, ...]
    day: str = ""

    def outcomes(self, gate: str) -> Counter[Outcome]:
        """How the tests of a gate went."""
        return Counter(test.outcome for test in self.tests if test.belongs_to(gate))

    def objections(self, claim: Claim) -> Iterator[str]:
        """Why a claim may not be printed."""
        for gate in claim.gates:
            outcomes = self.outcomes(gate)
            if outcomes["failed"]:
                yield f"{gate}: {outcomes['failed']} failed"
            elif not outcomes["passed"]:
                yield f"{gate}: skipped" if outcomes["skipped"] else f"{gate}: not run"


def read_claims(path: Path = TABLE) -> list[Claim]:
    """The table. The texts are single lines."""
    rows = tomllib.loads(path.read_text("utf-8"))["claim"]
    return [
        Claim(row["id"], row["how"], one_line(row["text"]), tuple(row.get("gates", ())), row.get("report", ""))
        for row in rows
    ]


def one_line(text: str) -> str:
    """The words with single blanks between them."""
    return " ".join(text.split())


def read_run(path: Path) -> Run:
    """The results in a JUnit file of pytest."""
    suite = ElementTree.parse(path).getroot()
    found = tuple(
        Case(case.get("classname", "").replace(".", "/") + ".py", case.get("name", ""), _outcome(case))
        for case in suite.iter("testcase")
    )
    stamps = sorted(part.get("timestamp", "")[:10] for part in suite.iter("testsuite"))
    return Run(found, stamps[-1] if stamps else "")


def _outcome(case: ElementTree.Element) -> Outcome:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def page(claims: Iterable[Claim], run: Run) -> str:
    """The whole page."""
    promised = [claim for claim in claims if claim.how != "none"]
    withheld = {claim.id: objections for claim in promised if (objections := list(run.objections(claim)))}
    lines = [INTRODUCTION, f"The last run: {len(run.tests)} tests{f' on {run.day}' if run.day else ''}."]
    for how, explanation in HOW.items():
        rows = [claim for claim in claims if claim.how == how and claim.id not in withheld]
        if rows:
            lines += [f"\n## {explanation[0].upper()}{explanation[1:]}\n", *_table(rows, run)]
    if withheld:
        lines += ["\n## Withheld: the gate is not green\n"]
        lines += [f"- `{name}`: {'; '.join(objections)}" for name, objections in withheld.items()]
    return "\n".join(["<!-- Written by tools/claims.py; do not edit. -->\n", *lines]) + "\n"


def _table(claims: Iterable[Claim], run: Run) -> Iterator[str]:
    yield "| claim | in words | stands on |"
    yield "| --- | --- | --- |"
    for claim in claims:
        ground = "<br>".join([*(_ground(gate, run) for gate in claim.gates), *_report(claim)])
        yield f"| `{claim.id}` | {claim.text} | {ground or 'nothing'} |"


def _ground(gate: str, run: Run) -> str:
    outcomes = run.outcomes(gate)
    skipped = f", {outcomes['skipped']} skipped" if outcomes["skipped"] else ""
    return f"`{gate.removeprefix('tests/')}`: {outcomes['passed']} passed{skipped}"


def _report(claim: Claim) -> Iterator[str]:
    if claim.report:
        yield f"[the report](../{claim.report})"


def gates(claims: Iterable[Claim]) -> list[str]:
    """All gates, each once, without tests whose file is a gate itself."""
    found = dict.fromkeys(gate for claim in claims for gate in claim.gates)
    return [gate for gate in found if "::" not in gate or gate.partition("::")[0] not in found]


def main(arguments: list[str]) -> int:
    """See the module's text."""
    claims = read_claims()
    if arguments == ["--gates"]:
        print("\n".join(gates(claims)))
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    run = read_run(Path(arguments[0]))
    PAGE.write_text(page(claims, run), encoding="utf-8")
    objections = [f"{claim.id}: {what}" for claim in claims for what in run.objections(claim)]
    for line in objections:
        print(line, file=sys.stderr)
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
