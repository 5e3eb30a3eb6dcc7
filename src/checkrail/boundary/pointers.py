"""JSON pointers (RFC 6901): the names of places in a value or a schema.

You need it to print a path or to follow one. Pointers are made late, from links to the parent, since storing
one at each place would cost the square of a hostile text's size.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["escape", "join", "split"]


def escape(token: str | int) -> str:
    """One reference token, escaped: `a/b` becomes `a~1b`."""
    return str(token).replace("~", "~0").replace("/", "~1")


def join(tokens: Iterable[str | int]) -> str:
    """The pointer of the place that `tokens` lead to; none is the root, the empty pointer.

    >>> join(["a/b", 0])
    '/a~1b/0'
    """
    return "".join("/" + escape(token) for token in tokens)


def split(pointer: str) -> list[str]:
    """The unescaped tokens of `pointer`. Raises `ValueError` if it is not a pointer.

    >>> split("/a~1b/0")
    ['a/b', '0']
    """
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise ValueError("a JSON pointer is empty or starts with '/'")
    tokens = pointer[1:].split("/")
    for token in tokens:
        if "~" in token.replace("~0", "").replace("~1", ""):
            raise ValueError("'~' in a JSON pointer is followed by 0 or 1")
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens]
