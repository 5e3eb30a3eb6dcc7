"""Random schemas of the open profile, for property tests: small ones that use nearly every keyword, and containers."""

from __future__ import annotations

from hypothesis import strategies as st

KEYS = ("a", "b", "c", "dd")
scalars = st.sampled_from([None, True, False, 0, 1, 2, 3, 7, -1, "", "a", "ab", "\nb", "é"])
small = st.integers(0, 3)


def keywords(inner):
    schemas = st.lists(inner, min_size=1, max_size=3)
    names = st.lists(st.sampled_from(KEYS), unique=True, max_size=3)
    patterns = st.sampled_from(["a", "^d", "^[ab]$", "b$"])
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(
                ["null", "boolean", "integer", "number", "string", "array", "object", ["object", "null"]]
            ),
            "enum": st.lists(scalars, min_size=1, max_size=4, unique_by=repr),
            "const": scalars,
            "minimum": st.integers(-2, 4),
            "exclusiveMaximum": st.integers(0, 8),
            "multipleOf": st.sampled_from([1, 2, 3]),
            "minLength": small,
            "maxLength": small,
            "pattern": patterns,
            "properties": st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
            "required": names,
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(patterns, inner, max_size=2),
            "propertyNames": st.fixed_dictionaries({"pattern": patterns}),
            "minProperties": small,
            "maxProperties": small,
            "dependentRequired": st.dictionaries(st.sampled_from(KEYS), names, max_size=1),
            "dependentSchemas": st.dictionaries(st.sampled_from(KEYS), inner, max_size=1),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "items": inner,
            "minItems": small,
            "maxItems": small,
            "contains": inner,
            "minContains": small,
            "maxContains": small,
            "allOf": schemas,
            "anyOf": schemas,
            "oneOf": schemas,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    ).map(lambda schema: dict(list(schema.items())[:6]))


schemas = st.recursive(st.booleans() | keywords(st.booleans()), keywords, max_leaves=8)


def _containers(inner):
    few = st.integers(0, 3)
    names = st.sampled_from("ab")
    lists = st.lists(inner, min_size=1, max_size=2)
    objects = st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(names, inner, max_size=2),
            "required": st.lists(names, unique=True, max_size=2),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=1),
            "minProperties": few,
            "maxProperties": few,
            "not": st.fixed_dictionaries({"additionalProperties": inner}),
        },
    )
    arrays = st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "prefixItems": lists,
            "items": inner,
            "minItems": few,
            "maxItems": few,
            "contains": inner,
            "minContains": few,
        },
    )
    return objects | arrays | st.fixed_dictionaries({"anyOf": lists}) | st.fixed_dictionaries({"allOf": lists})


_references = st.sampled_from([{"$ref": f"#/$defs/{name}"} for name in "abc"])
_nested = st.recursive(_references | st.sampled_from([{"type": "null"}, False]), _containers, max_leaves=6)
_defined = st.recursive(_references, _containers, max_leaves=4)

# Objects and arrays that need one another, by way of three definitions that may lead back to themselves.
containers = st.fixed_dictionaries(
    {"$ref": st.just("#/$defs/a"), "$defs": st.fixed_dictionaries({"a": _defined, "b": _defined, "c": _nested})}
)
