"""Boolean combinations of regular expressions as tables: the product of their subset automata, explored and trimmed.

The formula over the parts is evaluated with three values: a part that has died is false for good, one that takes all
words is true for good. Where that decides the formula, exploration stops: at nothing, or at one state that takes all
words. So complements cost no dead ends, and a product with a narrow part stays narrow.
"""

from __future__ import annotations

from ..errors import BudgetError
from .derivatives import Derivatives, Table
from .rests import AND, ENDLESS, NOT, OR, Node
from .subsets import subsets_of

__all__ = ["combine"]

_NONE = -1  # the place of a part that no word satisfies any more
_ALL = -2  # of a part that all words satisfy
_EVERYTHING: tuple[int, ...] = ()  # the state in which the formula is true whatever follows


def combine(derivatives: Derivatives, formula: Node, most: int) -> Table:
    """The table of a formula; without rows where no word satisfies it.

    Raises BudgetError GRAMMAR_BUDGET_STATES beyond `most` states, those that are trimmed later included.
    """
    product = _Product(derivatives, formula, most)
    return _trimmed(product.rows, product.accepting, product.everything)


class _Product:
    """One exploration. A state is a place in each part; state 0 is the start."""

    def __init__(self, derivatives: Derivatives, formula: Node, most: int) -> None:
        self._limit = most
        self._subsets = subsets_of(derivatives)
        self._parts: list[Node] = []
        self._program: list[tuple[int, int]] = []  # in postfix order: (0, part), or (kind, number of operands)
        self._compile(formula)
        self._signs = _signs(formula, self._parts)
        self._ends = {_NONE: False, _ALL: True}
        self._numbers: dict[tuple[int, ...], int] = {}
        self._order: list[tuple[int, ...]] = []
        self._part_rows = {_NONE: [_NONE] * derivatives.width, _ALL: [_ALL] * derivatives.width}
        self.rows: list[list[int]] = []
        self.accepting: list[bool] = []
        self._number(tuple(self._place(self._subsets.start(part)) for part in self._parts))
        for places in self._order:
            self._explore(places)
        self.everything = self._numbers.get(_EVERYTHING, -1)

    def _compile(self, formula: Node) -> None:
        numbers: dict[int, int] = {}
        stack: list[tuple[Node, bool]] = [(formula, False)]
        while stack:
            node, ready = stack.pop()
            if node.kind not in (AND, OR, NOT):
                if node.number not in numbers:
                    numbers[node.number] = len(self._parts)
                    self._parts.append(node)
                self._program.append((0, numbers[node.number]))
            elif ready:
                self._program.append((node.kind, len(node.parts)))
            else:
                stack.append((node, True))
                stack.extend((part, False) for part in reversed(node.parts))

    def _evaluate(self, values: list[bool | None]) -> bool | None:
        """The formula for the values of its parts; None where that is open."""
        if self._signs is not None:
            decided: bool | None = True
            for value, sign in zip(values, self._signs, strict=True):
                if value is None:
                    decided = None
                elif value is not sign:
                    return False
            return decided
        stack: list[bool | None] = []
        for kind, number in self._program:
            if kind == 0:
                stack.append(values[number])
            elif kind == NOT:
                value = stack.pop()
                stack.append(None if value is None else not value)
            else:
                operands = stack[len(stack) - number :]
                del stack[len(stack) - number :]
                decisive = kind == OR
                if decisive in operands:
                    stack.append(decisive)
                else:
                    stack.append(None if None in operands else not decisive)
        return stack[0]

    def _accepts(self, place: int) -> bool:
        known = self._ends.get(place)
        if known is None:
            known = self._ends[place] = self._subsets.accepting(place)
        return known

    def _place(self, state: int) -> int:
        return _ALL if state >= 0 and self._subsets.takes_all(state) else state

    def _number(self, places: tuple[int, ...]) -> int:
        """The number of a state, _NONE where no word can follow."""
        known = self._numbers.get(places)
        if known is not None:
            return known
        verdict = True
        if places != _EVERYTHING:
            found = self._evaluate([None if place >= 0 else place == _ALL for place in places])
            if found is not None:
                number = self._numbers[places] = self._number(_EVERYTHING) if found else _NONE
                return number
            verdict = False
        number = self._numbers[places] = len(self._order)
        if number >= self._limit:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._limit, reached=number + 1)
        self._order.append(places)
        self.accepting.append(verdict or bool(self._evaluate([self._accepts(place) for place in places])))
        return number

    def _explore(self, places: tuple[int, ...]) -> None:
        if places == _EVERYTHING:
            self.rows.append([self._numbers[places]] * len(self._part_rows[_ALL]))
            return
        columns = zip(*(self._part_rows.get(place) or self._part_row(place) for place in places), strict=True)
        numbers = self._numbers
        row: list[int] = []
        for column in columns:
            number = numbers.get(column)
            row.append(self._number(column) if number is None else number)
        self.rows.append(row)

    def _part_row(self, place: int) -> list[int]:
        row = self._part_rows[place] = [self._place(target) for target in self._subsets.row(place)]
        return row


def _signs(formula: Node, parts: list[Node]) -> list[bool] | None:
    """Where a formula is "these parts and none of those", which they are: what each must be. Else None."""
    signs: dict[int, bool] = {}
    for operand in formula.parts if formula.kind == AND else (formula,):
        inner = operand.parts[0] if operand.kind == NOT else operand
        sign = operand.kind != NOT
        if inner.kind in (AND, OR, NOT) or signs.setdefault(inner.number, sign) != sign:
            return None
    return [signs[part.number] for part in parts]


def _trimmed(rows: list[list[int]], accepting: list[bool], everything: int) -> Table:
    """Only the states from which a word can be completed."""
    low, before = _shortest(rows, accepting)
    if not rows or low[0] == ENDLESS:
        return Table([], [], [], [], -1)
    numbers: dict[int, int] = {}
    for state, length in enumerate(low):
        if length < ENDLESS:
            numbers[state] = len(numbers)
    kept = [[numbers.get(target, -1) for target in rows[state]] for state in numbers]
    highs = _longest(rows, before, list(numbers))
    return Table(
        kept,
        [accepting[state] for state in numbers],
        [low[state] for state in numbers],
        [highs[state] for state in numbers],
        numbers.get(everything, -1),
    )


def _shortest(rows: list[list[int]], accepting: list[bool]) -> tuple[list[int], list[list[int]]]:
    """The fewest letters from each state to acceptance; and the states before each."""
    before: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for target in set(row):
            if target >= 0:
                before[target].append(state)
    low = [0 if accepts else ENDLESS for accepts in accepting]
    queue = [state for state, accepts in enumerate(accepting) if accepts]
    for state in queue:
        for source in before[state]:
            if low[source] == ENDLESS:
                low[source] = low[state] + 1
                queue.append(source)
    return low, before


def _longest(rows: list[list[int]], before: list[list[int]], alive: list[int]) -> dict[int, int]:
    """The most letters from each state to acceptance: what is not peeled off from the end reaches a cycle."""
    living = set(alive)
    left = {state: sum(target in living for target in set(rows[state])) for state in alive}
    high = dict.fromkeys(alive, ENDLESS)
    queue = [state for state in alive if left[state] == 0]
    for state in queue:
        high[state] = 0
    for state in queue:
        for source in before[state]:
            if source in living:
                left[source] -= 1
                if left[source] == 0:
                    high[source] = 1 + max(high[t] for t in set(rows[source]) if t in living)
                    queue.append(source)
    return high
