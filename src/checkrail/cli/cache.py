"""`checkrail cache`: the prepared vocabularies that are kept on disk, and the one command that deletes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from .exit_status import ExitStatus
from .talk import Talk, talking

if TYPE_CHECKING:
    from ..mask.cache_files import CacheFile

__all__ = ["command"]


@click.command("cache")
@click.argument("action", type=click.Choice(["show", "clear"]), default="show")
@talking
def command(talk: Talk, action: str) -> int:
    """Show the prepared vocabularies on disk, or `clear` them.

    A vocabulary of 10,000 tokens or more is prepared once and kept. CHECKRAIL_CACHE_MB bounds the files together (256
    by default, those not used for longest go first); with 0 none is read or written. Models are not counted: see
    `checkrail models`.
    """
    return _clear(talk) if action == "clear" else _show(talk)


def _show(talk: Talk) -> int:
    from ..mask import cache_files

    files, obstacle, bound = cache_files.files(), cache_files.obstacle(), cache_files.bound()
    total = sum(file.size for file in files)
    facts = [_facts(file) for file in files]
    if talk.as_json:
        where = {"path": str(cache_files.folder()), "obstacle": obstacle}
        talk.json({**where, "files": facts, "size": total, "bound": bound})
        return ExitStatus.DONE
    talk.data(str(cache_files.folder()) + (f"  not in use: {obstacle}" if obstacle else ""))
    for file, fact in zip(files, facts, strict=True):
        used = f"used {datetime.fromtimestamp(file.used):%Y-%m-%d %H:%M}"
        if fact["state"] == "damaged":
            talk.data(f"    {file.path.name}  {_megabytes(file.size)}  {used}  damaged")
        else:
            kind = file.path.suffix[1:] if fact["kind"] == "masks" else fact["kind"]  # `masks-uri`: those of a format
            what = f"sha256:{str(fact['fingerprint'])[:12]}  {fact['tokens']:,} tokens  {kind:<6}"
            other = "  of another version" if fact["state"] == "other" else ""
            talk.data(f"    {what}  {_megabytes(file.size)}  {used}{other}")
    talk.data(f"{len(files)} {'file' if len(files) == 1 else 'files'}, {_megabytes(total)} of {_megabytes(bound)}")
    return ExitStatus.DONE


def _clear(talk: Talk) -> int:
    from ..mask import cache_files

    gone = cache_files.clear()
    size = sum(file.size for file in gone)
    if talk.as_json:
        talk.json({"path": str(cache_files.folder()), "removed": len(gone), "size": size})
    else:
        talk.say(f"{len(gone)} {'file is' if len(gone) == 1 else 'files are'} deleted, {_megabytes(size)}")
    return ExitStatus.DONE


def _facts(file: CacheFile) -> dict[str, object]:
    """What is known of a file. state: `ready`, `other` (another version of Checkrail made it) or `damaged`."""
    from ..mask import cache_files, stored_sections

    used = datetime.fromtimestamp(file.used, UTC).isoformat(timespec="seconds")
    facts: dict[str, object] = {"name": file.path.name, "size": file.size, "used": used}
    try:
        head = stored_sections.head_of(cache_files.head(file, stored_sections.HEAD_BYTES))
    except stored_sections.Unusable:
        return {**facts, "state": "damaged", "kind": None, "fingerprint": None, "tokens": None}
    state = "ready" if head.is_current else "other"
    return {**facts, "state": state, "kind": head.kind, "fingerprint": head.fingerprint, "tokens": head.tokens}


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
