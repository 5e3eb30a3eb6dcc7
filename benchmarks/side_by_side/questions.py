"""Fifty-eight questions about JSON Schema: may an engine write these texts, and those not?

Each asks about one keyword, or one rule of JSON, with texts that are valid and some that are not. The questions are
those on which engines differ; their inputs are our own (`questions.json`). A valid text counts as allowed in either of
two spellings: without blanks, and as `json.dumps` writes them.

    ok        every valid text is allowed, and no other
    narrow    some valid text is not allowed
    silent    some invalid text is allowed, though the schema compiled without a word
    reported  the same, but the engine reports a part that its masks leave to a check
    wrong     both
    refused   the schema does not compile; for one that nothing satisfies this is the right answer
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .job import Job

__all__ = ["PREFIX", "Question", "answer", "job_of", "read_questions", "table"]

PREFIX = "question-"
_FILE = Path(__file__).resolve().parents[1] / "questions.json"


@dataclass(frozen=True, slots=True)
class Question:
    """valid, invalid: JSON texts, and texts that are none. refused: the error that is the right answer. options: what
    Checkrail's grammar needs. diagnosed: a keyword that Checkrail must say something about."""

    name: str
    schema: Any
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    refused: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    diagnosed: str | None = None


def read_questions() -> list[Question]:
    """All of them, in the order of the table."""
    rows = json.loads(_FILE.read_text("utf-8"))
    return [Question(**{**row, "valid": tuple(row["valid"]), "invalid": tuple(row["invalid"])}) for row in rows]


def spellings(text: str) -> tuple[str, str]:
    """Both spellings of a text; the text itself where it is no JSON."""
    try:
        members = json.loads(text, object_pairs_hook=list)
    except ValueError:
        return text, text
    spaced = json.dumps(json.loads(text), ensure_ascii=False)
    # what json.dumps would change besides blanks is left as it is
    return text, spaced if isinstance(members, list) and json.loads(spaced, object_pairs_hook=list) == members else text


def job_of(question: Question) -> Job:
    """A question as a job of the harness: each text in both spellings, the valid ones first."""
    texts = [(spelling, True) for text in question.valid for spelling in spellings(text)]
    texts += [(spelling, False) for text in question.invalid for spelling in spellings(text)]
    return Job(PREFIX + question.name, "schema", json.dumps(question.schema), tuple(texts))


def answer(question: Question, record: Mapping[str, Any]) -> str:
    """What a record of that job says."""
    if record["status"] != "ok":
        return "ok" if question.refused is not None and record["status"] == "refused" else "refused"
    allowed = [text["accepted"] for text in record["texts"]]
    pairs = [any(allowed[i : i + 2]) for i in range(0, len(allowed), 2)]
    narrow = not all(pairs[: len(question.valid)])
    loose = any(pairs[len(question.valid) :])
    if narrow and loose:
        return "wrong"
    if loose:
        return "reported" if record.get("left_to_check") else "silent"
    return "narrow" if narrow else "ok"


def table(answers: Mapping[str, Sequence[str]], questions: Iterable[Question]) -> str:
    """The answers of engines, as a table in Markdown."""
    names = list(answers)
    lines = [f"| question | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    for i, question in enumerate(questions):
        name = question.name.replace("|", "\\|")
        lines.append(f"| {name} | {' | '.join(answers[engine][i] for engine in names)} |")
    totals = " | ".join(str(sum(a == "ok" for a in answers[engine])) for engine in names)
    return "\n".join([*lines, f"| **ok** | {totals} |"])
