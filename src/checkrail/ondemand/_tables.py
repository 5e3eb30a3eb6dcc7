# cython: language_level=3
"""Tables of an automaton that grow while it is being made, in the layout that the mask kernel walks, and its structural
states: those of most objects and arrays.

Like the kernel, ordinary Python that also compiles to C: a schema's automaton is a few thousand rows, and writing
them one by one in the interpreter would cost more than everything else about a schema. Structural states are most of
what a document comes to, each is made once, and what makes them writes into the tables: hence one file.

    states, 8 fields: row in next_state (-1: not made yet), class map in class_of, kind, room, first call edge, number
        of call edges, exit, default edge (-1: none; -2 - n: none, in a state of structure, which reads up to n blanks
        and whatever else it reads after them too, or of a plain trie)
    edges,  4 fields: start state of the callee, state to return to, levels of nesting, bits (see `mask._machine`)
    next_state[row + class_of[map + byte]]: the next state, -1 for none, -2 - e where the byte begins what edge e calls
    kind: 1 accepting, 2 accepting and nothing else, 4 one call and nothing else, 8 as its default edge, 0 other

Arrays have room to spare at their ends; where that runs out they are replaced by longer ones and `generation` changes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BudgetError
from .structure import (
    BLANK,
    CLASS_MAP,
    CLOSE_ARRAY,
    CLOSE_OBJECT,
    COLON,
    COMMA,
    OPEN_ARRAY,
    OPEN_OBJECT,
    QUOTE,
    SPACE,
    WIDTH,
)

if TYPE_CHECKING:  # the compiler needs these literal imports; at run time no third-party module is loaded
    import cython
    from cython.cimports.cpython.bytearray import PyByteArray_FromStringAndSize
else:
    from .. import _cython_shim as cython

COMPILED: bool = cython.compiled

# As numbers of C: to the compiler a module's constants are Python objects.
_width = cython.declare(cython.int, WIDTH)
_space = cython.declare(cython.int, SPACE)
_blank = cython.declare(cython.int, BLANK)
_quote = cython.declare(cython.int, QUOTE)
_comma = cython.declare(cython.int, COMMA)
_colon = cython.declare(cython.int, COLON)
_open_object = cython.declare(cython.int, OPEN_OBJECT)
_close_object = cython.declare(cython.int, CLOSE_OBJECT)
_open_array = cython.declare(cython.int, OPEN_ARRAY)
_close_array = cython.declare(cython.int, CLOSE_ARRAY)

# Room at the beginning, in entries: what half of all documents come to. Beyond, it grows by a factor.
_STATES = 8 * 1024
_ENTRIES = 1 << 14
_EDGES = 4 * 512
_MAPS = 256 * 32
_FACTOR = 4


def _room(code: str, count: int) -> array[int] | memoryview:
    """So many numbers of a type, "i" or "B". Compiled, they are views of a bytearray that nobody has filled, since
    a page that is not written to costs nothing."""
    size: cython.Py_ssize_t = count if code == "B" else 4 * count
    if cython.compiled:
        return memoryview(PyByteArray_FromStringAndSize(cython.NULL, size)).cast(code)
    return array(code, bytes(size))


@cython.cfunc
def _copied(target: cython.int[::1], source: cython.int[::1], count: cython.int) -> cython.int[::1]:
    """A target with so many numbers of the source."""
    i: cython.int
    # hot loop begins
    for i in range(count):
        target[i] = source[i]
    # hot loop ends
    return target


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
    map_end: cython.int
    limit: cython.int
    row_limit: cython.int
    state: cython.int[::1]
    row: cython.int[::1]
    edge: cython.int[::1]

    def __init__(self, limit: cython.int, row_limit: cython.int) -> None:
        """limit: most states. row_limit: most entries of all rows together."""
        self.limit = limit
        self.row_limit = row_limit
        self.states = _room("i", _STATES)
        self.next_state = _room("i", _ENTRIES)
        self.edges = _room("i", _EDGES)
        self.class_of = _room("B", _MAPS)
        self.state = self.states
        self.row = self.next_state
        self.edge = self.edges
        self.generation = self.state_count = self.row_end = self.edge_count = self.map_end = 0

    @property
    def memory(self) -> int:
        """Bytes that are used."""
        return 32 * self.state_count + 4 * self.row_end + 16 * self.edge_count + self.map_end

    def add_map(self, class_maps: bytes) -> int:
        """Add a class map of 256 bytes, or several; where the first is in `class_of`."""
        place: cython.int = self.map_end
        size: cython.int = len(class_maps)
        if place + size > len(self.class_of):
            longer = _room("B", _FACTOR * (len(self.class_of) + size))
            longer[:place] = self.class_of[:place]
            self.class_of = longer
            self.generation += 1
        self.class_of[place : place + size] = class_maps if cython.compiled else array("B", class_maps)
        self.map_end = place + size
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
                size *= _FACTOR
            longer = _room("i", min(size, 8 * self.limit))
            self.states = longer
            self.state = _copied(longer, self.state, 8 * self.state_count)
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
                size *= _FACTOR
            longer = _room("i", min(size, self.row_limit))
            self.next_state = longer
            self.row = _copied(longer, self.row, self.row_end)
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
            longer = _room("i", _FACTOR * len(self.edge))
            self.edges = longer
            self.edge = _copied(longer, self.edge, 4 * e)
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
    @cython.locals(q=cython.int, row=cython.int, place=cython.int, first=cython.int)
    def new_default(
        self, room: cython.int, live: cython.const[cython.uchar][::1], live_of: cython.int, edge: cython.int,
        class_map: cython.int, width: cython.int,
    ) -> cython.int:  # fmt: skip
        """Add a default state that reads nothing of its own: as `insert` makes them."""
        q = self.new_states(1, room, 0)
        row = self.add_row(width, -1)
        entries = self.row
        first = live_of * width
        # hot loop begins
        for place in range(width):
            if live[first + place]:
                entries[row + place] = -2 - edge
        # hot loop ends
        self.expand_default(q, row, class_map, edge)
        return q

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
        self, entry: cython.int, row: cython.int, class_map: cython.int, kind: cython.int, first: cython.int,
        count: cython.int, blanks: cython.int,
    ) -> cython.int:  # fmt: skip
        """Expand structural state `entry`: first as many blanks as there may be, then what `row` says.

        blanks: the most of them; -1 for exactly one space. The row is changed and used.
        """
        room = self.state[8 * entry + 3]
        self.state[8 * entry + 7] = -2 - max(0, blanks)
        if blanks < 0:
            following = self.new_states(1, room, self.state[8 * entry + 6])
            self.state[8 * following + 7] = -2
            r = self.add_row(_width, -1)
            self.row[r + _space] = following
            self.expand(entry, r, class_map, 0, 0, 0)
            self.expand(following, row, class_map, kind, first, count)
            return 0
        here = entry
        if blanks:
            q = self.new_states(blanks, room, self.state[8 * entry + 6])
            self.need_row(blanks * _width)
            r = self.row_end
            self.row_end = r + blanks * _width
            state = self.state
            entries = self.row
            # hot loop begins
            for following in range(q, q + blanks):
                for i in range(_width):
                    entries[r + i] = entries[row + i]
                entries[r + _space] = following
                entries[r + _blank] = following
                state[8 * here] = r
                state[8 * here + 1] = class_map
                state[8 * here + 2] = 0 if kind == 4 else kind
                state[8 * here + 4] = first
                state[8 * here + 5] = count
                state[8 * following + 7] = -1 - (q + blanks - following)
                here = following
                r += _width
            # hot loop ends
        self.expand(here, row, class_map, kind, first, count)
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
        i=cython.int, t=cython.int, number=cython.int, first=cython.int, width=cython.int, row=cython.int,
        reads=cython.int, met=cython.int,
    )  # fmt: skip
    def expand_joined(
        self, q: cython.int, moves: list, firsts: list, class_map: cython.int, accepts: cython.bint
    ) -> cython.int:  # fmt: skip
        """Expand a state of a language whose states stand here some in a row, `IN_A_ROW`.

        moves: the language's states by class, -1 for none. firsts: the state for the first of each row of them, -1
        where these are not here. -1 when done; else the number of a row that is wanting, and nothing was changed.
        """
        width = len(moves)
        self.need_row(width)
        row = self.row_end
        entries = self.row
        met = len(firsts)
        reads = 0
        for i in range(width):
            t = moves[i]
            if t >= 0:
                number = t >> 4
                first = firsts[number] if number < met else -1
                if first < 0:
                    return number
                t = first + (t & 15)
                reads = 1
            entries[row + i] = t
        self.row_end = row + width
        self.expand(q, row, class_map, (1 if reads else 2) if accepts else 0, 0, 0)
        return -1

    @cython.ccall
    @cython.locals(
        level=cython.int, q=cython.int, s=cython.int, i=cython.int, t=cython.int, row=cython.int, following=cython.int,
        entry=cython.int, size=cython.int, begin=cython.int, end=cython.int,
    )  # fmt: skip
    def lay_counted(
        self,
        first: cython.int,
        rows: cython.const[cython.int][::1],
        width: cython.int,
        class_map: cython.int,
        base: cython.int,
        closing: cython.int,
        levels: cython.int,
        need: cython.int,
        room: cython.int,
        after: cython.int,
        ended: cython.int,
        inside: cython.int,
    ) -> cython.int:
        """Lay copies of an automaton that reads characters one by one, each for a number of characters still to come.

        first: the first of their states. base: the state before a character; closing: what the closing byte leads to
        from there. The first copy demands `need` more characters and allows `room` (-1: no bound); a character leads to
        the next copy, from the last one to the state `after` (-1: nowhere). ended: the state after the closing byte.
        inside: -1 for the states before a character in all copies; else the copy of which to lay all other states.
        """
        size = len(rows) // width
        begin = 0 if inside < 0 else inside
        end = levels if inside < 0 else inside + 1
        self.need_row((levels if inside < 0 else size) * width)
        row = self.row_end
        entries = self.row
        state = self.state
        # hot loop begins
        for level in range(begin, end):
            q = first + level * size
            following = after if level == levels - 1 else q + size + base
            if room >= 0 and room - level <= 0:
                following = -1
            for s in range(size):
                if (s == base) == (inside >= 0):
                    continue
                state[8 * (q + s)] = row
                state[8 * (q + s) + 1] = class_map
                for i in range(width):
                    t = rows[s * width + i]
                    entry = -1
                    if t == base:
                        entry = following
                    elif t == closing:
                        if need - level <= 0:
                            entry = ended
                    elif t >= 0 and following >= 0:
                        entry = q + t
                    entries[row + i] = entry
                row += width
        # hot loop ends
        self.row_end = row
        return 0

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
        need. edge_of[i]: the default edge (-1: none) of the node before byte i, taken by the classes that are not 0 in
        the row live_of[i] of `live`; one number stands for all. Path copying: O(length of the text) rows. New nodes are
        in a row.
        """
        last: cython.int = len(text) - 1
        first: cython.int
        step: cython.int = 0 if len(edge_of) == 1 else 1
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
                first = room if edge_of[step * i] < 0 or room < others else others
                if first < state[8 * old + 3]:
                    state[8 * old + 3] = first
                if above < 0:
                    top = old
                above = state[8 * old] + class_map[text[i]]
                old = entries[above]
                continue
            state[8 * node] = row
            state[8 * node + 1] = map_place
            state[8 * node + 2] = 0 if edge_of[step * i] < 0 else 8
            state[8 * node + 3] = room if edge_of[step * i] < 0 or room < others else others
            state[8 * node + 4] = 0 if edge_of[step * i] < 0 else edge_of[step * i]
            state[8 * node + 5] = 0 if edge_of[step * i] < 0 else 1
            state[8 * node + 6] = 0
            state[8 * node + 7] = -2 if edge_of[step * i] < 0 else edge_of[step * i]
            if old >= 0:
                if state[8 * old + 3] < state[8 * node + 3]:
                    state[8 * node + 3] = state[8 * old + 3]
                first = state[8 * old]
                for place in range(width):
                    entries[row + place] = entries[first + place]
            elif edge_of[step * i] < 0:
                for place in range(width):
                    entries[row + place] = -1
            else:
                first = live_of[step * i] * width
                code = -1 - edge_of[step * i]
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

    @cython.ccall
    @cython.locals(i=cython.int, made=cython.int)
    def insert_all(
        self,
        root: cython.int,
        texts: list,
        leaves: list,
        rooms: list,
        others: cython.int,
        class_map: cython.const[cython.uchar][::1],
        map_place: cython.int,
        live: cython.const[cython.uchar][::1],
        live_of: cython.const[cython.int][::1],
        edge_of: cython.const[cython.int][::1],
        width: cython.int,
        own: cython.int,
        added: list,
    ) -> cython.int:
        """`insert` for some texts. leaves, rooms: of each. added: how many nodes each one adds is appended here."""
        for i in range(len(texts)):
            made = self.state_count
            root = self.insert(
                root, texts[i], leaves[i], rooms[i], others, class_map, map_place, live, live_of, edge_of, width, own
            )
            added.append(self.state_count - made)
        return root

    @cython.ccall
    @cython.locals(
        word=cython.int, begin=cython.int, end=cython.int, top=cython.int, node=cython.int, above=cython.int,
        row=cython.int, i=cython.int, place=cython.int,
    )  # fmt: skip
    def insert_words(
        self,
        text: cython.const[cython.uchar][::1],
        ends: cython.const[cython.int][::1],
        leaf: cython.int,
        class_map: cython.const[cython.uchar][::1],
        map_place: cython.int,
        width: cython.int,
    ) -> cython.int:
        """A trie of words, none of which begins another one, without other keys; its first node.

        text: the words, one after the other. ends: where each ends. The last byte of each leads to `leaf`.
        """
        top = self.state_count
        begin = 0
        for word in range(len(ends)):
            end = ends[word]
            self.need_states(end - begin)
            self.need_row((end - begin) * width)
            entries = self.row
            state = self.state
            node = top if word else -1
            above = -1
            # hot loop begins
            for i in range(begin, end):
                if node < 0:
                    node = self.state_count
                    self.state_count = node + 1
                    row = self.row_end
                    self.row_end = row + width
                    for place in range(row, row + width):
                        entries[place] = -1
                    state[8 * node] = row
                    state[8 * node + 1] = map_place
                    for place in range(8 * node + 2, 8 * node + 7):
                        state[place] = 0
                    state[8 * node + 7] = -2
                    if above >= 0:
                        entries[above] = node
                above = state[8 * node] + class_map[text[i]]
                node = entries[above]
            # hot loop ends
            entries[above] = leaf
            begin = end
        return top

    @cython.cfunc
    @cython.locals(row=cython.int, i=cython.int, t=cython.int, bound=cython.int, least=cython.int)
    def least_room(self, q: cython.int, width: cython.int, besides: cython.int) -> cython.int:
        """The least room of what a trie's node leads to, `besides` included, once that may be more than the node's."""
        state = self.state
        entries = self.row
        bound = state[8 * q + 3]
        row = state[8 * q]
        least = besides
        # hot loop begins
        for i in range(row, row + width):
            if least <= bound:  # mostly at once
                break
            t = entries[i]
            if t >= 0 and state[8 * t + 3] < least:
                least = state[8 * t + 3]
        # hot loop ends
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


@cython.final
@cython.cclass
class States:
    """States that are referred to: who makes the moves of each, and what they are made with.

    pending: by state, who makes it and with what arguments; blocks, from the states in `firsts` on: the same for states
    in a row. units: what noted calls are about, by call edge.
    """

    tables = cython.declare(Tables, visibility="readonly")
    class_map = cython.declare(cython.int, visibility="readonly")
    pending = cython.declare(dict, visibility="readonly")
    units = cython.declare(dict, visibility="readonly")
    known_units = cython.declare(dict, visibility="readonly")
    unit_calls = cython.declare(list, visibility="readonly")
    queue: object
    doubtful: object
    firsts: list
    blocks: list
    ends: list
    lock: object

    def __init__(self, tables: Tables, lock: object) -> None:
        """lock: who makes a state holds it."""
        self.tables = tables
        self.class_map = tables.add_map(CLASS_MAP)
        self.lock = lock
        self.pending = {}
        self.units = {}
        self.known_units = {}
        self.unit_calls = []
        self.queue = deque()
        self.doubtful = deque()
        self.firsts = []
        self.blocks = []
        self.ends = []

    def new_state(self, room: cython.int, make: Callable[..., None], *arguments: Any, exit: cython.int = 0) -> int:
        """A state whose moves `make(state, *arguments)` will make."""
        state = self.tables.new_states(1, room, exit)
        self.pending[state] = (make, *arguments)
        return state

    @cython.cfunc
    def later(self, room: cython.int, maker: tuple) -> cython.int:
        """The same, from here. maker: who makes it, and the arguments."""
        state: cython.int = self.tables.new_states(1, room, 0)
        self.pending[state] = maker
        return state

    @cython.ccall
    def new_block(self, count: cython.int, maker: tuple, room: cython.int, exit: cython.int) -> cython.int:
        """States in a row, the first of them. maker: who will be called with the state, its number in the row, and what
        else the maker holds."""
        first: cython.int = self.tables.new_states(count, room, exit)
        self.firsts.append(first)
        self.blocks.append(maker)
        return first

    def expand(self, state: cython.int) -> None:
        """Make the moves of a state. After an error it is as it was."""
        with self.lock:
            maker: tuple = self.pending.pop(state, None)
            if maker is None:
                if self.tables.is_expanded(state):
                    return  # another thread was faster
                index: cython.int = bisect_right(self.firsts, state) - 1
                maker = self.blocks[index]
                maker[0](state, state - cython.cast(cython.int, self.firsts[index]), *maker[1:])
                return
            try:
                if len(maker) == 1:
                    maker[0](state)
                elif len(maker) == 2:
                    maker[0](state, maker[1])
                else:
                    maker[0](state, *maker[1:])
            except BaseException:
                self.pending[state] = maker
                raise

    @cython.ccall
    def ahead(self, state: cython.int) -> cython.int:
        """A state that texts are likely to come to: `prepare` makes such states first. Returns the state."""
        self.queue.append(state)
        return state

    @cython.ccall
    def perhaps(self, state: cython.int) -> cython.int:
        """A state that texts may come to as well as not (a member that need not come; behind an item; the members of a
        map): such ones are made when there are no likely ones. Returns the state."""
        self.doubtful.append(state)
        return state

    def prepare(self, most: cython.int) -> None:
        """Make up to `most` states before a text asks for them: compiling is the better time than writing."""
        with self.lock:
            while most > 0 and (self.queue or self.doubtful):
                state = (self.queue or self.doubtful).popleft()
                if not self.tables.is_expanded(state):
                    self.expand(state)
                    most -= 1

    @cython.cfunc
    def lay_row(
        self, state: cython.int, row: cython.int, blanks: cython.int, kind: cython.int, first: cython.int,
        count: cython.int,
    ) -> cython.int:  # fmt: skip
        """Make a structural state with a row."""
        return self.tables.lay(state, row, self.class_map, kind, first, count, blanks)

    def lay(self, state: cython.int, blanks: cython.int, moves: Iterable, edges: tuple = (0, 0)) -> None:
        """Make a structural state: first as many blanks as there may be, then the moves.

        blanks: as in `Blanks`. moves: by class of bytes, a state or -2 - e for a call edge. edges: the first call edge
        and how many there are.
        """
        row: cython.int = self.tables.add_row(_width, -1)
        reads: cython.bint = False
        letter: cython.int
        target: cython.int
        for letter, target in moves:
            self.tables.row[row + letter] = target
            reads = reads or target >= 0
        first: cython.int = edges[0]
        count: cython.int = edges[1]
        self.lay_row(state, row, blanks, 4 if count == 1 and not reads else 0, first, count)

    @cython.ccall
    def end(self, outcome: cython.int) -> cython.int:
        """The state in which a module has ended with an outcome, and nothing can follow."""
        while len(self.ends) <= outcome:
            state: cython.int = self.tables.new_states(1, 0, len(self.ends))
            self.tables.expand(state, self.tables.add_row(_width, -1), self.class_map, 2, 0, 0)
            self.ends.append(state)
        return self.ends[outcome]

    def add_edges(self, calls: Sequence) -> tuple:
        """calls: class of the first byte, start and state to return to of each edge, of which the later ones stand in
        for the earlier, levels of nesting."""
        tables: Tables = self.tables
        first: cython.int = tables.edge_count
        moves: list = []
        for letter, choices, nest in calls:
            choice: tuple = choices[0]
            moves.append((letter, -2 - tables.add_edge(choice[0], choice[1], nest, 0)))
            for choice in choices[1:]:
                tables.add_stand_in(choice[0], choice[1], nest, 0)
        return moves, (first, tables.edge_count - first)

    @cython.ccall
    def lay_calls(
        self, state: cython.int, blanks: cython.int, calls: list, after: cython.int, closing: cython.int,
        end: cython.int,
    ) -> cython.int:  # fmt: skip
        """Make a structural state of calls that return to one state, and of a closing byte. calls: class of the first
        byte, starts, levels. end: -1 where the closing byte may not come."""
        tables: Tables = self.tables
        first: cython.int = tables.edge_count
        row: cython.int = tables.add_row(_width, -1)
        letter: cython.int
        nest: cython.int
        start: cython.int
        stands: cython.bint
        for letter, starts, nest in calls:
            stands = False
            for start in starts:
                if stands:
                    tables.add_stand_in(start, after, nest, 0)
                else:
                    tables.row[row + letter] = -2 - tables.add_edge(start, after, nest, 0)
                    stands = True
        tables.row[row + closing] = end
        count: cython.int = tables.edge_count - first
        return self.lay_row(state, row, blanks, 4 if count == 1 and end < 0 else 0, first, count)

    @cython.ccall
    def note(self, edge: cython.int, unit: object) -> cython.int:
        """Have a call noted when a text makes it."""
        self.tables.edge[4 * edge + 3] |= 4
        self.units[edge] = unit
        if unit not in self.known_units:
            self.known_units[unit] = None
            for call in self.unit_calls:
                call(unit)
        return 0


@cython.final
@cython.cclass
class Names:
    """The tries of names that may come next in objects of one record, by position: see `record_names`.

    opening: the state before the opening quote of other keys, -1 where none may come. other_end: that after them.
    """

    states: States
    before: dict
    roots = cython.declare(dict, visibility="readonly")
    spelled: list
    other_end = cython.declare(cython.int, visibility="public")
    opening: cython.int
    least: cython.int
    class_map: bytes
    width: cython.int
    keys: object
    make_roots: object
    prefixes: object

    def __init__(
        self, states: States, before: dict, spelled: list, opening: cython.int, least: cython.int, class_map: bytes,
        width: cython.int, keys: object, make_roots: Callable[[], None], prefixes: object,
    ) -> None:  # fmt: skip
        """before: for positions that were come to, one before it and the member between. spelled: the names. least:
        levels that other keys need. keys: the unit of these. make_roots: makes the trie of the first position, or of
        all. prefixes: is told what new states have read, None where no other keys may come."""
        self.states = states
        self.before = before
        self.spelled = spelled
        self.opening = opening
        self.least = least
        self.class_map = class_map
        self.width = width
        self.keys = keys
        self.make_roots = make_roots
        self.prefixes = prefixes
        self.roots = {}
        self.other_end = -1

    @cython.ccall
    def root(self, position: object) -> cython.int:
        """The trie of the names that may come next, -1 where none may and no other key either.

        That of a set of written members is made from those of smaller sets.
        """
        known: object = self.roots.get(position)
        if known is not None:
            return known
        if not self.roots:
            self.make_roots()
        behind: list = []
        while position not in self.roots:
            behind.append(position)
            position = self.before[position][0]
        tables: Tables = self.states.tables
        root: cython.int = self.roots[position]
        made: cython.int
        for position in reversed(behind):
            text: bytes = self.spelled[self.before[position][1]]
            made = tables.remove(root, text, self.least, self.class_map, self.width)
            if made >= 0 and self.prefixes is not None:
                self.prefixes(made, text, 0, tables.state_count - made)
            root = made
            self.roots[position] = root
        return root

    @cython.ccall
    def make_start(self, state: cython.int, position: object, others: cython.bint) -> cython.int:
        """Make the state that reads the opening quote. others: whether other keys may come; then it is as before any
        of these."""
        tables: Tables = self.states.tables
        root: cython.int = self.root(position)
        row: cython.int = tables.add_row(_width, -1)
        tables.row[row + _quote] = root
        if self.opening < 0 or not others:
            return tables.expand(state, row, self.states.class_map, 0, 0, 0)
        edge: cython.int = tables.add_edge(self.opening, self.other_end, 0, 0)
        self.states.note(edge, self.keys)  # as those of the trie, or the two would not look alike
        return tables.expand_default(state, row, self.states.class_map, edge)


@cython.final
@cython.cclass
class RecordStates:
    """The states inside the objects of a record in which nothing is counted: see `record_objects`.

    Positions are bit sets of members that were written where these may come in any order (`free`), else how many are
    behind.
    """

    states: States
    tables: Tables
    starts_of: object
    names: object
    rooms: list
    levels: list
    free: cython.bint
    count: cython.int
    required: object
    ends: list
    has_others: cython.bint
    padding: cython.int
    after_comma: cython.int
    after_colon: cython.int
    room: cython.int
    within: dict
    before: dict
    after: dict
    name_ends: dict
    to_returned: object
    to_comma: object
    to_name_end: object
    to_value: object
    start = cython.declare(cython.int, visibility="readonly")

    def __init__(
        self, states: States, starts_of: Callable[[int], list], names: Callable[[int], Names], rooms: list,
        levels: list, free: cython.bint, count: cython.int, required: object, ends: list, has_others: cython.bint,
        blanks: tuple[int, int, int], room: cython.int, before: dict,
    ) -> None:  # fmt: skip
        """starts_of: what the value of a member may be, as `kinds.Starts`. names: the names, with the other keys whose
        values need so many levels at most. rooms: levels of nesting that values need, by number of the member or class
        of other keys. levels: those of other keys, descending. count: of declared members. required: the bit set of
        those. ends: in order, the first required member from each position on. blanks: padding, after a comma, after a
        colon."""
        self.states = states
        self.tables = states.tables
        self.starts_of = starts_of
        self.names = names
        self.rooms = rooms
        self.levels = levels
        self.free = free
        self.count = count
        self.required = required
        self.ends = ends
        self.has_others = has_others
        self.padding, self.after_comma, self.after_colon = blanks
        self.room = room
        self.within = {}
        self.before = before
        self.after = {}
        self.name_ends = {}
        self.to_returned = self.make_returned  # once: a method that is named is an object
        self.to_comma = self.make_comma
        self.to_name_end = self.make_name_end
        self.to_value = self.make_value
        self.start = states.ahead(states.later(room, (self.make_start,)))

    @cython.cfunc
    def names_within(self, most: object) -> Names:
        known = self.within.get(most)
        if known is None:
            known = self.within[most] = self.names(most)
        return known

    @cython.cfunc
    def may_close(self, position: object) -> cython.bint:
        """Whether the object may end here."""
        if self.free:
            return position & self.required == self.required
        return self.ends[position] == self.count

    @cython.cfunc
    def is_required(self, number: cython.int) -> cython.bint:
        """Whether a declared member must come."""
        if number >= self.count:
            return False
        if self.free:
            return self.required >> cython.cast(object, number) & 1
        return self.ends[number] == number

    @cython.cfunc
    def takes_others(self, position: object) -> cython.bint:
        """Whether other members may come."""
        return self.has_others and (self.free or self.may_close(position))

    @cython.cfunc
    def next_member(self, position: object) -> cython.int:
        """A declared member that may come next; -1 where there is none."""
        if self.free:
            missing = ~position & ((1 << cython.cast(object, self.count)) - 1)
            return (missing & -missing).bit_length() - 1
        return position if position < self.count else -1

    def make_start(self, state: cython.int) -> None:
        """Before the opening brace."""
        inside: cython.int = self.states.ahead(self.states.later(self.room, (self.make_inside,)))
        row: cython.int = self.tables.add_row(_width, -1)
        self.tables.row[row + _open_object] = inside
        self.states.lay_row(state, row, 0, 0, 0, 0)

    def make_inside(self, state: cython.int) -> None:
        """After the opening brace."""
        self.lay_member(state, 0, self.padding, self.may_close(0))

    def make_comma(self, state: cython.int, position: object) -> None:
        """After a comma."""
        self.lay_member(state, position, self.after_comma, False)

    @cython.cfunc
    def lay_member(self, state: cython.int, position: object, blanks: cython.int, closes: cython.bint) -> cython.int:
        """Blanks, then a member, or the closing brace where the object may end."""
        states: States = self.states
        tables: Tables = self.tables
        count: cython.int = len(self.levels)
        if count > 1 and not self.takes_others(position):
            count = 1
        names: Names = self.names_within(self.levels[0])
        root: cython.int = names.root(position)
        end: cython.int = states.end(0) if closes else -1
        row: cython.int
        if root < 0:
            row = tables.add_row(_width, -1)
            tables.row[row + _close_object] = end
            return states.lay_row(state, row, blanks, 0, 0, 0)
        after: cython.int = states.new_block(len(self.rooms), (self.to_returned, position), 0, 0)
        least: cython.int = tables.room_of(root)
        start: cython.int = tables.new_states(1, least if count == 1 else self.levels[0], 0)
        names.make_start(start, position, self.takes_others(position))
        edge: cython.int = tables.add_edge(start, after, 0, 0)
        i: cython.int
        for i in range(1, count):
            most: object = self.levels[i]
            start = states.later(least if i == count - 1 else most, (self.make_start_within, position, most))
            tables.add_stand_in(start, after, 0, 0)
        number: cython.int = self.next_member(position)
        if number >= 0:
            states.ahead(after + number)
        row = tables.add_row(_width, -1)
        tables.row[row + _quote] = -2 - edge
        tables.row[row + _close_object] = end
        return states.lay_row(state, row, blanks, 4 if count == 1 and end < 0 else 0, edge, count)

    def make_start_within(self, state: cython.int, position: object, most: object) -> None:
        """Before the name of a member, with the other keys that need so many levels at most."""
        self.names_within(most).make_start(state, position, self.takes_others(position))

    def make_returned(self, state: cython.int, number: cython.int, position: object) -> None:
        """After a member: which one it was is the number; those beyond the declared ones are other keys."""
        then: object = position
        if not self.free:
            then = min(number + 1, self.count)
        elif number < self.count:
            then = position | 1 << cython.cast(object, number)
        if then != position:
            self.before.setdefault(then, (position, number))
        known: object = self.after.get(then)
        if known is None:
            self.make_after(state, then)
            self.after[then] = state
        else:
            self.tables.expand_as(state, known)

    @cython.cfunc
    def make_after(self, state: cython.int, position: object) -> cython.int:
        """After a value, with so many members written."""
        states: States = self.states
        tables: Tables = self.tables
        names: Names = self.names_within(self.levels[0])
        root: cython.int = names.root(position)
        following: cython.int = -1
        if root >= 0:
            following = states.ahead(states.later(tables.room_of(root), (self.to_comma, position)))
        end: cython.int = states.end(0) if self.may_close(position) else -1
        row: cython.int = tables.add_row(_width, -1)
        tables.row[row + _comma] = following
        tables.row[row + _close_object] = end
        return states.lay_row(state, row, self.padding, 0, 0, 0)

    @cython.ccall
    def name_end(self, number: cython.int) -> cython.int:
        """The state after the closing quote of a name."""
        known: object = self.name_ends.get(number)
        if known is not None:
            return known
        state: cython.int = self.states.later(self.rooms[number], (self.to_name_end, number))
        self.name_ends[number] = state
        return self.states.ahead(state) if self.is_required(number) else self.states.perhaps(state)

    def make_name_end(self, state: cython.int, number: cython.int) -> None:
        """Before the colon."""
        value: cython.int = self.states.ahead(self.states.later(self.rooms[number], (self.to_value, number)))
        row: cython.int = self.tables.add_row(_width, -1)
        self.tables.row[row + _colon] = value
        self.states.lay_row(state, row, self.padding, 0, 0, 0)

    def make_value(self, state: cython.int, number: cython.int) -> None:
        """After the colon."""
        self.states.lay_calls(
            state, self.after_colon, self.starts_of(number), self.states.end(number), _close_object, -1
        )


@cython.final
@cython.cclass
class ListStates:
    """The states inside the arrays of a record in which nothing is counted but the items: see `arrays`.

    A position is how many items are behind, up to `last`, from where on it makes no difference.
    """

    states: States
    starts_of: object
    rooms: list
    item_rooms: list
    minimum: cython.int
    maximum: cython.int
    last: cython.int
    padding: cython.int
    after_comma: cython.int
    known: dict
    to_after: object
    to_comma: object
    start = cython.declare(cython.int, visibility="readonly")

    def __init__(
        self, states: States, starts_of: Callable[[int], list], rooms: list, item_rooms: list, minimum: cython.int,
        maximum: cython.int, last: cython.int, blanks: tuple[int, int],
    ) -> None:  # fmt: skip
        """starts_of: what the item at a position may be. item_rooms: levels of nesting that an item needs, rooms: that
        it and all needed ones behind it do, by position; the last numbers are those of all further items. maximum: -1
        for no bound. blanks: padding, after a comma."""
        self.states = states
        self.starts_of = starts_of
        self.rooms = rooms
        self.item_rooms = item_rooms
        self.minimum = minimum
        self.maximum = maximum
        self.last = last
        self.padding, self.after_comma = blanks
        self.known = {}
        self.to_after = self.make_after  # once: a method that is named is an object
        self.to_comma = self.make_comma
        self.start = states.ahead(states.later(self.room(0), (self.make_start,)))

    @cython.cfunc
    def room(self, position: cython.int) -> cython.int:
        """Levels of nesting that are needed from here to the end."""
        if position >= self.minimum:
            return 0
        return self.rooms[min(position, len(self.rooms) - 1)]

    def make_start(self, state: cython.int) -> None:
        """Before the opening bracket."""
        inside: cython.int = self.states.ahead(self.states.later(self.room(0), (self.make_inside,)))
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _open_array] = inside
        self.states.lay_row(state, row, 0, 0, 0, 0)

    def make_inside(self, state: cython.int) -> None:
        """After the opening bracket."""
        self.lay_item(state, 0, self.padding, self.minimum == 0)

    def make_comma(self, state: cython.int, position: cython.int) -> None:
        """After a comma."""
        self.lay_item(state, position, self.after_comma, False)

    @cython.cfunc
    def lay_item(
        self, state: cython.int, position: cython.int, blanks: cython.int, closes: cython.bint
    ) -> cython.int:  # fmt: skip
        """Blanks, then an item, or the closing bracket where the array may end."""
        end: cython.int = self.states.end(0) if closes else -1
        if position == self.maximum:
            return self.states.lay_calls(state, blanks, [], -1, _close_array, end)
        after: cython.int = self.after(min(position + 1, self.last))
        return self.states.lay_calls(state, blanks, self.starts_of(position), after, _close_array, end)

    @cython.cfunc
    def after(self, position: cython.int) -> cython.int:
        """The state after an item, with so many behind."""
        known: object = self.known.get(position)
        if known is not None:
            return known
        state: cython.int = self.states.later(self.room(position), (self.to_after, position))
        self.known[position] = state
        return self.states.perhaps(state)

    def make_after(self, state: cython.int, position: cython.int) -> None:
        """After an item."""
        following: cython.int = -1
        room: cython.int
        if position != self.maximum:
            room = max(
                self.item_rooms[min(position, len(self.item_rooms) - 1)], self.room(min(position + 1, self.last))
            )
            following = self.states.perhaps(self.states.later(room, (self.to_comma, position)))
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _comma] = following
        self.states.tables.row[row + _close_array] = self.states.end(0) if position >= self.minimum else -1
        self.states.lay_row(state, row, self.padding, 0, 0, 0)


@cython.final
@cython.cclass
class MapStates:
    """The states inside objects that declare no names and in which nothing is counted: see `map_objects`.

    Nothing is to be known of what was written, so each place in such an object is one state.
    """

    states: States
    starts_of: object
    keys_of: object
    value_room: cython.int
    padding: cython.int
    after_comma: cython.int
    after_colon: cython.int
    edge: cython.int
    start = cython.declare(cython.int, visibility="readonly")

    def __init__(
        self, states: States, starts_of: Callable[[], list], keys_of: Callable[[], tuple[int, object]],
        value_room: cython.int, blanks: tuple[int, int, int],
    ) -> None:  # fmt: skip
        """starts_of: what a value may be. keys_of: the state before a key, -1 where none may come, and the unit of
        calls on keys. value_room: levels of nesting that a value needs. blanks: padding, after a comma, a colon."""
        self.states = states
        self.starts_of = starts_of
        self.keys_of = keys_of
        self.value_room = value_room
        self.padding, self.after_comma, self.after_colon = blanks
        self.edge = -1
        self.start = states.ahead(states.later(0, (self.make_start,)))

    def make_start(self, state: cython.int) -> None:
        """Before the opening brace."""
        inside: cython.int = self.states.ahead(self.states.later(0, (self.make_inside,)))
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _open_object] = inside
        self.states.lay_row(state, row, 0, 0, 0, 0)

    def make_inside(self, state: cython.int) -> None:
        """After the opening brace."""
        states: States = self.states
        found: tuple = self.keys_of()
        keys: cython.int = found[0]
        row: cython.int
        if keys < 0:
            row = states.tables.add_row(_width, -1)
            states.tables.row[row + _close_object] = states.end(0)
            states.lay_row(state, row, self.padding, 0, 0, 0)
            return
        key_end: cython.int = states.perhaps(states.later(self.value_room, (self.make_key_end,)))
        self.edge = states.tables.add_edge(keys, key_end, 0, 0)
        states.note(self.edge, found[1])
        self.lay_key(state, self.padding, states.end(0))

    def make_comma(self, state: cython.int) -> None:
        """After a comma."""
        self.lay_key(state, self.after_comma, -1)

    @cython.cfunc
    def lay_key(self, state: cython.int, blanks: cython.int, end: cython.int) -> cython.int:
        """Blanks, then a key, or the closing brace where the object may end."""
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _quote] = -2 - self.edge
        self.states.tables.row[row + _close_object] = end
        return self.states.lay_row(state, row, blanks, 4 if end < 0 else 0, self.edge, 1)

    def make_key_end(self, state: cython.int) -> None:
        """Before the colon."""
        value: cython.int = self.states.perhaps(self.states.later(self.value_room, (self.make_value,)))
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _colon] = value
        self.states.lay_row(state, row, self.padding, 0, 0, 0)

    def make_value(self, state: cython.int) -> None:
        """After the colon."""
        after: cython.int = self.states.perhaps(self.states.later(0, (self.make_after,)))
        self.states.lay_calls(state, self.after_colon, self.starts_of(), after, _close_object, -1)

    def make_after(self, state: cython.int) -> None:
        """After a value."""
        comma: cython.int = self.states.perhaps(self.states.later(self.value_room, (self.make_comma,)))
        row: cython.int = self.states.tables.add_row(_width, -1)
        self.states.tables.row[row + _comma] = comma
        self.states.tables.row[row + _close_object] = self.states.end(0)
        self.states.lay_row(state, row, self.padding, 0, 0, 0)
