"""`enum` and `const`: fixed values, filtered by everything else that the schema says.

Types and numeric bounds are decided for each member here; what a schema says about strings is intersected with
the members' spellings, and the automaton decides. Each member has exactly one spelling.
"""

from __future__ import annotations

from decimal import Decimal

from ..errors import BudgetError
from ..grammar.expression import NOTHING, Expression, Intersection
from .combine import alt
from .dialect import Dialect
from .keywords import Keywords
from .ledger import Ledger
from .literals import depth_of, spell
from .numbers import read_bounds
from .options import Options
from .profile import KEYWORDS
from .schema import Json, Place, json_type
from .strings import STRING_KEYWORDS, string_expression

__all__ = ["fixed_values"]


def fixed_values(
    place: Place,
    types: frozenset[str],
    constraints: list[str],
    *,
    dialect: Dialect,
    options: Options,
    keywords: Keywords,
    ledger: Ledger,
) -> Expression:
    """The members of `enum` or `const` that have one of `types` and meet the other `constraints` of the schema.

    Raises SchemaError SCHEMA_CONFLICT where the schema's own keywords leave no member.
    """
    own_types = keywords.declared_types(place)
    members = [v for v in _members(place, options, ledger) if own_types is None or json_type(v) in own_types]
    if not members:
        raise place.conflict("no member has the type that the schema asks for")
    members = [v for v in members if json_type(v) in types]
    kinds = {json_type(value) for value in members}
    others = [keyword for keyword in constraints if keyword not in ("enum", "const")]
    for keyword in others:
        about = KEYWORDS[keyword].types
        if not about & kinds:
            ledger.note(place, keyword, "annotation", "no fixed value is of its type")
        elif keyword == "x-grammar":
            keywords.refuse(place, keyword, "it stands beside fixed strings; remove one of the two")
        elif about & {"object", "array"}:
            keywords.refuse(place, keyword, "it stands beside fixed objects or arrays; remove one of the two")
        elif about & {"number", "integer"}:
            ledger.note(place, keyword, "mask", "decided for each fixed value")
    if kinds & {"number", "integer"}:
        bounds = read_bounds(place, dialect)
        left = [v for v in members if isinstance(v, bool) or not isinstance(v, (int, Decimal)) or bounds.contains(v)]
        if not left:
            raise place.conflict("no fixed value is within the bounds")
        members = left
    others_spelled = [_spell(v, place, options) for v in members if not isinstance(v, str)]
    strings = alt(*(_spell(v, place, options) for v in members if isinstance(v, str)))
    if strings != NOTHING and STRING_KEYWORDS & set(others):
        within = string_expression(place, ledger, options.limits)
        strings = strings if within is None else Intersection((strings, within))
    return alt(*others_spelled, strings)


def _members(place: Place, options: Options, ledger: Ledger) -> list[Json]:
    """The members of `enum`, those equal to `const` where both stand."""
    keywords = place.keywords
    limit = options.limits.enum_members
    for keyword in ("const", "enum"):
        if keyword in keywords:
            ledger.note(place, keyword, "mask")
            if _size(keywords[keyword]) > limit + 1:  # the list itself is one
                pointer = place.at(keyword)
                raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what="values", name="enum_members")
    if "enum" not in keywords:
        return [keywords["const"]]
    listed = keywords["enum"]
    if not isinstance(listed, list):
        raise place.malformed("enum", "must be a list of values")
    if not listed:
        raise place.conflict("the list of allowed values is empty", "enum")
    if "const" not in keywords:
        return listed
    if not any(_equal(member, keywords["const"]) for member in listed):
        raise place.conflict("const is not a member of enum")
    return [keywords["const"]]


def _size(value: Json) -> int:
    """How many values a value consists of, itself included."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def _equal(left: Json, right: Json) -> bool:
    """Equality of JSON values: numbers by value, and true is not 1."""
    if json_type(left) != json_type(right):
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_equal(left[k], right[k]) for k in left)
    return left == right


def _spell(value: Json, place: Place, options: Options) -> Expression:
    if depth_of(value) > options.limits.levels:
        raise place.conflict(f"a fixed value is nested deeper than {options.limits.levels}")
    return spell(value, options.blanks, canonical_order=options.canonical_order)
