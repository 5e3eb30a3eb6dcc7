"""`PlainSampler`: the stages of sampling in plain Python, one token at a time.

The readable twin of `sampler.Sampler`, which does the same with NumPy: both give the same draws and errors, bit for
bit, and the tests hold them together. You need it where NumPy is not, as in a browser, or to see what a stage does.
It is slow where many tokens are legal: some twenty times as slow as the other for 100,000 of them.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, compress
from typing import Any

from ..errors import MaskError, SamplingError
from .det_exp import det_exp
from .staged_sampler import Notices, StagedSampler

__all__ = ["PlainSampler"]

Ids = list[int]
Scores = list[float]

_FLOATS = ("e", "f", "d")  # half, single, double, as `struct` names them
# What NumPy calls other formats, so that both samplers word the same error.
_NAMES = {
    "b": "int8",
    "B": "uint8",
    "h": "int16",
    "H": "uint16",
    "i": "int32",
    "I": "uint32",
    "q": "int64",
    "l": "int64",
}
_NAMES |= {"L": "uint64", "Q": "uint64", "?": "bool", "e": "float16", "f": "float32", "d": "float64", "g": "float128"}
_NAMES |= {"Zd": "complex128", "O": "object"}


class PlainSampler(StagedSampler[Ids, Scores]):
    """Draws tokens for one sequence, without NumPy. See `StagedSampler` for the arguments.

    Scores may also be a list of floats.

    >>> from checkrail.decoding.sampling import Sampling
    >>> PlainSampler(Sampling(), logits_width=3, vocabulary_size=3).sample([1.0, 3.0, 2.0], None, []).token
    1
    """

    __slots__ = ()

    # -- stage 0 ------------------------------------------------------------------------------------------

    def _check(self, logits: Any) -> tuple[Scores, Notices]:
        scores = self._read(logits)[: self._size]
        infinite, nan = scores.count(math.inf), sum(map(math.isnan, scores))
        if infinite and self.sampling.inf_policy == "fail":
            raise SamplingError("LOGITS_INF", count=infinite)
        if not nan:
            return scores, ()
        if self.sampling.nan_policy == "fail":
            raise SamplingError("LOGITS_NAN", count=nan)
        instead = 0.0 if self.sampling.nan_policy == "logit_zero" else -math.inf
        return [instead if math.isnan(z) else z for z in scores], (("LOGITS_NAN", nan),)

    def _read(self, logits: Any) -> Scores:
        """The scores as doubles, which hold halves and singles exactly."""
        shape, scores = _read_list(logits) if isinstance(logits, (list, tuple)) else _read_buffer(logits)
        if len(shape) != 1 or shape[0] < self._width:
            raise self._wrong_shape(shape)
        return scores

    # -- stages 1 and 2 -----------------------------------------------------------------------------------

    def _legal(self, bitmask: Any, eos_ids: Collection[int]) -> Ids:
        if bitmask is None:
            return list(range(self._size))
        try:
            view = memoryview(bitmask)
        except TypeError:
            raise MaskError("MASK_DTYPE", dtype=type(bitmask).__name__) from None
        order, letter = _format(view)
        if letter not in ("i", "I", "l", "L") or view.itemsize != 4:
            raise MaskError("MASK_DTYPE", dtype=_NAMES.get(letter, letter))
        count, shape = view.nbytes // 4, tuple(view.shape or (1,))
        if shape[-1] != count or count < self._words:
            raise self._wrong_row(shape)
        words = struct.unpack(f"{order}{count}I", view.tobytes())
        bits = (word >> bit & 1 for word in words for bit in range(32))
        allowed = list(compress(range(self._size), bits))
        return sorted({*allowed, *eos_ids}) if eos_ids else allowed

    def _permit(self, ids: Ids) -> Ids:
        return [i for i in ids if i not in self.sampling.forbidden]

    def _postpone_end(self, ids: Ids, eos_ids: Collection[int]) -> Ids:
        return [i for i in ids if i not in eos_ids] or ids

    def _pick(self, scores: Scores, ids: Ids) -> Scores:
        return [scores[i] for i in ids]

    # -- stage 3 ------------------------------------------------------------------------------------------

    def _penalise(self, ids: Ids, z: Scores, seen: Sequence[int]) -> Scores:
        if not all(0 <= i < self._width for i in seen):
            raise self._wrong_history()
        counts = Counter(seen)
        return [self._penalised(score, counts[i]) if i in counts else score for i, score in zip(ids, z, strict=True)]

    def _penalised(self, score: float, count: int) -> float:
        s = self.sampling
        score = score / s.repetition_penalty if score > 0 else score * s.repetition_penalty
        return score - s.presence_penalty - s.frequency_penalty * count

    # -- stage 4 ------------------------------------------------------------------------------------------

    def _keep_finite(self, ids: Ids, z: Scores) -> tuple[Ids, Scores, int]:
        if math.inf in z:
            best = [i for i, score in zip(ids, z, strict=True) if score == math.inf]
            return best, [0.0] * len(best), len(best)
        alive = [score > -math.inf for score in z]
        return list(compress(ids, alive)), list(compress(z, alive)), 0

    def _best_of(self, ids: Ids, z: Scores) -> int:
        return ids[z.index(max(z))]

    # -- stages 5 to 9 ------------------------------------------------------------------------------------

    def _draw(self, ids: Ids, z: Scores, position: int) -> tuple[int, float]:
        s = self.sampling
        top = max(z)
        scaled = [(score - top) / s.temperature for score in z]
        order = sorted(range(len(ids)), key=lambda at: (-scaled[at], at))[: s.top_k or len(ids)]
        weights = [det_exp(scaled[at]) for at in order]
        if s.top_p < 1:
            sums = _running(weights)
            weights = weights[: bisect_left(sums, s.top_p * sums[-1]) + 1]
        kept = [(at, weight) for at, weight in zip(order, weights, strict=False) if weight >= s.min_p]
        sums = _running(weight for _, weight in kept)
        threshold = self.randomness.uniform(position) * sums[-1]
        # The best weighs 1, so the total is at least 1 and u < 1 keeps the product below it: some sum is above.
        at, weight = kept[bisect_right(sums, threshold)]
        return ids[at], weight / sums[-1]


def _running(weights: Iterable[float]) -> list[float]:
    """The sums of 1, 2, ... weights, from left to right, one addition each."""
    return list(accumulate(weights))


def _read_list(logits: Sequence[Any]) -> tuple[tuple[int, ...], Scores]:
    if not all(type(z) is float for z in logits):
        raise SamplingError("LOGITS_DTYPE", dtype="object")
    return (len(logits),), list(logits)


def _read_buffer(logits: Any) -> tuple[tuple[int, ...], Scores]:
    """Shape and doubles of a buffer of floats."""
    try:
        view = memoryview(logits)
    except TypeError:
        raise SamplingError("LOGITS_DTYPE", dtype=type(logits).__name__) from None
    order, letter = _format(view)
    if letter not in _FLOATS:
        raise SamplingError("LOGITS_DTYPE", dtype=_NAMES.get(letter, letter))
    count = view.nbytes // view.itemsize
    return tuple(view.shape or ()), list(struct.unpack(f"{order}{count}{letter}", view.tobytes()))


def _format(view: memoryview) -> tuple[str, str]:
    """Byte order and type, as `struct` names them."""
    return (view.format[0], view.format[1:]) if view.format[0] in "<>=" else ("=", view.format.lstrip("@"))
