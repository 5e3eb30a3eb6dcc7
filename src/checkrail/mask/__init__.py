"""From an automaton and a vocabulary to the tokens that may come next.

configuration: what the bytes so far can mean     slow: try every token (the oracle, for ever)
local: tokens that stay inside one module         exits: tokens that leave it, continued by the caller
engine: their composition into one bitmask        _kernel: the trie walk, compiled or interpreted
"""
