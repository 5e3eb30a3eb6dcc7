"""What makes a frame an answer; the adversarial tests send such frames from real workers."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import isolated_tools as tools
from checkrail.boundary import canon
from checkrail.boundary.tools.limits import ToolLimits
from checkrail.boundary.tools.registration import register
from checkrail.boundary.worker.answer import read_answer, read_ready
from checkrail.boundary.worker.isolation import Isolation
from checkrail.errors import Error

TOOL = register(tools.fail, {})  # which declares FULL with {limit} and {day:mon|tue}
LIMITS = dataclasses.replace(ToolLimits().effective("pure"), result_bytes=100, depth=3)
IDS = {"request_id": "id", "arguments_sha256": "hash"}


def read(**members: Any) -> Any:
    return read_answer(canon.dumps({**IDS, **members}, max_depth=100), TOOL, LIMITS, "id", "hash")


def refused(**members: Any) -> str:
    with pytest.raises(Error) as caught:
        read(**members)
    return caught.value.code


def test_result_is_given_in_canonical_form() -> None:
    assert read(t="ok", result={"b": 1.0, "a": [None]}) == (b'{"a":[null],"b":1}', None)


def test_bounds_of_a_result() -> None:
    assert read(t="ok", result="x" * 98) == (b'"' + b"x" * 98 + b'"', None)
    assert refused(t="ok", result="x" * 99) == "TOOL_OUTPUT_TOO_LARGE"
    assert read(t="ok", result=[[[]]])[0] == b"[[[]]]"
    assert refused(t="ok", result=[[[[]]]]) == "TOOL_PROTOCOL"


@pytest.mark.parametrize("member", ["request_id", "arguments_sha256"])
def test_answer_to_another_call(member: str) -> None:
    assert refused(t="ok", result=1, **{member: "other"}) == "TOOL_WORKER_MISMATCH"


def test_declared_failure() -> None:
    assert read(t="fail", code="FULL", params={"limit": 3, "day": "tue"})[1] == ("FULL", {"limit": 3, "day": "tue"})


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("EMPTY", {}),
        ("FULL", {}),
        ("FULL", {"limit": 1}),
        ("FULL", {"limit": 1, "day": "mon", "more": 1}),
        ("FULL", {"limit": "1", "day": "mon"}),
        ("FULL", {"limit": 1.5, "day": "mon"}),
        ("FULL", {"limit": True, "day": "mon"}),
        ("FULL", {"limit": 1, "day": "wed"}),
        ("FULL", {"limit": 1, "day": ["mon"]}),
        ("FULL", [1]),
        (["FULL"], {}),
        (None, {}),
    ],
)
def test_what_was_not_declared_becomes_an_exception(code: Any, params: Any) -> None:
    assert refused(t="fail", code=code, params=params) == "TOOL_EXCEPTION"


@pytest.mark.parametrize("code", ["TOOL_MEMORY", "TOOL_SANDBOX", "TOOL_EXCEPTION", "TOOL_PATH", "AUTH_MANIFEST_DRIFT"])
def test_codes_that_workers_use(code: str) -> None:
    assert refused(t="error", code=code) == code


@given(st.binary(max_size=200) | st.text(max_size=50).map(str.encode))
def test_bytes_of_any_kind_are_refused(message: bytes) -> None:
    with pytest.raises(Error) as caught:
        read_answer(message, TOOL, LIMITS, "id", "hash")
    assert caught.value.code == "TOOL_PROTOCOL"
    with pytest.raises(ValueError, match=r"JSON_|first frame"):
        read_ready(message, "id")


def ready(**change: Any) -> bytes:
    return canon.dumps({"t": "ready", "request_id": "id", "isolation": Isolation().to_json(), **change})


def test_ready() -> None:
    assert read_ready(ready(), "id") == Isolation()


@pytest.mark.parametrize(
    "change",
    [
        {"t": "ok"},
        {"more": 1},
        {"request_id": "other"},
        {"isolation": None},
        {"isolation": {}},
        {"isolation": {**Isolation().to_json(), "level": "sandbox"}},
    ],
)
def test_ready_of_another_form(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"first frame|parts"):
        read_ready(ready(**change), "id")
