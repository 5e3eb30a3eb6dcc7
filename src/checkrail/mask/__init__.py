"""From an automaton and a vocabulary to the tokens that may come next.

configuration: what the bytes so far can mean     slow: try every token (the oracle, for ever)
local: tokens that stay inside one module         engine: their composition into one bitmask
visible: the deterministic path, where every byte has one meaning
_kernel, _machine: the loops of both paths, compiled or interpreted (`kernel` loads them)
"""
