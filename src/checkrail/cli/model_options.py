"""The options that say which model writes, how it chooses, and where that is recorded.

Shared by `generate`, `extract` and `chat`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence
    from ..decoding.sampling import Sampling
    from ..models.protocol import Model

__all__ = ["Writing", "model_options"]


@dataclass(frozen=True, slots=True)
class Writing:
    """The options, read."""

    model: str = "default"
    seed: int | None = None
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    max_tokens: int = 512
    time_limit: float | None = None
    evidence: str | None = None

    def sampling(self) -> Sampling:
        """Raises SamplingError for a value outside its domain."""
        from ..decoding.sampling import Sampling

        return Sampling(temperature=self.temperature, top_p=self.top_p, top_k=self.top_k, min_p=self.min_p)

    def load(self) -> Model:
        """Load the model. Raises ModelError, InputError, VocabularyError."""
        from .. import models

        return models.load_model(self.model)

    def record(self) -> AbstractContextManager[Evidence | None]:
        """Open the evidence file, where one was asked for. Raises InputError OUTPUT_WRITE, EVIDENCE_FORMAT."""
        if self.evidence is None:
            return nullcontext()
        from ..boundary.evidence.file import Evidence

        return Evidence(self.evidence)


_OPTIONS = (
    click.option(
        "-m",
        "--model",
        default="default",
        show_default=True,
        envvar="CHECKRAIL_MODEL",
        show_envvar=True,
        help="The embedded model, or a GGUF file.",
    ),
    click.option("--seed", type=int, help="Replay the random choices of a temperature above 0."),
    click.option("--temperature", type=float, default=0.0, show_default=True, help="0 takes the likeliest token."),
    click.option("--top-p", type=float, default=1.0, show_default=True),
    click.option("--top-k", type=int, default=0, show_default=True),
    click.option("--min-p", type=float, default=0.0, show_default=True),
    click.option("-n", "--max-tokens", type=int, default=512, show_default=True, help="For one output."),
    click.option("--time-limit", type=float, metavar="SECONDS", help="For one output."),
    click.option(
        "--evidence", metavar="FILE", help="Add a line for each run: how it went, nothing of what was asked or written."
    ),
)


def model_options(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add the options; the command gets them as one argument `writing`."""

    @functools.wraps(command)
    def wrapper(*args: Any, **arguments: Any) -> int | None:
        mine = {name: arguments.pop(name) for name in Writing.__slots__}
        return command(*args, writing=Writing(**mine), **arguments)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper
