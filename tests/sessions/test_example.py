"""Which examples stand next to a prompt."""

from __future__ import annotations

import pytest

from checkrail.tools import Example, nearest
from checkrail.tools.desk import EXAMPLES

PROMPTS = {
    "What is 1234 * 5678?": "calculate",
    "How much is 99.5 / 12?": "calculate",
    "Write down: buy milk": "write_note",
    "Please write down: call Eve": "write_note",
    "What does travel.txt say?": "read_note",
    "Which notes do I have?": "list_notes",
    "What time is it now?": "clock",
    "Thanks!": None,
}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_nearest_stands_last(prompt: str) -> None:
    assert nearest(EXAMPLES, prompt, 3)[-1].tool == PROMPTS[prompt]


def test_numbers_are_alike_and_the_order_is_kept_among_equals() -> None:
    some = [Example("a 1"), Example("a 2"), Example("b")]
    assert [e.prompt for e in nearest(some, "a 77,5", 2)] == ["a 1", "a 2"]


@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_not_more_than_there_are(most: int) -> None:
    some = [Example("a"), Example("b")]
    assert len(nearest(some, "", most)) == min(most, 2)


def test_none_of_none() -> None:
    assert nearest([], "a", 3) == []
