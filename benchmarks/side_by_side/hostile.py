"""Hostile inputs: grammars that were written to be slow, each in a process of its own, for its time and its memory.

Most are in the tests as well (`tests/test_hostile_grammars.py`), which count work and are not concerned with time. Here
an engine may refuse a grammar, which is an answer as good as a mask if it comes soon; what counts is how long it took
and what it held. Where a grammar compiles, a text is written, so that masks and steps are seen, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .driver import Conditions, measure
from .figures import case
from .job import Job
from .micro import lark_job, regex_job, schema_job

__all__ = ["PART", "jobs", "records", "table"]

PART = "hostile"
Record = dict[str, Any]


def jobs() -> list[Job]:
    """The inputs. Texts are short: they show that the first masks come, too."""
    return [*_patterns(), *_schemas(), *_grammars()]


def _patterns() -> list[Job]:
    ranges = "".join(f"[{chr(0x100 + i)}-{chr(0x2000 + 7 * i)}]?" for i in range(1_500))
    return [
        regex_job("((a{0,30}){0,30}){0,30}b", "((a{0,30}){0,30}){0,30}b", "aaaab"),
        regex_job("((a{1,30}x?){1,30}y?){1,30}b", "((a{1,30}x?){1,30}y?){1,30}b", "aaxaayb"),
        regex_job("(a|b)*a(a|b){20}", "(a|b)*a(a|b){20}", "ba" * 12),
        regex_job("(a?){100} 20 times, a{100}", "(a?){100}" * 20 + "a{100}", "a" * 150),
        regex_job("(a|b|(c|d|(e|f)*)*)* 200 times", "(a|b|(c|d|(e|f)*)*)*" * 200, "abcdef"),
        regex_job("1,500 optional overlapping classes", ranges, chr(0x800)),
    ]


def _schemas() -> list[Job]:
    draw = random.Random(11)
    members = [f"value {draw.randrange(10**6)}" for _ in range(16_000)]
    keys = [f"p{i}" for i in range(500)]
    kinds = ("string", "integer")
    alternatives = [
        {"type": "object", "properties": {f"p{i * j % 97}": {"type": kinds[(i + j) % 2]} for j in range(8)}}
        for i in range(300)
    ]
    grid: Any = {"type": "integer"}
    for _ in range(3):
        grid = {"type": "array", "items": grid, "minItems": 50, "maxItems": 100}
    conditions = [{"if": {"properties": {f"a{i}": {"const": 1}}}, "then": {"required": [f"b{i}"]}} for i in range(14)]
    one = {"type": "object", "properties": {"q": {"type": "integer"}}, "additionalProperties": False}
    patterns = {f"p{i}": {"type": "string", "pattern": f"a{i}.*b"} for i in range(1_000)}
    chains = [{"anyOf": [{"properties": {f"a{i}": {"const": j}}} for j in range(3)]} for i in range(12)]
    return [
        schema_job("enum of 16,000", {"enum": members}, members[7]),
        schema_job(
            "500 optional objects",
            {"type": "object", "properties": dict.fromkeys(keys, one), "additionalProperties": False},
            {"p9": {"q": 1}},
        ),
        schema_job(
            "500 optional, minProperties 100",
            {"type": "object", "properties": {k: {"type": "null"} for k in keys}, "minProperties": 100},
            dict.fromkeys(keys[:100]),
        ),
        schema_job("300 alternatives that overlap", {"anyOf": alternatives}, {"p0": 1}),
        schema_job("allOf of 12 anyOf", {"allOf": chains}, {"a0": 1}),
        schema_job("14 conditions", {"allOf": conditions}, {f"a{i}": 0 for i in range(14)}),
        schema_job("arrays of 50 to 100, three deep", grid, [[[1] * 50] * 50] * 50),
        schema_job("1,000 patterns", {"type": "object", "properties": patterns}, {"p1": "a1b"}),
        schema_job("5,000 constants in a row", {"const": ["x" * 100] * 5_000}, ["x" * 100] * 5_000),
    ]


def _grammars() -> list[Job]:
    chain = "\n".join(f'r{i}: r{i + 1} | "b" r{i}' for i in range(1_000))
    doubling = "\n".join(f"r{i}: r{i + 1} r{i + 1}" for i in range(60))
    return [
        lark_job("s: s s | s s s | a", 'start: s\ns: "a" | s s | s s s', "a" * 12),
        lark_job("palindromes", 'start: s\ns: "a" s "a" | "b" s "b" | "a" | "b" |', "abbabba"),
        lark_job("1,000 rules that may be empty", f'start: r0\n{chain}\nr1000: | "c"', "bbbc"),
        lark_job("60 rules that double", f'start: r0\n{doubling}\nr60: "a" |', "aaaa"),
    ]


def records(engines: Sequence[str], conditions: Conditions) -> Iterator[Record]:
    """One worker for each input and engine, so that its peak of memory is its own."""
    for job in jobs():
        yield from measure(PART, engines, [job], conditions)


def table(engines: Mapping[str, Sequence[Record]], about: Mapping[str, Record]) -> list[list[str]]:
    """Rows for people: for each input what came of it, its time and its memory above that of the idle engine."""
    found: dict[str, dict[str, str]] = {}
    for name, given in engines.items():
        for record in given:
            idle = about.get(name, {}).get("peak_mb", 0)
            found.setdefault(record["id"], {})[name] = _cell(record, idle)
    return [[job.replace("|", "\\|"), *(cells.get(name, "-") for name in engines)] for job, cells in found.items()]


def _cell(record: Record, idle: int) -> str:
    memory = f"{max(0, record['peak_mb'] - idle):,} MB" if "peak_mb" in record else "?"
    if record["status"] == "refused":
        return f"refused, {_milliseconds(record['compile_us'])}, {memory}"
    if record["status"] != "ok":
        return str(record["status"])
    seen = case([record])
    text = "" if seen["accepted"] else "text refused, "
    return f"{text}{_milliseconds(seen['TTFM'])}, {memory}, slowest step {_milliseconds(seen['TBM max'])}"


def _milliseconds(microseconds: float) -> str:
    value = microseconds / 1000
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.2g} ms"
