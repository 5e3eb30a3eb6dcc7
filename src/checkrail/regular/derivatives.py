"""Partial derivatives (Antimirov 1996): a regular expression as an NFA whose states are made when they are asked for.

A state is a *rest*: what is left of the expression after some letters, as a chain of (node, progress in it, rest
behind it). Equal rests are one number, so `a{0,27000}b` costs nothing until it is walked, and counts are numbers
instead of copies. Rest 0 is the end, where a word is complete. Every rest that a move leads to is alive: parts that no
word satisfies are left out when they are met.

Boolean combinations are resolved to tables (`combinations.py`), and a place in a table is a rest like any other.
Use this where few states of a large automaton are visited; `compile_regular` makes the whole minimal automaton.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import GrammarError
from ..grammar.expression import (
    ANY_CHARACTER,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    Literal,
    Nest,
    Repeat,
)
from ..grammar.expression import Sequence as SequenceOf
from ..grammar.traverse import children
from ..limits import Limits
from .partition import Partition, Ranges
from .rests import AND, END, ENDLESS, NOT, OR, TABLE, Node, Rests, made_by

__all__ = ["END", "ENDLESS", "Derivatives", "Node", "Table"]

_EXPLORED_SHARE = 8  # of the states that are allowed, a boolean combination may take one in so many

_LEAVES = (CharacterClass, Literal)


@dataclass(frozen=True, slots=True)
class Table:
    """A complete automaton over letters, all of whose states are alive: rows[state][letter], -1 for none.

    low, high: the fewest and the most letters that are left in each state. everything: the state from which all words
    are accepted, -1 for none.
    """

    rows: list[list[int]]
    accepting: list[bool]
    low: list[int]
    high: list[int]
    everything: int


class Derivatives:
    """The rests of some expressions over one alphabet.

    partition: of the code points, into `width` letters. extra: more sets that the letters must tell apart.
    """

    def __init__(self, expressions: Sequence[Expression], limits: Limits, extra: Iterable[Ranges] = ()) -> None:
        self.limits = limits
        self.partition = Partition.of(_labels(expressions, extra))
        self.width = self.partition.width
        self.rests: Rests = made_by.Rests(self.width, limits)
        self._letters_of: dict[Ranges, int] = {}
        self._letter_of: dict[str, int] = {}
        if _holds_all(self.partition):
            everything = self._letters_of[ANY_CHARACTER.ranges] = self.rests.set_of(tuple(range(self.width)))
            self.rests.universal = self.start(self.rests.repeat(self.rests.letter(everything), 0, None))

    def __len__(self) -> int:
        return self.rests.count

    def __repr__(self) -> str:
        return f"<Derivatives {len(self)} rests so far, {self.width} letters>"

    @property
    def universal(self) -> int:
        """The rest that all words satisfy; -1 where the letters do not make up all characters."""
        return self.rests.universal

    # Nodes

    def node(self, expression: Expression, most: int | None = None) -> Node:
        """The measured form of an expression. most: the states that it may take where it is a boolean combination."""
        if isinstance(expression, _LEAVES):
            return self._leaf(expression)
        done: dict[int, Node] = {}
        stack: list[Expression] = [expression]
        while stack:
            here = stack[-1]
            parts = children(here)
            waits = False
            for part in parts:
                if id(part) not in done:
                    if isinstance(part, _LEAVES):
                        done[id(part)] = self._leaf(part)
                    else:
                        stack.append(part)
                        waits = True
            if not waits:
                stack.pop()
                if id(here) not in done:
                    done[id(here)] = self._measured(here, [done[id(part)] for part in parts])
        return self._whole(done[id(expression)], most)

    def _leaf(self, expression: CharacterClass | Literal) -> Node:
        if isinstance(expression, CharacterClass):
            return self.rests.letter(self._set(expression.ranges)) if expression.ranges else self.rests.nothing()
        known = self._letter_of
        return self.rests.text(
            tuple([known[char] if char in known else self._letter(char) for char in expression.text])
        )

    def _measured(self, expression: Expression, parts: list[Node]) -> Node:
        if isinstance(expression, SequenceOf):
            return self.rests.sequence([part if part.kind < AND else self._whole(part) for part in parts])
        if isinstance(expression, Repeat):
            return self.rests.repeat(self._whole(parts[0]), expression.minimum, expression.maximum)
        if isinstance(expression, Choice):
            if any(part.kind >= AND for part in parts):
                return self._formula(OR, parts)
            return self.rests.choice(parts)
        if isinstance(expression, Nest):
            return parts[0]
        if isinstance(expression, Intersection):
            return self._formula(AND, parts)
        if isinstance(expression, Complement):
            return self._formula(NOT, parts)
        raise GrammarError("GRAMMAR_NOT_REGULAR", what="A pattern", rule=type(expression).__name__)

    def _set(self, ranges: Ranges) -> int:
        """The letters of a set of code points, as the number of this set."""
        known = self._letters_of.get(ranges)
        if known is None:
            known = self._letters_of[ranges] = self.rests.set_of(self.partition.letters_of(ranges))
        return known

    def _letter(self, char: str) -> int:
        known = self._letter_of.get(char)
        if known is None:
            known = self._letter_of[char] = self.rests.set_of((self.partition.letter(ord(char)),))
        return known

    def _formula(self, kind: int, parts: list[Node]) -> Node:
        node = self.rests.node(kind, 0, ENDLESS, 0, False)
        node.parts = tuple(parts)
        return node

    def _whole(self, node: Node, most: int | None = None) -> Node:
        """The node itself, or a table of at most so many states where it is a boolean combination."""
        if node.kind < AND:
            return node
        if node.table is None:
            from .combinations import combine  # it walks the rests of the parts, so it needs this module

            explored = self.limits.states // _EXPLORED_SHARE
            node.table = combine(self, node, explored if most is None else min(most, explored))
        table = node.table
        if not table.rows:
            return self.rests.nothing()
        whole = self.rests.node(TABLE, table.low[0], table.high[0], max(table.low), False)
        whole.table, whole.everything = table, table.everything
        return whole

    # Rests

    def start(self, node: Node) -> int:
        """The rest that is the node alone; -1 where no word satisfies it."""
        return self.rests.start(node)

    def low(self, rest: int) -> int:
        """Letters of the shortest word of a rest."""
        return self.rests.low(rest)

    def high(self, rest: int) -> int:
        """Letters of the longest word of a rest, ENDLESS where there is none."""
        return self.rests.high(rest)

    def moves(self, rest: int) -> tuple[list[tuple[tuple[int, ...], int]], bool]:
        """The moves of a rest, as (letters, rest after them), and whether a word may end there."""
        return self.rests.moves(rest)

    def repeated(self, rest: int) -> tuple[tuple[int, ...], int, int] | None:
        """(letters, least, most) of a rest that is some letters, any of these each time, and then the end.

        most: ENDLESS where there is none. None for all other rests.
        """
        return self.rests.repeated(rest)


def _labels(expressions: Iterable[Expression], extra: Iterable[Ranges]) -> dict[Ranges, None]:
    """The sets of characters that expressions and others tell apart."""
    labels: dict[Ranges, None] = dict.fromkeys(extra)
    single: set[str] = set()
    stack = list(expressions)
    while stack:
        node = stack.pop()
        if isinstance(node, CharacterClass):
            labels[node.ranges] = None
        elif isinstance(node, Literal):
            single.update(node.text)
        else:
            stack += children(node)
            if isinstance(node, Complement):
                labels[ANY_CHARACTER.ranges] = None
    for char in single:
        code = ord(char)
        labels[((code, code),)] = None
    return labels


def _holds_all(partition: Partition) -> bool:
    """Whether every character has a letter."""
    gaps = [start for start, letter in zip(partition.starts, partition.letters, strict=True) if letter < 0]
    return gaps == [0xD800, 0x110000]
