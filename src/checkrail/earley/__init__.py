"""The second engine: a lexer and an Earley parser, for any context-free grammar, small enough to be read in one go.

In the order in which to read: `items`, `normalize`, `chart` (the parser), `terminal_dfa`, `lexer` (the floor below it),
`readings`, `recognizer` (both together), `masks`, `slicer`, `walker`, `engine` (what comes out of them). The method is
told in docs/explanation/earley.md.
"""
