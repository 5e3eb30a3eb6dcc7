# cython: language_level=3
"""The general path of the kernel: the trie walk over a table of configurations, and operations on words.

Together with `_machine.py` this is the only place with machine types: ordinary Python that also compiles to C.
Interpreted, it is the readable twin of the compiled library; both run in the tests and must agree. Quantities stay
below 2**31 (`limits.py`), indices are never negative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
else:
    from . import _cython_shim as cython

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
