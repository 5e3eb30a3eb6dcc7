r"""How well-known chat models write tool calls: a table, and a structural tag made from it and from your tools.

    Grammar.from_structural_tag(tool_tag("hermes", tools))

A model calls tools in the format of its chat template and in no other, so a grammar for tool calls must spell it
exactly: the table below holds the text around a tool's name and arguments, with the chat template or encoder that it
was taken from. Whether a marker is ordinary text for a tokenizer or a special token, which no text can spell, differs
between models; `special` says which are. Use it for models of the table; for others write a structural tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from .tag_fields import refuse

__all__ = ["TOOL_FORMATS", "ToolFormat", "tool_tag"]

NAME, ARGUMENTS, NUMBER, BLANK = "\0name", "\0arguments", "\0number", "\0blank"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}

Part = str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """One format. call: a call, in parts, with NAME, ARGUMENTS, NUMBER and BLANK (one space or none) for what varies.
    trigger: what no free text holds, and each call or list of calls begins with. before, after: around a list of calls;
    both empty where each call stands alone. separator: between calls in a list. parallel: whether there may be several.
    special: the markers that are special tokens. source: where the format is written down.
    """

    name: str
    models: str
    call: tuple[str, ...]
    trigger: str
    source: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    separator: str = ""
    parallel: bool = True
    special: tuple[str, ...] = ()


_FORMATS = (
    ToolFormat(
        "hermes",
        "Hermes 2 Pro, Hermes 3, Qwen 2.5, Qwen 3",
        ('<tool_call>\n{"name": "', NAME, '", "arguments": ', ARGUMENTS, "}\n</tool_call>"),
        "<tool_call>",
        "chat templates of NousResearch/Hermes-3-Llama-3.1-8B and Qwen/Qwen3-8B",
    ),
    ToolFormat(
        "llama-3",
        "Llama 3.1, 3.2 and 3.3, custom tools",
        ('{"name": "', NAME, '", "parameters": ', ARGUMENTS, "}"),
        '{"name": ',
        "chat template of meta-llama/Llama-3.1-8B-Instruct",
        parallel=False,
    ),
    ToolFormat(
        "llama-3-python-tag",
        "Llama 3.1 and 3.3 with `Environment: ipython`",
        ("<|python_tag|>", '{"name": "', NAME, '", "parameters": ', ARGUMENTS, "}"),
        "<|python_tag|>",
        "meta-llama/llama-models, models/llama3_1/prompt_format.md",
        parallel=False,
        special=("<|python_tag|>",),
    ),
    ToolFormat(
        "mistral-v3",
        "Mistral 7B v0.3, Nemo, Small and Large of 2024 (tokenizers v3 and v7)",
        ('{"name": "', NAME, '", "arguments": ', ARGUMENTS, "}"),
        "[TOOL_CALLS]",
        "mistral-common, InstructTokenizerV3",
        before=("[TOOL_CALLS]", BLANK, "["),
        after=("]",),
        separator=", ",
        special=("[TOOL_CALLS]",),
    ),
    ToolFormat(
        "mistral-v13",
        "Mistral models since 2025 (tokenizer v13)",
        ("[TOOL_CALLS]", NAME, "[ARGS]", ARGUMENTS),
        "[TOOL_CALLS]",
        "mistral-common, InstructTokenizerV13",
        special=("[TOOL_CALLS]", "[ARGS]"),
    ),
    ToolFormat(
        "deepseek-v3",
        "DeepSeek V3, R1 (0528)",
        ("<｜tool▁call▁begin｜>function<｜tool▁sep｜>", NAME, "\n```json\n", ARGUMENTS, "\n```<｜tool▁call▁end｜>"),
        "<｜tool▁calls▁begin｜>",
        "chat template of deepseek-ai/DeepSeek-V3",
        before=("<｜tool▁calls▁begin｜>",),
        after=("<｜tool▁calls▁end｜>",),
        separator="\n",
    ),
    ToolFormat(
        "deepseek-v3.1",
        "DeepSeek V3.1",
        ("<｜tool▁call▁begin｜>", NAME, "<｜tool▁sep｜>", ARGUMENTS, "<｜tool▁call▁end｜>"),
        "<｜tool▁calls▁begin｜>",
        "chat template of deepseek-ai/DeepSeek-V3.1",
        before=("<｜tool▁calls▁begin｜>",),
        after=("<｜tool▁calls▁end｜>",),
    ),
    ToolFormat(
        "kimi-k2",
        "Kimi K2",
        (
            "<|tool_call_begin|>functions.",
            NAME,
            ":",
            NUMBER,
            "<|tool_call_argument_begin|>",
            ARGUMENTS,
            "<|tool_call_end|>",
        ),
        "<|tool_calls_section_begin|>",
        "moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md",
        before=("<|tool_calls_section_begin|>",),
        after=("<|tool_calls_section_end|>",),
    ),
    ToolFormat(
        "phi-4-mini",
        "Phi-4-mini",
        ('{"name": "', NAME, '", "arguments": ', ARGUMENTS, "}"),
        "<|tool_call|>",
        "model card of microsoft/Phi-4-mini-instruct",
        before=("<|tool_call|>", "["),
        after=("]", "<|/tool_call|>"),
        separator=", ",
        special=("<|tool_call|>", "<|/tool_call|>"),
    ),
)
TOOL_FORMATS: Mapping[str, ToolFormat] = {format.name: format for format in _FORMATS}


def tool_tag(
    format: str | ToolFormat,
    tools: Sequence[Mapping[str, Any]],
    *,
    choice: str = "auto",
    parallel: bool | None = None,
    special: Iterable[str] | None = None,
) -> dict[str, Any]:
    """A structural tag: free text with calls of these tools in a model's format.

    format: a name in `TOOL_FORMATS`, or a format of your own. tools: `{"type": "function", "function": {"name": ...,
    "parameters": ...}}` or the inner object; without parameters a tool takes an empty object. choice: "auto";
    "required" begins with a call; a tool's name allows that tool alone, called once, with no text before. parallel:
    several calls; None as the format allows. special: the markers that are special tokens of the vocabulary, where they
    are not the format's.

    Raises InputError for an unknown format or option, GrammarError GRAMMAR_TAG for a tool that is not described well.
    """
    if isinstance(format, str):
        found = TOOL_FORMATS.get(format)
        if found is None:
            what = f"{format[:40]} is none of {', '.join(TOOL_FORMATS)}"
            raise InputError("INPUT_FORMAT", name="tool format", what=what)
        format = found
    if parallel and not format.parallel:
        raise InputError("INPUT_FORMAT", name="parallel", what=f"the format {format.name} has one call in an answer")
    described = dict(_described(tools))
    forced = choice not in ("auto", "required")
    if forced:
        if choice not in described:
            raise InputError("INPUT_FORMAT", name="choice", what="must be auto, required or the name of a tool")
        described = {choice: described[choice]}
    markers = tuple(format.special if special is None else special)
    several = (format.parallel if parallel is None else parallel) and not forced
    calls = [_tag([_filled(part, name, schema) for part in format.call], markers) for name, schema in described.items()]
    if format.before:
        several_calls = {
            "type": "tags_with_separator",
            "tags": calls,
            "separator": format.separator,
            "at_least_one": True,
            "stop_after_first": not several,
        }
        around = [[_filled(part, "", None) for part in parts] for parts in (format.before, format.after)]
        calls = [_tag([*around[0], several_calls, *around[1]], markers)]
    common = {"tags": calls, "at_least_one": choice != "auto", "stop_after_first": not several or bool(format.before)}
    if format.trigger in markers:
        return {"type": "token_triggered_tags", "trigger_tokens": [format.trigger], **common}
    return {"type": "triggered_tags", "triggers": [format.trigger], **common}


def _described(tools: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Names and schemas of the arguments."""
    if not tools:
        raise refuse("/tools", "there is no tool")
    seen: set[str] = set()
    for number, tool in enumerate(tools):
        pointer = f"/tools/{number}"
        inner = tool.get("function", tool) if isinstance(tool, Mapping) else None
        if not isinstance(inner, Mapping):
            raise refuse(pointer, "a tool is an object")
        name = inner.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise refuse(f"{pointer}/name", "a tool has a name of letters, digits, _, - and .")
        if name in seen:
            raise refuse(f"{pointer}/name", f"the tool {name} occurs twice")
        seen.add(name)
        parameters = inner.get("parameters")
        yield name, _NO_ARGUMENTS if parameters is None else parameters


def _filled(part: str, name: str, schema: Any) -> Part:
    if part == ARGUMENTS:
        return {"type": "json_schema", "json_schema": schema}
    if part in (NUMBER, BLANK):
        return {"type": "regex", "pattern": "[0-9]+" if part == NUMBER else " ?"}
    return name if part == NAME else part


def _tag(parts: Iterable[Part], markers: Sequence[str]) -> dict[str, Any]:
    """A tag of these parts: it begins with the first, and ends with the last if that is fixed."""
    found = _joined(part for whole in parts for part in _split(whole, markers))
    begin, *rest = found
    end: Part = ""
    if rest and (isinstance(rest[-1], str) or rest[-1]["type"] == "token"):
        end = rest.pop()
    content = [{"type": "const_string", "value": part} if isinstance(part, str) else part for part in rest]
    return {"type": "tag", "begin": begin, "content": {"type": "sequence", "elements": content}, "end": end}


def _split(part: Part, markers: Sequence[str]) -> Iterator[Part]:
    """A text, cut at markers that are special tokens."""
    if not isinstance(part, str) or not markers:
        yield part
        return
    for piece in re.split(f"({'|'.join(map(re.escape, markers))})", part):
        if piece:
            yield {"type": "token", "token": piece} if piece in markers else piece


def _joined(parts: Iterable[Part]) -> list[Part]:
    """The parts with neighbouring texts joined."""
    found: list[Part] = []
    for part in parts:
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return found
