"""Tools for a local model: what declares them, what guards them, and a session in which a model uses them.

    from checkrail.tools import Session, TerminalConfirmer, tool

    @tool(name="double", version="1.0.0", capability="pure", effect="Doubles a number.")
    def double(number: int) -> int: ...

    with Session(checkrail.load_model(), [double], confirm=TerminalConfirmer()) as session:
        print(session.run("What is twice 21?").text)

Each name is loaded when it is first used: a module of tools, which a worker imports for every call, gets `tool` and its
words from here and nothing of models.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..boundary.authority import Authority, OnTaint
    from ..boundary.calls.budgets import SessionLimits
    from ..boundary.calls.call import Call
    from ..boundary.calls.states import CallState
    from ..boundary.confirmation.confirmers import CallbackConfirmer, DenyAll, ScriptedConfirmer
    from ..boundary.confirmation.terminal_confirmer import TerminalConfirmer
    from ..boundary.tools.failure import ToolFailure
    from ..boundary.tools.limits import ToolLimits as Limits
    from ..boundary.tools.tool import Tool, tool
    from ..boundary.tools.types import Len, Pattern, Range
    from ..boundary.worker.root_folder import folder
    from .answer import Answer
    from .events import CallChanged, Finished, Inserted, TurnEvent
    from .example import Example, nearest
    from .session import Session
    from .turn import TurnStream

__all__ = [
    "Answer",
    "Authority",
    "Call",
    "CallChanged",
    "CallState",
    "CallbackConfirmer",
    "DenyAll",
    "Example",
    "Finished",
    "Inserted",
    "Len",
    "Limits",
    "OnTaint",
    "Pattern",
    "Range",
    "ScriptedConfirmer",
    "Session",
    "SessionLimits",
    "TerminalConfirmer",
    "Tool",
    "ToolFailure",
    "TurnEvent",
    "TurnStream",
    "folder",
    "nearest",
    "tool",
]

# name here -> its module and its name there: what the imports above say to a type checker, said to Python
_HOMES = {
    "Answer": (".answer", "Answer"),
    "Authority": ("..boundary.authority", "Authority"),
    "Call": ("..boundary.calls.call", "Call"),
    "CallChanged": (".events", "CallChanged"),
    "CallState": ("..boundary.calls.states", "CallState"),
    "CallbackConfirmer": ("..boundary.confirmation.confirmers", "CallbackConfirmer"),
    "DenyAll": ("..boundary.confirmation.confirmers", "DenyAll"),
    "Example": (".example", "Example"),
    "Finished": (".events", "Finished"),
    "Inserted": (".events", "Inserted"),
    "Len": ("..boundary.tools.types", "Len"),
    "Limits": ("..boundary.tools.limits", "ToolLimits"),
    "OnTaint": ("..boundary.authority", "OnTaint"),
    "Pattern": ("..boundary.tools.types", "Pattern"),
    "Range": ("..boundary.tools.types", "Range"),
    "ScriptedConfirmer": ("..boundary.confirmation.confirmers", "ScriptedConfirmer"),
    "Session": (".session", "Session"),
    "SessionLimits": ("..boundary.calls.budgets", "SessionLimits"),
    "TerminalConfirmer": ("..boundary.confirmation.terminal_confirmer", "TerminalConfirmer"),
    "Tool": ("..boundary.tools.tool", "Tool"),
    "ToolFailure": ("..boundary.tools.failure", "ToolFailure"),
    "TurnEvent": (".events", "TurnEvent"),
    "TurnStream": (".turn", "TurnStream"),
    "folder": ("..boundary.worker.root_folder", "folder"),
    "nearest": (".example", "nearest"),
    "tool": ("..boundary.tools.tool", "tool"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, theirs = _HOMES[name]
    value = getattr(import_module(module, __name__), theirs)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
