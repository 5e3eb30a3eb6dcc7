"""Turn a conversation into token ids, so that no message can speak with another's voice.

The usual way is to write the conversation as one string and tokenize that with special tokens on, which lets a
message that spells `<|im_end|>` end its own turn. Here the pieces of the template and the texts of the messages
are encoded apart, the first with `encode_template`, the second with `encode_data`, and the ids are joined. A seam
between the two can cost one merge; it falls after a newline, where tokenizers split anyway.

Two templates are built in. `chatml` marks turns with `<|im_start|>` and `<|im_end|>`, as SmolLM2, Qwen and many
others were trained; `plain` writes role names as words, for models without such tokens. A model file's own
template is a program in Jinja, and is not run.

You need this to prompt an instruct model. For a text to be continued, use `encode_data` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import InputError
from .protocol import Model

__all__ = ["ChatMessage", "Role", "TemplateName", "chat_template", "encode_chat"]

Role = Literal["system", "user", "assistant"]
TemplateName = Literal["auto", "chatml", "plain"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn. The role goes into the template, so it is one of three words; the text is data.

    >>> ChatMessage("user", "Hello")
    ChatMessage(role='user', text='Hello')
    """

    role: Role
    text: str

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise InputError("INPUT_FORMAT", name="role", what=f"must be one of {', '.join(get_args(Role))}")


def chat_template(model: Model) -> Literal["chatml", "plain"]:
    """The built-in template that fits a model: `chatml` if its vocabulary has the two tokens, else `plain`."""
    special = model.vocabulary.special
    return "chatml" if "<|im_start|>" in special and "<|im_end|>" in special else "plain"


def encode_chat(
    model: Model,
    messages: Sequence[ChatMessage],
    *,
    examples: Sequence[tuple[str, str]] = (),
    add_generation_prompt: bool = True,
    template: TemplateName = "auto",
) -> list[int]:
    """The ids of a conversation, ready for `Model.logits`.

    messages: the turns in order. examples: pairs of a question and its answer, put as turns of their own behind
    the system messages that come first; small models follow examples far better in this form than pasted into a
    message. add_generation_prompt: end with the opening of the assistant's turn. template: `auto` is
    `chat_template(model)`.

    Raises InputError (INPUT_FORMAT: `chatml` asked of a model without its tokens) and what `encode_data` raises.
    """
    fitting = chat_template(model)
    if template == "chatml" and fitting != "chatml":
        raise InputError("INPUT_FORMAT", name="template", what="the model has no <|im_start|> and <|im_end|>")
    chatml = (fitting if template == "auto" else template) == "chatml"
    ids = list(model.prefix_ids)
    for message in _with_examples(messages, examples):
        ids += model.encode_template(_opening(message.role, chatml))
        ids += model.encode_data(message.text)
        ids += model.encode_template("<|im_end|>\n" if chatml else "\n\n")
    if add_generation_prompt:
        ids += model.encode_template(_opening("assistant", chatml))
    return ids


def _opening(role: Role, chatml: bool) -> str:
    return f"<|im_start|>{role}\n" if chatml else f"{role.capitalize()}:\n"


def _with_examples(messages: Sequence[ChatMessage], examples: Sequence[tuple[str, str]]) -> Iterator[ChatMessage]:
    """The messages, with the examples as turns behind the leading system messages."""
    first = next((i for i, message in enumerate(messages) if message.role != "system"), len(messages))
    yield from messages[:first]
    for question, answer in examples:
        yield ChatMessage("user", question)
        yield ChatMessage("assistant", answer)
    yield from messages[first:]
