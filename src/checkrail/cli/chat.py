"""`checkrail chat`: talk with a local model that may use tools, each call shown, and asked for where it must be."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from .chat_view import ChatView
from .exit_status import ExitStatus, status_of
from .model_options import Writing, model_options
from .talk import Talk, talking
from .tool_source import find_tools

if TYPE_CHECKING:
    from ..boundary.tools.tool import Tool
    from ..tools.answer import Answer
    from ..tools.example import Example
    from ..tools.session import Session

__all__ = ["command"]

_DESK = "checkrail.tools.desk"
_LEVELS = ("off", "propose", "ask_all", "auto_pure", "auto_read")
_PROMPT = "> "


@click.command("chat")
@click.option("--tools", "sources", multiple=True, metavar="SOURCE", help="A Python file, a module, or module:name.")
@click.option(
    "--root", "roots", multiple=True, metavar="ID=DIR", help="The folder that tools call ID; may be repeated."
)
@click.option(
    "--lock", "lockfile", metavar="FILE", type=click.Path(), help="Refuse tools that differ from this lockfile."
)
@click.option(
    "--authority",
    type=click.Choice(_LEVELS),
    default="auto_pure",
    show_default=True,
    help="What runs without a question. Nothing that writes ever does.",
)
@click.option("--system", help="Words to the model before the conversation.")
@click.option(
    "--examples",
    "shown",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="How many examples of the tools' module (EXAMPLES), the nearest, stand before each prompt.",
)
@click.option(
    "--memory", type=click.IntRange(0), default=2, show_default=True, help="How many turns the model sees again."
)
@click.option(
    "--calls", type=click.IntRange(1, 64), default=8, show_default=True, help="How many calls a turn may have."
)
@model_options
@talking
def command(
    talk: Talk,
    sources: tuple[str, ...],
    roots: tuple[str, ...],
    lockfile: str | None,
    authority: str,
    system: str | None,
    shown: int,
    memory: int,
    calls: int,
    writing: Writing,
) -> int:
    """Talk with a model that may use tools.

    Each line of standard input is a prompt. Answers go to standard output; calls, questions and what the model is shown
    of results go to standard error. Ctrl-C stops a turn, the end of input ends the conversation. Without --tools there
    are a calculator, a clock, a folder of notes and a notebook. The exit status is 5 if a call of the last turn was not
    allowed.
    """
    from ..boundary.authority import Authority
    from ..boundary.calls.budgets import SessionLimits
    from ..boundary.confirmation.terminal_confirmer import TerminalConfirmer
    from ..tools.session import SYSTEM, Session

    tools = find_tools(sources or (_DESK,))
    folders = _folders(roots)
    if not sources:
        _add_sample_folders(talk, folders)
    with writing.record() as evidence, writing.load() as model:
        session = Session(
            model,
            tools,
            confirm=TerminalConfirmer(),
            authority=Authority(authority),
            lockfile=lockfile,
            roots=folders,
            system=SYSTEM if system is None else system,
            examples=_examples(tools),
            shown_examples=shown,
            memory=memory,
            limits=SessionLimits(calls_per_turn=calls),
            sampling=writing.sampling(),
            max_tokens=writing.max_tokens,
            time_limit=writing.time_limit,
            evidence=evidence,
        )
        with session:
            talk.say(f"{model.name} with {', '.join(session.gate.tools)}; authority {authority}")
            return _talk(talk, session, writing.seed)


def _talk(talk: Talk, session: Session, seed: int | None) -> int:
    """Prompt after prompt. The exit status is that of the last turn."""
    status = ExitStatus.DONE
    for prompt in _prompts(talk):
        try:
            answer = _turn(talk, session, prompt, seed)
        except KeyboardInterrupt:
            talk.say("\nstopped")
            status = ExitStatus.INTERRUPTED
        else:
            status = _status(answer)
    return status


def _turn(talk: Talk, session: Session, prompt: str, seed: int | None) -> Answer:
    view = ChatView(talk)
    with session.stream(prompt, seed=seed) as turn:
        for event in turn:
            if talk.as_json:
                talk.json(json.loads(event.to_json()))
            else:
                view.event(event)
        return turn.answer()


def _status(answer: Answer) -> ExitStatus:
    if answer.error is not None:
        return status_of(answer.error)
    denied = any(call.state.value in ("denied", "expired") for call in answer.calls)
    return ExitStatus.DENIED if denied else ExitStatus.DONE


def _prompts(talk: Talk) -> Iterator[str]:
    """The lines of standard input that say something."""
    asks = sys.stdin.isatty()
    while True:
        if asks:
            click.echo(_PROMPT, nl=False, err=True)
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            raise InputError("INPUT_FORMAT", name="Standard input", what="must be text in UTF-8") from None
        if not line:
            return
        if line.strip():
            yield line.strip()


def _folders(roots: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for root in roots:
        name, sign, path = root.partition("=")
        if not (name and sign and path):
            raise click.UsageError(f"--root is ID=DIR, not {root}")
        found[name] = path
    return found


def _add_sample_folders(talk: Talk, folders: dict[str, str]) -> None:
    """For the tools that come with the package, those that were not named: its sample notes, and a new notebook."""
    from .demo_scenes import examples_folder

    if "notes" not in folders:
        folders["notes"] = str(Path(examples_folder(), "notes"))
    if "notebook" not in folders:
        folders["notebook"] = tempfile.mkdtemp(prefix="checkrail-notebook-")
        talk.note(f"notebook: {folders['notebook']} (name another with --root notebook=DIR)")


def _examples(tools: list[Tool]) -> list[Example]:
    """The EXAMPLES of the tools' modules, as far as they are about these tools."""
    from ..tools.example import Example

    names = {tool.name for tool in tools}
    modules: dict[str, Any] = {tool.function.__module__: sys.modules.get(tool.function.__module__) for tool in tools}
    found = [example for module in modules.values() for example in getattr(module, "EXAMPLES", ())]
    if not all(isinstance(example, Example) for example in found):
        raise InputError("INPUT_FORMAT", name="EXAMPLES", what="must be made of checkrail.tools.Example")
    return [example for example in found if example.tool is None or example.tool in names]
