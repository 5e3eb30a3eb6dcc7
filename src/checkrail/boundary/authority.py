"""Who decides whether a call runs: nobody, a person, or the table below. Never a text.

The decision reads four things: the level that the user set, what the manifest says of the tool, whether text from
others is in the context, and the policy for that. Nothing that a model, a document or a tool wrote is among them.

    level       pure   read public   read private            write
    off         deny   deny          deny                    deny
    propose     show   show          show                    show
    ask_all     ask    ask           ask                     ask
    auto_pure   run    ask           ask                     ask
    auto_read   run    run           run; ask when tainted   ask

No level runs a `write` by itself, and no answer is remembered for the next one. That is in the order of the lines of
`decide`: a `write` has its verdict before the only line that says RUN.

You need it to set a level. `Session` asks it for each call, and once more just before the tool starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from ..errors import InputError
from .tools.limits import Capability
from .tools.manifest import Sensitivity

__all__ = ["Authority", "OnTaint", "Verdict", "decide"]


class Authority(Enum):
    """How much runs without a question, from nothing to all that only reads. The default is AUTO_PURE."""

    OFF = "off"
    PROPOSE = "propose"
    ASK_ALL = "ask_all"
    AUTO_PURE = "auto_pure"
    AUTO_READ = "auto_read"

    @property
    def rank(self) -> int:
        """The place in the order above: a higher one allows more."""
        return list(Authority).index(self)


class Verdict(Enum):
    """What becomes of a call. SHOW: it is shown, and never runs."""

    DENY = "deny"
    SHOW = "show"
    ASK = "ask"
    RUN = "run"


Stricter: TypeAlias = Literal["ask", "deny"]


@dataclass(frozen=True, slots=True)
class OnTaint:
    """What becomes of a call once text from others is in the context. "run" is not an option.

    Raises `InputError` INPUT_FORMAT for another word.
    """

    read_private: Stricter = "ask"
    write: Stricter = "ask"

    def __post_init__(self) -> None:
        for name in ("read_private", "write"):
            if getattr(self, name) not in ("ask", "deny"):
                raise InputError("INPUT_FORMAT", name=f"OnTaint.{name}", what='must be "ask" or "deny"')


def decide(
    level: Authority, capability: Capability, sensitivity: Sensitivity, *, tainted: bool, on_taint: OnTaint
) -> Verdict:
    """What becomes of a call, by the table.

    >>> decide(Authority.AUTO_READ, "write", "public", tainted=False, on_taint=OnTaint()).value
    'ask'
    """
    if level is Authority.OFF:
        return Verdict.DENY
    if level is Authority.PROPOSE:
        return Verdict.SHOW
    if capability == "write":
        return Verdict(on_taint.write) if tainted else Verdict.ASK
    if capability == "read" and sensitivity == "private" and tainted:
        return Verdict(on_taint.read_private)
    runs_from = Authority.AUTO_PURE if capability == "pure" else Authority.AUTO_READ
    return Verdict.RUN if level.rank >= runs_from.rank else Verdict.ASK
