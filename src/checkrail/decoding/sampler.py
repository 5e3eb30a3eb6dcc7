"""`Sampler`: the stages of sampling with NumPy, for vocabularies of any size.

The order of the stages and what they are for is in `staged_sampler`; `plain_sampler` computes the same in plain
Python, and a reference in the tests a third time, with exact fractions. Cost: a pass over the scores, then work
proportional to the number of legal tokens (a sort, if temperature > 0).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MaskError, SamplingError
from .det_exp_array import det_exp_array
from .staged_sampler import Notices, StagedSampler

__all__ = ["Sampler"]

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]


class Sampler(StagedSampler[Ids, Scores]):
    """Draws tokens for one sequence. Immutable: the same call gives the same draw.

    logits_width: how many scores the model gives. vocabulary_size: how many of them belong to tokens; the
    rest is padding and never drawn. seed or key: where the random numbers come from, by default a fresh secret
    key, which `randomness.seal()` gives out afterwards only with replay=True. Use one sampler per sequence, or
    sequences share their random numbers.

    >>> import numpy as np
    >>> from checkrail.decoding.sampling import Sampling
    >>> sampler = Sampler(Sampling(), logits_width=3, vocabulary_size=3)
    >>> sampler.sample(np.array([1.0, 3.0, 2.0]), None, []).token
    1
    """

    __slots__ = ()

    # -- stage 0 ------------------------------------------------------------------------------------------

    def _check(self, logits: Any) -> tuple[NDArray[np.floating[Any]], Notices]:
        array = np.asarray(logits)
        if array.dtype.kind != "f" or array.dtype.itemsize not in (2, 4, 8):
            raise SamplingError("LOGITS_DTYPE", dtype=str(array.dtype))
        if array.ndim != 1 or array.size < self._width:
            raise self._wrong_shape(array.shape)
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
        if bitmask is None:
            return np.arange(self._size, dtype=np.int64)
        words = np.atleast_1d(np.asarray(bitmask))
        if words.dtype.kind not in "iu" or words.dtype.itemsize != 4:
            raise MaskError("MASK_DTYPE", dtype=str(words.dtype))
        if words.size < self._words or words.size != words.shape[-1]:
            raise self._wrong_row(words.shape)
        octets = words.reshape(-1).astype("<u4").view(np.uint8)
        allowed = np.unpackbits(octets, count=self._size, bitorder="little").view(np.bool_)
        if eos_ids:
            allowed[list(eos_ids)] = True
        return np.flatnonzero(allowed).astype(np.int64, copy=False)

    def _permit(self, ids: Ids) -> Ids:
        forbidden = self.sampling.forbidden
        if not forbidden:
            return ids
        return ids[~np.isin(ids, _sorted(frozenset(forbidden)), assume_unique=True)]

    def _postpone_end(self, ids: Ids, eos_ids: Collection[int]) -> Ids:
        rest = ids[~np.isin(ids, list(eos_ids))]
        return rest if rest.size else ids

    def _pick(self, scores: NDArray[np.floating[Any]], ids: Ids) -> Scores:
        return scores[ids].astype(np.float64, copy=False)  # the selection is a copy already

    # -- stage 3 ------------------------------------------------------------------------------------------

    def _penalise(self, ids: Ids, z: Scores, seen: Sequence[int]) -> Scores:
        s = self.sampling
        known, counts = np.unique(np.asarray(seen, dtype=np.int64), return_counts=True)
        if known[0] < 0 or known[-1] >= self._width:
            raise self._wrong_history()
        at = np.minimum(np.searchsorted(ids, known), ids.size - 1)
        legal = ids[at] == known
        at, counts = at[legal], counts[legal]
        old = z[at]
        with np.errstate(over="ignore"):
            new = np.where(old > 0, old / s.repetition_penalty, old * s.repetition_penalty)
            z[at] = new - s.presence_penalty - s.frequency_penalty * counts
        return z

    # -- stage 4 ------------------------------------------------------------------------------------------

    def _keep_finite(self, ids: Ids, z: Scores) -> tuple[Ids, Scores, int]:
        if z.max() == np.inf:
            ids = ids[z == np.inf]
            return ids, np.zeros(ids.size), int(ids.size)
        alive = z > -np.inf
        return ids[alive], z[alive], 0

    def _best_of(self, ids: Ids, z: Scores) -> int:
        return int(ids[np.argmax(z)])  # argmax takes the first, so the smallest id

    # -- stages 5 to 9 ------------------------------------------------------------------------------------

    def _draw(self, ids: Ids, z: Scores, position: int) -> tuple[int, float]:
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


@lru_cache(maxsize=8)  # the same ones at each step of a run
def _sorted(ids: frozenset[int]) -> Ids:
    return np.array(sorted(ids), dtype=np.int64)


def _best(ids: Ids, s: Scores, k: int) -> tuple[Ids, Scores]:
    """Stage 6: the k best in the order (score descending, id ascending). ids must ascend."""
    if k < ids.size:
        bound = np.partition(s, s.size - k)[s.size - k]
        near = s >= bound  # ties at the bound included; the stable sort puts the smaller ids first
        ids, s = ids[near], s[near]
    order = np.argsort(-s, kind="stable")[:k]
    return ids[order], s[order]
