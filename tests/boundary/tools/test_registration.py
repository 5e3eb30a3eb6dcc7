"""Registration: a tool is checked as a whole."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.tools.registration import check_source, register
from checkrail.boundary.tools.tool import Tool, tool
from checkrail.errors import AuthorityError, ToolError

CLOSED = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}


def changed(tool: Tool, **changes: Any) -> Tool:
    """The tool with another manifest."""
    return dataclasses.replace(tool, manifest=dataclasses.replace(tool.manifest, **changes))


def test_what_the_runner_is_told(tmp_path: Path) -> None:
    registered = register(toy_tools.append, {"notes": tmp_path})
    assert (registered.module, registered.qualname) == ("toy_tools", "append")
    assert registered.manifest_sha256 == toy_tools.append.manifest.sha256
    assert registered.source_hash == toy_tools.append.manifest.implementation.source_sha256
    assert registered.roots == {"notes": str(tmp_path.resolve())}
    assert (registered.reads, registered.writes, registered.capability) == ((), ("notes",), "write")
    declared = register(toy_tools.double, {}).errors
    assert {code: error.words for code, error in declared.items()} == {
        "TOO_LARGE": {"limit": None, "day": ("mon", "tue")}
    }


@pytest.mark.parametrize("field", ["input_schema", "output_schema"])
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {**CLOSED, "properties": {"a": {}}},
        {**CLOSED, "properties": {"a": {"$ref": "#/$defs/missing"}}},
        {**CLOSED, "properties": {"a": {"type": "string", "pattern": "("}}},
        {**CLOSED, "properties": {"a": {"type": "number", "maximum": "1"}}},
    ],
)
def test_schemas_that_are_open_or_malformed(field: str, schema: Any) -> None:
    with pytest.raises(ToolError) as caught:
        register(changed(toy_tools.double, **{field: schema}), {})
    assert caught.value.code == "TOOL_MANIFEST"
    assert str(caught.value.pointer).startswith(f"/{field}")


def test_defaults_are_checked_by_the_schema() -> None:
    schema = {
        **CLOSED,
        "properties": {"a": {"$ref": "#/$defs/small", "default": 5}, "b": {"type": "null"}},
        "required": ["b"],
        "$defs": {"small": {"type": "integer", "maximum": 4}},
    }
    with pytest.raises(ToolError, match="/input_schema/properties/a/default"):
        register(changed(toy_tools.double, input_schema=schema), {})
    schema["$defs"] = {"small": {"type": "integer", "maximum": 5}}
    assert register(changed(toy_tools.double, input_schema=schema), {}).name == "double"


def test_folders_must_be_given_and_exist(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no folder notes"):
        register(toy_tools.append, {})
    with pytest.raises(ToolError, match="does not exist"):
        register(toy_tools.append, {"notes": tmp_path / "missing"})
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    assert register(toy_tools.append, {"notes": tmp_path / "link"}).roots == {"notes": str(tmp_path.resolve())}


def test_the_name_must_lead_back_to_the_tool() -> None:
    other = tool(name="other", version="1.0.0", capability="read", effect="Tries.")(toy_tools.clock.function)
    with pytest.raises(ToolError, match=r"TOOL_NOT_IMPORTABLE.*something else"):
        register(other, {})


def test_a_file_that_changed_is_another_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "changing_tools.py"
    source = (
        "from checkrail.boundary.tools.tool import tool\n"
        "@tool(name='t', version='1.0.0', capability='read', effect='Reads.')\n"
        "def t(a: int) -> int:\n    return a\n"
    )
    file.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    made = importlib.import_module("changing_tools").t
    monkeypatch.setitem(sys.modules, "changing_tools", sys.modules["changing_tools"])  # forgotten after the test
    check_source(made)
    register(made, {})
    file.write_text(source + "# changed\n")
    for check in (lambda: check_source(made), lambda: register(made, {})):
        with pytest.raises(AuthorityError, match="AUTH_MANIFEST_DRIFT"):
            check()
    file.unlink()
    with pytest.raises(AuthorityError, match="AUTH_MANIFEST_DRIFT"):
        check_source(made)
