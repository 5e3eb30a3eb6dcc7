"""The program as a whole: help, imports, exit status, voice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from checkrail import __version__
from checkrail.cli import main
from checkrail.cli.exit_status import ExitStatus, status_of
from checkrail.cli.talk import Talk, _run
from checkrail.errors import CATALOGUE, Error, InputError

Program = Callable[..., Result]
COMMANDS = (
    *("demo", "generate", "extract", "chat", "check", "explain", "mask", "calc"),
    *("tools", "models", "cache", "doctor", "rule"),
)


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    code = "from checkrail.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **options}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_help_names_every_command(program: Program) -> None:
    result = program("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(program: Program, name: str) -> None:
    result = program(name, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.stdout


SINGLE = [command for command in COMMANDS if command not in ("models", "tools")]


@pytest.mark.parametrize("name", [*SINGLE, "models list", "models install", "tools list"])
def test_each_command_has_the_common_options(program: Program, name: str) -> None:
    text = program(*name.split(), "--help").stdout
    for option in ("--json", "--quiet", "--verbose", "--color", "--no-progress"):
        assert option in text


def test_help_of_all_commands_is_light() -> None:
    code = (
        "import sys\nfrom checkrail.cli import main\n"
        f"for name in {COMMANDS!r}:\n"
        "    try: main([name, '--help'])\n    except SystemExit: pass\n"
        "loaded = {m.partition('.')[0] for m in sys.modules}\n"
        "print(sorted(loaded & {'numpy', 'pydantic', 'rich', 'asyncio', 'xllamacpp'}))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_is_quick() -> None:
    def seconds() -> float:
        begin = time.perf_counter()
        assert process("--help").returncode == 0
        return time.perf_counter() - begin

    assert min(seconds() for _ in range(3)) < 1.5


def test_version(program: Program) -> None:
    assert program("--version").stdout.split()[-1] == __version__


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["check"], ["generate", "--nonsense"], ["rule"], ["models", "path", "x"]]
)
def test_wrong_usage_is_2(program: Program, arguments: list[str]) -> None:
    result = program(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage:" in result.stderr


# The table of the exit status, by what a code is about; every code has a status of it.
STATUS = {
    "GRAMMAR_SYNTAX": 2,
    "SCHEMA_KEYWORD_UNSUPPORTED": 2,
    "SCHEMA_CONFLICT": 2,
    "SAMPLING_PARAM": 2,
    "INPUT_MISSING": 3,
    "INPUT_UNREADABLE": 3,
    "INPUT_ENCODING": 3,
    "INPUT_FORMAT": 3,
    "MODEL_MISSING": 3,
    "VOCAB_FORMAT": 3,
    "BACKEND_FAILED": 3,
    "MASK_DEAD_END": 3,
    "AUTH_DENIED_USER": 5,
    "AUTH_MANIFEST_DRIFT": 5,
    "AUTH_NO_CHANNEL": 5,
    "BUDGET_TOKENS": 6,
    "BUDGET_TIME": 6,
    "CANCELLED": 130,
    "SEMANTIC_FAULTS": 1,
}


class _Coded(Error):
    def __init__(self, code: str) -> None:
        self.code = code


@pytest.mark.parametrize("code", STATUS)
def test_status_of_a_code(code: str) -> None:
    assert status_of(_Coded(code)) == STATUS[code]


def test_every_code_has_a_status_of_failure() -> None:
    assert all(status_of(_Coded(code)) in (1, 2, 3, 5, 6, 130) for code in CATALOGUE)


def failing(failure: BaseException) -> Callable[[], int]:
    def command() -> int:
        raise failure

    return command


def test_a_failure_is_drawn_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(Talk(), failing(InputError("INPUT_MISSING", name="x.json"))) == ExitStatus.UNREADABLE
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "INPUT_MISSING: There is no file x.json.\n    Check the path.\n"


def test_a_failure_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(Talk(as_json=True), failing(InputError("INPUT_MISSING", name="x"))) == 3
    data = json.loads(capsys.readouterr().err)
    assert (data["schema_version"], data["error"]["code"]) == (1, "INPUT_MISSING")


def test_an_interrupt_is_130_and_a_defect_keeps_its_traceback() -> None:
    assert _run(Talk(quiet=True), failing(KeyboardInterrupt())) == 130
    with pytest.raises(ZeroDivisionError):
        _run(Talk(), failing(ZeroDivisionError()))


def test_a_reader_that_leaves_is_no_failure(tmp_path: Path) -> None:
    code = "from checkrail.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(
        [sys.executable, "-c", code, "rule", "--all"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    with child.stderr:
        assert child.stderr.read() == b""
    assert child.wait() == ExitStatus.BROKEN_PIPE


@pytest.mark.parametrize(
    ("options", "environment", "colored"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color(
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    environment: dict[str, str],
    colored: bool,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = program("rule", "BUDGET_TOKENS", *options)
    assert ("\x1b[" in result.stdout) == colored
    assert ("\x1b[" in program("check", "missing.gbnf", *options).stderr) == colored


def test_main_is_what_the_script_calls() -> None:
    assert isinstance(main, click.Group)
    with pytest.raises(SystemExit) as caught:
        main(["rule", "BUDGET_TOKENS"])
    assert caught.value.code == 0
