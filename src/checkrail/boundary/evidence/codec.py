"""Records to plain data and back, by the annotations of their fields, and nothing that these do not allow.

Writing refuses a value that is not exactly of its field's type (EVIDENCE_TYPE names the field, never the value), and a
field whose type is not one of those that `types.Record` lists. Reading is as strict: each field is there, none
is unknown, each value is of its type and within its bounds.

You need this only where records are written or read; `file` does both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from ...errors import Error
from .types import LARGEST_COUNT, Code, Digest, Id, Record

__all__ = ["MOST_MEMBERS", "from_plain", "to_plain"]

MOST_MEMBERS = 32  # of a tuple
R = TypeVar("R", bound=Record)
_KNOWN: dict[Any, dict[str, Any]] = {}  # a record -> its fields, looked at once


def to_plain(record: Record) -> dict[str, Any]:
    """The record as JSON data. Raises Error EVIDENCE_TYPE."""
    return {name: _write(getattr(record, name), hint, name) for name, hint in _hints(type(record)).items()}


def from_plain(kind: type[R], data: object) -> R:
    """The record of this data. Raises ValueError, whose text says which field is wrong and how."""
    hints = _hints(kind)
    if not isinstance(data, Mapping):
        raise ValueError("not an object")
    for name in hints:
        if name not in data:
            raise ValueError(f"{name} is missing")
    if len(data) > len(hints):
        raise ValueError("a field is not known")
    values = {}
    for name, hint in hints.items():
        try:
            values[name] = _read(data[name], hint)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return kind(**values)


def _hints(kind: Any) -> dict[str, Any]:
    """The fields of a record and their types. Raises Error EVIDENCE_TYPE where a type has no place in evidence."""
    if kind not in _KNOWN:
        is_record = isinstance(kind, type) and issubclass(kind, Record)
        if not is_record or not is_dataclass(kind):
            raise Error("EVIDENCE_TYPE", field="record")
        hints = get_type_hints(kind)
        for field in fields(kind):
            if not _is_allowed(hints[field.name]):
                raise Error("EVIDENCE_TYPE", field=field.name)
        _KNOWN[kind] = {field.name: hints[field.name] for field in fields(kind)}
    return _KNOWN[kind]


def _is_allowed(hint: Any) -> bool:
    parts = get_args(hint)
    if isinstance(hint, UnionType):
        return NoneType in parts and len(parts) == 2 and _is_allowed(_present(hint))
    if get_origin(hint) is tuple:
        return len(parts) == 2 and parts[1] is ... and _is_record(parts[0])
    return hint in (bool, int, Code, Id, Digest) or _is_record(hint) or _is_word(hint)


def _present(hint: UnionType) -> Any:
    """X of `X | None`."""
    return next(part for part in get_args(hint) if part is not NoneType)


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Record) and bool(_hints(hint))


def _is_word(hint: Any) -> bool:
    """Whether it is a list of words that the library wrote down."""
    return isinstance(hint, type) and issubclass(hint, Enum) and hint.__module__ == Record.__module__


def _write(value: Any, hint: Any, name: str) -> Any:
    if isinstance(hint, UnionType):
        return None if value is None else _write(value, _present(hint), name)
    if get_origin(hint) is tuple:
        if type(value) is not tuple or len(value) > MOST_MEMBERS:
            raise Error("EVIDENCE_TYPE", field=name)
        return [_write(member, get_args(hint)[0], name) for member in value]
    if type(value) is not hint or (hint is int and not 0 <= value <= LARGEST_COUNT):
        raise Error("EVIDENCE_TYPE", field=name)
    if isinstance(value, Record):
        return to_plain(value)
    if isinstance(value, Enum):
        return value.value
    return value if hint in (bool, int) else str(value)


def _read(value: object, hint: Any) -> Any:
    if isinstance(hint, UnionType):
        return None if value is None else _read(value, _present(hint))
    if get_origin(hint) is tuple:
        if not isinstance(value, list) or len(value) > MOST_MEMBERS:
            raise ValueError(f"not an array of at most {MOST_MEMBERS}")
        return tuple(from_plain(get_args(hint)[0], member) for member in value)
    if hint is bool:
        return _expect(type(value) is bool, value, "not true or false")
    if hint is int:
        return _expect(type(value) is int and 0 <= value <= LARGEST_COUNT, value, "not a count")
    if issubclass(hint, Record):
        return from_plain(hint, value)
    make: Callable[[Any], Any] = hint
    try:
        return make(_expect(isinstance(value, str), value, "not a string"))
    except ValueError:
        raise ValueError("not a word that may stand there") from None


def _expect(holds: bool, value: object, otherwise: str) -> Any:
    if not holds:
        raise ValueError(otherwise)
    return value
