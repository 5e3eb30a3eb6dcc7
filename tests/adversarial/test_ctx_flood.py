"""Attack 13: a result so long that it pushes everything else out of sight."""

from __future__ import annotations

import json

import pytest

from checkrail.boundary.reinsert import CHATML, ReinsertKey, ToolOutput, Trusted, Turn, build
from toy_tokenizers import byte_tokenizer, insertion, read, tool_result


@pytest.mark.parametrize("keep", ["head", "head_tail"])
@pytest.mark.parametrize("value", ["x" * 200_000, [{"amount": n} for n in range(10_000)], {"a" * 100_000: 1}])
def test_it_is_cut_and_says_so(keep: str, value: object) -> None:
    output = ToolOutput(tool_result(value), max_tokens=1_000, keep=keep)  # type: ignore[arg-type]
    turns = [Turn.of("system", Trusted("Be brief.")), Turn.of("tool", output)]
    prompt = build(byte_tokenizer(), turns, template=CHATML, key=ReinsertKey.new())
    assert len(prompt.ids) < 1_500
    text = read(prompt.ids)
    assert "Be brief." in text
    header, shown = insertion(text[text.index('{"bytes"') :])
    assert (header["truncated"], prompt.spans[-1].truncated) == (True, True)
    assert header["kept_chars"] < header["total_chars"]
    assert not isinstance(shown, dict), "a cut object must not look whole"
    assert isinstance(shown, str if keep == "head" else list)
    assert [notice.code for notice in prompt.notices] == ["CONTEXT_TRUNCATED"]


def test_what_fits_is_whole() -> None:
    value = [{"amount": n} for n in range(20)]
    output = ToolOutput(tool_result(value), max_tokens=1_000)
    prompt = build(byte_tokenizer(), [Turn.of("tool", output)], template=CHATML, key=ReinsertKey.new())
    text = read(prompt.ids)
    assert json.dumps(value, separators=(",", ":")) in text
    assert not prompt.notices
