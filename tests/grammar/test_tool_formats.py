"""Tool calls as chat models write them: each format's own example is taken, and nothing near it."""

from __future__ import annotations

import pytest

from checkrail.errors import GrammarError, InputError
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.tool_formats import TOOL_FORMATS, tool_tag
from checkrail.vocabulary.vocabulary import Vocabulary
from engines_agree import both, both_take

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
TOOLS = [WEATHER, {"name": "now"}]

# what the templates write for get_weather(city="Oslo") and now(), one after the other where that is allowed
EXAMPLES = {
    "hermes": [
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
        '\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    ],
    "llama-3": ['{"name": "get_weather", "parameters": {"city": "Oslo"}}'],
    "llama-3-python-tag": ['<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}'],
    "mistral-v3": [
        '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}}, {"name": "now", "arguments": {}}]'
    ],
    "mistral-v13": ['[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}', "[TOOL_CALLS]now[ARGS]{}"],
    "deepseek-v3": [
        "<｜tool▁calls▁begin｜>"
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>\n'
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ],
    "deepseek-v3.1": [
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>'
        "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ],
    "kimi-k2": [
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Oslo"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}'
        "<|tool_call_end|><|tool_calls_section_end|>"
    ],
    "phi-4-mini": [
        '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}, '
        '{"name": "now", "arguments": {}}]<|/tool_call|>'
    ],
}


class Language:
    """What a tag takes, over a vocabulary of bytes and the markers that are special tokens."""

    def __init__(self, tag, special: tuple[str, ...]) -> None:
        tokens = [*(bytes([b]) for b in range(256)), *(marker.encode() for marker in special), None]
        ids = range(256, 256 + len(special))
        self.special = dict(zip(special, ids, strict=True))
        vocabulary = Vocabulary.from_bytes(tokens, eos=[len(tokens) - 1], special=ids)
        self.constraints = both(Grammar.from_structural_tag(tag), vocabulary)

    def ids(self, text: str):
        while text:
            marker = next((marker for marker in self.special if text.startswith(marker)), None)
            yield from text[0].encode() if marker is None else [self.special[marker]]
            text = text[1 if marker is None else len(marker) :]

    def __contains__(self, text: str) -> bool:
        return both_take(self.constraints, self.ids(text))


def language(name: str, tools=TOOLS, **options) -> Language:
    return Language(tool_tag(name, tools, **options), TOOL_FORMATS[name].special)


def test_each_format_has_an_example() -> None:
    assert EXAMPLES.keys() == TOOL_FORMATS.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_calls_between_free_text(name: str) -> None:
    found = language(name)
    calls = EXAMPLES[name]
    for text in ("", "Hello.", *calls, "".join(calls), "I look. " + calls[0]):
        assert text in found, text
    whole = "".join(calls)
    for bad in (
        whole.replace("get_weather", "get_wether"),
        whole.replace('"Oslo"', "7"),
        whole.replace("city", "town"),
        calls[0][:-1],
    ):
        assert bad not in found, bad


@pytest.mark.parametrize("name", EXAMPLES)
def test_required_and_forced(name: str) -> None:
    call = EXAMPLES[name][0]
    required, forced = language(name, choice="required"), language(name, choice="now")
    assert call in required
    assert "" not in required
    assert "a " + call not in required
    assert call not in forced
    one = language(name, tools=[WEATHER], choice="get_weather")
    single = EXAMPLES[name][0].split(", {")[0]
    single += "]" * (name == "mistral-v3") + "]<|/tool_call|>" * (name == "phi-4-mini")
    if name.startswith(("deepseek", "kimi")):
        end = TOOL_FORMATS[name].call[-1]
        single = call[: call.index(end) + len(end)] + TOOL_FORMATS[name].after[0]
    assert single in one
    assert single + single not in one


@pytest.mark.parametrize("name", EXAMPLES)
def test_one_call_only(name: str) -> None:
    found = language(name, parallel=False)
    assert ("".join(EXAMPLES[name]) in found) == (not TOOL_FORMATS[name].parallel)


def test_markers_may_be_tokens_where_a_vocabulary_has_them() -> None:
    markers = ("<tool_call>", "</tool_call>")
    found = Language(tool_tag("hermes", TOOLS, special=markers), markers)
    assert "".join(EXAMPLES["hermes"]) in found
    matcher = found.constraints[0].matcher()
    assert all(map(matcher.accept_token, EXAMPLES["hermes"][0].encode()))  # as plain text, which is no tool call
    assert matcher.is_completed()


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("nope", TOOLS), {}, "is none of hermes"),
        (("hermes", TOOLS), {"choice": "other"}, "name of a tool"),
        (("llama-3", TOOLS), {"parallel": True}, "one call in an answer"),
    ],
)
def test_options_outside_their_domain(arguments, options, words: str) -> None:
    with pytest.raises(InputError, match=words):
        tool_tag(*arguments, **options)


@pytest.mark.parametrize(
    ("tools", "pointer"),
    [([], "/tools"), ([3], "/tools/0"), ([{"name": "a b"}], "/tools/0/name"), ([WEATHER, WEATHER], "/tools/1/name")],
)
def test_tools_that_are_not_described_well(tools, pointer: str) -> None:
    with pytest.raises(GrammarError) as caught:
        tool_tag("hermes", tools)
    assert caught.value.code == "GRAMMAR_TAG"
    assert caught.value.pointer == pointer
