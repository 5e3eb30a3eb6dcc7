"""Regular expressions of a schema: does the ECMA pattern match somewhere in the text?

You need this for `pattern`, `patternProperties` and `format: regex`. The work is done by `checkrail.regular`,
whose automata read each character once: a schema may come from anyone, and a backtracking matcher such as `re`
can be made to run for ever by a pattern of twenty characters. Where another matcher is wanted, pass a `Matches`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ...errors import Error
from ...grammar.regex import search_expression
from ...regular.compile import compile_search

__all__ = ["Matches", "is_pattern", "matches"]

Matches: TypeAlias = Callable[[str, str], bool]
"""`(pattern, text)` -> whether the pattern matches somewhere in the text; raises an `Error` for a bad pattern."""


def matches(pattern: str, text: str) -> bool:
    """True if `pattern` matches somewhere in `text`. Raises `GrammarError` if it is malformed or unsupported."""
    return compile_search(pattern).accepts(text)


_FOREIGN_GROUP = re.compile(r"(?<!\\)\(\?(?![:=!<])")  # (?P<n>, (?i), (?>, (?#: of other flavours


def is_pattern(text: str) -> bool:
    """True if `text` is an ECMA regular expression, also one that `matches` does not support. It is only parsed."""
    try:
        search_expression(text)
    except Error as error:
        return error.code != "GRAMMAR_SYNTAX" and not _FOREIGN_GROUP.search(text)
    return True
