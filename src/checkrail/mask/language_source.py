"""One scalar language as an automaton by itself, all states made: what masks of its places are made from."""

from __future__ import annotations

from array import array
from typing import Any, NoReturn

from ..errors import MaskError
from ..ondemand.language import LONGEST_TOKEN, Language

__all__ = ["LanguageSource"]

_MOST_STATES = 4_096


class LanguageSource:
    """A `Source`. longest: bytes of the longest token, for `name_of`."""

    generation = 0
    nesting = 1
    start = 0

    def __init__(self, language: Language, longest: int = LONGEST_TOKEN) -> None:
        order, numbers = [0], {0: 0}
        self.states, self.next_state = array("i"), array("i")
        for state in order:  # grows
            first = len(self.next_state)
            for target in language.row(state)[: language.width]:
                if target >= 0 and target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                self.next_state.append(numbers.get(target, -1))
            if len(order) > _MOST_STATES:
                raise MaskError("INTERNAL", what="a standard language is large")
            moves = max(self.next_state[first:], default=-1) >= 0
            kind = (1 if moves else 2) if language.accepting(state) else 0
            self.states.extend((first, 0, kind, 0, 0, 0, 0, -1))
        self.class_of = language.class_map
        self.edges = array("i", [0, 0, 0, 0])
        self._language = language
        self._longest = longest
        self._order = order

    def expand(self, state: int) -> NoReturn:
        """Not called: all states have their rows."""
        raise MaskError("INTERNAL", what=f"state {state} of a whole language has no row")

    def name_of(self, state: int) -> tuple[Any, ...] | None:
        """The language's own name of a state."""
        return self._language.name_of(self._order[state], self._longest)

    def plain_run(self, state: int) -> int:
        """How many plain characters can follow in a row."""
        return self._language.plain_run(self._order[state])

    def unbounded(self, _state: int) -> None:
        """No state is known as another one with a bound."""
