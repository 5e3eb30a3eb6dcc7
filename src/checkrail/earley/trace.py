"""One mask call step by step: what a walk meets at each node of the trie, for people to read.

It is the walk of `masks.mask_by_flat_trie` with everything written down. Use it to see why a token is allowed or not,
or to learn the method: docs/explanation/two-floors.md goes through one. `checkrail explain --trace` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .chart import Row
from .items import TerminalSymbol
from .readings import Reading, Readings

__all__ = ["Visit", "trace", "visits"]


@dataclass(frozen=True, slots=True)
class Visit:
    """A node of the trie that a walk came to.

    depth: bytes from the root, 1 for its children. reading: after the node's byte; None where it is not possible, and
    the subtree is skipped. ended: terminals that this byte ended, those that the row has a use for and ignored ones.
    tokens: that end here. nodes: of the subtree that was skipped, this one included; 0 where none was.
    """

    node: int
    depth: int
    byte: int
    reading: Reading | None
    ended: tuple[str, ...]
    tokens: tuple[int, ...]
    nodes: int


def visits(readings: Readings, start: Reading, trie: Trie) -> Iterator[Visit]:
    """The nodes that a mask call looks at, in its order."""
    path = [(trie.nodes, start)]  # where each open subtree ends, and the reading inside it
    node = 1
    while node < trie.nodes:
        while node >= path[-1][0]:
            path.pop()
        here, byte = path[-1][1], trie.byte[node]
        following = readings.step(here, byte)
        if following is None:
            yield Visit(node, len(path), byte, None, (), (), trie.end[node] - node)
            node = trie.end[node]
        else:
            yield Visit(node, len(path), byte, following, _ended(readings, here, byte), tuple(trie.ids(node)), 0)
            path.append((trie.end[node], following))
            node += 1


def _ended(readings: Readings, here: Reading, byte: int) -> tuple[str, ...]:
    lexer = readings.lexer
    found: dict[str, None] = {}
    for row, before in here.threads:
        after = lexer.step(before, lexer.class_of[byte])
        for terminal in after.matched if after is not None else ():
            if _is_ignored(terminal, readings) or row.scanned_by(terminal):
                found[terminal.name] = None
    return tuple(found)


def _is_ignored(terminal: TerminalSymbol, readings: Readings) -> bool:
    return terminal in readings.lexer.ignored


def trace(readings: Readings, start: Reading, vocabulary: Vocabulary, trie: Trie) -> Iterator[str]:
    """The lines to print: the threads before the walk, the nodes of the trie, and the rows that were new on the way."""
    shown: set[Row] = set()
    for row, lexer in start.threads:
        yield f"row {row.serial}, lexer {lexer!r}"
        yield from _items(row, shown)
    yield ""
    yield from _walk(readings, start, vocabulary, trie, shown)
    if start.tokens:
        yield f"named tokens: {' '.join(token.name for token in start.tokens)}"
    if start.accepting:
        yield "the text may end here"


def _walk(readings: Readings, start: Reading, vocabulary: Vocabulary, trie: Trie, shown: set[Row]) -> Iterator[str]:
    skipped: list[Visit] = []
    for visit in visits(readings, start, trie):
        if visit.reading is None and (not skipped or skipped[0].depth == visit.depth):
            skipped.append(visit)
            continue
        yield from _skips(skipped)
        skipped = [] if visit.reading is not None else [visit]
        if visit.reading is not None:
            yield _line(visit, vocabulary)
            for row, _ in visit.reading.threads:
                yield from _items(row, shown, "  " * visit.depth + "    ")
    yield from _skips(skipped)


def _line(visit: Visit, vocabulary: Vocabulary) -> str:
    assert visit.reading is not None
    threads = "; ".join(f"row {row.serial} {lexer!r}" for row, lexer in visit.reading.threads)
    ended = f"{', '.join(visit.ended)} may end: " if visit.ended else ""
    line = f"{'  ' * visit.depth}{_name(visit.byte)}  {ended}{threads}"
    tokens = ", ".join(f"{token} {_text(vocabulary.tokens[token] or b'')}" for token in visit.tokens)
    return f"{line}  ALLOWS {tokens}" if tokens else line


def _skips(skipped: list[Visit]) -> Iterator[str]:
    """One line for neighbours that are not possible."""
    if skipped:
        names = " ".join(_name(visit.byte) for visit in skipped[:10]) + (" ..." if len(skipped) > 10 else "")
        nodes = sum(visit.nodes for visit in skipped)
        yield f"{'  ' * skipped[0].depth}{names}  no: {nodes} {'node' if nodes == 1 else 'nodes'} skipped"


def _items(row: Row, shown: set[Row], indent: str = "  ") -> Iterator[str]:
    """The items of a row, the first time that it is shown."""
    if row not in shown:
        shown.add(row)
        yield from (f"{indent}{line}" for line in row.lines())


def _name(byte: int) -> str:
    return chr(byte) if 0x20 < byte < 0x7F else f"0x{byte:02X}"


def _text(data: bytes) -> str:
    return repr(data)[1:]
