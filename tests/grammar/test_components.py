from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from checkrail.grammar.components import is_cyclic, strong_components

NODES = "abcdef"
graphs = st.fixed_dictionaries({node: st.lists(st.sampled_from(NODES), max_size=3) for node in NODES})


def reached(graph, start: str) -> set[str]:
    """Nodes at the end of a path of at least one edge."""
    found: set[str] = set()
    todo = [start]
    while todo:
        for node in graph[todo.pop()]:
            if node not in found:
                found.add(node)
                todo.append(node)
    return found


@given(graphs)
def test_components_are_the_classes_of_mutual_reachability(graph):
    components = strong_components(graph)
    assert sorted(node for component in components for node in component) == sorted(NODES)
    home = {node: number for number, component in enumerate(components) for node in component}
    for a in NODES:
        for b in NODES:
            mutual = a == b or (a in reached(graph, b) and b in reached(graph, a))
            assert (home[a] == home[b]) == mutual
        assert is_cyclic(components[home[a]], graph) == (a in reached(graph, a))


@given(graphs)
def test_dependencies_come_first(graph):
    components = strong_components(graph)
    home = {node: number for number, component in enumerate(components) for node in component}
    assert all(home[head] <= home[node] for node in NODES for head in graph[node])


def test_long_chains_and_circles_do_not_recurse():
    size = 20_000
    chain = {str(n): [str(n + 1)] for n in range(size)} | {str(size): []}
    assert len(strong_components(chain)) == size + 1
    circle = chain | {str(size): ["0"]}
    assert [len(component) for component in strong_components(circle)] == [size + 1]
