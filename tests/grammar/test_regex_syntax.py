"""The syntax of patterns: what the tree is, and where and why a pattern is refused."""

from __future__ import annotations

import time

import pytest
import regress
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import Error, GrammarError
from checkrail.grammar.codepoints import character_class, complement, union
from checkrail.grammar.expression import (
    EMPTY,
    CharacterClass,
    Choice,
    Expression,
    Literal,
    Repeat,
    Sequence,
)
from checkrail.grammar.regex_classes import DIGIT, NOT_LINE_END, SPACE, WORD
from checkrail.grammar.regex_syntax import Anchor, Dialect, Look, parse_pattern, pattern_parts
from checkrail.grammar.simplify import simplify
from checkrail.grammar.source import Source
from checkrail.grammar.traverse import fold
from checkrail.limits import Limits
from reference_chart import attempt, pattern_found

A, B = Literal("a"), Literal("b")
START, END = Anchor(end=False), Anchor(end=True)


def tree(pattern: str, **limits: int) -> Expression:
    bounds = Limits(**limits)
    return parse_pattern(Source(pattern, bounds, "/pattern"), bounds).tree


def refusal(pattern: str, **limits: int) -> Error:
    with pytest.raises(GrammarError) as caught:
        tree(pattern, **limits)
    assert caught.value.pointer == "/pattern"
    return caught.value


def seq(text: str) -> Expression:
    return Sequence(tuple(Literal(char) for char in text))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", EMPTY),
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b|", Choice((A, B, EMPTY))),
        ("(a|)b", Sequence((Choice((A, EMPTY)), B))),
        ("()(?:a)(?<name>b)", Sequence((EMPTY, A, B))),
        ("(?<$名>a)", A),
        ("a*b+?", Sequence((Repeat(A, 0, None), Repeat(B, 1, None)))),
        ("a{2}|a{2,}|a{2,3}?", Choice((Repeat(A, 2, 2), Repeat(A, 2, None), Repeat(A, 2, 3)))),
        ("(^)?", Repeat(START, 0, 1)),
        ("(?:(?=a))?", Repeat(Look(A, False, 3), 0, 1)),
        ("(ab)?", Repeat(Sequence((A, B)), 0, 1)),
        ("^a$", Sequence((START, A, END))),
        ("(?=a)b", Sequence((Look(A, False, 0), B))),
        ("a(?!b)", Sequence((A, Look(B, True, 1)))),
        (".", CharacterClass(NOT_LINE_END)),
        (r"\d", CharacterClass(DIGIT)),
        (r"[\w-]", CharacterClass(union(WORD, ((45, 45),)))),
        # braces that begin no quantifier, and lone closing brackets (Annex B)
        ("{", Literal("{")),
        ("a{", seq("a{")),
        ("a{,5}", seq("a{,5}")),
        ("a{x}", seq("a{x}")),
        ("{}}]", seq("{}}]")),
        ("a{1", seq("a{1")),
    ],
)
def test_structure(pattern, expected):
    assert tree(pattern) == simplify(expected)


@pytest.mark.parametrize(
    ("pattern", "char"),
    [
        (r"\x41", "A"),
        (r"\u00e9", "é"),
        (r"\u{1F600}", "😀"),
        (r"\u{000041}", "A"),
        (r"\uD83D\uDE00", "😀"),
        (r"\cJ", "\n"),
        (r"\cz", "\x1a"),
        (r"\0", "\0"),
        (r"\t", "\t"),
        (r"\v", "\v"),
        (r"\f", "\f"),
        (r"\-", "-"),
        (r"\_", "_"),
        (r"\@", "@"),
        (r"\é", "é"),
        (r"\/", "/"),
        (r"\\", "\\"),
        (r"\.", "."),
        (r"\]", "]"),
    ],
)
def test_escapes(pattern, char):
    assert tree(pattern) == Literal(char)
    assert tree(f"[{pattern}]") == Literal(char)


@pytest.mark.parametrize(
    ("pattern", "ranges"),
    [
        ("[]", []),
        ("[^]", [(0, 0x10FFFF)]),
        ("[a-c]", [(97, 99)]),
        ("[-a]", [(45, 45), (97, 97)]),
        ("[a-]", [(45, 45), (97, 97)]),
        ("[--/]", [(45, 47)]),
        ("[a^]", [(94, 94), (97, 97)]),
        ("[[(]", [(91, 91), (40, 40)]),
        (r"[\b]", [(8, 8)]),
        (r"[\x00-\u{10FFFF}]", [(0, 0x10FFFF)]),
        (r"[\d-x]", [*DIGIT, (45, 45), (120, 120)]),
        (r"[a-\d]", [*DIGIT, (45, 45), (97, 97)]),
        (r"[\uD83D\uDE00-\uD83D\uDE4F]", [(0x1F600, 0x1F64F)]),
        ("[\x00-\u2e7f]", [(0, 0x2E7F)]),
        (r"[a\uD800-\uDFFF]", [(97, 97)]),
        (r"[^\S]", SPACE),
    ],
)
def test_classes(pattern, ranges):
    assert tree(pattern) == simplify(character_class(ranges))


def test_a_negated_class_within_a_class():
    assert tree(r"[^\D5]") == CharacterClass(complement(union(complement(DIGIT), ((0x35, 0x35),))))


@pytest.mark.parametrize(
    ("pattern", "what", "column"),
    [
        (r"(a|b)\1", "the backreference \\1", 6),
        (r"(?<x>a)\k<x>", "the backreference \\k", 8),
        (r"a(?<=a)", "lookbehind", 2),
        (r"(?<!a)b", "lookbehind", 1),
        ("(?i)a", "inline flags", 1),
        ("a(?i:b)", "inline flags", 2),
        ("(?-i:b)", "inline flags", 1),
        ("(?P<x>a)", "(?P", 1),
        ("(?>a)", "atomic", 1),
        ("(?#a)", "comment", 1),
        ("(?(1)a|b)", "conditional", 1),
        (r"\01", "octal", 1),
        (r"a(?=b)*", "a repeated lookahead", 7),
        (r"\uD83D", "half of a surrogate pair (U+D83D)", 1),
        ("a\udc00", "half of a surrogate pair (U+DC00)", 2),
        (r"[\uD800-\uDBFF][\uDC00-\uDFFF]", "a class of surrogates only", 1),
        (r"\p{Script=Greeek}", "the Unicode property Script=Greeek", 1),
        (r"[a\P{Emoji}]", "the Unicode property Emoji", 3),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(pattern, what, column):
    error = refusal(pattern)
    assert error.code == "GRAMMAR_UNSUPPORTED"
    assert what in error.message
    assert error.position.column == column


@pytest.mark.parametrize(
    ("pattern", "what", "column"),
    [
        ("a\\", "ends after a backslash", 2),
        ("(a", "group is not closed", 1),
        ("a(b(c)", "group is not closed", 2),
        ("a)", "closes nothing", 2),
        ("[a", "class is not closed", 1),
        ("[^]a[", "class is not closed", 5),
        ("[z-a]", "ends swapped", 2),
        ("a{3,2}", "bounds swapped", 2),
        ("*a", "nothing to repeat", 1),
        ("a|+", "nothing to repeat", 3),
        ("(?)", "group is not known", 1),
        ("(?", "group is not known", 1),
        ("{2}", "nothing to repeat", 1),
        ("a**", "nothing to repeat", 3),
        ("a*??", "nothing to repeat", 4),
        ("a++", "nothing to repeat", 3),
        ("a{2}{3}", "nothing to repeat", 5),
        ("^*", "an anchor cannot be repeated", 2),
        (r"\x4g", "\\x needs 2", 1),
        (r"a\u12", "\\u needs 4", 2),
        (r"\u{110000}", "up to 10FFFF", 1),
        (r"\u{}", "up to 10FFFF", 1),
        (r"\u{1F600", "up to 10FFFF", 1),
        (r"\c1", "\\c needs a letter", 1),
        (r"\p", "\\p{Name}", 1),
        (r"\pL", "\\p{Name}", 1),
        (r"\Aa\Z", "write ^", 1),
        (r"a\Z", "write $", 2),
        (r"\a", "not an escape of ECMA-262", 1),
        (r"[\B]", "\\B is not an escape", 2),
        (r"[\1]", "not an escape of ECMA-262", 2),
        ("(?<1a>b)", "a group name", 4),
        ("(?<a", "a group name", 4),
        ("(?<>b)", "a group name", 4),
    ],
)
def test_syntax_errors_say_where(pattern, what, column):
    error = refusal(pattern)
    assert what in error.message
    assert error.position.column == column


@pytest.mark.parametrize(
    ("pattern", "limits", "code"),
    [
        ("a{11}", {"repetitions": 10}, "GRAMMAR_BUDGET_REPEAT"),
        ("a{1,99999999999999999999999}", {}, "GRAMMAR_BUDGET_REPEAT"),
        ("(((a)))", {"expression_depth": 2}, "GRAMMAR_BUDGET_DEPTH"),
        ("(?:(?:a)*b|c)*" * 3, {"expression_nodes": 10}, "GRAMMAR_BUDGET_NODES"),
        ("aaa", {"grammar_bytes": 2}, "GRAMMAR_BUDGET_BYTES"),
        ("(?:c|b" * 90 + "a" + ")*" * 90, {}, "GRAMMAR_BUDGET_DEPTH"),
    ],
)
def test_limits(pattern, limits, code):
    assert refusal(pattern, **limits).code == code


@pytest.mark.parametrize(
    "pattern",
    ["(" * 100_000, "a{" * 40_000 + "(", "[a" * 50_000, "\\p{" * 50_000, "(?<" * 50_000, "a|" * 40_000 + ")"],
    ids=["groups", "braces", "classes", "properties", "names", "branches"],
)
def test_hostile_patterns_end_in_an_error_soon(pattern):
    started = time.perf_counter()
    assert refusal(pattern).code.startswith("GRAMMAR_")
    assert time.perf_counter() - started < 10


PIECES = [*"ab01.^$|()[]{}*+?,-:=!<>\\", "(?:", "(?=", "(?!", "\\d", "\\u", "\\x4", "{2}", "{1,2}", "[^"]


def repeats_repetitions(pattern: Expression) -> bool:
    """regress 2026.9.1 runs out of memory on some of these, such as `(?:(?:(?:b|))*|b)+`."""
    depths = fold(pattern, lambda node, below: isinstance(node, Repeat) + max(below, default=0), pattern_parts)
    return depths > 1


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_what_is_read_is_what_an_ecma_engine_reads(pattern):
    """Whatever is accepted here is a pattern of ECMA-262 (Annex B or u) and finds the same in short texts."""
    parsed = attempt(tree, pattern)
    if isinstance(parsed, GrammarError):
        assert parsed.position is not None
        return
    if repeats_repetitions(parsed):
        return
    compiled = None
    for flags in ("u", ""):
        try:
            compiled = regress.Regex(pattern, flags)
        except regress.RegressError:
            continue
        break
    assert compiled is not None
    for text in ("", "a", "ab", "0", "b1", "-", "{2}", "aa", "a\n"):
        assert (compiled.find(text) is not None) == pattern_found(parsed, text), text


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_place(pattern):
    parsed = attempt(tree, pattern)
    if isinstance(parsed, GrammarError):
        assert parsed.position is not None
        assert parsed.render()


# --- dialects


def of_dialect(pattern: str, **options) -> Expression:
    return parse_pattern(Source(pattern, Limits()), Limits(), Dialect(**options)).tree


def test_the_dot_of_a_dialect() -> None:
    assert of_dialect(".", dot=((97, 98),)) == CharacterClass(((97, 98),))


@pytest.mark.parametrize("pattern", ["ab1", "[a]B1", "[A-A]b1", r"\x41\u00621"])
def test_both_cases(pattern: str) -> None:
    a, b = (CharacterClass(((ord(c) - 32, ord(c) - 32), (ord(c), ord(c)))) for c in "ab")
    assert simplify(of_dialect(pattern, ignore_case=True)) == Sequence((a, b, Literal("1")))


def test_a_negated_class_excludes_both_cases() -> None:
    assert of_dialect("[^b]", ignore_case=True) == character_class([(66, 66), (98, 98)], negated=True)


@pytest.mark.parametrize(
    ("pattern", "place"), [("a^", 1), ("$", 0), ("a(?=b)", 1), ("(?!a)b", 0), ("a??", 2), ("a{2}?", 4)]
)
def test_a_part_of_a_text_sees_nothing_beyond_it(pattern: str, place: int) -> None:
    with pytest.raises(GrammarError) as caught:
        of_dialect(pattern, part=True)
    assert caught.value.code == "GRAMMAR_UNSUPPORTED"
    assert caught.value.position is not None
    assert caught.value.position.offset == place
