"""Which value of an unfinished JSON text is being written: a pointer into the value.

The strict reader refuses an unfinished text; this scanner only follows brackets, keys and commas of a text that a
grammar has accepted so far. `checkrail explain` uses it to say where in the value a text went wrong.
"""

from __future__ import annotations

import json
import re

__all__ = ["pointer_at"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]')


def pointer_at(text: str) -> str:
    """The JSON pointer of the value that stands at the end of `text`.

    >>> pointer_at('{"a": [1, {"b/c": "x')
    '/a/1/b~1c'
    """
    path: list[str | int | None] = []  # for each open container the key or position it is at; None before a key
    awaits_key = False
    for token in _TOKEN.findall(text):
        if token == "[":
            path.append(0)
        elif token == "{":
            path.append(None)
            awaits_key = True
        elif token in ("]", "}") and path:
            path.pop()
            awaits_key = False
        elif token == "," and path:
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else None
            awaits_key = not isinstance(last, int)
        elif token == ":":
            awaits_key = False
        elif token[0] == '"' and awaits_key and path:
            path[-1] = _decoded(token)
    if path and path[-1] is None:
        path.pop()
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _decoded(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:  # the key is not finished
        return token.strip('"')
