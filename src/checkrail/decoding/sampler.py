"""From scores and a mask to one token id, in ten fixed stages.

    0 check        shape, type, NaN, padding        5 temperature
    1 mask         only what the grammar allows     6 top-k
    2 forbidden    never these                      7 top-p
    3 penalties    repetition, presence, frequency  8 min-p
    4 finite       is anything left?                9 draw

Masking comes first on purpose. Then every survivor is legal, top-k, top-p and min-p mean what they say, and
the reported probabilities sum to one over the legal set. Engines that sample first and ask the grammar only
about the winner cut good legal tokens away in favour of illegal ones.

The result depends on the scores, the parameters, the key and the position alone: ties are broken by id, sums
run left to right, and the exponential is `det_exp`. The readable twin is the reference of the tests. Cost:
a pass over the scores, then work proportional to the number of legal tokens (a sort, if temperature > 0).

A port or a review should read `Sampler.sample` and the functions under it in order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MaskError, SamplingError
from .det_exp import det_exp_array
from .randomness import Randomness
from .sampling import Draw, Sampling

__all__ = ["Sampler"]

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]


class Sampler:
    """Draws tokens for one sequence. Immutable: the same call gives the same draw.

    logits_width: how many scores the model gives. vocabulary_size: how many of them belong to tokens; the
    rest is padding and never drawn. seed or key: where the random numbers come from, by default a fresh secret
    key, which `randomness.seal()` gives out afterwards only with replay=True. Use one sampler per sequence, or
    sequences share their random numbers.

    >>> import numpy as np
    >>> sampler = Sampler(Sampling(), logits_width=3, vocabulary_size=3)
    >>> sampler.sample(np.array([1.0, 3.0, 2.0]), None, []).token
    1
    """

    __slots__ = ("_forbidden", "_size", "_width", "randomness", "sampling")

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
        self._forbidden = np.array(sorted(sampling.forbidden), dtype=np.int64)

    def __repr__(self) -> str:
        return f"<Sampler {self.sampling!r} over {self._size} tokens>"

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
        ids = self._legal(bitmask, eos_ids if accepting else ())
        if not ids.size and not accepting:
            raise MaskError("MASK_DEAD_END", tokens=position)
        permitted = self._permit(ids)
        if not permitted.size:
            if accepting:
                return Draw(None)
            raise SamplingError("SAMPLING_FORBIDDEN_EMPTY", allowed=int(ids.size))
        if position < self.sampling.min_tokens:
            permitted = _postpone_end(permitted, eos_ids)
        z = self._penalise(permitted, scores[permitted].astype(np.float64), history)
        ids, z, infinite = _keep_finite(permitted, z)
        if infinite:
            notices = (*notices, ("LOGITS_INF", infinite))
        if self.sampling.temperature == 0:
            return Draw(int(ids[np.argmax(z)]), 1.0, notices)  # argmax takes the first, so the smallest id
        token, probability = self._draw(ids, z, position)
        return Draw(token, probability, notices)

    # -- stage 0 ------------------------------------------------------------------------------------------

    def _check(self, logits: Any) -> tuple[NDArray[np.floating[Any]], tuple[tuple[str, int], ...]]:
        """The scores of the tokens proper, NaN replaced, and what was odd. Padding is not looked at."""
        array = np.asarray(logits)
        if array.dtype.kind != "f" or array.dtype.itemsize not in (2, 4, 8):
            raise SamplingError("LOGITS_DTYPE", dtype=str(array.dtype))
        if array.ndim != 1 or array.size < self._width:
            raise SamplingError("LOGITS_SHAPE", need=self._width, have="x".join(map(str, array.shape)) or "a scalar")
        scores = array[: self._size]
        if self.sampling.inf_policy == "fail":
            infinite = int(np.count_nonzero(scores == np.inf))
            if infinite:
                raise SamplingError("LOGITS_INF", count=infinite)
        nan = np.isnan(scores)
        count = int(np.count_nonzero(nan))
        if not count:
            return scores, ()
        if self.sampling.nan_policy == "fail":
            raise SamplingError("LOGITS_NAN", count=count)
        replaced = np.where(nan, scores.dtype.type(0 if self.sampling.nan_policy == "logit_zero" else -np.inf), scores)
        return replaced, (("LOGITS_NAN", count),)

    # -- stages 1 and 2 -----------------------------------------------------------------------------------

    def _legal(self, bitmask: Any, eos_ids: Collection[int]) -> Ids:
        """The allowed ids, ascending."""
        if bitmask is None:
            return np.arange(self._size, dtype=np.int64)
        words = np.atleast_1d(np.asarray(bitmask))
        if words.dtype.kind not in "iu" or words.dtype.itemsize != 4:
            raise MaskError("MASK_DTYPE", dtype=str(words.dtype))
        need = (self._size + 31) // 32
        if words.size < need or words.size != words.shape[-1]:
            raise MaskError("MASK_BUFFER", have="x".join(map(str, words.shape)), need=need)
        octets = words.reshape(-1).astype("<u4").view(np.uint8)
        allowed = np.unpackbits(octets, count=self._size, bitorder="little").view(np.bool_)
        if eos_ids:
            if not all(0 <= i < self._size for i in eos_ids):
                raise SamplingError("SAMPLING_PARAM", name="eos_ids", range=f"ids below {self._size}")
            allowed[list(eos_ids)] = True
        return np.flatnonzero(allowed).astype(np.int64, copy=False)

    def _permit(self, ids: Ids) -> Ids:
        if not self._forbidden.size:
            return ids
        return ids[~np.isin(ids, self._forbidden, assume_unique=True)]

    # -- stage 3 ------------------------------------------------------------------------------------------

    def _penalise(self, ids: Ids, z: Scores, history: Sequence[int]) -> Scores:
        s = self.sampling
        if s.repetition_penalty == 1 and s.presence_penalty == 0 and s.frequency_penalty == 0:
            return z
        window = history if s.repetition_window is None else history[-s.repetition_window :]
        if not len(window):
            return z
        seen, counts = np.unique(np.asarray(window, dtype=np.int64), return_counts=True)
        if seen[0] < 0 or seen[-1] >= self._width:
            raise SamplingError("SAMPLING_PARAM", name="history", range=f"ids from 0 to {self._width - 1}")
        at = np.minimum(np.searchsorted(ids, seen), ids.size - 1)
        legal = ids[at] == seen
        at, counts = at[legal], counts[legal]
        old = z[at]
        with np.errstate(over="ignore"):
            new = np.where(old > 0, old / s.repetition_penalty, old * s.repetition_penalty)
            z[at] = new - s.presence_penalty - s.frequency_penalty * counts
        return z

    # -- stages 5 to 9 ------------------------------------------------------------------------------------

    def _draw(self, ids: Ids, z: Scores, position: int) -> tuple[int, float]:
        """z: finite scores. Returns the id and its share of the survivors' weight."""
        sampling = self.sampling
        with np.errstate(over="ignore"):  # a tiny temperature sends the others to -inf, which det_exp clamps
            s = (z - z.max()) / sampling.temperature
        ids, s = _best(ids, s, sampling.top_k or ids.size)
        weights = det_exp_array(s)
        if sampling.top_p < 1:
            sums = np.cumsum(weights)
            kept = int(np.searchsorted(sums, sampling.top_p * sums[-1])) + 1
            ids, weights = ids[:kept], weights[:kept]
        if sampling.min_p > 0:
            keep = weights >= sampling.min_p
            ids, weights = ids[keep], weights[keep]
        sums = np.cumsum(weights)  # left to right, one addition each: np.sum would add in pairs
        threshold = self.randomness.uniform(position) * sums[-1]
        # The best weighs 1, so the total is at least 1 and u < 1 keeps the product below it: some sum is above.
        chosen = int(np.searchsorted(sums, threshold, side="right"))
        return int(ids[chosen]), float(weights[chosen] / sums[-1])


def _postpone_end(ids: Ids, eos_ids: Collection[int]) -> Ids:
    """Stage 2, last part: without the end tokens, unless they are all there is."""
    rest = ids[~np.isin(ids, list(eos_ids))]
    return rest if rest.size else ids


def _keep_finite(ids: Ids, z: Scores) -> tuple[Ids, Scores, int]:
    """Stage 4: drop -inf. If there is +inf, only those ids stay, as equals; the third value counts them."""
    top = z.max()
    if top == -np.inf:
        raise SamplingError("LOGITS_NONE_FINITE", allowed=int(ids.size))
    if top == np.inf:
        ids = ids[z == np.inf]
        return ids, np.zeros(ids.size), int(ids.size)
    alive = z > -np.inf
    return ids[alive], z[alive], 0


def _best(ids: Ids, s: Scores, k: int) -> tuple[Ids, Scores]:
    """Stage 6: the k best in the order (score descending, id ascending). ids must ascend."""
    if k < ids.size:
        bound = np.partition(s, s.size - k)[s.size - k]
        near = s >= bound  # ties at the bound included; the stable sort puts the smaller ids first
        ids, s = ids[near], s[near]
    order = np.argsort(-s, kind="stable")[:k]
    return ids[order], s[order]
