"""llama-cpp-python's `Llama`: text is cut where control tokens' texts begin, and each fragment is tokenized apart.

llama.cpp's `special=False` skips control tokens only; user-defined ones are found in any text. The cuts keep them from
being found, since no token spans a cut. Which tokens are of which kind is read from the GGUF file, by Checkrail's own
reader, and so is the chat template.

Long fragments are cut too, in front of a space where there is one: tokenizers split there anyway. Some of llama.cpp's
tokenizers search with a recursive regular expression, and 40,000 letters without a space overflow the stack and end the
process.

Takes a `Llama`; imports nothing. Checkrail's own models have the same inside (`models.llama_tokenizer`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...vocabulary.gguf import read_metadata
from ...vocabulary.gguf_tokens import table_of
from .law import LawfulTokenizer
from .literals import Literals, is_blank, short

__all__ = ["from_llama_cpp"]

_USER_DEFINED = 4  # of GGUF's tokenizer.ggml.token_type
_FRAGMENT_CHARACTERS = 1_024
_MARKERS = ("\n", "!")
_Tokenize = Callable[[str], Sequence[int]]


def from_llama_cpp(llm: Any) -> LawfulTokenizer:
    """The adapter. Raises `InputError` and `VocabularyError` for a model file that cannot be read."""
    metadata = read_metadata(llm.model_path)
    table = table_of(metadata)  # which checks what the next two lines take
    texts: Any = metadata["tokenizer.ggml.tokens"]
    kinds: Any = metadata.get("tokenizer.ggml.token_type") or [0] * len(texts)
    control = {identifier: text for text, identifier in table.special.items()}
    control |= dict.fromkeys(table.special_ids - control.keys(), "")
    control |= {
        number: text
        for number, (text, kind) in enumerate(zip(texts, kinds, strict=True))
        if kind == _USER_DEFINED and len(text) > 1 and not is_blank(text)
    }
    ids_of = {text: identifier for identifier, text in control.items()}
    literals = Literals(text for text in control.values() if len(text) > 1)
    written = [part or b"" for part in table.tokens]

    def plain(text: str) -> Sequence[int]:
        return llm.tokenize(text.encode(), add_bos=False, special=False)  # type: ignore[no-any-return]  # untyped

    bare = _without_space(plain, lambda ids: b"".join(written[identifier] for identifier in ids))

    def data(text: str) -> list[int]:
        fragments = (part for fragment in literals.fragments(text) for part in short(fragment, _FRAGMENT_CHARACTERS))
        return [identifier for part in fragments for identifier in bare(part)]

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


def _without_space(plain: _Tokenize, decode: Callable[[Sequence[int]], bytes]) -> _Tokenize:
    """`plain` without the space that SentencePiece models get in front of each text.

    The space stands in front of a marker then, and both are taken off again. A text whose first token swallows the
    marker is tried with the other marker.
    """
    if decode(plain("a")) != b" a":
        return plain

    def bare(text: str) -> Sequence[int]:
        for marker in _MARKERS if text else ():
            ids = plain(marker + text)
            for count in range(1, 4):
                if decode(ids[:count]) == b" " + marker.encode():
                    return ids[count:]
        return plain(text) if text else []

    return bare
