"""Automata that are made on demand: a state gets its moves when a walk first comes to it.

For JSON Schema in the open profile. A schema says in a few lines what would be tens of thousands of states, and a
document visits a few hundred of them; those are made, and no others. `automaton.OnDemand` is the entry.
"""

from .automaton import OnDemand

__all__ = ["OnDemand"]
