"""The sampler, written to be read: plain Python, one token at a time, exact arithmetic where it matters.

It is the oracle of the fast one and the source of `conformance/sampler.json`. It shares no code with it. Products
with a threshold go through `Fraction`, which rounds once, as an IEEE multiplication does.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

INF = math.inf


def exp(s: float) -> float:
    s = max(s, -745.0)
    k = round(s * 1.4426950408889634)
    r = (s - k * float.fromhex("0x1.62e42fee00000p-1")) - k * float.fromhex("0x1.a39ef35793c76p-33")
    p = 0.0
    for i in range(13, -1, -1):
        p = p * r + 1.0 / math.factorial(i)
    return float(Fraction(p) * Fraction(2) ** k)  # rounds once, also into the subnormals


def uniform(key: bytes, step: int) -> float:
    digest = hashlib.sha256(b"sampler/1\0" + key + step.to_bytes(8, "big")).digest()
    return float(Fraction(int.from_bytes(digest[:8], "big") >> 11, 2**53))


def times(a: float, b: float) -> float:
    return float(Fraction(a) * Fraction(b))


def running(weights: Sequence[float]) -> list[float]:
    sums = [0.0]
    for w in weights:
        sums.append(sums[-1] + w)
    return sums[1:]


def sample(
    logits: Sequence[float],
    allowed: Sequence[int] | None,
    history: Sequence[int],
    *,
    size: int,
    key: bytes,
    eos: Sequence[int] = (),
    accepting: bool = False,
    temperature: float = 0.0,
    top_k: int = 0,
    top_p: float = 1.0,
    min_p: float = 0.0,
    repetition_penalty: float = 1.0,
    presence_penalty: float = 0.0,
    frequency_penalty: float = 0.0,
    repetition_window: int | None = None,
    min_tokens: int = 0,
    forbidden: Sequence[int] = (),
    nan_policy: str = "zero",
    inf_policy: str = "keep",
) -> dict[str, Any]:
    """`{"token", "probability"}`, or `{"error": code}`; token None where the text is complete."""
    z = {i: logits[i] for i in range(size)}
    nan = [i for i in z if math.isnan(z[i])]
    if inf_policy == "fail" and INF in z.values():
        return {"error": "LOGITS_INF"}
    if nan_policy == "fail" and nan:
        return {"error": "LOGITS_NAN"}
    for i in nan:
        z[i] = 0.0 if nan_policy == "logit_zero" else -INF
    legal = set(range(size)) if allowed is None else {i for i in allowed if i < size}
    legal |= set(eos) if accepting else set()
    if not legal and not accepting:
        return {"error": "MASK_DEAD_END"}
    if not legal - set(forbidden):
        return {"token": None, "probability": 1.0} if accepting else {"error": "SAMPLING_FORBIDDEN_EMPTY"}
    legal -= set(forbidden)
    if len(history) < min_tokens and legal - set(eos):
        legal -= set(eos)
    seen = list(history) if repetition_window is None else list(history)[-repetition_window:]
    for i in legal & set(seen):
        z[i] = z[i] / repetition_penalty if z[i] > 0 else z[i] * repetition_penalty
        z[i] = z[i] - presence_penalty - frequency_penalty * seen.count(i)
    top = max(z[i] for i in legal)
    if top == -INF:
        return {"error": "LOGITS_NONE_FINITE"}
    if top == INF:
        legal = {i for i in legal if z[i] == INF}
        z, top = dict.fromkeys(legal, 0.0), 0.0
    legal = {i for i in legal if z[i] > -INF}
    if temperature == 0:
        return {"token": min(legal, key=lambda i: (-z[i], i)), "probability": 1.0}
    s = {i: divide(z[i] - top, temperature) for i in legal}
    order = sorted(legal, key=lambda i: (-s[i], i))
    order = order[:top_k] if top_k else order
    if top_p < 1:
        sums = running([exp(s[i]) for i in order])
        order = order[: next(j for j, c in enumerate(sums) if c >= times(top_p, sums[-1])) + 1]
    order = [i for i in order if exp(s[i]) >= min_p]
    sums = running([exp(s[i]) for i in order])
    threshold = times(uniform(key, len(history)), sums[-1])
    j = next((j for j, c in enumerate(sums) if c > threshold), len(order) - 1)
    return {"token": order[j], "probability": exp(s[order[j]]) / sums[-1]}


def divide(a: float, b: float) -> float:
    return a / b if abs(a) != INF else a
