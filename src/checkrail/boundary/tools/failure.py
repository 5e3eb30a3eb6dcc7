"""How a tool fails in words: with a code that it declared, and nothing else.

A tool raises `ToolFailure("NOTES_FULL", limit=500)`. The sentence for the code is in the manifest, so a person has seen
it before the tool ever ran, and its gaps take only integers and listed words. Whatever else a tool raises becomes
TOOL_EXCEPTION without a text, because the text of an exception may hold a path, a password, or instructions for the
model that reads it.

    {limit}            an integer
    {day:mon|tue|wed}  one of these words
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["DeclaredError", "ToolFailure", "declared_errors"]

_CODE = re.compile(r"[A-Z][A-Z0-9_]{2,47}")
_GAP = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,32}")
_MOST_CODES, _MOST_GAPS, _MOST_WORDS, _LONGEST = 32, 8, 64, 200
_LARGEST = 2**53 - 1


class ToolFailure(Exception):
    """Raise it in a tool. code: one that the tool declares; params: what fills the gaps of its sentence."""

    def __init__(self, code: str, /, **params: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class DeclaredError:
    """One way in which a tool may fail. words: of each gap, None for an integer."""

    code: str
    template: str
    words: Mapping[str, tuple[str, ...] | None]

    def accepts(self, params: Any) -> bool:
        """Whether these are the parameters, all of them, each an integer or a listed word."""
        return (
            isinstance(params, dict)
            and params.keys() == self.words.keys()
            and all(
                _is_integer(params[name]) if words is None else params[name] in words and type(params[name]) is str
                for name, words in self.words.items()
            )
        )

    def message(self, params: Mapping[str, Any]) -> str:
        """The sentence with its gaps filled, from parameters that it accepts."""
        return _GAP.sub(lambda gap: str(params[gap[1].partition(":")[0]]), self.template)


def declared_errors(templates: Mapping[str, str]) -> dict[str, DeclaredError]:
    """The declared errors of a tool. Raises ValueError that says what is wrong with which.

    >>> error = declared_errors({"FULL": "Only {limit} lines fit."})["FULL"]
    >>> error.message({"limit": 500})
    'Only 500 lines fit.'
    """
    if not isinstance(templates, Mapping):  # it may come from a file
        raise ValueError("sentences by their codes")
    if len(templates) > _MOST_CODES:
        raise ValueError(f"a tool has at most {_MOST_CODES} codes of its own")
    return {code: _declared(code, template) for code, template in templates.items()}


def _declared(code: Any, template: Any) -> DeclaredError:
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise ValueError("a code has 3 to 48 capital letters, digits and _, and begins with a letter")
    if not isinstance(template, str) or not 1 <= len(template) <= _LONGEST:
        raise ValueError(f"the sentence of {code} has 1 to {_LONGEST} characters")
    gaps = _GAP.findall(template)
    if "{" in _GAP.sub("", template) or "}" in _GAP.sub("", template) or len(gaps) > _MOST_GAPS:
        raise ValueError(f"the sentence of {code} has brackets that do not match, or more than {_MOST_GAPS} gaps")
    words: dict[str, tuple[str, ...] | None] = {}
    for gap in gaps:
        name, colon, listed = gap.partition(":")
        members = tuple(listed.split("|")) if colon else None
        if not _NAME.fullmatch(name) or name in words:
            raise ValueError(f"the gaps of {code} have different names of small letters, digits and _")
        if members is not None and not (len(members) <= _MOST_WORDS and all(map(_WORD.fullmatch, members))):
            raise ValueError(f"the words of {name} in {code} are letters, digits, _ . - and separated by |")
        words[name] = members
    return DeclaredError(code, template, words)


def _is_integer(value: Any) -> bool:
    return type(value) is int and abs(value) <= _LARGEST
