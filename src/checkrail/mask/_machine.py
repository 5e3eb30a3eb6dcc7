# cython: language_level=3
"""The deterministic path of the kernel: automata in which every byte has at most one meaning in every state.

What the bytes so far mean is then one (state, frame) pair, and a step is a look-up, a call a push, a return a pop.
`visible` lays out the tables; this file walks them. Like `_kernel.py`, which is for general automata, it is ordinary
Python that also compiles to C. Numbers that belong together lie side by side, so that a walk touches few cache lines:
an array is a row of records, and field k of record r, of n fields, is at n * r + k.

    states, 6 fields: row in next_state, class map in class_of, kind, room, first call edge, number of call edges
    edges,  4 fields: start state of the callee, state to return to, levels of nesting, 1 if nothing is pending after
    frames, 3 fields: state to return to, frame below, levels of nesting open above it
    nodes,  3 fields: byte on the edge into the node, index after its subtree, index of its first token in `tokens`

    kind: 1 accepting, 2 accepting and nothing else, 4 one call and nothing else, 0 any other
    room: levels of nesting that the state needs to finish its module
    next_state[row + class_of[class map + byte]]: the next state, -1 for none, -2 - e where the byte begins what call
        edge e calls
    slots[state]: -1 not visited yet; -2 narrow: the walk that was tried visited at most 256 nodes, so it is walked each
        time; -3 wide, with a local mask for each depth; else wide, and the index of its local mask

These numbers are written out where they are used: to the compiler a module's constants are Python objects.

Threads share a machine. Compiled, a call is not interrupted, except where it calls or allocates: there another thread
may use the machine, so after `grow` and `find_local` nothing in the work space is relied on. Interpreted, a thread may
be interrupted anywhere, and callers hold a lock (`exclusive`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import MaskError

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
else:
    from . import _cython_shim as cython
    from ._cython_shim import int32_rows

COMPILED: bool = cython.compiled


@cython.final
@cython.cclass
class TokenTrie:
    """A trie whose nodes carry lists of tokens: that of a vocabulary, or one of remainders.

    nodes: `count` + 1 records, the last one closing the token list. tokens: ids in the order of their nodes.
    child[b]: the root's child on byte b, or -1 (not used of a trie of remainders).
    """

    nodes: cython.const[cython.int][::1]
    tokens: cython.const[cython.int][::1]
    child: cython.const[cython.int][::1]
    count: cython.int

    def __init__(
        self,
        nodes: cython.const[cython.int][::1],
        tokens: cython.const[cython.int][::1],
        child: cython.const[cython.int][::1],
    ) -> None:
        self.nodes = nodes
        self.tokens = tokens
        self.child = child
        self.count = len(nodes) // 3 - 1


@cython.final
@cython.cclass
class LocalMask:
    """The tokens that stay inside one module from one state on, and the trie of what is left of those that leave.

    places, words: the words that are not zero; or no places, and all words.
    """

    places: cython.const[cython.int][::1]
    words: cython.const[cython.uint][::1]
    rest: TokenTrie

    def __init__(
        self,
        places: cython.const[cython.int][::1],
        words: cython.const[cython.uint][::1],
        rest: TokenTrie,
    ) -> None:
        self.places = places
        self.words = words
        self.rest = rest


@cython.final
@cython.cclass
class VisibleMachine:
    """The tables of one deterministic automaton over one vocabulary, its frames, and its masks.

    Frame 0 is the bottom of every stack. Frames 1 to `unknown` are bottoms of unknown stacks, one for each depth;
    walks from them note where the stack would matter (`exits`) instead of going on. Frames after them are pending
    calls, hash-consed and kept; frames from `frame_count` on are scratch of the mask that is under way.
    """

    states: cython.const[cython.int][::1]
    next_state: cython.const[cython.int][::1]
    class_of: cython.const[cython.uchar][::1]
    edges: cython.const[cython.int][::1]
    nesting: cython.int
    # frames
    frames: cython.int[::1]
    frame_table: cython.int[::1]
    frame_count = cython.declare(cython.int, visibility="readonly")
    frame_limit: cython.int
    frame_bound: cython.int
    unknown: cython.int
    # vocabulary
    trie: TokenTrie
    token_bytes: cython.const[cython.uchar][::1]
    token_starts: cython.const[cython.int][::1]
    ends: cython.const[cython.int][::1]
    # masks
    slots: cython.int[::1]
    masks: list
    by_depth: dict
    find_local: object
    # work space
    words: cython.uint[::1]
    stack: cython.int[::1]
    pairs: cython.int[::1]
    waiting: cython.int
    exits: cython.int[::1]
    exit_count: cython.int
    budget: cython.int
    safe: cython.int
    depth_matters: cython.bint
    state: cython.int
    frame: cython.int

    def __init__(
        self,
        states: cython.const[cython.int][::1],
        next_state: cython.const[cython.int][::1],
        class_of: cython.const[cython.uchar][::1],
        edges: cython.const[cython.int][::1],
        nesting: cython.int,
        frame_bound: cython.int,
        trie: TokenTrie,
        token_bytes: cython.const[cython.uchar][::1],
        token_starts: cython.const[cython.int][::1],
        ends: cython.const[cython.int][::1],
        slots: cython.int[::1],
        masks: list,
        by_depth: dict,
        find_local: Callable[[VisibleMachine, int, int], None],
        words: cython.uint[::1],
        stack: cython.int[::1],
        pairs: cython.int[::1],
        exits: cython.int[::1],
    ) -> None:
        """Tables as above; a bound on frames; the vocabulary's trie, bytes and end tokens; the local masks that were
        found, those of state and depth by state * (nesting + 1) + depth; and work space, which machines may share:

        words: one row of a bitmask. stack: 4 integers for each byte of the longest token. pairs: 2 integers for each
        pair that may wait in `add_closure`. exits: one for each trie node.
        """
        self.states = states
        self.next_state = next_state
        self.class_of = class_of
        self.edges = edges
        self.nesting = nesting
        self.trie = trie
        self.token_bytes = token_bytes
        self.token_starts = token_starts
        self.ends = ends
        self.slots = slots
        self.masks = masks
        self.by_depth = by_depth
        self.find_local = find_local
        self.words = words
        self.stack = stack
        self.pairs = pairs
        self.exits = exits
        self.waiting = self.exit_count = self.budget = self.state = self.frame = 0
        self.depth_matters = False
        self.safe = nesting
        self.unknown = nesting + 1
        self.frame_count = nesting + 2
        self.frame_bound = frame_bound
        depth: cython.int
        bottoms = array("i", [0, 0, 0])
        for depth in range(nesting + 1):
            bottoms.extend((0, 0, depth))
        self.frames = bottoms
        self.frame_limit = self.frame_count + 128
        self.grow()

    @cython.cfunc
    def grow(self) -> cython.int:
        """Make twice the room for frames. Interned frames keep their numbers."""
        i: cython.int
        size: cython.int = 1
        limit: cython.int = 2 * self.frame_limit
        if limit > self.frame_bound:
            raise MaskError("MASK_STACKS", limit=self.frame_bound)
        while size < 4 * limit:
            size *= 2
        frames: cython.int[::1] = array("i", bytes(12 * limit))
        table: cython.int[::1] = array("i", [-1]) * size
        old = self.frames
        if limit != 2 * self.frame_limit:  # another thread was faster
            return 0
        frames[: len(old)] = old
        self.frames = frames
        self.frame_table = table
        self.frame_limit = limit
        for i in range(self.unknown + 1, self.frame_count):
            table[self.slot_of(frames[3 * i], frames[3 * i + 1], frames[3 * i + 2])] = i
        return 0

    @cython.cfunc
    def slot_of(self, after: cython.int, below: cython.int, depth: cython.int) -> cython.int:
        """The place of a frame in the hash table (linear probing), taken or free. At most 1/8 of it is taken."""
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
        """The interned frame of a pending call. Half of the room stays free, for scratch."""
        place: cython.int = self.slot_of(after, below, depth)
        i: cython.int = self.frame_table[place]
        while i < 0 and 2 * self.frame_count >= self.frame_limit:
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
    @cython.inline
    @cython.locals(here=cython.int, inside=cython.int, need=cython.int)
    def levels_inside(self, e: cython.int, f: cython.int) -> cython.int:
        """Levels open inside a call on frame f, -1 where it may not be made: it or what is after it needs more room."""
        here = self.frames[3 * f + 2]
        inside = here + self.edges[e + 2]
        need = max(inside + self.states[6 * self.edges[e] + 3], here + self.states[6 * self.edges[e + 1] + 3])
        return inside if need <= self.nesting else -1

    @cython.cfunc
    def enter(self, e: cython.int, f: cython.int) -> cython.int:
        """The frame inside a call on frame f (e is where the edge's record begins), -1 where it may not be made."""
        depth: cython.int = self.levels_inside(e, f)
        if depth < 0:
            return -1
        return f if self.edges[e + 3] else self.push(self.edges[e + 1], f, depth)

    @cython.cfunc
    @cython.locals(t=cython.int, e=cython.int)
    def read(self, byte: cython.int) -> cython.bint:
        """Move (state, frame) past one byte; False, with both undefined, where it is not possible."""
        q: cython.int = self.state
        f: cython.int = self.frame
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
                q = self.edges[e]
                f = self.enter(e, f)
                if f < 0:
                    return False

    @cython.cfunc
    @cython.locals(kind=cython.int, e=cython.int, f=cython.int)
    def settle(self) -> cython.int:
        """Where a state can do only one thing before the next byte, do it: one form for equal situations."""
        while True:
            kind = self.states[6 * self.state + 2]
            if kind == 2 and self.frame > self.unknown:
                self.state = self.frames[3 * self.frame]
                self.frame = self.frames[3 * self.frame + 1]
            elif kind == 4:
                e = 4 * self.states[6 * self.state + 4]
                f = self.enter(e, self.frame)
                if f < 0:
                    return 0
                self.state = self.edges[e]
                self.frame = f
            else:
                return 0

    @cython.cfunc
    def accepts(self, state: cython.int, frame: cython.int) -> cython.bint:
        """Whether the text may end here: the state and all that it may return to are accepting."""
        while self.states[6 * state + 2] & 3:
            if frame <= self.unknown:
                return frame == 0
            state = self.frames[3 * frame]
            frame = self.frames[3 * frame + 1]
        return False

    @cython.cfunc
    @cython.locals(b=cython.int, q=cython.int, f=cython.int, t=cython.int, e=cython.int, d=cython.int, k=cython.int)
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
        """Set the bits of the tokens at the nodes from `first` to `last` that can be read. Scratch begins at `top`.

        Returns -1 where scratch ran out, -2 where more nodes than `budget` were visited; the bits set are right.

        Bounds. stack: a level is opened at a node with children, inside the level of its parent, so there are fewer
        levels than bytes in the longest token. exits: a node is visited once and noted once. frames: checked.
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
        safe: cython.int = self.safe
        limit: cython.int = self.frame_limit
        exit_count: cython.int = self.exit_count
        budget: cython.int = self.budget
        here_end: cython.int = last
        level: cython.int = 0
        i: cython.int = first
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
                    d = frames[3 * f + 2] + states[6 * t + 3]
                    if d > safe:
                        self.depth_matters = True
                        if d > nesting:
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
                    k = max(d + states[6 * edges[e] + 3], frames[3 * f + 2] + states[6 * edges[e + 1] + 3])
                    if k > safe:
                        self.depth_matters = True
                        if k > nesting:
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
    @cython.locals(result=cython.int, b=cython.int, t=cython.int, d=cython.int, node=cython.int, k=cython.int)
    def read_own(
        self, trie: TokenTrie, state: cython.int, frame: cython.int, top: cython.int, words: cython.uint[::1]
    ) -> cython.int:
        """Tokens of a trie whose first byte the state reads itself, by walking; returns what `walk` does."""
        for b in range(256):
            t = self.next_state[self.states[6 * state] + self.class_of[self.states[6 * state + 1] + b]]
            node = trie.child[b]
            if t < 0 or node < 0:
                continue
            d = self.frames[3 * frame + 2] + self.states[6 * t + 3]
            if d > self.safe:
                self.depth_matters = True
                if d > self.nesting:
                    continue
            for k in range(trie.nodes[3 * node + 2], trie.nodes[3 * node + 5]):
                words[trie.tokens[k] >> 5] |= cython.cast(cython.uint, 1) << (trie.tokens[k] & 31)
            result = self.walk(trie, node + 1, trie.nodes[3 * node + 1], t, frame, top, words)
            if result < 0:
                return result
        return 0

    def local(self, trie: TokenTrie, state: cython.int, depth: cython.int, words: cython.uint[::1]) -> tuple[int, bool]:
        """Walk a trie on an unknown stack, for `find_local`: (exits found, whether the depth matters).

        The depth does not matter where the walk is the same at every depth at which the state can be. There it has
        at least the room that the state needs, so no check fails that asks for no more than that.
        """
        k: cython.int
        result: cython.int = -1
        while result < 0:
            for k in range(len(words)):
                words[k] = 0
            self.exit_count = 0
            self.depth_matters = False
            self.budget = 0x3FFFFFFF
            self.safe = depth + self.states[6 * state + 3]
            result = self.read_own(trie, state, 1 + depth, self.frame_count, words)
            self.safe = self.nesting
            if result < 0:
                self.grow()
        return self.exit_count, self.depth_matters

    @cython.cfunc
    @cython.locals(result=cython.int, k=cython.int)
    def add(self, state: cython.int, frame: cython.int, top: cython.int, words: cython.uint[::1]) -> cython.int:
        """Add what one pair allows by itself and by returning from within a token.

        Returns -1 where scratch ran out, -2 where a local mask had to be found first: both times, begin anew.
        """
        slot: cython.int = self.slots[state]
        mask: LocalMask
        if slot == -1 or slot == -2:
            self.budget = 256 if slot == -1 else 0x3FFFFFFF
            result = self.read_own(self.trie, state, frame, top, words)
            if result == 0:
                self.slots[state] = -2
            if result != -2:
                return result
        self.budget = 0x3FFFFFFF
        if slot == -3:
            slot = self.by_depth.get(state * (self.nesting + 1) + self.frames[3 * frame + 2], -1)
        if slot < 0:
            self.find_local(self, state, self.frames[3 * frame + 2])
            return -2
        mask = self.masks[slot]
        places = mask.places
        values = mask.words
        count: cython.int = len(values)
        is_dense: cython.bint = len(places) == 0
        # hot loop begins
        if is_dense:
            for k in range(count):
                words[k] |= values[k]
        else:
            for k in range(count):
                words[places[k]] |= values[k]
        # hot loop ends
        if frame > self.unknown and mask.rest.count > 1:
            return self.walk(
                mask.rest, 1, mask.rest.count, self.frames[3 * frame], self.frames[3 * frame + 1], top, words
            )
        return 0

    @cython.cfunc
    def wait(self, state: cython.int, frame: cython.int) -> cython.int:
        """Put a pair on the list of `add_closure`."""
        if 2 * self.waiting >= len(self.pairs):
            raise MaskError("INTERNAL", what="a byte with two meanings in an automaton that was found visible")
        self.pairs[2 * self.waiting] = state
        self.pairs[2 * self.waiting + 1] = frame
        self.waiting += 1
        return 0

    @cython.cfunc
    @cython.locals(first=cython.int, e=cython.int, d=cython.int, result=cython.int)
    def add_closure(self, state: cython.int, frame: cython.int, words: cython.uint[::1]) -> cython.int:
        """Add what a pair, what it returns to and what it calls allow. Returns what `add` does.

        At most 257 pairs wait at a time: one return (what is called has no empty word, so only the first pair and
        those that it returns to can return), and starts of modules that are not called by one another. The bytes
        that these begin with are disjoint, since each byte has one meaning, and not empty: 256 at most.
        """
        top: cython.int = self.frame_count
        self.waiting = 0
        self.wait(state, frame)
        while self.waiting > 0:
            self.waiting -= 1
            state = self.pairs[2 * self.waiting]
            frame = self.pairs[2 * self.waiting + 1]
            result = self.add(state, frame, top, words)
            if result < 0:
                return result
            if self.states[6 * state + 2] & 3 and frame > self.unknown:
                self.wait(self.frames[3 * frame], self.frames[3 * frame + 1])
            first = self.states[6 * state + 4]
            for e in range(4 * first, 4 * (first + self.states[6 * state + 5]), 4):
                d = self.levels_inside(e, frame)
                if d < 0:
                    continue
                if self.edges[e + 3]:
                    self.wait(self.edges[e], frame)
                    continue
                if top >= self.frame_limit:
                    return -1
                self.frames[3 * top] = self.edges[e + 1]
                self.frames[3 * top + 1] = frame
                self.frames[3 * top + 2] = d
                self.wait(self.edges[e], top)
                top += 1
        return 0

    @cython.cfunc
    def make_words(self, state: cython.int, frame: cython.int) -> cython.int:
        """Put the mask of (state, frame) into `words`."""
        words = self.words
        k: cython.int
        count: cython.int = len(words)
        result: cython.int = -1
        while result < 0:
            # hot loop begins
            for k in range(count):
                words[k] = 0
            # hot loop ends
            result = self.add_closure(state, frame, words)
            if result == -1:
                self.grow()
        if self.accepts(state, frame):
            for k in range(len(self.ends)):
                words[self.ends[k] >> 5] |= cython.cast(cython.uint, 1) << (self.ends[k] & 31)
        return 0


@cython.final
@cython.cclass
class VisibleCursor:
    """One text on its way through a machine: the (state, frame) pair, and those before each step."""

    machine: VisibleMachine
    steps: list
    state: cython.int
    frame: cython.int

    def __init__(self, machine: VisibleMachine, state: cython.int) -> None:
        """A cursor in a state at the bottom of the stack."""
        self.machine = machine
        self.steps = []
        machine.state = state
        machine.frame = 0
        machine.settle()
        self.state = machine.state
        self.frame = machine.frame

    @cython.cfunc
    @cython.locals(first=cython.Py_ssize_t, last=cython.Py_ssize_t, k=cython.Py_ssize_t)
    def take(self, data: cython.const[cython.uchar][::1], first, last) -> cython.bint:
        """Take data[first:last] as one step; False, and no change, where it does not fit."""
        machine: VisibleMachine = self.machine
        machine.state = self.state
        machine.frame = self.frame
        for k in range(first, last):
            if not machine.read(data[k]):
                return False
        machine.settle()
        state: cython.int = machine.state
        frame: cython.int = machine.frame
        self.steps.append((self.state, self.frame))
        self.state = state
        self.frame = frame
        return True

    def accept_token(self, token: cython.Py_ssize_t) -> bool:
        """Take a token by its bytes; False, and no change, where they do not fit or there are none."""
        machine: VisibleMachine = self.machine
        starts = machine.token_starts
        if token < 0 or token >= len(starts) - 1 or starts[token] == starts[token + 1]:
            return False
        return self.take(machine.token_bytes, starts[token], starts[token + 1])

    def accept_bytes(self, data: cython.const[cython.uchar][::1]) -> bool:
        """Take bytes as one step; False, and no change, where they do not fit."""
        return self.take(data, 0, len(data))

    def copy(self) -> VisibleCursor:
        """An independent cursor in the same place."""
        other: VisibleCursor = VisibleCursor(self.machine, self.state)
        other.steps = list(self.steps)
        other.state = self.state
        other.frame = self.frame
        return other

    def fill(self, bitmask: cython.int[:, ::1], index: cython.Py_ssize_t) -> None:
        """Write the allowed tokens into row `index` of a bitmask; ValueError where it has no such row."""
        machine: VisibleMachine = self.machine
        words = machine.words
        count: cython.int = len(words)
        if not cython.compiled:  # what the type of the parameter checks in the compiled twin
            bitmask = int32_rows(bitmask)
        width: cython.Py_ssize_t = bitmask.shape[1]
        k: cython.Py_ssize_t
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

    def fill_row(self, row: memoryview) -> None:
        """The same for a row of unsigned words by itself."""
        self.fill(row.cast("B").cast("i", (1, len(row))), 0)

    def rollback(self, count: cython.int) -> None:
        """Undo steps (as many as were taken at most)."""
        while count > 0:
            self.state, self.frame = self.steps.pop()
            count -= 1

    def position(self) -> tuple[int, list[tuple[int, int]]]:
        """The state, and for each pending call, innermost first, (state to return to, levels open above it)."""
        calls = []
        frame: cython.int = self.frame
        while frame > self.machine.unknown:
            calls.append((self.machine.frames[3 * frame], self.machine.frames[3 * frame + 2]))
            frame = self.machine.frames[3 * frame + 1]
        return self.state, calls

    def is_accepting(self) -> bool:
        """Whether the text may end here."""
        return self.machine.accepts(self.state, self.frame)
