"""A short text after which a conflict shows, for the message that refuses a grammar.

Words are built from what leads to a state: the shortest by number of moves, with a short word for each call. They are
kept as links, not as texts, since an automaton of 100,000 states may be one long chain. A word beyond `_LONGEST` bytes
helps nobody, and rules that double what they call would have words of any length, so there the search gives up.
"""

from __future__ import annotations

from collections.abc import Sequence

from .modules import ModuleDfa
from .visibility import Conflict, Sets

__all__ = ["example_of"]

_LONGEST = 200
_MOST_LOOKS = 8  # at one module
_Ways = dict[int, tuple[int, bytes]]
"""For each state that was reached the state before, and what leads from there; -1 before the first."""


def example_of(modules: Sequence[ModuleDfa], conflict: Conflict) -> bytes | None:
    """A short prefix after which the conflict shows; None where none was found that is short enough to be shown."""
    search = _Search(modules)
    inside = _spell(search.ways(conflict.module), conflict.state)
    if inside is None or conflict.module == 0:
        return inside
    before = search.before(conflict.module, conflict.byte if conflict.at_end else None)
    return None if before is None or len(before) + len(inside) > _LONGEST else before + inside


class _Search:
    """Short words that lead to a state."""

    def __init__(self, modules: Sequence[ModuleDfa]) -> None:
        self._modules = modules
        self._words: list[bytes | None] = [None] * len(modules)  # a word of each module
        self._ways: list[_Ways | None] = [None] * len(modules)
        self._find_words()

    def ways(self, number: int) -> _Ways:
        """Ways through a module from its start, by words that are known."""
        known = self._ways[number]
        if known is None:
            known = self._ways[number] = self._explore(number)
        return known

    def before(self, number: int, byte: int | None) -> bytes | None:
        """A short word from the beginning to a call of the module, one that `byte` can follow when it is given."""
        sets = Sets(self._modules)
        came: dict[int, bytes] = {0: b""}
        queue = [0]
        for caller in queue:
            ways = self.ways(caller)
            for state in ways:
                for call, after in self._modules[caller].calls(state):
                    callee = call.module
                    found = callee == number and (byte is None or sets.after_call(caller, after) >> byte & 1)
                    inside = _spell(ways, state) if found or callee not in came else None
                    if inside is None or len(came[caller]) + len(inside) > _LONGEST:
                        continue
                    word = came[caller] + inside
                    if found:
                        return word
                    if callee not in came:
                        came[callee] = word
                        queue.append(callee)
        return None

    def _find_words(self) -> None:
        """Modules whose callees have words get theirs first; a module is looked at once more for each new callee."""
        callers: list[set[int]] = [set() for _ in self._modules]
        for number, module in enumerate(self._modules):
            for state in range(len(module.dfa)):
                for call, _ in module.calls(state):
                    callers[call.module].add(number)
        pending = list(range(len(self._modules) - 1, -1, -1))
        waiting = set(pending)
        looks = [0] * len(self._modules)
        for number in pending:
            waiting.discard(number)
            if self._words[number] is not None or looks[number] == _MOST_LOOKS:
                continue
            looks[number] += 1
            ways = self._explore(number)
            accepting = self._modules[number].dfa.accepting
            end = next((state for state in ways if accepting[state]), -1)
            self._words[number] = _spell(ways, end)
            if self._words[number] is None:
                continue
            for caller in callers[number] - waiting:
                if self._words[caller] is None:
                    waiting.add(caller)
                    pending.append(caller)

    def _explore(self, number: int) -> _Ways:
        module = self._modules[number]
        letters = [bytes([_printable(ranges)]) for ranges in module.dfa.partition.ranges_by_letter()]
        ways: _Ways = {0: (-1, b"")}
        queue = [0]
        for here in queue:
            for letter, target in module.byte_moves(here):
                if target not in ways:
                    ways[target] = here, letters[letter]
                    queue.append(target)
            for call, target in module.calls(here):
                word = self._words[call.module]
                if target not in ways and word is not None:
                    ways[target] = here, word
                    queue.append(target)
        return ways


def _spell(ways: _Ways, state: int) -> bytes | None:
    """The word that leads to a state; None where it is long, or none was found."""
    if state not in ways:
        return None
    parts: list[bytes] = []
    length = 0
    while state >= 0:
        state, part = ways[state]
        parts.append(part)
        length += len(part)
        if length > _LONGEST or len(parts) > 2 * _LONGEST:
            return None
    return b"".join(reversed(parts))


def _printable(ranges: tuple[tuple[int, int], ...]) -> int:
    """A byte of the set that reads well in a message."""
    for first, last in ((0x61, 0x7A), (0x30, 0x39), (0x21, 0x7E)):
        for low, high in ranges:
            if max(low, first) <= min(high, last):
                return max(low, first)
    return ranges[0][0]
