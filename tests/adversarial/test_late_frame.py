"""Attacks 44 and 47: answers of other calls, second answers, and what is no answer, pickles among it."""

from __future__ import annotations

import pickle
import struct
from typing import Any

import pytest

import isolated_tools as tools
from checkrail.boundary import canon
from running import code, outcome_of, value


class Exploit:
    """What a worker could do to a host that unpickles."""

    def __reduce__(self) -> Any:
        return (pytest.fail, ("unpickled",))


def framed(data: bytes) -> str:
    return (struct.pack(">I", len(data)) + data).hex()


ANSWER = {"t": "ok", "request_id": "0" * 32, "arguments_sha256": "0" * 64, "result": {"total": 666}}


FORGED = {
    "other call": canon.dumps(ANSWER),
    "member more": canon.dumps({**ANSWER, "more": 1}),
    "other kind": canon.dumps({**ANSWER, "t": "done"}),
    "no kind": canon.dumps({**ANSWER, "t": ["ok"]}),
    "array": canon.dumps([ANSWER]),
    "blanks": canon.dumps(ANSWER).replace(b":", b": "),
    "nan": canon.dumps(ANSWER).replace(b"666", b"NaN"),
    "a key twice": b'{"t":"ok",' + canon.dumps(ANSWER)[1:],
    "empty": b"",
    "not UTF-8": b"\xff",
    "pickle": pickle.dumps(Exploit()),
}


@pytest.mark.parametrize("kind", FORGED)
def test_forged_frame_is_no_answer(kind: str) -> None:
    expected = "TOOL_WORKER_MISMATCH" if kind == "other call" else "TOOL_PROTOCOL"
    assert code(outcome_of(tools.forge, hexadecimal=framed(FORGED[kind]))) == expected


def test_half_a_frame_is_a_crash() -> None:
    assert code(outcome_of(tools.forge, hexadecimal="000000ff7b")) == "TOOL_CRASHED"


TEMPLATE = '{"arguments_sha256":"HASH","request_id":"ID","result":{"total":1},"t":"ok"}'


@pytest.mark.parametrize("after", ["00", framed(canon.dumps(ANSWER))])
def test_second_frame_spoils_the_first(after: str) -> None:
    assert code(outcome_of(tools.forge_with_ids, before=TEMPLATE, after=after)) == "TOOL_PROTOCOL"


def test_hash_of_other_arguments_is_refused() -> None:
    forged = TEMPLATE.replace("HASH", "0" * 64)
    assert code(outcome_of(tools.forge_with_ids, before=forged, after="")) == "TOOL_WORKER_MISMATCH"


def test_unknown_or_foreign_codes_are_refused() -> None:
    for word in ("CANCELLED", "AUTH_REPLAY", "canary"):
        forged = '{"arguments_sha256":"HASH","code":"WORD","request_id":"ID","t":"error"}'.replace("WORD", word)
        outcome = outcome_of(tools.forge_with_ids, before=forged, after="")
        assert code(outcome) == "TOOL_PROTOCOL"
        assert word not in str(outcome.error)


def test_twin_one_whole_frame_is_an_answer() -> None:
    """A tool that writes its answer by itself has said what it could have returned: nothing is gained by it."""
    assert value(outcome_of(tools.forge_with_ids, before=TEMPLATE, after="")) == {"total": 1}
