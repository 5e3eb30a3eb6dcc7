"""How a token is chosen: the parameters, and the choice that comes out.

`Sampling` is checked once, when it is made, and then trusted. The stages that read it, their fixed order and
their edge cases are in `sampler.py`. Both types here are plain values of the standard library, so the decode
loop can name them without loading NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from typing import Any, Literal, NoReturn, get_args

from ..errors import SamplingError

__all__ = ["Draw", "InfPolicy", "NanPolicy", "Sampling"]

NanPolicy = Literal["zero", "fail", "logit_zero"]
InfPolicy = Literal["keep", "fail"]

_MAX_COUNT = 2**31 - 1
_MAX_PENALTY = 1000.0


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters. The defaults take the likeliest legal token at each step.

    temperature: 0 is greedy (ties: smallest id), else the scores are divided by it.
    top_k: keep the k best; 0 is off. top_p: keep the best that together hold this share, in (0, 1]; 1 is off.
    min_p: keep those at least this share as likely as the best, in [0, 1]; 0 is off.
    repetition_penalty: > 0; the score of each distinct id seen is divided (positive) or multiplied
        (negative) by it; 1 is off. Beware: any other value also punishes the quotes and commas of JSON.
    presence_penalty, frequency_penalty: subtracted once, and once per occurrence; -1000 to 1000.
    repetition_window: how many of the last ids the penalties see; None is all.
    include_prompt: whether the ids of the prompt count as seen.
    min_tokens: the end token is not offered before so many tokens, unless nothing else is legal.
    forbidden: ids that never come out; kept as a frozenset.
    nan_policy: a score that is not a number gets probability zero, fails the run, or counts as logit 0.
    inf_policy: +inf scores share all probability among them, or fail the run.

    >>> Sampling(temperature=0.8, top_p=0.95)
    Sampling(temperature=0.8, top_p=0.95)
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repetition_window: int | None = None
    include_prompt: bool = False
    min_tokens: int = 0
    forbidden: Collection[int] = frozenset()
    nan_policy: NanPolicy = "zero"
    inf_policy: InfPolicy = "keep"

    def __post_init__(self) -> None:
        self._number("temperature", "a finite number >= 0", lambda x: x >= 0)
        self._number("top_p", "a number above 0 and at most 1", lambda x: 0 < x <= 1)
        self._number("min_p", "a number from 0 to 1", lambda x: 0 <= x <= 1)
        self._number("repetition_penalty", "a finite number above 0", lambda x: x > 0)
        for name in ("presence_penalty", "frequency_penalty"):
            self._number(name, "a number from -1000 to 1000", lambda x: abs(x) <= _MAX_PENALTY)
        for name, least in (("top_k", 0), ("min_tokens", 0), ("repetition_window", 1)):
            value = getattr(self, name)
            if not (name == "repetition_window" and value is None) and not _is_int(value, least):
                _refuse(name, f"an integer >= {least}")
        if not isinstance(self.include_prompt, bool):
            _refuse("include_prompt", "true or false")
        for name, policies in (("nan_policy", get_args(NanPolicy)), ("inf_policy", get_args(InfPolicy))):
            if getattr(self, name) not in policies:
                _refuse(name, "one of " + ", ".join(policies))
        self._freeze_forbidden()

    def _number(self, name: str, wanted: str, holds: Callable[[float], bool]) -> None:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            _refuse(name, wanted)
        try:
            number = float(value)
        except OverflowError:
            _refuse(name, wanted)
        if not math.isfinite(number) or not holds(number):
            _refuse(name, wanted)
        object.__setattr__(self, name, number)

    def _freeze_forbidden(self) -> None:
        try:
            ids = frozenset(self.forbidden)
        except TypeError:
            _refuse("forbidden", "token ids")
        if not all(_is_int(i, 0) for i in ids):
            _refuse("forbidden", "token ids >= 0")
        object.__setattr__(self, "forbidden", ids)

    def to_json(self) -> dict[str, Any]:
        """All parameters as plain data, for a record of how a text came about."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        data["forbidden"] = sorted(self.forbidden)
        return data

    def __repr__(self) -> str:
        changed = [f for f in fields(self) if getattr(self, f.name) != f.default]
        shown = {f.name: repr(getattr(self, f.name)) for f in changed}
        if "forbidden" in shown:
            shown["forbidden"] = f"{len(self.forbidden)} ids"
        return f"Sampling({', '.join(f'{name}={value}' for name, value in shown.items())})"


def _is_int(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MAX_COUNT


def _refuse(name: str, wanted: str) -> NoReturn:
    raise SamplingError("SAMPLING_PARAM", name=name, range=wanted)


@dataclass(frozen=True, slots=True)
class Draw:
    """One choice.

    token: the id, or None where the text is complete and nothing may be drawn any more.
    probability: its share of the weight of all tokens that survived the stages; 1.0 when greedy.
    notices: (code, count) of what was odd about the scores: LOGITS_NAN, LOGITS_INF.
    """

    token: int | None
    probability: float = 1.0
    notices: tuple[tuple[str, int], ...] = ()
