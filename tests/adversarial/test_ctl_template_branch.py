"""Attack 8: a template that looks into texts, so that a text can choose what stands around it."""

from __future__ import annotations

import pytest

from checkrail.boundary.reinsert import safe_chat_ids
from checkrail.errors import ContextError
from toy_tokenizers import byte_tokenizer, read

BRANCHES = [
    "{{ messages[0].content }}{{ messages[0].content[1:9] }}",
    "{{ messages[0].content.split('a') | length }}{{ messages[0].content }}{{ messages[0].content[5:9] }}",
    "{{ messages[0].content }}{{ messages[0].content | list | sort | join }}",
]


@pytest.mark.parametrize("template", BRANCHES)
def test_what_depends_on_the_text_is_refused(template: str) -> None:
    with pytest.raises(ContextError, match=r"CONTEXT_TEMPLATE_OPAQUE: .* depends on the texts"):
        safe_chat_ids(byte_tokenizer(), [{"role": "user", "content": "a"}], template=template)


def test_a_branch_that_texts_cannot_reach_is_a_template() -> None:
    """Real templates split off reasoning. The text never gets there: it is whole, and one branch is taken for all."""
    template = (
        "{% for m in messages %}{% if '</think>' in m.content %}{{ m.content.split('</think>')[-1] }}"
        "{% else %}{{ m.content }}{% endif %};{% endfor %}"
    )
    messages = [{"role": "assistant", "content": text} for text in ("hm</think>yes", "no")]
    assert read(safe_chat_ids(byte_tokenizer(), messages, template=template)) == "hm</think>yes;no;"
