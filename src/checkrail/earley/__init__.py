"""The second engine: a lexer and an Earley parser, for any context-free grammar, small enough to be read in one go.

In the order in which to read: `items`, `chart` (the parser), `terminal_dfa`, `lexer` (the floor below it), `readings`,
`recognizer` (both together), `trace` (a mask call written down), `masks`, `walker`, `slicer` (the same ever faster),
`engine`; then how a grammar becomes all that: `nesting`, `normalize`, `compile`. The method is told in
docs/explanation/earley.md, and by example in docs/explanation/two-floors.md.
"""
