# mypy: disable-error-code="import-not-found,untyped-decorator,unused-ignore"
"""What other tool loops do with the same six tricks. Run it in an environment of its own, with the peers installed:

python -m venv peers && peers/bin/pip install openai-agents pydantic-ai-slim smolagents
peers/bin/python benchmarks/tool_peers.py

No network, no key, no model: each peer is given the text that a model would have written, through the interface that it
has for that. One line of JSON for each peer and trick. `outcome` is what the tool got, or what the loop said instead.

    duplicate keys     {"path": "/safe", "path": "/etc"}
    coercion           "5" for an integer
    extra arguments    one that the tool does not declare
    exception          a tool raises an error with a secret in its text: what does the model see?
    timeout            a tool that waits past its limit and then acts: does the act happen?
    approve A, run B   arguments that are exchanged after a person approved
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")

DUPLICATE = '{"path": "/safe", "path": "/etc"}'
COERCED = '{"number": "5"}'
EXTRA = '{"number": 5, "approved": true}'
SECRET = "password-8472"
LIMIT, ACTS_AFTER, LOOK_AFTER = 0.2, 0.8, 1.2  # seconds

Probe = Callable[[], Awaitable[Any]]


# --- openai-agents


def _agents() -> dict[str, Probe]:
    from agents import function_tool
    from agents.tool_context import ToolContext

    async def invoke(tool: Any, arguments: str) -> Any:
        context = ToolContext(context=None, tool_name=tool.name, tool_call_id="1", tool_arguments=arguments)
        return await tool.on_invoke_tool(context, arguments)

    @function_tool
    def show_path(path: str) -> str:
        return f"ran with {path!r}"

    @function_tool
    def show_number(number: int) -> str:
        return f"ran with {number!r}"

    @function_tool
    def fail(number: int) -> str:
        raise RuntimeError(SECRET)

    async def timeout() -> str:
        mark = _mark()

        def slow(number: int) -> str:
            time.sleep(ACTS_AFTER)
            mark.touch()
            return "done"

        try:
            tool = function_tool(slow, timeout=LIMIT)
        except Exception as refused:
            return f"a timeout of a plain function is refused: {type(refused).__name__}: {refused}"[:200]
        return await _acted(mark, invoke(tool, '{"number": 1}'))

    return {
        "duplicate keys": lambda: invoke(show_path, DUPLICATE),
        "coercion": lambda: invoke(show_number, COERCED),
        "extra arguments": lambda: invoke(show_number, EXTRA),
        "exception": lambda: invoke(fail, '{"number": 1}'),
        "timeout": timeout,
        "approve A, run B": _agents_exchange,
    }


async def _agents_exchange() -> str:
    from agents import Agent, ModelResponse, Runner, Usage, function_tool
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    ran: list[str] = []

    @function_tool(needs_approval=True)
    def write(text: str) -> str:
        ran.append(text)
        return "written"

    class Scripted(Model):  # type: ignore[misc]
        steps = 0

        async def get_response(self, *args: Any, **options: Any) -> Any:
            self.steps += 1
            call = ResponseFunctionToolCall(
                arguments='{"text": "A"}', call_id="call-1", name="write", type="function_call"
            )
            text = ResponseOutputText(annotations=[], text="done", type="output_text")
            message = ResponseOutputMessage(
                id="m", content=[text], role="assistant", status="completed", type="message"
            )
            output: list[Any] = [call] if self.steps == 1 else [message]
            return ModelResponse(output=output, usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **options: Any) -> Any:
            raise NotImplementedError

    result = await Runner.run(Agent(name="probe", model=Scripted(), tools=[write]), "go")
    state = result.to_state()
    (asked,) = result.interruptions
    state.approve(asked)
    asked.raw_item.arguments = '{"text": "B"}'
    try:
        await Runner.run(Agent(name="probe", model=Scripted(), tools=[write]), state)
    except Exception as refused:
        return f"refused: {type(refused).__name__}"
    return f"ran with {ran}"


# --- pydantic-ai


def _pydantic_ai() -> dict[str, Probe]:
    from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def agent_that_calls(name: str, arguments: str, **options: Any) -> tuple[Any, list[Any]]:
        seen: list[Any] = []

        def write(messages: list[Any], info: AgentInfo) -> ModelResponse:
            seen.append(messages)
            if len(seen) == 1:
                return ModelResponse(parts=[ToolCallPart(name, arguments, tool_call_id="call-1")])
            return ModelResponse(parts=[TextPart("done")])

        return Agent(FunctionModel(write), **options), seen

    async def called(function: Callable[..., Any], arguments: str) -> str:
        agent, seen = agent_that_calls(function.__name__, arguments)
        agent.tool_plain(function)
        try:
            await agent.run("go")
        except Exception as failure:
            return f"{type(failure).__name__}: {failure}"[:200]
        return " | ".join(str(getattr(part, "content", part))[:200] for part in seen[1][-1].parts)

    def show_path(path: str) -> str:
        return f"ran with {path!r}"

    def show_number(number: int) -> str:
        return f"ran with {number!r}"

    def fail(number: int) -> str:
        raise RuntimeError(SECRET)

    async def timeout() -> str:
        mark = _mark()

        def slow(number: int) -> str:
            time.sleep(ACTS_AFTER)
            mark.touch()
            return "done"

        agent, _ = agent_that_calls("slow", '{"number": 1}')
        agent.tool_plain(slow, timeout=LIMIT)
        return await _acted(mark, agent.run("go"))

    async def exchange() -> str:
        ran: list[str] = []

        def write(text: str) -> str:
            ran.append(text)
            return "written"

        agent, _ = agent_that_calls("write", '{"text": "A"}', output_type=[str, DeferredToolRequests])
        agent.tool_plain(write, requires_approval=True)
        asked = await agent.run("go")
        answers = DeferredToolResults(approvals={"call-1": ToolApproved(override_args={"text": "B"})})
        await agent.run(message_history=asked.all_messages(), deferred_tool_results=answers)
        return f"ran with {ran}"

    return {
        "duplicate keys": lambda: called(show_path, DUPLICATE),
        "coercion": lambda: called(show_number, COERCED),
        "extra arguments": lambda: called(show_number, EXTRA),
        "exception": lambda: called(fail, '{"number": 1}'),
        "timeout": timeout,
        "approve A, run B": exchange,
    }


# --- smolagents


def _smolagents() -> dict[str, Probe]:
    from smolagents import ToolCallingAgent, tool
    from smolagents.local_python_executor import LocalPythonExecutor
    from smolagents.models import ChatMessage, MessageRole, Model
    from smolagents.utils import parse_json_blob

    @tool
    def show_number(number: int) -> str:
        """Show a number.

        Args:
            number: The number.
        """
        return f"ran with {number!r}"

    @tool
    def fail(number: int) -> str:
        """Fail.

        Args:
            number: The number.
        """
        raise RuntimeError(SECRET)

    async def called(made: Any, arguments: str) -> str:
        model_saw: list[str] = []

        class Scripted(Model):  # type: ignore[misc]
            def generate(self, messages: Any, **options: Any) -> Any:
                model_saw.append(str(messages[-1].content))
                text = json.dumps({"name": "final_answer", "arguments": {"answer": "done"}})
                if len(model_saw) == 1:
                    text = f'{{"name": "{made.name}", "arguments": {arguments}}}'
                return ChatMessage(role=MessageRole.ASSISTANT, content=text)

        agent = ToolCallingAgent(tools=[made], model=Scripted(), max_steps=2, verbosity_level=0)
        try:
            agent.run("go")
        except Exception as failure:
            return f"{type(failure).__name__}: {failure}"[:200]
        return model_saw[-1][-200:]

    async def duplicate() -> str:
        return f"read as {parse_json_blob(DUPLICATE)[0]}"

    async def timeout() -> str:
        mark = _mark()

        def slow() -> str:
            time.sleep(ACTS_AFTER)
            mark.touch()
            return "done"

        executor = LocalPythonExecutor([], timeout_seconds=LIMIT)  # type: ignore[call-arg]
        executor.send_tools({"slow": slow})

        async def run() -> Any:
            return await asyncio.to_thread(executor, "slow()")

        return await _acted(mark, run())

    async def exchange() -> str:
        return "there is no approval of a call"

    return {
        "duplicate keys": duplicate,
        "coercion": lambda: called(show_number, COERCED),
        "extra arguments": lambda: called(show_number, EXTRA),
        "exception": lambda: called(fail, '{"number": 1}'),
        "timeout": timeout,
        "approve A, run B": exchange,
    }


# --- what they share


def _mark() -> Path:
    return Path(tempfile.mkdtemp()) / "acted"


async def _acted(mark: Path, call: Awaitable[Any]) -> str:
    """Whether a tool that was given up acts all the same."""
    begin = time.monotonic()
    try:
        said = str(await call)
    except Exception as failure:
        said = f"{type(failure).__name__}: {failure}"
    given_up = time.monotonic() - begin
    await asyncio.sleep(max(0.0, LOOK_AFTER - given_up))
    acted = "it acted all the same" if mark.exists() else "it did not act"
    return f"given up after {given_up:.1f} s, {acted} ({said[:120]})"


PEERS: dict[str, tuple[str, Callable[[], dict[str, Probe]]]] = {
    "openai-agents": ("openai-agents", _agents),
    "pydantic-ai": ("pydantic-ai-slim", _pydantic_ai),
    "smolagents": ("smolagents", _smolagents),
}


async def main() -> None:
    """Print one line for each peer and trick."""
    for name, (package, probes) in PEERS.items():
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            print(json.dumps({"peer": name, "outcome": "not installed"}))
            continue
        for trick, probe in probes().items():
            try:
                outcome = str(await probe())
            except Exception as failure:
                outcome = f"the probe failed: {type(failure).__name__}: {failure}"[:300]
            print(json.dumps({"peer": name, "version": version, "trick": trick, "outcome": outcome}))


if __name__ == "__main__":
    asyncio.run(main())
