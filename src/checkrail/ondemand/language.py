"""What a scalar's language offers: a deterministic automaton over bytes, made on demand or complete.

State 0 is the start and every state is alive: some accepted word follows. Languages are shared between constraints
and threads; from outside they do not change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import count
from threading import RLock

from ..errors import BudgetError
from ..limits import Limits

__all__ = [
    "ENDLESS_RUN",
    "LONGEST_TOKEN",
    "UNKNOWN_RUN",
    "FinishedLanguage",
    "KeyedLanguage",
    "Language",
    "OnDemandLanguage",
]

ENDLESS_RUN = 2**30
UNKNOWN_RUN = -1
LONGEST_TOKEN = 4_096  # bytes, for callers who do not know it

_SERIAL = count()


class Language(ABC):
    """class_map: 256 bytes, the class of each byte. width: number of classes.

    row(state): the next state by class, -1 for none; BudgetError where that takes more states than are allowed.
    accepting(state): whether a word may end here. name: equal for equal automata in every grammar. size: the number of
    states where all are known (then `rows` holds their rows and `accepts` has 1 for those that accept), None where they
    are made on demand.
    """

    class_map: bytes
    width: int
    name: bytes
    size: int | None = None
    rows: array[int] = array("i")
    accepts: bytes = b""
    row: Callable[[int], Sequence[int]]
    accepting: Callable[[int], bool]

    @property
    def is_large(self) -> bool:
        """Whether it has so many states that the next to use it should begin with none."""
        return False

    def plain_run(self, state: int) -> int:
        """How many plain characters (`mask.plain`) can follow in a row, whatever they are, and no more.

        ENDLESS_RUN where there is no end to them, UNKNOWN_RUN where some plain characters can follow and others not.
        """
        return UNKNOWN_RUN

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        """Equal names: the same bytes can follow, as far as a token of `longest` bytes can see; in one process."""
        return self.name, state


class OnDemandLanguage(Language):
    """Its states are made when they are asked for; at most `limits.states`.

    place(state): the row of a state, and whether a word may end there.
    """

    place: Callable[[int], tuple[list[int], bool]]

    def __init__(self, class_map: bytes, width: int, limits: Limits) -> None:
        self.class_map = class_map
        self.width = width
        self.name = b"on demand %d" % next(_SERIAL)
        self._most = limits.states
        self._lock = RLock()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self)} states so far, {self.width} classes>"

    @abstractmethod
    def __len__(self) -> int:
        """How many states there are."""

    @property
    def is_large(self) -> bool:
        """Whether it has so many states that the next to use it should begin with none."""
        return 2 * len(self) > self._most


class KeyedLanguage(OnDemandLanguage):
    """States have keys; `_made(key)` gives the row of one."""

    def __init__(self, class_map: bytes, width: int, limits: Limits, start: Hashable) -> None:
        super().__init__(class_map, width, limits)
        self._keys: list[Hashable] = [start]
        self._numbers: dict[Hashable, int] = {start: 0}
        self._known: list[tuple[list[int], bool] | None] = [None]

    def __len__(self) -> int:
        return len(self._keys)

    def place(self, state: int) -> tuple[list[int], bool]:
        place = self._known[state]
        if place is None:
            with self._lock:
                place = self._known[state]
                if place is None:
                    row = self._made(self._keys[state])
                    place = self._known[state] = row, self.accepting(state)
        return place

    def row(self, state: int) -> list[int]:
        return self.place(state)[0]

    @abstractmethod
    def _made(self, key: Hashable) -> list[int]:
        """The row of a state that has none yet."""

    def _number(self, key: Hashable) -> int:
        """The number of a state."""
        number = self._numbers.get(key)
        if number is None:
            number = len(self._keys)
            if number >= self._most:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=number + 1)
            self._keys.append(key)
            self._known.append(None)
            self._numbers[key] = number
        return number


class FinishedLanguage(Language):
    """All states in tables. names: what `name_of` answers, if it is the same for all tokens."""

    def __init__(
        self,
        class_map: bytes,
        width: int,
        rows: array[int],
        accepts: bytes,
        name: bytes,
        names: Sequence[tuple[Hashable, ...] | None],
        runs: Sequence[int],
    ) -> None:
        self.class_map = class_map
        self.width = width
        self.rows = rows
        self.accepts = accepts
        self.size = len(accepts)
        self.name = name
        self._names = names
        self._runs = runs

    def __repr__(self) -> str:
        return f"<FinishedLanguage {self.size} states, {self.width} classes>"

    def row(self, state: int) -> Sequence[int]:
        return self.rows[state * self.width : (state + 1) * self.width]

    def accepting(self, state: int) -> bool:
        return bool(self.accepts[state])

    def plain_run(self, state: int) -> int:
        return self._runs[state]

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        return self._names[state]
