"""`Example`: a turn as it should go, for models that learn more from one than from a description.

    Example("What is 17 * 23?", tool="calculate", arguments={"expression": "17 * 23"},
            result={"ok": True, "value": 391}, answer="17 * 23 is 391.")

An example stands before the conversation as turns of its own, and has to be what the grammar and the tool's schemas
allow: a wrong one teaches what the mask then forbids. Examples are the developer's words; no tool runs for them.

A small model copies what stands last, so a session can show it the `nearest` examples of the step that is next: before
a call prompts and their calls, after one the same tool's results and what was said of them. A larger model needs
no more than all of them once, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Example", "nearest"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+|0|[^\w\s]")


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """prompt: what the user says. tool, arguments: the call that follows, if one does; result: what it gives.

    answer: what the model says in the end; None ends the example with the call.
    """

    prompt: str
    answer: str | None = None
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None


def nearest(examples: Sequence[Example], prompt: str, most: int) -> list[Example]:
    """The examples whose prompts have most in common with this one, the nearest last.

    Compared are words, signs, and that there are numbers; what few examples have counts for more (the weighted Jaccard
    index). Equally near ones keep their order.

    >>> some = [Example("What is 2 + 2?"), Example("Write down: milk"), Example("Hello")]
    >>> [example.prompt for example in nearest(some, "What is 40 + 5?", 1)]
    ['What is 2 + 2?']
    """
    words = [_words(example.prompt) for example in examples]
    counts = Counter(word for each in words for word in each)
    wanted = _words(prompt)

    def weight(some: Iterable[str]) -> float:
        return sum(1 / counts.get(word, 1) for word in sorted(some))

    def likeness(number: int) -> float:
        return weight(words[number] & wanted) / (weight(words[number] | wanted) or 1.0)

    order = sorted(range(len(examples)), key=lambda number: (likeness(number), number))
    return [examples[number] for number in order[max(0, len(order) - most) :]]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_NUMBER.sub("0", text.lower())))
