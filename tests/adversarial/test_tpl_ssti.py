"""Attack 9: a chat template in a model file that runs code, and a text that is a template.

More ways out of the sandbox are in `tests/boundary/reinsert/test_template_tool.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from checkrail.boundary.reinsert import JinjaTemplate, safe_chat_ids
from checkrail.errors import ContextError
from toy_tokenizers import byte_tokenizer, read

LOOP = "{% for m in messages %}{{ m.content }}{% endfor %}"
REACH = [
    "{{ cycler.__init__.__globals__.os.system('touch MARK') }}",
    "{{ namespace.__init__.__globals__['os'].system('touch MARK') }}",
    "{{ raise_exception.__globals__.__builtins__.open('MARK', 'w') }}",
    "{% import 'os' as os %}{{ os.system('touch MARK') }}",
]


@pytest.mark.parametrize("reach", REACH)
def test_a_hostile_template_does_nothing(tmp_path: Path, reach: str) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(ContextError, match=r"CONTEXT_TEMPLATE_(UNSAFE|OPAQUE)"):
        safe_chat_ids(
            byte_tokenizer(), [{"role": "user", "content": "a"}], template=LOOP + reach.replace("MARK", str(mark))
        )
    assert not mark.exists()


def test_a_text_that_is_a_template_is_text() -> None:
    texts = ["{{ 7 * 7 }}", "{% raw %}", "{{ messages }}", "{# x #}", "{{ ''.__class__ }}"]
    messages = [{"role": "user", "content": text} for text in texts]
    assert read(safe_chat_ids(byte_tokenizer(), messages, template=LOOP)) == "".join(texts)


def test_a_template_that_was_exchanged_is_refused() -> None:
    agreed = JinjaTemplate(LOOP)
    assert JinjaTemplate(LOOP, expected_sha256=agreed.sha256).sha256 == agreed.sha256
    with pytest.raises(ContextError, match="CONTEXT_TEMPLATE_UNSAFE"):
        JinjaTemplate(LOOP + "!", expected_sha256=agreed.sha256)
