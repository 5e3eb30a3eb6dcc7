"""What the decode loop needs from a model, a matcher and a sampler: three narrow protocols.

The layers above and beside bring the real ones (`models`, `matcher.py`, `sampler.py`); a test brings its own in
a few lines. Nothing here imports NumPy: scores pass through the loop untouched, as whatever buffer they are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, runtime_checkable

from .sampling import Draw, Sampling

__all__ = ["ClosingMatcher", "ForcingMatcher", "LogitsSource", "TokenMatcher", "TokenSampler"]


class LogitsSource(Protocol):
    """A model, seen from the loop."""

    def logits(self, ids: Sequence[int], /) -> Any:
        """The scores of the token after `ids`: a buffer of floats. A cache of earlier calls is its own affair."""


class TokenMatcher(Protocol):
    """Where one sequence is in its grammar."""

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """Write the row `index`: one bit per token, 1 = allowed, low bit first; end tokens if the text may end."""

    def accept_token(self, token_id: int, /) -> bool:
        """Move past a token. False, and no move, if the grammar does not allow it."""

    def is_completed(self) -> bool:
        """Whether the text so far is a whole text of the grammar."""


@runtime_checkable
class ForcingMatcher(Protocol):
    """A matcher that knows which tokens must come next: what `jump_forward` needs beside `TokenMatcher`."""

    def find_jump_forward_tokens(self) -> list[int]:
        """Tokens that may be taken next without asking the model."""


@runtime_checkable
class ClosingMatcher(Protocol):
    """A matcher that keeps to a token budget."""

    @property
    def forced_close(self) -> int:
        """Masks that the budget changed."""


class TokenSampler(Protocol):
    """Chooses a token; see `sampler.Sampler.sample`."""

    @property
    def sampling(self) -> Sampling:
        """The parameters."""

    def sample(
        self,
        logits: Any,
        bitmask: Any,
        history: Sequence[int],
        *,
        eos_ids: Collection[int] = (),
        accepting: bool = False,
        step: int | None = None,
    ) -> Draw:
        """Choose the token at position `step`."""
