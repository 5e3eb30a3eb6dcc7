"""Attack 22: a key twice, so that one reader sees the safe value and another the dangerous one."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.envelopes import Origin
from checkrail.boundary.calls.proposal import Proposal

TWICE = [
    '{"tool":"notes.append","arguments":{"text":"safe","text":"danger"}}',
    '{"tool":"notes.append","arguments":{"text":"safe","te\\u0078t":"danger"}}',
    '{"tool":"double","tool":"notes.append","arguments":{"text":"danger"}}',
    '{"tool":"notes.append","arguments":{"text":"safe"},"arguments":{"text":"danger"}}',
    '{"tool":"notes.append","arguments":{"text":"safe"},"\\u0061rguments":{"text":"danger"}}',
]


@pytest.mark.parametrize("text", TWICE)
def test_it_is_refused(tmp_path: Path, text: str) -> None:
    runner = toy_tools.Runner()
    call = carry(toy_tools.session(tmp_path, "approve"), Proposal(text, Origin("model")), run=runner)
    assert call.error is not None
    assert (call.error.code, runner.ran) == ("JSON_DUPLICATE_KEY", [])


def test_once_it_runs(tmp_path: Path) -> None:
    runner = toy_tools.Runner()
    text = '{"arguments":{"te\\u0078t":"safe"},"tool":"notes.append"}'
    carry(toy_tools.session(tmp_path, "approve"), Proposal(text, Origin("model")), run=runner)
    assert runner.ran == [("notes.append", b'{"text":"safe"}')]
