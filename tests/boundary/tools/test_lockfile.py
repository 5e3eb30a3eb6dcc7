"""The lockfile: what was agreed to, and what changed since."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.tools.lockfile import Change, compare, read_lock, write_lock
from checkrail.errors import ToolError

MANIFESTS = {tool.name: tool.manifest for tool in toy_tools.ALL}


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "tools.lock"
    write_lock(path, MANIFESTS.values())
    assert {name: m.sha256 for name, m in read_lock(path).items()} == {n: m.sha256 for n, m in MANIFESTS.items()}
    assert compare(read_lock(path), MANIFESTS) == []
    assert path.read_bytes().isascii()
    assert [file.name for file in tmp_path.iterdir()] == ["tools.lock"]


def test_the_file_does_not_depend_on_the_order_of_the_tools(tmp_path: Path) -> None:
    for name, manifests in (("a", list(MANIFESTS.values())), ("b", list(MANIFESTS.values())[::-1])):
        write_lock(tmp_path / name, manifests)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_changes_are_named_field_by_field() -> None:
    after = dict(MANIFESTS)
    del after["clock"]
    after["double"] = dataclasses.replace(MANIFESTS["double"], effect="Triples.", version="2.0.0")
    before = {name: manifest for name, manifest in MANIFESTS.items() if name != "notes.read"}
    assert compare(before, after) == [
        Change("removed", "clock"),
        Change("changed", "double", "effect", '"Doubles a number."', '"Triples."'),
        Change("changed", "double", "version", '"1.0.0"', '"2.0.0"'),
        Change("added", "notes.read"),
    ]


def _edit(data: Any, *path: Any, value: Any) -> Any:
    *first, last = path
    place = data
    for step in first:
        place = place[step]
    place[last] = value
    return data


@pytest.mark.parametrize(
    "path",
    [
        ("tools", "clock", "manifest", "effect"),
        ("tools", "clock", "manifest", "capability"),
        ("tools", "clock", "manifest_sha256"),
        ("tools", "clock", "manifest"),
        ("tools", "clock"),
        ("tools",),
        ("lock",),
        ("more",),
        ("tools", "other"),
    ],
)
def test_a_file_that_was_edited_is_refused(tmp_path: Path, path: tuple[str, ...]) -> None:
    file = tmp_path / "tools.lock"
    write_lock(file, MANIFESTS.values())
    file.write_text(json.dumps(_edit(json.loads(file.read_text()), *path, value="pure")))
    with pytest.raises(ToolError, match="TOOL_LOCK"):
        read_lock(file)


def test_a_manifest_under_another_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tools.lock"
    write_lock(file, MANIFESTS.values())
    data = json.loads(file.read_text())
    data["tools"]["clock"] = data["tools"]["double"]
    file.write_text(json.dumps(data))
    with pytest.raises(ToolError, match="the hash of tool double"):
        read_lock(file)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b'{"lock": "tools-lock/1", "lock": 1}'])
def test_other_files_are_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "tools.lock"
    file.write_bytes(text)
    with pytest.raises(ToolError, match="TOOL_LOCK"):
        read_lock(file)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"TOOL_LOCK.*no such file"):
        read_lock(tmp_path / "missing")
    with pytest.raises(ToolError, match=r"TOOL_LOCK.*no such file"):
        write_lock(tmp_path / "missing" / "tools.lock", MANIFESTS.values())
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(ToolError, match="TOOL_LOCK"):
        write_lock(folder, MANIFESTS.values())
    assert list(tmp_path.iterdir()) == [folder], "nothing half-written is left"
