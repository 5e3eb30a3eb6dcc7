# cython: language_level=3
"""Tables of an automaton that grow while it is being made, in the layout that the mask kernel walks.

Like the kernel, ordinary Python that also compiles to C: a schema's automaton is a few thousand rows, and writing
them one by one in the interpreter would cost more than everything else about a schema.

    states, 8 fields: row in next_state (-1: not made yet), class map in class_of, kind, room, first call edge, number
        of call edges, exit, default edge (-1: none; -2: none, in a state of structure or of a plain trie)
    edges,  4 fields: start state of the callee, state to return to, levels of nesting, bits (see `mask._machine`)
    next_state[row + class_of[map + byte]]: the next state, -1 for none, -2 - e where the byte begins what edge e calls
    kind: 1 accepting, 2 accepting and nothing else, 4 one call and nothing else, 8 as its default edge, 0 other

Arrays have room to spare at their ends; where that runs out they are replaced by longer ones and `generation` changes.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..errors import BudgetError

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
else:
    from .. import _cython_shim as cython

COMPILED: bool = cython.compiled


@cython.final
@cython.cclass
class Tables:
    """The four arrays, how much of each is used, and the ways to write into them. Bounded by `limit` states."""

    states = cython.declare(object, visibility="readonly")
    next_state = cython.declare(object, visibility="readonly")
    class_of = cython.declare(object, visibility="readonly")
    edges = cython.declare(object, visibility="readonly")
    generation = cython.declare(cython.int, visibility="readonly")
    state_count = cython.declare(cython.int, visibility="readonly")
    row_end = cython.declare(cython.int, visibility="readonly")
    edge_count = cython.declare(cython.int, visibility="readonly")
    limit: cython.int
    row_limit: cython.int
    state: cython.int[::1]
    row: cython.int[::1]
    edge: cython.int[::1]

    def __init__(self, limit: cython.int, row_limit: cython.int) -> None:
        """limit: most states. row_limit: most entries of all rows together."""
        self.limit = limit
        self.row_limit = row_limit
        self.states = array("i", bytes(4 * 8 * 1024))
        self.next_state = array("i", bytes(4 * 16384))
        self.edges = array("i", bytes(4 * 4 * 256))
        self.class_of = array("B")
        self.state = self.states
        self.row = self.next_state
        self.edge = self.edges
        self.generation = self.state_count = self.row_end = self.edge_count = 0

    def add_map(self, class_map: bytes) -> int:
        """Add a class map of 256 bytes; where it is in `class_of`."""
        place: cython.int = len(self.class_of)
        self.class_of = self.class_of + array("B", class_map)
        self.generation += 1
        return place

    @cython.cfunc
    @cython.locals(wanted=cython.int, size=cython.int)
    def need_states(self, count: cython.int) -> cython.int:
        """See to it that `count` more states fit."""
        wanted = 8 * (self.state_count + count)
        if self.state_count + count > self.limit:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limit, reached=self.state_count + count)
        size = len(self.state)
        if wanted > size:
            while size < wanted:
                size *= 2
            longer = array("i", bytes(4 * size))
            longer[: len(self.state)] = self.states
            self.states = longer
            self.state = longer
            self.generation += 1
        return 0

    @cython.cfunc
    @cython.locals(wanted=cython.int, size=cython.int)
    def need_row(self, width: cython.int) -> cython.int:
        """See to it that `width` more entries fit."""
        wanted = self.row_end + width
        if wanted > self.row_limit:
            raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=self.row_limit, reached=wanted)
        size = len(self.row)
        if wanted > size:
            while size < wanted:
                size *= 2
            longer = array("i", bytes(4 * size))
            longer[: len(self.row)] = self.next_state
            self.next_state = longer
            self.row = longer
            self.generation += 1
        return 0

    @cython.ccall
    @cython.locals(q=cython.int, i=cython.int, end=cython.int)
    def new_states(self, count: cython.int, room: cython.int, exit: cython.int) -> cython.int:
        """Add states that are not expanded yet; the number of the first."""
        self.need_states(count)
        state = self.state
        q = self.state_count
        self.state_count = q + count
        end = 8 * self.state_count
        for i in range(8 * q, end, 8):
            state[i] = -1
            state[i + 1] = 0
            state[i + 2] = 0
            state[i + 3] = room
            state[i + 4] = 0
            state[i + 5] = 0
            state[i + 6] = exit
            state[i + 7] = -1
        return q

    @cython.ccall
    def is_dead(self, q: cython.int) -> cython.bint:
        """Whether a state has no way to an end, as its room says."""
        return self.state[8 * q + 3] >= 0x40000000

    @cython.ccall
    def room_of(self, q: cython.int) -> cython.int:
        """Levels of nesting that a state needs to finish its module."""
        return self.state[8 * q + 3]

    @cython.ccall
    def is_expanded(self, q: cython.int) -> cython.bint:
        """Whether a state has its row."""
        return self.state[8 * q] >= 0

    @cython.ccall
    @cython.locals(e=cython.int)
    def add_edge(self, start: cython.int, after: cython.int, nest: cython.int, bits: cython.int) -> cython.int:
        """Add a call edge; its number."""
        e = self.edge_count
        if 4 * e + 4 > len(self.edge):
            longer = array("i", bytes(8 * len(self.edge)))
            longer[: len(self.edge)] = self.edges
            self.edges = longer
            self.edge = longer
            self.generation += 1
        self.edge[4 * e] = start
        self.edge[4 * e + 1] = after
        self.edge[4 * e + 2] = nest
        self.edge[4 * e + 3] = bits
        self.edge_count = e + 1
        return e

    @cython.ccall
    def add_stand_in(self, start: cython.int, after: cython.int, nest: cython.int, bits: cython.int) -> cython.int:
        """Add an edge that stands in for the last one where that has no room."""
        self.edge[4 * self.edge_count - 1] |= 2
        return self.add_edge(start, after, nest, bits)

    @cython.ccall
    def after_of(self, e: cython.int) -> cython.int:
        """The state to return to from a call edge."""
        return self.edge[4 * e + 1]

    @cython.ccall
    def expand(
        self,
        q: cython.int,
        row: cython.int,
        class_map: cython.int,
        kind: cython.int,
        first: cython.int,
        count: cython.int,
    ) -> cython.int:
        """Give a state its row, class map, kind and call edges."""
        state = self.state
        state[8 * q] = row
        state[8 * q + 1] = class_map
        state[8 * q + 2] = kind
        state[8 * q + 4] = first
        state[8 * q + 5] = count
        return 0

    @cython.ccall
    def expand_default(self, q: cython.int, row: cython.int, class_map: cython.int, edge: cython.int) -> cython.int:
        """Make a default state."""
        self.expand(q, row, class_map, 8, edge, 1)
        self.state[8 * q + 7] = edge
        return 0

    @cython.ccall
    def expand_as(self, q: cython.int, other: cython.int) -> cython.int:
        """Make a state behave, and end, as another one that is expanded; its room stays."""
        state = self.state
        self.expand(q, state[8 * other], state[8 * other + 1], state[8 * other + 2], state[8 * other + 4],
                    state[8 * other + 5])  # fmt: skip
        state[8 * q + 6] = state[8 * other + 6]
        state[8 * q + 7] = state[8 * other + 7]
        return 0

    @cython.ccall
    @cython.locals(row=cython.int, i=cython.int)
    def add_row(self, width: cython.int, fill: cython.int) -> cython.int:
        """Add a row of equal entries; where it is."""
        self.need_row(width)
        row = self.row_end
        entries = self.row
        for i in range(row, row + width):
            entries[i] = fill
        self.row_end = row + width
        return row

    @cython.ccall
    @cython.locals(row=cython.int, i=cython.int, width=cython.int)
    def append_row(self, values: cython.const[cython.int][::1]) -> cython.int:
        """Add a row with these entries; where it is."""
        width = len(values)
        self.need_row(width)
        row = self.row_end
        entries = self.row
        for i in range(width):
            entries[row + i] = values[i]
        self.row_end = row + width
        return row

    @cython.ccall
    def put(self, place: cython.int, target: cython.int) -> cython.int:
        """Write one entry of a row."""
        self.row[place] = target
        return 0

    @cython.ccall
    @cython.locals(row=cython.int, i=cython.int)
    def copy_row(self, from_row: cython.int, width: cython.int) -> cython.int:
        """Add a copy of a row; where it is."""
        self.need_row(width)
        row = self.row_end
        entries = self.row
        for i in range(width):
            entries[row + i] = entries[from_row + i]
        self.row_end = row + width
        return row

    @cython.ccall
    @cython.locals(i=cython.int, q=cython.int, r=cython.int, following=cython.int, room=cython.int, here=cython.int)
    def lay(
        self,
        entry: cython.int,
        row: cython.int,
        width: cython.int,
        class_map: cython.int,
        kind: cython.int,
        first: cython.int,
        count: cython.int,
        space: cython.int,
        blank: cython.int,
        blanks: cython.int,
    ) -> cython.int:
        """Expand state `entry`: first as many blanks as there may be, then what `row` says.

        space, blank: the classes of the space and of the other blanks. blanks: the most of them; -1 for exactly one
        space. The row is changed and used.
        """
        room = self.state[8 * entry + 3]
        self.state[8 * entry + 7] = -2
        if blanks < 0:
            following = self.new_states(1, room, self.state[8 * entry + 6])
            self.state[8 * following + 7] = -2
            r = self.add_row(width, -1)
            self.row[r + space] = following
            self.expand(entry, r, class_map, 0, 0, 0)
            self.expand(following, row, class_map, kind, first, count)
            return 0
        if blanks == 0:
            self.expand(entry, row, class_map, kind, first, count)
            return 0
        q = self.new_states(blanks, room, self.state[8 * entry + 6])
        here = entry
        for i in range(blanks + 1):
            r = row if i == blanks else self.copy_row(row, width)
            if i < blanks:
                self.row[r + space] = q + i
                self.row[r + blank] = q + i
                self.expand(here, r, class_map, 0 if kind == 4 else kind, first, count)
                here = q + i
                self.state[8 * here + 7] = -2
            else:
                self.expand(here, r, class_map, kind, first, count)
        return 0

    @cython.ccall
    @cython.locals(i=cython.int, q=cython.int, row=cython.int, entry=cython.int, t=cython.int, kind=cython.int)
    def copy_language(
        self, rows: cython.const[cython.int][::1], accepting: cython.const[cython.uchar][::1], width: cython.int,
        class_map: cython.int, exit: cython.int,
    ) -> cython.int:  # fmt: skip
        """Add the states of a whole automaton without calls; the number of the first, which is its start."""
        count: cython.int = len(accepting)
        reads: cython.int
        q = self.new_states(count, 0, exit)
        self.need_row(count * width)
        row = self.row_end
        self.row_end = row + count * width
        for i in range(count):
            reads = 0
            for entry in range(i * width, (i + 1) * width):
                t = rows[entry]
                if t >= 0:
                    t += q
                    reads = 1
                self.row[row + entry] = t
            kind = 0
            if accepting[i]:
                kind = 1 if reads else 2
            self.expand(q + i, row + i * width, class_map, kind, 0, 0)
        return q

    @cython.ccall
    @cython.locals(
        level=cython.int, q=cython.int, s=cython.int, i=cython.int, t=cython.int, row=cython.int, first=cython.int,
        following=cython.int, entry=cython.int, size=cython.int,
    )  # fmt: skip
    def copy_counted(
        self,
        rows: cython.const[cython.int][::1],
        width: cython.int,
        class_map: cython.int,
        base: cython.int,
        end: cython.int,
        levels: cython.int,
        need: cython.int,
        room: cython.int,
        after: cython.int,
        ended: cython.int,
    ) -> cython.int:
        """Add copies of an automaton that reads characters one by one, each for a number of characters still to come.

        base: the state before a character; end: what the closing byte leads to from there. The first copy demands
        `need` more characters and allows `room` (-1: no bound); a character leads to the next copy, from the last one
        to the state `after` (-1: nowhere). ended: the state after the closing byte. The number of the first copy's
        first state.
        """
        size = len(rows) // width
        first = self.new_states(levels * size, 0, 0)
        self.need_row(levels * size * width)
        row = self.row_end
        self.row_end = row + levels * size * width
        entries = self.row
        state = self.state
        # hot loop begins
        for level in range(levels):
            q = first + level * size
            following = after if level == levels - 1 else q + size + base
            if room >= 0 and room - level <= 0:
                following = -1
            for s in range(size):
                state[8 * (q + s)] = row
                state[8 * (q + s) + 1] = class_map
                for i in range(width):
                    t = rows[s * width + i]
                    entry = -1
                    if t == base:
                        entry = following
                    elif t == end:
                        if need - level <= 0:
                            entry = ended
                    elif t >= 0 and following >= 0:
                        entry = q + t
                    entries[row + i] = entry
                row += width
        # hot loop ends
        return first

    @cython.ccall
    @cython.locals(
        i=cython.int, old=cython.int, node=cython.int, above=cython.int, top=cython.int, row=cython.int,
        code=cython.int, place=cython.int,
    )  # fmt: skip
    def insert(
        self,
        root: cython.int,
        text: cython.const[cython.uchar][::1],
        leaf: cython.int,
        room: cython.int,
        others: cython.int,
        class_map: cython.const[cython.uchar][::1],
        map_place: cython.int,
        live: cython.const[cython.uchar][::1],
        live_of: cython.const[cython.int][::1],
        edge_of: cython.const[cython.int][::1],
        width: cython.int,
        own: cython.int,
    ) -> cython.int:
        """A trie with one more text, or with another leaf for it; the old trie (`root`, -1: none) stays as it is, but
        for nodes from `own` on, which are changed in place.

        leaf: what the last byte of the text leads to (-1: nowhere). room: what it needs. others: what default edges
        need. edge_of[i]: the default edge (-1: none) of the node before byte i, taken by the classes that are
        not 0 in the row live_of[i] of `live`. Path copying: O(length of the text) rows. New nodes are in a row.
        """
        last: cython.int = len(text) - 1
        first: cython.int
        self.need_states(last + 1)
        self.need_row((last + 1) * width)
        entries = self.row
        state = self.state
        old = root
        above = top = -1
        node = self.state_count
        row = self.row_end
        # hot loop begins
        for i in range(last + 1):
            if old >= own:
                first = room if edge_of[i] < 0 or room < others else others
                if first < state[8 * old + 3]:
                    state[8 * old + 3] = first
                if above < 0:
                    top = old
                above = state[8 * old] + class_map[text[i]]
                old = entries[above]
                continue
            state[8 * node] = row
            state[8 * node + 1] = map_place
            state[8 * node + 2] = 0 if edge_of[i] < 0 else 8
            state[8 * node + 3] = room if edge_of[i] < 0 or room < others else others
            state[8 * node + 4] = 0 if edge_of[i] < 0 else edge_of[i]
            state[8 * node + 5] = 0 if edge_of[i] < 0 else 1
            state[8 * node + 6] = 0
            state[8 * node + 7] = -2 if edge_of[i] < 0 else edge_of[i]
            if old >= 0:
                if state[8 * old + 3] < state[8 * node + 3]:
                    state[8 * node + 3] = state[8 * old + 3]
                first = state[8 * old]
                for place in range(width):
                    entries[row + place] = entries[first + place]
            elif edge_of[i] < 0:
                for place in range(width):
                    entries[row + place] = -1
            else:
                first = live_of[i] * width
                code = -1 - edge_of[i]
                for place in range(width):
                    entries[row + place] = code * live[first + place] - 1
            if above >= 0:
                entries[above] = node
            else:
                top = node
            above = row + class_map[text[i]]
            if old >= 0:
                old = entries[above]
            node += 1
            row += width
        # hot loop ends
        entries[above] = leaf
        self.state_count = node
        self.row_end = row
        return top

    @cython.cfunc
    @cython.locals(row=cython.int, i=cython.int, t=cython.int, room=cython.int, least=cython.int)
    def least_room(self, q: cython.int, width: cython.int, besides: cython.int) -> cython.int:
        """The least room of what a trie's node leads to, `besides` included."""
        row = self.state[8 * q]
        least = besides
        for i in range(row, row + width):
            t = self.row[i]
            if t >= 0 and self.state[8 * t + 3] < least:
                least = self.state[8 * t + 3]
        return least

    @cython.ccall
    @cython.locals(
        i=cython.int, old=cython.int, row=cython.int, kept=cython.int, place=cython.int, live=cython.int,
        cut=cython.int, node=cython.int, above=cython.int, first=cython.int,
    )  # fmt: skip
    def remove(
        self,
        root: cython.int,
        text: cython.const[cython.uchar][::1],
        besides: cython.int,
        class_map: cython.const[cython.uchar][::1],
        width: cython.int,
    ) -> cython.int:
        """A trie without one text; the old one stays as it is. -1 where nothing is left.

        besides: the room of what default edges lead to (2**30: there are none). The text is in the trie.
        """
        last: cython.int = len(text) - 1
        old = root
        cut = -1  # the last node that something else leads on from
        for i in range(last + 1):
            row = self.state[8 * old]
            kept = row + class_map[text[i]]
            if self.state[8 * old + 7] >= 0:
                cut = i
            else:
                live = 0
                for place in range(row, row + width):
                    live += self.row[place] >= 0
                if live > 1:
                    cut = i
            old = self.row[kept]
        if cut < 0:
            return -1
        self.need_states(cut + 1)
        self.need_row((cut + 1) * width)
        first = self.state_count
        self.state_count = first + cut + 1
        old = root
        above = -1
        for i in range(cut + 1):
            node = first + i
            row = self.copy_row(self.state[8 * old], width)
            for place in range(8):
                self.state[8 * node + place] = self.state[8 * old + place]
            self.state[8 * node] = row
            if above >= 0:
                self.row[above] = node
            above = row + class_map[text[i]]
            old = self.row[above]
        self.row[above] = -1
        for i in range(cut, -1, -1):
            self.state[8 * (first + i) + 3] = self.least_room(
                first + i, width, besides if self.state[8 * (first + i) + 7] >= 0 else 0x40000000
            )
        return first
