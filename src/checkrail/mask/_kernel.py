# cython: language_level=3
"""The kernel: the trie walk and the mask operations, as ordinary Python that also compiles to C.

This is the only place with machine types. Interpreted, it is the readable twin of the compiled library; both
run in the tests and must agree. Quantities stay below 2**31 (`limits.py`), indices are never negative.
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


# The deterministic path: automata in which every byte has at most one meaning in every state.
#
# Several numbers that belong together lie side by side in one array, so that a walk keeps few views at hand and
# touches few cache lines. A record's fields:
#   state: row in next_state, offset in class_of, kind, room, first call edge, number of call edges
#          (kind: 1 accepting, 2 accepting and nothing else, 4 one call and nothing else, 0 otherwise)
#   edge:  start state of the callee, state to return to, levels of nesting, 1 if nothing is pending after it
#   frame: state to return to, frame below, levels open above it
#   node:  byte on the edge into it, index after its subtree, index of its first token in `tokens`
# next_state holds the state after a byte, -1 for none, -2 - e where the byte begins what call edge e calls.

STATE_FIELDS = 6
EDGE_FIELDS = 4
FRAME_FIELDS = 3
NODE_FIELDS = 3

#
# What `slots` says of a state: -1 not visited yet; -2 narrow, that is, a walk from it visits at most 256 nodes of
# the trie, and it is walked each time; -3 a local mask for each depth; else the index of its local mask.
# (Numbers are written out where they are used: a module's constants are Python objects to the compiler.)


@cython.final
@cython.cclass
class TokenTrie:
    """A trie whose nodes carry lists of tokens: that of a vocabulary, or one of remainders.

    nodes: `count` + 1 records, the last one closing the token list. tokens: ids in the order of their nodes.
    child[b]: the root's child on byte b, or -1.
    """

    nodes: cython.const[cython.int][::1]
    tokens: cython.const[cython.int][::1]
    child: cython.const[cython.int][::1]
    count: cython.int
    depth: cython.int

    def __init__(
        self,
        nodes: cython.const[cython.int][::1],
        tokens: cython.const[cython.int][::1],
        child: cython.const[cython.int][::1],
        depth: cython.int,
    ) -> None:
        self.nodes = nodes
        self.tokens = tokens
        self.child = child
        self.count = len(nodes) // 3 - 1
        self.depth = depth


@cython.final
@cython.cclass
class LocalMask:
    """The tokens that stay inside one module from one state on, and the trie of what is left of those that leave."""

    places: cython.const[cython.int][::1]
    words: cython.const[cython.uint][::1]
    count: cython.int
    is_dense: cython.bint
    rest: TokenTrie

    def __init__(
        self,
        places: cython.const[cython.int][::1],
        words: cython.const[cython.uint][::1],
        is_dense: cython.bint,
        rest: TokenTrie,
    ) -> None:
        self.places = places
        self.words = words
        self.count = len(words)
        self.is_dense = is_dense
        self.rest = rest


@cython.final
@cython.cclass
class VisibleMachine:
    """The tables of one deterministic automaton over one vocabulary, its frames, and its masks.

    Frame 0 is the bottom of every stack. Frames 1 to `unknown` are bottoms of unknown stacks, one for each depth;
    walks from them note where the stack would matter (`exits`) instead of going on. Frames after them are pending
    calls, hash-consed; frames past `frame_count` are scratch of the walk that is under way.
    """

    states: cython.const[cython.int][::1]
    next_state: cython.const[cython.int][::1]
    class_of: cython.const[cython.uchar][::1]
    edges: cython.const[cython.int][::1]
    frames: cython.int[::1]
    frame_table: cython.int[::1]
    frame_count: cython.int
    frame_limit: cython.int
    unknown: cython.int
    nesting: cython.int
    trie: TokenTrie
    token_bytes: cython.const[cython.uchar][::1]
    token_starts: cython.const[cython.int][::1]
    token_count: cython.int
    slots: cython.int[::1]
    masks: list
    find_local: object
    grow: object
    words: cython.uint[::1]
    word_count: cython.int
    stack: cython.int[::1]
    exits: cython.int[::1]
    exit_count: cython.int
    budget: cython.int
    depth_matters: cython.bint
    ends: cython.const[cython.int][::1]
    end_count: cython.int
    scratch_top: cython.int
    state: cython.int
    frame: cython.int

    def __init__(
        self,
        states: cython.const[cython.int][::1],
        next_state: cython.const[cython.int][::1],
        class_of: cython.const[cython.uchar][::1],
        edges: cython.const[cython.int][::1],
        nesting: cython.int,
        trie: TokenTrie,
        token_bytes: cython.const[cython.uchar][::1],
        token_starts: cython.const[cython.int][::1],
        ends: cython.const[cython.int][::1],
        slots: cython.int[::1],
        words: cython.uint[::1],
        stack: cython.int[::1],
        exits: cython.int[::1],
        find_local: Callable[[int, int], int],
        grow: Callable[[], None],
    ) -> None:
        self.states = states
        self.next_state = next_state
        self.class_of = class_of
        self.edges = edges
        self.nesting = nesting
        self.trie = trie
        self.token_bytes = token_bytes
        self.token_starts = token_starts
        self.token_count = len(token_starts) - 1
        self.ends = ends
        self.end_count = len(ends)
        self.slots = slots
        self.masks = []
        self.words = words
        self.word_count = len(words)
        self.stack = stack
        self.exits = exits
        self.find_local = find_local
        self.grow = grow
        self.frame_count = 0
        self.unknown = 0
        self.exit_count = 0
        self.scratch_top = 0
        self.budget = 0
        self.depth_matters = False

    def set_frames(self, frames: cython.int[::1], frame_table: cython.int[::1], frame_count: cython.int) -> None:
        """Install the frame records (again, after they grew) and their hash table, emptied: both are filled here."""
        i: cython.int
        slot: cython.int
        self.frames = frames
        self.frame_table = frame_table
        self.frame_limit = len(frames) // 3
        self.frame_count = frame_count
        self.unknown = self.nesting + 1
        for i in range(self.unknown + 1, frame_count):
            slot = self.slot_of(frames[3 * i], frames[3 * i + 1], frames[3 * i + 2])
            frame_table[slot] = i

    def frame_total(self) -> int:
        """Interned frames, bottoms included."""
        return self.frame_count

    def set_masks(self, masks: list[LocalMask]) -> None:
        """Install the list of kept local masks."""
        self.masks = masks

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot_of(self, after: cython.int, below: cython.int, depth: cython.int) -> cython.int:
        """The place of a frame in the hash table (linear probing), taken or free."""
        frames = self.frames
        table = self.frame_table
        mask: cython.uint = cython.cast(cython.uint, len(table)) - 1
        place: cython.uint = (
            cython.cast(cython.uint, after) * 0x9E3779B1
            + cython.cast(cython.uint, below) * 0x85EBCA6B
            + cython.cast(cython.uint, depth) * 0xC2B2AE35
        ) & 0xFFFFFFFF
        place = (place ^ (place >> 15)) & mask
        i: cython.int
        while True:
            i = table[place]
            if i < 0 or (frames[3 * i] == after and frames[3 * i + 1] == below and frames[3 * i + 2] == depth):
                return cython.cast(cython.int, place)
            place = (place + 1) & mask

    @cython.cfunc
    def push(self, after: cython.int, below: cython.int, depth: cython.int) -> cython.int:
        """The interned frame of a pending call."""
        place: cython.int
        i: cython.int
        if 2 * self.frame_count >= self.frame_limit:
            self.grow()
        place = self.slot_of(after, below, depth)
        i = self.frame_table[place]
        if i < 0:
            i = self.frame_count
            self.frames[3 * i] = after
            self.frames[3 * i + 1] = below
            self.frames[3 * i + 2] = depth
            self.frame_table[place] = i
            self.frame_count = i + 1
        return i

    @cython.cfunc
    def read(self, byte: cython.int) -> cython.bint:
        """Move (state, frame) past one byte; False, with both undefined, where it is not possible."""
        q: cython.int = self.state
        f: cython.int = self.frame
        t: cython.int
        e: cython.int
        d: cython.int
        while True:
            t = self.next_state[self.states[6 * q] + self.class_of[self.states[6 * q + 1] + byte]]
            if t >= 0:
                self.state = t
                self.frame = f
                return self.frames[3 * f + 2] + self.states[6 * t + 3] <= self.nesting
            if t == -1:
                if self.states[6 * q + 2] & 3 == 0 or f <= self.unknown:
                    return False
                q = self.frames[3 * f]
                f = self.frames[3 * f + 1]
            else:
                e = 4 * (-2 - t)
                d = self.frames[3 * f + 2] + self.edges[e + 2]
                if not self.fits(e, f, d):
                    return False
                if self.edges[e + 3] == 0:
                    f = self.push(self.edges[e + 1], f, d)
                q = self.edges[e]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def fits(self, e: cython.int, f: cython.int, d: cython.int) -> cython.bint:
        """Whether a call may be taken: what it calls and what comes after it can finish in the room left."""
        return (
            d + self.states[6 * self.edges[e] + 3] <= self.nesting
            and self.frames[3 * f + 2] + self.states[6 * self.edges[e + 1] + 3] <= self.nesting
        )

    @cython.cfunc
    def settle(self) -> cython.bint:
        """Where a state can do only one thing before the next byte, do it: one form for equal situations."""
        q: cython.int
        e: cython.int
        d: cython.int
        while True:
            q = self.state
            if self.states[6 * q + 2] == 2 and self.frame > self.unknown:
                self.state = self.frames[3 * self.frame]
                self.frame = self.frames[3 * self.frame + 1]
            elif self.states[6 * q + 2] == 4:
                e = 4 * self.states[6 * q + 4]
                d = self.frames[3 * self.frame + 2] + self.edges[e + 2]
                if not self.fits(e, self.frame, d):
                    return True
                if self.edges[e + 3] == 0:
                    self.frame = self.push(self.edges[e + 1], self.frame, d)
                self.state = self.edges[e]
            else:
                return True

    def is_accepting(self, state: cython.int, frame: cython.int) -> bool:
        """Whether the text may end here."""
        return self.accepts(state, frame)

    @cython.cfunc
    @cython.exceptval(check=False)
    def accepts(self, state: cython.int, frame: cython.int) -> cython.bint:
        while self.states[6 * state + 2] & 3:
            if frame <= self.unknown:
                return frame == 0
            state = self.frames[3 * frame]
            frame = self.frames[3 * frame + 1]
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def walk(
        self,
        trie: TokenTrie,
        first: cython.int,
        last: cython.int,
        state: cython.int,
        frame: cython.int,
        top: cython.int,
        words: cython.uint[::1],
    ) -> cython.int:
        """Set the bits of the tokens at the nodes from `first` to `last` that can be read.

        Returns -1 where scratch ran out, -2 where more nodes than `budget` were visited; the bits set are right.
        """
        nodes = trie.nodes
        tokens = trie.tokens
        states = self.states
        next_state = self.next_state
        class_of = self.class_of
        edges = self.edges
        frames = self.frames
        stack = self.stack
        exits = self.exits
        unknown: cython.int = self.unknown
        nesting: cython.int = self.nesting
        limit: cython.int = self.frame_limit - 1
        exit_count: cython.int = self.exit_count
        budget: cython.int = self.budget
        here_end: cython.int = last
        level: cython.int = 0
        i: cython.int = first
        b: cython.int
        q: cython.int
        f: cython.int
        t: cython.int
        e: cython.int
        d: cython.int
        k: cython.int
        new_top: cython.int
        # hot loop begins
        while i < last:
            while i >= here_end:
                level -= 4
                state = stack[level]
                frame = stack[level + 1]
                here_end = stack[level + 2]
                top = stack[level + 3]
            b = nodes[3 * i]
            q = state
            f = frame
            new_top = top
            budget -= 1
            while True:
                t = next_state[states[6 * q] + class_of[states[6 * q + 1] + b]]
                if t >= 0:
                    if frames[3 * f + 2] + states[6 * t + 3] > nesting:
                        self.depth_matters = True
                        t = -1
                    break
                if t == -1:
                    if states[6 * q + 2] & 3 == 0:
                        break
                    if f <= unknown:
                        if f > 0:
                            exits[exit_count] = i
                            exit_count += 1
                        break
                    q = frames[3 * f]
                    f = frames[3 * f + 1]
                else:
                    e = 4 * (-2 - t)
                    d = frames[3 * f + 2] + edges[e + 2]
                    if edges[e + 2] > 0:
                        self.depth_matters = True
                    if (
                        d + states[6 * edges[e] + 3] > nesting
                        or frames[3 * f + 2] + states[6 * edges[e + 1] + 3] > nesting
                    ):
                        t = -1
                        break
                    if edges[e + 3] == 0:
                        if new_top >= limit:
                            return -1
                        frames[3 * new_top] = edges[e + 1]
                        frames[3 * new_top + 1] = f
                        frames[3 * new_top + 2] = d
                        f = new_top
                        new_top += 1
                    q = edges[e]
            if t < 0:
                i = nodes[3 * i + 1]
                continue
            if budget < 0:
                return -2
            k = nodes[3 * i + 2]
            while k < nodes[3 * i + 5]:
                words[tokens[k] >> 5] |= cython.cast(cython.uint, 1) << (tokens[k] & 31)
                k += 1
            if i + 1 < nodes[3 * i + 1]:
                stack[level] = state
                stack[level + 1] = frame
                stack[level + 2] = here_end
                stack[level + 3] = top
                level += 4
                state = t
                frame = f
                here_end = nodes[3 * i + 1]
                top = new_top
            i += 1
        # hot loop ends
        self.exit_count = exit_count
        self.budget = budget
        return 0

    @cython.cfunc
    def read_own(self, state: cython.int, frame: cython.int, top: cython.int, words: cython.uint[::1]) -> cython.int:
        """Tokens whose first byte the state reads itself, by walking; returns what `walk` does."""
        trie: TokenTrie = self.trie
        result: cython.int
        b: cython.int
        t: cython.int
        node: cython.int
        k: cython.int
        for b in range(256):
            t = self.next_state[self.states[6 * state] + self.class_of[self.states[6 * state + 1] + b]]
            node = trie.child[b]
            if t < 0 or node < 0:
                continue
            if self.frames[3 * frame + 2] + self.states[6 * t + 3] > self.nesting:
                self.depth_matters = True
                continue
            for k in range(trie.nodes[3 * node + 2], trie.nodes[3 * node + 5]):
                words[trie.tokens[k] >> 5] |= cython.cast(cython.uint, 1) << (trie.tokens[k] & 31)
            result = self.walk(trie, node + 1, trie.nodes[3 * node + 1], t, frame, top, words)
            if result < 0:
                return result
        return 0

    def local(self, state: cython.int, depth: cython.int, words: cython.uint[::1]) -> tuple[int, bool]:
        """Walk from a state on an unknown stack: (exits found, whether the depth mattered)."""
        self.exit_count = 0
        self.depth_matters = False
        self.budget = 0x3FFFFFFF
        while self.read_own(state, 1 + depth, self.scratch_top, words) < 0:
            self.grow()
            self.exit_count = 0
        return self.exit_count, self.depth_matters

    @cython.cfunc
    def add(self, state: cython.int, frame: cython.int, top: cython.int, words: cython.uint[::1]) -> cython.int:
        """Add what one pair allows; -1 where scratch ran out."""
        slot: cython.int = self.slots[state]
        mask: LocalMask
        result: cython.int
        k: cython.int
        self.budget = 256 if slot == -1 else 0x3FFFFFFF
        if slot == -1 or slot == -2:
            result = self.read_own(state, frame, top, words)
            if result == 0:
                self.slots[state] = -2
            if result != -2:
                return result
        self.budget = 0x3FFFFFFF
        if slot == -1 or slot == -3:
            self.scratch_top = top  # frames up to here belong to the mask under way
            slot = self.find_local(state, self.frames[3 * frame + 2])
        mask = self.masks[slot]
        places = mask.places
        values = mask.words
        # hot loop begins
        if mask.is_dense:
            for k in range(mask.count):
                words[k] |= values[k]
        else:
            for k in range(mask.count):
                words[places[k]] |= values[k]
        # hot loop ends
        if frame > self.unknown and mask.rest.count > 1:
            return self.walk(
                mask.rest, 1, mask.rest.count, self.frames[3 * frame], self.frames[3 * frame + 1], top, words
            )
        return 0

    @cython.cfunc
    def add_closure(self, state: cython.int, frame: cython.int, words: cython.uint[::1]) -> cython.int:
        """Add what a pair, what it returns to and what it calls allow; -1 where scratch ran out."""
        base: cython.int = len(self.stack) - 1  # pairs wait at the far end of the work space, a walk uses the near one
        waiting: cython.int = 1
        top: cython.int = self.frame_count
        first: cython.int
        e: cython.int
        d: cython.int
        self.stack[base - 1] = state
        self.stack[base] = frame
        while waiting > 0:
            waiting -= 1
            state = self.stack[base - 2 * waiting - 1]
            frame = self.stack[base - 2 * waiting]
            if self.add(state, frame, top, words) < 0:
                return -1
            if self.states[6 * state + 2] & 3 and frame > self.unknown:
                self.stack[base - 2 * waiting - 1] = self.frames[3 * frame]
                self.stack[base - 2 * waiting] = self.frames[3 * frame + 1]
                waiting += 1
            first = self.states[6 * state + 4]
            for e in range(4 * first, 4 * (first + self.states[6 * state + 5]), 4):
                d = self.frames[3 * frame + 2] + self.edges[e + 2]
                if not self.fits(e, frame, d):
                    continue
                self.stack[base - 2 * waiting - 1] = self.edges[e]
                self.stack[base - 2 * waiting] = frame
                if self.edges[e + 3] == 0:
                    if top >= self.frame_limit - 1:
                        return -1
                    self.frames[3 * top] = self.edges[e + 1]
                    self.frames[3 * top + 1] = frame
                    self.frames[3 * top + 2] = d
                    self.stack[base - 2 * waiting] = top
                    top += 1
                waiting += 1
        return 0

    @cython.cfunc
    def make_words(self, state: cython.int, frame: cython.int) -> cython.int:
        """Put the mask of (state, frame) into `words`."""
        words = self.words
        k: cython.int
        count: cython.int = self.word_count
        # hot loop begins
        for k in range(count):
            words[k] = 0
        # hot loop ends
        while self.add_closure(state, frame, words) < 0:
            self.grow()
        if self.accepts(state, frame):
            for k in range(self.end_count):
                words[self.ends[k] >> 5] |= cython.cast(cython.uint, 1) << (self.ends[k] & 31)
        return 0


@cython.final
@cython.cclass
class VisibleCursor:
    """One text on its way through a machine: the (state, frame) pair after each step."""

    machine: VisibleMachine
    steps: list
    state: cython.int
    frame: cython.int

    def __init__(self, machine: VisibleMachine, state: cython.int) -> None:
        self.machine = machine
        self.steps = []
        machine.state = state
        machine.frame = 0
        machine.settle()
        self.state = machine.state
        self.frame = machine.frame

    def accept_token(self, token: cython.int) -> bool:
        """Take a token by its bytes; False, and no change, where they do not fit or there are none."""
        machine: VisibleMachine = self.machine
        k: cython.int
        if token < 0 or token >= machine.token_count:
            return False
        first: cython.int = machine.token_starts[token]
        last: cython.int = machine.token_starts[token + 1]
        if first == last:
            return False
        machine.state = self.state
        machine.frame = self.frame
        for k in range(first, last):
            if not machine.read(machine.token_bytes[k]):
                return False
        machine.settle()
        self.steps.append((self.state, self.frame))
        self.state = machine.state
        self.frame = machine.frame
        return True

    def accept_bytes(self, data: cython.const[cython.uchar][::1]) -> bool:
        """Take bytes as one step; False, and no change, where they do not fit."""
        machine: VisibleMachine = self.machine
        k: cython.int
        machine.state = self.state
        machine.frame = self.frame
        for k in range(len(data)):
            if not machine.read(data[k]):
                return False
        machine.settle()
        self.steps.append((self.state, self.frame))
        self.state = machine.state
        self.frame = machine.frame
        return True

    def copy(self) -> VisibleCursor:
        """An independent cursor in the same place."""
        other: VisibleCursor = VisibleCursor(self.machine, self.state)
        other.steps = list(self.steps)
        other.state = self.state
        other.frame = self.frame
        return other

    def fill(self, bitmask: cython.int[:, ::1], index: cython.int) -> None:
        """Write the allowed tokens into row `index` of a bitmask; ValueError where it has no such row."""
        machine: VisibleMachine = self.machine
        words = machine.words
        count: cython.int = machine.word_count
        width: cython.int = bitmask.shape[1]
        k: cython.int
        word: cython.uint
        if index < 0 or index >= bitmask.shape[0] or width < count:
            raise ValueError("no such row")
        machine.make_words(self.state, self.frame)
        # hot loop begins
        for k in range(count):
            word = words[k]
            bitmask[index, k] = (
                cython.cast(cython.int, word)
                if word <= 0x7FFFFFFF
                else cython.cast(cython.int, cython.cast(cython.longlong, word) - 0x7FFFFFFF - 0x7FFFFFFF - 2)
            )
        for k in range(count, width):
            bitmask[index, k] = 0
        # hot loop ends

    def fill_row(self, row: cython.uint[::1]) -> None:
        """Write the allowed tokens into a row of at least the mask's words."""
        machine: VisibleMachine = self.machine
        words = machine.words
        count: cython.int = machine.word_count
        k: cython.int
        machine.make_words(self.state, self.frame)
        # hot loop begins
        for k in range(count):
            row[k] = words[k]
        # hot loop ends
        for k in range(count, len(row)):
            row[k] = 0

    def rollback(self, count: cython.int) -> None:
        """Undo steps (as many as were taken at most)."""
        while count > 0:
            self.state, self.frame = self.steps.pop()
            count -= 1

    def frames(self) -> list[tuple[int, int]]:
        """The stack below the state, innermost first: (state to return to, levels open) for each pending call."""
        found = []
        frame: cython.int = self.frame
        while frame > self.machine.unknown:
            found.append((self.machine.frames[3 * frame], self.machine.frames[3 * frame + 2]))
            frame = self.machine.frames[3 * frame + 1]
        return found

    def position(self) -> tuple[int, int]:
        """The (state, frame) pair."""
        return self.state, self.frame

    def is_accepting(self) -> bool:
        """Whether the text may end here."""
        return self.machine.accepts(self.state, self.frame)
