"""The options that say which model writes and how it chooses. Shared by `generate` and `extract`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
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

    def sampling(self) -> Sampling:
        """Raises SamplingError for a value outside its domain."""
        from ..decoding.sampling import Sampling

        return Sampling(temperature=self.temperature, top_p=self.top_p, top_k=self.top_k, min_p=self.min_p)

    def load(self) -> Model:
        """Load the model. Raises ModelError, InputError, VocabularyError."""
        from .. import models

        return models.load_model(self.model)


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
