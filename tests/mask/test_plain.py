"""Plain text against brute force: runs by stepping every character, masks by the oracle."""

from __future__ import annotations

import random

import pytest

from checkrail.automaton.compiler import compile_automaton
from checkrail.decoding.constraint import compile
from checkrail.grammar.expression import ANY_CHARACTER, JsonString, Literal, Repeat, Sequence
from checkrail.grammar.grammar import Grammar
from checkrail.mask.bitmask import allowed_tokens
from checkrail.mask.plain import PlainRuns, PlainTokens, split_plain
from checkrail.mask.slow import get_mask_slow
from checkrail.vocabulary.vocabulary import Vocabulary

PLAIN = ["a", "Z", " ", "~", "é", "\u07ff", "\u0800", "日", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]
NOT_PLAIN = ['"', "\\", "\n", "\0", "\x1f", "\x7f"]


def string(minimum: int, maximum: int | None) -> Grammar:
    body = JsonString(Repeat(ANY_CHARACTER, minimum, maximum))
    return Grammar({"root": Sequence((Literal('"'), body, Literal('"')))})


def after(automaton, text: bytes) -> int:
    state = automaton.starts[0]
    for byte in text:
        state = automaton.step(state, byte)
    return state


def test_tokens_are_split_by_their_characters():
    texts = [*PLAIN, "ab", "日本", 'a"', "a\n", "\\n"]
    tokens = [t.encode() for t in texts] + [b"", None, b"\xe6\x97", b"\xa5", b"a\xff", b"ab"]
    plain, others = split_plain(Vocabulary.from_bytes([*tokens, None], eos=[len(tokens)]))
    assert {n: [tokens[t] for t in ts] for n, ts in plain.items()} == {
        1: [c.encode() for c in PLAIN],
        2: [b"ab", "日本".encode(), b"ab"],
    }
    assert sorted(others) == sorted([b'a"', b"a\n", b"\\n", b"\xe6\x97", b"\xa5", b"a\xff"])


def test_words_hold_the_tokens_up_to_a_length():
    tokens = PlainTokens.of({1: [0, 40], 3: [7], 4: [33]}, 64)
    assert tokens.longest == 4
    assert tokens.up_to(0) is None
    assert [allowed_tokens(tokens.up_to(n)) for n in (1, 2, 3, 4, 99)] == [
        [0, 40], [0, 40], [0, 7, 40], [0, 7, 33, 40], [0, 7, 33, 40],
    ]  # fmt: skip
    assert PlainTokens.of({}, 64).up_to(5) is None


@pytest.mark.parametrize(("minimum", "maximum"), [(0, None), (2, None), (0, 5), (3, 5), (5, 5)])
@pytest.mark.parametrize("written", [0, 1, 3, 5])
def test_a_run_is_what_is_left_of_a_string(minimum, maximum, written):
    automaton = compile_automaton(string(minimum, maximum))
    state = after(automaton, b'"' + b"x" * written)
    expected = 30 if maximum is None else maximum - written
    assert PlainRuns(automaton, 30).length(state) == expected
    assert PlainRuns(automaton, 2).length(state) == min(expected, 2)


@pytest.mark.parametrize(
    "text",
    [
        'root ::= "<" [a-z]* ">"',  # not every plain character
        'root ::= "<" [^"\\\\\\x00-\\x1F\\x7Fa]* ">"',  # all but one
        'root ::= "<" ([^"\\\\\\x00-\\x1F\\x7F] | "a" "b"?)* ">"',  # one leads elsewhere
        'root ::= "<" [^"\\\\\\x00-\\x1F\\x7F]{2} [a-z]* ">"',  # a run that ends where some go on
    ],
)
def test_a_run_is_not_known_where_characters_differ(text):
    automaton = compile_automaton(Grammar.from_gbnf(text))
    assert PlainRuns(automaton, 30).length(after(automaton, b"<")) in (-1, 30)
    if "[a-z]" in text or "x7Fa" in text:
        assert PlainRuns(automaton, 30).length(after(automaton, b"<")) == -1


@pytest.mark.parametrize("maximum", [None, 1, 4, 9])
@pytest.mark.parametrize("nested", [False, True])
def test_masks_inside_strings_equal_the_oracle(maximum, nested, kernel):
    rng = random.Random(maximum)
    texts = {"".join(rng.choices(PLAIN, k=rng.randint(1, 12))).encode() for _ in range(400)}
    texts |= {"".join(rng.choices(PLAIN + NOT_PLAIN, k=rng.randint(1, 5))).encode() for _ in range(300)}
    texts |= {t[rng.randint(0, 2) : rng.randint(3, 9)] for t in sorted(texts)[:100]} | {
        b'"',
        b'",',
        b'a"]',
        b"\\u00",
        b"\\",
    }
    tokens = [*(bytes([b]) for b in range(256)), *sorted(texts)]
    vocabulary = Vocabulary.from_bytes([*tokens, None], eos=[len(tokens)])
    rules = dict(string(0, maximum).rules)
    if nested:
        rules = {
            "root": Grammar.from_gbnf('root ::= "[" s ("," root)? "]"\ns ::= "x"').rules["root"],
            "s": rules["root"],
        }
    constraint = compile(Grammar(rules), vocabulary, kernel=kernel)
    for _ in range(6):
        matcher = constraint.matcher()
        for _ in range(14):
            slow = get_mask_slow(constraint.engine.stepper, matcher.configuration(), vocabulary)
            assert set(matcher.allowed(None)) == slow
            choices = sorted(slow - set(vocabulary.eos))
            if not choices:
                break
            matcher.accept_token(rng.choice(choices))
