"""The strict profile as data: for every keyword, who enforces it, or what to write instead.

This table is what the translation looks keywords up in and what the page `docs/reference/strict-profile.md` is
made from. A keyword that is not here is refused, unless it begins with `x-`, which marks a note of the author's own.

Columns: "mask", no output can violate it; "checked", the validator tells afterwards (or the mask holds a part of
it, as the note says); "annotation", it constrains nothing; "refused", the schema is not compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from .formats import CHECKED_FORMATS, MASK_FORMATS

__all__ = ["ALL_TYPES", "KEYWORDS", "TYPE_NAMES", "Keyword", "strict_profile_page", "suggestion", "types_named"]

TYPE_NAMES = ("null", "boolean", "object", "array", "string", "number", "integer")

# Sets of types are sets of these names; "number" in a set means the numbers that are not integers.
ALL_TYPES = frozenset(TYPE_NAMES)


def types_named(name: str) -> frozenset[str]:
    """The type set of one value of the `type` keyword."""
    return frozenset({"number", "integer"} if name == "number" else {name})


@dataclass(frozen=True, slots=True)
class Keyword:
    """One row. types: the values that the keyword is about. note: how it is enforced, or what to write instead."""

    name: str
    column: Literal["mask", "checked", "annotation", "refused"]
    types: frozenset[str]
    note: str = ""


_OBJECT = types_named("object")
_ARRAY = types_named("array")
_STRING = types_named("string")
_NUMBER = types_named("number")

_ROWS = (
    # any value
    Keyword(
        "type",
        "mask",
        ALL_TYPES,
        "a name or a list of names; where it is absent and the other keywords are all about one type, that type",
    ),
    Keyword("enum", "mask", ALL_TYPES, "in one spelling each; members of another `type` are left out"),
    Keyword("const", "mask", ALL_TYPES, "in one spelling"),
    Keyword("anyOf", "mask", ALL_TYPES, "a union; beside it only `type` and annotations"),
    Keyword(
        "oneOf",
        "checked",
        ALL_TYPES,
        "a union in the mask; that only one branch matches is checked; beside it only `type` and annotations",
    ),
    Keyword(
        "allOf",
        "mask",
        ALL_TYPES,
        "with one branch that constrains anything; otherwise refused: write one merged schema",
    ),
    Keyword(
        "$ref",
        "mask",
        ALL_TYPES,
        "within the document; recursion within the nesting bound; beside it only `type` and annotations",
    ),
    # objects
    Keyword("properties", "mask", _OBJECT, "each at most once, in declared or canonical order"),
    Keyword("required", "mask", _OBJECT, "every name must be declared in `properties`"),
    Keyword(
        "additionalProperties",
        "mask",
        _OBJECT,
        "absent or false: the object is closed; true or a schema is refused: "
        "declare each property, or use an array of objects with a key and a value",
    ),
    Keyword(
        "minProperties",
        "mask",
        _OBJECT,
        "where `required` implies it; otherwise refused: list what must be there in `required`",
    ),
    Keyword(
        "maxProperties",
        "mask",
        _OBJECT,
        "where the number of properties implies it; otherwise refused: declare fewer "
        "properties, or use `anyOf` with one object for each combination",
    ),
    # arrays
    Keyword("items", "mask", _ARRAY, "a schema for the items after `prefixItems`; a list is read as `prefixItems`"),
    Keyword("prefixItems", "mask", _ARRAY, "the first items, as far as there are any"),
    Keyword("additionalItems", "mask", _ARRAY, "after a list in `items`: what `items` is after `prefixItems`"),
    Keyword("minItems", "mask", _ARRAY, "counted in the mask up to `Limits.counted_items`, checked above"),
    Keyword("maxItems", "mask", _ARRAY, "counted in the mask up to `Limits.counted_items`, checked above"),
    Keyword("uniqueItems", "checked", _ARRAY, "true is checked; false constrains nothing"),
    Keyword("contains", "checked", _ARRAY, "with everything in it"),
    Keyword("minContains", "checked", _ARRAY, "beside `contains`"),
    Keyword("maxContains", "checked", _ARRAY, "beside `contains`"),
    # strings
    Keyword(
        "minLength", "mask", _STRING, "in code points; counted in the mask up to `Limits.counted_length`, checked above"
    ),
    Keyword(
        "maxLength", "mask", _STRING, "in code points; counted in the mask up to `Limits.counted_length`, checked above"
    ),
    Keyword(
        "pattern", "mask", _STRING, "ECMA-262, a search unless anchored; back-references and look-behind are refused"
    ),
    Keyword("format", "mask", _STRING, "see the list below; on other types an annotation"),
    # numbers
    Keyword("minimum", "checked", _NUMBER, "in the mask with `enforce_bounds=True`"),
    Keyword("maximum", "checked", _NUMBER, "in the mask with `enforce_bounds=True`"),
    Keyword(
        "exclusiveMinimum", "checked", _NUMBER, "in the mask with `enforce_bounds=True`; draft 4's true is understood"
    ),
    Keyword(
        "exclusiveMaximum", "checked", _NUMBER, "in the mask with `enforce_bounds=True`; draft 4's true is understood"
    ),
    Keyword("multipleOf", "checked", _NUMBER, "exactly, on the decimal digits"),
    # our own
    Keyword(
        "x-grammar",
        "mask",
        _STRING,
        "the text is an expression of the calculator (`calc/1`); no other keyword about strings beside it",
    ),
    Keyword("x-source", "checked", _STRING, "the text must occur in a source document"),
    Keyword("x-derived", "checked", _OBJECT, "values derived from extracted texts"),
    Keyword("x-overlap", "checked", _OBJECT | _ARRAY, "source spans of the parts must not overlap"),
    # what cannot be in the mask of this profile
    Keyword("not", "refused", ALL_TYPES, "list what is allowed with `enum`, `pattern` or `anyOf`"),
    Keyword("if", "refused", ALL_TYPES, "write `anyOf` with one complete schema for each case"),
    Keyword("then", "refused", ALL_TYPES, "write `anyOf` with one complete schema for each case"),
    Keyword("else", "refused", ALL_TYPES, "write `anyOf` with one complete schema for each case"),
    Keyword(
        "patternProperties",
        "refused",
        _OBJECT,
        "declare each property, or use an array of objects with a key and a value",
    ),
    Keyword("propertyNames", "refused", _OBJECT, "declare each property in `properties`; the object is closed"),
    Keyword("unevaluatedProperties", "refused", _OBJECT, "objects are closed: write one object with all properties"),
    Keyword("unevaluatedItems", "refused", _ARRAY, 'write `"items": false` after `prefixItems`'),
    Keyword("dependentRequired", "refused", _OBJECT, "write `anyOf` with one object for each combination"),
    Keyword("dependentSchemas", "refused", _OBJECT, "write `anyOf` with one object for each combination"),
    Keyword("dependencies", "refused", _OBJECT, "write `anyOf` with one object for each combination"),
    Keyword("$dynamicRef", "refused", ALL_TYPES, "write `$ref`"),
    Keyword("$recursiveRef", "refused", ALL_TYPES, "write `$ref`"),
    Keyword("$recursiveAnchor", "refused", ALL_TYPES, "write `$ref`"),
    Keyword("$vocabulary", "refused", ALL_TYPES, "leave it out; it belongs in meta-schemas"),
    Keyword("divisibleBy", "refused", ALL_TYPES, "write `multipleOf`"),
    Keyword("disallow", "refused", ALL_TYPES, "list the types that are allowed in `type`"),
    Keyword("extends", "refused", ALL_TYPES, "write one merged schema"),
    # what constrains nothing
    *(
        Keyword(name, "annotation", ALL_TYPES, note)
        for name, note in (
            ("$schema", "names the draft"),
            ("$id", "the base of references"),
            ("id", "draft 4's `$id`"),
            ("$anchor", "a name for references"),
            ("$dynamicAnchor", "a name for references"),
            ("$defs", "definitions; each counts where it is referred to"),
            ("definitions", "definitions; each counts where it is referred to"),
            ("$comment", ""),
            ("title", ""),
            ("description", ""),
            ("default", ""),
            ("example", ""),
            ("examples", ""),
            ("deprecated", ""),
            ("readOnly", ""),
            ("writeOnly", ""),
            ("contentEncoding", ""),
            ("contentMediaType", ""),
            ("contentSchema", ""),
            ("discriminator", "OpenAPI's; the branches of `oneOf` or `anyOf` say the same"),
            ("externalDocs", ""),
            ("nullable", 'OpenAPI\'s, and no keyword of JSON Schema: write `"type": [..., "null"]` to allow null'),
            ("xml", ""),
        )
    ),
)

KEYWORDS: Mapping[str, Keyword] = MappingProxyType({row.name: row for row in _ROWS})


@lru_cache(maxsize=1024)
def suggestion(keyword: str) -> str:
    """What to say about a keyword that does not exist."""
    close = get_close_matches(keyword[:40], KEYWORDS, n=1, cutoff=0.75)
    if close:
        return f"there is no such keyword (did you mean `{close[0]}`?)"
    return "there is no such keyword; begin its name with x- if it is a note of your own"


_PAGE = """# The strict profile, keyword by keyword

Every keyword is in one column. **Mask**: no output can violate it. **Checked**: the validator tells afterwards,
or the mask holds a part of it, as the note says. **Annotation**: it constrains nothing. **Refused**: the schema is
not compiled, and the error says what to write instead. A keyword about another type than the schema allows is an
annotation there. A keyword that is not listed is refused, unless it begins with `x-`.

{tables}

## Decisions

- A schema without `type`, `enum`, `const`, `$ref` and the like is any value when it has no keyword that constrains
  (`true` and `{{}}` too). When its keywords are all about one type, it means that type; when they are about several,
  it is refused.
- Any value is any JSON text within the nesting bound. Keys of its objects may repeat in the text, which the strict
  reader refuses.
- An object without `properties` is `{{}}`, since objects are closed. An array without `items` holds any values.
- Branches that nothing satisfies (`false`, or types that exclude each other) drop out of a union, and an optional
  property with such a schema drops out of its object. Where nothing is left, the schema is refused
  (`SCHEMA_CONFLICT`), as is every pair of bounds that contradict each other.
- A schema whose values need more nesting than `Limits.nesting` is refused, also where it is optional. Where a
  recursive schema reaches the bound, deeper data just cannot be written.
- Whether a pattern, a length and a format exclude one another is found when the automaton is built: what is empty is
  pruned, and refused when it is all there is (`GRAMMAR_EMPTY_LANGUAGE`).
- Keys, `enum`, `const` and strings with a `format` have one spelling: raw UTF-8 with the escapes that JSON demands.
  All other strings may use every escape of RFC 8259.
- Integers have no fraction and no exponent and stay within ±(2^53 - 1), unless a bound of the schema lies beyond;
  then they reach as far as that bound.
- Numbers are RFC 8259 literals of bounded length below 1.8e308; one without fraction and exponent is an integer as
  above. With `enforce_bounds=True` a bounded number is a plain decimal without exponent.
- Before 2019-09 keywords beside `$ref` mean nothing; they are annotations when `$schema` names such a draft.
- `unsupported="report"` compiles what the table refuses where the rest of the schema still says which values there
  are; the keyword is then checked afterwards, and the coverage says so.

## Formats

{formats}"""


def strict_profile_page() -> str:
    """The reference page, as Markdown."""
    tables = []
    for column in ("mask", "checked", "refused", "annotation"):
        rows = [f"| `{row.name}` | {row.note} |" for row in _ROWS if row.column == column]
        heading = "write instead" if column == "refused" else "note"
        tables.append("\n".join([f"## {column.capitalize()}\n", f"| keyword | {heading} |", "| --- | --- |", *rows]))
    rows = [f"| `{name}` | {entry.column} | {entry.note} |" for name, entry in MASK_FORMATS.items()]
    rows += [f"| `{name}` | checked | the mask lets any string through |" for name in sorted(CHECKED_FORMATS)]
    rows.append("| any other name | annotation | |")
    formats = "\n".join(["| format | column | note |", "| --- | --- | --- |", *rows])
    return _PAGE.format(tables="\n\n".join(tables), formats=formats)
