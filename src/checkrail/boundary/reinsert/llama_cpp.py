"""llama-cpp-python's `Llama`: text is cut where control tokens' texts begin, and each fragment is tokenized apart.

Which tokens are of which kind is read from the GGUF file, by Checkrail's own reader, and so is the chat template.

Takes a `Llama`; imports nothing. Why and where text is cut: `vocabulary.llama_text`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...vocabulary.control_literals import Literals, is_blank
from ...vocabulary.gguf import read_metadata
from ...vocabulary.gguf_tokens import table_of
from ...vocabulary.llama_text import encode_fragments, without_space
from .law import LawfulTokenizer

__all__ = ["from_llama_cpp"]

_USER_DEFINED = 4  # of GGUF's tokenizer.ggml.token_type


def from_llama_cpp(llm: Any) -> LawfulTokenizer:
    """The adapter. Raises `InputError` and `VocabularyError` for a model file that cannot be read."""
    metadata = read_metadata(llm.model_path)
    table = table_of(metadata)  # which checks what the next two lines take
    texts: Any = metadata["tokenizer.ggml.tokens"]
    kinds: Any = metadata.get("tokenizer.ggml.token_type") or ()
    control = {identifier: text for text, identifier in table.special.items()}
    control |= dict.fromkeys(table.special_ids - control.keys(), "")
    user_defined = {number: texts[number] for number, kind in enumerate(kinds) if kind == _USER_DEFINED}
    control |= {number: text for number, text in user_defined.items() if len(text) > 1 and not is_blank(text)}
    ids_of = {text: identifier for identifier, text in control.items()}
    literals = Literals(control.values())
    written = [part or b"" for part in table.tokens]

    def plain(text: str) -> Sequence[int]:
        return llm.tokenize(text.encode(), add_bos=False, special=False)  # type: ignore[no-any-return]  # untyped

    bare = without_space(plain, lambda ids: b"".join(written[identifier] for identifier in ids))

    def data(text: str) -> list[int]:
        return encode_fragments(bare, literals, text)

    def template(text: str) -> list[int]:
        found: list[int] = []
        for piece, is_control in literals.split(text):
            found += [ids_of[piece]] if is_control else data(piece)
        return found

    chat_template = metadata.get("tokenizer.chat_template")
    return LawfulTokenizer(
        template=template,
        data=data,
        table=table.tokens,
        control=control,
        prefix_ids=_prefix(metadata),
        chat_template=chat_template if isinstance(chat_template, str) else None,
        variables=_variables(metadata, texts),
    )


def _prefix(metadata: Any) -> list[int]:
    """The begin token, where prompts have one: what the file says, and else the model's kind, as in llama.cpp."""
    begin = metadata.get("tokenizer.ggml.bos_token_id")
    default = metadata["tokenizer.ggml.model"] == "llama"
    return [begin] if isinstance(begin, int) and metadata.get("tokenizer.ggml.add_bos_token", default) is True else []


def _variables(metadata: Any, texts: Sequence[str]) -> dict[str, str]:
    """The special tokens that chat templates name."""
    keys = {"bos_token": "tokenizer.ggml.bos_token_id", "eos_token": "tokenizer.ggml.eos_token_id"}
    numbers = {name: metadata.get(key) for name, key in keys.items()}
    return {name: texts[n] for name, n in numbers.items() if isinstance(n, int) and 0 <= n < len(texts)}
