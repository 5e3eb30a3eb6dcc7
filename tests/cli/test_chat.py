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
from typing import Any

import pytest
from click.testing import Result

from acting import Actor, answer, call
from checkrail import models
from checkrail.models import catalog
from checkrail.tools import desk

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


def test_the_exit_status_says_that_a_call_was_not_allowed(program: Program, plays: Callable[..., Actor]) -> None:
    plays(call("clock", {}), answer("no"))
    assert program("chat", stdin="What time is it?\n").exit_code == 5


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
    assert found.exit_code in (3, 5)
    assert found.stdout == ""


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
    ("page", "script", "root"),
    [
        ("tutorial-tools.md", [call("roll", {}), answer("It is 3.")], []),
        ("how-to/chat-with-tools.md", [call("list_add", {"line": "salt"}), answer("done")], ["--root", "list=."]),
    ],
)
def test_the_tools_of_the_pages_are_tools(
    program: Program, plays: Callable[..., Actor], tmp_path: Path, page: str, script: list[str], root: list[str]
) -> None:
    (code,) = re.findall(r"^```py\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    source = tmp_path / f"of_{Path(page).stem.replace('-', '_')}.py"
    source.write_text(code, "utf-8")
    plays(*script)
    found = program("chat", "--tools", source, "--authority", "auto_read", *root, stdin="Go on\n")
    assert "is called" in found.stderr
    assert found.exit_code in (0, 5)


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
