"""The ten stages from scores and a mask to one token id, in their fixed order.

    0 check        shape, type, NaN, padding        5 temperature
    1 mask         only what the grammar allows     6 top-k
    2 forbidden    never these                      7 top-p
    3 penalties    repetition, presence, frequency  8 min-p
    4 finite       is anything left?                9 draw

Masking comes first on purpose. Then every survivor is legal, top-k, top-p and min-p mean what they say, and
the reported probabilities sum to one over the legal set. Engines that sample first and ask the grammar only
about the winner cut good legal tokens away in favour of illegal ones.

The result depends on the scores, the parameters, the key and the position alone: ties are broken by id, sums
run left to right, and the exponential is `det_exp`.

The order is here, once. How a stage is computed is in `sampler` (NumPy, for real vocabularies) and in
`plain_sampler` (the standard library, to read and for places without NumPy); both give the same draws, bit for
bit. A port or a review should begin with `StagedSampler.sample` and then read the plain stages in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence, Sized
from typing import Any, Generic, TypeVar

from ..errors import MaskError, SamplingError
from .randomness import Randomness
from .sampling import Draw, Sampling

__all__ = ["Notices", "StagedSampler"]

Ids = TypeVar("Ids", bound=Sized)
Scores = TypeVar("Scores", bound=Sized)
Notices = tuple[tuple[str, int], ...]


class StagedSampler(ABC, Generic[Ids, Scores]):
    """Draws tokens for one sequence. Immutable: the same call gives the same draw.

    logits_width: how many scores the model gives. vocabulary_size: how many of them belong to tokens; the
    rest is padding and never drawn. seed or key: where the random numbers come from, by default a fresh secret
    key, which `randomness.seal()` gives out afterwards only with replay=True. Use one sampler per sequence, or
    sequences share their random numbers.
    """

    __slots__ = ("_size", "_width", "randomness", "sampling")

    def __init__(
        self,
        sampling: Sampling,
        *,
        logits_width: int,
        vocabulary_size: int,
        seed: int | bytes | None = None,
        key: bytes | None = None,
        replay: bool = False,
    ) -> None:
        if seed is not None and key is not None:
            raise SamplingError("SAMPLING_PARAM", name="seed", range="absent when a key is given")
        if not 1 <= vocabulary_size <= logits_width:
            raise SamplingError("SAMPLING_PARAM", name="vocabulary_size", range="from 1 to logits_width")
        if any(i >= logits_width for i in sampling.forbidden):
            raise SamplingError("SAMPLING_PARAM", name="forbidden", range=f"ids below {logits_width}")
        self.sampling = sampling
        self.randomness = Randomness(key, replay=replay) if seed is None else Randomness.from_seed(seed)
        self._width = logits_width
        self._size = vocabulary_size

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.sampling!r} over {self._size} tokens>"

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
        """Choose the next token.

        logits: one-dimensional buffer or array of float16, float32 or float64, `logits_width` or longer.
        bitmask: one row of 32-bit words, 1 = allowed, low bit first; None allows every token.
        history: the ids that the penalties see: those generated so far, after the prompt's if
        `include_prompt`. step: the position in the generated text, by default `len(history)`; it selects the
        random number. eos_ids: end tokens. accepting: the text so far may end, so they are legal.

        Raises SamplingError (LOGITS_*, SAMPLING_*) and MaskError (MASK_DEAD_END, MASK_BUFFER, MASK_DTYPE).
        """
        position = len(history) if step is None else step
        scores, notices = self._check(logits)
        if accepting and not all(0 <= i < self._size for i in eos_ids):
            raise SamplingError("SAMPLING_PARAM", name="eos_ids", range=f"ids below {self._size}")
        ids = self._legal(bitmask, eos_ids if accepting else ())
        if not len(ids) and not accepting:
            raise MaskError("MASK_DEAD_END", tokens=position)
        permitted = self._permit(ids)
        if not len(permitted):
            if accepting:
                return Draw(None)
            raise SamplingError("SAMPLING_FORBIDDEN_EMPTY", allowed=len(ids))
        if position < self.sampling.min_tokens:
            permitted = self._postpone_end(permitted, eos_ids)
        z = self._pick(scores, permitted)
        if self._has_penalties() and len(history):
            window = self.sampling.repetition_window
            z = self._penalise(permitted, z, history if window is None else history[-window:])
        finite, z, infinite = self._keep_finite(permitted, z)
        if not len(finite):
            raise SamplingError("LOGITS_NONE_FINITE", allowed=len(permitted))
        if infinite:
            notices = (*notices, ("LOGITS_INF", infinite))
        if self.sampling.temperature == 0:
            return Draw(self._best_of(finite, z), 1.0, notices)
        token, probability = self._draw(finite, z, position)
        return Draw(token, probability, notices)

    def _has_penalties(self) -> bool:
        s = self.sampling
        return (s.repetition_penalty, s.presence_penalty, s.frequency_penalty) != (1, 0, 0)

    # -- errors that several implementations raise --------------------------------------------------------

    def _wrong_shape(self, shape: Sequence[int]) -> SamplingError:
        return SamplingError("LOGITS_SHAPE", need=self._width, have="x".join(map(str, shape)) or "a scalar")

    def _wrong_row(self, shape: Sequence[int]) -> MaskError:
        return MaskError("MASK_BUFFER", have="x".join(map(str, shape)), need=self._words)

    def _wrong_history(self) -> SamplingError:
        return SamplingError("SAMPLING_PARAM", name="history", range=f"ids from 0 to {self._width - 1}")

    @property
    def _words(self) -> int:
        """Words of a row that belong to tokens."""
        return (self._size + 31) // 32

    # -- the stages ---------------------------------------------------------------------------------------

    @abstractmethod
    def _check(self, logits: Any) -> tuple[Any, Notices]:
        """Stage 0: the scores of the tokens proper, NaN replaced, and what was odd. Padding is not looked at."""

    @abstractmethod
    def _legal(self, bitmask: Any, eos_ids: Collection[int]) -> Ids:
        """Stage 1: the allowed ids, ascending."""

    @abstractmethod
    def _permit(self, ids: Ids) -> Ids:
        """Stage 2: those that are not forbidden."""

    @abstractmethod
    def _postpone_end(self, ids: Ids, eos_ids: Collection[int]) -> Ids:
        """Stage 2, last part: without the end tokens, unless they are all there is."""

    @abstractmethod
    def _pick(self, scores: Any, ids: Ids) -> Scores:
        """The scores of these ids as doubles."""

    @abstractmethod
    def _penalise(self, ids: Ids, z: Scores, seen: Sequence[int]) -> Scores:
        """Stage 3. seen: the ids in the window."""

    @abstractmethod
    def _keep_finite(self, ids: Ids, z: Scores) -> tuple[Ids, Scores, int]:
        """Stage 4: drop -inf. If there is +inf, only those ids stay, as equals; the third value counts them."""

    @abstractmethod
    def _best_of(self, ids: Ids, z: Scores) -> int:
        """The id of the greatest score, the smallest of several."""

    @abstractmethod
    def _draw(self, ids: Ids, z: Scores, position: int) -> tuple[int, float]:
        """Stages 5 to 9. z: finite scores. Returns the id and its share of the survivors' weight."""
