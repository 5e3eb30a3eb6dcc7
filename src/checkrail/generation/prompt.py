"""From a prompt, a system text and examples to what the model reads first.

Examples become turns of their own, a document by the user and its answer by the assistant: small models copy what a
conversation has done so far, and ignore what a prompt describes. Each example is held to the output's grammar and
schema before that, since a wrong one teaches what the mask then forbids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeAlias

from ..decoding.constraint import Constraint
from ..errors import InputError
from ..models.chat import ChatMessage
from .output import Output

__all__ = ["Example", "Prompt", "checked_examples", "turns"]

Prompt: TypeAlias = str | Sequence[ChatMessage]
Example: TypeAlias = tuple[str, Any]


def turns(prompt: Prompt, system: str | None = None) -> list[ChatMessage]:
    """The turns of a conversation whose next turn is the answer. prompt: one user turn, or all turns."""
    first = [] if system is None else [ChatMessage("system", system)]
    return first + ([ChatMessage("user", prompt)] if isinstance(prompt, str) else list(prompt))


def checked_examples(
    examples: Iterable[Example], output: Output[Any], constraint: Constraint | None
) -> tuple[tuple[str, str], ...]:
    """Pairs of a document and the text of its answer.

    examples: (document, answer); the answer is a text of the output, or a value of it. Raises InputError
    INPUT_FORMAT for one that is not such a pair or does not fit the output.
    """
    return tuple(_checked(number, example, output, constraint) for number, example in enumerate(examples, 1))


def _checked(number: int, example: Any, output: Output[Any], constraint: Constraint | None) -> tuple[str, str]:
    if not (isinstance(example, (tuple, list)) and len(example) == 2 and isinstance(example[0], str)):
        _refuse(number, "must be a pair of a document and its answer")
    document, text = example[0], output.write(example[1])
    if constraint is not None:
        data = text.encode("utf-8", "surrogatepass")
        rejection = constraint.matcher().explain(data)
        if rejection is not None:
            place = len(data[: rejection.offset].decode("utf-8", "replace"))
            _refuse(number, f"the answer does not fit the output's grammar at character {place}")
    report = output.check(text, {"document": document}).report
    if report is not None and not report.ok:
        _refuse(number, f"the answer has a fault: {report.faults[0]}".rstrip("."))
    return document, text


def _refuse(number: int, what: str) -> NoReturn:
    raise InputError("INPUT_FORMAT", name=f"Example {number}", what=what)
