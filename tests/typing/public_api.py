"""What a type checker must know of the public names. Checked by mypy (`make check`), never run."""

from __future__ import annotations

from typing import assert_type

import checkrail

assert_type(checkrail.__version__, str)
assert_type(checkrail.Limits(nesting=4).nesting, int)

grammar = checkrail.Grammar.from_gbnf('root ::= "a"')
assert_type(grammar, checkrail.Grammar)

vocabulary = checkrail.Vocabulary.from_bytes([b"a", b"<end>"], eos=1)
assert_type(vocabulary, checkrail.Vocabulary)
assert_type(vocabulary.fingerprint, str)

constraint = checkrail.compile(grammar, vocabulary)
assert_type(constraint, checkrail.Constraint)
assert_type(constraint.sha256, str)

matcher = constraint.matcher()
assert_type(matcher, checkrail.Matcher)
assert_type(matcher.accept_token(0), bool)
assert_type(matcher.fork(), checkrail.Matcher)
assert_type(matcher.is_terminated(), bool)


def failure(error: checkrail.Error) -> str:
    assert_type(error.code, str)
    assert_type(error.expected, tuple[str, ...])
    return error.render()


def kinds(error: checkrail.SchemaError) -> checkrail.GrammarError:
    return error
