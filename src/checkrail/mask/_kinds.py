# cython: language_level=3
"""Walks of tries in which bytes of one kind are one byte (`kind_tries`), and how such a trie is made.

Ordinary Python that also compiles to C, as `_kernel.py`, which says more.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
    from cython.cimports.checkrail.mask._pointers import at, at_bytes, at_const
else:
    from .. import _cython_shim as cython

if not cython.compiled:
    from .._cython_shim import at, at_bytes, at_const

COMPILED: bool = cython.compiled


@cython.locals(
    i=cython.int, k=cython.int, t=cython.int, count=cython.int, level=cython.int, above=cython.int, child=cython.int,
    before=cython.int, here=cython.int, made=cython.int, place=cython.int,
)  # fmt: skip
def merge_kinds(
    nodes: cython.const[cython.int][::1],
    tokens: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    depth: cython.int,
) -> tuple[bytearray, array[int], array[int], array[int], bytearray, array[int], array[int]]:
    """A trie whose longest text has `depth` bytes, with bytes of one kind taken for one, as `KindTrie` describes it.

    Returns kinds, children, members, member_nodes, member_bytes, token_starts, tokens. Of one node the latter stand in
    the order of the bytes into them, and else of the trie.
    """
    count = len(nodes) // 3 - 1
    # fields of a node: kind, first child, next sibling, last child, its place in the order, tokens
    link: cython.int[::1] = array("i", bytes(24 * count))
    node_of: cython.int[::1] = array("i", bytes(4 * count))
    path: cython.int[::1] = array("i", bytes(8 * depth + 16))  # node, where the subtree of the trie ends
    path[1] = count
    level = 0
    made = 1
    # hot loop begins
    for i in range(1, count):
        while i >= path[2 * level + 1]:
            level -= 1
        above = path[2 * level]
        k = kinds[nodes[3 * i]]
        before = 0
        child = link[6 * above + 1]
        while child > 0 and link[6 * child] != k:
            before = child
            child = link[6 * child + 2]
        if child == 0:
            child = made
            made += 1
            link[6 * child] = k
            if before == 0:
                link[6 * above + 1] = child
            else:
                link[6 * before + 2] = child
        node_of[i] = child
        if i + 1 < nodes[3 * i + 1]:
            level += 1
            path[2 * level] = child
            path[2 * level + 1] = nodes[3 * i + 1]
    # hot loop ends
    own_kinds = bytearray(made)
    children = array("i", bytes(4 * made + 4))
    members = array("i", bytes(4 * made + 4))
    token_starts = array("i", bytes(4 * made + 4))
    member_nodes = array("i", bytes(4 * count))
    member_bytes = bytearray(count)
    ordered = array("i", bytes(4 * len(tokens)))
    kind_at: cython.uchar[::1] = own_kinds
    child_at: cython.int[::1] = children
    member_at: cython.int[::1] = members
    token_at: cython.int[::1] = token_starts
    member: cython.int[::1] = member_nodes
    member_byte: cython.uchar[::1] = member_bytes
    order: cython.int[::1] = ordered
    queue: cython.int[::1] = array("i", bytes(4 * made))
    by_byte: cython.int[::1] = array("i", bytes(4 * count))
    firsts: cython.int[::1] = array("i", bytes(4 * 257))
    place = 1
    # hot loop begins
    for k in range(made):  # the queue holds the nodes in their order
        here = queue[k]
        link[6 * here + 4] = k
        kind_at[k] = link[6 * here]
        child_at[k] = place
        child = link[6 * here + 1]
        while child > 0:
            queue[place] = child
            place += 1
            child = link[6 * child + 2]
    child_at[made] = made
    for i in range(1, count):
        node_of[i] = link[6 * node_of[i] + 4]
        member_at[node_of[i] + 1] += 1
        token_at[node_of[i] + 1] += nodes[3 * i + 5] - nodes[3 * i + 2]
        firsts[nodes[3 * i] + 1] += 1
    for k in range(256):
        firsts[k + 1] += firsts[k]
    for k in range(made):
        member_at[k + 1] += member_at[k]
        token_at[k + 1] += token_at[k]
        link[2 * k] = member_at[k]
        link[2 * k + 1] = token_at[k]
    for i in range(1, count):
        by_byte[firsts[nodes[3 * i]]] = i
        firsts[nodes[3 * i]] += 1
    for k in range(count - 1):
        i = by_byte[k]
        here = node_of[i]
        member[link[2 * here]] = i
        member_byte[link[2 * here]] = nodes[3 * i]
        link[2 * here] += 1
        for t in range(nodes[3 * i + 2], nodes[3 * i + 5]):
            order[link[2 * here + 1]] = tokens[t]
            link[2 * here + 1] += 1
    # hot loop ends
    return own_kinds, children, members, member_nodes, member_bytes, token_starts, ordered


@cython.locals(i=cython.int, k=cython.int, c=cython.int, count=cython.int, number=cython.int, total=cython.int)
def list_by_kinds(
    kinds: cython.const[cython.uchar][::1],
    children: cython.const[cython.int][::1],
    width: cython.int,
    least: cython.int,
) -> tuple[array[int], array[int], array[int], array[int]]:
    """The nodes below each of the root's children that has `least` nodes below it, by their kinds.

    Returns a number for each such child (-1 for the root's others); where those of a kind below the one with number n
    begin, at n * width + kind; the nodes; and the kinds of bytes between the child and the node, as bits.
    """
    count = len(kinds)
    roots: cython.int = children[1]
    root_of: cython.int[::1] = array("i", bytes(4 * count))
    sizes: cython.int[::1] = array("i", bytes(4 * roots))
    above: cython.ulonglong[::1] = array("Q", bytes(8 * count))
    numbers_array = array("i", [-1]) * roots
    numbers: cython.int[::1] = numbers_array
    number = 0
    # hot loop begins
    for i in range(1, count):
        if i < roots:
            root_of[i] = i
        sizes[root_of[i]] += 1
        for c in range(children[i], children[i + 1]):
            root_of[c] = root_of[i]
            above[c] = above[i]
            if i >= roots:
                above[c] |= cython.cast(cython.ulonglong, 1) << kinds[i]
    for i in range(1, roots):
        if sizes[i] > least:
            numbers[i] = number
            number += 1
    # hot loop ends
    total = number * width
    starts_array = array("i", bytes(4 * total + 4))
    starts: cython.int[::1] = starts_array
    following: cython.int[::1] = array("i", bytes(4 * total + 4))
    # hot loop begins
    for i in range(roots, count):
        number = numbers[root_of[i]]
        if number >= 0:
            starts[number * width + kinds[i] + 1] += 1
    for k in range(total):
        starts[k + 1] += starts[k]
        following[k] = starts[k]
    # hot loop ends
    listed_array = array("i", bytes(4 * starts[total] + 4))
    before_array = array("Q", bytes(8 * starts[total] + 8))
    listed: cython.int[::1] = listed_array
    before: cython.ulonglong[::1] = before_array
    # hot loop begins
    for i in range(roots, count):
        number = numbers[root_of[i]]
        if number >= 0:
            k = number * width + kinds[i]
            listed[following[k]] = i
            before[following[k]] = above[i]
            following[k] += 1
    # hot loop ends
    return numbers_array, starts_array, listed_array, before_array


@cython.locals(i=cython.int, k=cython.int, n=cython.int, width=cython.int, number=cython.int)
def add_of_kinds(trie: object, node: cython.int, looping: cython.ulonglong, words: cython.uint[::1]) -> None:
    """Add the tokens of a `KindTrie` that are below one of the root's children with many nodes below it and go on with
    bytes of these kinds alone."""
    token_starts: cython.const[cython.int][::1] = trie.token_starts
    tokens: cython.const[cython.int][::1] = trie.tokens
    starts: cython.const[cython.int][::1] = trie.lists[1]
    listed: cython.const[cython.int][::1] = trie.lists[2]
    before: cython.const[cython.ulonglong][::1] = trie.lists[3]
    number = trie.lists[0][node]
    width = trie.width
    # hot loop begins
    for k in range(width):
        if looping >> k & 1 == 0:
            continue
        for n in range(starts[number * width + k], starts[number * width + k + 1]):
            if before[n] & ~looping == 0:
                for i in range(token_starts[listed[n]], token_starts[listed[n] + 1]):
                    words[tokens[i] >> 5] |= cython.cast(cython.uint, 1) << (tokens[i] & 31)
    # hot loop ends


@cython.locals(i=cython.int, j=cython.int, k=cython.int)
def put_in_order(exits: cython.int[::1], middle: cython.int, count: cython.int) -> None:
    """Of the first `count` pairs make one ascending row, which are two: those before `middle`, and the others."""
    i = middle
    j = count - middle
    others: cython.int[::1] = array("i", bytes(8 * j))
    # hot loop begins
    for k in range(2 * j):
        others[k] = exits[2 * middle + k]
    k = count
    while j > 0:
        k -= 1
        if i > 0 and exits[2 * i - 2] > others[2 * j - 2]:
            i -= 1
            exits[2 * k] = exits[2 * i]
            exits[2 * k + 1] = exits[2 * i + 1]
        else:
            j -= 1
            exits[2 * k] = others[2 * j]
            exits[2 * k + 1] = others[2 * j + 1]
    # hot loop ends


@cython.final
@cython.cclass
class KindWalk:
    """Work space for walks of one `KindTrie`, for one at a time.

    rows: `width` entries for each state that the walk came to, in that order: what it does on most bytes of a kind.
    0: the module may be left there, 1: nothing, 2 + n: on to the state with number n; 0x40000000 more where it does
    something else on others; -1: not looked at yet. odd: 256 entries for each state, 1 for these others. states: what
    each state is. ordered, starts: the bytes by their kinds.
    pending: nodes that are to be read, from one to another, and the number of the state that reads them.
    marked: bits, and found: for the nodes of the trie the state that is to read the byte, 0x7FFFFFFF for none, or -1
    less the exit at which it is to be read.
    """

    trie: object
    trie_nodes: cython.p_const_int
    kinds: cython.p_const_uchar
    children: cython.p_const_int
    members: cython.p_const_int
    member_nodes: cython.p_const_int
    member_bytes: cython.p_const_uchar
    token_starts: cython.p_const_int
    tokens: cython.p_const_int
    list_numbers: cython.p_const_int
    list_starts: cython.p_const_int
    listed: cython.p_const_int
    before: cython.const[cython.ulonglong][::1]
    ordered: cython.p_const_uchar
    starts: cython.p_const_int
    width: cython.int
    rows: cython.p_int
    odd: cython.uchar[::1]
    states: cython.p_int
    pending: cython.p_int
    waiting: cython.int
    marked: cython.ulonglong[::1]
    found: cython.p_int
    numbers: dict
    last_state: cython.int
    last_number: cython.int
    known: cython.int
    room: cython.int
    parts: tuple
    held: tuple
    # of the walk that is under way
    machine: object
    source: object
    generation: cython.int
    levels: cython.int
    views: tuple
    records: cython.p_const_int
    next_state: cython.p_const_int
    class_of: cython.p_const_uchar
    map_place: cython.int
    is_apart: cython.uchar[::1]

    def __init__(self, trie: object, trie_nodes: object, kinds: bytes) -> None:
        """trie: the `KindTrie` of a trie with these nodes. kinds: of bytes."""
        self.trie = trie
        ordered = bytes(sorted(range(256), key=kinds.__getitem__))
        starts = array("i", [sum(kind < k for kind in kinds) for k in range(trie.width + 1)])
        pending = array("i", bytes(12 * len(trie.kinds)))
        found = array("i", bytes(4 * trie_nodes[1]))
        self.parts = (trie_nodes, trie.lists, ordered, starts, pending, found)
        self.trie_nodes = at_const(trie_nodes)
        self.kinds = at_bytes(trie.kinds)
        self.children = at_const(trie.children)
        self.members = at_const(trie.members)
        self.member_nodes = at_const(trie.member_nodes)
        self.member_bytes = at_bytes(trie.member_bytes)
        self.token_starts = at_const(trie.token_starts)
        self.tokens = at_const(trie.tokens)
        self.list_numbers = at_const(trie.lists[0])
        self.list_starts = at_const(trie.lists[1])
        self.listed = at_const(trie.lists[2])
        self.before = trie.lists[3]
        self.ordered = at_bytes(ordered)
        self.starts = at_const(starts)
        self.pending = at(pending)
        self.found = at(found)
        self.width = trie.width
        self.marked = array("Q", bytes(8 * (trie_nodes[1] // 64 + 1)))
        self.is_apart = bytearray(self.width)
        self.numbers = {}
        self.machine = self.source = None
        self.waiting = self.generation = self.levels = self.room = self.known = 0
        self.map_place = self.last_state = self.last_number = -1
        self.held = (array("i"), array("i"), array("B"))
        self.views = ()
        self.make_room()

    @cython.cfunc
    def make_room(self) -> cython.int:
        """Make twice the room for states."""
        more = max(self.room, 32)
        kept = self.held
        sizes = (4 * self.width, 4, 256)
        self.held = tuple([kept[k] + array(kept[k].typecode, bytes(more * size)) for k, size in enumerate(sizes)])
        self.rows = at(self.held[0])
        self.states = at(self.held[1])
        self.odd = self.held[2]
        self.room += more
        return 0

    @cython.cfunc
    @cython.locals(number=cython.int, k=cython.int)
    def number_of(self, state: cython.int) -> cython.int:
        """The number of a state in this walk."""
        if state == self.last_state:
            return self.last_number
        number = self.numbers.setdefault(state, self.known)
        self.last_state = state
        self.last_number = number
        if number < self.known:
            return number
        if number >= self.room:
            self.make_room()
        self.known = number + 1
        self.states[number] = state
        for k in range(self.width):
            self.rows[number * self.width + k] = -1
        return number

    @cython.cfunc
    def refresh(self) -> cython.int:
        """Take the arrays of the source, which may have been replaced."""
        self.generation = self.source.generation
        self.views = (self.source.states, self.source.next_state, self.source.class_of)
        self.records = at_const(memoryview(self.views[0]))
        self.next_state = at_const(memoryview(self.views[1]))
        self.class_of = at_bytes(memoryview(self.views[2]))
        return 0

    @cython.cfunc
    @cython.locals(i=cython.int, k=cython.int, first=cython.int)
    def look_at_map(self, place: cython.int) -> cython.int:
        """See of which kinds a class map tells bytes apart."""
        self.map_place = place
        # hot loop begins
        for k in range(self.width):
            first = self.class_of[place + self.ordered[self.starts[k]]]
            self.is_apart[k] = 0
            for i in range(self.starts[k] + 1, self.starts[k + 1]):
                if self.class_of[place + self.ordered[i]] != first:
                    self.is_apart[k] = 1
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(
        b=cython.int, j=cython.int, i=cython.int, t=cython.int, first=cython.int, last=cython.int, best=cython.int,
        most=cython.int, times=cython.int, state=cython.int, row=cython.int, place=cython.int, what=cython.int,
    )  # fmt: skip
    def entry(self, here: cython.int, kind: cython.int) -> cython.int:
        """Find what a state does on bytes of a kind. What needs more levels than `levels`, or calls a module, is left
        to the other walk."""
        state = self.states[here]
        row = self.records[8 * state]
        if row < 0:
            self.machine.make(state)
            if self.source.generation != self.generation:
                self.refresh()
            row = self.records[8 * state]
        place = self.records[8 * state + 1]
        records = self.records
        next_state = self.next_state
        class_of = self.class_of
        ordered = self.ordered
        first = self.starts[kind]
        last = self.starts[kind + 1]
        b = ordered[first]
        best = next_state[row + class_of[place + b]]
        most = last - first
        if place != self.map_place:
            self.look_at_map(place)
        if self.is_apart[kind]:
            most = 1
            # hot loop begins
            for i in range(first + 1, last):
                most += next_state[row + class_of[place + ordered[i]]] == best
            # hot loop ends
        what = 0
        if most < last - first or best < -1 or (best >= 0 and records[8 * best + 3] > self.levels):
            what = 0x40000000
            best = -1
            most = 0
            # hot loop begins
            for i in range(first, last):
                t = next_state[row + class_of[place + ordered[i]]]
                if t < -1 or (t >= 0 and records[8 * t + 3] > self.levels) or (t == best and most > 0):
                    continue
                times = 0
                for j in range(i, last):
                    times += next_state[row + class_of[place + ordered[j]]] == t
                if times > most:
                    most = times
                    best = t
            for i in range(first, last):
                b = ordered[i]
                self.odd[256 * here + b] = next_state[row + class_of[place + b]] != best or most == 0
            # hot loop ends
        if best < 0:
            what |= 0 if records[8 * state + 2] & 3 else 1
        else:
            what |= 2 + self.number_of(best)
        self.rows[here * self.width + kind] = what
        return what

    @cython.cfunc
    @cython.inline
    def mark(self, node: cython.int, what: cython.int) -> cython.int:
        """Note what is to be done at a node of the trie."""
        self.marked[node >> 6] |= cython.cast(cython.ulonglong, 1) << (node & 63)
        self.found[node] = what
        return 0

    @cython.cfunc
    @cython.locals(
        m=cython.int, i=cython.int, first=cython.int, last=cython.int, low=cython.int, high=cython.int,
        middle=cython.int, byte=cython.int, row=cython.int, place=cython.int,
    )  # fmt: skip
    def mark_odd(self, node: cython.int, here: cython.int, is_first: cython.bint) -> cython.int:
        """Mark the nodes that a node stands for on whose byte a state does not do what it does on most.

        is_first: it is the first byte of the walk. What is called there is none of its business, as what is returned
        to (but for a default state): then nothing is to be read.
        """
        members = self.member_nodes
        member_bytes = self.member_bytes
        state: cython.int = self.states[here]
        row = self.records[8 * state]
        place = self.records[8 * state + 1]
        is_first = is_first and self.records[8 * state + 2] != 8
        first = self.members[node]
        last = self.members[node + 1]
        # hot loop begins
        if last - first < 32 and not is_first:
            for m in range(first, last):
                if self.odd[256 * here + member_bytes[m]]:
                    self.mark(members[m], state)
            return 0
        for i in range(self.starts[self.kinds[node]], self.starts[self.kinds[node] + 1]):
            byte = self.ordered[i]
            if is_first:
                state = self.states[here]
                if self.next_state[row + self.class_of[place + byte]] < 0:
                    state = 0x7FFFFFFF
            if self.odd[256 * here + byte] == 0:
                continue
            low = first
            high = last
            while low < high:
                middle = (low + high) >> 1
                if member_bytes[middle] < byte:
                    low = middle + 1
                else:
                    high = middle
            while low < last and member_bytes[low] == byte:
                self.mark(members[low], state)
                low += 1
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(
        k=cython.int, entry=cython.int, n=cython.int, number=cython.int, place=cython.Py_ssize_t,
        size=cython.Py_ssize_t, waiting=cython.int, looping=cython.ulonglong, bit=cython.ulonglong,
    )  # fmt: skip
    def loop(self, node: cython.int, here: cython.int, words: cython.uint[::1]) -> cython.bint:
        """Add what is below one of the root's children from a state that most bytes lead back to, but for what leaves
        it, which is pending then; False where the state is no such one, or there is not much below."""
        number = self.list_numbers[node]
        if number < 0:
            return False
        looping = 0
        for k in range(self.width):
            entry = self.rows[here * self.width + k]
            if entry < 0:
                entry = self.entry(here, k)
            if entry & 0x3FFFFFFF == 2 + here:
                looping |= cython.cast(cython.ulonglong, 1) << k
        if looping & 3 == 0:  # neither letters of one case nor of the other
            return False
        row: cython.const[cython.uint][::1] = self.trie.row_of(node, looping)
        size = len(words)
        pending = self.pending
        waiting = self.waiting
        # hot loop begins
        for place in range(size):
            words[place] |= row[place]
        for k in range(self.width):
            entry = self.rows[here * self.width + k]
            bit = looping >> k & 1
            if entry == 1 or (bit and entry < 0x40000000):
                continue
            for n in range(self.list_starts[number * self.width + k], self.list_starts[number * self.width + k + 1]):
                if self.before[n] & ~looping:
                    continue
                if bit:
                    self.mark_odd(self.listed[n], here, False)
                else:
                    pending[3 * waiting] = self.listed[n]
                    pending[3 * waiting + 1] = self.listed[n] + 1
                    pending[3 * waiting + 2] = here
                    waiting += 1
        # hot loop ends
        self.waiting = waiting
        return True

    @cython.locals(
        i=cython.int, k=cython.int, t=cython.int, m=cython.int, here=cython.int, last=cython.int, entry=cython.int,
        roots=cython.int, size=cython.Py_ssize_t, place=cython.Py_ssize_t, is_first=cython.bint, width=cython.int,
    )  # fmt: skip
    def walk(
        self, machine: object, source: object, state: cython.int, words: cython.uint[::1], exits: cython.int[::1]
    ) -> tuple[int, array[int]]:
        """Set the bits of the tokens that can be read from a state on, and no others, as far as kinds of bytes tell.

        exits: room for pairs (node of the trie, number of the exit at which its byte is to be read), none of which is
        a first byte, as the caller of `find_local` knows. Returns how many there are, and pairs (node, state): what is
        at these nodes and below is to be read byte by byte, whatever the bits there say, or not at all where the state
        is 0x7FFFFFFF. Both in ascending order, and neither inside one of the latter.
        """
        kinds = self.kinds
        children = self.children
        members = self.members
        member_nodes = self.member_nodes
        token_starts = self.token_starts
        tokens = self.tokens
        pending = self.pending
        rows = self.rows
        width = self.width
        self.numbers.clear()
        self.known = 0
        self.last_state = -1
        self.number_of(state)
        self.machine = machine
        self.source = source
        self.refresh()
        self.levels = self.records[8 * state + 3]
        self.map_place = -1
        roots = children[1]
        size = len(words)
        pending[0] = 1
        pending[1] = roots
        pending[2] = 0
        self.waiting = 1
        # hot loop begins
        for place in range(size):
            words[place] = 0
        while self.waiting > 0:
            self.waiting -= 1
            i = pending[3 * self.waiting]
            last = pending[3 * self.waiting + 1]
            here = pending[3 * self.waiting + 2]
            is_first = i < roots
            while i < last:
                entry = rows[here * width + kinds[i]]
                if entry < 0:
                    # hot loop ends
                    entry = self.entry(here, kinds[i])
                    rows = self.rows
                    # hot loop begins
                t = entry & 0x3FFFFFFF
                if t == 0 and not is_first:
                    for m in range(members[i], members[i + 1]):
                        self.mark(member_nodes[m], -1 - self.records[8 * self.states[here] + 6])
                if entry != t:
                    self.mark_odd(i, here, is_first)
                if t >= 2:
                    for k in range(token_starts[i], token_starts[i + 1]):
                        words[tokens[k] >> 5] |= cython.cast(cython.uint, 1) << (tokens[k] & 31)
                    if children[i] < children[i + 1]:
                        if is_first:
                            # hot loop ends
                            entry = self.loop(i, t - 2, words)
                            rows = self.rows
                            # hot loop begins
                        if not is_first or entry == 0:
                            pending[3 * self.waiting] = children[i]
                            pending[3 * self.waiting + 1] = children[i + 1]
                            pending[3 * self.waiting + 2] = t - 2
                            self.waiting += 1
                i += 1
        # hot loop ends
        self.machine = self.source = None
        self.views = ()
        return self.take_marks(exits)

    @cython.cfunc
    @cython.locals(
        i=cython.int, t=cython.int, count=cython.int, bound=cython.int, size=cython.Py_ssize_t,
        place=cython.Py_ssize_t, bits=cython.ulonglong,
    )  # fmt: skip
    def take_marks(self, exits: cython.int[::1]):
        """What was marked, as `walk` returns it."""
        marked = self.marked
        size = len(marked)
        count = bound = 0
        pairs: list = []
        # hot loop begins
        for place in range(size):
            bits = marked[place]
            if bits == 0:
                continue
            marked[place] = 0
            i = cython.cast(cython.int, 64 * place)
            while bits != 0:
                if bits & 1 and i >= bound:
                    t = self.found[i]
                    if t < 0:
                        exits[2 * count] = i
                        exits[2 * count + 1] = -1 - t
                        count += 1
                    else:
                        bound = self.trie_nodes[3 * i + 1]
                        # hot loop ends
                        pairs += (i, t)
                        # hot loop begins
                bits >>= 1
                i += 1
        # hot loop ends
        return count, array("i", pairs)
