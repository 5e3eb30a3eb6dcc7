"""From a grammar to a pushdown automaton over bytes.

    normalize -> nvpa -> left_corner -> determinize, minimize (regular) -> measure -> visibility -> pushdown

`compiler.compile_automaton` runs the phases in order. Each takes the value of the one before.
"""
