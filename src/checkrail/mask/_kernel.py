# cython: language_level=3
"""The general path of the kernel: the trie walk over a table of configurations, and operations on words.

Together with `_machine.py` this is the only place with machine types: ordinary Python that also compiles to C.
Interpreted, it is the readable twin of the compiled library; both run in the tests and must agree. Quantities stay
below 2**31 (`limits.py`), indices are never negative.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
else:
    from .. import _cython_shim as cython

COMPILED: bool = cython.compiled


@cython.final
@cython.cclass
class TrieWalker:
    """Walks a vocabulary's trie through a table of configurations and notes which tokens survive.

    The table is filled on demand: `rows[configuration * width + class]` is the configuration after a byte of
    that class, -1 where the byte is impossible, -2 where it is not known yet; then `resolve(configuration,
    class)` is asked, which may call `set_rows` with a longer table. `leaves[configuration]` is 1 where the
    module that the walk started in may be complete.
    """

    byte: cython.const[cython.uchar][::1]
    token: cython.const[cython.int][::1]
    end: cython.const[cython.int][::1]
    same: cython.const[cython.int][::1]
    class_of: cython.const[cython.uchar][::1]
    width: cython.int
    rows: cython.int[::1]
    leaves: cython.uchar[::1]
    stack_configuration: cython.int[::1]
    stack_end: cython.int[::1]
    exit_nodes: cython.int[::1]
    resolve: object

    def __init__(
        self,
        byte: cython.const[cython.uchar][::1],
        token: cython.const[cython.int][::1],
        end: cython.const[cython.int][::1],
        same: cython.const[cython.int][::1],
        class_of: cython.const[cython.uchar][::1],
        width: cython.int,
        stack_configuration: cython.int[::1],
        stack_end: cython.int[::1],
        exit_nodes: cython.int[::1],
        resolve: Callable[[int, int], int],
    ) -> None:
        """Arrays of `vocabulary.trie.Trie`, the byte -> class map, and work space: two stacks of the trie's
        depth + 2, and a buffer of one entry for each trie node."""
        self.byte = byte
        self.token = token
        self.end = end
        self.same = same
        self.class_of = class_of
        self.width = width
        self.stack_configuration = stack_configuration
        self.stack_end = stack_end
        self.exit_nodes = exit_nodes
        self.resolve = resolve

    def set_rows(self, rows: cython.int[::1], leaves: cython.uchar[::1]) -> None:
        """Install the table (again, after it grew)."""
        self.rows = rows
        self.leaves = leaves

    def walk(self, node: cython.int, configuration: cython.int, words: cython.uint[::1], exits: cython.int) -> int:
        """Walk the subtree below `node` from a configuration.

        Sets the bit of every token that ends at a reached node in `words`. Nodes with bytes below them at which
        the module may be complete go into `exit_nodes` from index `exits` on. Returns the new end of that list.
        """
        byte = self.byte
        token = self.token
        end = self.end
        same = self.same
        class_of = self.class_of
        rows = self.rows
        leaves = self.leaves
        stack_configuration = self.stack_configuration
        stack_end = self.stack_end
        exit_nodes = self.exit_nodes
        width: cython.int = self.width
        last: cython.int = end[node]
        top: cython.int = 0
        identifier: cython.int
        after: cython.int
        here: cython.int = configuration
        here_end: cython.int = last
        i: cython.int = node + 1
        # hot loop begins
        while i < last:
            while i >= here_end:
                top -= 1
                here = stack_configuration[top]
                here_end = stack_end[top]
            after = rows[here * width + class_of[byte[i]]]
            if after == -2:
                # hot loop ends
                after = self.resolve(here, class_of[byte[i]])
                rows = self.rows
                leaves = self.leaves
                # hot loop begins
            if after < 0:
                i = end[i]
                continue
            identifier = token[i]
            while identifier >= 0:
                words[identifier >> 5] |= cython.cast(cython.uint, 1) << (identifier & 31)
                identifier = same[identifier]
            i += 1
            if i < end[i - 1]:
                if leaves[after]:
                    exit_nodes[exits] = i - 1
                    exits += 1
                stack_configuration[top] = here
                stack_end[top] = here_end
                top += 1
                here = after
                here_end = end[i - 1]
        # hot loop ends
        return exits


def or_dense(target: cython.uint[::1], source: cython.const[cython.uint][::1], count: cython.int) -> None:
    """target |= source, for `count` words."""
    i: cython.int
    # hot loop begins
    for i in range(count):
        target[i] |= source[i]
    # hot loop ends


def or_sparse(
    target: cython.uint[::1],
    places: cython.const[cython.int][::1],
    values: cython.const[cython.uint][::1],
    count: cython.int,
) -> None:
    """target[places[k]] |= values[k]."""
    k: cython.int
    # hot loop begins
    for k in range(count):
        target[places[k]] |= values[k]
    # hot loop ends


def clear(target: cython.uint[::1], count: cython.int) -> None:
    """Zero `count` words."""
    i: cython.int
    # hot loop begins
    for i in range(count):
        target[i] = 0
    # hot loop ends


def take_sparse(source: cython.uint[::1], places: cython.int[::1], values: cython.uint[::1], count: cython.int) -> int:
    """Move the non-zero words of `source` into (places, values) and zero them. Returns how many there were."""
    i: cython.int
    found: cython.int = 0
    # hot loop begins
    for i in range(count):
        if source[i] != 0:
            places[found] = i
            values[found] = source[i]
            source[i] = 0
            found += 1
    # hot loop ends
    return found


@cython.locals(k=cython.Py_ssize_t, count=cython.Py_ssize_t, extra=cython.Py_ssize_t, found=cython.Py_ssize_t)
def pack(
    words: cython.uint[::1], more: cython.const[cython.uint][::1], share: cython.int
) -> tuple[array[int], array[int]]:
    """The union of two rows of words as (places, values): the words that are not zero, or no places and all words
    where more than 1/`share` of them are not. `more` may be empty."""
    count = len(words)
    extra = len(more)
    found = 0
    # hot loop begins
    for k in range(extra):
        words[k] |= more[k]
    for k in range(count):
        found += words[k] != 0
    # hot loop ends
    dense: cython.bint = found * share > count
    places = array("i", bytes(0 if dense else 4 * found))
    values = array("I", bytes(4 * count if dense else 4 * found))
    place: cython.int[::1] = places
    value: cython.uint[::1] = values
    if dense:
        # hot loop begins
        for k in range(count):
            value[k] = words[k]
        # hot loop ends
        return places, values
    found = 0
    # hot loop begins
    for k in range(count):
        if words[k] != 0:
            place[found] = cython.cast(cython.int, k)
            value[found] = words[k]
            found += 1
    # hot loop ends
    return places, values


def exit_numbers(
    nodes: cython.const[cython.int][::1], exits: cython.const[cython.int][::1], count: cython.int
) -> tuple[list[int], int]:
    """Of the first `count` pairs (trie node, number of the exit): the numbers, and how many nodes are below in all."""
    numbers: list = []
    total: cython.int = 0
    last: cython.int = -1
    k: cython.int
    for k in range(count):
        total += nodes[3 * exits[2 * k] + 1] - exits[2 * k]
        if exits[2 * k + 1] != last:
            last = exits[2 * k + 1]
            if last not in numbers:
                numbers.append(last)
    return numbers, total


@cython.locals(
    here=cython.int,
    last=cython.int,
    level=cython.int,
    above=cython.int,
    child=cython.int,
    before=cython.int,
    byte=cython.int,
    made=cython.int,
    listed=cython.int,
    entry=cython.int,
    size=cython.int,
    total=cython.int,
    k=cython.int,
    t=cython.int,
)
def merge(
    nodes: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    exits: cython.const[cython.int][::1],
    count: cython.int,
    number: cython.int,
) -> tuple[array[int], array[int]]:
    """What is left of the tokens at the trie nodes in `exits` that have this exit number: their subtrees as one trie.

    exits: as for `exit_numbers`. Returns nodes and tokens as `TokenTrie` has them. First the new trie is linked, one
    subtree after the other, the children of a node in the order of their bytes; then it is written down in order.
    """
    size = 1
    total = 0
    for k in range(count):
        if exits[2 * k + 1] == number:
            here = exits[2 * k]
            size += nodes[3 * here + 1] - here
            total += nodes[3 * nodes[3 * here + 1] + 2] - nodes[3 * here + 2]
    # fields of a node: byte, first child, next sibling, parent, first token, last token
    link: cython.int[::1] = array("i", [-1]) * (6 * size)
    chain: cython.int[::1] = array("i", bytes(8 * total + 8))  # token, next entry
    path: cython.int[::1] = array("i", bytes(12 * size))  # node, where the subtree ends, last child that was met
    first: cython.int[::1] = array("i", [-1]) * 256  # the root's children, by byte
    made = 1
    listed = 0
    # hot loop begins
    for k in range(count):
        if exits[2 * k + 1] != number:
            continue
        here = exits[2 * k]
        last = nodes[3 * here + 1]
        level = 0
        path[0] = 0
        path[1] = last
        path[2] = -1
        while here < last:
            while here >= path[3 * level + 1]:
                level -= 1
            above = path[3 * level]
            byte = nodes[3 * here]
            before = path[3 * level + 2]
            if above == 0:
                child = first[byte]
            else:
                child = link[6 * above + 1] if before < 0 else link[6 * before + 2]
                while child >= 0 and link[6 * child] < byte:
                    before = child
                    child = link[6 * child + 2]
            if child < 0 or link[6 * child] != byte:
                link[6 * made] = byte
                link[6 * made + 2] = child
                link[6 * made + 3] = above
                if above == 0:
                    first[byte] = made
                elif before < 0:
                    link[6 * above + 1] = made
                else:
                    link[6 * before + 2] = made
                child = made
                made += 1
            path[3 * level + 2] = child
            for t in range(nodes[3 * here + 2], nodes[3 * here + 5]):
                chain[2 * listed] = tokens[t]
                chain[2 * listed + 1] = -1
                if link[6 * child + 4] < 0:
                    link[6 * child + 4] = listed
                else:
                    chain[2 * link[6 * child + 5] + 1] = listed
                link[6 * child + 5] = listed
                listed += 1
            if here + 1 < nodes[3 * here + 1]:
                level += 1
                path[3 * level] = child
                path[3 * level + 1] = nodes[3 * here + 1]
                path[3 * level + 2] = -1
            here += 1
    for byte in range(255, -1, -1):
        if first[byte] >= 0:
            link[6 * first[byte] + 2] = link[1]
            link[1] = first[byte]
    # hot loop ends
    merged = array("i", bytes(12 * made + 12))
    ordered = array("i", bytes(4 * listed))
    record: cython.int[::1] = merged
    order: cython.int[::1] = ordered
    place: cython.int = 0
    here = 0
    total = 0
    # hot loop begins
    while here >= 0:
        record[3 * place] = link[6 * here] if here > 0 else 0
        record[3 * place + 2] = total
        entry = link[6 * here + 4]
        while entry >= 0:
            order[total] = chain[2 * entry]
            total += 1
            entry = chain[2 * entry + 1]
        link[6 * here + 5] = place
        place += 1
        child = link[6 * here + 1]
        while child < 0 and here >= 0:
            record[3 * link[6 * here + 5] + 1] = place
            child = link[6 * here + 2]
            here = link[6 * here + 3]
        here = child
    # hot loop ends
    record[3 * made + 1] = made
    record[3 * made + 2] = listed
    return merged, ordered


def is_trie(
    nodes: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    size: cython.int,
    ends: cython.int[::1],
) -> bool:
    """Whether arrays are a trie as `TokenTrie` describes it, so that a walk over them stays inside.

    size: tokens of the vocabulary. ends: work space, as long as the longest text of the trie.
    """
    count: cython.int = len(nodes) // 3 - 1
    total: cython.int = len(tokens)
    if count < 1 or len(nodes) != 3 * (count + 1) or nodes[2] < 0 or nodes[1] != count:
        return False
    if nodes[3 * count + 2] != total:
        return False
    deepest: cython.int = len(ends)
    depth: cython.int = 0  # nodes that are open, the root aside
    bound: cython.int = count  # where the innermost of them ends
    fits: cython.bint = True
    i: cython.int
    # hot loop begins
    for i in range(count):
        if nodes[3 * i + 2] > nodes[3 * i + 5]:
            fits = False
        if i > 0:
            while i >= bound:
                depth -= 1
                bound = ends[depth]
            if nodes[3 * i] < 0 or nodes[3 * i] > 255 or nodes[3 * i + 1] <= i or nodes[3 * i + 1] > bound:
                fits = False
            if depth >= deepest:
                fits = False
            if not fits:
                break
            ends[depth] = bound
            depth += 1
            bound = nodes[3 * i + 1]
    for i in range(total):
        if tokens[i] < 0 or tokens[i] >= size:
            fits = False
    # hot loop ends
    return fits


def is_within(values: cython.const[cython.int][::1], least: cython.int, bound: cython.int) -> bool:
    """Whether each value is `least` or more and below `bound`."""
    fits: cython.bint = True
    i: cython.int
    count: cython.int = len(values)
    # hot loop begins
    for i in range(count):
        if values[i] < least or values[i] >= bound:
            fits = False
    # hot loop ends
    return fits


def is_ascending(values: cython.const[cython.int][::1]) -> bool:
    """Whether no value is less than the one before it."""
    fits: cython.bint = True
    i: cython.int
    count: cython.int = len(values)
    # hot loop begins
    for i in range(1, count):
        if values[i] < values[i - 1]:
            fits = False
    # hot loop ends
    return fits


def is_forward(links: cython.const[cython.int][::1]) -> bool:
    """Whether each value is -1 or a later index, so that following them ends."""
    fits: cython.bint = True
    i: cython.int
    count: cython.int = len(links)
    # hot loop begins
    for i in range(count):
        if links[i] != -1 and (links[i] <= i or links[i] >= count):
            fits = False
    # hot loop ends
    return fits
