"""A Python annotation as a closed JSON Schema, and the way between JSON and values of that type.

You need it to say more about a parameter than its type: `Annotated[str, Len(1, 80), "The title."]`. `@tool` reads the
rest. What an annotation can be is a short list, so that a schema is never a guess: bool, int, float, str, None,
`Literal` of texts or integers, `list[T]`, dataclasses and `TypedDict`s, `T | None`, and `Annotated` of them with `Len`,
`Range`, `Pattern` or a text that describes it. Everything else has no schema, and is refused by name.

Nothing is converted to fit. A number for a `float` becomes one, because JSON has one kind of number; a text never
becomes anything else. Objects are closed, and every field is required unless its type says otherwise.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

__all__ = ["MOST_DEPTH", "Len", "NoSchema", "Pattern", "Range", "Shape", "object_schema", "shape_of"]

MOST_DEPTH = 16
_LARGEST = 2**53 - 1


class NoSchema(Exception):
    """Says of an annotation why it has no schema; `@tool` adds where it stands."""


@dataclass(frozen=True, slots=True)
class Len:
    """The least and the greatest length of a text (in code points) or of a list."""

    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest number."""

    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that is found in the text; begin it with ^ and end it with $ to match all of it."""

    regex: str


@dataclass(frozen=True, slots=True)
class Shape:
    """What an annotation means. schema: as data. decode: from valid JSON to the type; encode: from it to JSON."""

    schema: Mapping[str, Any]
    decode: Callable[[Any], Any]
    encode: Callable[[Any], Any]


def shape_of(annotation: Any, depth: int = 0) -> Shape:
    """The shape of a resolved annotation (no strings). depth: objects and lists around it. Raises `NoSchema`."""
    if depth > MOST_DEPTH:
        raise NoSchema(f"is nested deeper than {MOST_DEPTH}, or holds itself")
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(shape_of(arguments[0], depth), arguments[1:])
    if origin in (Required, NotRequired):
        return shape_of(arguments[0], depth)
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, types.UnionType):
        return _optional(arguments, depth)
    if origin is list and len(arguments) == 1:
        return _list(shape_of(arguments[0], depth + 1))
    if is_typeddict(annotation):
        return _typed_dict(annotation, depth)
    if isinstance(annotation, type) and is_dataclass(annotation):
        return _dataclass(annotation, depth)
    for kind, schema, decode in _SCALARS:
        if annotation is kind:
            return Shape(schema, decode, _same)
    raise NoSchema(f"has the type {_name(annotation)}, which has no closed schema")


def object_schema(properties: Mapping[str, Mapping[str, Any]], required: Iterable[str]) -> dict[str, Any]:
    """A closed object."""
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in properties.items()},
        "required": sorted(required),
        "additionalProperties": False,
    }


def _same(value: Any) -> Any:
    return value


_INTEGER = {"type": "integer", "minimum": -_LARGEST, "maximum": _LARGEST}
_SCALARS: tuple[tuple[Any, dict[str, Any], Callable[[Any], Any]], ...] = (
    (bool, {"type": "boolean"}, _same),
    (int, _INTEGER, _same),
    (float, {"type": "number"}, float),
    (str, {"type": "string"}, _same),
    (None, {"type": "null"}, _same),
    (type(None), {"type": "null"}, _same),
)


def _literal(members: tuple[Any, ...]) -> Shape:
    kinds = {type(member) for member in members}
    if kinds not in ({str}, {int}):
        raise NoSchema("is a Literal of other things than texts, or integers")
    if kinds == {int} and any(abs(member) > _LARGEST for member in members):
        raise NoSchema("is a Literal with an integer beyond 2**53 - 1")
    return Shape({"type": "string" if kinds == {str} else "integer", "enum": list(members)}, _same, _same)


def _optional(members: tuple[Any, ...], depth: int) -> Shape:
    rest = [member for member in members if member is not type(None)]
    if len(rest) != 1 or len(rest) == len(members):
        raise NoSchema("is a union; only T | None has one reading")
    inner = shape_of(rest[0], depth)
    return Shape(
        {"anyOf": [dict(inner.schema), {"type": "null"}]},
        lambda value: None if value is None else inner.decode(value),
        lambda value: None if value is None else inner.encode(value),
    )


def _list(inner: Shape) -> Shape:
    return Shape(
        {"type": "array", "items": dict(inner.schema)},
        lambda value: [inner.decode(item) for item in value],
        lambda value: [inner.encode(item) for item in value] if isinstance(value, (list, tuple)) else value,
    )


def _typed_dict(kind: Any, depth: int) -> Shape:
    hints = _hints(kind)
    shapes = _shapes(hints, depth)
    # the class's own list of required keys is wrong where annotations are texts, so the wrappers go first
    required = [
        name
        for name, hint in hints.items()
        if get_origin(hint) is Required or (get_origin(hint) is not NotRequired and name in kind.__required_keys__)
    ]
    return Shape(
        object_schema({name: shape.schema for name, shape in shapes.items()}, required),
        lambda value: {name: shapes[name].decode(item) for name, item in value.items()},
        lambda value: _encode_members(value, shapes) if isinstance(value, dict) else value,
    )


def _dataclass(kind: Any, depth: int) -> Shape:
    if any(f.default is not MISSING or f.default_factory is not MISSING for f in fields(kind)):
        raise NoSchema(f"has the type {_name(kind)}, whose fields have defaults: only parameters can have them")
    if any(not f.init for f in fields(kind)):
        raise NoSchema(f"has the type {_name(kind)} with a field that is not an argument of its constructor")
    shapes = _shapes({f.name: _hints(kind)[f.name] for f in fields(kind)}, depth)
    return Shape(
        object_schema({name: shape.schema for name, shape in shapes.items()}, shapes),
        lambda value: kind(**{name: shapes[name].decode(item) for name, item in value.items()}),
        lambda value: _encode_members(_members(value, shapes), shapes) if type(value) is kind else value,
    )


def _members(value: Any, shapes: Mapping[str, Shape]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in shapes}


def _encode_members(members: Mapping[str, Any], shapes: Mapping[str, Shape]) -> dict[str, Any]:
    """A member that is not declared stays, so that the check of the result finds it."""
    return {name: shapes[name].encode(item) if name in shapes else item for name, item in members.items()}


def _shapes(hints: Mapping[str, Any], depth: int) -> dict[str, Shape]:
    shapes = {}
    for name, hint in hints.items():
        try:
            shapes[name] = shape_of(hint, depth + 1)
        except NoSchema as error:
            raise NoSchema(f"has a field {name} that {error}") from None
    return shapes


def _hints(kind: Any) -> dict[str, Any]:
    try:
        return get_type_hints(kind, include_extras=True)
    except (NameError, TypeError) as error:
        raise NoSchema(f"has the type {_name(kind)}, whose annotations cannot be read: {error}") from None


def _annotated(shape: Shape, notes: tuple[Any, ...]) -> Shape:
    schema = dict(shape.schema)
    for note in notes:
        schema |= _keywords(note, schema.get("type"))
    return Shape(schema, shape.decode, shape.encode)


def _keywords(note: Any, kind: Any) -> dict[str, Any]:
    """The keywords of one annotation of a type."""
    if isinstance(note, str):
        return {"description": note}
    if isinstance(note, Len) and kind in ("string", "array"):
        _refuse_empty(note)
        suffix = "Length" if kind == "string" else "Items"
        return {f"min{suffix}": note.minimum, f"max{suffix}": note.maximum}
    if isinstance(note, Range) and kind in ("integer", "number"):
        _refuse_empty(note)
        return {"minimum": note.minimum, "maximum": note.maximum}
    if isinstance(note, Pattern) and kind == "string":
        return {"pattern": note.regex}
    raise NoSchema(f"is annotated with {type(note).__name__}, which says nothing about {kind or 'such a type'}")


def _refuse_empty(note: Len | Range) -> None:
    if note.minimum > note.maximum:
        raise NoSchema(f"has the empty range {note.minimum} to {note.maximum}")


def _name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).removeprefix("typing.")
