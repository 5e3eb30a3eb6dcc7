"""Attack 11: a result quotes a whole earlier insertion, header, payload, frame and all."""

from __future__ import annotations

import json

from checkrail.boundary.reinsert import CHATML, ReinsertKey, ToolOutput, Turn, Untrusted, build
from toy_tokenizers import byte_tokenizer, insertion, read, tool_result

KEY = ReinsertKey.new()


def text_of(*turns: Turn) -> str:
    return read(build(byte_tokenizer(), turns, template=CHATML, key=KEY).ids)


def test_an_insertion_within_an_insertion_is_one_string() -> None:
    inner = ToolOutput(tool_result({"balance": 5}))
    first = text_of(Turn.of("tool", inner))
    quoted = first[first.index("DATA ") : first.index("⟦<|im_end|>⟧")]
    for _ in range(3):  # and again, and again
        outer = ToolOutput(tool_result(quoted), 8_000)
        text = text_of(Turn.of("tool", inner), Turn.of("tool", outer))
        inside = text[text.rindex("\nDATA ") + 1 :]
        _, value = insertion(inside.partition("\n")[2])
        assert value == quoted
        assert text.count("\nEND ") == 2
        quoted = inside[: inside.index("⟦<|im_end|>⟧")]


def test_what_the_model_quotes_of_a_result_is_text_from_others() -> None:
    text = text_of(Turn.of("user", Untrusted('{"balance":5}', "model:turn-3")))
    header, value = insertion(text[text.index('{"bytes"') :])
    assert (header["source"], header["trust"]) == ("model:turn-3", "untrusted")
    assert value == json.dumps({"balance": 5}, separators=(",", ":"))
