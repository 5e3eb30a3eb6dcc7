"""`checkrail doctor`: what is here, what is missing, and the line that brings it; and what run records add up to."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import click

from .. import __version__
from ..errors import Error
from .exit_status import ExitStatus
from .talk import Talk, talking

__all__ = ["command"]

State = Literal["ok", "slow", "missing", "broken"]
_MARKS = {"ok": ("✓", "green"), "slow": ("!", "yellow"), "missing": ("-", "yellow"), "broken": ("✗", "red")}
_PACKAGES = {
    "click": "pip install checkrail",
    "numpy": "pip install checkrail",
    "pydantic": "pip install checkrail",
    "rich": "pip install checkrail",
    "xllamacpp": "pip install 'checkrail[local]'",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was looked at. remedy: the command that changes it, where there is one."""

    name: str
    state: State
    detail: str
    remedy: str = ""


@click.command("doctor")
@click.option("--evidence", metavar="FILE", help="Instead, check a file of run records and add them up.")
@talking
def command(talk: Talk, evidence: str | None) -> int:
    """Show versions, the kernel, the model and its runtime. The exit status is 1 if something is missing or broken."""
    if evidence is not None:
        return _report(talk, evidence)
    items = [item for examine in _EXAMINATIONS for item in examine()]
    for item in items:
        if talk.as_json:
            talk.json({"name": item.name, "state": item.state, "detail": item.detail, "remedy": item.remedy})
        else:
            mark, color = _MARKS[item.state]
            talk.data(f"{talk.paint(mark, fg=color)} {item.name:<10} {item.detail}")
            if item.remedy:
                talk.data(f"             {item.remedy}")
    fine = all(item.state in ("ok", "slow") for item in items)
    return ExitStatus.DONE if fine else ExitStatus.NEGATIVE


def _report(talk: Talk, path: str) -> int:
    """Read evidence to its end before a word is said: a file that is not as it was written has no totals."""
    from ..boundary.evidence.file import read_evidence
    from .evidence_totals import Totals

    totals = Totals()
    for record in read_evidence(path):
        totals.add(record)
    if talk.as_json:
        talk.json(totals.to_json())
    else:
        for name, detail in totals.lines():
            talk.data(f"{name:<12} {detail}")
    return ExitStatus.DONE


def _checkrail() -> Iterator[Item]:
    yield Item("checkrail", "ok", __version__)
    yield Item("python", "ok", f"{platform.python_version()} {platform.machine()} {sys.platform}")


def _packages() -> Iterator[Item]:
    for package, remedy in _PACKAGES.items():
        try:
            yield Item(package, "ok", version(package))
        except PackageNotFoundError:
            yield Item(package, "missing", "not installed", remedy)


def _kernel() -> Iterator[Item]:
    from ..mask import kernel

    rebuild = "pip install --force-reinstall --no-cache-dir checkrail, with a C compiler (in a checkout: make kernel)"
    reason = kernel.stale()
    try:
        mode = kernel.mode()
    except Error as error:
        yield Item("kernel", "broken", error.message, error.advice)
        return
    if reason is not None:
        yield Item("kernel", "broken", reason, rebuild)
    elif mode == "compiled":
        yield Item("kernel", "ok", "compiled")
    else:
        yield Item("kernel", "slow", "interpreted: masks are right, and slower", rebuild)


def _runtime() -> Iterator[Item]:
    from ..models.llama_library import find_library, load_library

    path = find_library()
    try:
        load_library()
        yield Item("llama.cpp", "ok", str(path))
    except Error as error:
        yield Item("llama.cpp", "missing" if path is None else "broken", error.message, error.advice)


def _model() -> Iterator[Item]:
    from ..models import catalog

    for entry in catalog.CATALOG:
        try:
            yield Item("model", "ok", f"{entry.name}, sha256 as expected: {catalog.verify(entry.name)}")
        except Error as error:
            missing = error.code == "MODEL_MISSING"
            yield Item("model", "missing" if missing else "broken", error.message, error.advice)


def _threads() -> Iterator[Item]:
    named = os.environ.get("CHECKRAIL_THREADS")
    chosen = f"CHECKRAIL_THREADS={named}" if named else "1 for the model (CHECKRAIL_THREADS is not set)"
    yield Item("threads", "ok", f"{chosen}; {os.cpu_count()} processors")


_EXAMINATIONS: tuple[Callable[[], Iterator[Item]], ...] = (
    _checkrail,
    _packages,
    _kernel,
    _runtime,
    _model,
    _threads,
)
