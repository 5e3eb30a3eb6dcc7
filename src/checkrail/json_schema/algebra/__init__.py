"""The algebra of schemas: intersection, union and complement, exact, before anything becomes a grammar.

A schema is read into a *term*, a boolean combination of places and of sets of values (`terms`, `reading`). A
set of values is split by type (`values`): texts as regular languages of decoded characters (`texts`), numbers as
intervals with multiples (`numbers`), arrays and objects as records (`arrays`, `objects`) whose parts are terms
again. `normal` computes the set of a term, memoised by its name, so recursive schemas end; `room` finds how deep its
values must be at least, and what nothing satisfies. Most subschemas are `plain` and read without terms. `survey` looks
at all that values can reach, so that what cannot be in the mask is refused at once; `lower` and its siblings make the
rules of a grammar for those who ask for them.

Sources: Attouche, Baazizi, Colazzo, Ghelli, Sartiani, Scherzinger, Witness Generation for JSON Schema, PVLDB 15
(2022); Habib, Shinnar, Hirzel, Pradel, Finding data compatibility bugs with JSON subschema checking, ISSTA 2021.
"""
