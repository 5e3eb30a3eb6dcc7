"""Schemas of the open profile that between them need every part of the automaton on demand."""

from __future__ import annotations

from typing import Any

LETTERS = {"type": "string", "pattern": "^[a-z]*$"}
SCHEMAS: dict[str, Any] = {
    "any": True,
    "scalars": {"type": ["string", "number", "boolean", "null"]},
    "integer range": {"type": "integer", "minimum": -3, "maximum": 120},
    "enum": {"enum": ["a", "ab", 1, None, {"x": [1]}]},
    "closed object": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "nano": {"type": "integer"}, "x": {}, "y": {"const": 1}},
        "required": ["nano"],
        "additionalProperties": False,
    },
    "open object": {
        "properties": {"name": {"type": "null"}, "nano": {"type": "null"}, '"\\é': {"type": "null"}, "n": {}}
    },
    "free order": {
        "properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": False},
        "required": ["b"],
        "type": "object",
    },
    "impossible member": {
        "type": "object",
        "properties": {"a": {"type": "string", "enum": [1]}, "b": {"type": "null"}},
    },
    "patterns": {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}, "y$": {"minimum": 3}},
        "properties": {"x-y": {"type": "integer"}},
        "additionalProperties": {"type": "null"},
    },
    "names that no other key begins as": {
        "type": "object",
        "patternProperties": {"^x-": {"type": "null"}},
        "properties": {"se": {"type": "null"}, "xy": {"type": "null"}, "x-a": {"const": None}, "v": {"type": "null"}},
        "required": ["xy"],
        "additionalProperties": False,
    },
    "an alternative without names": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"$a": {"type": "null"}, "$b": {"type": "null"}},
                "required": ["$a"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"$c": False},  # without any name its keys would have other spellings as well
                "patternProperties": {"^[^$]": {"type": "null"}},
                "additionalProperties": False,
            },
        ]
    },
    "names that are all written": {
        "type": "object",
        "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
        "patternProperties": {"^x": {"type": "null"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    "forbidden names": {"properties": {"a": False, "xb": False}, "propertyNames": {"pattern": "^x"}},
    "count": {
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}, "d": {}},
        "minProperties": 2,
        "maxProperties": 3,
    },
    "closed count": {
        "type": "object",
        "properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}, "d": {"type": "null"}},
        "minProperties": 2,
        "maxProperties": 3,
        "additionalProperties": False,
    },
    "key names": {"type": "object", "propertyNames": {"pattern": "^[ab]+$"}, "properties": {"ab": {"type": "null"}}},
    "tagged union": {
        "oneOf": [
            {
                "properties": {"kind": {"const": "a"}, "v": {"type": "integer"}},
                "required": ["kind", "v"],
                "additionalProperties": False,
            },
            {
                "properties": {"kind": {"const": "b"}, "v": {"type": "string"}},
                "required": ["kind"],
                "additionalProperties": False,
            },
        ]
    },
    "late tag": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"v": {"type": "integer"}, "z": {"const": "a"}, "t": {"const": "x"}, "w": {}},
                "required": ["v", "z", "t"],
            },
            {
                "type": "object",
                "properties": {"v": {"type": "number"}, "z": {"const": "b"}, "t": {"const": "y"}, "w": {}},
                "required": ["z", "t"],
            },
        ]
    },
    "nested union": {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "p": {
                        "type": "object",
                        "properties": {"a": {"type": "integer"}},
                        "required": ["a"],
                        "additionalProperties": False,
                    },
                    "q": {"const": 1},
                },
                "required": ["p", "q"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {
                    "p": {
                        "type": "object",
                        "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": "null"}},
                        "additionalProperties": False,
                    },
                    "q": {"const": 2},
                },
                "required": ["p", "q"],
                "additionalProperties": False,
            },
        ]
    },
    "arrays": {
        "type": "array",
        "prefixItems": [{"type": "integer"}, LETTERS],
        "items": {"type": "boolean"},
        "minItems": 1,
        "maxItems": 4,
    },
    "contains": {
        "type": "array",
        "items": {"enum": [1, 2, "x"]},
        "contains": {"const": 2},
        "minContains": 2,
        "maxContains": 3,
    },
    "unique": {"type": "array", "items": {"enum": ["a", "ab", "b"]}, "uniqueItems": True, "minItems": 2},
    "array union": {
        "anyOf": [
            {"type": "array", "items": {"type": "integer"}, "minItems": 2},
            {"type": "array", "items": {"type": ["integer", "null"]}, "maxItems": 2},
        ]
    },
    "recursive": {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
                "required": ["v"],
                "additionalProperties": False,
            }
        },
    },
    "deep": {
        "$ref": "#/$defs/n",
        "$defs": {
            "n": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#/$defs/m"}},
                "additionalProperties": False,
            },
            "m": {
                "type": "object",
                "properties": {"c": {"type": "array", "items": {"$ref": "#/$defs/n"}, "minItems": 1}},
                "required": ["c"],
                "additionalProperties": False,
            },
        },
    },
    "conditional": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "null"}},
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
        "additionalProperties": False,
    },
    "not": {
        "type": "object",
        "properties": {"a": {"type": ["integer", "null"]}},
        "not": {"properties": {"a": {"type": "null"}}, "required": ["a"]},
    },
    "strings": {
        "anyOf": [
            {"type": "string", "minLength": 2, "maxLength": 4},
            {"type": "string", "pattern": "^a+$"},
            {"const": "bbbbbbb"},
        ]
    },
}
