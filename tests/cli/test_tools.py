"""`checkrail tools`: lock, diff, list, show."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.boundary.tools.lockfile import read_lock

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
SOURCE = '''
from typing import Annotated
from checkrail.boundary.tools.tool import tool

@tool(name="notes.append", version="1.0.0", capability="write", effect="Adds a line.")
def append(text: str) -> int:
    """Add a line."""
    return len(text)

@tool(name="double", version="2.0.0", capability="pure", effect="Doubles.", isolation="none")
def double(number: int) -> int:
    return number * 2
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with two tools, in the current folder."""
    path = tmp_path / "toy_notes.py"
    path.write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files of the same size and second look alike
    forget()
    yield path
    forget()


def forget() -> None:
    """The next command is another start of the program."""
    for name in ("toy_notes", "toy_more", "toy_broken"):
        sys.modules.pop(name, None)


def edit(file: Path, old: str, new: str) -> None:
    """Another version of the file."""
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    forget()


def test_list(program: Program, lines: Lines, file: Path) -> None:
    result = program("tools", "list", file)
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first.startswith("notes.append  1.0.0    write process         sha256:")
    assert first.endswith("  Adds a line.")
    assert second.startswith("double        2.0.0    pure  none            sha256:")
    found = lines(program("tools", "list", file, "--json").stdout)
    assert [(tool["name"], tool["capability"], tool["sensitivity"]) for tool in found] == [
        ("notes.append", "write", "private"),
        ("double", "pure", "public"),
    ]


def test_a_module_and_one_tool_of_it(program: Program, file: Path) -> None:
    assert program("tools", "list", "toy_notes").stdout == program("tools", "list", file).stdout
    assert len(program("tools", "list", "toy_notes:double").stdout.splitlines()) == 1
    assert len(program("tools", "list", "toy_notes:double", "toy_notes").stdout.splitlines()) == 2


def test_show(program: Program, lines: Lines, file: Path) -> None:
    result = program("tools", "show", "double", file)
    manifest = json.loads(result.stdout)
    assert manifest["input_schema"]["required"] == ["number"]
    (data,) = lines(program("tools", "show", "double", file, "--json").stdout)
    assert data["manifest"] == manifest
    assert result.stderr == f"sha256:{data['manifest_sha256']}\n"
    missing = program("tools", "show", "triple", file)
    assert missing.exit_code == 3
    assert "not one of notes.append, double" in missing.stderr


def test_lock_and_diff(program: Program, lines: Lines, file: Path) -> None:
    first = program("tools", "lock", file)
    assert (first.exit_code, first.stdout, first.stderr) == (0, "+ double\n+ notes.append\n", "tools.lock: 2 tools\n")
    assert set(read_lock("tools.lock")) == {"notes.append", "double"}
    assert (program("tools", "diff", file).exit_code, program("tools", "diff", file).stdout) == (0, "")
    edit(file, "Doubles.", "Triples.")
    changed = program("tools", "diff", file)
    assert changed.exit_code == 1
    assert '~ double  effect: "Doubles." -> "Triples."' in changed.stdout.splitlines()
    assert "~ notes.append  implementation: " in changed.stdout, "it is another file now"
    found = lines(program("tools", "diff", file, "--json").stdout)
    assert {"kind": "changed", "tool": "double", "field": "effect", "before": '"Doubles."', "after": '"Triples."'} in [
        {name: value for name, value in change.items() if name != "schema_version"} for change in found
    ]
    assert program("tools", "lock", file).stdout == changed.stdout
    assert program("tools", "diff", file).exit_code == 0
    removed = program("tools", "diff", "toy_notes:double")
    assert (removed.exit_code, removed.stdout) == (1, "- notes.append\n")


def test_another_lockfile(program: Program, file: Path, tmp_path: Path) -> None:
    assert program("tools", "lock", file, "--lock", tmp_path / "other.lock").exit_code == 0
    assert not (tmp_path / "tools.lock").exists()
    assert program("tools", "diff", file, "--lock", tmp_path / "other.lock").exit_code == 0
    missing = program("tools", "diff", file)
    assert missing.exit_code == 3
    assert "TOOL_LOCK" in missing.stderr


def test_an_edited_lockfile_is_not_written_over(program: Program, file: Path) -> None:
    program("tools", "lock", file)
    lock = Path("tools.lock")
    lock.write_text(lock.read_text().replace("Doubles.", "Triples."))
    result = program("tools", "lock", file)
    assert result.exit_code == 3
    assert "TOOL_LOCK" in result.stderr
    assert "Triples." in lock.read_text()


def test_what_acts_on_a_terminal_is_shown(program: Program, file: Path) -> None:
    edit(file, "double(number: int)", 'double(number: Annotated[int, "a\\x9b\\u202eb"])')
    program("tools", "lock", file)
    edit(file, "\\x9b", "")
    shown = program("tools", "diff", file).stdout
    assert "\\u{9B}\\u{202E}" in shown
    assert not set(shown) & {"\x9b", "\u202e"}


@pytest.mark.parametrize(
    ("source", "text", "code", "what"),
    [
        ("missing.py", None, "INPUT_MISSING", "missing.py"),
        ("toy_missing", None, "INPUT_FORMAT", "ModuleNotFoundError"),
        ("toy_notes:triple", None, "INPUT_FORMAT", "no tool triple"),
        ("json", None, "INPUT_FORMAT", "there is no tool"),
        ("toy_broken.py", "1 / 0", "INPUT_FORMAT", "ZeroDivisionError"),
        ("toy_broken.py", "(", "INPUT_FORMAT", "SyntaxError"),
        ("toy_broken.py", "raise SystemExit(0)", "INPUT_FORMAT", "SystemExit"),
        ("json.py", SOURCE, "INPUT_FORMAT", "another module has its name"),
        ("toy_broken.py", SOURCE.replace("text: str", "text"), "TOOL_SIGNATURE", "parameter text has no annotation"),
        ("toy_broken.py", SOURCE + "append = 5\ncopy = double\n", "", ""),
        ("toy_broken.py", SOURCE + "other = append\nappend = 5\n", "TOOL_NOT_IMPORTABLE", "something else"),
    ],
)
def test_sources_that_cannot_be_used(
    program: Program, file: Path, source: str, text: str | None, code: str, what: str
) -> None:
    if text is not None:
        Path(source).write_text(text)
        forget()
    result = program("tools", "list", source)
    if code:
        assert result.exit_code == 3
        assert code in result.stderr
        assert what in result.stderr
    else:
        assert result.exit_code == 0, result.stderr


def test_two_tools_of_one_name(program: Program, file: Path) -> None:
    Path("toy_more.py").write_text(SOURCE)
    forget()
    result = program("tools", "list", file, "toy_more.py")
    assert "TOOL_MANIFEST" in result.stderr
    assert "two tools have this name" in result.stderr
