"""Find left recursion: a rule that can come back to itself before any text is taken.

Direct (`a ::= a "x"`), indirect (through other rules) and hidden (behind a part that may be empty) left recursion
are one thing in the graph of *left edges*, rule -> the rules that can stand at its very beginning: a cycle. A
recognizer that expands rules from the left would never return from one, so the strict contract refuses it, with
the cycle as the reason. Removing it, for the context-free contract, is done on automata.

Breadth-first search from every rule of a component for its shortest cycle: O(rules * edges) of that component at
worst, so a bound on the steps ends the search early in huge components; then the best cycle so far is reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from ..errors import GrammarError
from ..watch import UNWATCHED, Watch
from .analyze import Analysis, analyze
from .components import is_cyclic, strong_components
from .grammar import Grammar

__all__ = ["find_left_recursion", "refuse_left_recursion"]

_STEPS = 1_000_000
_SHOWN = 20  # rules of a cycle in a message


def find_left_recursion(
    grammar: Grammar, analysis: Analysis | None = None, watch: Watch = UNWATCHED
) -> tuple[str, ...] | None:
    """A shortest left-recursive cycle among the rules in use: `("a", "b")` for a -> b -> a; None without one."""
    analysis = analysis or analyze(grammar, watch)
    left = {name: analysis.left[name] for name in grammar.rules if name in analysis.reachable}
    cyclic = [component for component in strong_components(left) if is_cyclic(component, left)]
    members = {name: number for number, component in enumerate(cyclic) for name in component}
    inside = {name: [head for head in left[name] if members.get(head) == members[name]] for name in members}
    best: tuple[str, ...] | None = None
    steps = _STEPS
    for start in left:  # in declaration order, so that the earliest of the shortest is reported
        if start not in members or (best is not None and steps <= 0):
            continue
        cycle, taken = _shortest_cycle(start, inside, len(best) if best else None)
        steps -= taken
        watch.spend(taken)
        best = cycle or best
        if best and len(best) == 1:
            break
    return best


def refuse_left_recursion(grammar: Grammar, analysis: Analysis | None = None, watch: Watch = UNWATCHED) -> None:
    """Raises GrammarError (GRAMMAR_LEFT_RECURSION) with the cycle, rule by rule, at the place of its first rule."""
    cycle = find_left_recursion(grammar, analysis, watch)
    if cycle is not None:
        position, pointer = grammar.positions.get(cycle[0]), grammar.origins.get(cycle[0])
        raise GrammarError("GRAMMAR_LEFT_RECURSION", position=position, pointer=pointer, cycle=_shown(cycle))


def _shown(cycle: Sequence[str]) -> str:
    """The way around, without its middle if it is long."""
    names = [*cycle, cycle[0]]
    if len(names) > _SHOWN:
        names[_SHOWN // 2 : -_SHOWN // 2] = [f"({len(names) - _SHOWN} more)"]
    return " -> ".join(names)


def _shortest_cycle(
    start: str, graph: Mapping[str, Sequence[str]], below: int | None
) -> tuple[tuple[str, ...] | None, int]:
    """The shortest way from `start` back to it with fewer than `below` steps, and the work it took to look."""
    came_from: dict[str, str] = {}
    queue = deque([(start, 0)])
    steps = 0
    while queue:
        node, distance = queue.popleft()
        if below is not None and distance + 1 >= below:
            break
        for head in graph[node]:
            steps += 1
            if head == start:
                path = [node]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return tuple(reversed(path)), steps
            if head not in came_from:
                came_from[head] = node
                queue.append((head, distance + 1))
    return None, steps
