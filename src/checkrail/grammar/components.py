"""Strongly connected components of a graph: which rules, or modules, refer to each other in circles.

Tarjan's algorithm (1972) with an explicit stack, O(nodes + edges). The components come in dependency order: each
after all components that it refers to. That order is what fixpoints over rules want.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["is_cyclic", "strong_components"]

T = TypeVar("T", bound=Hashable)


def strong_components(graph: Mapping[T, Iterable[T]]) -> list[tuple[T, ...]]:
    """The components, dependencies first. Every successor must be a key.

    >>> strong_components({"a": ["b"], "b": ["c", "a"], "c": []})
    [('c',), ('b', 'a')]
    """
    components: list[tuple[T, ...]] = []
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    open_nodes: list[T] = []
    is_open: set[T] = set()
    for root in graph:
        if root in index:
            continue
        work: list[tuple[T, Iterator[T]]] = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    open_nodes.append(successor)
                    is_open.add(successor)
                    work.append((successor, iter(graph[successor])))
                    break
                if successor in is_open:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    components.append(_close(node, open_nodes, is_open))
    return components


def _close(node: T, open_nodes: list[T], is_open: set[T]) -> tuple[T, ...]:
    """Take everything down to `node` off the stack."""
    members: list[T] = []
    while not members or members[-1] != node:
        members.append(open_nodes.pop())
        is_open.discard(members[-1])
    return tuple(members)


def is_cyclic(component: tuple[T, ...], graph: Mapping[T, Collection[T]]) -> bool:
    """Does the component hold a circle (more than one node, or a node that refers to itself)?"""
    return len(component) > 1 or component[0] in graph[component[0]]
