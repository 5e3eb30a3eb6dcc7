import json

import pytest

from checkrail.decoding.finish import collect
from checkrail.decoding.stream import Delta, End, Event, Start
from checkrail.errors import StreamError


def stream(complete: bool, held: str = "") -> list[Event]:
    error = None if complete else StreamError("CANCELLED", tokens=2)
    return [
        Start(run_id="r", seq=0),
        Delta(run_id="r", seq=1, text='{"a"', at=0, tokens=1),
        Delta(run_id="r", seq=2, text=":1}", at=4, tokens=2),
        End(
            run_id="r",
            seq=3,
            complete=complete,
            stop="eos" if complete else "cancelled",
            text_len=7 + len(held),
            text_sha256="",
            held_text=held,
            error=error,
        ),
    ]


def test_a_complete_output_has_a_value() -> None:
    final = collect(stream(True), json.loads)
    assert (final.text, final.value, final.complete, final.stop) == ('{"a":1}', {"a": 1}, True, "eos")
    assert final.usage == final.end.usage


def test_an_incomplete_one_has_text_only_even_if_it_would_parse() -> None:
    final = collect(stream(False, held="\n"), json.loads)
    assert (final.text, final.complete, final.stop) == ('{"a":1}\n', False, "cancelled")
    with pytest.raises(StreamError) as caught:
        _ = final.value
    assert caught.value.code == "STREAM_INCOMPLETE_USE"


def test_a_stream_without_its_end_is_no_output() -> None:
    with pytest.raises(StreamError) as caught:
        collect(stream(True)[:-1], str)
    assert caught.value.code == "STREAM_CLOSED"
