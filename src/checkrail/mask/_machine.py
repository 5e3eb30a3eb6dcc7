# cython: language_level=3
"""The deterministic path of the kernel: automata in which every byte has at most one meaning in every state.

What the bytes so far mean is then one (state, frame) pair, and a step is a look-up, a call a push, a return a pop.
A source (`visible`) lays out the tables, at once or state by state; this file walks them. Like `_kernel.py`, which is
for general automata, it is ordinary Python that also compiles to C. Numbers that belong together lie side by side, so
that a walk touches few cache lines: an array is a row of records, and field k of record r of n fields is at n * r + k.

    states, 8 fields: row in next_state (-1: not expanded yet), class map in class_of, kind, room, first call edge,
        number of call edges, exit, default edge (-1: none; -2 - n: none, in a state of structure, which reads up to n
        blanks and whatever else it reads after them too)
    edges,  4 fields: start state of the callee, state to return to, levels of nesting, bits: 1 where nothing is
        pending after, 2 where the next record stands in for this one when that may not be called, 4 for a noted call
    frames, 3 fields: state to return to, frame below, levels of nesting open above it
    nodes,  3 fields: byte on the edge into the node, index after its subtree, index of its first token in `tokens`

    kind: 1 accepting, 2 accepting and nothing else, 4 one call and nothing else, 8 default state, 0 any other
    room: levels of nesting that the state needs to finish its module; it and `exit` are known before the expansion
    exit: the module returns to `state to return to` + exit, so that it can tell its caller how it ended
    next_state[row + class_of[class map + byte]]: the next state, -1 for none, -2 - e where the byte begins what call
        edge e calls
    noted calls: an automaton cannot remember what was written. Where that matters (items that must differ), the calls
        of a text are noted: a `follower` keeps with the text what it must know (its `register`), may refuse a step, and
        takes tokens out of masks. Walks know nothing of it.
    default state: calls its default edge, its only one, on all bytes but few. Its mask is that of what it calls,
        corrected along the tokens that begin with those few (`correct`).
    slots[state]: -1 not visited yet; -2 it is walked each time; -3 there is one for each depth; -5 - p: what its walk
        found is noted at p in `notes`; else the index of its local mask
    notes: what a walk of few nodes found in the module of its first state. Where its words end, where its exits end,
        and how many blanks a token may be made of (such tokens are not among the words); then pairs of a place and a
        word that is not zero; then pairs of a trie node, whose byte is to be read, and the number of an exit

These numbers are written out where they are used: to the compiler a module's constants are Python objects.

Threads share tables and machines. One call at a time is inside all that belongs to one source
(`AutomatonTables.enter`): a call may run Python, to expand a state or to find a mask, and there another thread can
come. Compiled, a call is not interrupted elsewhere, so entering is a test of a flag; interpreted, callers hold a lock
as well (`exclusive`). A source must not call a cursor of its own: that would wait for itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from threading import Condition
from typing import TYPE_CHECKING, Any

from ..errors import MaskError

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
    from cython.cimports.checkrail.mask._pointers import (
        at,
        at_bytes,
        at_const,
        at_const_words,
        at_words,
        clear_words,
        copy_words,
    )
    from cython.cimports.cpython.buffer import Py_buffer, PyBuffer_Release, PyObject_GetBuffer
else:
    from .. import _cython_shim as cython
    from .._cython_shim import int32_rows, uint32_row

if not cython.compiled:
    from .._cython_shim import at, at_bytes, at_const, at_const_words, at_words, clear_words, copy_words

COMPILED: bool = cython.compiled


@cython.final
@cython.cclass
class TokenTrie:
    """A trie whose nodes carry lists of tokens: that of a vocabulary, or one of remainders.

    nodes: `count` + 1 records, the last one closing the token list. tokens: ids in the order of their nodes.
    child[b]: the root's child on byte b, or -1 (not used of a trie of remainders).
    lists[node]: in a vocabulary's trie, where the children of a node with many below it stand side by side in
    `list_nodes`, with an end behind them, and their bytes in `list_bytes`; 0 for all others. To go from one to the next
    by the end of its subtree takes the time of reading memory far away, each time.
    """

    nodes: cython.p_const_int
    tokens: cython.p_const_int
    child: cython.p_const_int
    count: cython.int
    lists: cython.p_const_int
    list_nodes: cython.p_const_int
    list_bytes: cython.p_const_uchar
    held: tuple
    held_lists: tuple

    def __init__(
        self, nodes: cython.const[cython.int][::1], tokens: cython.const[cython.int][::1],
        child: cython.const[cython.int][::1],
    ) -> None:  # fmt: skip
        self.held = (nodes, tokens, child)
        self.nodes = at_const(nodes)
        self.tokens = at_const(tokens)
        self.child = at_const(child)
        self.count = len(nodes) // 3 - 1
        self.list_children()

    @cython.cfunc
    @cython.locals(node=cython.int, child=cython.int, end=cython.int)
    def list_children(self) -> cython.int:
        nodes = self.nodes
        lists = array("i", bytes(4 * self.count))
        list_nodes = array("i", [0])
        list_bytes = bytearray(1)
        node = 0
        while node < self.count:
            end = nodes[3 * node + 1]
            if end - node < 16:
                node = end
                continue
            lists[node] = len(list_nodes)
            child = node + 1
            while child < end:
                list_nodes.append(child)
                list_bytes.append(nodes[3 * child])
                child = nodes[3 * child + 1]
            list_nodes.append(end)
            list_bytes.append(0)
            node += 1
        self.held_lists = (lists, list_nodes, list_bytes)
        self.lists = at_const(lists)
        self.list_nodes = at_const(list_nodes)
        self.list_bytes = at_bytes(list_bytes)
        return 0

    def parts(self) -> tuple[memoryview, memoryview]:
        """The nodes and the tokens, to be kept in a file."""
        return memoryview(self.held[0]), memoryview(self.held[1])


@cython.final
@cython.cclass
class Scratch:
    """A row of words, all zero, room for their places, and for so many exits."""

    words: cython.p_uint
    marks: cython.p_int
    exits: cython.p_int
    size: cython.int
    exit_limit: cython.int
    held: tuple

    def __init__(self, size: cython.int, exits: cython.int) -> None:
        self.size = size
        self.exit_limit = exits
        self.held = array("I", bytes(4 * size)), array("i", bytes(4 * size)), array("i", bytes(8 * exits))
        self.words = at_words(self.held[0])
        self.marks = at(self.held[1])
        self.exits = at(self.held[2])


@cython.final
@cython.cclass
class TokenTables:
    """What a vocabulary contributes: the trie of all its tokens, their bytes, and the end tokens.

    token_bytes, token_starts: the bytes of all tokens in one string, and where each begins. depth: bytes of the longest
    token. word_count: 32-bit words of one mask. spare: scratch that no machine uses just now. unread_marks: where walks
    put their marks of which nobody wants to know.
    blank_words: the tokens of up to n blanks alone, as pairs of a place and a word that is not zero, from
    blank_starts[n] to blank_starts[n + 1]. late_nodes: trie nodes behind blanks alone, for each byte those on it, with
    the fewest blanks first; those on byte b after n blanks at most stand from late_ends[17 * b] to
    late_ends[17 * b + n]. All of it for up to 16 blanks.
    """

    trie: TokenTrie
    token_bytes: cython.p_const_uchar
    token_starts: cython.p_const_int
    token_count: cython.int
    ends: cython.p_const_int
    end_count: cython.int
    depth: cython.int
    word_count: cython.int
    spare: list
    unread_marks: cython.p_int
    blank_words: cython.p_const_uint
    blank_starts: cython.p_const_int
    late_nodes: cython.p_const_int
    late_ends: cython.p_const_int
    held: tuple
    held_blanks: tuple

    def __init__(
        self, trie: TokenTrie, token_bytes: cython.const[cython.uchar][::1],
        token_starts: cython.const[cython.int][::1], ends: cython.const[cython.int][::1],
        depth: cython.int, word_count: cython.int,
        blanks: tuple[array[int], array[int], array[int], array[int]],
    ) -> None:  # fmt: skip
        """blanks: blank_words, blank_starts, late_nodes, late_ends."""
        self.trie = trie
        self.held = (token_bytes, token_starts, ends, array("i", bytes(4 * word_count)))
        self.unread_marks = at(self.held[3])
        self.token_bytes = at_bytes(token_bytes)
        self.token_starts = at_const(token_starts)
        self.token_count = len(token_starts) - 1
        self.end_count = len(ends)
        self.ends = at_const(ends)
        self.depth = depth
        self.word_count = word_count
        self.spare = []
        self.held_blanks = blanks
        self.blank_words = at_const_words(blanks[0])
        self.blank_starts = at_const(blanks[1])
        self.late_nodes = at_const(blanks[2])
        self.late_ends = at_const(blanks[3])


@cython.final
@cython.cclass
class LocalMask:
    """The tokens that stay inside one module from one state on, and tries of what is left of those that leave.

    places, words: the words that are not zero; or no places, and all words. rests: a `TokenTrie` for each exit of the
    module that a token can leave by; exits: their numbers.
    """

    places: cython.p_const_int
    words: cython.p_const_uint
    count: cython.int
    is_dense: cython.bint
    rests: list
    exits: cython.p_const_int
    exit_count: cython.int
    held: tuple

    def __init__(
        self, places: cython.const[cython.int][::1], words: cython.const[cython.uint][::1],
        rests: list, exits: cython.const[cython.int][::1],
    ) -> None:  # fmt: skip
        self.is_dense = len(places) == 0
        self.held = (places, words, exits)
        self.places = at_const(places)
        self.words = at_const_words(words)
        self.count = len(words)
        self.rests = rests
        self.exits = at_const(exits)
        self.exit_count = len(exits)

    def parts(self) -> tuple[memoryview, memoryview, list, memoryview]:
        """The places, the words, the tries and the exits, to be kept in a file."""
        places, words, exits = self.held
        return memoryview(places), memoryview(words), self.rests, memoryview(exits)


@cython.final
@cython.cclass
class AutomatonTables:
    """The tables of one source, which may grow, the local masks that were found, and work space.

    source: fills rows (`expand`) and owns the arrays; `generation` says when it replaced one. find_local(machine,
    state, depth, is_wide): (a local mask, whether it holds for this depth only), or None to have the state walked; it
    is also asked before a first walk, when nobody knows yet whether the state is wide.
    follower: of noted calls; None where no edge is noted. follow(cursor, after, data, notes, low): the register after a
    step, False where it may not be taken; few(cursor): the tokens of a mask to try, None where it must be looked at to
    tell; banned(cursor, words): the tokens to take out of it then; doubles: tokens that may have to go whatever was
    written before.
    masks: those that are kept; by_depth: state * (nesting + 1) + depth -> slot. patches: where the mask of a default
    state is not that of what it calls; by state the place in `patch_numbers`, of which `patch_end` are taken: where
    they end, how many levels may be open for them to hold, then pairs of a trie node and the state that it leads to, -1
    for none. notes: room for `note_room` words, of which `note_end` are taken.
    stack: 5 integers for each byte of the longest token. descent: 4. pairs: 2 for each that may wait in `add_closure`.
    """

    source: object
    tokens: TokenTables
    states: cython.p_const_int
    next_state: cython.p_const_int
    class_of: cython.p_const_uchar
    edges: cython.p_const_int
    nesting: cython.int
    generation: cython.int
    slots: cython.p_int
    kept_slots = cython.declare(object, visibility="readonly")
    masks: list
    by_depth: dict
    patches: dict
    patch_numbers: cython.p_int
    kept_patches: object
    patch_room: cython.int
    patch_end: cython.int
    find_local: object
    follower = cython.declare(object, visibility="public")
    stack: cython.p_int
    descent: cython.p_int
    pairs: cython.p_int
    pair_count: cython.int
    narrow: cython.int
    notes: cython.p_uint
    kept_notes: object
    note_room: cython.int
    note_end: cython.int
    held: tuple
    work: tuple
    busy: cython.bint
    queue: cython.int
    turn: object

    def __init__(
        self, source: Any, tokens: TokenTables,
        find_local: Callable[[VisibleMachine, int, int, bool], tuple[LocalMask, bool] | None],
        pairs: cython.int, narrow: cython.int, turn: Condition,
    ) -> None:  # fmt: skip
        """A source, the vocabulary, who finds local masks, how many pairs may wait, how many nodes the first walk from
        a state may visit, and what calls wait for while another is inside."""
        self.source = source
        self.tokens = tokens
        self.nesting = source.nesting
        self.masks = []
        self.by_depth = {}
        self.patches = {}
        self.find_local = find_local
        self.follower = None
        self.kept_patches = array("i")
        self.patch_room = self.patch_end = 0
        sizes = (5 * tokens.depth + 5, 4 * tokens.depth + 4, 2 * pairs)
        self.work = tuple([array("i", bytes(4 * size)) for size in sizes])
        self.stack = at(self.work[0])
        self.descent = at(self.work[1])
        self.pairs = at(self.work[2])
        self.pair_count = pairs
        self.narrow = narrow
        self.kept_notes = array("I")
        self.note_room = self.note_end = 0
        self.busy = False
        self.queue = 0
        self.turn = turn
        self.kept_slots = array("i")
        self.generation = source.generation - 1
        self.refresh()

    @cython.cfunc
    def refresh(self) -> cython.int:
        """Take the arrays from the source where it replaced one. Slots are as many as there is room for states."""
        generation: cython.int = self.source.generation
        if generation == self.generation:
            return 0
        source: object = self.source
        self.held = (
            memoryview(source.states),
            memoryview(source.next_state),
            memoryview(source.class_of),
            memoryview(source.edges),
        )
        self.states = at_const(self.held[0])
        self.next_state = at_const(self.held[1])
        self.class_of = at_bytes(self.held[2])
        self.edges = at_const(self.held[3])
        self.generation = generation
        missing = len(self.held[0]) // 8 - len(self.kept_slots)
        if missing > 0:
            self.kept_slots = self.kept_slots + array("i", [-1]) * missing
            self.slots = at(self.kept_slots)
        return 0

    @cython.cfunc
    def expand(self, state: cython.int) -> cython.int:
        """Have the row of a state made; returns where it begins. An error leaves the state as it was."""
        self.source.expand(state)
        self.refresh()
        if self.states[8 * state] < 0:
            raise MaskError("INTERNAL", what="a state that was expanded has no row")
        return self.states[8 * state]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-0x7FFFFFFF, check=True)  # else each -1 asks the interpreter whether it is an error
    @cython.locals(row=cython.int)
    def entry(self, state: cython.int, byte: cython.int) -> cython.int:
        """What a state does on a byte: the entry of its row."""
        row = self.states[8 * state]
        if row < 0:
            row = self.expand(state)
        return self.next_state[row + self.class_of[self.states[8 * state + 1] + byte]]

    @cython.cfunc
    @cython.inline
    def kind(self, state: cython.int) -> cython.int:
        """The kind of a state, which is known once it is expanded."""
        if self.states[8 * state] < 0:
            self.expand(state)
        return self.states[8 * state + 2]

    @cython.cfunc
    @cython.inline
    def enter(self) -> cython.int:
        """Wait until no other call is inside, and be inside. Not to be called again before `leave`."""
        while self.busy:
            self.wait()
        self.busy = True
        return 0

    @cython.cfunc
    def wait(self) -> cython.int:
        self.queue += 1
        try:
            with self.turn:
                while self.busy:
                    self.turn.wait(0.1)  # an interrupt may have swallowed the notice
        finally:
            self.queue -= 1
        return 0

    @cython.cfunc
    @cython.inline
    def leave(self) -> cython.int:
        """Be outside again."""
        self.busy = False
        if self.queue > 0:
            with self.turn:
                self.turn.notify_all()
        return 0

    @cython.cfunc
    def make_note_room(self) -> cython.int:
        """Make twice the room for notes."""
        self.kept_notes.frombytes(bytes(4 * max(self.note_room, 2048)))
        self.notes = at_words(self.kept_notes)
        self.note_room = len(self.kept_notes)
        return 0

    @cython.cfunc
    def put_patch(self, place: cython.int, number: cython.int) -> cython.int:
        """Write a number of a patch, and make twice the room for them where there is none."""
        if place >= self.patch_room:
            self.kept_patches.frombytes(bytes(4 * max(self.patch_room, 1024)))
            self.patch_numbers = at(self.kept_patches)
            self.patch_room = len(self.kept_patches)
        self.patch_numbers[place] = number
        return 0

    def note_bytes(self) -> int:
        """Bytes of the notes and the patches."""
        return 4 * self.note_room + 4 * self.patch_room

    def make_row(self, state: cython.int) -> None:
        """See to it that a state is expanded, for those who read the source's arrays themselves."""
        self.enter()
        try:
            self.kind(state)
        finally:
            self.leave()

    def forget(self) -> None:
        """Drop all local masks."""
        k: cython.int
        self.enter()
        for k in range(len(self.kept_slots)):
            self.slots[k] = -1
        self.masks = []
        self.by_depth = {}
        self.patches = {}
        self.kept_patches = array("i")
        self.patch_room = self.patch_end = 0
        self.kept_notes = array("I")
        self.note_room = self.note_end = 0
        self.leave()


@cython.final
@cython.cclass
class VisibleMachine:
    """The stacks of texts over one vocabulary and one source's tables, and the masks that follow from them.

    Frame 0 is the bottom of every stack. Frames 1 to `unknown` are bottoms of unknown stacks, one for each depth;
    walks from them note where the stack would matter (`exits`) instead of going on. Frames after them are pending
    calls, hash-consed and kept; frames from `frame_count` on are scratch of the mask that is under way.
    """

    tables: AutomatonTables
    tokens: TokenTables
    nesting: cython.int
    # frames
    frames: cython.p_int
    frame_table: cython.p_int
    table_mask: cython.uint
    frame_count = cython.declare(cython.int, visibility="readonly")
    frame_limit: cython.int
    frame_bound: cython.int
    unknown: cython.int
    # of the call that is inside
    exits: cython.p_int
    exit_count: cython.int
    exit_limit: cython.int
    waiting: cython.int
    budget: cython.int
    marks: cython.p_int
    marked: cython.int
    safe: cython.int
    levels: cython.int
    depth_matters: cython.bint
    blank: cython.bint
    width: cython.Py_ssize_t
    state: cython.int
    frame: cython.int
    noted: cython.int
    noting: cython.int
    low: cython.int
    held: tuple
    # what leaves a module, by state and frame
    memo: cython.p_int
    left: cython.p_uint
    left_end: cython.int
    held_memo: object
    held_left: object

    @cython.locals(depth=cython.int)
    def __init__(self, tables: AutomatonTables, frame_bound: cython.int) -> None:
        """A machine without frames; a bound on how many it may come to have."""
        self.tables = tables
        self.tokens = tables.tokens
        self.nesting = tables.nesting
        self.exits = tables.stack  # until `local` is given room for them
        self.waiting = self.exit_count = self.exit_limit = self.budget = self.state = self.frame = self.levels = 0
        self.noted = self.noting = self.low = -1
        self.depth_matters = self.blank = False
        self.marks = tables.tokens.unread_marks
        self.marked = 0
        self.width = 0
        self.safe = tables.nesting
        self.unknown = tables.nesting + 1
        self.frame_count = tables.nesting + 2
        self.frame_bound = frame_bound
        self.held = (array("i"),)
        self.held_memo = array("i", [-1]) * 4096
        self.memo = at(self.held_memo)
        self.held_left = None
        self.left_end = 0x4000
        self.frame_limit = self.frame_count + 128
        self.grow()
        for depth in range(self.unknown):
            self.frames[3 * depth + 5] = depth  # of the bottom of an unknown stack

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
        frames = array("i", bytes(12 * limit))
        frames[: len(self.held[0])] = self.held[0]
        table = array("i", [-1]) * size
        self.held = (frames, table)
        self.frames = at(frames)
        self.frame_table = at(table)
        self.table_mask = size - 1
        self.frame_limit = limit
        for i in range(self.unknown + 1, self.frame_count):
            self.frame_table[self.slot_of(self.frames[3 * i], self.frames[3 * i + 1], self.frames[3 * i + 2])] = i
        return 0

    @cython.cfunc
    def slot_of(self, after: cython.int, below: cython.int, depth: cython.int) -> cython.int:
        """The place of a frame in the hash table (linear probing), taken or free. At most 1/8 of it is taken."""
        frames = self.frames
        table = self.frame_table
        mask: cython.uint = self.table_mask
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
        """Levels open inside a call on frame f, -1 where it may not be made: it or what is after it needs more room.

        e: where the edge's record begins."""
        edges = self.tables.edges
        states = self.tables.states
        here = self.frames[3 * f + 2]
        inside = here + edges[e + 2]
        need = max(inside + states[8 * edges[e] + 3], here + states[8 * edges[e + 1] + 3])
        return inside if need <= self.nesting else -1

    @cython.cfunc
    @cython.inline
    def fitting(self, e: cython.int, f: cython.int) -> cython.int:
        """The first edge that may be called on frame f, of e and those that stand in for it; -1 where there is none."""
        while self.levels_inside(e, f) < 0:
            if self.tables.edges[e + 3] & 2 == 0:
                return -1
            e += 4
        return e

    @cython.cfunc
    def call(self, e: cython.int, f: cython.int) -> cython.int:
        """The frame inside a call on frame f, of an edge that fits."""
        if self.tables.edges[e + 3] & 1:
            return f
        return self.push(self.tables.edges[e + 1], f, self.levels_inside(e, f))

    @cython.cfunc
    @cython.locals(t=cython.int, e=cython.int)
    def read(self, byte: cython.int) -> cython.bint:
        """Move (state, frame) past one byte; False, with both undefined, where it is not possible."""
        tables: AutomatonTables = self.tables
        q: cython.int = self.state
        f: cython.int = self.frame
        while True:
            t = tables.entry(q, byte)
            if t >= 0:
                self.state = t
                self.frame = f
                return self.frames[3 * f + 2] + tables.states[8 * t + 3] <= self.nesting
            if t == -1:
                if tables.states[8 * q + 2] & 3 == 0 or f <= self.unknown:
                    return False
                q = self.frames[3 * f] + tables.states[8 * q + 6]
                f = self.frames[3 * f + 1]
                self.low = min(self.low, self.frames[3 * f + 2])
            else:
                e = self.fitting(4 * (-2 - t), f)
                if e < 0:
                    return False
                if tables.edges[e + 3] & 4:
                    self.noted = e
                    self.noting = q
                q = tables.edges[e]
                f = self.call(e, f)

    @cython.cfunc
    @cython.locals(kind=cython.int, e=cython.int)
    def settle(self) -> cython.int:
        """Where a state can do only one thing before the next byte, do it: one form for equal situations."""
        tables: AutomatonTables = self.tables
        while True:
            kind = tables.kind(self.state)
            if kind == 2 and self.frame > self.unknown:
                self.state = self.frames[3 * self.frame] + tables.states[8 * self.state + 6]
                self.frame = self.frames[3 * self.frame + 1]
                self.low = min(self.low, self.frames[3 * self.frame + 2])
            elif kind == 4:
                e = self.fitting(4 * tables.states[8 * self.state + 4], self.frame)
                if e < 0 or tables.edges[e + 3] & 4:  # a call is noted when its first byte is read
                    return 0
                self.frame = self.call(e, self.frame)
                self.state = tables.edges[e]
            else:
                return 0

    @cython.cfunc
    def accepts(self, state: cython.int, frame: cython.int) -> cython.bint:
        """Whether the text may end here: the state and all that it may return to are accepting."""
        while self.tables.kind(state) & 3:
            if frame <= self.unknown:
                return frame == 0
            state = self.frames[3 * frame] + self.tables.states[8 * state + 6]
            frame = self.frames[3 * frame + 1]
        return False

    @cython.cfunc
    @cython.locals(b=cython.int, q=cython.int, f=cython.int, t=cython.int, e=cython.int, d=cython.int, k=cython.int)
    def walk(
        self, trie: TokenTrie, first: cython.int, last: cython.int, state: cython.int, frame: cython.int,
        top: cython.int, words: cython.p_uint,
    ) -> cython.int:  # fmt: skip
        """Set the bits of the tokens at the nodes from `first` to `last` that can be read. Scratch begins at `top`.

        Returns -1 where scratch ran out, -2 where more nodes than `budget` were visited, or more exits were found than
        there is room for; the bits set are right.

        Bounds, which no compiler checks. stack: a level is opened at a node with children, inside the level of its
        parent, so there are fewer levels than bytes in the longest token. exits, frames: checked. marks: one for each
        word that was zero; they go on from those before while exits are wanted (`note`), else they are not read.
        """
        tables: AutomatonTables = self.tables
        nodes = trie.nodes
        tokens = trie.tokens
        lists = trie.lists
        list_nodes = trie.list_nodes
        list_bytes = trie.list_bytes
        states = tables.states
        next_state = tables.next_state
        class_of = tables.class_of
        edges = tables.edges
        frames = self.frames
        stack = tables.stack
        exits = self.exits
        unknown: cython.int = self.unknown
        nesting: cython.int = self.nesting
        safe: cython.int = self.safe
        limit: cython.int = self.frame_limit
        exit_count: cython.int = self.exit_count
        exit_limit: cython.int = self.exit_limit
        budget: cython.int = self.budget
        marks = self.marks
        marked: cython.int = self.marked if self.exit_limit > 0 else 0  # as many as words that were zero, at most
        here_end: cython.int = last
        level: cython.int = 0
        i: cython.int = first
        new_top: cython.int
        row: cython.int = -1
        place: cython.int = 0
        listed: cython.int = 0  # the place of node i in a list, 0 for none
        if last - first >= 15:
            listed = lists[first - 1]  # of the node of which `first` is a child, the first one
        # hot loop begins
        while i < last:
            while i >= here_end:
                level -= 5
                state = stack[level]
                frame = stack[level + 1]
                here_end = stack[level + 2]
                top = stack[level + 3]
                listed = stack[level + 4]
                row = states[8 * state]
                place = states[8 * state + 1]
            if row < 0:  # at first, and at the first child of a node
                row = states[8 * state]
                if row < 0:
                    # hot loop ends
                    row = tables.expand(state)
                    states = tables.states
                    next_state = tables.next_state
                    class_of = tables.class_of
                    edges = tables.edges
                    # hot loop begins
                place = states[8 * state + 1]
            if listed > 0 and states[8 * state + 2] & 3 == 0:
                b = list_bytes[listed]
                while b > 0 and next_state[row + class_of[place + b]] == -1:  # the end of the list is a zero too
                    listed += 1
                    budget -= 1
                    b = list_bytes[listed]
                i = list_nodes[listed]
                if i >= here_end:
                    continue
            b = list_bytes[listed] if listed > 0 else nodes[3 * i]
            q = state
            f = frame
            new_top = top
            budget -= 1
            t = next_state[row + class_of[place + b]]
            while t < 0:
                if t == -1:
                    if states[8 * q + 2] & 3 == 0:
                        break
                    if f <= unknown:
                        if f > 0:
                            if exit_count >= exit_limit:
                                self.marked = marked
                                return -2
                            exits[2 * exit_count] = i
                            exits[2 * exit_count + 1] = states[8 * q + 6]
                            exit_count += 1
                        break
                    q = frames[3 * f] + states[8 * q + 6]
                    f = frames[3 * f + 1]
                else:
                    e = 4 * (-2 - t)
                    d = frames[3 * f + 2] + edges[e + 2]
                    k = max(d + states[8 * edges[e] + 3], frames[3 * f + 2] + states[8 * edges[e + 1] + 3])
                    if k > safe:
                        self.depth_matters = True
                        while k > nesting and edges[e + 3] & 2:
                            e += 4
                            d = frames[3 * f + 2] + edges[e + 2]
                            k = max(d + states[8 * edges[e] + 3], frames[3 * f + 2] + states[8 * edges[e + 1] + 3])
                        if k > nesting:
                            t = -1
                            break
                    if edges[e + 3] & 1 == 0:
                        if new_top >= limit:
                            self.marked = marked
                            return -1
                        frames[3 * new_top] = edges[e + 1]
                        frames[3 * new_top + 1] = f
                        frames[3 * new_top + 2] = d
                        f = new_top
                        new_top += 1
                    q = edges[e]
                k = states[8 * q]
                if k < 0:
                    # hot loop ends
                    k = tables.expand(q)
                    states = tables.states
                    next_state = tables.next_state
                    class_of = tables.class_of
                    edges = tables.edges
                    # hot loop begins
                t = next_state[k + class_of[states[8 * q + 1] + b]]
            if t >= 0:
                d = frames[3 * f + 2] + states[8 * t + 3]
                if d > safe:
                    self.depth_matters = True
                    if d > nesting:
                        t = -1
            if listed > 0:
                listed += 1
            if t < 0:
                i = list_nodes[listed] if listed > 0 else nodes[3 * i + 1]
                continue
            if budget < 0:
                self.marked = marked
                return -2
            k = nodes[3 * i + 2]
            while k < nodes[3 * i + 5]:
                d = tokens[k] >> 5
                if words[d] == 0:
                    marks[marked] = d
                    marked += 1
                words[d] |= cython.cast(cython.uint, 1) << (tokens[k] & 31)
                k += 1
            if i + 1 < nodes[3 * i + 1]:
                stack[level] = state
                stack[level + 1] = frame
                stack[level + 2] = here_end
                stack[level + 3] = top
                stack[level + 4] = listed
                level += 5
                state = t
                frame = f
                here_end = nodes[3 * i + 1]
                top = new_top
                listed = lists[i] if here_end - i >= 16 else 0
                row = -1
            i += 1
        # hot loop ends
        self.exit_count = exit_count
        self.budget = budget
        self.marked = marked
        return 0

    @cython.cfunc
    @cython.locals(d=cython.int, k=cython.int)
    def branch(
        self, trie: TokenTrie, node: cython.int, state: cython.int, frame: cython.int, top: cython.int,
        words: cython.p_uint,
    ) -> cython.int:  # fmt: skip
        """Add the tokens at a node and below it, where its byte was read and led to `state`; returns what `walk` does.

        Nothing, where the frame has not the room that the state needs.
        """
        d = self.frames[3 * frame + 2] + self.tables.states[8 * state + 3]
        if d > self.safe:
            self.depth_matters = True
            if d > self.nesting:
                return 0
        for k in range(trie.nodes[3 * node + 2], trie.nodes[3 * node + 5]):
            d = trie.tokens[k] >> 5
            if words[d] == 0 and self.exit_limit > 0:
                self.marks[self.marked] = d
                self.marked += 1
            words[d] |= cython.cast(cython.uint, 1) << (trie.tokens[k] & 31)
        return self.walk(trie, node + 1, trie.nodes[3 * node + 1], state, frame, top, words)

    @cython.cfunc
    @cython.locals(result=cython.int, b=cython.int, t=cython.int, row=cython.int, place=cython.int)
    def read_own(
        self, trie: TokenTrie, state: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint
    ) -> cython.int:
        """Tokens of a trie whose first byte the state reads itself, by walking; returns what `walk` does.

        A default state reads by its default edge too.
        """
        tables: AutomatonTables = self.tables
        child = trie.child
        row = tables.states[8 * state]
        if row < 0:
            row = tables.expand(state)
        place = tables.states[8 * state + 1]
        blanks: cython.int = self.blanks_before(state)
        if blanks > 0 and trie is self.tokens.trie:
            self.add_blanks(blanks, words)
            return self.read_late(state, blanks, frame, top, words)
        for b in range(256):
            t = tables.next_state[row + tables.class_of[place + b]]
            if t >= 0 and child[b] >= 0:
                result = self.branch(trie, child[b], t, frame, top, words)
                if result < 0:
                    return result
            elif t < -1 and child[b] >= 0 and tables.states[8 * state + 2] == 8:
                result = self.walk(trie, child[b], trie.nodes[3 * child[b] + 1], state, frame, top, words)
                if result < 0:
                    return result
        return 0

    @cython.cfunc
    @cython.inline
    def blanks_before(self, state: cython.int) -> cython.int:
        """How many blanks at most may stand before what a structural state reads, if that is what makes it wide."""
        blanks: cython.int = -2 - self.tables.states[8 * state + 7]
        return blanks if 0 < blanks <= 16 else 0

    @cython.cfunc
    @cython.locals(k=cython.int)
    def add_blanks(self, blanks: cython.int, words: cython.p_uint) -> cython.int:
        """Add the tokens of so many blanks at most."""
        pairs = self.tokens.blank_words
        starts = self.tokens.blank_starts
        # hot loop begins
        for k in range(starts[blanks], starts[blanks + 1], 2):
            words[pairs[k]] |= pairs[k + 1]
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(b=cython.int, k=cython.int, node=cython.int, t=cython.int, result=cython.int)
    def read_late(
        self, state: cython.int, blanks: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint
    ) -> cython.int:
        """`read_own` of the vocabulary's trie for a structural state, but for the tokens of blanks alone.

        After blanks it reads what it reads now, so only the nodes are visited that stand for what it reads.
        """
        tables: AutomatonTables = self.tables
        tokens: TokenTables = self.tokens
        trie: TokenTrie = tokens.trie
        for b in range(33, 256):
            t = tables.entry(state, b)
            if t == -1:
                continue
            if t >= 0 and trie.child[b] >= 0:
                result = self.branch(trie, trie.child[b], t, frame, top, words)
                if result < 0:
                    return result
            for k in range(tokens.late_ends[17 * b], tokens.late_ends[17 * b + blanks]):
                node = tokens.late_nodes[k]
                result = self.walk(trie, node, trie.nodes[3 * node + 1], state, frame, top, words)
                if result < 0:
                    return result
        return 0

    @cython.locals(k=cython.int, node=cython.int, result=cython.int)
    def local(
        self, trie: TokenTrie, state: cython.int, depth: cython.int, words: cython.uint[::1], exits: cython.int[::1],
        count: cython.int, begins: cython.const[cython.int][::1],
    ) -> tuple[int, bool]:  # fmt: skip
        """Walk a trie on an unknown stack, for `find_local`: (exits found, whether the depth matters).

        exits: room for (node, exit) of every node of the trie; the first `count` are there already. The depth does not
        matter where the walk is the same at every depth at which `state` can be. There it has at least the room that
        the state needs, so no check fails that asks for no more than that. begins: pairs (node, state that is to read
        its byte, whatever was found there before), as `KindTrie` has them; if there are none, all that `state` reads.
        """
        result: cython.int = -1
        row: cython.p_uint = at_words(words)
        self.tables.refresh()
        self.exits = at(exits)
        self.exit_limit = len(exits) // 2
        self.blank = False
        self.depth_matters = False
        while result < 0:
            self.exit_count = count
            self.marked = 0
            self.budget = 0x3FFFFFFF
            self.safe = depth + self.tables.states[8 * state + 3]
            result = 0
            if len(begins) == 0:
                result = self.read_own(trie, state, 1 + depth, self.frame_count, row)
            for k in range(0, cython.cast(cython.int, len(begins)), 2):
                node = begins[k]
                self.clear_below(trie, node, row)
                if begins[k + 1] == 0x7FFFFFFF:  # nothing is read there
                    continue
                self.marked = 0  # words may be zero again
                result = self.walk(
                    trie, node, trie.nodes[3 * node + 1], begins[k + 1], 1 + depth, self.frame_count, row
                )
                if result < 0:
                    break
            if result < 0:
                self.grow()
        self.exit_limit = 0
        return self.exit_count, self.depth_matters

    def make(self, state: cython.int) -> None:
        """Have a state expanded, for `find_local`."""
        self.tables.refresh()
        self.tables.kind(state)

    @cython.cfunc
    @cython.locals(slot=cython.int, blank=cython.bint)
    def find(self, state: cython.int, depth: cython.int, is_wide: cython.bint) -> cython.bint:
        """Have the local mask of a state made, and enter it; False where it has none and is to be walked."""
        tables: AutomatonTables = self.tables
        blank = self.blank  # of the row that is being filled, which a walk for another mask is not about
        found = tables.find_local(self, state, depth, is_wide)
        tables.refresh()  # what was asked about may be a state that was added
        self.blank = blank
        if found is None:
            return False
        slot = len(tables.masks)
        tables.masks.append(found[0])
        if found[1]:
            tables.by_depth[cython.cast(cython.longlong, state) * (self.nesting + 1) + depth] = slot
            slot = -3
        tables.slots[state] = slot
        return True

    @cython.cfunc
    def clear(self, words: cython.p_uint) -> cython.int:
        """Make the row empty, if nothing has been written into it yet."""
        if self.blank:
            clear_words(words, self.width)
            self.blank = False
        return 0

    @cython.cfunc
    @cython.locals(k=cython.int, count=cython.int)
    def put(self, mask: LocalMask, words: cython.p_uint) -> cython.int:
        """Add the tokens of a local mask."""
        values = mask.words
        places = mask.places
        count = mask.count
        if self.blank and mask.is_dense:
            copy_words(words, values, count)
            clear_words(words + count if cython.compiled else words[count:], self.width - count)
            self.blank = False
            return 0
        self.clear(words)
        # hot loop begins
        if mask.is_dense:
            for k in range(count):
                words[k] |= values[k]
        else:
            for k in range(count):
                words[places[k]] |= values[k]
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(byte=cython.int, count=cython.int)
    def may_be_known(self, state: cython.int) -> cython.bint:
        """Whether to ask for a state's local mask before the first walk: it may be a wide state of a scalar's module.

        One that reads few bytes is narrow as a rule, and to walk it takes less time than to ask.
        """
        if self.tables.states[8 * state + 7] != -1:
            return False
        count = 0
        for byte in range(256):
            count += self.tables.entry(state, byte) >= 0
        return count >= 10

    @cython.cfunc
    @cython.locals(
        i=cython.int, k=cython.int, j=cython.int, p=cython.int, result=cython.int, slot=cython.int
    )  # fmt: skip
    def note(self, state: cython.int, depth: cython.int, top: cython.int) -> cython.int:
        """Walk from a state on an unknown stack, and note what was found; the state's slot for this depth.

        -1 where scratch ran out, -4 where the walk is not a narrow one.
        """
        tables: AutomatonTables = self.tables
        spare: list = self.tokens.spare
        if tables.note_end > 0x1000000:  # 64 MB
            return -4
        space: Scratch = spare.pop() if spare else Scratch(self.tokens.word_count, tables.narrow)
        self.exits = space.exits
        self.exit_limit = space.exit_limit
        self.exit_count = 0
        self.depth_matters = False
        self.marks = space.marks
        self.marked = 0
        self.budget = tables.narrow
        self.safe = depth + tables.states[8 * state + 3]
        tables.kind(state)  # which tells of the blanks
        blanks: cython.int = self.blanks_before(state)
        if blanks > 0:  # after an error the space is not spare
            result = self.read_late(state, blanks, 1 + depth, top, space.words)
        else:
            result = self.read_own(self.tokens.trie, state, 1 + depth, top, space.words)
        self.safe = self.nesting
        self.exit_limit = 0  # on other stacks there are none
        self.marks = self.tokens.unread_marks
        if result < 0:
            clear_words(space.words, space.size)
            spare.append(space)
            return -1 if result == -1 else -4
        scratch = space.words
        p = tables.note_end
        j = p + 3
        while tables.note_room < j + 2 * self.marked + 2 * self.exit_count:
            tables.make_note_room()
        notes = tables.notes
        # hot loop begins
        for k in range(self.marked):
            i = space.marks[k]
            notes[j] = i
            notes[j + 1] = scratch[i]
            scratch[i] = 0
            j += 2
        notes[p] = j
        notes[p + 2] = blanks
        for k in range(2 * self.exit_count):
            notes[j + k] = space.exits[k]
        # hot loop ends
        j += 2 * self.exit_count
        notes[p + 1] = j
        tables.note_end = j
        spare.append(space)
        slot = -5 - p
        if self.depth_matters:
            tables.by_depth[cython.cast(cython.longlong, state) * (self.nesting + 1) + depth] = slot
            tables.slots[state] = -3
        else:
            tables.slots[state] = slot
        return slot

    @cython.cfunc
    @cython.locals(k=cython.int, end=cython.int)
    def add_noted(self, p: cython.int, words: cython.p_uint) -> cython.int:
        """Add what was noted at `p`."""
        notes: cython.p_uint = self.tables.notes
        self.clear(words)
        end = notes[p]
        # hot loop begins
        for k in range(p + 3, end, 2):
            words[notes[k]] |= notes[k + 1]
        # hot loop ends
        if notes[p + 2] > 0:
            self.add_blanks(notes[p + 2], words)
        return 0

    @cython.cfunc
    @cython.locals(slot=cython.int, depth=cython.int)
    def add(self, state: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint) -> cython.int:
        """Add what one pair allows by itself and by returning from within a token.

        Returns -1 where scratch ran out, -2 where a local mask had to be found first: both times, begin anew.
        """
        tables: AutomatonTables = self.tables
        slot = tables.slots[state]
        depth = self.frames[3 * frame + 2]
        if slot == -1 and self.may_be_known(state) and self.find(state, depth, False):
            return -2
        if slot == -3:
            slot = tables.by_depth.get(cython.cast(cython.longlong, state) * (self.nesting + 1) + depth, -1)
        if slot == -1:
            slot = self.note(state, depth, top)
            if slot == -1:
                return -1
        self.budget = 0x3FFFFFFF
        if slot == -2:
            self.clear(words)
            return self.read_own(self.tokens.trie, state, frame, top, words)
        if slot > -5 and slot < 0:
            if not self.find(state, depth, True):
                tables.slots[state] = -2
            return -2
        if slot < 0:
            self.add_noted(-5 - slot, words)
        else:
            self.put(tables.masks[slot], words)
        if frame <= self.unknown:
            return 0
        if frame >= self.frame_count:
            return self.leave(slot, frame, top, words)
        return self.leave_again(state, slot, frame, top, words)

    @cython.cfunc
    @cython.locals(k=cython.int, p=cython.int, node=cython.int, result=cython.int, number=cython.int, ends=cython.int)
    def leave(self, slot: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint) -> cython.int:
        """Add the tokens that leave the module of a state with this slot, and go on on this frame. Returns what `walk`
        does."""
        tables: AutomatonTables = self.tables
        trie: TokenTrie = self.tokens.trie
        mask: LocalMask
        if slot >= 0:
            mask = tables.masks[slot]
            for k in range(mask.exit_count):
                trie = mask.rests[k]
                self.go_up(frame, mask.exits[k])
                result = self.walk(trie, 1, trie.count, self.state, self.frame, top, words)
                if result < 0:
                    return result
            return 0
        p = -5 - slot
        number = ends = -1
        for k in range(tables.notes[p], cython.cast(cython.int, tables.notes[p + 1]), 2):
            node = tables.notes[k]
            if cython.cast(cython.int, tables.notes[k + 1]) != number:
                number = tables.notes[k + 1]
                self.go_up(frame, number)
                ends = tables.states[8 * self.state + 2] & 3
            if ends == 0 and tables.entry(self.state, trie.nodes[3 * node]) == -1:
                continue  # most are refused at once, in less time than a walk takes to begin
            result = self.walk(trie, node, trie.nodes[3 * node + 1], self.state, self.frame, top, words)
            if result < 0:
                return result
        return 0

    @cython.cfunc
    def go_up(self, frame: cython.int, exit: cython.int) -> cython.int:
        """Be where a module returns to by an exit, and where that one does, as long as a module only ends there."""
        self.state = self.frames[3 * frame] + exit
        self.frame = self.frames[3 * frame + 1]
        while self.tables.kind(self.state) == 2 and self.frame > self.unknown:
            self.state = self.frames[3 * self.frame] + self.tables.states[8 * self.state + 6]
            self.frame = self.frames[3 * self.frame + 1]
        return 0

    @cython.cfunc
    @cython.locals(k=cython.int, m=cython.int, i=cython.int, result=cython.int, end=cython.int, few=cython.bint)
    def leave_again(
        self, state: cython.int, slot: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint
    ) -> cython.int:
        """`leave` on a frame that is kept: what is found for a state there is noted for the next time.

        memo: 1024 records of a state, a frame, and where in `left`, which has 0x4000 numbers, the pairs of a place and
        a word that is not zero begin and end. What comes to the same record, or later to the end of `left`, replaces
        what was there.
        """
        k = state * 31 + frame
        m = 4 * ((k ^ k >> 10) & 1023)
        memo = self.memo
        if memo[m] == state and memo[m + 1] == frame:
            # hot loop begins
            for k in range(memo[m + 2], memo[m + 3], 2):
                words[self.left[k]] |= self.left[k + 1]
            # hot loop ends
            return 0
        spare: list = self.tokens.spare
        space: Scratch = spare.pop() if spare else Scratch(self.tokens.word_count, self.tables.narrow)
        scratch = space.words
        self.exits = space.exits
        self.exit_limit = 1  # none are found where the whole stack is known; marks are kept
        self.exit_count = self.marked = 0
        self.marks = space.marks
        result = self.leave(slot, frame, top, scratch)
        self.exit_limit = 0
        self.marks = self.tokens.unread_marks
        if result < 0:
            clear_words(scratch, space.size)
            spare.append(space)
            return result
        few = 2 * self.marked <= 0x4000  # else there is no room for them
        if few and self.left_end + 2 * self.marked > 0x4000:
            self.forget_left()
        end = self.left_end
        # hot loop begins
        for k in range(self.marked):
            i = space.marks[k]
            words[i] |= scratch[i]
            if few:
                self.left[end] = i
                self.left[end + 1] = scratch[i]
                end += 2
            scratch[i] = 0
        # hot loop ends
        if few:
            memo[m] = state
            memo[m + 1] = frame
            memo[m + 2] = self.left_end
            memo[m + 3] = self.left_end = end
        spare.append(space)
        return 0

    @cython.cfunc
    @cython.locals(k=cython.int)
    def forget_left(self) -> cython.int:
        """Begin anew with what is noted in `left`, at first with an empty one."""
        if self.held_left is None:
            self.held_left = array("I", bytes(65536))
            self.left = at_words(self.held_left)
        for k in range(0, 4096, 4):
            self.memo[k] = -1
        self.left_end = 0
        return 0

    @cython.cfunc
    def wait(self, state: cython.int, frame: cython.int) -> cython.int:
        """Put a pair on the list of `add_closure`."""
        if self.waiting >= self.tables.pair_count:
            raise MaskError("INTERNAL", what="a byte with two meanings in an automaton that was found visible")
        self.tables.pairs[2 * self.waiting] = state
        self.tables.pairs[2 * self.waiting + 1] = frame
        self.waiting += 1
        return 0

    @cython.cfunc
    @cython.locals(kind=cython.int, first=cython.int, last=cython.int, e=cython.int, result=cython.int)
    def add_closure(self, state: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint) -> cython.int:
        """Add what a pair, what it returns to and what it calls allow. Returns what `add` does.

        At most 257 pairs wait at a time: one return (what is called has no empty word, so only the first pair and
        those that it returns to can return), and starts of modules that are not called by one another. The bytes
        that these begin with are disjoint, since each byte has one meaning, and not empty: 256 at most.
        """
        tables: AutomatonTables = self.tables
        self.waiting = 0
        self.wait(state, frame)
        while self.waiting > 0:
            self.waiting -= 1
            state = tables.pairs[2 * self.waiting]
            frame = tables.pairs[2 * self.waiting + 1]
            kind = tables.kind(state)
            if kind == 8:
                result = self.add_default(state, frame, top, words, True)
                if result < 0:
                    return result
                continue
            result = 0 if kind == 2 else self.add(state, frame, top, words)
            if result < 0:
                return result
            if kind & 3 and frame > self.unknown:
                self.wait(self.frames[3 * frame] + tables.states[8 * state + 6], self.frames[3 * frame + 1])
            first = 4 * tables.states[8 * state + 4]
            last = first + 4 * tables.states[8 * state + 5]
            while first < last:
                e = self.fitting(first, frame)
                while tables.edges[first + 3] & 2:
                    first += 4
                first += 4
                if e < 0:
                    continue
                if tables.edges[e + 3] & 1:
                    self.wait(tables.edges[e], frame)
                    continue
                if top >= self.frame_limit:
                    return -1
                self.frames[3 * top] = tables.edges[e + 1]
                self.frames[3 * top + 1] = frame
                self.frames[3 * top + 2] = self.levels_inside(e, frame)
                self.wait(tables.edges[e], top)
                top += 1
        return 0

    @cython.cfunc
    @cython.locals(e=cython.int, d=cython.int, result=cython.int, inner=cython.int, start=cython.int)
    def add_default(
        self, state: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint, beside: cython.bint
    ) -> cython.int:
        """Add what a default state allows: what its default edge calls, corrected. Returns what `add` does.

        beside: other pairs wait in `add_closure`, none of which adds tokens with the first bytes of these. Then what is
        called may not call in turn, else both are walked.
        """
        tables: AutomatonTables = self.tables
        inner = frame
        e = 4 * tables.states[8 * state + 7]
        start = tables.edges[e]
        d = self.levels_inside(e, frame)
        if d < 0 or (beside and (tables.kind(start) != 0 or tables.states[8 * start + 5] > 0)):
            return self.add(state, frame, top, words)
        if tables.edges[e + 3] & 1 == 0:
            if top >= self.frame_limit:
                return -1
            self.frames[3 * top] = tables.edges[e + 1]
            self.frames[3 * top + 1] = frame
            self.frames[3 * top + 2] = d
            inner = top
            top += 1
        result = self.add(start, inner, top, words) if beside else self.add_closure(start, inner, top, words)
        if result < 0:
            return result
        return self.correct(self.patches(state, self.frames[3 * frame + 2]), frame, top, words)

    @cython.cfunc
    @cython.locals(i=cython.int)
    def clear_below(self, trie: TokenTrie, node: cython.int, words: cython.p_uint) -> cython.int:
        """Take out the tokens at a node and below it."""
        nodes = trie.nodes
        tokens = trie.tokens
        # hot loop begins
        for i in range(nodes[3 * node + 2], nodes[3 * nodes[3 * node + 1] + 2]):
            words[tokens[i] >> 5] &= ~(cython.cast(cython.uint, 1) << (tokens[i] & 31))
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(k=cython.int, node=cython.int, after=cython.int, result=cython.int)
    def correct(self, place: cython.int, frame: cython.int, top: cython.int, words: cython.p_uint) -> cython.int:
        """Clear what is below the nodes of patches, and walk it from the states there. Returns what `walk` does."""
        tables: AutomatonTables = self.tables
        self.budget = 0x3FFFFFFF
        for k in range(place + 2, tables.patch_numbers[place], 2):
            node = tables.patch_numbers[k]
            after = tables.patch_numbers[k + 1]
            self.clear_below(self.tokens.trie, node, words)
            if after >= 0:
                result = self.branch(self.tokens.trie, node, after, frame, top, words)
                if result < 0:
                    return result
        return 0

    @cython.cfunc
    @cython.locals(b=cython.int, node=cython.int, place=cython.int, end=cython.int, t=cython.int, e=cython.int)
    def patches(self, state: cython.int, depth: cython.int) -> cython.int:
        """Where those of a default state in a frame of this depth are: kept ones, or new ones, which are kept."""
        tables: AutomatonTables = self.tables
        place = tables.patches.get(state, -1)
        if place >= 0 and depth <= tables.patch_numbers[place + 1]:
            return place
        place = tables.patch_end
        end = place + 2
        self.levels = self.nesting
        e = tables.states[8 * state + 7]
        inner: cython.int = tables.edges[4 * e]
        refuses: cython.bint = tables.kind(inner) & 3 == 0
        for b in range(256):
            t = tables.entry(state, b)
            if t == -2 - e or (t == -1 and refuses and tables.entry(inner, b) == -1):
                continue  # as `differ` would find, in more time
            node = self.tokens.trie.child[b]
            if node >= 0:
                end = self.differ(node, state, depth, end)
        tables.put_patch(place, end)
        tables.put_patch(place + 1, self.levels)
        if self.levels >= depth and end < 0x400000:  # 16 MB; those that are not kept are written over
            tables.patch_end = end
            tables.patches[state] = place
        return place

    @cython.cfunc
    @cython.locals(
        b=cython.int, t=cython.int, e=cython.int, moved=cython.int, need=cython.int, end=cython.int, after=cython.int
    )  # fmt: skip
    def differ(self, node: cython.int, state: cython.int, depth: cython.int, place: cython.int) -> cython.int:
        """Note where, at a node and below, a default state moves differently from what it calls.

        The state goes down the trie, and beside it what is called there (`inner`). Where both read on in the same way,
        the bits below are right, and where the state comes to one of its kind they are right but further down.
        `levels` becomes how many may be open for this to hold, less than `depth` where it holds for that depth only.
        place: where to write; returns where that ended.
        """
        tables: AutomatonTables = self.tables
        trie: TokenTrie = self.tokens.trie
        nodes = trie.nodes
        descent = tables.descent
        last: cython.int = nodes[3 * node + 1]
        end = last
        level: cython.int = 0
        listed: cython.int = 0  # the place of the node in a list, 0 for none, as in `walk`
        inner: cython.int = tables.edges[4 * tables.states[8 * state + 7]]
        while node < last:
            while node >= end:
                level -= 4
                state = descent[level]
                inner = descent[level + 1]
                end = descent[level + 2]
                listed = descent[level + 3]
            e = tables.states[8 * state + 7]
            if listed > 0:
                b = trie.list_bytes[listed]
                while b > 0 and tables.entry(state, b) == -2 - e:  # the end of the list is a zero too
                    listed += 1
                    b = trie.list_bytes[listed]
                node = trie.list_nodes[listed]
                if node >= end:
                    continue
                listed += 1
                after = trie.list_nodes[listed]
            else:
                b = nodes[3 * node]
                after = nodes[3 * node + 1]
            t = tables.entry(state, b)
            if t == -2 - e or (t == -1 and tables.entry(inner, b) == -1 and tables.kind(inner) & 3 == 0):
                node = after
                continue
            if t >= 0 and tables.kind(t) == 8:
                moved = tables.entry(inner, b)
                if self.goes_on(e, tables.states[8 * t + 7], moved):
                    need = max(tables.states[8 * t + 3], tables.edges[4 * e + 2] + tables.states[8 * moved + 3])
                    self.levels = min(self.levels, self.nesting - need)
                    if depth + need <= self.nesting:
                        descent[level] = state
                        descent[level + 1] = inner
                        descent[level + 2] = end
                        descent[level + 3] = listed
                        level += 4
                        state = t
                        inner = moved
                        end = after
                        listed = trie.lists[node]
                        node += 1
                        continue
            tables.put_patch(place, node)
            tables.put_patch(place + 1, t)
            place += 2
            node = after
        return place

    @cython.cfunc
    @cython.inline
    def goes_on(self, before: cython.int, after: cython.int, start: cython.int) -> cython.bint:
        """Whether one default edge is another whose call has come to the state `start`."""
        edges = self.tables.edges
        return (
            edges[4 * after] == start
            and edges[4 * after + 1] == edges[4 * before + 1]
            and edges[4 * after + 2] == edges[4 * before + 2]
            and edges[4 * after + 3] == edges[4 * before + 3]
        )

    @cython.cfunc
    @cython.locals(k=cython.int, t=cython.int, result=cython.int)
    def make_words(
        self, state: cython.int, frame: cython.int, words: cython.p_uint, width: cython.Py_ssize_t
    ) -> cython.int:
        """Put the mask of (state, frame) into a row of words; what is beyond the vocabulary is zero."""
        result = -1
        self.width = width
        self.exit_limit = 0  # an error may have left it, and a place for marks that is gone
        self.marks = self.tokens.unread_marks
        while result < 0:
            self.blank = True
            self.safe = self.nesting
            if self.tables.kind(state) == 8:
                result = self.add_default(state, frame, self.frame_count, words, False)
            else:
                result = self.add_closure(state, frame, self.frame_count, words)
            if result == -1:
                self.grow()
        self.clear(words)
        if self.accepts(state, frame):
            for k in range(self.tokens.end_count):
                t = self.tokens.ends[k]
                words[t >> 5] |= cython.cast(cython.uint, 1) << (t & 31)
        return 0


if cython.compiled:  # a buffer that is taken by its parameter's type, as elsewhere, costs 0.3 us

    @cython.cfunc
    def get_rows(bitmask: object, buffer: cython.pointer[Py_buffer]) -> cython.int:
        """Take a writable buffer of rows of 32-bit integers, as `int32_rows` does; ValueError for any other."""
        PyObject_GetBuffer(bitmask, buffer, 0x3D)  # writable, with a format, in C order
        if buffer.ndim != 2 or buffer.itemsize != 4 or (buffer.format[0] != b"i" and buffer.format[0] != b"l"):
            PyBuffer_Release(buffer)
            raise ValueError("not rows of 32-bit integers")
        return 0

    @cython.cfunc
    def row_of(buffer: cython.pointer[Py_buffer], index: cython.Py_ssize_t, cursor: VisibleCursor) -> cython.p_uint:
        """Where a row begins; ValueError where it is not there or too short."""
        if index < 0 or index >= buffer.shape[0] or buffer.shape[1] < cursor.machine.tokens.word_count:
            raise ValueError("no such row")
        return cython.cast(cython.p_uint, buffer.buf) + index * buffer.shape[1]


@cython.final
@cython.cclass
class VisibleCursor:
    """One text on its way through a machine: the (state, frame) pair, and those before each step.

    register: what is known of noted calls, None where nothing is; `watchful` where each step may change it, else those
    that end what is `depth` levels deep; `hot` where it may take tokens out of the mask. mode: the follower's: 0 for an
    ordinary cursor.

    An error in the middle of a call, such as that of a source that may not grow further, leaves a cursor where it was.
    """

    machine = cython.declare(VisibleMachine, visibility="readonly")
    steps: list
    state = cython.declare(cython.int, visibility="readonly")
    frame = cython.declare(cython.int, visibility="readonly")
    register = cython.declare(object, visibility="public")
    mode = cython.declare(cython.int, visibility="public")

    def __init__(self, machine: VisibleMachine, state: cython.int) -> None:
        """A cursor in a state at the bottom of the stack."""
        self.machine = machine
        self.steps = []
        self.state = state
        self.frame = 0
        self.register = None
        self.mode = 0
        self.take(machine.tokens.token_bytes, 0, 0)
        self.steps.clear()

    @cython.cfunc
    @cython.locals(
        first=cython.Py_ssize_t, last=cython.Py_ssize_t, k=cython.Py_ssize_t, state=cython.int, frame=cython.int,
        low=cython.int,
    )  # fmt: skip
    def take(self, data: cython.p_const_uchar, first, last) -> cython.bint:
        """Take data[first:last] as one step; False, and no change, where it does not fit."""
        machine: VisibleMachine = self.machine
        tables: AutomatonTables = machine.tables
        notes: object = None
        tables.enter()
        try:
            machine.state = self.state
            machine.frame = self.frame
            machine.low = 0x3FFFFFFF
            for k in range(first, last):
                machine.noted = -1
                if not machine.read(data[k]):
                    return False
                if machine.noted >= 0:
                    notes = [] if notes is None else notes
                    notes.append((k - first, machine.noted >> 2, machine.noting, self.depth_of_note(), machine.low))
                    machine.low = 0x3FFFFFFF
            machine.settle()
            state = machine.state
            frame = machine.frame
            low = machine.low
        finally:
            tables.leave()
        register: object = self.register
        if notes is not None or register is not None:
            if tables.follower is not None and (notes is not None or register.watchful):
                register = self.followed(data, first, last, state, frame, notes, low)
                if register is False:
                    return False
            else:
                while register is not None and low < register.depth:
                    register = register.parent
        before: cython.longlong = cython.cast(cython.longlong, self.state) << 32 | self.frame
        if self.register is None:
            self.steps.append(before)  # a number is nothing that the collector looks at
        else:
            self.steps.append((before, self.register))
        self.state = state
        self.frame = frame
        self.register = register
        return True

    @cython.cfunc
    def depth_of_note(self) -> cython.int:
        """Levels open around what a noted call that was just made is about."""
        machine: VisibleMachine = self.machine
        frame: cython.int = machine.frame
        after: cython.int = machine.tables.edges[machine.noted + 1]
        while machine.frames[3 * frame] != after:
            frame = machine.frames[3 * frame + 1]
        return machine.frames[3 * machine.frames[3 * frame + 1] + 2]

    @cython.cfunc
    def followed(
        self, data: cython.p_const_uchar, first: cython.Py_ssize_t, last: cython.Py_ssize_t, state: cython.int,
        frame: cython.int, notes: object, low: cython.int,
    ):  # fmt: skip
        """The register after a step to (state, frame), False where the step may not be taken."""
        after: VisibleCursor = self.at(state, frame)
        if cython.compiled:
            text: bytes = cython.cast(cython.p_char, data)[first:last]
        else:
            text = bytes(data[first:last])
        return self.machine.tables.follower.follow(self, after, text, notes or (), low)

    @cython.cfunc
    def at(self, state: cython.int, frame: cython.int) -> VisibleCursor:
        """A cursor in another place of the same text."""
        other: VisibleCursor = VisibleCursor.__new__(VisibleCursor)
        other.machine = self.machine
        other.steps = []
        other.state = state
        other.frame = frame
        other.register = self.register
        other.mode = self.mode
        return other

    def accept_token(self, token: cython.Py_ssize_t) -> bool:
        """Take a token by its bytes; False, and no change, where they do not fit or there are none."""
        tokens: TokenTables = self.machine.tokens
        starts = tokens.token_starts
        if token < 0 or token >= tokens.token_count or starts[token] == starts[token + 1]:
            return False
        return self.take(tokens.token_bytes, starts[token], starts[token + 1])

    def accept_bytes(self, data: cython.const[cython.uchar][::1]) -> bool:
        """Take bytes as one step; False, and no change, where they do not fit."""
        return self.take(at_bytes(data), 0, len(data))

    def copy(self) -> VisibleCursor:
        """An independent cursor in the same place."""
        other: VisibleCursor = self.at(self.state, self.frame)
        other.steps = list(self.steps)
        return other

    @cython.locals(byte=cython.int)
    def reads(self) -> bytes:
        """The bytes that the automaton takes next, for the follower."""
        machine: VisibleMachine = self.machine
        found = bytearray()
        machine.tables.enter()
        try:
            for byte in range(256):
                machine.state = self.state
                machine.frame = self.frame
                if machine.read(byte):
                    found.append(byte)
        finally:
            machine.tables.leave()
        return bytes(found)

    def probe(self, mode: cython.int) -> VisibleCursor:
        """The same with no steps behind it, for the follower."""
        other: VisibleCursor = self.at(self.state, self.frame)
        other.mode = mode
        return other

    def fill(self, bitmask: Any, index: cython.Py_ssize_t) -> None:
        """Write the allowed tokens into row `index` of a two-dimensional int32 buffer.

        ValueError where it is none or has no such row. After any other error nothing is allowed.
        """
        if cython.compiled:
            buffer: Py_buffer
            get_rows(bitmask, cython.address(buffer))
            try:
                self.fill_words(row_of(cython.address(buffer), index, self), buffer.shape[1])
            finally:
                PyBuffer_Release(cython.address(buffer))
        else:
            rows = int32_rows(bitmask)
            if index < 0 or index >= rows.shape[0] or rows.shape[1] < self.machine.tokens.word_count:
                raise ValueError("no such row")
            self.fill_words(uint32_row(rows, index), rows.shape[1])

    @staticmethod
    def fill_batch(cursors: list, bitmask: Any, indices: list) -> None:
        """The same for many cursors, each into its row."""
        k: cython.Py_ssize_t
        cursor: VisibleCursor
        if cython.compiled:
            buffer: Py_buffer
            get_rows(bitmask, cython.address(buffer))
            try:
                for k in range(len(cursors)):
                    cursor = cursors[k]
                    cursor.fill_words(row_of(cython.address(buffer), indices[k], cursor), buffer.shape[1])
            finally:
                PyBuffer_Release(cython.address(buffer))
        else:
            for k in range(len(cursors)):
                cursors[k].fill(bitmask, indices[k])

    @cython.cfunc
    def fill_words(self, words: cython.p_uint, width: cython.Py_ssize_t) -> cython.int:
        """Write the allowed tokens into a row of words."""
        machine: VisibleMachine = self.machine
        place: cython.Py_ssize_t
        machine.tables.enter()
        try:
            machine.make_words(self.state, self.frame, words, width)
        except BaseException:
            for place in range(width):
                words[place] = 0
            raise
        finally:
            machine.tables.leave()
        if machine.tables.follower is not None and self.is_doubtful(words):
            self.take_out(words, width)
        return 0

    @cython.cfunc
    @cython.locals(token=cython.int)
    def is_doubtful(self, words: cython.p_uint) -> cython.bint:
        """Whether a mask may have tokens that the follower takes out."""
        if self.register is not None and self.register.hot:
            return True
        for token in self.machine.tables.follower.doubles:
            if words[token >> 5] >> (token & 31) & 1:
                return True
        return False

    @cython.cfunc
    @cython.locals(token=cython.Py_ssize_t, place=cython.Py_ssize_t)
    def take_out(self, words: cython.p_uint, width: cython.Py_ssize_t) -> cython.int:
        """Take the tokens out of a mask that the register does not allow."""
        follower: object = self.machine.tables.follower
        try:
            found: object = follower.few(self)
            sure: cython.bint = found is None
            if sure:
                if cython.compiled:
                    data: bytes = cython.cast(cython.p_char, words)[: 4 * width]
                else:
                    data = bytes(words)
                found = follower.banned(self, array("I", data))
            for token in found:
                if words[token >> 5] >> (token & 31) & 1 and (sure or not self.probe(0).accept_token(token)):
                    words[token >> 5] &= ~(cython.cast(cython.uint, 1) << (token & 31)) & 0xFFFFFFFF
        except BaseException:
            for place in range(width):
                words[place] = 0
            raise
        return 0

    def fill_row(self, row: memoryview) -> None:
        """The same for a row of unsigned words by itself."""
        self.fill(row.cast("B").cast("i", (1, len(row))), 0)

    def rollback(self, count: cython.int) -> None:
        """Undo steps (as many as were taken at most)."""
        while count > 0:
            step: object = self.steps.pop()
            self.register = None
            if isinstance(step, tuple):
                step, self.register = step
            before: cython.longlong = step
            self.state = cython.cast(cython.int, before >> 32)
            self.frame = cython.cast(cython.int, before & 0x7FFFFFFF)
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
        machine: VisibleMachine = self.machine
        machine.tables.enter()
        try:
            return machine.accepts(self.state, self.frame)
        finally:
            machine.tables.leave()
