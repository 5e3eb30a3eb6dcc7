"""`checkrail tools`: what tools a program has, and whether they are still the ones that were agreed to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from .exit_status import ExitStatus
from .talk import Talk, talking
from .tool_source import find_tools

if TYPE_CHECKING:
    from ..boundary.tools.lockfile import Change
    from ..boundary.tools.manifest import Manifest

__all__ = ["command"]

_SOURCES = click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
_LOCK = click.option(
    "--lock", "path", default="tools.lock", show_default=True, metavar="FILE", help="The lockfile.", type=click.Path()
)
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


@click.group("tools")
def command() -> None:
    """Show the tools of a program, and lock them.

    SOURCE is a Python file, a module, or module:name for the tool of one name. It is imported.
    """


@command.command("lock")
@_SOURCES
@_LOCK
@talking
def lock_tools(talk: Talk, sources: tuple[str, ...], path: str) -> int:
    """Write the lockfile: these tools, as they are now, are agreed to."""
    from ..boundary.tools.lockfile import compare, read_lock, write_lock

    manifests = _manifests(sources)
    before = read_lock(path) if os.path.exists(path) else {}
    changes = compare(before, manifests)
    write_lock(path, manifests.values())
    for change in changes:
        _tell(talk, change)
    talk.say(f"{path}: {len(manifests)} {'tool' if len(manifests) == 1 else 'tools'}")
    return ExitStatus.DONE


@command.command("diff")
@_SOURCES
@_LOCK
@talking
def diff_tools(talk: Talk, sources: tuple[str, ...], path: str) -> int:
    """Compare the tools with the lockfile. The exit status is 1 if they differ."""
    from ..boundary.tools.lockfile import compare, read_lock

    changes = compare(read_lock(path), _manifests(sources))
    for change in changes:
        _tell(talk, change)
    return ExitStatus.NEGATIVE if changes else ExitStatus.DONE


@command.command("list")
@_SOURCES
@talking
def list_tools(talk: Talk, sources: tuple[str, ...]) -> int:
    """List the tools with version, capability, isolation and hash."""
    manifests = _manifests(sources)
    width = max(map(len, manifests))
    for manifest in manifests.values():
        if talk.as_json:
            talk.json({**_facts(manifest), "effect": manifest.effect})
        else:
            facts = f"{manifest.version:<8} {manifest.capability:<5} {manifest.isolation:<14}"
            talk.data(f"{manifest.name:<{width}}  {facts}  sha256:{manifest.sha256[:12]}  {manifest.effect}")
    return ExitStatus.DONE


@command.command("show")
@click.argument("name")
@_SOURCES
@talking
def show_tool(talk: Talk, name: str, sources: tuple[str, ...]) -> int:
    """Show the manifest of the tool NAME, and its hash."""
    manifests = _manifests(sources)
    if name not in manifests:
        raise InputError("INPUT_FORMAT", name=name, what=f"is not one of {', '.join(manifests)}")
    manifest = manifests[name]
    if talk.as_json:
        talk.json({"manifest_sha256": manifest.sha256, "manifest": manifest.to_json()})
    else:
        talk.data(json.dumps(manifest.to_json(), indent=2))
        talk.say(f"sha256:{manifest.sha256}")
    return ExitStatus.DONE


def _manifests(sources: tuple[str, ...]) -> dict[str, Manifest]:
    return {tool.name: tool.manifest for tool in find_tools(sources)}


def _facts(manifest: Manifest) -> dict[str, str]:
    names = ("name", "version", "capability", "sensitivity", "isolation")
    return {name: getattr(manifest, name) for name in names} | {"manifest_sha256": manifest.sha256}


def _tell(talk: Talk, change: Change) -> None:
    """One change. Texts of a lockfile may come from anybody, so they are shown as visible text."""
    from ..boundary.display.visible_text import visible

    if talk.as_json:
        fields = ("kind", "tool", "field", "before", "after")
        talk.json({name: getattr(change, name) for name in fields if getattr(change, name)})
        return
    line = f"{_SIGNS[change.kind]} {change.tool}"
    if change.field:
        line += f"  {change.field}: {change.before} -> {change.after}"
    talk.data("".join(span.text for span in visible(line)))
