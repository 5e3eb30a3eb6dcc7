"""When two JSON values are equal, for `enum`, `const` and `uniqueItems`.

By the data model of JSON Schema: numbers are equal if they are mathematically (1 and 1.0), objects whatever the
order of their keys, and no boolean is a number. Python's `==` says `True == 1`, and compares doubles.

Each value gets a digest, made from its children's digests (a Merkle tree), so the comparison of all pairs in
`uniqueItems` is O(n) set lookups, and no value is too deep. The rows of a document come before their
descendants, hence the walk from the last row to the first.
"""

from __future__ import annotations

from hashlib import blake2b

from ..document import Node

__all__ = ["identity"]


def identity(node: Node) -> bytes:
    """A digest that is the same for two values if and only if they are equal."""
    if node.is_key:
        return _digest(b"s", str(node.value).encode("utf-8", "surrogatepass"))
    digests: dict[int, bytes] = {}
    last = node.document.columns.lasts[node.index]
    for index in range(last - 1, node.index - 1, -1):
        digests[index] = _of(Node(node.document, index), digests)
    return digests[node.index]


def _of(node: Node, digests: dict[int, bytes]) -> bytes:
    value = node.value
    if isinstance(value, str):
        return _digest(b"s", value.encode("utf-8", "surrogatepass"))
    if isinstance(value, list):
        return _digest(b"a", *(digests[child.index] for child in node.children()))
    if isinstance(value, dict):
        members = (identity(child.name) + digests[child.index] for child in node.children())
        return _digest(b"o", *sorted(members))
    if value is None or isinstance(value, bool):
        return _digest(b"w", str(value).encode())
    exact = node.exact
    return _digest(b"n", f"{exact.coefficient}e{exact.exponent}".encode())


def _digest(tag: bytes, *parts: bytes) -> bytes:
    return blake2b(tag + b"".join(parts), digest_size=32).digest()
