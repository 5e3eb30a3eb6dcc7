"""Text of others, put back in front of a local model so that it stays text.

A tool's result, a document, an old answer, what a user pasted: whatever goes into a prompt can spell the tokens that
end a turn. Here the pieces of a template and the texts are tokenized apart, and on the ids it is verified, on every
call, that no text has become a control token.

    tokenizer = adapt(my_tokenizer)                          # once for each model
    ids = safe_chat_ids(tokenizer, messages)                 # instead of apply_chat_template
    prompt = build(tokenizer, turns, template=..., key=...)  # with tools: also says where text is from

You do not need it for text that the model is to continue: `encode_data` of the adapter is enough. It does not keep a
model from believing what it reads; nothing does.

Each name is loaded when it is first used: the worker that renders templates needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapters import adapt
    from .builder import build
    from .framing import BOUNDARY_NOTICE, IdFraming
    from .history import read_history, sign_history
    from .jinja_template import JinjaTemplate
    from .key import ReinsertKey
    from .law import LawfulTokenizer, TokenizerAdapter
    from .parts import OwnTokens, Part, Role, ToolOutput, Trusted, Turn, Untrusted, UserText
    from .prompt import DataSpan, Prompt
    from .safe_chat import safe_chat_ids
    from .template import CHATML, PLAIN, BuiltinTemplate, Template, fitting_template

__all__ = [
    "BOUNDARY_NOTICE",
    "CHATML",
    "PLAIN",
    "BuiltinTemplate",
    "DataSpan",
    "IdFraming",
    "JinjaTemplate",
    "LawfulTokenizer",
    "OwnTokens",
    "Part",
    "Prompt",
    "ReinsertKey",
    "Role",
    "Template",
    "TokenizerAdapter",
    "ToolOutput",
    "Trusted",
    "Turn",
    "Untrusted",
    "UserText",
    "adapt",
    "build",
    "fitting_template",
    "read_history",
    "safe_chat_ids",
    "sign_history",
]

# module -> the names it holds: what the imports above say to a type checker, said to Python
_HOMES = {
    "adapters": ("adapt",),
    "builder": ("build",),
    "framing": ("BOUNDARY_NOTICE", "IdFraming"),
    "history": ("read_history", "sign_history"),
    "jinja_template": ("JinjaTemplate",),
    "key": ("ReinsertKey",),
    "law": ("LawfulTokenizer", "TokenizerAdapter"),
    "parts": ("OwnTokens", "Part", "Role", "ToolOutput", "Trusted", "Turn", "Untrusted", "UserText"),
    "prompt": ("DataSpan", "Prompt"),
    "safe_chat": ("safe_chat_ids",),
    "template": ("CHATML", "PLAIN", "BuiltinTemplate", "Template", "fitting_template"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{module}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
