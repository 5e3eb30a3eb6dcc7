"""`checkrail rule CODE`: what a code means and what to do."""

from __future__ import annotations

import click

from ..errors import CATALOGUE, Failure
from .talk import Talk, talking

_SEVERITIES = {"F": "ends the run", "R": "refused before anything ran", "D": "denied", "W": "a warning"}
_RETRIES = {"n": "pointless unchanged", "s": "the same input may work later", "c": "after changing the input"}


@click.command("rule")
@click.argument("code", required=False)
@click.option("--all", "everything", is_flag=True, help="Every code.")
@talking
def command(talk: Talk, code: str | None, everything: bool) -> int:
    """Explain an error code."""
    if everything == (code is not None):
        raise click.UsageError("Give a code, or --all.")
    if code is not None and code.upper() not in CATALOGUE:
        near = [name for name in CATALOGUE if code.upper() in name]
        raise click.UsageError(f"There is no code {code}." + (f" Did you mean {', '.join(near)}?" if near else ""))
    for failure in CATALOGUE.values() if everything else (CATALOGUE[str(code).upper()],):
        if talk.as_json:
            talk.json(
                {
                    "code": failure.code,
                    "area": failure.area,
                    "message": failure.message,
                    "advice": failure.advice,
                    "effect": _SEVERITIES[failure.severity],
                    "again": _RETRIES[failure.retry],
                }
            )
        else:
            talk.data(_page(talk, failure))
    return 0


def _page(talk: Talk, failure: Failure) -> str:
    return (
        f"{talk.paint(failure.code, bold=True)}\n    {failure.message}\n    {failure.advice}\n"
        f"    effect: {_SEVERITIES[failure.severity]}; again: {_RETRIES[failure.retry]}"
    )
