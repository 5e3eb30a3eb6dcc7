"""Attack 43: a tool that prints, a lot, and what looks like frames."""

from __future__ import annotations

import isolated_tools as tools
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from running import outcome_of, value


def test_noise_goes_nowhere() -> None:
    assert value(outcome_of(tools.noise, count=1_000_000)) == {"total": 1_000_000}


def test_noise_that_is_listened_to_does_not_block_or_mix() -> None:
    heard: list[bytes] = []
    outcome = run(register(tools.noise, {}), b'{"count":1000000}', debug=heard.append)
    assert value(outcome) == {"total": 1_000_000}
    assert b"".join(heard).startswith(b"xxxx") or b"".join(heard).startswith(b"\x00")


def test_twin_silence() -> None:
    heard: list[bytes] = []
    assert value(run(register(tools.add, {}), b'{"left":1}', debug=heard.append)) == {"total": 2}
    assert heard == []
