"""One token's way through a module: the states that a token can lead to without leaving its module.

`token_costs` counts tokens to the end of a module and needs, for each state, where one token may lead. Finding every
such state means walking the whole trie from every state, which is far too dear for a string state and a vocabulary
of 100,000 tokens. So each walk has an allowance: it takes the moves that come nearer to the module's end first, and
stops when the allowance is spent. Tokens of one byte are always found. What is found is a step that exists, so a
sum of steps is a sequence of tokens that exists; what is missed can only make the sum larger than it need be.

Cost: at most `allowance` trie nodes a state, beside one look at each byte that the state reads.
"""

from __future__ import annotations

from collections.abc import Collection

from ..automaton.pushdown import PushdownAutomaton
from ..vocabulary.trie import Trie

__all__ = ["TokenSteps"]


class TokenSteps:
    """Finds steps in one automaton. without: ids that are not to be used."""

    def __init__(self, automaton: PushdownAutomaton, trie: Trie, without: Collection[int] = ()) -> None:
        self._automaton = automaton
        self._trie = trie
        self._without = frozenset(without)
        self._children: dict[int, dict[int, int]] = {}
        self._members = [_bytes_by_class(m, w) for m, w in zip(automaton.class_maps, automaton.widths, strict=True)]

    def targets(self, state: int, allowance: int) -> set[int]:
        """States that one token leads to from `state`; all of them if the walk ends within the allowance."""
        found: set[int] = set()
        stack = self._first_moves(state, found)
        while stack and allowance > 0:
            allowance -= 1
            _, node, here = stack.pop()
            if self._usable(node):
                found.add(here)
            stack += self._moves(node, here)
        return found

    def last_bytes(self) -> set[int]:
        """The bytes that tokens end with, forbidden ones too."""
        return {byte for byte, token in zip(self._trie.byte, self._trie.token, strict=True) if token >= 0}

    def _first_moves(self, state: int, found: set[int]) -> list[tuple[int, int, int]]:
        """The moves from the root, nearest to the end last. Tokens of one byte are added to `found` at once."""
        automaton = self._automaton
        module, row = automaton.module_of[state], automaton.row_of[state]
        children = self._children_of(0)
        moves: list[tuple[int, int, int]] = []
        for letter, members in enumerate(self._members[module]):
            target = automaton.next_state[row + letter]
            if target < 0:
                continue
            for byte in members:
                node = children.get(byte, -1)
                if node >= 0:
                    moves.append((-automaton.length[target], node, target))
                    if target not in found and self._usable(node):
                        found.add(target)
        moves.sort()
        return moves

    def _moves(self, node: int, state: int) -> list[tuple[int, int, int]]:
        automaton = self._automaton
        row = automaton.row_of[state]
        classes = automaton.class_maps[automaton.module_of[state]]
        moves: list[tuple[int, int, int]] = []
        for byte, child in self._children_of(node).items():
            target = automaton.next_state[row + classes[byte]]
            if target >= 0:
                moves.append((-automaton.length[target], child, target))
        moves.sort()
        return moves

    def _children_of(self, node: int) -> dict[int, int]:
        found = self._children.get(node)
        if found is None:
            found = self._children[node] = {self._trie.byte[child]: child for child in self._trie.children(node)}
        return found

    def _usable(self, node: int) -> bool:
        if self._trie.token[node] < 0:
            return False
        return not self._without or any(token not in self._without for token in self._trie.ids(node))


def _bytes_by_class(class_map: bytes, width: int) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(width)]
    for byte, letter in enumerate(class_map):
        members[letter].append(byte)
    return members
