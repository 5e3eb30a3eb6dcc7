"""What Checkrail needs from a language model: scores for the next token, and two ways to turn text into ids.

The two ways are the point. Text that the program's author wrote may hold special tokens, and `encode_template`
parses them. Text from anywhere else is data: `encode_data` never gives a control id, whatever the text spells,
and gives back exactly its bytes when decoded. No text is ever encoded by a guess between the two.

You need this module to write an adapter for another runtime, or to annotate a function that takes any model.
To get a model, call `checkrail.load_model`.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from ..vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Logits", "Model"]

Logits: TypeAlias = "NDArray[np.float32]"
"""One float32 score for each of the model's `logits_width` ids; the caller's own copy."""


class Model(Protocol):
    """A language model with its tokenizer.

    name: for people and records. vocabulary: which bytes each id writes. context_size: the most tokens that one
    call of `logits` takes. prefix_ids: the ids that every prompt starts with (the begin token, where the model
    was trained with one), often empty; no `encode_...` adds them.

    A model works for one sequence at a time. It is a context manager, which closes it.
    """

    name: str
    vocabulary: Vocabulary
    context_size: int
    prefix_ids: tuple[int, ...]

    def logits(self, ids: Sequence[int], /) -> Logits:
        """The scores of the token that follows `ids`.

        ids: the whole sequence so far, prompt included, at least one. What it shares with the last call is not
        evaluated again. The result depends on `ids` alone, not on earlier calls.

        Raises InputError (INPUT_FORMAT: no ids, or an id out of range) and ModelError (CONTEXT_OVERFLOW,
        BACKEND_FAILED).
        """

    def encode_template(self, text: str, /) -> list[int]:
        """The ids of trusted text: special tokens in it are parsed; no begin or end token is added."""

    def encode_data(self, text: str, /) -> list[int]:
        """The ids of untrusted text: none of them is a control id, and together they write exactly `text`.

        Both are checked on every call. Raises ModelError: CONTEXT_CONTROL_TOKEN, CONTEXT_TEXT_LOST.
        """

    def close(self) -> None:
        """Free what the model holds. It cannot be used afterwards; closing again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()
