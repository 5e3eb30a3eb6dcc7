"""A JSON text that was read: its plain value, and where in the text each key and value stands.

You need a `Document` to point at the place of a fault. You do not need it where only the value matters:
`Document.value` is ordinary Python data.

The nodes lie in parallel columns, in the order in which the text opens them (a tape, as in simdjson; Langdale
and Lemire 2019). A `Node` is a view of one row. Fifty bytes a node keep a text of a million keys affordable; an
object per node would cost several hundred. A node's descendants are the rows up to `lasts`, so a walk needs no
recursion.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..errors import DocumentError
from .binding.offsets import ByteOffsets
from .pointers import join, split
from .validation.exact import Exact

__all__ = ["DEFAULT_MAX_DEPTH", "Columns", "Document", "Json", "Node", "document_from_value"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

DEFAULT_MAX_DEPTH = 64
ABSENT = -1  # in a column of offsets: no such place


def _offsets() -> array[int]:
    return array("q")


@dataclass(slots=True, eq=False, repr=False)
class Columns:
    """The rows of a document while it is being made. Row 0 is the root; offsets are code points."""

    values: list[Json] = field(default_factory=list)
    keys: list[str | int | None] = field(default_factory=list)
    starts: array[int] = field(default_factory=_offsets)
    ends: array[int] = field(default_factory=_offsets)
    key_starts: array[int] = field(default_factory=_offsets)
    key_ends: array[int] = field(default_factory=_offsets)
    parents: array[int] = field(default_factory=_offsets)
    lasts: array[int] = field(default_factory=_offsets)  # the row after the last descendant

    def add(
        self,
        value: Json,
        parent: int = ABSENT,
        key: str | int | None = None,
        span: tuple[int, int] = (ABSENT, ABSENT),
        key_span: tuple[int, int] = (ABSENT, ABSENT),
    ) -> int:
        """Append a row and return its index; a container's end is set by `close`."""
        index = len(self.values)
        self.values.append(value)
        self.keys.append(key)
        self.starts.append(span[0])
        self.ends.append(span[1])
        self.key_starts.append(key_span[0])
        self.key_ends.append(key_span[1])
        self.parents.append(parent)
        self.lasts.append(index + 1)
        return index

    def close(self, index: int, end: int = ABSENT) -> None:
        """The container at `index` ends here: the rows since are its descendants."""
        self.ends[index] = end
        self.lasts[index] = len(self.values)

    def pointer(self, index: int) -> str:
        """The JSON pointer of a row."""
        tokens = []
        while self.parents[index] != ABSENT:
            key = self.keys[index]
            assert key is not None  # only the root has none
            tokens.append(key)
            index = self.parents[index]
        return join(reversed(tokens))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Document:
    """A parsed JSON text. `text` is None when it was made from a value, and then there are no spans."""

    text: str | None
    columns: Columns
    _bytes: list[ByteOffsets] = field(default_factory=list)

    @property
    def value(self) -> Json:
        """The plain value. An integer is an `int` within 2**53 - 1 (any size with `big_integers`), else a `float`."""
        return self.columns.values[0]

    @property
    def root(self) -> Node:
        """The outermost value."""
        return Node(self, 0)

    def node(self, pointer: str) -> Node:
        """The node that a JSON pointer names. Raises `KeyError` if there is none."""
        node = self.root
        try:
            for token in split(pointer):
                node = next(child for child in node.children() if str(child.key) == token)
        except (StopIteration, ValueError):
            raise KeyError(pointer) from None
        return node

    def nodes(self) -> Iterator[Node]:
        """Every node, each before its descendants, in the order of the text."""
        return (Node(self, index) for index in range(len(self)))

    def byte(self, offset: int) -> int:
        """The UTF-8 byte offset of a code point offset of `text`."""
        if not self._bytes:  # made on first use: most documents are never asked
            self._bytes.append(ByteOffsets(self.text or ""))
        return self._bytes[0].byte(offset)

    def __len__(self) -> int:
        return len(self.columns.values)

    def __repr__(self) -> str:
        return f"<Document {self.root.kind}, {len(self)} values>"


@dataclass(frozen=True, slots=True, repr=False)
class Node:
    """One value of a document, or (`is_key`) the key that names it. All spans are `[start, end)`."""

    document: Document
    index: int
    is_key: bool = False

    @property
    def value(self) -> Json:
        """The plain value; for a key, its decoded text."""
        columns = self.document.columns
        return columns.keys[self.index] if self.is_key else columns.values[self.index]

    @property
    def kind(self) -> str:
        """The JSON type: object, array, string, number, boolean or null."""
        return _KINDS[type(self.value)]

    @property
    def key(self) -> str | int | None:
        """The property's name, the item's position, or None at the root."""
        return self.document.columns.keys[self.index]

    @property
    def name(self) -> Node:
        """The key of this property as a node of its own."""
        return Node(self.document, self.index, is_key=True)

    @property
    def parent(self) -> Node | None:
        """The object or array that holds this node."""
        parent = self.document.columns.parents[self.index]
        return None if parent == ABSENT else Node(self.document, parent)

    @property
    def pointer(self) -> str:
        """The JSON pointer of this value; a key has its value's."""
        return self.document.columns.pointer(self.index)

    @property
    def span(self) -> tuple[int, int] | None:
        """The place in the text in code points, quotes and brackets included."""
        columns = self.document.columns
        if self.is_key:
            start, end = columns.key_starts[self.index], columns.key_ends[self.index]
        else:
            start, end = columns.starts[self.index], columns.ends[self.index]
        return None if start == ABSENT else (start, end)

    @property
    def byte_span(self) -> tuple[int, int] | None:
        """The place in the text in UTF-8 bytes."""
        span = self.span
        return None if span is None else (self.document.byte(span[0]), self.document.byte(span[1]))

    @property
    def literal(self) -> str | None:
        """The text exactly as it was written."""
        span, text = self.span, self.document.text
        return None if span is None or text is None else text[span[0] : span[1]]

    @property
    def exact(self) -> Exact:
        """A number without rounding: what the literal says, not the double nearest to it."""
        return Exact.parse(self.literal or repr(self.value))

    def children(self) -> Iterator[Node]:
        """The properties or items, in the order of the text."""
        if self.is_key:
            return
        lasts = self.document.columns.lasts
        index = self.index + 1
        while index < lasts[self.index]:
            yield Node(self.document, index)
            index = lasts[index]

    def __repr__(self) -> str:
        place = self.pointer or "the root"
        return f"<Node {'key of ' if self.is_key else ''}{place}: {self.kind}>"


_KINDS: dict[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def document_from_value(value: Any, *, max_depth: int = DEFAULT_MAX_DEPTH) -> Document:
    """The document of a value that has no text. Tuples count as arrays.

    Raises `DocumentError`: JSON_VALUE for what JSON cannot say, JSON_NUMBER_RANGE, JSON_DEPTH (cycles too).
    """
    columns = Columns()
    open_containers: list[tuple[int, Iterator[tuple[str | int, Any]]]] = []
    pending: tuple[int, str | int | None, Any] | None = (ABSENT, None, value)
    while pending is not None or open_containers:
        if pending is None:
            parent, items = open_containers[-1]
            following = next(items, None)
            if following is None:
                columns.close(parent)
                open_containers.pop()
            else:
                pending = (parent, *following)
            continue
        parent, key, item = pending
        pending = None
        index = columns.add(_plain(item, columns, parent, key), parent, key)
        if isinstance(item, (dict, list, tuple)):
            if len(open_containers) == max_depth:
                raise DocumentError("JSON_DEPTH", pointer=columns.pointer(index), limit=max_depth)
            members = item.items() if isinstance(item, dict) else enumerate(item)
            open_containers.append((index, iter(members)))
    return Document(None, columns)


def _plain(item: Any, columns: Columns, parent: int, key: Any) -> Json:
    """The item as plain JSON data, or the error that says why it is none."""
    where = "" if parent == ABSENT else columns.pointer(parent)
    if parent != ABSENT and type(columns.values[parent]) is dict and type(key) is not str:
        raise DocumentError("JSON_VALUE", pointer=where, found=f"a key of type {type(key).__name__}")
    if isinstance(item, tuple):
        return list(item)
    if type(item) is int and abs(item) >= 2**1024:
        raise DocumentError("JSON_NUMBER_RANGE", pointer=where)
    if type(item) is float and not math.isfinite(item):
        raise DocumentError("JSON_NUMBER_RANGE", pointer=where)
    if type(item) not in _KINDS:
        raise DocumentError("JSON_VALUE", pointer=where, found=f"a value of type {type(item).__name__}")
    plain: Json = item
    return plain
