"""The JSON Schema of a Python type, where Pydantic's says less than the type refuses.

Pydantic's schema of a `Decimal` allows every string, that of a `dict[int, str]` every key, that of a `date` the year 0.
A mask made from it would let texts through of which the type then says no. So the generator here adds what a schema can
say: the digits of decimals, the keys of dictionaries, the years and seconds that `datetime` has, durations that fit,
the alphabet of Base64, the schemes of URLs. It only narrows: whatever it allows, Pydantic's schema allows too, but for
`NaiveDatetime`, for which Pydantic asks for the offset that the type refuses.

What no schema says (validators in Python, a path that must exist, a date in the past, a bound on a key that is a
number) is left to the type, which judges the value in the end.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

__all__ = ["TypeSchema"]

_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"  # datetime has no year 0
_NO_LEAP_SECOND = "[0-9]{2}:[0-9]{2}:[0-5]"
_DAY = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
_NATURAL = "(?:0|[1-9][0-9]*)"
_LABEL = "[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
_HOST = rf"(?:localhost|{_LABEL}(?:\.{_LABEL})*\.[A-Za-z]{{2,20}})"
_BLANK = r"\s\x1c-\x1f\x85"  # what Python, Rust or ECMA-262 strip
_MOST_DIGITS = 308  # before the point of a double

_OF_NAMES = ("properties", "patternProperties", "$defs")  # their members are schemas, whatever the names
_OF_DATA = ("default", "examples", "enum", "const")

# Keys of JSON objects are strings; these are read as other types.
_KEYS: dict[str, JsonSchemaValue] = {
    "int": {"pattern": "^-?(?:0|[1-9][0-9]{0,17})$"},
    "float": {"pattern": r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$"},
    "decimal": {"pattern": r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$"},
    "bool": {"enum": ["true", "false"]},
}
_FORMATS: dict[str, JsonSchemaValue] = {
    "base64": {"pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"},
    "base64url": {"pattern": "^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]==|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]=)?$"},
    "ipvanyaddress": {"anyOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
}


class TypeSchema(GenerateJsonSchema):
    """Pydantic's generator with more to say; pass it as `schema_generator`."""

    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema of a type."""
        made = super().generate(schema, mode)
        _narrow_formats(made)
        return made

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number, or a string of digits where nothing but digits is bounded."""
        digits, places = schema.get("max_digits"), schema.get("decimal_places")
        bounds = {
            keyword: float(schema[bound])  # type: ignore[literal-required]  # one of the four names
            for bound, keyword in (
                ("ge", "minimum"),
                ("gt", "exclusiveMinimum"),
                ("le", "maximum"),
                ("lt", "exclusiveMaximum"),
            )
            if bound in schema
        }
        number: JsonSchemaValue = {"type": "number", **bounds}
        if places is not None:
            number["multipleOf"] = float(f"1e-{places}")
        if "multiple_of" in schema:
            number["multipleOf"] = float(schema["multiple_of"])
        whole = 0 if digits is None else digits - (places or 0)
        if digits is not None and whole <= _MOST_DIGITS:
            if bounds.keys().isdisjoint(("minimum", "exclusiveMinimum")):
                number["exclusiveMinimum"] = -(10.0**whole)
            if bounds.keys().isdisjoint(("maximum", "exclusiveMaximum")):
                number["exclusiveMaximum"] = 10.0**whole
        text: JsonSchemaValue = {"type": "string", "pattern": _decimal_pattern(digits, places)}
        if bounds or "multiple_of" in schema:
            return number
        if digits is not None and (places is None or places >= digits):
            return text  # how many digits a number has in all is no matter of its value, nor that 0 has one too many
        return {"anyOf": [number, text]}

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """The keys by `propertyNames`."""
        made = super().dict_schema(schema)
        keys = schema.get("keys_schema")
        if keys is None:
            return made
        if "patternProperties" in made:  # which says nothing about keys that do not match
            patterns = made.pop("patternProperties")
            made["additionalProperties"] = next(iter(patterns.values()))
            names = {k: v for k, v in self.generate_inner(keys).items() if k not in ("type", "title")}
            return {**made, "propertyNames": names}
        kind = keys["type"]
        return {**made, "propertyNames": _KEYS[kind]} if kind in _KEYS else made

    def date_schema(self, schema: core_schema.DateSchema) -> JsonSchemaValue:
        """From the year 1 on."""
        return {**super().date_schema(schema), "pattern": f"^{_YEAR}"}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """From the year 1 on, without leap seconds; without an offset where the type wants none."""
        if schema.get("tz_constraint") == "naive":
            return {"type": "string", "pattern": f"^{_YEAR}-{_DAY}T{_CLOCK}$"}
        return {**super().datetime_schema(schema), "pattern": f"^{_YEAR}[0-9-]*[Tt]{_NO_LEAP_SECOND}"}

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchemaValue:
        """Without leap seconds."""
        if schema.get("tz_constraint") == "naive":
            return {"type": "string", "pattern": f"^{_CLOCK}$"}
        return {**super().time_schema(schema), "pattern": f"^{_NO_LEAP_SECOND}"}

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> JsonSchemaValue:
        """Up to six digits of each unit, so that the sum fits."""
        made = super().timedelta_schema(schema)
        return {**made, "pattern": "^(?:[0-9]{0,6}[^0-9])*$"} if made.get("format") == "duration" else made

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """ASCII where bytes are counted, so that characters are bytes."""
        made = super().bytes_schema(schema)
        return {**made, "pattern": "^[ -~]*$"} if "max_length" in schema else made

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """No blanks at the ends where they are stripped before the string is measured."""
        made = super().str_schema(schema)
        if schema.get("strip_whitespace") and "min_length" in schema and "pattern" not in made:
            made["pattern"] = rf"^[^{_BLANK}](?:[\s\S]*[^{_BLANK}])?$"
        return made

    def url_schema(self, schema: core_schema.UrlSchema) -> JsonSchemaValue:
        """With a scheme that is allowed, and a host."""
        made = super().url_schema(schema)
        schemes = schema.get("allowed_schemes")
        if schemes:
            options = "|".join(re.sub(r"[+.]", r"\\\g<0>", scheme) for scheme in schemes)
            made["pattern"] = rf"^(?:{options})://{_HOST}(?::[0-9]{{1,4}})?(?:[/?#].*)?$"
        return made


def _decimal_pattern(digits: int | None, places: int | None) -> str:
    """Plain decimals of at most so many digits in all, and so many of them behind the point."""
    if digits is None:
        return f"^-?{_NATURAL}{_fraction(places)}$"
    if places is not None and places >= digits:
        return rf"^-?0\.[0-9]{{1,{digits}}}$"
    if places is not None:
        return f"^-?{_whole(digits - places)}{_fraction(places)}$"
    options = [rf"{_whole(digits - n)}\.[0-9]{{{n}}}" for n in range(1, digits + 1)]
    return f"^-?(?:{'|'.join([_whole(digits), *options])})$"


def _whole(digits: int) -> str:
    return "0" if digits < 1 else f"(?:0|[1-9][0-9]{{0,{digits - 1}}})"


def _fraction(places: int | None) -> str:
    if places == 0:
        return ""
    return r"(?:\.[0-9]+)?" if places is None else rf"(?:\.[0-9]{{1,{places}}})?"


def _narrow_formats(schema: Any) -> None:
    """Say by other keywords what some formats of Pydantic's mean, which no standard knows. Changes the schema."""
    pending = [schema]
    while pending:
        here = pending.pop()
        if isinstance(here, list):
            pending += here
        elif isinstance(here, dict):
            name = here.get("format")
            if isinstance(name, str) and name in _FORMATS and here.get("type") == "string" and "pattern" not in here:
                here.update(_FORMATS[name])
            for key, value in here.items():
                if key in _OF_NAMES and isinstance(value, dict):
                    pending += value.values()
                elif key not in _OF_DATA:
                    pending.append(value)
