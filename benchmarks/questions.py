"""Fifty-eight questions about JSON Schema, put to Checkrail and to every peer that is installed.

    python benchmarks/questions.py                                  all engines, the table on the screen
    python benchmarks/questions.py --engines checkrail,llguidance
    python benchmarks/questions.py --page docs/reference/questions.md

What is asked and how it is judged is in side_by_side/questions.py, the inputs in questions.json. Every engine runs in
a process of its own, over a vocabulary with a token for each byte. Checkrail reads schemas in its open profile.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from side_by_side import registry
from side_by_side.driver import Conditions, measure
from side_by_side.questions import Question, answer, job_of, read_questions, table

_PAGE = """# Fifty-eight questions

Schemas with texts that are valid and texts that are not, one for each keyword or rule on which engines differ. The
inputs are in `benchmarks/questions.json`; `python benchmarks/questions.py` puts them to every engine that is installed.
A test holds Checkrail's column.

**ok**: every valid text can be written, and no other. **narrow**: a valid one cannot. **silent**: an invalid one can,
though the schema compiled without a word. **reported**: the same, but the engine says that this part is left to a
check. **wrong**: both narrow and silent. **refused**: the schema does not compile (which is the right answer where
nothing satisfies it). A text counts as allowed in either of two spellings, without blanks or with those of
`json.dumps`. `format` is an annotation in draft 2020-12, so an engine may choose to ignore it; who writes `date` wants
a date.

Checkrail reads schemas in its [open profile](open-profile.md). `1.0` for an integer takes `integer_fractions=True`;
without it integers have one spelling. A misspelt keyword constrains nothing, as the standard says, and
`Grammar.coverage` and `checkrail check` tell of it.

{table}

{versions}
"""


def answers_of(engine: str, questions: list[Question]) -> list[str]:
    """The answers of one engine. Questions that need options of Checkrail's are asked with them."""
    found: dict[str, str] = {}
    groups: dict[str, list[Question]] = {}
    for question in questions:
        options = question.options if engine.startswith("checkrail") else {}
        groups.setdefault(json.dumps({"profile": "open", **options}), []).append(question)
    for written, group in groups.items():
        by_id = {job_of(question).id: question for question in group}
        conditions = Conditions(None, timeout=60, memory=None, core=None, options=json.loads(written))
        jobs = [job_of(question) for question in group]
        for record in measure("questions", [engine], jobs, conditions):
            if "absent" in record:
                sys.exit(f"{engine} does not start: {record['absent']}")
            if record.get("id") in by_id:
                question = by_id[record["id"]]
                found[question.name] = answer(question, record)
    return [found.get(question.name, "refused") for question in questions]


def main(arguments: list[str] | None = None) -> None:
    """Ask, and print the table or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default="", metavar="A,B", help="default: all that are installed")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page of the documentation")
    options = parser.parse_args(arguments)
    known = [name for name in registry.DEFAULT if name != "glrmask-trie" and registry.installed(name)]
    engines = options.engines.split(",") if options.engines else known
    questions = read_questions()
    answers = {}
    for engine in engines:
        print(f"{engine} ...", file=sys.stderr, flush=True)
        answers[engine] = answers_of(engine, questions)
    written = table(answers, questions)
    if options.page is None:
        print(written)
        return
    versions = ", ".join(f"{engine} {registry.version(engine).split(' ')[0]}" for engine in engines)
    options.page.write_text(_PAGE.format(table=written, versions=f"Asked of {versions}."), "utf-8")


if __name__ == "__main__":
    main()
