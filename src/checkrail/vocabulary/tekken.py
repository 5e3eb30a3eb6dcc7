"""Mistral's tekken files: byte-pair ranks in JSON, with the special tokens in front.

The first `default_num_special_tokens` ids are special; the rank of an entry of `vocab` plus that number is its
id, up to `default_vocab_size` ids in all, so the entries at the end of the list are not used. Older files do not
list the special tokens; their names are then those that mistral-common builds in.

You need it for `tekken_*.json`, which Mistral ships instead of tokenizer.json.
"""

from __future__ import annotations

import base64

from .token_table import MAXIMUM_TOKENS, TokenTable, format_error

__all__ = ["is_tekken", "read_tekken"]

_BUILT_IN = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
    "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip


def is_tekken(value: object) -> bool:
    """Whether a JSON value looks like a tekken file."""
    return isinstance(value, dict) and isinstance(value.get("config"), dict) and isinstance(value.get("vocab"), list)


def read_tekken(value: object) -> TokenTable:
    """The table of a parsed tekken file. Raises VOCAB_FORMAT with the JSON pointer."""
    if not isinstance(value, dict) or not is_tekken(value):
        raise format_error("expected an object with config and vocab", "")
    size = _integer(value["config"].get("default_vocab_size"), "/config/default_vocab_size")
    reserved = _integer(value["config"].get("default_num_special_tokens"), "/config/default_num_special_tokens")
    if reserved > size:
        raise format_error("more special tokens than tokens", "/config/default_num_special_tokens")
    table = TokenTable([None] * size)
    _read_special(value.get("special_tokens"), reserved, table)
    used = set()
    for index, entry in enumerate(value["vocab"]):
        pointer = f"/vocab/{index}"
        rank = _integer(_field(entry, "rank", pointer), f"{pointer}/rank")
        if rank in used:
            raise format_error(f"rank {rank} occurs twice", pointer)
        used.add(rank)
        if rank + reserved < size:
            table.tokens[rank + reserved] = _bytes(_field(entry, "token_bytes", pointer), f"{pointer}/token_bytes")
    return table


def _read_special(entries: object, reserved: int, table: TokenTable) -> None:
    if entries is None:
        for identifier in range(reserved):
            known = identifier < len(_BUILT_IN)
            table.put_special(identifier, _BUILT_IN[identifier] if known else f"<SPECIAL_{identifier}>")
        return
    if not isinstance(entries, list):
        raise format_error("expected an array", "/special_tokens")
    for index, entry in enumerate(entries):
        pointer = f"/special_tokens/{index}"
        rank = _integer(_field(entry, "rank", pointer), f"{pointer}/rank")
        text = _field(entry, "token_str", pointer)
        if not isinstance(text, str) or rank >= reserved or rank in table.special_ids:
            raise format_error("expected a text and a rank of its own among the special tokens", pointer)
        table.put_special(rank, text)
    for identifier in range(reserved):  # mistral-common gives the rest these names
        if identifier not in table.special_ids:
            table.put_special(identifier, f"<SPECIAL_{identifier}>")


def _field(entry: object, name: str, pointer: str) -> object:
    if not isinstance(entry, dict) or name not in entry:
        raise format_error(f"expected an object with {name}", pointer)
    return entry[name]


def _integer(value: object, pointer: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAXIMUM_TOKENS:
        raise format_error(f"expected an integer from 0 to {MAXIMUM_TOKENS}", pointer)
    return value


def _bytes(value: object, pointer: str) -> bytes:
    try:
        if isinstance(value, str):
            return base64.b64decode(value, validate=True)
    except ValueError:  # binascii.Error is one; non-ASCII text raises the plain one
        pass
    raise format_error("expected base64", pointer)
