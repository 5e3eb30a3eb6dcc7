"""A model of Checkrail as a tokenizer adapter: its two ways to encode are the adapter's, the law is checked again.

Takes whatever has `vocabulary`, `prefix_ids`, `encode_template` and `encode_data` as `checkrail.models.Model` has them;
this package does not import that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...vocabulary.vocabulary import Vocabulary
from .law import LawfulTokenizer

__all__ = ["ModelLike", "from_model"]


class ModelLike(Protocol):
    """The part of `checkrail.models.Model` that is needed here."""

    vocabulary: Vocabulary
    prefix_ids: tuple[int, ...]

    def encode_template(self, text: str, /) -> list[int]:
        """See `TokenizerAdapter`."""

    def encode_data(self, text: str, /) -> list[int]:
        """See `TokenizerAdapter`."""


def from_model(model: ModelLike) -> LawfulTokenizer:
    """The adapter."""
    vocabulary = model.vocabulary
    control = dict.fromkeys(vocabulary.special_ids, "")
    control |= {identifier: text for text, identifier in vocabulary.special.items()}
    control |= {i: _text(vocabulary, i) for i in _more_control(model) if i not in control}
    return LawfulTokenizer(
        template=model.encode_template,
        data=model.encode_data,
        table=vocabulary.tokens,
        control=control,
        prefix_ids=model.prefix_ids,
    )


def _more_control(model: object) -> Sequence[int]:
    """The user-defined tokens of a model that tells them."""
    return sorted(getattr(model, "control_ids", ()))


def _text(vocabulary: Vocabulary, identifier: int) -> str:
    return (vocabulary.tokens[identifier] or b"").decode("utf-8", "replace")
