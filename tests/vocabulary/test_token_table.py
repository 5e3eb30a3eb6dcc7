"""The value that readers return."""

from __future__ import annotations

import pytest

from checkrail.errors import VocabularyError
from checkrail.vocabulary.token_table import MAXIMUM_TOKENS, TokenTable


def test_ids_in_any_order_leave_holes() -> None:
    table = TokenTable([])
    table.put(3, b"c")
    table.put_special(1, "<x>")
    table.put_special(2, "<x>")
    assert table.tokens == [None, None, None, b"c"]
    assert (table.special, table.special_ids) == ({"<x>": 1}, {1, 2})
    table.end_at(["<x>", "<y>"])
    assert table.eos == {1}
    table.put_special(0, "")
    assert (table.special, table.special_ids) == ({"<x>": 1}, {0, 1, 2})


@pytest.mark.parametrize("identifier", [-1, MAXIMUM_TOKENS])
def test_absurd_ids_allocate_nothing(identifier: int) -> None:
    table = TokenTable([])
    with pytest.raises(VocabularyError) as raised:
        table.put(identifier, b"a")
    assert raised.value.code == "VOCAB_FORMAT"
    assert table.tokens == []
