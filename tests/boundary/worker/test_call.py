"""What a worker says of an exception; the whole of a call is in `test_runner` and the adversarial tests."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.tools.tool import ToolFailure
from checkrail.boundary.worker.call import _failure


def test_a_declared_failure() -> None:
    assert _failure(ToolFailure("FULL", limit=5), sandboxed=True) == {
        "t": "fail", "code": "FULL", "params": {"limit": 5},
    }  # fmt: skip


@pytest.mark.parametrize("limit", [{1}, 2**60, float("nan"), "\ud800", b"x"])
def test_a_failure_that_no_frame_can_hold_is_an_exception_and_no_crash(limit: Any) -> None:
    assert _failure(ToolFailure("FULL", limit=limit), sandboxed=True) == {"t": "error", "code": "TOOL_EXCEPTION"}


@pytest.mark.parametrize("made", [{}, {"code": "FULL"}, {"code": "FULL", "params": 5}])
def test_a_failure_without_its_parts_is_for_the_host_to_refuse(made: dict[str, Any]) -> None:
    class Bare(ToolFailure):
        def __init__(self) -> None:
            self.__dict__.update(made)

    assert _failure(Bare(), sandboxed=True) == {"t": "fail", "code": None, "params": None, **made}


@pytest.mark.parametrize(
    ("error", "sandboxed", "code"),
    [
        (MemoryError(), True, "TOOL_MEMORY"),
        (PermissionError(13, "canary"), True, "TOOL_SANDBOX"),
        (PermissionError(13, "canary"), False, "TOOL_EXCEPTION"),
        (FileNotFoundError(2, "canary"), True, "TOOL_EXCEPTION"),
        (SystemExit("canary"), True, "TOOL_EXCEPTION"),
    ],
)
def test_an_exception_is_a_code_without_its_text(error: BaseException, sandboxed: bool, code: str) -> None:
    assert _failure(error, sandboxed=sandboxed) == {"t": "error", "code": code}
