"""Attack 9: a chat template that does not end, or takes all memory."""

from __future__ import annotations

import time

import pytest

from checkrail.boundary.reinsert import safe_chat_ids
from checkrail.errors import ContextError
from toy_tokenizers import byte_tokenizer, read

MESSAGES = [{"role": "user", "content": "a"}]
BOMBS = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "memory": "{{ 'x' * 10 ** 9 }}",
    "doubling": "{% set ns = namespace(x='x') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "output": "{% for a in range(99999) %}{{ 'x' * 99 }}{% endfor %}",
    "recursion": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_it_is_stopped(name: str) -> None:
    start = time.monotonic()
    with pytest.raises(ContextError, match=r"CONTEXT_TEMPLATE_(UNSAFE|OPAQUE)"):
        safe_chat_ids(byte_tokenizer(), MESSAGES, template=BOMBS[name] + "{{ messages[0].content }}")
    assert time.monotonic() - start < 40, "two seconds of processor time, however slow the machine"


def test_a_long_template_that_ends_is_rendered() -> None:
    template = "{% for a in range(999) %}{% for b in range(99) %}{% endfor %}{% endfor %}{{ messages[0].content }}"
    assert read(safe_chat_ids(byte_tokenizer(), MESSAGES, template=template)) == "a"
