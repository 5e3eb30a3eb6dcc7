"""A deterministic finite automaton: the value that determinize, minimize and the algebra exchange.

Partial: a missing move is a dead end, so no sink state is stored. State 0 is the start. Letters from 0 to
partition.width - 1 stand for ranges of integers; the letters after them stand for symbols.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from .partition import Partition, Ranges, join_ranges

__all__ = ["Dfa"]


@dataclass(frozen=True, slots=True)
class Dfa:
    """moves[state][letter] is the next state; accepting[state] is 1 where a word may end."""

    partition: Partition
    symbols: tuple[Hashable, ...]
    moves: tuple[dict[int, int], ...]
    accepting: bytes

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        transitions = sum(map(len, self.moves))
        return (
            f"<Dfa {len(self)} states, {self.partition.width + len(self.symbols)} letters, {transitions} transitions>"
        )

    def step(self, state: int, value: int) -> int:
        """The state after `value`, -1 for none."""
        return self.moves[state].get(self.partition.letter(value), -1)

    def accepts(self, word: str | Iterable[int]) -> bool:
        """Whether the word (a text, or its values) belongs to the language. Symbols cannot occur in it."""
        state = 0
        for value in map(ord, word) if isinstance(word, str) else word:
            state = self.step(state, value)
            if state < 0:
                return False
        return bool(self.accepting[state])

    def is_empty(self) -> bool:
        """Whether no word is accepted; exact for trimmed automata (what `minimize` returns)."""
        return not any(self.accepting)

    def edges(self, state: int) -> list[tuple[Ranges, int]]:
        """The moves on integers, letters with one target joined, in order of the target's first value."""
        by_target: dict[int, list[Ranges]] = {}
        ranges = self.partition.ranges_by_letter()
        for letter, target in sorted(self.moves[state].items()):
            if letter < self.partition.width:
                by_target.setdefault(target, []).append(ranges[letter])
        return [(join_ranges(parts), target) for target, parts in by_target.items()]

    def shortest(self) -> list[int] | None:
        """A shortest accepted word of integers (smallest values first), or None. O(transitions)."""
        ranges = self.partition.ranges_by_letter()
        came: dict[int, tuple[int, int]] = {0: (-1, -1)}
        queue = [0]
        for state in queue:
            if self.accepting[state]:
                word: list[int] = []
                while state != 0 or came[state][0] >= 0:
                    state, value = came[state]
                    word.append(value)
                return word[::-1]
            for letter, target in sorted(self.moves[state].items()):
                if letter < self.partition.width and target not in came:
                    came[target] = (state, ranges[letter][0][0])
                    queue.append(target)
        return None
