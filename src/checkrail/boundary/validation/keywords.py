"""The table of keywords: what argument each takes, and which function applies it.

This is where a keyword is added. The order is the order of application; `unevaluated*` come last because they ask
what the others have looked at. A word that is in none of the tables is an annotation, as the standard says;
refusing a misspelt keyword is the work of the profile that compiles the mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..binding.derived import derived
from . import keywords_array as array
from . import keywords_combine as combine
from . import keywords_object as obj
from . import keywords_value as value
from .subschema import Outcome, Steps

__all__ = ["KEYWORDS", "Keyword"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword. Exactly one of `check` (only looks) and `steps` (applies schemas) is set, or neither.

    argument: the name of the reader of its argument, in `schema_reader`.
    in_place: its schemas apply to the same value, not to a part of it.
    """

    argument: str
    check: Callable[[Any, Outcome], None] | None = None
    steps: Callable[[Any, Outcome], Steps] | None = None
    in_place: bool = False


KEYWORDS: Mapping[str, Keyword] = {
    # places that only hold schemas or are read by their neighbours
    "$defs": Keyword("schema_map"),
    "definitions": Keyword("schema_map"),
    "minContains": Keyword("count"),
    "maxContains": Keyword("count"),
    "then": Keyword("schema", in_place=True),
    "else": Keyword("schema", in_place=True),
    # one value by itself
    "type": Keyword("types", value.type_),
    "enum": Keyword("values", value.enum),
    "const": Keyword("value", value.const),
    "minLength": Keyword("count", value.min_length),
    "maxLength": Keyword("count", value.max_length),
    "pattern": Keyword("pattern", value.pattern),
    "format": Keyword("format", value.format_),
    "x-grammar": Keyword("grammar", value.format_),
    "minimum": Keyword("number", value.minimum),
    "maximum": Keyword("number", value.maximum),
    "exclusiveMinimum": Keyword("exclusive", value.exclusive_minimum),
    "exclusiveMaximum": Keyword("exclusive", value.exclusive_maximum),
    "multipleOf": Keyword("positive", value.multiple_of),
    # arrays
    "prefixItems": Keyword("schemas", steps=array.prefix_items),
    "items": Keyword("items", steps=array.items),
    "additionalItems": Keyword("schema", steps=array.additional_items),
    "minItems": Keyword("count", array.min_items),
    "maxItems": Keyword("count", array.max_items),
    "uniqueItems": Keyword("flag", array.unique_items),
    "contains": Keyword("schema", steps=array.contains),
    # objects
    "required": Keyword("names", obj.required),
    "properties": Keyword("schema_map", steps=obj.properties),
    "patternProperties": Keyword("pattern_map", steps=obj.pattern_properties),
    "additionalProperties": Keyword("schema", steps=obj.additional_properties),
    "propertyNames": Keyword("schema", steps=obj.property_names),
    "minProperties": Keyword("count", obj.min_properties),
    "maxProperties": Keyword("count", obj.max_properties),
    "dependentRequired": Keyword("names_map", obj.dependent_required),
    "dependentSchemas": Keyword("schema_map", steps=obj.dependent_schemas, in_place=True),
    "dependencies": Keyword("dependencies", steps=obj.dependencies, in_place=True),
    # combinations on the same value
    "$ref": Keyword("reference", steps=combine.ref, in_place=True),
    "$dynamicRef": Keyword("reference", steps=combine.dynamic_ref, in_place=True),
    "$recursiveRef": Keyword("reference", steps=combine.dynamic_ref, in_place=True),
    "allOf": Keyword("schemas", steps=combine.all_of, in_place=True),
    "anyOf": Keyword("schemas", steps=combine.any_of, in_place=True),
    "oneOf": Keyword("schemas", steps=combine.one_of, in_place=True),
    "not": Keyword("schema", steps=combine.not_, in_place=True),
    "if": Keyword("schema", steps=combine.if_, in_place=True),
    # what is left
    "unevaluatedItems": Keyword("schema", steps=array.unevaluated_items),
    "unevaluatedProperties": Keyword("schema", steps=obj.unevaluated_properties),
    # bindings to a source text, read off the outcome by `spans` and `derived`
    "x-source": Keyword("source_rule"),
    "x-overlap": Keyword("overlap"),
    "x-derived": Keyword("derivations", derived),
}
