"""Hugging Face tokenizers: data goes through a twin that has no added vocabulary.

The twin is the same `tokenizer.json` with its list of added tokens emptied: same model, merges, normalizer and
pre-tokenizer, so ordinary text gets ordinary tokens, and no text is ever looked up in the added vocabulary. Entries of
blanks alone stay, they mean themselves.

It is also without what acts on whole prompts only: the space that some put in front of a text, truncation, padding, the
post-processor with its begin and end tokens. Templates go through it as well: the texts of added tokens are found from
the left, the longest first, as the library does it, and what is between them is encoded.

Takes a `tokenizers.Tokenizer`, or a fast tokenizer of transformers; imports neither. Reading and writing the file takes
one to five seconds, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import InputError
from ...vocabulary import huggingface
from ...vocabulary.control_literals import Literals, is_blank
from ...vocabulary.source import parse_json
from .law import LawfulTokenizer

__all__ = ["from_huggingface"]

_ON_WHOLE_TEXTS = {"post_processor": None, "truncation": None, "padding": None}


def from_huggingface(tokenizer: Any) -> LawfulTokenizer:
    """The adapter. Raises `VocabularyError` for a tokenizer that is not fast, or cannot be read."""
    text, _ = huggingface.tokenizer_json_of(tokenizer)
    value: Any = parse_json(text)
    table = huggingface.read_tokenizer_json(value)
    added = value.get("added_tokens") or []
    control = {table.special[name]: name for name in table.special}
    control |= dict.fromkeys(table.special_ids - control.keys(), "")
    control |= {token["id"]: token["content"] for token in added if not is_blank(token["content"])}
    kept = [token for token in added if _is_blank(token, value["model"])]
    value = {**value, **_ON_WHOLE_TEXTS, **_without_prefix(value), "model": _repeatable(value["model"])}
    data = _encoder(type(getattr(tokenizer, "backend_tokenizer", tokenizer)), {**value, "added_tokens": kept})
    return LawfulTokenizer(
        template=_template_encoder(data, control, {token["content"]: token for token in added}),
        data=data,
        table=table.tokens,
        control=control,
        chat_template=_chat_template(tokenizer),
        variables=_variables(tokenizer),
    )


def _encoder(kind: Any, value: dict[str, Any]) -> Callable[[str], Sequence[int]]:
    tokenizer = kind.from_str(json.dumps(value))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def _template_encoder(
    data: Callable[[str], Sequence[int]], control: dict[int, str], added: dict[str, dict[str, Any]]
) -> Callable[[str], Sequence[int]]:
    """Text to ids, with the texts of control tokens as these; some of them take the blanks beside them away."""
    literals = Literals(control.values())
    ids = {text: identifier for identifier, text in control.items()}

    def encode(text: str) -> list[int]:
        found: list[int] = []
        pieces = list(literals.split(text))
        for at, (piece, is_control) in enumerate(pieces):
            if is_control:
                found.append(ids[piece])
                continue
            if at > 0 and added.get(pieces[at - 1][0], {}).get("rstrip"):
                piece = piece.lstrip()
            if at + 1 < len(pieces) and added.get(pieces[at + 1][0], {}).get("lstrip"):
                piece = piece.rstrip()
            found += data(piece)
        return found

    return encode


def _is_blank(token: dict[str, Any], model: dict[str, Any]) -> bool:
    """Whether an added token is a run of blanks that keeps its id in a tokenizer with fewer added tokens."""
    vocabulary = model.get("vocab")
    known = isinstance(vocabulary, dict) and vocabulary.get(token["content"]) == token["id"]
    return known and not token["special"] and is_blank(token["content"])


def _repeatable(model: dict[str, Any]) -> dict[str, Any]:
    """The model without the chance that some are trained with."""
    return {**model, "dropout": None} if "dropout" in model else model


def _without_prefix(value: dict[str, Any]) -> dict[str, Any]:
    """The normalizer and the pre-tokenizer without the space that they would put in front of each fragment."""
    parts = {}
    for name, inner in (("normalizer", "normalizers"), ("pre_tokenizer", "pretokenizers")):
        step = value.get(name)
        steps = step[inner] if isinstance(step, dict) and step.get("type") == "Sequence" else [step] if step else []
        kept = [_unprefixed(each) for each in steps if each.get("type") != "Prepend"]
        parts[name] = {"type": "Sequence", inner: kept} if kept else None
    return parts


def _unprefixed(step: dict[str, Any]) -> dict[str, Any]:
    changed = dict(step)
    if "add_prefix_space" in step:
        changed["add_prefix_space"] = False
    if step.get("type") == "Metaspace":
        changed["prepend_scheme"] = "never"
    return changed


def _chat_template(tokenizer: Any) -> str | None:
    template = getattr(tokenizer, "chat_template", None)
    if isinstance(template, dict):
        template = template.get("default")
    return template if isinstance(template, str) else None


def _variables(tokenizer: Any) -> dict[str, str]:
    """The special tokens that transformers names to its templates."""
    named = getattr(tokenizer, "special_tokens_map", None)
    if named is None:
        return {}
    if not isinstance(named, dict):
        raise InputError("INPUT_FORMAT", name="special_tokens_map", what="must be a dict")
    return {name: str(text) for name, text in named.items() if not isinstance(text, (list, tuple))}
