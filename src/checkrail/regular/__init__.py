"""Regular languages: finite automata over code points or bytes, and their boolean algebra.

This layer serves the two above it. JSON Schema combines string constraints here, on decoded code points; the
automaton package builds each module of a grammar with the same construction, over bytes and call symbols. One
NFA type and one DFA type serve both: edges are labelled with ranges of integers, and, besides, with opaque
symbols.

Whole minimal automata come from `compile`; where few states of a large one are visited, `texts` makes them on demand.
"""
