"""`checkrail chat`: prompts from standard input, answers on standard output, and a real session on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result

from acting import Actor, answer, call
from checkrail import models
from checkrail.cli import chat_view
from checkrail.cli.chat_view import _shown
from checkrail.models import catalog
from checkrail.tools import desk
from checkrail.tools import session as session_module

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Actor]:
    """Make the program's model one that plays a script."""

    def script(*texts: str) -> Actor:
        model = Actor(texts)
        monkeypatch.setattr(models, "load_model", lambda *_, **__: model)
        return model

    return script


def test_a_sum_is_computed_and_shown_where_it_is_from(program: Program, plays: Callable[..., Actor]) -> None:
    plays(call("calculate", {"expression": "1234 * 5678"}), answer("1234 * 5678 = 7006652"))
    found = program("chat", stdin="What is 1234 * 5678?\n")
    assert (found.exit_code, found.stdout) == (0, "1234 * 5678 = 7006652\n")
    for part in ('= calculate is called\n| {"expression":"1234 * 5678"}', "= done", "tool:calculate@1.0.0", "7006652"):
        assert part in found.stderr.replace("\\\n: ", "")


def test_without_a_terminal_nobody_can_agree(program: Program, plays: Callable[..., Actor], tmp_path: Path) -> None:
    plays(call("write_note", {"line": "buy milk"}), answer("It was not written down."))
    found = program("chat", "--root", f"notebook={tmp_path}", stdin="Write down: buy milk\nyes\n")
    assert "denied: Not run: there is nobody to ask." in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_is_made_only_where_none_was_named(
    program: Program, plays: Callable[..., Actor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    plays(answer("Hello"), answer("Hello"))
    named = program("chat", "-v", "--root", f"notebook={tmp_path}", stdin="Hi\n")
    assert (named.exit_code, list(tmp_path.iterdir()), "notebook:" in named.stderr) == (0, [], False)
    made = program("chat", "-v", stdin="Hi\n")
    (folder,) = tmp_path.iterdir()
    assert (made.exit_code, f"notebook: {folder}" in made.stderr) == (0, True)


def test_the_exit_status_says_that_a_call_was_not_allowed(program: Program, plays: Callable[..., Actor]) -> None:
    plays(call("clock", {}), answer("no"))
    assert program("chat", stdin="What time is it?\n").exit_code == 5


def test_the_exit_status_is_that_of_the_last_turn(program: Program, plays: Callable[..., Actor]) -> None:
    plays(call("clock", {}), answer("no"), answer("Hello"))
    assert program("chat", stdin="What time is it?\nHi\n").exit_code == 0


def test_a_blank_line_is_no_prompt(program: Program, plays: Callable[..., Actor]) -> None:
    model = plays(answer("Hello"))
    assert program("chat", stdin="\n  \nHi\n").stdout == "Hello\n"
    assert len(model.prompts) == 1


@pytest.mark.parametrize(("options", "shown"), [((), 3), (("--examples", "0"), 0), (("--examples", "1"), 1)])
def test_so_many_examples_stand_before_a_prompt(
    program: Program, plays: Callable[..., Actor], options: tuple[str, ...], shown: int
) -> None:
    model = plays(answer("I see"))
    program("chat", *options, stdin="It rains\n")
    prompts = {example.prompt for example in desk.EXAMPLES}
    assert sum(f"\n{prompt}" in model.shown(0) for prompt in prompts) == shown


@pytest.mark.parametrize(("options", "seen"), [((), True), (("--memory", "0"), False)])
def test_what_was_said_before_is_seen_again(
    program: Program, plays: Callable[..., Actor], options: tuple[str, ...], seen: bool
) -> None:
    model = plays(answer("I see"), answer("Yes"))
    program("chat", *options, stdin="It rains\nDoes it?\n")
    assert ("It rains" in model.shown(1)) is seen


def test_so_many_calls_has_a_turn(program: Program, plays: Callable[..., Actor]) -> None:
    plays(*[call("calculate", {"expression": "1 + 1"})] * 3)
    assert program("chat", "--calls", "2", stdin="Go on\n").stderr.count("= calculate is called") == 2


def test_how_the_model_writes_is_the_users_to_say(
    program: Program, plays: Callable[..., Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    class Seen(session_module.Session):
        def stream(self, prompt: str, **options: Any) -> Any:
            seen.extend((self.plan.bounds.max_tokens, self.plan.sampling.temperature, options["seed"]))
            return super().stream(prompt, **options)

    monkeypatch.setattr(session_module, "Session", Seen)
    model = plays(answer("Hello"))
    program("chat", "--system", "Be brief.", "-n", "50", "--temperature", "0.25", "--seed", "7", stdin="Hi\n")
    assert seen == [50, 0.25, 7]
    assert "Be brief." in model.shown(0)


def test_one_tool_of_a_module_has_its_own_examples(program: Program, plays: Callable[..., Actor]) -> None:
    model = plays(answer("Hello"))
    assert program("chat", "--tools", "checkrail.tools.desk:clock", stdin="What is 1 + 1?\n").exit_code == 0
    assert "calculate" not in model.shown(0)


def test_an_interrupt_ends_the_turn_and_not_the_conversation(program: Program, plays: Callable[..., Actor]) -> None:
    interrupts = iter([True, False, True])

    def interrupt(step: int) -> None:
        if next(interrupts):
            raise KeyboardInterrupt

    plays(answer("Hello")).before_step = interrupt
    found = program("chat", stdin="Hi\nHow are you?\nAnd now?\n")
    assert (found.exit_code, found.stdout) == (130, "Hello\n"), "the last turn was stopped, too"
    assert found.stderr.count("stopped") == 2


def test_why_there_is_no_answer_is_said(program: Program, plays: Callable[..., Actor]) -> None:
    model = plays(answer("Hello"))
    model.before_step = lambda step: time.sleep(0.02)
    found = program("chat", "--time-limit", "0.001", stdin="Hi\n")
    assert (found.exit_code, found.stdout) == (6, "")
    assert "BUDGET_TIME" in found.stderr


def test_an_answer_on_a_terminal_is_visible_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown("a\x1b[2J\nb") == ["a\x1b[2J\nb"], "to a file it goes as it is"
    monkeypatch.setattr(chat_view.sys, "stdout", SimpleNamespace(isatty=lambda: True, fileno=lambda: -1))
    assert [row[:2] for row in _shown("a\x1b[2J\nb")] == ["| ", "| "]
    assert not any("\x1b" in row for row in _shown("a\x1b[2J\nb"))


def test_tools_of_a_file(program: Program, plays: Callable[..., Actor], tmp_path: Path) -> None:
    source = tmp_path / "tools_of_a_chat.py"
    source.write_text(
        "from checkrail.tools import Example, tool\n\n\n"
        '@tool(name="double", version="1.0.0", capability="pure", effect="Doubles.", isolation="none")\n'
        "def double(number: int) -> int:\n    return number * 2\n\n\n"
        'EXAMPLES = [Example("Double 2", "4", "double", {"number": 2}, 4)]\n',
        "utf-8",
    )
    model = plays(call("double", {"number": 21}), answer("42"))
    found = program("chat", "--tools", source, stdin="Double 21\n")
    assert (found.exit_code, found.stdout) == (0, "42\n")
    assert "Double 2\n" in model.shown(0)


def test_json_is_one_event_a_line(program: Program, plays: Callable[..., Actor], lines: Lines) -> None:
    plays(call("calculate", {"expression": "1 + 1"}), answer("2"))
    events = lines(program("chat", "--json", stdin="What is 1 + 1?\n").stdout)
    assert events[-1]["type"] == "finished"
    assert events[-1]["text"] == "2"
    assert {"start", "delta", "end", "call_state", "inserted"} <= {event["type"] for event in events}


def test_a_lockfile_that_differs_ends_it(program: Program, plays: Callable[..., Actor], tmp_path: Path) -> None:
    lock = tmp_path / "tools.lock"
    assert program("tools", "lock", "checkrail.tools.desk", "--lock", lock).exit_code == 0
    plays(answer("Hello"))
    assert program("chat", "--lock", lock, stdin="Hi\n").exit_code == 0
    lock.write_text(lock.read_text("utf-8").replace('"title": "Clock"', '"title": "Watch"'), "utf-8")
    found = program("chat", "--lock", lock, stdin="Hi\n")
    assert (found.exit_code, found.stdout) == (3, "")
    assert "TOOL_LOCK" in found.stderr


@pytest.mark.parametrize("root", ["notes", "=x", "notes="])
def test_a_bad_root_is_wrong_usage(program: Program, root: str) -> None:
    assert program("chat", "--root", root, stdin="").exit_code == 2


def test_evidence_has_one_line_for_each_turn(program: Program, plays: Callable[..., Actor], tmp_path: Path) -> None:
    plays(call("calculate", {"expression": "1 + 1"}), answer("2"), answer("bye"))
    path = tmp_path / "turns.jsonl"
    program("chat", "--evidence", path, stdin="What is 1 + 1?\nBye\n")
    assert len(path.read_text("ascii").splitlines()) == 2
    found = program("doctor", "--evidence", path)
    assert found.exit_code == 0
    assert "turns" in found.stdout


DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "script", "root", "status"),
    [
        ("tutorial-tools.md", [call("roll", {}), answer("It is 3.")], [], 0),
        ("how-to/chat-with-tools.md", [call("list_add", {"line": "salt"}), answer("done")], ["--root", "list=."], 5),
    ],
)
def test_the_tools_of_the_pages_are_tools(
    program: Program,
    plays: Callable[..., Actor],
    tmp_path: Path,
    page: str,
    script: list[str],
    root: list[str],
    status: int,
) -> None:
    (code,) = re.findall(r"^```py\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    source = tmp_path / f"of_{Path(page).stem.replace('-', '_')}.py"
    source.write_text(code, "utf-8")
    plays(*script)
    found = program("chat", "--tools", source, "--authority", "auto_read", *root, stdin="Go on\n")
    assert "is called" in found.stderr
    assert found.exit_code == status, "nobody can be asked about what writes"


# --- a real session: the embedded model, a terminal, a person who says no and then yes


class Person:
    """Types at one end of a pseudo-terminal, and reads there."""

    def __init__(self, *arguments: str) -> None:
        self.end, device = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"}
        code = "from checkrail.cli import main; main()"
        command = [sys.executable, "-c", code, "chat", *arguments]
        self.process = subprocess.Popen(command, stdin=device, stdout=device, stderr=device, env=environment)
        os.close(device)
        self.screen = ""

    def until(self, pattern: str, seconds: float = 240) -> str:
        """Read until this stands there that did not before; what is new."""
        begin, deadline = len(self.screen), time.monotonic() + seconds
        while time.monotonic() < deadline:
            if select.select([self.end], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self.end, 65_536).decode("utf-8", "replace").replace("\r\n", "\n")
                except OSError:  # the program is gone
                    break
            if re.search(pattern, self.screen[begin:]):
                return self.screen[begin:].replace("\\\n: ", "")
        raise AssertionError(self.screen)

    def types(self, text: str) -> None:
        os.write(self.end, text.encode())

    def leaves(self) -> int:
        self.types("\x04")
        return self.process.wait(30)


@pytest.mark.model
def test_a_real_session_on_a_terminal(tmp_path: Path) -> None:
    if catalog.installed() is None:
        pytest.skip("the embedded model is not installed: run `checkrail models install`")
    folder = tmp_path / "notebook"
    folder.mkdir()
    book = folder / desk.NOTEBOOK
    person = Person("--root", f"notebook={folder}", "--memory", "0", "--calls", "1", "-n", "80")
    try:
        person.until("\n> $|^> ")
        person.types("What is 1234 * 5678?\n")
        seen = person.until("\n> $")
        assert '= calculate is called\n| {"expression":"1234 * 5678"}' in seen
        assert re.search(r'"source":"tool:calculate@1\.0\.0".*"trust":"untrusted"', seen), "the line of provenance"
        assert re.search(r"\n\| .*7006652", seen.rpartition("= the model is shown")[2].rpartition("END")[2]), seen

        person.types("Write down: buy milk\n")
        seen = person.until('Type "yes"')
        for shown in ("write_note 1.0.0 asks to change something", "Adds one line to your notebook.", "buy milk"):
            assert shown in seen
        assert not book.exists()
        person.types("no\n")
        seen = person.until("\n> $")
        assert "= denied: " in seen
        assert not book.exists()

        person.types("Write down: buy milk\n")
        person.until('Type "yes"')
        assert not book.exists()
        person.types("yes\n")
        seen = person.until("\n> $")
        assert "= done" in seen
        assert '"source":"tool:write_note@1.0.0"' in seen
        assert book.read_text("utf-8") == "buy milk\n"
        assert person.leaves() == 0
    finally:
        person.process.kill()
        person.process.wait()
        os.close(person.end)
