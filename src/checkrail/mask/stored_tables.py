"""A prepared vocabulary as bytes (`stored_sections`), and back.

A compiled walk checks no index, so `decode` checks what it relies on: that tries are tries and no deeper than the
longest token, that ids are below the number of tokens, that stretches lie inside what they are stretches of. A file
that was made to deceive can then make masks wrong, but not have memory read that is not the file's. Who may deceive is
the matter of `cache_files`.
"""

from __future__ import annotations

from array import array

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import MAXIMUM_TOKEN_BYTES, Vocabulary
from .bitmask import words_for
from .kernel import Kernel
from .plain import PlainTokens
from .prepared import Prepared
from .stored_sections import Head, Unusable, little_endian, pack, unpack

__all__ = ["decode", "encode"]

# The sections and the types of their items; what each holds is told by `Prepared`, `Trie` and `PlainTokens`.
_SECTIONS = {
    "nodes": "i",
    "tokens": "i",
    "token": "i",
    "same": "i",
    "token_starts": "i",
    "token_bytes": "B",
    "plain_lengths": "i",
    "plain_words": "I",
    "other_nodes": "i",
    "other_tokens": "i",
}


def encode(prepared: Prepared, vocabulary: Vocabulary) -> bytes:
    """The bytes; equal vocabularies, equal bytes."""
    trie, plain = prepared.trie, prepared.plain
    words = array("I")
    for part in plain.words:
        words.extend(part)
    contents: dict[str, array[int] | bytes] = {
        "nodes": prepared.nodes,
        "tokens": prepared.tokens,
        "token": trie.token,
        "same": trie.same,
        "token_starts": prepared.token_starts,
        "token_bytes": prepared.token_bytes,
        "plain_lengths": array("i", plain.lengths),
        "plain_words": words,
        "other_nodes": prepared.other_nodes,
        "other_tokens": prepared.other_tokens,
    }
    return pack("tables", vocabulary, trie.max_depth, [contents[name] for name in _SECTIONS])


def decode(data: bytes, vocabulary: Vocabulary, kernel: Kernel) -> Prepared:
    """What `encode` was given, everything checked. Raises Unusable."""
    head, sections = unpack("tables", data, vocabulary, "".join(_SECTIONS.values()))
    prepared = _assemble(dict(zip(_SECTIONS, sections, strict=True)), head)
    _check(prepared, head, kernel)
    return prepared


def _assemble(parts: dict[str, array[int]], head: Head) -> Prepared:
    nodes, width = parts["nodes"], words_for(head.tokens)
    if len(nodes) < 6 or len(nodes) % 3:
        raise Unusable("the nodes are no trie")
    trie = Trie(little_endian(nodes[:-3:3])[::4], parts["token"], nodes[1:-3:3], parts["same"], head.longest)
    words = parts["plain_words"]
    plain = PlainTokens(parts["plain_lengths"], [words[i : i + width] for i in range(0, len(words), max(width, 1))])
    return Prepared(
        trie,
        nodes,
        parts["tokens"],
        parts["token_bytes"].tobytes(),
        parts["token_starts"],
        plain,
        parts["other_nodes"],
        parts["other_tokens"],
    )


def _check(prepared: Prepared, head: Head, kernel: Kernel) -> None:
    """Whether all that indexes something stays inside it."""
    walker, size, trie, starts = kernel.walker, head.tokens, prepared.trie, prepared.token_starts
    open_ends = array("i", [0]) * min(head.longest, MAXIMUM_TOKEN_BYTES)
    fits = {
        "longest token": head.longest <= MAXIMUM_TOKEN_BYTES,
        "nodes": walker.is_trie(prepared.nodes, prepared.tokens, size, open_ends),
        "token": len(trie.token) == trie.nodes and walker.is_within(trie.token, -1, size),
        "same": len(trie.same) == size and walker.is_forward(trie.same),
        "token_starts": len(starts) == size + 1
        and starts[0] == 0
        and walker.is_ascending(starts)
        and starts[-1] == len(prepared.token_bytes),
        "plain": _are_plain(prepared.plain, size),
        # Work space is made for as many nodes as the whole vocabulary has.
        "other_nodes": len(prepared.other_nodes) <= len(prepared.nodes)
        and walker.is_trie(prepared.other_nodes, prepared.other_tokens, size, open_ends),
    }
    wrong = [name for name, right in fits.items() if not right]
    if wrong:
        raise Unusable(f"these make no sense: {', '.join(wrong)}")


def _are_plain(plain: PlainTokens, size: int) -> bool:
    lengths, width = list(plain.lengths), words_for(size)
    ascending = lengths == sorted(set(lengths)) and all(length > 0 for length in lengths)
    shaped = [len(words) for words in plain.words] == [width] * len(lengths)
    return ascending and shaped and not any(words[-1] >> (size - 1) % 32 >> 1 for words in plain.words)
