"""Vectors of what goes over a wire or into a file, by `rfc8785`, `hashlib` and `jsonschema` instead of the library."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import rfc8785
from jsonschema import Draft202012Validator, FormatChecker


def _line(data: Any) -> str:
    return rfc8785.dumps(data).decode("utf-8")


# --- validation: schema -> texts of values; the oracle says which are valid, and where the faults are

SCHEMAS: list[tuple[Any, list[str]]] = [
    (True, ["null", "[]"]),
    (False, ["null"]),
    ({"type": "integer"}, ["0", "-1", "1.0", "1.5", '"1"', "true", "null", "9007199254740991", "1e2"]),
    ({"type": "number"}, ["0", "1.5", "true", '"1"']),
    ({"type": "boolean"}, ["true", "false", "0", "null"]),
    ({"type": ["string", "null"]}, ['""', "null", "0", "[]"]),
    ({"type": "array"}, ["[]", "[1]", "{}"]),
    ({"type": "object"}, ["{}", "[]"]),
    ({"enum": ["a", 1, None, [1], {"a": 1}]}, ['"a"', "1", "1.0", "null", "[1]", '{"a":1.0}', '"b"', "true", "[1,1]"]),
    ({"const": {"a": [1, False]}}, ['{"a":[1,false]}', '{"a":[1,0]}', '{"a":[true,false]}', '{"a":[1,false],"b":1}']),
    ({"minLength": 2, "maxLength": 3}, ['"a"', '"ab"', '"abc"', '"abcd"', '"😀"', '"😀😀"', '"e\\u0301"', "1"]),
    ({"pattern": "^[a-c]+$"}, ['"abc"', '"abd"', '""', "1"]),
    ({"pattern": "b"}, ['"abc"', '"ac"']),
    ({"minimum": 1, "maximum": 2.5}, ["0.9", "1", "2.5", "2.6", '"0"', "1.0"]),
    ({"exclusiveMinimum": 1, "exclusiveMaximum": 2}, ["1", "1.0000000000000002", "1.9999999999999998", "2"]),
    ({"multipleOf": 3}, ["0", "3", "-6", "4", "3.0"]),
    ({"multipleOf": 0.5}, ["0.5", "1", "0.7"]),
    ({"minItems": 1, "maxItems": 2}, ["[]", "[1]", "[1,2]", "[1,2,3]", "{}"]),
    ({"uniqueItems": True}, ["[1,2]", "[1,1.0]", '["1",1]', "[true,1]", '[{"a":1,"b":2},{"b":2,"a":1}]', "[[],[]]"]),
    ({"items": {"type": "integer"}}, ["[]", "[1,2]", '[1,"2",3.5]']),
    ({"prefixItems": [{"const": 1}, {"const": 2}], "items": False}, ["[1,2]", "[1]", "[1,2,3]", "[2,1]"]),
    ({"contains": {"const": 1}}, ["[1]", "[2]", "[]", "[2,1]"]),
    ({"contains": {"const": 1}, "minContains": 0}, ["[]", "[2]"]),
    ({"required": ["a", "b"]}, ['{"a":1,"b":2}', '{"a":1}', "{}", "[]", '{"a":null,"b":null}']),
    ({"minProperties": 1, "maxProperties": 2}, ["{}", '{"a":1}', '{"a":1,"b":2,"c":3}']),
    ({"patternProperties": {"^x": {"type": "null"}}}, ['{"xa":null}', '{"xa":1}', '{"a":1}']),
    ({"properties": {"a": True}, "patternProperties": {"b": True}, "additionalProperties": {"const": 1}},
     ['{"a":2,"ab":2,"c":1}', '{"c":2}']),
    ({"dependentRequired": {"a": ["b", "c"]}}, ['{"a":1,"b":1,"c":1}', '{"a":1}', '{"b":1}']),
    ({"properties": {"a": {"properties": {"b": {"items": {"maximum": 3}}}}}}, ['{"a":{"b":[1,4,5]}}', '{"a":{}}']),
    ({"properties": {"a/b": {"const": 1}, "~": {"const": 1}, "": {"const": 1}}}, ['{"a/b":2,"~":2,"":2}']),
    ({"format": "date"}, ['"2026-02-28"', '"2026-02-30"', '"2024-02-29"', '"2026-2-28"', "1"]),
    ({"format": "ipv4"}, ['"127.0.0.1"', '"127.0.0.256"', '"1.2.3"']),
    ({"format": "ipv6"}, ['"::1"', '"::g"', '"1::2::3"']),
    ({"format": "uuid"}, ['"123e4567-e89b-12d3-a456-426614174000"', '"123e4567e89b12d3a456426614174000"']),
]  # fmt: skip
BRANCHES: list[tuple[Any, list[str]]] = [
    ({"contains": {"const": 1}, "minContains": 2, "maxContains": 3}, ["[1]", "[1,1]", "[1,1,1,1]", "[1,2,1]"]),
    ({"properties": {"a": {"type": "integer"}}, "additionalProperties": False}, ['{"a":1}', '{"a":"1"}', '{"b":1}']),
    ({"propertyNames": {"maxLength": 2}}, ['{"ab":1}', '{"abc":1}']),
    ({"$defs": {"n": {"minimum": 0}}, "items": {"$ref": "#/$defs/n"}}, ["[0,1]", "[-1]"]),
    ({"$defs": {"t": {"items": {"$ref": "#/$defs/t"}, "type": "array"}}, "$ref": "#/$defs/t"}, ["[[],[[]]]", "[[1]]"]),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, ["0", "1", "3"]),
    ({"anyOf": [{"type": "string"}, {"minimum": 5}]}, ['"a"', "5", "4"]),
    ({"oneOf": [{"minimum": 1}, {"maximum": 2}]}, ["0", "1.5", "3"]),
    ({"not": {"type": "null"}}, ["null", "0"]),
    ({"if": {"minimum": 5}, "then": {"multipleOf": 5}, "else": {"multipleOf": 2}}, ["4", "3", "5", "6"]),
    ({"dependentSchemas": {"a": {"required": ["b"]}}}, ['{"a":1,"b":1}', '{"a":1}', "{}"]),
    ({"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False}, ['{"a":1}', '{"b":1}']),
    ({"anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": True}}], "unevaluatedProperties": False},
     ['{"a":1,"b":1}', '{"a":2,"b":1}', '{"a":2}']),
    ({"prefixItems": [True], "unevaluatedItems": False}, ["[1]", "[1,2]"]),
    ({"contains": {"const": 1}, "unevaluatedItems": {"const": 2}}, ["[1,2,1]", "[1,3]"]),
]  # fmt: skip


def validate_file() -> dict[str, Any]:
    cases = [*_cases(SCHEMAS, places=True), *_cases(BRANCHES, places=False)]
    about = "JSON Schema 2020-12 with formats asserted: is the value valid, and where are the faults"
    return {"format": "checkrail/validate/1", "about": about, "cases": cases}


def _cases(table: list[tuple[Any, list[str]]], *, places: bool) -> Iterator[dict[str, Any]]:
    """One case for each text. places: the pairs of pointers into value and schema, where readers agree on them."""
    for schema, texts in table:
        oracle = Draft202012Validator(schema, format_checker=FormatChecker())
        for text in texts:
            errors = list(oracle.iter_errors(json.loads(text)))
            case = {"schema": schema, "text": text, "valid": not errors}
            if places:
                found = {(_pointer(error.absolute_path), _pointer(error.absolute_schema_path)) for error in errors}
                case["faults"] = sorted(map(list, found))
            yield case


def _pointer(path: Any) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


# --- manifests of tools

MANIFEST: dict[str, Any] = {
    "manifest": "tool-manifest/1",
    "name": "notes.append",
    "version": "1.0.0",
    "title": "Append to the notebook",
    "description": "Adds one line at the end of the notebook.",
    "effect": "Writes one line into notes.txt.",
    "capability": "write",
    "sensitivity": "private",
    "deterministic": False,
    "idempotent": False,
    "reads": [],
    "writes": ["notes"],
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 200}},
        "required": ["text"],
        "additionalProperties": False,
    },
    "output_schema": {"type": "integer", "minimum": 0},
    "errors": {"NOTES_FULL": "The notebook is full."},
    "limits": {
        "args_bytes": 8192,
        "result_bytes": 262144,
        "depth": 16,
        "wall_ms": 5000,
        "cpu_ms": 5000,
        "memory_bytes": 536870912,
        "open_files": 32,
        "file_bytes": 1048576,
        "result_tokens": 1024,
    },
    "isolation": "process",
    "implementation": {"module": "notes", "qualname": "append", "source_sha256": "0" * 64},
}
PURE = {"capability": "pure", "writes": [], "limits": {**MANIFEST["limits"], "file_bytes": 0}}
GOOD: list[dict[str, Any]] = [
    {},
    {"version": "1.0.1"},
    {"title": "Größe: ½ — 漢字"},
    {"description": "x" * 1000},
    PURE,
    {**PURE, "isolation": "none", "implementation": {"module": "m", "qualname": "f", "source_sha256": None}},
    {"writes": ["a", "b-c", "d_e"], "reads": ["notes"]},
    {"output_schema": {"const": {"b": 1, "a": -0.5, "\U0001f600": 1e21, "\ue000": None}}},
]
BAD: list[dict[str, Any]] = [
    *({"name": name} for name in ("", "Notes", "a..b", "a-b", "nоtes", "a" * 65, "a\n", 5)),
    *({"version": version} for version in ("1", "v1.0.0", "1.0.0\n", "١.0.0")),
    *({"title": title} for title in ("", "x" * 81, "a\u200bb", "a\nb", "e\u0301")),
    *({"effect": effect} for effect in ("\x1b[2J", "\u202e")),
    *({"writes": roots} for roots in (["/etc"], ["a", "a"], [".."], "notes")),
    *({"deterministic": value} for value in (1, "true", None)),
    {"capability": "read"},
    {**PURE, "reads": ["a"]},
    {"isolation": "none"},
    {"isolation": "strong"},
    {"errors": {"x": "y"}},
    {"implementation": {"module": "m", "qualname": "f", "source_sha256": "0" * 63}},
    {"implementation": {"module": "m", "qualname": "f", "source_sha256": None}},
    {"input_schema": {"const": 2**53 + 1}},
    {"capability": "external"},
    {"manifest": "tool-manifest/2"},
    {"extra": 1},
]


def manifest_file() -> dict[str, Any]:
    good = [{**MANIFEST, **change} for change in GOOD]
    cases = [{"manifest": data, "sha256": hashlib.sha256(rfc8785.dumps(data)).hexdigest()} for data in good]
    refused = []
    for change in BAD:
        code = "TOOL_MANIFEST_NUMBER" if "input_schema" in change else "TOOL_MANIFEST"
        code = "TOOL_CAPABILITY_UNSUPPORTED" if change.get("capability") == "external" else code
        refused.append({"change": change, "code": code})
    about = "manifests of tools and their hashes; and changes to the first one after which it is none"
    return {"format": "checkrail/manifest/1", "about": about, "cases": cases, "refused": refused}


# --- evidence

FIVE = {"least": 1, "lower_quartile": 2, "median": 3, "upper_quartile": 4, "greatest": 5}
RECORD: dict[str, Any] = {
    "evidence": "run/1",
    "session": "se_" + "0" * 26,
    "run": "rn_" + "1" * 26,
    "hour": 1796022000,
    "environment": {
        "library": {"major": 0, "minor": 1, "patch": 0},
        "implementation": "cpython",
        "python": {"major": 3, "minor": 11, "patch": 7},
        "platform": "linux-x86_64",
        "kernel": "compiled",
    },
    "model_sha256": None,
    "tokenizer_sha256": "a" * 64,
    "template": "chatml",
    "kind": "json",
    "grammar_tag": "b" * 64,
    "bounds": {
        "max_tokens": 512,
        "time_limit_ms": None,
        "context_tokens": 4096,
        "states": 256,
        "transitions": 256,
    },
    "prompt_tokens": 24,
    "output_tokens": 17,
    "output_bytes": 25,
    "allowed_tokens": {"least": 16, "greatest": 256},
    "mask_microseconds": FIVE,
    "model_microseconds": FIVE,
    "sample_microseconds": None,
    "total_microseconds": 4764,
    "utf8_held": 0,
    "stop": "failed",
    "complete": False,
    "code": "BACKEND_FAILED",
    "notices": [{"code": "LOGITS_NAN", "count": 1}],
    "faults": [],
    "faults_not_listed": 0,
}
RUNS: list[dict[str, Any]] = [
    {},
    {"stop": "eos", "complete": True, "code": None, "faults": [{"code": "SEMANTIC_RANGE", "count": 2}]},
    {"kind": "free", "grammar_tag": None, "allowed_tokens": None, "model_sha256": "c" * 64, "output_tokens": 2**48 - 1},
]
NOT_RECORDS: list[dict[str, Any]] = [
    {"evidence": "run/2"},
    {"hour": 1},
    {"output": "the text"},
    {"kind": "the text"},
    {"code": "the text"},
    {"run": "the text"},
    {"grammar_tag": "the text"},
    {"output_tokens": 2**48},
    {"output_tokens": -1},
    {"output_tokens": 1.5},
    {"output_tokens": True},
    {"complete": 1},
    {"faults": [{"code": "the text", "count": 1}]},
    {"faults": [{"code": "SEMANTIC_RANGE", "count": 1}] * 33},
    {"stop": None},
    {"chain": "the text"},
]


def evidence_file() -> dict[str, Any]:
    lines, before = [], b""
    for change in RUNS:
        before = _chained({**RECORD, **change}, before)
        lines.append(before.decode())
    refused = [_chained({**RECORD, **change}, b"").decode() for change in NOT_RECORDS]
    refused += [lines[0].replace(",", ", ", 1), lines[0] + " ", "", "[]", "{}"]
    about = "lines of one session, each chained to the one before; and lines that are no records"
    return {"format": "checkrail/evidence/1", "about": about, "lines": lines, "refused": refused}


def _chained(data: dict[str, Any], before: bytes) -> bytes:
    chain = hashlib.sha256(before + rfc8785.dumps(data)).hexdigest()
    line: bytes = rfc8785.dumps({"chain": chain, **data})
    return line


# --- events of a stream

EVENTS: list[dict[str, Any]] = [
    {"type": "start", "kind": "json", "composition_sha256": "ab", "limits": {"max_tokens": 5, "max_bytes": 9}},
    {"type": "start", "kind": "text", "limits": {}},
    {"type": "delta", "text": 'ü"\\\n\x01\u2028\x7f😀', "at": 3, "tokens": 1},
    {"type": "progress", "tokens": 1, "accepting": True},
    {"type": "notice", "code": "LOGITS_NAN", "params": {"count": 4}},
    {"type": "end", "complete": True, "stop": "eos", "text_len": 2, "text_sha256": "cd", "held_text": "",
     "held_hex": ""},
    {"type": "end", "stop": "cancelled", "text_len": 9, "text_sha256": "ef", "held_text": "EN", "held_hex": "e282"},
    {"type": "end", "complete": True, "stop": "stop_string", "text_len": 0, "text_sha256": "", "held_text": "",
     "held_hex": "", "stop_string": "\n\nUser:"},
]  # fmt: skip
USAGE = (
    *("prompt_tokens", "tokens", "forced_tokens", "forced_close", "model_calls", "masks", "mask_microseconds"),
    *("mask_microseconds_max", "model_microseconds", "sample_microseconds", "total_microseconds"),
)


def stream_file() -> dict[str, Any]:
    cases = []
    for number, event in enumerate(EVENTS):
        usage = {"usage": {name: at for at, name in enumerate(USAGE)}} if event["type"] == "end" else {}
        event = {"run_id": "r", "seq": number, "complete": False, **event, **usage}
        cases.append({"event": event, "line": _line({"stream": "stream/1", **event})})
    about = "events of a stream and their line on the wire"
    return {"format": "checkrail/stream/1", "about": about, "cases": cases}
