"""What must come next: forced bytes, and the tokens that may be taken for them without asking the model.

Bytes are forced while each is the only one possible and the text may not end. They are certain; their tokens are
not, since a vocabulary spells one text in many ways. The rule here: take the longest token at each place, and stop
before the first token that could also run on beyond the forced bytes. So at each place where a token is taken, every
token that the mask allows spells forced bytes and nothing else, and no choice between different texts is taken away
from the model. What a model would choose *among* those spellings may differ, as may what it writes later, having
read another spelling: that is why `generate` uses forced tokens on request only.

A token that the grammar names counts as a choice of its own; where it is the only choice, it is forced.

Cost: a mask a token, and a look at each byte value a forced byte.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..mask.bitmask import allowed_tokens
from ..mask.engine import Engine
from ..vocabulary.trie import Trie

if TYPE_CHECKING:
    from .matcher import Matcher

__all__ = ["forced_bytes", "forced_tokens"]


def forced_bytes(matcher: Matcher, limit: int) -> bytes:
    """The bytes that must come next, at most `limit`. `matcher` is moved past them."""
    forced = bytearray()
    while len(forced) < limit and not matcher.is_completed():
        if matcher.names_token():
            break
        following = matcher.next_bytes()
        if len(following) != 1 or not matcher.accept_bytes(following):
            break
        forced += following
    return bytes(forced)


def forced_tokens(matcher: Matcher, engine: Engine, limit: int) -> list[int]:
    """The tokens to take next, at most `limit`. `matcher` is moved past them."""
    taken: list[int] = []
    row = array("I", [0]) * engine.words
    rest = b""
    while len(taken) < limit and not matcher.is_completed():
        if not rest:
            rest = matcher.find_jump_forward_bytes()
        matcher.fill_next_token_bitmask(row)
        token = _choose(engine.trie, row, rest)
        if token is None or not matcher.accept_token(token):
            break
        taken.append(token)
        rest = rest[len(engine.vocabulary.tokens[token] or b"") :]
    return taken


def _choose(trie: Trie, row: array[int], rest: bytes) -> int | None:
    """The longest allowed token that spells the beginning of `rest`; None where one may run on beyond it."""
    if not rest:
        only = allowed_tokens(row)
        return only[0] if len(only) == 1 else None
    found: int | None = None
    node = 0
    for byte in rest:
        child = next((child for child in trie.children(node) if trie.byte[child] == byte), None)
        if child is None:
            return found
        node = child
        found = next((token for token in trie.ids(node) if _is_set(row, token)), found)
    for longer in range(node + 1, trie.end[node]):
        if any(_is_set(row, token) for token in trie.ids(longer)):
            return None
    return found


def _is_set(row: array[int], token: int) -> bool:
    return bool(row[token >> 5] >> (token & 31) & 1)
