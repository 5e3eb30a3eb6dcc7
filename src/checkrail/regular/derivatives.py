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

from ..errors import BudgetError, GrammarError
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

__all__ = ["END", "ENDLESS", "Derivatives", "Node", "Table"]

END = 0
ENDLESS = 2**60
"""No longest word; also the length of the shortest word where there is none."""

_RESTS_PER_STATE = 8  # an NFA may be this many times larger than the states that are made of it
_EXPLORED_SHARE = 8  # of the states that are allowed, a boolean combination may take one in so many
_WORK_PER_STATE = 64  # moves that may be made, for each state of the budget

_LEAVES = (CharacterClass, Literal)
_CLASS, _TEXT, _SEQUENCE, _CHOICE, _REPEAT, _TABLE, AND, OR, NOT = range(9)


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


class Node:
    """A part of an expression, measured.

    low, high: letters of its shortest and longest words. peak: the most that `low` is in any of its rests.
    even: every rest of it has words of all lengths between its shortest and its longest.
    """

    __slots__ = ("even", "high", "kind", "least", "letters", "low", "lows", "most", "number", "parts", "peak", "table")

    def __init__(self, kind: int, number: int, low: int, high: int, peak: int, even: bool) -> None:
        self.kind = kind
        self.number = number
        self.low = low
        self.high = high
        self.peak = peak
        self.even = even
        self.parts: tuple[Node, ...] = ()
        self.letters: tuple[tuple[int, ...], ...] = ()
        self.lows: tuple[tuple[int, int], ...] = ()  # of a sequence: low and high of what is left from each part on
        self.least = 0
        self.most: int | None = None
        self.table: Table | None = None


class Derivatives:
    """The rests of some expressions over one alphabet.

    partition: of the code points, into `width` letters. extra: more sets that the letters must tell apart.
    """

    def __init__(self, expressions: Sequence[Expression], limits: Limits, extra: Iterable[Ranges] = ()) -> None:
        self.limits = limits
        self.partition = Partition.of(_labels(expressions, extra))
        self.width = self.partition.width
        self._letters_of: dict[Ranges, tuple[int, ...]] = {}
        self._letter_of: dict[str, tuple[int, ...]] = {}
        self._nodes = 0
        self._keys: list[tuple[Node, int, int]] = []
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._moves: list[tuple[list[tuple[tuple[int, ...], int]], bool] | None] = [([], True)]
        self._most = limits.states * _RESTS_PER_STATE
        self._work = limits.states * _WORK_PER_STATE
        self.low = [0]
        self.high = [0]
        self.family = [0]
        self.rounds: list[tuple[int, ...]] = [()]
        self._families: dict[tuple[int, int, int], int] = {}
        self._keys.append((self._node(_SEQUENCE, 0, 0, 0, True), 0, 0))
        self.universal = -1  # the rest that all words satisfy; -1 where the letters do not make up all characters
        if _holds_all(self.partition):
            everything = self._letters_of[ANY_CHARACTER.ranges] = tuple(range(self.width))
            self.universal = self.start(self._repeat(self._class(everything), 0, None))

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"<Derivatives {len(self)} rests so far, {self.width} letters>"

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

    def _node(self, kind: int, low: int, high: int, peak: int, even: bool) -> Node:
        self._nodes += 1
        return Node(kind, self._nodes, low, high, peak, even)

    def _leaf(self, expression: CharacterClass | Literal) -> Node:
        if isinstance(expression, CharacterClass):
            return self._class(self.letters(expression.ranges))
        text = expression.text
        node = self._node(_TEXT, len(text), len(text), len(text), True)
        known = self._letter_of
        node.letters = tuple([known.get(char) or self._letter(char) for char in text])
        return node

    def _measured(self, expression: Expression, parts: list[Node]) -> Node:
        if isinstance(expression, SequenceOf):
            return self._sequence([self._whole(part) for part in parts])
        if isinstance(expression, Repeat):
            return self._repeat(self._whole(parts[0]), expression.minimum, expression.maximum)
        if isinstance(expression, Choice):
            if any(part.kind >= AND for part in parts):
                return self._formula(OR, parts)
            return self._choice(parts)
        if isinstance(expression, Nest):
            return parts[0]
        if isinstance(expression, Intersection):
            return self._formula(AND, parts)
        if isinstance(expression, Complement):
            return self._formula(NOT, parts)
        raise GrammarError("GRAMMAR_NOT_REGULAR", what="A pattern", rule=type(expression).__name__)

    def letters(self, ranges: Ranges) -> tuple[int, ...]:
        """The letters of a set of code points."""
        known = self._letters_of.get(ranges)
        if known is None:
            known = self._letters_of[ranges] = self.partition.letters_of(ranges)
        return known

    def _letter(self, char: str) -> tuple[int, ...]:
        known = self._letter_of.get(char)
        if known is None:
            known = self._letter_of[char] = (self.partition.letter(ord(char)),)
        return known

    def _class(self, letters: tuple[int, ...]) -> Node:
        length = 1 if letters else ENDLESS
        node = self._node(_CLASS, length, length if letters else 0, length, True)
        node.letters = (letters,)
        return node

    def _sequence(self, parts: list[Node]) -> Node:
        low = high = peak = 0
        lows = [(0, 0)]
        for part in reversed(parts):
            peak = max(peak, min(ENDLESS, part.peak + low))
            low, high = min(ENDLESS, low + part.low), min(ENDLESS, high + part.high)
            lows.append((low, high))
        node = self._node(_SEQUENCE, low, high, peak, all(part.even for part in parts))
        node.parts, node.lows = tuple(parts), tuple(reversed(lows))
        return node

    def _choice(self, parts: list[Node]) -> Node:
        low, high, peak = ENDLESS, 0, 0
        kept: list[Node] = []
        for part in parts:
            if part.low < ENDLESS:
                kept.append(part)
                low, high, peak = min(low, part.low), max(high, part.high), max(peak, part.peak)
        node = self._node(_CHOICE, low, high, peak, _is_even(kept))
        node.parts = tuple(kept)
        return node

    def _repeat(self, item: Node, minimum: int, maximum: int | None) -> Node:
        if item.low >= ENDLESS or maximum == 0:
            return self._node(_SEQUENCE, 0, 0, 0, True) if minimum == 0 else self._class(())
        least = 0 if item.low == 0 else minimum  # rounds that take no letter are never needed
        low = min(ENDLESS, least * item.low)
        most = ENDLESS if maximum is None else maximum
        high = min(ENDLESS, most * item.high)
        peak = max(low, min(ENDLESS, item.peak + max(least - 1, 0) * item.low))
        even = item.even and (item.low <= 1 or minimum == maximum)
        node = self._node(_REPEAT, low, high, peak, even)
        node.parts, node.least, node.most = (item,), least, maximum
        return node

    def _formula(self, kind: int, parts: list[Node]) -> Node:
        node = self._node(kind, 0, ENDLESS, 0, False)
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
            return self._class(())
        whole = self._node(_TABLE, table.low[0], table.high[0], max(table.low), False)
        whole.table = table
        return whole

    # Rests

    def start(self, node: Node) -> int:
        """The rest that is the node alone; -1 where no word satisfies it."""
        return self._rest(node, 0, END)

    def _rest(self, node: Node, index: int, behind: int) -> int:
        """The number of a rest; what lies behind has been passed through this already."""
        while True:
            if node.low >= ENDLESS:
                return -1
            if node.kind == _SEQUENCE:
                if index == len(node.parts):
                    return behind
                if index < len(node.parts) - 1:
                    break
                node, index = node.parts[index], 0
            elif (node.kind == _TEXT and index == len(node.letters)) or (node.kind == _REPEAT and index == node.most):
                return behind
            else:
                break
        key = (node.number, index, behind)
        known = self._numbers.get(key)
        return self._new_rest(node, index, behind, key) if known is None else known

    def _new_rest(self, node: Node, index: int, behind: int, key: tuple[int, int, int]) -> int:
        number = len(self._keys)
        if self.universal >= 0 and behind in (END, self.universal) and self._is_everything(node, index):
            self._numbers[key] = self.universal
            return self.universal
        if number > self._most:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limits.states, reached=number // _RESTS_PER_STATE)
        low, high = _left(node, index)
        low, high = low + self.low[behind], min(ENDLESS, high + self.high[behind])
        self._numbers[key] = number
        self._keys.append((node, index, behind))
        self._moves.append(None)
        self.low.append(low)
        self.high.append(high)
        self._join_family(node, index, behind)
        return number

    def _join_family(self, node: Node, index: int, behind: int) -> None:
        """Note which rests a new one differs from in counts only, and its own counts."""
        rounds = self.rounds[behind]
        if node.kind == _REPEAT and (node.most is not None or node.least > 1):
            # What all words satisfy takes further rounds too.
            most = node.most is None or behind == self.universal
            rounds = (max(node.least - index, 0), -ENDLESS if most else index - (node.most or 0), *rounds)
            index = -1
        key = node.number, index, self.family[behind]
        self.family.append(self._families.setdefault(key, len(self._families) + 1))
        self.rounds.append(rounds)

    def _is_everything(self, node: Node, index: int) -> bool:
        """Whether the words of what is left of a node are all there are."""
        if node.kind == _TABLE:
            return node.table is not None and node.table.everything == index
        if node.kind != _REPEAT or node.most is not None or node.least > index:
            return False
        item = node.parts[0]
        return item.kind == _CLASS and len(item.letters[0]) == self.width

    def repeated(self, rest: int) -> tuple[tuple[int, ...], int, int] | None:
        """(letters, least, most) of a rest that is some letters, any of these each time, and then the end.

        most: ENDLESS where there is none. None for all other rests.
        """
        node, index, behind = self._keys[rest]
        if node.kind != _REPEAT or behind != END or node.parts[0].kind != _CLASS:
            return None
        most = ENDLESS if node.most is None else node.most - index
        return node.parts[0].letters[0], max(node.least - index, 0), most

    def takes(self, rest: int, letters: frozenset[int]) -> bool:
        """Whether a rest begins with as many of these letters as one likes, each at any time."""
        node, index, _ = self._keys[rest]
        if node.kind == _SEQUENCE and index < len(node.parts):
            node, index = node.parts[index], 0
        if node.kind != _REPEAT or node.most is not None or node.parts[0].kind != _CLASS:
            return False
        return letters.issubset(node.parts[0].letters[0])

    def moves(self, rest: int) -> tuple[list[tuple[tuple[int, ...], int]], bool]:
        """The moves of a rest, as (letters, rest after them), and whether a word may end there."""
        known = self._moves[rest]
        if known is None:
            known = self._moves[rest] = self._expanded(rest)
        return known

    def _expanded(self, rest: int) -> tuple[list[tuple[tuple[int, ...], int]], bool]:
        node, index, behind = self._keys[rest]
        if node.kind == _TEXT:
            return [(node.letters[index], self._rest(node, index + 1, behind))], False
        moves: dict[tuple[tuple[int, ...], int], None] = {}
        accepts = False
        seen = {rest}
        stack = [rest]
        while stack:
            here = stack.pop()
            self._work -= 1
            if here == END:
                accepts = True
                continue
            node, index, behind = self._keys[here]
            kind = node.kind
            if kind == _SEQUENCE:
                begun = [(node.parts[index], self._rest(node, index + 1, behind))]
            elif kind == _CHOICE:
                begun = [(part, behind) for part in node.parts]
            elif kind == _REPEAT:
                done = index + 1 if node.most is not None else min(index + 1, node.least)
                after = self._rest(node, done, behind)
                if node.parts[0].low == 0 and after != behind:
                    seen.add(after)  # what an empty round leads to is among the other ways
                begun = [(node.parts[0], after)]
                if index >= node.least and behind not in seen:
                    seen.add(behind)
                    stack.append(behind)
            elif kind == _TABLE:
                if self._through_table(node, index, behind, moves) and behind not in seen:
                    seen.add(behind)
                    stack.append(behind)
                continue
            else:
                moves[node.letters[index], self._rest(node, index + 1, behind) if kind == _TEXT else behind] = None
                continue
            for part, after in begun:
                if part.kind == _CLASS:  # needs no rest of its own
                    moves[part.letters[0], after] = None
                elif part.kind == _TEXT and part.letters:
                    moves[part.letters[0], self._rest(part, 1, after)] = None
                else:
                    following = self._rest(part, 0, after)
                    if following not in seen:
                        seen.add(following)
                        stack.append(following)
        self._work -= len(moves)
        if self._work < 0:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limits.states, reached=len(self))
        return list(moves), accepts

    def _through_table(
        self, node: Node, index: int, behind: int, moves: dict[tuple[tuple[int, ...], int], None]
    ) -> bool:
        """Add the moves from a place in a table; whether a word may end there."""
        table = node.table
        assert table is not None
        by_target: dict[int, list[int]] = {}
        for letter, target in enumerate(table.rows[index]):
            if target >= 0:
                by_target.setdefault(target, []).append(letter)
        for target, letters in by_target.items():
            moves[tuple(letters), self._rest(node, target, behind)] = None
        return table.accepting[index]


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


def _left(node: Node, index: int) -> tuple[int, int]:
    """The fewest and the most letters that are left of a node."""
    if index == 0 and node.kind != _TABLE:
        return node.low, node.high
    if node.kind == _TEXT:
        return len(node.letters) - index, len(node.letters) - index
    if node.kind == _SEQUENCE:
        return node.lows[index]
    if node.kind == _TABLE:
        assert node.table is not None
        return node.table.low[index], node.table.high[index]
    item = node.parts[0]
    most = ENDLESS if node.most is None else (node.most - index) * item.high
    return max(node.least - index, 0) * item.low, min(ENDLESS, most if item.high else 0)


def _is_even(parts: list[Node]) -> bool:
    """Whether lengths of alternatives leave no gap, in them and between them."""
    reach = -1
    for part in sorted(parts, key=lambda part: part.low):
        if not part.even or (reach >= 0 and part.low > reach + 1):
            return False
        reach = max(reach, part.high)
    return True
