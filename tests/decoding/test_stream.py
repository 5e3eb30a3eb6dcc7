import dataclasses
import json

import pytest

from checkrail.decoding.stream import Delta, End, Event, Notice, Progress, Start, Usage
from checkrail.errors import StreamError

USAGE = Usage(tokens=2, mask_microseconds=7)
EVENTS: list[tuple[Event, str]] = [
    (
        Start(run_id="r", seq=0, kind="json", composition_sha256="ab", limits={"max_tokens": 5, "max_bytes": 9}),
        '{"complete":false,"composition_sha256":"ab","kind":"json","limits":{"max_bytes":9,"max_tokens":5},'
        '"run_id":"r","seq":0,"stream":"stream/1","type":"start"}',
    ),
    (
        Delta(run_id="r", seq=1, text='ü"\n\x01\u2028😀', at=3, tokens=1),
        '{"at":3,"complete":false,"run_id":"r","seq":1,"stream":"stream/1",'
        '"text":"ü\\"\\n\\u0001\u2028😀","tokens":1,"type":"delta"}',
    ),
    (
        Progress(run_id="r", seq=2, tokens=1, accepting=True),
        '{"accepting":true,"complete":false,"run_id":"r","seq":2,"stream":"stream/1","tokens":1,"type":"progress"}',
    ),
    (
        Notice(run_id="r", seq=3, code="LOGITS_NAN", count=4),
        '{"code":"LOGITS_NAN","complete":false,"params":{"count":4},"run_id":"r","seq":3,'
        '"stream":"stream/1","type":"notice"}',
    ),
]


@pytest.mark.parametrize(("event", "line"), EVENTS)
def test_wire_form(event: Event, line: str) -> None:
    assert event.to_json() == line
    assert "\n" not in line


def test_server_sent_events_have_one_data_line_each() -> None:
    event = Delta(run_id="r", seq=1, text="a\n\ndata: b\u2028", at=0, tokens=1)
    message = event.to_sse()
    assert message == f"data: {event.to_json()}\n\n"
    assert message.count("\n") == 2


def test_wire_form_of_the_end() -> None:
    whole = End(run_id="r", seq=9, complete=True, stop="eos", text_len=2, text_sha256="cd", usage=USAGE)
    data = json.loads(whole.to_json())
    assert data["complete"] is True
    assert data["usage"] == dataclasses.asdict(USAGE)
    assert not {"code", "error", "stop_string"} & set(data)
    error = StreamError("BUDGET_TOKENS", tokens=2)
    cut = End(run_id="r", seq=9, complete=False, stop="max_tokens", text_len=2, text_sha256="", error=error)
    data = json.loads(cut.to_json())
    assert (data["code"], data["error"]["params"]) == ("BUDGET_TOKENS", {"tokens": 2})
    assert (cut.code, whole.code) == ("BUDGET_TOKENS", None)


def test_events_are_frozen_and_deltas_have_no_value() -> None:
    delta = EVENTS[1][0]
    assert isinstance(delta, Delta)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delta.text = ""  # type: ignore[misc]  # frozen is the test
    for name in ("value", "parse", "call", "json"):
        assert not hasattr(delta, name)
