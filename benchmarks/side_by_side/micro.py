"""Micro cases: each is known to be hard, or easy, for some engine's design.

Every text is valid and is replayed three times after one compilation; the whole is repeated, caches dropped.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from .job import Job

__all__ = ["JSON_DOCUMENT", "JSON_IN_LARK", "jobs"]

_PROSE = (
    "The quick brown fox jumps over the lazy dog while seven wizards boil quixotic potions near a frozen lake. "
    "Café prices rose by 12% in 2024, said the report (page 33).\n"
)
_WORDS = ("fox", "lake", "report", "seven", "wizards", "potions", "frozen", "quick", "price", "page")
_NODE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
    "required": ["v", "next"],
    "additionalProperties": False,
}
JSON_DOCUMENT = {
    "name": "Ada Lovelace",
    "born": 1815,
    "tags": ["mathematics", "poetry é", 1.5e3, None, True],
    "nested": {"a": {"b": ["x", "y", {"c": []}]}},
    "text": 'She said "notes"\nand left. ' + _PROSE,
}


def jobs(repeat: int) -> list[Job]:
    """All cases, `repeat` times: `name#0`, `name#1`, ..."""
    return [replace(case, id=f"{case.id}#{n}", cold=True) for case in _cases() for n in range(repeat)]


def schema_job(name: str, schema: Any, value: Any, **options: Any) -> Job:
    """One schema and one valid value, replayed three times."""
    text = json.dumps(value, ensure_ascii=False)
    return Job(name, "schema", json.dumps(schema, ensure_ascii=False), ((text, True),) * 3, **options)


def regex_job(name: str, pattern: str, text: str) -> Job:
    """One pattern and one text that matches it, replayed three times."""
    return Job(name, "regex", pattern, ((text, True),) * 3)


def lark_job(name: str, grammar: str, text: str) -> Job:
    """One Lark grammar and one text of it, replayed three times."""
    return Job(name, "lark", grammar, ((text, True),) * 3)


JSON_IN_LARK = r"""
start: value
value: object | array | STRING | NUMBER | "true" | "false" | "null"
object: "{" (pair ("," pair)*)? "}"
pair: STRING ":" value
array: "[" (value ("," value)*)? "]"
STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
%ignore /[ \t\n\r]+/
"""


def linked_list(depth: int) -> Any:
    """A value of `depth` objects, each within the one before."""
    value: Any = None
    for number in range(depth):
        value = {"v": number, "next": value}
    return value


LINKED_LIST: dict[str, Any] = {"$ref": "#/$defs/node", "$defs": {"node": _NODE}}


def _cases() -> list[Job]:
    draw = random.Random(7)
    members = [f"{draw.choice(_WORDS)}-{draw.randrange(1 << 24):06x}" for _ in range(2_000)]
    names = [f"prop_{n:03d}_{draw.choice(_WORDS)}" for n in range(500)]
    optional = {"type": "object", "properties": {n: {"type": "integer"} for n in names}, "additionalProperties": False}
    words = " ".join(draw.choice(_WORDS) for _ in range(45))
    pattern = r"^(\w+ ){0,49}\w+$"
    return [
        schema_job("any JSON, inside a string", {}, {"text": _PROSE * 6}),
        schema_job("free string, inside", {"type": "string"}, _PROSE * 6),
        regex_job("regex [a-z]{1,50}", "[a-z]{1,50}", "thequickbrownfoxjumpsoverthelazydogwhileseven"),
        schema_job("integer", {"type": "integer"}, -1234567890123),
        schema_job("integer in a range", {"type": "integer", "minimum": -1000, "maximum": 123456}, 98765),
        schema_job("enum of 2,000", {"enum": members}, members[1234]),
        schema_job("500 optional properties", optional, {n: 7 * i for i, n in enumerate(names[::25])}),
        schema_job("recursion, 50 deep", LINKED_LIST, linked_list(50), nesting=64),
        schema_job("maxLength 10,000", {"type": "string", "maxLength": 10_000}, (_PROSE * 30)[:4_000]),
        schema_job("words {0,49}", {"type": "string", "pattern": pattern}, words),
        schema_job("words {0,49}, maxLength 500", {"type": "string", "pattern": pattern, "maxLength": 500}, words),
        regex_job("regex ([a-z]+ ){0,49}[a-z]+", "([a-z]+ ){0,49}[a-z]+", words),
        lark_job("JSON as a Lark grammar", JSON_IN_LARK, json.dumps(JSON_DOCUMENT, ensure_ascii=False, indent=2)),
    ]
