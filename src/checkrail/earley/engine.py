"""The engine over one vocabulary: readings become bitmasks, behind the interface that matchers use.

A mask is a slice, if the lexer stands in a terminal that takes all of one, and a walk through the rest of the trie;
then the special tokens that the grammar names here, and the end tokens where the text may end. Masks are kept by
reading: as readings are values, a text that comes back to the same place finds its mask again.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn, cast

from ..automaton.modules import TokenEdge
from ..errors import InputError
from ..mask.bitmask import words_for
from ..mask.configuration import Configuration, Stepper
from ..mask.cursor import Cursor, GeneralCursor
from ..mask.engine import EngineName, MaskEngine
from ..mask.kernel import Kernel, active
from ..mask.named_tokens import NamedTokens
from ..mask.slow import token_edge_matches
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .chart import Pair, Row
from .items import Item, Rule, Rules, TerminalSymbol
from .readings import Reading, Readings
from .slicer import Slicer, Slices
from .walker import ReadingWalker

__all__ = ["EarleyEngine"]

_CACHE_BYTES = 64 * 1024 * 1024
_MINIMUM_NODES = 1_000  # of a trie that is worth slicing
_MAXIMUM_LINES = 50
_ITEM_BYTES = 300  # of an item in a row, or a thread, with its share of the tables that make them unique
_PLACE_BYTES = 100  # of a state of a terminal's automaton, with its moves; measured


class EarleyEngine:
    """Masks of one grammar over one vocabulary. Shared by matchers and threads, which take turns in it.

    tokens: for each terminal that is a special token what it names. minimum_nodes: of tries that are sliced.
    """

    name: ClassVar[EngineName] = "earley"

    def __init__(
        self,
        rules: Rules,
        readings: Readings,
        tokens: Mapping[str, TokenEdge],
        vocabulary: Vocabulary,
        trie: Trie,
        *,
        kernel: Kernel | None = None,
        minimum_nodes: int = _MINIMUM_NODES,
    ) -> None:
        """Raises VocabularyError GRAMMAR_TOKEN for a token that the vocabulary does not have."""
        kernel = kernel or active()
        self.rules = rules
        self.readings = readings
        self.vocabulary = vocabulary
        self.trie = trie
        self.words = words_for(len(vocabulary))
        self._kernel = kernel.walker
        self._edges = dict(tokens)
        self._named = NamedTokens(tokens.values(), vocabulary, kernel)
        self._walker = ReadingWalker(readings, kernel)
        self._slicer: Slicer | None = None
        if trie.nodes >= minimum_nodes:
            slices = Slices.of(vocabulary, trie, kernel)
            self._slicer = Slicer(slices, readings.lexer, greedy=readings.lexing == "greedy")
            self._slicer.prepare()
        self._scratch = array("I", [0]) * self.words
        self._masks: OrderedDict[Reading, tuple[array[int], array[int]]] = OrderedDict()
        self._mask_bytes = 0
        self._generation = 0

    def __repr__(self) -> str:
        return f"<EarleyEngine {self.rules!r} over {len(self.vocabulary)} tokens>"

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held, by what holds them, about."""
        return {
            "automaton": _PLACE_BYTES * self.readings.lexer.place_count,
            "masks": self._mask_bytes,
            "rows": _ITEM_BYTES * self.readings.chart.made,
            "table": self._walker.memory + _ITEM_BYTES * self._walker.size,
        }

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text."""
        # A general cursor asks its stepper for `start` and `step`, and of what these return for `size` and `accepting`.
        return GeneralCursor(cast(Stepper, self.readings), cast(Any, self.advance), cast(Any, self.fill))

    def advance(self, reading: Reading, token: int) -> Reading | None:
        """The reading after a token: read as bytes, or as the token that the grammar names, or both.

        With greedy lexing it is the named one, where it can be. None where the token is not allowed; end tokens are not
        the engine's business, empty ones are never allowed.
        """
        if not 0 <= token < len(self.vocabulary):
            return None
        named = [t for t in reading.tokens if token_edge_matches(self._edges[t.name], token, self.vocabulary)]
        taken = self.readings.take(reading, named) if named else None
        text = self.vocabulary.tokens[token]
        by_bytes = self.readings.read(reading, text) if text else None
        if taken is None or by_bytes is None:
            return taken or by_bytes
        return self.readings.union(taken, by_bytes)

    def fill(self, reading: Reading, row: memoryview) -> None:
        """Write the mask of a reading into a row of unsigned words. MaskError MASK_BUDGET, MASK_CHART: none is set."""
        self._kernel.clear(row, len(row))
        with self.readings.lock:
            places, words = self._mask(reading)
        if places:
            self._kernel.or_sparse(row, places, words, len(places))
        elif words:
            row[: len(words)] = memoryview(words)
        for terminal in reading.tokens:
            self._named.add(row, self._edges[terminal.name])
        if reading.accepting:
            for token in self.vocabulary.eos:
                row[token >> 5] |= 1 << (token & 31)

    def _mask(self, reading: Reading) -> tuple[array[int], array[int]]:
        """The tokens that are text: all words (no places), or some (place, word) pairs."""
        if self._generation != self.readings.generation:  # what is kept would hold on to rows that were forgotten
            self._generation = self.readings.generation
            self._masks.clear()
            self._mask_bytes = 0
        known = self._masks.get(reading)
        if known is not None:
            self._masks.move_to_end(reading)
            return known
        found = self._masks[reading] = self._computed(reading)
        self._mask_bytes += 4 * (len(found[0]) + len(found[1]))
        while self._mask_bytes > _CACHE_BYTES:
            _, (places, words) = self._masks.popitem(last=False)
            self._mask_bytes -= 4 * (len(places) + len(words))
        return found

    def _computed(self, reading: Reading) -> tuple[array[int], array[int]]:
        group = self._slicer.find(reading) if self._slicer else None
        scratch = self._scratch
        try:
            self._walker.walk(self.trie if group is None else group.rest, reading, scratch)
        except BaseException:  # what was found so far must not come into the next mask
            self._kernel.clear(scratch, self.words)
            raise
        if group is None:
            places, words = array("i", [0]) * self.words, array("I", [0]) * self.words
            count = self._kernel.take_sparse(scratch, places, words, self.words)
            return places[:count], words[:count]
        self._kernel.or_dense(scratch, group.mask, self.words)
        words = scratch[:]
        self._kernel.clear(scratch, self.words)
        return array("i"), words

    # What only the automaton engine has

    @property
    def full(self) -> MaskEngine:
        """There is no whole automaton: raises InputError CONSTRAINT_ENGINE."""
        self._refuse("automaton, and so neither token budgets nor files")

    def configuration(self, _cursor: Cursor, _taken: Sequence[int | bytes]) -> Configuration:
        """There are no configurations: raises InputError CONSTRAINT_ENGINE."""
        self._refuse("a configuration")

    def _refuse(self, what: str) -> NoReturn:
        raise InputError("CONSTRAINT_ENGINE", engine="earley", what=what)

    def names_token(self, cursor: Cursor, _taken: Sequence[int | bytes]) -> bool:
        """Whether the grammar names a token that may come next."""
        return bool(self._reading(cursor).tokens)

    @property
    def alphabet(self) -> set[int]:
        """The bytes that occur in some terminal."""
        lexer = self.readings.lexer
        taken = {number for place in range(lexer.place_count) for number in lexer.classes_at(place)}
        return {byte for byte, number in enumerate(lexer.class_of) if number in taken}

    # What a text is in the middle of

    def pending_rules(self, cursor: Cursor, _taken: Sequence[int | bytes]) -> tuple[tuple[str, ...], ...]:
        """For each rule that reads what may come next: that rule and its first callers."""
        found: dict[tuple[str, ...], None] = {}
        for row, lexer in self._reading(cursor).threads:
            for item, origin in _readers(row, self.readings.lexer.owners(lexer)):
                if item.rule is not self.rules.goal:
                    found[_callers(item, origin)] = None
        return tuple(found)

    def lines(self, cursor: Cursor) -> tuple[str, ...]:
        """The reading in words: each row with its items, and the state of the lexer behind it."""
        lines: list[str] = []
        for row, lexer in self._reading(cursor).threads:
            lines.append(f"row {row.serial}, lexer {lexer!r}")
            lines += [f"  {line}" for line in row.lines()]
        if len(lines) > _MAXIMUM_LINES:
            lines[_MAXIMUM_LINES:] = [f"and {len(lines) - _MAXIMUM_LINES} more lines"]
        return tuple(lines)

    def _reading(self, cursor: Cursor) -> Reading:
        return cast(Reading, cast(GeneralCursor, cursor).configuration)


def _readers(row: Row, terminals: Iterable[TerminalSymbol]) -> list[Pair]:
    """The items of a row that read any of these terminals; where none does, those that it was made of."""
    found = [pair for terminal in terminals for pair in row.scanned_by(terminal)]
    return found or list(row.pairs)


def _callers(item: Item, origin: Row) -> tuple[str, ...]:
    """The rule of an item, and the rules that wait for it, one of each, without the parts that have no name."""
    names: list[str] = []
    seen: set[tuple[Row, Rule]] = set()
    while (origin, item.rule) not in seen:
        seen.add((origin, item.rule))
        name = item.rule.written
        if not names or names[-1] != name:
            names.append(name)
        readers = [pair for pair in origin.read_by(item.rule) if (pair[1], pair[0].rule) not in seen]
        if not readers:
            break
        item, origin = readers[0]
    return tuple(names[:-1] if len(names) > 1 else names)
