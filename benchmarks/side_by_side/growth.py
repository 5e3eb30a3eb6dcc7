"""How cost grows: with the size of the vocabulary, of the schema, and with depth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .job import Job
from .micro import LINKED_LIST, linked_list, regex_job, schema_job

__all__ = ["VOCABULARY_SIZES", "jobs", "vocabulary_jobs"]

VOCABULARY_SIZES = (8_192, 32_768, 128_000)  # text tokens, the first ones of a merge-ordered vocabulary


def vocabulary_jobs(size: int, repeat: int) -> list[Job]:
    """The cases to run with a vocabulary of `size` tokens."""
    value = {f"field_{n}": f"The report of day {n} has 12% more." for n in range(10)}
    cases = [
        schema_job("ten strings", _record(10, "string"), value),
        regex_job("[a-z]{1,50}", "[a-z]{1,50}", "thequickbrownfoxjumpsoverthelazydogwhileseven"),
    ]
    return _repeated([replace(case, id=f"{case.id}, {size:,} tokens") for case in cases], repeat)


def jobs(repeat: int) -> list[Job]:
    """The cases over the size of the schema and the depth of the text."""
    sizes = [
        schema_job(f"{n:,} required integers", _record(n, "integer"), {f"field_{i}": i for i in range(n)})
        for n in (10, 100, 1_000)
    ]
    depths = [schema_job(f"{n} deep", LINKED_LIST, linked_list(n), nesting=n + 2) for n in (5, 50, 200)]
    return _repeated(sizes + depths, repeat)


def _record(count: int, kind: str) -> dict[str, Any]:
    names = [f"field_{n}" for n in range(count)]
    properties = {name: {"type": kind} for name in names}
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def _repeated(cases: list[Job], repeat: int) -> list[Job]:
    return [replace(case, id=f"{case.id}#{n}", cold=True) for case in cases for n in range(repeat)]
