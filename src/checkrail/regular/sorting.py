"""Texts sorted by patterns: one automaton that says of every text in which of some sets it is.

Each set is told by the patterns that a text satisfies, and together they hold all texts: keys by `patternProperties`
with all others beside them, strings by a pattern beside any. So every state is alive, and a complement is no automaton
of its own: it is where the pattern's has ended. You need it where values of several sets are told apart; for one set
see `texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import count

from ..errors import BudgetError
from ..grammar.expression import ANY_CHARACTER, Expression
from ..limits import Limits
from .derivatives import ENDLESS, Derivatives
from .subsets import NO_BOUND
from .texts import TextAutomaton, automaton_of

__all__ = ["ANYTHING", "Sorting"]

ANYTHING = ("text", 0, NO_BOUND)  # what `Pattern.name_of` calls all texts
_UNKNOWN = -1
_SERIAL = count()

_Key = tuple[int, ...]
"""1 if some sets are out, else 0; then a state of each pattern, -1 where no text satisfies it any more."""


class Sorting:
    """An automaton over characters, in which texts end with a number.

    patterns: what tells the sets apart, one bit of a case each. sets: for each set the cases in which a text is in it,
    as bits. number: numbers the sets that a text is in, together. passing: the sets that are out after `passed`.
    """

    def __init__(
        self,
        patterns: Sequence[Expression],
        sets: Sequence[int],
        number: Callable[[tuple[int, ...]], int],
        limits: Limits,
        passing: Sequence[bool],
    ) -> None:
        derivatives = Derivatives(patterns, limits, [ANY_CHARACTER.ranges])
        self._partition = derivatives.partition
        self._patterns = [automaton_of(pattern, derivatives) for pattern in patterns]
        self._sets = [
            list(enumerate(sets)),
            [(each, cases) for each, (cases, out) in enumerate(zip(sets, passing, strict=True)) if not out],
        ]
        self._number_of = number
        self._most = limits.states
        self._name = next(_SERIAL)
        self._out = [-1] * derivatives.width
        self._keys: list[_Key] = []
        self._numbers: dict[_Key, int] = {}
        self._rows: list[list[int] | None] = []
        self._passed_is_alive: dict[_Key, bool] = {}
        self.start = self._number((0, *[-1 if pattern is None else pattern.start for pattern in self._patterns]))

    def __repr__(self) -> str:
        return f"<Sorting {len(self._keys)} states so far>"

    @property
    def texts(self) -> TextAutomaton:
        """All texts, whatever sets they are in."""
        return TextAutomaton(self, self._partition)

    def _number(self, key: _Key) -> int:
        """The number of a state, -1 where it is dead."""
        number = self._numbers.get(key)
        if number is None:
            if key[0] and not self._is_alive(key):
                number = -1
            else:
                number = len(self._keys)
                if number >= self._most:
                    raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=number + 1)
                self._keys.append(key)
                self._rows.append(None)
            self._numbers[key] = number
        return number

    def _following(self, key: _Key) -> list[_Key]:
        """The states by letter."""
        places = zip(self._patterns, key[1:], strict=True)
        rows = [self._out if pattern is None or place < 0 else pattern.row(place) for pattern, place in places]
        return list(zip([key[0]] * len(self._out), *rows, strict=True))

    def row(self, state: int) -> list[int]:
        """The next state by letter."""
        row = self._rows[state]
        if row is None:
            following = self._following(self._keys[state])
            numbers = {key: self._number(key) for key in dict.fromkeys(following)}
            row = self._rows[state] = list(map(numbers.__getitem__, following))
        return row

    def passed(self, state: int) -> int:
        """The same state without the sets of `passing`; -1 where no text follows."""
        return self._number((1, *self._keys[state][1:]))

    def _is_alive(self, start: _Key) -> bool:
        """Whether a text follows: mostly one of a letter or two, so the nearest are tried first."""
        alive = self._passed_is_alive
        pending, seen = [start], {start}
        for key in pending:
            if alive.get(key) or self._sets_at(key):
                alive[start] = True
                return True
            if alive.get(key) is None:
                for target in dict.fromkeys(self._following(key)):
                    if target not in seen:
                        seen.add(target)
                        pending.append(target)
            if len(seen) > self._most:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=len(seen))
        alive.update(dict.fromkeys(seen, False))
        return False

    def accepting(self, state: int) -> bool:
        """Whether a text that ends here is in one of the sets."""
        return bool(self._sets_at(self._keys[state]))

    def ends_as(self, state: int) -> int:
        """The number of the sets that a text is in which ends here; -1 where it is in none."""
        sets = self._sets_at(self._keys[state])
        return self._number_of(sets) if sets else -1

    def _sets_at(self, key: _Key) -> tuple[int, ...]:
        case = 0
        for bit, (pattern, place) in enumerate(zip(self._patterns, key[1:], strict=True)):
            if pattern is not None and place >= 0 and pattern.accepting(place):
                case |= 1 << bit
        return tuple([number for number, cases in self._sets[key[0]] if cases >> case & 1])

    def run(self, state: int, letters: frozenset[int]) -> int:
        """How many of these letters can follow in a row: any, where no set is out. -1 where that is not seen."""
        return _UNKNOWN if self._keys[state][0] else ENDLESS

    def decided(self, state: int, longest: int) -> int:
        """The number with which all texts of at most `longest` characters end that follow here; -1 where they do not
        end alike, or may not follow."""
        always = (None, ANYTHING, (*ANYTHING[:2], longest + 1))  # the last one has room for all of them
        if any(name not in always for name in self._names(state, longest)):
            return -1
        places = self._keys[state][1:]
        sets = self._sets_at((1, *places))  # what passes away decides nothing
        return self._number_of(sets) if sets and sets == self._sets_at(self._keys[state]) else -1

    def name_of(self, state: int, longest: int) -> Hashable:
        """Equal names: the same can follow, as far as `longest` characters show."""
        return self._name, self._keys[state][0], *self._names(state, longest)

    def _names(self, state: int, longest: int) -> list[Hashable]:
        places = zip(self._patterns, self._keys[state][1:], strict=True)
        return [None if pattern is None or place < 0 else pattern.name_of(place, longest) for pattern, place in places]
