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


def pack(
    words: cython.uint[::1], more: cython.const[cython.uint][::1], share: cython.int
) -> tuple[array[int], array[int]]:
    """The union of two rows of words as (places, values): the words that are not zero, or no places and all words
    where more than 1/`share` of them are not. `more` may be empty."""
    k: cython.int
    found: cython.int = 0
    count: cython.int = len(words)
    extra: cython.int = len(more)
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
            place[found] = k
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


@cython.locals(
    i=cython.int, k=cython.int, level=cython.int, byte=cython.int, place=cython.int, count=cython.int, here=cython.int,
    total=cython.int, number=cython.int, made=cython.int, own=cython.longlong,
)  # fmt: skip
def sort_by_kinds(
    nodes: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    kinds: cython.const[cython.longlong][::1],
    utf8: cython.const[cython.uchar][::1],
    skipped: cython.longlong,
    depth: cython.int,
) -> tuple[array[int], array[int], array[int], bytearray, array[int], array[int], array[int]]:
    """What `Slices` keeps of a trie whose longest text has `depth` bytes.

    Nodes below the root's children at the beginning of a character that is not of the kinds `skipped`, by the byte into
    them: where those of each byte begin, the nodes, the kinds of the bytes before, the first of these. Then the tokens
    by the set of their kinds: the sets, where the tokens of each begin, the tokens. What is not well-formed so far is
    left out.
    """
    count = len(nodes) // 3 - 1
    first_array = array("i", bytes(4 * 257))
    first: cython.int[::1] = first_array
    ahead: cython.longlong[::1] = array("q", [-1]) * (count + 1)  # the kinds before a node that is to be listed
    set_of: cython.int[::1] = array("i", [-1]) * (count + 1)
    sizes: cython.int[::1] = array("i", bytes(4 * count + 4))
    numbers: dict = {}
    made = 0
    # of the nodes that are open: where they end, the place in a character, their kinds, the number of these
    ends: cython.int[::1] = array("i", bytes(4 * depth + 8))
    places: cython.int[::1] = array("i", bytes(4 * depth + 8))
    path: cython.longlong[::1] = array("q", bytes(8 * depth + 16))
    known: cython.int[::1] = array("i", [-1]) * (depth + 2)
    ends[0] = count
    level = 0
    i = 1
    # hot loop begins
    while i < count:
        while i >= ends[level]:
            level -= 1
        byte = nodes[3 * i]
        place = utf8[256 * places[level] + byte]
        if place == 255:
            i = nodes[3 * i + 1]
            continue
        if level > 0 and places[level] == 0 and kinds[byte] & skipped == 0:
            ahead[i] = path[level]
            first[byte + 1] += 1
        own = path[level] | kinds[byte]
        number = known[level] if own == path[level] else -1
        if nodes[3 * i + 2] < nodes[3 * i + 5]:
            if number < 0:
                # hot loop ends
                number = numbers.setdefault(own, made)
                made = max(made, number + 1)
                # hot loop begins
            sizes[number] += nodes[3 * i + 5] - nodes[3 * i + 2]
            set_of[i] = number
        if i + 1 < nodes[3 * i + 1]:
            level += 1
            ends[level] = nodes[3 * i + 1]
            places[level] = place
            path[level] = own
            known[level] = number
        i += 1
    for byte in range(256):
        first[byte + 1] += first[byte]
    # hot loop ends
    total = first[256]
    listed_array = array("i", bytes(4 * total))
    before_array = array("q", bytes(8 * total))
    roots_array = bytearray(total)
    listed: cython.int[::1] = listed_array
    before: cython.longlong[::1] = before_array
    roots: cython.uchar[::1] = roots_array
    starts_array = array("i", bytes(4 * made + 4))
    starts: cython.int[::1] = starts_array
    for k in range(made):
        starts[k + 1] = starts[k] + sizes[k]
    grouped_array = array("i", bytes(4 * starts[made]))
    grouped: cython.int[::1] = grouped_array
    next_listed: cython.int[::1] = array("i", first_array)
    next_grouped: cython.int[::1] = array("i", starts_array)
    here = 1
    # hot loop begins
    for i in range(1, count):
        if i >= nodes[3 * here + 1]:
            here = i
        if ahead[i] >= 0:
            byte = nodes[3 * i]
            listed[next_listed[byte]] = i
            before[next_listed[byte]] = ahead[i]
            roots[next_listed[byte]] = nodes[3 * here]
            next_listed[byte] += 1
        number = set_of[i]
        if number >= 0:
            for k in range(nodes[3 * i + 2], nodes[3 * i + 5]):
                grouped[next_grouped[number]] = tokens[k]
                next_grouped[number] += 1
    # hot loop ends
    return first_array, listed_array, before_array, roots_array, array("q", numbers), starts_array, grouped_array


@cython.locals(k=cython.int, i=cython.int)
def add_kinds(
    words: cython.uint[::1],
    sets: cython.const[cython.longlong][::1],
    starts: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    kinds: cython.longlong,
) -> None:
    """Add the tokens whose kinds are all among these."""
    count: cython.int = len(sets)
    # hot loop begins
    for k in range(count):
        if sets[k] & ~kinds == 0:
            for i in range(starts[k], starts[k + 1]):
                words[tokens[i] >> 5] |= cython.cast(cython.uint, 1) << (tokens[i] & 31)
    # hot loop ends


@cython.locals(i=cython.int)
def clear_below(
    nodes: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    node: cython.int,
    words: cython.uint[::1],
) -> None:
    """Clear the tokens at a node and below it."""
    # hot loop begins
    for i in range(nodes[3 * node + 2], nodes[3 * nodes[3 * node + 1] + 2]):
        words[tokens[i] >> 5] &= ~(cython.cast(cython.uint, 1) << (tokens[i] & 31))
    # hot loop ends


@cython.locals(byte=cython.int, k=cython.int, made=cython.int, best=cython.int)
def most_frequent(row: cython.const[cython.int][::1]) -> int:
    """The state that most ASCII bytes lead to, -1 where there is none."""
    targets: cython.int[::1] = array("i", bytes(512))
    counts: cython.int[::1] = array("i", bytes(512))
    made = best = 0
    # hot loop begins
    for byte in range(128):
        if row[byte] == -1:
            continue
        k = 0
        while k < made and targets[k] != row[byte]:
            k += 1
        if k == made:
            targets[k] = row[byte]
            made += 1
        counts[k] += 1
        if counts[k] > counts[best]:
            best = k
    # hot loop ends
    return targets[best] if made else -1


@cython.locals(byte=cython.int, some=cython.longlong, other=cython.longlong)
def looping_kinds(
    row: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    states: cython.const[cython.int][::1],
    kinds: cython.const[cython.longlong][::1],
) -> int:
    """The kinds of bytes that all lead from the beginning of a character to the one of `states` for where they lead.

    None at all where a byte is taken that no character begins with.
    """
    some = 0
    other = 0
    alone: cython.int = 1
    # hot loop begins
    for byte in range(256):
        if utf8[byte] == 255:
            if row[byte] != -1:
                alone = 0
        elif row[byte] == states[utf8[byte]]:
            some |= kinds[byte]
        else:
            other |= kinds[byte]
    # hot loop ends
    return some & ~other if alone else 0


@cython.locals(byte=cython.int, after=cython.int)
def is_inside_character(
    row: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    place: cython.int,
    states: cython.const[cython.int][::1],
) -> bool:
    """Whether a row takes what can follow at a place in a character, and leads to those of `states` for after it."""
    fits: cython.bint = True
    # hot loop begins
    for byte in range(256):
        after = utf8[256 * place + byte]
        if row[byte] != (-1 if after == 255 else states[after]):
            fits = False
    # hot loop ends
    return fits


@cython.locals(byte=cython.int, k=cython.int, total=cython.int, made=cython.int)
def leaving_nodes(
    child: cython.const[cython.int][::1],
    row: cython.const[cython.int][::1],
    own: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    nodes: cython.const[cython.int][::1],
    before: cython.const[cython.longlong][::1],
    roots: cython.const[cython.uchar][::1],
    looping: cython.longlong,
    kinds: cython.const[cython.longlong][::1],
    skipped: cython.longlong,
    most: cython.int,
) -> tuple[array[int], list[int]] | None:
    """The nodes behind bytes of looping kinds whose byte `row` takes and is of another kind, and the root's children
    that `own`, the row of the first byte, takes and which are of another kind, or looping ones on which it does not
    agree; and the bytes of these, for which nodes behind them are left out. child: the root's, by byte.

    None where more than `most` nodes would have to be looked at, or ones that are not listed.
    """
    broken: list = []
    agrees: cython.int[::1] = array("i", bytes(1024))
    total = 0
    for byte in range(256):
        agrees[byte] = row[byte] == own[byte]
        if kinds[byte] & looping == 0:
            if row[byte] >= 0:
                if kinds[byte] & skipped:
                    return None
                total += first[byte + 1] - first[byte]
        elif not agrees[byte]:
            broken.append(byte)
    if total > most:
        return None
    found = array("i", bytes(4 * total + 1024))
    view: cython.int[::1] = found
    made = 0
    # hot loop begins
    for byte in range(256):
        if child[byte] >= 0 and own[byte] >= 0 and (kinds[byte] & looping == 0 or not agrees[byte]):
            view[made] = child[byte]
            made += 1
        if row[byte] >= 0 and kinds[byte] & looping == 0:
            for k in range(first[byte], first[byte + 1]):
                if before[k] & ~looping == 0 and agrees[roots[k]]:
                    view[made] = nodes[k]
                    made += 1
    # hot loop ends
    return found[:made], broken


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
