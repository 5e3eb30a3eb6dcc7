"""Names of rules, taken from the schema so that a person recognises them.

The name of a property or definition is kept as far as a rule name can hold it (letters, digits and hyphens);
list items become `<list>-item`, branches `<name>-option`. A name that is taken gets a number.
"""

from __future__ import annotations

import re

__all__ = ["Names", "name_of"]

_CONTAINERS = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_ITEMS = frozenset({"items", "prefixItems", "additionalItems", "contains"})
_BRANCHES = frozenset({"anyOf", "oneOf", "allOf"})
_LONGEST = 40


def name_of(pointer: str) -> str:
    """A name for the schema at a JSON pointer.

    >>> name_of("/properties/invoice lines/items")
    'invoice-lines-item'
    """
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
    name = "root"
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token in _CONTAINERS and position < len(tokens):
            name = tokens[position]
            position += 1
        elif token in _ITEMS:
            name += "-item"
        elif token in _BRANCHES:
            name += "-option"
        elif not token.isdecimal():
            name = token
    return _clean(name)


def _clean(text: str) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", text).strip("-")[:_LONGEST].strip("-") or "value"


class Names:
    """Hands out each name once."""

    def __init__(self, reserved: tuple[str, ...]) -> None:
        self._used = dict.fromkeys(reserved, 1)

    def fresh(self, wanted: str) -> str:
        """`wanted`, cleaned, or the first of wanted-2, wanted-3, ... that is free."""
        wanted = _clean(wanted)
        name = wanted
        while name in self._used:
            self._used[wanted] = self._used.get(wanted, 1) + 1
            name = f"{wanted}-{self._used[wanted]}"
        self._used[name] = 1
        return name
