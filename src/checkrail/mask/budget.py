"""Masks under a token budget: the tokens after which the text can still be finished with the tokens that are left.

    allowed(configuration, left) = tokens t of the mask with need(configuration after t) <= left - 1

`need` is the achievable number of `token_costs`, added up along the stack: for a pair (state, frame) the tokens that
finish the state's module and then those that finish each pending one. Where a configuration needs n, some allowed
token leads to one that needs n - 1 at most, so a mask under a budget that was sufficient at the start is never empty
before the text is whole, and the text is whole when the budget is spent. For the same reason the mask then avoids the
dead ends of a vocabulary that cannot write all bytes.

A mask is put together as in `engine`, from parts that do not depend on the stack: the tokens that stay inside a
module, each with the need of where it leads, and what exits become after a return. A part is a few bitsets, one for
each different need, and is kept, so a budget on another stack is a comparison a bitset. The first visit of a state
walks its live part of the trie in Python (about half a microsecond a node); `unrestricted` tells beforehand, from a
bound a state, that no token can need too much, which is so for all of a text but its end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ..automaton.modules import TokenEdge
from ..vocabulary.trie import Trie
from .configuration import Configuration, Frame, Stepper
from .token_costs import INFINITE, TokenCosts
from .token_steps import TokenSteps

__all__ = ["TokenBudget"]

_CACHE_BYTES = 64 * 1024 * 1024
_MAXIMUM_FRAMES = 50_000


@dataclass(frozen=True, slots=True)
class _Part:
    """needs: ascending. bits[i]: the tokens that need at most needs[i], bit t is token t. exits: trie nodes."""

    needs: tuple[int, ...]
    bits: tuple[int, ...]
    exits: tuple[int, ...]

    @property
    def memory(self) -> int:
        return sum(bits.bit_length() for bits in self.bits) // 8 + 8 * len(self.exits)

    def within(self, bound: int) -> int:
        place = bisect_right(self.needs, bound)
        return self.bits[place - 1] if place else 0


class TokenBudget:
    """What a budget costs and allows in one automaton over one vocabulary. Threads may share it.

    edge_tokens: for each token edge of the automaton the ids that it takes. depth_key(state, depth): the depth that
    a mask in this state depends on. without: ids that the sampler will not choose; needs do not count on them.
    """

    def __init__(
        self,
        stepper: Stepper,
        trie: Trie,
        edge_tokens: Mapping[TokenEdge, Collection[int]],
        depth_key: Callable[[int, int], int],
        without: Collection[int] = (),
    ) -> None:
        self._stepper = stepper
        self._automaton = stepper.automaton
        self._trie = trie
        self._edge_tokens = edge_tokens
        self._depth_key = depth_key
        steps = TokenSteps(self._automaton, trie, without)
        usable = {edge for edge, tokens in edge_tokens.items() if any(token not in without for token in tokens)}

        def targets(state: int, allowance: int) -> set[int]:
            found = steps.targets(state, allowance)
            return found | {target for edge, target in self._automaton.tokens[state] if edge in usable}

        self._costs = TokenCosts(self._automaton, targets, steps.last_bytes())
        self._parts: dict[object, _Part] = {}
        self._part_bytes = 0
        self._above: dict[Frame, tuple[int, int, int]] = {}

    @property
    def memory(self) -> int:
        """Bytes of the parts that are kept."""
        return self._part_bytes

    def need(self, configuration: Configuration) -> int:
        """Tokens that finish the text from here; INFINITE where no sequence of them was found."""
        nesting = self._automaton.nesting
        best = INFINITE
        for state, frame in configuration.pairs:
            tokens = self._costs.least(state, nesting - frame.depth) + self._pending(frame)[0]
            best = min(best, tokens)
        return best

    def unrestricted(self, configuration: Configuration, left: int) -> bool:
        """Whether no token of the mask can need too much. A cheap test: False may also mean that it cannot tell."""
        for state, frame in configuration.pairs:
            _, highest, ceiling = self._pending(frame)
            if max(self._costs.ceiling[state] + highest, ceiling) > left - 1:
                return False
        return True

    def allowed(self, configuration: Configuration, left: int) -> int:
        """The tokens after which the text can be finished with `left` tokens in all: bit t is token t.

        End tokens are not among them.
        """
        nesting = self._automaton.nesting
        found = 0
        entered: set[tuple[tuple[int, ...], Frame]] = set()
        for state, frame in configuration.pairs:
            part = self._local(state, frame.depth)
            bound = left - 1
            found |= part.within(bound - self._pending(frame)[0])
            found |= self._after_exits(part.exits, frame, bound, entered)
            for edge, target in self._automaton.tokens[state]:
                tokens = self._costs.least(target, nesting - frame.depth) + self._pending(frame)[0]
                if tokens <= bound:
                    found |= _bitset(self._edge_tokens[edge])
        return found

    def _after_exits(
        self, exits: tuple[int, ...], frame: Frame, bound: int, entered: set[tuple[tuple[int, ...], Frame]]
    ) -> int:
        """What exits become further up the stack."""
        found = 0
        pending = [(exits, frame)] if exits else []
        for key in pending:  # frames below are older, so this ends
            if key in entered:
                continue
            entered.add(key)
            nodes, above = key
            for state, below in above.entries:
                part = self._after_return(nodes, state, below.depth)
                found |= part.within(bound - self._pending(below)[0])
                if part.exits:
                    pending.append((part.exits, below))
        return found

    def _pending(self, frame: Frame) -> tuple[int, int, int]:
        """Of a frame: the tokens that finish what is pending, an upper bound of them, and the highest ceiling there."""
        known = self._above
        if frame in known:
            return known[frame]
        if len(known) > _MAXIMUM_FRAMES:
            known = self._above = {}
        nesting, costs = self._automaton.nesting, self._costs
        stack = [frame]
        while stack:
            here = stack[-1]
            missing = [below for _, below in here.entries if below not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            least, highest, ceiling = (INFINITE, 0, 0) if here.entries else (0, 0, 0)
            for state, below in here.entries:
                needed, bound, top = known[below]
                least = min(least, costs.least(state, nesting - below.depth) + needed)
                highest = max(highest, costs.highest(state) + bound)
                ceiling = max(ceiling, costs.ceiling[state] + bound, top)
            known[here] = (least, highest, ceiling)
        return known[frame]

    def _local(self, state: int, depth: int) -> _Part:
        depth = self._depth_key(state, depth)
        found = self._parts.get((state, depth))
        if found is None:
            root = Configuration(((state, self._stepper.bottoms[depth]),), False)
            found = self._keep((state, depth), self._walk((0,), root))
        return found

    def _after_return(self, nodes: tuple[int, ...], state: int, depth: int) -> _Part:
        depth = self._depth_key(state, depth)
        found = self._parts.get((nodes, state, depth))
        if found is None:
            root = self._stepper.close([(state, self._stepper.bottoms[depth])])
            found = self._keep((nodes, state, depth), self._walk(nodes, root))
        return found

    def _keep(self, key: object, part: _Part) -> _Part:
        if self._part_bytes > _CACHE_BYTES:
            self._parts, self._part_bytes = {}, 0
        self._parts[key] = part
        self._part_bytes += part.memory
        return part

    def _walk(self, nodes: tuple[int, ...], root: Configuration) -> _Part:
        """The tokens below some trie nodes, read from a relative configuration, by what they need there."""
        trie, step = self._trie, self._stepper.step
        by_need: dict[int, list[int]] = {}
        lists: dict[Configuration, list[int]] = {}
        exits = [node for node in nodes if root.accepting]
        for start in nodes:
            ends, path = [trie.end[start]], [root]
            node, stop = start + 1, trie.end[start]
            while node < stop:
                while node >= ends[-1]:
                    ends.pop()
                    path.pop()
                here, byte = path[-1], trie.byte[node]
                following = here.steps[byte] if byte in here.steps else step(here, byte)
                if following is None:
                    node = trie.end[node]
                    continue
                token = trie.token[node]
                if token >= 0:
                    tokens = lists.get(following)
                    if tokens is None:
                        tokens = lists[following] = by_need.setdefault(self.need(following), [])
                    while token >= 0:
                        tokens.append(token)
                        token = trie.same[token]
                if trie.end[node] > node + 1:
                    if following.accepting:
                        exits.append(node)
                    ends.append(trie.end[node])
                    path.append(following)
                node += 1
        return _part(by_need, tuple(exits))


def _part(by_need: dict[int, list[int]], exits: tuple[int, ...]) -> _Part:
    needs = sorted(need for need in by_need if need < INFINITE)
    bits: list[int] = []
    for need in needs:
        bits.append(_bitset(by_need[need]) | (bits[-1] if bits else 0))
    return _Part(tuple(needs), tuple(bits), exits)


def _bitset(tokens: Collection[int]) -> int:
    octets = bytearray(max(tokens, default=0) // 8 + 1)
    for token in tokens:
        octets[token >> 3] |= 1 << (token & 7)
    return int.from_bytes(octets, "little")
