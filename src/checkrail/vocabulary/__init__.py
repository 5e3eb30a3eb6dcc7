"""From a tokenizer to bytes to a trie.

`vocabulary` holds the table token id -> bytes and its constructors, `trie` the form in which masks walk it. The
other modules each read one file format and return a `token_table`; `any_file` picks among them.
"""
