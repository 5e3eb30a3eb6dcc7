"""One mask call of the Earley engine, step by step: python examples/two_floors.py

The grammar is an object of Booleans, the vocabulary has nine tokens. docs/explanation/two-floors.md explains what this
prints.
"""

from checkrail import Vocabulary
from checkrail.earley.recognizer import Recognizer
from checkrail.earley.trace import trace
from checkrail.grammar.lark import parse_lark
from checkrail.vocabulary.trie import Trie

GRAMMAR = r"""
start: "{" pair ("," pair)* "}"
pair: NAME ":" BOOL
NAME: /"[a-z]+"/
BOOL: "true" | "false"
"""
TOKENS = [b'{"', b"a", b'":', b'":t', b"rue", b"true}", b',"', b"}", None]

vocabulary = Vocabulary.from_bytes(TOKENS, eos=8)
trie = Trie.build(vocabulary)
recognizer = Recognizer.of(parse_lark(GRAMMAR))

for text in (b'{"a', b'":', b"true}"):
    assert recognizer.push_bytes(text)
    print(f"after {text.decode()}")
    for line in trace(recognizer.readings, recognizer.reading, vocabulary, trie):
        print(f"  {line}".rstrip())
    print()
