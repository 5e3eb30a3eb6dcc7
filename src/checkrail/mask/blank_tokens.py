"""Tokens that begin with blanks: those of blanks alone, and where a trie of tokens has others behind some blanks.

A structural place of JSON, such as that behind a colon, reads some blanks and then what it would read without them. So
a walk from there need not come by each blank: it begins at the nodes behind them, on the bytes that the place reads.
"""

from __future__ import annotations

from array import array

__all__ = ["blank_tables"]

_MOST_BLANKS = 16  # as the kernel counts them
_BLANKS = b" \t\n\r"


def blank_tables(nodes: array[int], tokens: array[int]) -> tuple[array[int], array[int], array[int], array[int]]:
    """blank_words, blank_starts, late_nodes and late_ends, as the kernel's `TokenTables` describes them.

    nodes, tokens: of the trie of all tokens (`token_tries`). Time: in the children of nodes of blanks alone.
    """
    words: dict[int, int] = {}
    blank_words, blank_starts = array("I", [0]), array("i", [1, 1])  # one number, so that there is an address
    late: list[list[int]] = [[] for _ in range(256 * (_MOST_BLANKS + 1))]  # by byte and blanks before it
    level = [0]
    for count in range(1, _MOST_BLANKS + 2):
        following: list[int] = []
        for node in level:
            child = node + 1
            while child < nodes[3 * node + 1]:
                byte = nodes[3 * child]
                if byte in _BLANKS:
                    following.append(child)
                elif count > 1:
                    late[(_MOST_BLANKS + 1) * byte + count - 1].append(child)
                child = nodes[3 * child + 1]
        if count > _MOST_BLANKS:
            break
        for node in following:
            for token in tokens[nodes[3 * node + 2] : nodes[3 * node + 5]]:
                words[token >> 5] = words.get(token >> 5, 0) | 1 << (token & 31)
        for place, word in sorted(words.items()):
            blank_words.extend((place, word))
        blank_starts.append(len(blank_words))
        level = following
    late_nodes, late_ends = array("i"), array("i")
    for found in late:
        late_nodes.extend(found)
        late_ends.append(len(late_nodes))
    late_nodes.append(-1)
    return blank_words, blank_starts, late_nodes, late_ends
