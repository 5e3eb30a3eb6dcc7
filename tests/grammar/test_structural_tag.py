"""Structural text: each format's language, and each refusal with its pointer."""

from __future__ import annotations

import json

import pytest

from checkrail.errors import BudgetError, Error, GrammarError, SchemaError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from engines_agree import both, both_take

SPECIAL = ["<call>", "</call>", "<think>"]
TOKENS = [*(bytes([b]) for b in range(256)), *(s.encode() for s in SPECIAL), None]
VOCABULARY = Vocabulary.from_bytes(TOKENS, eos=[259], special=[256, 257, 258])
NAMED = {text: 256 + n for n, text in enumerate(SPECIAL)}

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def const(value: str):
    return {"type": "const_string", "value": value}


def tag(begin, content, end):
    return {"type": "tag", "begin": begin, "content": content, "end": end}


ANY = {"type": "any_text"}


class Language:
    """Which outputs a structural tag takes, on both engines. Special tokens are written as `@<call>@`."""

    def __init__(self, data, **options) -> None:
        self.constraints = both(Grammar.from_structural_tag(data, **options), VOCABULARY)

    def __contains__(self, text: str) -> bool:
        parts = enumerate(text.split("@"))
        return both_take(
            self.constraints,
            [token for number, part in parts for token in ([NAMED[part]] if number % 2 else part.encode())],
        )


def check(data, accepted: list[str], refused: list[str], **options) -> None:
    language = Language(data, **options)
    assert [text for text in accepted if text not in language] == []
    assert [text for text in refused if text in language] == []


@pytest.mark.parametrize(
    ("data", "accepted", "refused"),
    [
        (const("ab"), ["ab"], ["", "a", "abc"]),
        (const(""), [""], ["a"]),
        (ANY, ["", "x\ny"], []),
        ({"type": "any_text", "excludes": ["ab", "c"]}, ["", "a a", "bba"], ["xaby", "c"]),
        ({"type": "any_text", "max_chars": 3}, ["", "äöü"], ["abcd"]),
        ({"type": "regex", "pattern": "[ab]{2}"}, ["ab"], ["a", "abc"]),
        ({"type": "grammar", "grammar": 'root ::= "(" root? ")"'}, ["(())"], ["(()"]),
        ({"type": "lark", "grammar": 'start: "a" "b"\n%ignore " "'}, ["a b"], ["ba"]),
        ({"type": "json_schema", "json_schema": CITY}, ['{"city": "x"}'], ["{}"]),
        ({"type": "sequence", "elements": [const("a"), ANY]}, ["a", "ab"], ["b"]),
        ({"type": "or", "elements": [const("a"), const("b")]}, ["a", "b"], ["ab", ""]),
        ({"type": "optional", "content": const("a")}, ["", "a"], ["aa"]),
        ({"type": "star", "content": const("ab")}, ["", "abab"], ["aba"]),
        ({"type": "plus", "content": const("ab")}, ["ab", "abab"], [""]),
        ({"type": "repeat", "content": const("a"), "min": 1, "max": 2}, ["a", "aa"], ["", "aaa"]),
        ({"type": "repeat", "content": const("a"), "min": 2, "max": -1}, ["aa", "aaaaa"], ["a"]),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_parts(data, accepted: list[str], refused: list[str]) -> None:
    check(data, accepted, refused)
    check(json.dumps({"type": "structural_tag", "format": data}), accepted, refused)


def test_free_text_in_a_tag_ends_with_the_first_end() -> None:
    check(tag("<t>", ANY, "</t>"), ["<t></t>", "<t>a<b</t>"], ["<t>", "<t>a</t></t>", "<t>a</t>b</t>"])
    check(tag("[", ANY, "aa"), ["[aa", "[baa"], ["[aaa", "[aabaa", "[abaaa"])
    check(tag("<t>", {"type": "sequence", "elements": [const("x"), ANY]}, "</t>"), ["<t>x</t>"], ["<t>x</t></t>"])


def test_a_tag_with_several_ends() -> None:
    check(tag("[", ANY, ["]", "!"]), ["[a]", "[a!"], ["[a]!", "[a!]", "[a"])
    check(tag("[", ANY, ["]", {"type": "token", "token": "</call>"}]), ["[a]", "[a@</call>@"], ["[a]@</call>@"])
    check(tag("[", const("a"), ["]", "!"]), ["[a]", "[a!"], ["[a"])
    assert str(Grammar.from_structural_tag(tag("[", const("a"), ["]", "!"]))) == 'root ::= "[" "a" ("]" | "!")\n'


CALLS = {
    "type": "triggered_tags",
    "triggers": ["<f="],
    "tags": [
        tag("<f=city>", {"type": "json_schema", "json_schema": CITY}, "</f>"),
        tag("<f=now>", const("{}"), "</f>"),
    ],
}
CITY_CALL, NOW_CALL = '<f=city>{"city": "Oslo"}</f>', "<f=now>{}</f>"


def test_free_text_until_a_trigger() -> None:
    check(
        CALLS,
        ["", "no call", "<f", f"I will. {NOW_CALL}", f"{CITY_CALL}{NOW_CALL}", f"a{CITY_CALL} and {NOW_CALL}.", "<<f"],
        ["<f=", "a <f=x>", "<f=now>", "<f=now>[]</f>", "<f=city>{}</f>", f"{NOW_CALL}<f="],
    )


@pytest.mark.parametrize(
    ("flags", "accepted", "refused"),
    [
        ({"at_least_one": True}, [NOW_CALL, NOW_CALL + "x", NOW_CALL + "x" + CITY_CALL], ["", "x", "x" + NOW_CALL]),
        ({"stop_after_first": True}, ["", "x", "x" + NOW_CALL], [NOW_CALL + "x", NOW_CALL * 2]),
        ({"at_least_one": True, "stop_after_first": True}, [NOW_CALL], ["", "x" + NOW_CALL, NOW_CALL * 2]),
        ({"excludes": ["bad"]}, ["ba d", "x" + NOW_CALL], ["bad", "xbadx" + NOW_CALL, NOW_CALL + "bad"]),
    ],
)
def test_flags_of_triggered_tags(flags, accepted: list[str], refused: list[str]) -> None:
    check({**CALLS, **flags}, accepted, refused)


def test_several_triggers() -> None:
    data = {
        "type": "triggered_tags",
        "triggers": ["<a", "{"],
        "tags": [tag("<a>", const("1"), ">"), tag("{b", const("2"), "}"), tag("{c", const("3"), "}")],
    }
    check(data, ["x<a>1>y{b2}{c3}", "<b"], ["{", "x{d", "<a", "{b3}"])


def test_triggered_tags_in_a_tag_stop_at_its_end() -> None:
    check(tag("<r>", CALLS, "</r>"), [f"<r>a{NOW_CALL}b</r>", "<r></r>"], ["<r></r></r>", f"<r>{NOW_CALL}", "<r></r>x"])


def test_reasoning_before_calls() -> None:
    data = {"type": "sequence", "elements": [tag("<think>", ANY, "</think>"), CALLS]}
    check(data, ["<think>hm</think>", f"<think>{NOW_CALL}</think>a{NOW_CALL}"], ["hm", "<think>hm"])


def test_tags_with_a_separator() -> None:
    data = {"type": "tags_with_separator", "tags": [tag("<", const("a"), ">")], "separator": ", "}
    check(data, ["", "<a>", "<a>, <a>"], ["<a><a>", "<a>,", "x"])
    check({**data, "at_least_one": True}, ["<a>"], [""])
    check({**data, "stop_after_first": True}, ["", "<a>"], ["<a>, <a>"])


def test_dispatch() -> None:
    data = {"type": "dispatch", "rules": [["<a>", const("1")], ["<b>", const("2")]], "excludes": ["!"]}
    check(data, ["", "x<a>1y<b>2", "<"], ["<a>2", "x!", "<a>1!"])
    check({**data, "loop": False}, ["", "x", "x<a>1"], ["x<a>1y", "<a>1<b>2"])


TOKEN_CALLS = {
    "type": "token_triggered_tags",
    "trigger_tokens": ["<call>"],
    "tags": [tag({"type": "token", "token": "<call>"}, const("{}"), {"type": "token", "token": 257})],
}


def test_tokens_as_triggers() -> None:
    check(TOKEN_CALLS, ["", "<call>", "a@<call>@{}@</call>@b"], ["@<call>@", "@<think>@", "@<call>@{}</call>"])
    check({**TOKEN_CALLS, "at_least_one": True, "stop_after_first": True}, ["@<call>@{}@</call>@"], ["", "a"])


def test_any_tokens_up_to_a_token() -> None:
    end = {"type": "token", "token": "</call>"}
    check(tag("<", {"type": "any_tokens"}, end), ["<a@<call>@b@</call>@"], ["<a", "<@</call>@@</call>@"])
    check({"type": "any_tokens", "exclude_tokens": [256]}, ["", "a@<think>@"], ["@<call>@"])
    check({"type": "exclude_token", "exclude_tokens": ["<call>"]}, ["a", "@<think>@"], ["", "@<call>@", "ab"])
    check({"type": "token", "token": "<call>"}, ["@<call>@"], ["<call>", "@<think>@"])


def test_grammars_stand_where_formats_do() -> None:
    grammar = Grammar.from_choice(["yes", "no"])
    check(tag("<", grammar, ">"), ["<yes>"], ["yes"])
    check({"type": "sequence", "elements": [grammar, const("!")]}, ["no!"], ["no"])


def test_schemas_have_their_coverage_and_options() -> None:
    grammar = Grammar.from_structural_tag(CALLS)
    assert ("/tags/0/content/json_schema", "required") in {(e.pointer, e.keyword) for e in grammar.coverage}
    schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    data = {"type": "json_schema", "json_schema": schema}
    with pytest.raises(SchemaError) as caught:
        Grammar.from_structural_tag(data)
    assert caught.value.pointer == "/json_schema"
    assert Grammar.from_structural_tag(data, json_schema={"unsupported": "report"}).coverage.column("checked")


@pytest.mark.parametrize(
    ("data", "pointer", "words"),
    [
        ([], "", "object with a type"),
        ({}, "", "has a type"),
        ("{", "", "not valid JSON"),
        ('{"type": "any_text", "type": "any_text"}', "", "occurs twice"),
        ({"type": "prose"}, "/type", "no format is called prose"),
        ({"type": "const_string"}, "", "needs the field value"),
        ({"type": "const_string", "value": 1}, "/value", "is a string"),
        ({"type": "const_string", "value": "\ud800"}, "/value", "surrogate"),
        ({"type": "const_string", "value": "a", "x": 1}, "/x", "no field of this name"),
        ({"type": "structural_tag", "format": ANY, "x": 1}, "/x", "no field"),
        ({"type": "structural_tag", "format": {"type": "no"}}, "/format/type", "no format"),
        ({"type": "any_text", "excludes": "a"}, "/excludes", "is a list"),
        ({"type": "any_text", "excludes": [""]}, "/excludes/0", "is empty"),
        ({"type": "any_text", "max_chars": -1}, "/max_chars", "integer from 0"),
        ({"type": "any_text", "max_tokens": 4}, "/max_tokens", "does not count tokens"),
        ({"type": "json_schema", "json_schema": CITY, "style": "qwen_xml"}, "/style", "style"),
        ({"type": "json_schema", "json_schema": CITY, "any_order": True}, "/any_order", "profile"),
        ({"type": "sequence", "elements": []}, "/elements", "is empty"),
        ({"type": "or", "elements": [ANY, {"type": "x"}]}, "/elements/1/type", "no format"),
        ({"type": "repeat", "min": 2, "max": 1, "content": ANY}, "/max", "integer from min"),
        ({"type": "repeat", "max": 1, "content": ANY}, "", "needs the field min"),
        (tag("<", ANY, []), "/end", "is empty"),
        (tag(1, ANY, ">"), "/begin", "is a string"),
        (tag({"type": "tag"}, ANY, ">"), "/begin", "string or a token"),
        (tag({"type": "token", "token": True}, ANY, ">"), "/begin/token", "its text or its id"),
        ({**CALLS, "triggers": []}, "/triggers", "is empty"),
        ({**CALLS, "triggers": ["<f=", "<g"]}, "/triggers/1", "no tag begins"),
        ({**CALLS, "triggers": ["<g"]}, "/tags/0/begin", "no trigger"),
        ({**CALLS, "triggers": ["<f=", "<f=n"]}, "/triggers/1", "no tag begins"),
        ({**CALLS, "excludes": ["f"]}, "/triggers/0", "never reached"),
        ({**CALLS, "at_least_one": 1}, "/at_least_one", "true or false"),
        ({**CALLS, "tags": [ANY]}, "/tags/0", "is a tag"),
        ({**CALLS, "tags": TOKEN_CALLS["tags"]}, "/tags/0/begin", "begins with text"),
        ({**TOKEN_CALLS, "trigger_tokens": [3]}, "/tags/0/begin", "not one of the trigger"),
        ({**TOKEN_CALLS, "exclude_tokens": [3]}, "/exclude_tokens", "special token"),
        ({"type": "any_tokens"}, "", "exactly one token"),
        ({"type": "dispatch", "rules": [["a"]]}, "/rules/0", "a string and a format"),
        ({"type": "dispatch", "rules": [["a", ANY], ["ba", ANY]]}, "/rules/1", "never reached"),
    ],
)
def test_refusals_have_their_pointer(data, pointer: str, words: str) -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.from_structural_tag(data)
    assert caught.value.code == "GRAMMAR_TAG"
    assert caught.value.pointer == pointer
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("data", "code", "pointer"),
    [
        ({"type": "regex", "pattern": "("}, "GRAMMAR_SYNTAX", "/pattern"),
        (tag("<", {"type": "grammar", "grammar": "root ::= x"}, ">"), "GRAMMAR_UNDEFINED_RULE", "/content/grammar"),
        ({"type": "json_schema", "json_schema": {"properties": {"a": {"type": 3}}}}, "SCHEMA_SYNTAX", None),
    ],
)
def test_grammars_inside_say_where_they_are(data, code: str, pointer: str | None) -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.from_structural_tag(data)
    assert caught.value.code == code
    assert caught.value.pointer is not None
    assert caught.value.pointer.startswith(pointer or "/json_schema/properties/a")


def nested(depth: int):
    data = const("x")
    for _ in range(depth):
        data = tag("(", {"type": "sequence", "elements": [data, ANY]}, [")", "]"])
    return data


def test_bounds() -> None:
    check(nested(3), ["(((x)])", "(((x)a])"], ["((x)", "(((x)])a]"])
    for data in (nested(200), "[" * 100_000):
        with pytest.raises(Error) as caught:
            Grammar.from_structural_tag(data)
        assert caught.value.code in ("GRAMMAR_BUDGET_DEPTH", "GRAMMAR_TAG")
    with pytest.raises(BudgetError):
        Grammar.from_structural_tag(nested(15), limits=Limits(expression_nodes=10_000))
    with pytest.raises(BudgetError):
        Grammar.from_structural_tag(json.dumps(CALLS), limits=Limits(grammar_bytes=20))


def test_the_automaton_engine_finds_one_meaning_for_each_byte() -> None:
    report = Language(CALLS).constraints[0].report
    assert report.engine == "automaton"
    assert report.visible
