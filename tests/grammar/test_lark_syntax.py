"""The Lark language: what is read, and each refusal with its place."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import GrammarError
from checkrail.grammar.expression import Choice, Complement, Intersection, Repeat, Sequence, TokenReference
from checkrail.grammar.lark import parse_lark
from checkrail.grammar.lark_nodes import Pattern, Span, Text, Use
from checkrail.grammar.lark_syntax import read_document
from checkrail.grammar.source import Source
from checkrail.limits import DEFAULT_LIMITS, Limits


def document(text: str, limits: Limits = DEFAULT_LIMITS):
    return read_document(Source(text, limits), limits)


def body(text: str):
    """The tree of one right side."""
    return document(f"x: {text}").definitions["x"].body


A, B = Use("a"), Use("b")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", Sequence(())),
        ("a b", Sequence((A, B))),
        ("a | b", Choice((A, B))),
        ("a |", Choice((A, Sequence(())))),
        ("a\n  | b\n\n| a", Choice((A, B, A))),
        ("(a\n  b)", Sequence((A, B))),
        ("[a | b]", Repeat(Choice((A, B)), 0, 1)),
        ("a* b+ a?", Sequence((Repeat(A, 0, None), Repeat(B, 1, None), Repeat(A, 0, 1)))),
        ("a~3 b~2..4", Sequence((Repeat(A, 3, 3), Repeat(B, 2, 4)))),
        ("a{3} b{2,} a{,4} b{2,4}", Sequence((Repeat(A, 3, 3), Repeat(B, 2, None), Repeat(A, 0, 4), Repeat(B, 2, 4)))),
        ("a -> one | b -> two", Choice((A, B))),
        ('"a"i /b/si', Sequence((Text("a", True), Pattern("b", "is")))),
        (r'"\"\\\n\x41\u00e9"', Text('"\\\nA\u00e9')),
        ('"a".."z"', Span("a", "z")),
        ("<think> <[12]>", Sequence((TokenReference("<think>"), TokenReference(12)))),
        ("t{a, t{b}}", Use("t", (A, Use("t", (B,))))),
        ("A & B C | A", Choice((Intersection((Use("A"), Sequence((Use("B"), Use("C"))))), Use("A")))),
        ("~A+ ~~B", Sequence((Repeat(Complement(Use("A")), 1, None), Use("B")))),
        ("~(A B)~2", Repeat(Complement(Sequence((Use("A"), Use("B")))), 2, 2)),
        ("a-b->c", Use("a-b")),
        ("a // b\n  | b # c", Choice((A, B))),
        ("a \\\n b", Sequence((A, B))),
    ],
)  # fmt: skip
def test_right_sides(text: str, tree) -> None:
    assert body(text) == tree


def test_statements() -> None:
    found = document(
        "%llguidance {}\n!?start.2: x\nsep{a, b}: a (b a)*\nX.-1: /y/\nz[lazy, suffix=X]: X\n"
        "%ignore X\n%declare E F\n%import common.INT\n%import common.WS -> BLANK\n%import common (CR, LF)"
    )
    assert list(found.definitions) == ["start", "sep", "X", "z"]
    assert found.definitions["sep"].parameters == ("a", "b")
    assert [d.priority for d in found.definitions.values()] == [2, 0, -1, 0]
    attributes = found.definitions["z"].attributes
    assert attributes is not None
    assert (attributes.lazy, attributes.suffix) == (True, Use("X"))
    assert list(found.declared) == ["E", "F"]
    assert {new: old for new, (old, _) in found.imports.items()} == {
        "INT": "INT",
        "BLANK": "WS",
        "CR": "CR",
        "LF": "LF",
    }
    assert [node for node, _ in found.ignored] == [Use("X")]


SYNTAX, UNSUPPORTED = "GRAMMAR_SYNTAX", "GRAMMAR_UNSUPPORTED"


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("start", SYNTAX, "1:6", "followed by a colon"),
        ('start "a"', SYNTAX, "1:7", "followed by a colon"),
        ('"a"', SYNTAX, "1:1", "begins with a name"),
        ('start: "a" )', SYNTAX, "1:12", "closes nothing"),
        ('start: ("a"\n', SYNTAX, "1:8", "not closed"),
        ('start: ("a"]', SYNTAX, "1:12", "closes nothing"),
        ("start: * x", SYNTAX, "1:8", "nothing before *"),
        ('start: "a', SYNTAX, "1:8", "string is not closed"),
        ("start: /a", SYNTAX, "1:8", "expression is not closed"),
        (r'start: "\q"', SYNTAX, "1:9", "escape is not known"),
        (r'start: "a\x4"', SYNTAX, "1:10", "2 hexadecimal digits"),
        (r'start: "\ud800"', SYNTAX, "1:9", "not a character"),
        ("start: aB", SYNTAX, "1:8", "mixes upper and lower"),
        ('start: "ab".."c"', SYNTAX, "1:8", "one character to another"),
        ('start: "z".."a"', SYNTAX, "1:8", "ends swapped"),
        ('start: "a"..x', SYNTAX, "1:13", "ends with a string"),
        ('start: "a"~3..2', SYNTAX, "1:11", "bounds swapped"),
        ('start: "a"~3..', SYNTAX, "1:11", "needs a count"),
        ('start: "a"{,}', SYNTAX, "1:11", "needs a count"),
        ('start: "a"{2', SYNTAX, "1:13", "not closed"),
        ("start: ~", SYNTAX, "1:9", "negates what follows"),
        ('start: ("a" -> x)', SYNTAX, "1:13", "outside brackets"),
        ('start: A\nA: "a" -> x', SYNTAX, "2:8", "alternative of a rule"),
        ('start: "a" -> x "b"', SYNTAX, "1:17", "ends its alternative"),
        ('start: "a" -> x*', SYNTAX, "1:16", "ends its alternative"),
        ("start: t{a | b}", SYNTAX, "1:12", "cannot stand here"),
        ("start: /a/q", SYNTAX, "1:8", "flag q"),
        ("start: a$", SYNTAX, "1:9", "cannot stand here"),
        ("start: <[x]>", SYNTAX, "1:8", "token id"),
        ("%foo x", SYNTAX, "1:1", "not known"),
        ("% x", SYNTAX, "1:1", "directive"),
        ("%declare", SYNTAX, "1:9", "names terminals"),
        ("%import common.x", SYNTAX, "1:16", "holds terminals"),
        ("%import common.INT x", SYNTAX, "1:20", "ends here"),
        ("%import common.NOPE\nstart: NOPE", SYNTAX, "1:16", "no NOPE"),
        ("t{a, a}: a", SYNTAX, "1:6", "occurs twice"),
        ("x[nope]: A", SYNTAX, "1:3", "attribute is not known"),
        ("X[lazy]: A", SYNTAX, "1:2", "belong to rules"),
        ("start.x: A", SYNTAX, "1:7", "priority"),
        ("start: %json [1]", SYNTAX, "1:14", "JSON object"),
        ('start: %json {"a": 1', SYNTAX, "1:14", "not closed"),
        ("start: %lark x", SYNTAX, "1:14", "in braces"),
        ("start: %lark { start: A", SYNTAX, "1:8", "not closed"),
        ("start: A\nA: x\nx: A", SYNTAX, "2:4", "cannot use the rule x"),
        ("start: A\nA: E\n%declare E", SYNTAX, "2:4", "cannot use the special token E"),
        ("start: A\nA: <eot>", SYNTAX, "2:4", "special token"),
        ("start: A\nA: %json true", SYNTAX, "2:4", "%json cannot be part"),
        ("start: t{A}\nt{a, b}: a b\nA: /a/", SYNTAX, "1:8", "takes 2 arguments, not 1"),
        ("start: x{A}\nx: A\nA: /a/", SYNTAX, "1:8", "takes 0 arguments"),
        ("start: A\nA: %regex {\"substring_words\": 3}", SYNTAX, "2:4", "is a string"),
        ("start: A\nA: /(/", SYNTAX, "2:5", "not closed"),
        ("start: A\nA: /a/ /b[/", SYNTAX, "2:10", "not closed"),
        ("start: /a*?/", UNSUPPORTED, "1:11", "lazy"),
        ("start: /^a/", UNSUPPORTED, "1:9", "anchor"),
        ("start: /a$/", UNSUPPORTED, "1:10", "anchor"),
        ("start: /a(?=b)/", UNSUPPORTED, "1:10", "lookahead"),
        (r"start: /\ba/", UNSUPPORTED, "1:9", "word boundary"),
        ("start: /a/x", UNSUPPORTED, "1:8", "flag x"),
        ("start: /a/m", UNSUPPORTED, "1:8", "flag m"),
        ("start: <[1-5]>", UNSUPPORTED, "1:8", "set of token ids"),
        ("start: @other", UNSUPPORTED, "1:8", "%lark"),
        ("start: start & start", UNSUPPORTED, "1:1", "& and ~"),
        ("%override start: A", UNSUPPORTED, "1:1", "%override"),
        ("%extend start: A", UNSUPPORTED, "1:1", "%extend"),
        ("%import .other.X", UNSUPPORTED, "1:9", "import"),
        ("%declare x", UNSUPPORTED, "1:10", "declare a terminal"),
        ("T{x}: x", UNSUPPORTED, "1:1", "parameters"),
        ("x[max_tokens=3]: A", UNSUPPORTED, "1:3", "max_tokens"),
        ('%llguidance {"no_forcing": true}', UNSUPPORTED, "1:1", "options"),
        ("start: t{A}\nt{a}: a{A}\nA: /a/", UNSUPPORTED, "2:7", "as a template"),
        ("start: A\nA: %regex {\"type\": 1}", UNSUPPORTED, "2:4", "substring_chunks"),
        ("start: A", "GRAMMAR_UNDEFINED_RULE", "1:8", "A is not defined"),
        ("start: items\nitem: A\nA: /a/", "GRAMMAR_UNDEFINED_RULE", "1:8", "items"),
        ("start: A\nA: B", "GRAMMAR_UNDEFINED_RULE", "2:4", "B"),
        ("start: A\nA: /a/\nA: /b/", "GRAMMAR_DUPLICATE_RULE", "3:1", "twice"),
        ("start: A\nA: /a/\n%import common.INT -> A", "GRAMMAR_DUPLICATE_RULE", "3:23", "twice"),
        ("start: A\nA: \"a\" B\nB: A?", "GRAMMAR_NOT_REGULAR", "2:1", "A terminal"),
        ("start{x}: x", UNSUPPORTED, "1:1", "start rule with parameters"),
        ("start: %lark { x: A }", "GRAMMAR_UNDEFINED_RULE", "1:8", "start"),
        ('start: %json {"type": "strin"}', "SCHEMA_SYNTAX", "1:8", ""),
    ],
)  # fmt: skip
def test_refusals_have_their_place(text: str, code: str, place: str, words: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark(text)
    error = caught.value
    assert error.code == code
    assert words in error.message
    assert error.position is not None
    assert f"{error.position.line}:{error.position.column}" == place
    assert "^" in error.render()


def test_a_name_spelt_alike_is_suggested() -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark("start: itms\nitems: A\nA: /a/")
    assert caught.value.expected == ("items (did you mean this?)",)
    with pytest.raises(GrammarError) as caught:
        parse_lark("start: N\n%import common.NUMBR -> N")
    assert caught.value.expected == ("NUMBER (did you mean this?)",)


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        ("start: " + "(" * 200 + '"a"' + ")" * 200, {}, "GRAMMAR_BUDGET_DEPTH"),
        ("start: " + "t{" * 200 + '"a"' + "}" * 200, {}, "GRAMMAR_BUDGET_DEPTH"),
        ("start: " + '"a"' + "?" * 300, {}, "GRAMMAR_BUDGET_DEPTH"),
        ('start: "a"~70000', {}, "GRAMMAR_BUDGET_REPEAT"),
        ("start: " + '"a"' * 100, {"expression_nodes": 50}, "GRAMMAR_BUDGET_NODES"),
        ('start: "a"\n' + "".join(f'r{n}: "a"\n' for n in range(20)), {"rules": 10}, "GRAMMAR_BUDGET_RULES"),
        ('start: "a"', {"grammar_bytes": 5}, "GRAMMAR_BUDGET_BYTES"),
    ],
)
def test_bounds(text: str, limits: dict[str, int], code: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark(text, limits=Limits(**limits))
    assert caught.value.code == code


PIECES = st.sampled_from(
    ["start", "A", ":", "|", "(", ")", "[", "]", "{", "}", '"a"', "/b/i", "~", "&", "->", "..", "2", "*", "?", "\n",
     " ", ",", "%ignore", "%import common.INT", "%json {}", "%lark {", "<t>", "start:", 'A: "x"', "$", "\\", "'", "t{"]
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(GrammarError):
        parse_lark(f"start: {text}")
