"""The fields of one format of a structural tag, read strictly: each by its type, and none that is not known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import GrammarError

__all__ = ["Fields", "checked_text", "refuse"]


def refuse(pointer: str, what: str) -> GrammarError:
    """GRAMMAR_TAG at a JSON pointer."""
    return GrammarError("GRAMMAR_TAG", pointer=pointer, what=what)


def checked_text(value: Any, pointer: str) -> str:
    """A value that must be a string."""
    if not isinstance(value, str):
        raise refuse(pointer, "this is a string")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise refuse(pointer, "this string holds half of a surrogate pair")
    return value


class Fields:
    """The fields of a format; each is taken once, and `end` refuses those that were not."""

    def __init__(self, data: Any, pointer: str) -> None:
        """Raises GrammarError GRAMMAR_TAG if the data is no object with a type."""
        if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
            raise refuse(pointer, "a format is an object with a type")
        self.pointer = pointer
        self._rest = dict(data)
        kind = self._rest.pop("type", None)
        if not isinstance(kind, str):
            raise refuse(pointer, "a format has a type")
        self.type = kind

    def at(self, name: str | int) -> str:
        """The pointer of a field."""
        return f"{self.pointer}/{name}"

    def required(self, name: str) -> Any:
        """A field that must be there."""
        if name not in self._rest:
            raise refuse(self.pointer, f"{self.type} needs the field {name}")
        return self._rest.pop(name)

    def text(self, name: str) -> str:
        """A string that must be there."""
        return checked_text(self.required(name), self.at(name))

    def texts(self, name: str, *, needed: bool = False) -> tuple[str, ...]:
        """A list of strings that are not empty; absent, an empty one unless it is needed."""
        values = self.items(name) if needed else self.values(name)
        found = tuple(checked_text(value, f"{self.at(name)}/{number}") for number, value in enumerate(values))
        if "" in found:
            raise refuse(f"{self.at(name)}/{found.index('')}", "this string is empty")
        return found

    def values(self, name: str) -> list[Any]:
        """A list; absent, an empty one."""
        return self._list(self._rest.pop(name, []), name)

    def items(self, name: str) -> list[Any]:
        """A list that must be there and hold something."""
        values = self._list(self.required(name), name)
        if not values:
            raise refuse(self.at(name), "this list is empty")
        return values

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean."""
        value = self._rest.pop(name, default)
        if not isinstance(value, bool):
            raise refuse(self.at(name), "this is true or false")
        return value

    def count(self, name: str, most: int) -> int | None:
        """An integer from 0 to `most`; None where it is absent or null."""
        value = self._rest.pop(name, None)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most):
            raise refuse(self.at(name), f"this is an integer from 0 to {most}")
        return value

    def only(self, name: str, value: Any, why: str) -> None:
        """A field of which one value is supported: refuse any other."""
        if self._rest.pop(name, value) != value:
            raise refuse(self.at(name), why)

    def end(self) -> None:
        """Refuse the fields that were not taken."""
        for name in self._rest:
            raise refuse(self.at(name), f"{self.type} has no field of this name")

    def _list(self, value: Any, name: str) -> list[Any]:
        if not isinstance(value, (list, tuple)):
            raise refuse(self.at(name), "this is a list")
        return list(value)
