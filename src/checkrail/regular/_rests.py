# cython: language_level=3
"""What is left of expressions after some letters, and sets of that: the inner loop of automata made on demand.

`derivatives` and `subsets` say what rests and subsets are, and are what the rest of the package uses; here they are
made. A text that comes to a string with a pattern asks for a row of a few states at each letter, so they are numbers
in arrays, found by hashing. Ordinary Python that also compiles to C, like the kernel.

    rest, 8 fields: node, progress in it, rest behind it, first move, number of moves (-1: not made yet), whether a word
        may end there, last mark, family (0: not known yet)
    span, 2 fields a rest: letters of its shortest and longest words
    move, 2 fields: set of letters, rest after them
    state, 4 fields: first member, number of members, whether a word may end there (-1: not known yet), 0
    window, 2 fields a state: the fewest and the most letters that may follow (-1: no bound)
"""

from __future__ import annotations

from array import array
from operator import attrgetter, le
from typing import TYPE_CHECKING

from ..errors import BudgetError

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
    from cython.cimports.libc.stdlib import calloc, free, realloc
else:
    from .. import _cython_shim as cython

COMPILED: bool = cython.compiled

END = 0
ENDLESS = 2**60
CLASS, TEXT, SEQUENCE, CHOICE, REPEAT, TABLE, AND, OR, NOT = range(9)

# As numbers of C: to the compiler a module's constants are Python objects.
_endless = cython.declare(cython.longlong, 2**60)
_class = cython.declare(cython.int, CLASS)
_text = cython.declare(cython.int, TEXT)
_sequence = cython.declare(cython.int, SEQUENCE)
_choice = cython.declare(cython.int, CHOICE)
_repeat = cython.declare(cython.int, REPEAT)
_table = cython.declare(cython.int, TABLE)

_RESTS_PER_STATE = 8  # an NFA may be this many times larger than the states that are made of it
_WORK_PER_STATE = 64  # moves that may be made, for each state of the budget
_MEMBERS_PER_STATE = 8
_most_parts = cython.declare(cython.longlong, 2**20)  # of letters, in one row
_few = cython.declare(cython.int, 16)  # numbers that are compared with each other, and not looked up


@cython.final
@cython.cclass
class Ints:
    """Numbers, zero at first. Interpreted, an array."""

    at: cython.p_int
    size: cython.int

    def __cinit__(self, size: cython.int) -> None:
        if cython.compiled:
            self.at = cython.cast(cython.p_int, calloc(size, 4))
            if self.at == cython.NULL:
                raise MemoryError
        else:
            self.at = array("i", bytes(4 * size))
        self.size = size

    if not cython.compiled:
        __init__ = __cinit__

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.at)

    @cython.cfunc
    def need(self, wanted: cython.int) -> cython.int:
        """See to it that there are so many."""
        if wanted > self.size:
            self.grow(wanted)
        return 0

    @cython.cfunc
    def grow(self, wanted: cython.int) -> cython.int:
        i: cython.int
        if wanted > 0x3FFFFFFF:  # beyond that, places are no numbers of C
            raise MemoryError
        size: cython.int = 2 * self.size
        while size < wanted:
            size *= 2
        if cython.compiled:
            longer: cython.p_int = cython.cast(cython.p_int, realloc(self.at, cython.cast(cython.size_t, size) * 4))
            if longer == cython.NULL:
                raise MemoryError
            self.at = longer
            # hot loop begins
            for i in range(self.size, size):
                longer[i] = 0
            # hot loop ends
        else:
            self.at.extend(array("i", bytes(4 * (size - self.size))))
        self.size = size
        return 0


@cython.final
@cython.cclass
class Wides:
    """The same, of 64 bits."""

    at: cython.p_longlong
    size: cython.int

    def __cinit__(self, size: cython.int) -> None:
        if cython.compiled:
            self.at = cython.cast(cython.p_longlong, calloc(size, 8))
            if self.at == cython.NULL:
                raise MemoryError
        else:
            self.at = array("q", bytes(8 * size))
        self.size = size

    if not cython.compiled:
        __init__ = __cinit__

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.at)

    @cython.cfunc
    def need(self, wanted: cython.int) -> cython.int:
        """See to it that there are so many."""
        if wanted > self.size:
            self.grow(wanted)
        return 0

    @cython.cfunc
    def grow(self, wanted: cython.int) -> cython.int:
        i: cython.int
        if wanted > 0x3FFFFFFF:  # beyond that, places are no numbers of C
            raise MemoryError
        size: cython.int = 2 * self.size
        while size < wanted:
            size *= 2
        if cython.compiled:
            longer: cython.p_longlong = cython.cast(
                cython.p_longlong, realloc(self.at, cython.cast(cython.size_t, size) * 8)
            )
            if longer == cython.NULL:
                raise MemoryError
            self.at = longer
            # hot loop begins
            for i in range(self.size, size):
                longer[i] = 0
            # hot loop ends
        else:
            self.at.extend(array("q", bytes(8 * (size - self.size))))
        self.size = size
        return 0


@cython.cfunc
def _sort(numbers: cython.p_int, count: cython.int) -> cython.int:
    """Sort the first numbers and drop those that are there twice; how many are left. They are nearly sorted mostly."""
    i: cython.int
    j: cython.int
    kept: cython.int
    number: cython.int
    sorted_up_to: cython.int = 1
    # hot loop begins
    while sorted_up_to < count and numbers[sorted_up_to - 1] <= numbers[sorted_up_to]:
        sorted_up_to += 1
    # hot loop ends
    if count - sorted_up_to > _few:
        ordered: list = [numbers[i] for i in range(count)]
        ordered.sort()
        for i in range(count):
            numbers[i] = ordered[i]
        sorted_up_to = count
    # hot loop begins
    for i in range(sorted_up_to, count):
        number = numbers[i]
        j = i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number
    kept = 1
    for i in range(1, count):
        if numbers[i] != numbers[kept - 1]:
            numbers[kept] = numbers[i]
            kept += 1
    # hot loop ends
    return kept


@cython.cfunc
def _times(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    """A product, or ENDLESS."""
    if a == 0 or b == 0:
        return 0
    return _endless if a > _endless // b else a * b


_by_low = attrgetter("low")


@cython.final
@cython.cclass
class Node:
    """A part of an expression, measured.

    low, high: letters of its shortest and longest words. peak: the most that `low` is in any of its rests.
    even: every rest of it has words of all lengths between its shortest and its longest.
    parts: nodes. letters: of a class its set, of a text the set of each letter. lows: of a sequence, low and high of
    what is left from each part on. least, most: of a repetition, -1 for no bound. everything: the place in the table
    from which all words are accepted, -1 for none.
    """

    kind = cython.declare(cython.int, visibility="readonly")
    number = cython.declare(cython.int, visibility="readonly")
    low = cython.declare(cython.longlong, visibility="readonly")
    high = cython.declare(cython.longlong, visibility="readonly")
    peak = cython.declare(cython.longlong, visibility="readonly")
    even = cython.declare(cython.bint, visibility="readonly")
    parts = cython.declare(tuple, visibility="public")
    letters = cython.declare(tuple, visibility="public")
    lows = cython.declare(tuple, visibility="public")
    least = cython.declare(cython.longlong, visibility="public")
    most = cython.declare(cython.longlong, visibility="public")
    table = cython.declare(object, visibility="public")
    everything = cython.declare(cython.int, visibility="public")

    def __init__(
        self, kind: cython.int, number: cython.int, low: cython.longlong, high: cython.longlong, peak: cython.longlong,
        even: cython.bint,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.number = number
        self.low = low
        self.high = high
        self.peak = peak
        self.even = even
        self.parts = self.letters = self.lows = ()
        self.least = 0
        self.most = self.everything = -1
        self.table = None


@cython.final
@cython.cclass
class Rests:
    """The rests of some nodes, as `Derivatives` has them, over `width` letters.

    universal: the rest that all words satisfy, -1 for none. count: how many there are.
    """

    width = cython.declare(cython.int, visibility="readonly")
    limits = cython.declare(object, visibility="readonly")
    universal = cython.declare(cython.int, visibility="public")
    count = cython.declare(cython.int, visibility="readonly")
    sets = cython.declare(list, visibility="readonly")
    nodes: list
    set_numbers: dict
    families: dict
    rounds: list
    set_start: Ints
    set_letters: Ints
    rest: Ints
    span: Wides
    slot: Ints
    move: Ints
    stack: Ints
    depth: cython.int
    move_end: cython.int
    begun: cython.int
    mark: cython.int
    met: object
    most: cython.longlong
    work: cython.longlong

    def __init__(self, width: cython.int, limits: object) -> None:
        self.width = width
        self.limits = limits
        self.universal = -1
        self.most = limits.states * _RESTS_PER_STATE
        self.work = limits.states * _WORK_PER_STATE
        self.nodes = []
        self.sets = []
        self.set_numbers = {}
        self.families = {}
        self.rounds = [()]
        self.set_start = Ints(16)
        self.set_letters = Ints(64)
        self.rest = Ints(8 * 32)
        self.span = Wides(2 * 32)
        self.slot = Ints(64)
        self.move = Ints(64)
        self.stack = Ints(16)
        self.depth = self.move_end = self.begun = self.mark = 0
        self.met = None
        self.count = 1
        self.node(SEQUENCE, 0, 0, 0, True)
        self.rest.at[5] = 1
        self.rest.at[7] = 1

    # Nodes

    def node(
        self, kind: cython.int, low: cython.longlong, high: cython.longlong, peak: cython.longlong, even: cython.bint
    ) -> Node:
        """A new node."""
        made = Node(kind, len(self.nodes), low, high, peak, even)
        self.nodes.append(made)
        return made

    def text(self, letters: tuple) -> Node:
        """One letter of each of these sets, in this order."""
        node: Node = self.node(TEXT, len(letters), len(letters), len(letters), True)
        node.letters = letters
        return node

    def letter(self, letters: cython.int) -> Node:
        """One letter of a set."""
        node: Node = self.node(CLASS, 1, 1, 1, True)
        node.letters = (letters,)
        return node

    def nothing(self) -> Node:
        """No word."""
        return self.node(CLASS, ENDLESS, 0, ENDLESS, True)

    @cython.locals(low=cython.longlong, high=cython.longlong, peak=cython.longlong, most=cython.longlong)
    def sequence(self, parts: list) -> Node:
        """A word of each part, in this order."""
        low = high = peak = 0
        even: cython.bint = True
        part: Node
        lows: list = [(0, 0)]
        for part in reversed(parts):
            most = part.peak + low
            if most > peak:
                peak = most
            low += part.low
            high += part.high
            if low > _endless:
                low = _endless
            if high > _endless:
                high = _endless
            even = even and part.even
            lows.append((low, high))
        lows.reverse()
        node: Node = self.node(SEQUENCE, low, high, peak if peak < _endless else _endless, even)
        node.parts, node.lows = tuple(parts), tuple(lows)
        return node

    @cython.locals(low=cython.longlong, high=cython.longlong, peak=cython.longlong, reach=cython.longlong)
    def choice(self, parts: list) -> Node:
        """A word of one of the parts."""
        low, high, peak = _endless, 0, 0
        part: Node
        kept: list = []
        for part in parts:
            if part.low < _endless:
                kept.append(part)
                if part.low < low:
                    low = part.low
                if part.high > high:
                    high = part.high
                if part.peak > peak:
                    peak = part.peak
        # Even where the lengths of alternatives leave no gap, in them and between them.
        even: cython.bint = True
        reach = -1
        for part in sorted(kept, key=_by_low):
            if not part.even or (reach >= 0 and part.low > reach + 1):
                even = False
                break
            if part.high > reach:
                reach = part.high
        node: Node = self.node(CHOICE, low, high, peak, even)
        node.parts = tuple(kept)
        return node

    @cython.locals(least=cython.longlong, most=cython.longlong, low=cython.longlong, high=cython.longlong)
    @cython.locals(peak=cython.longlong)
    def repeat(self, item: Node, minimum: object, maximum: object) -> Node:
        """Words of an item in a row, `minimum` to `maximum` (None: no bound) of them."""
        if item.low >= _endless or maximum == 0:
            return self.node(SEQUENCE, 0, 0, 0, True) if minimum == 0 else self.nothing()
        least = 0 if item.low == 0 else min(minimum, ENDLESS)  # rounds that take no letter are never needed
        most = -1 if maximum is None else min(maximum, ENDLESS)
        low = _times(least, item.low)
        high = _times(_endless if most < 0 else most, item.high)
        peak = item.peak + _times(least - 1 if least else 0, item.low)
        if peak < low:
            peak = low
        node: Node = self.node(
            REPEAT, low, high, peak if peak < _endless else _endless,
            item.even and (item.low <= 1 or minimum == maximum),
        )  # fmt: skip
        node.parts, node.least, node.most = (item,), least, most
        return node

    @cython.ccall
    @cython.locals(number=cython.int, start=cython.int, size=cython.int, i=cython.int)
    def set_of(self, letters: tuple) -> cython.int:
        """The number of a set of letters."""
        known = self.set_numbers.get(letters)
        if known is not None:
            return known
        number = len(self.sets)
        size = len(letters)
        self.set_start.need(number + 2)
        start = self.set_start.at[number]
        self.set_letters.need(start + size)
        for i in range(size):
            self.set_letters.at[start + i] = letters[i]
        self.set_start.at[number + 1] = start + size
        self.sets.append(letters)
        self.set_numbers[letters] = number
        return number

    # Rests

    def start(self, node: Node) -> cython.int:
        """The rest that is the node alone; -1 where no word satisfies it."""
        return self.rest_of(node, 0, END)

    def low(self, rest: cython.int) -> cython.longlong:
        """Letters of the shortest word of a rest."""
        return self.span.at[2 * rest]

    def high(self, rest: cython.int) -> cython.longlong:
        """Letters of the longest word, ENDLESS where there is none."""
        return self.span.at[2 * rest + 1]

    @cython.cfunc
    @cython.locals(
        number=cython.int, mask=cython.int, h=cython.ulonglong, at=cython.int, kind=cython.int, size=cython.int
    )
    def rest_of(self, node: Node, index: cython.int, behind: cython.int) -> cython.int:
        """The number of a rest; what lies behind has been passed through this already."""
        while True:
            if node.low >= _endless:
                return -1
            kind = node.kind
            if kind == _sequence:
                size = len(node.parts)
                if index == size:
                    return behind
                if index < size - 1:
                    break
                node, index = node.parts[index], 0
            elif kind == _text:
                if index != len(node.letters):
                    break
                return behind
            elif kind == _repeat and index == node.most:
                return behind
            else:
                break
        number = node.number
        mask = self.slot.size - 1
        h = number
        h = (h * 7919 + index) & 0x7FFFFFFF
        h = (h * 16_777_619 + behind) & 0x7FFFFFFF
        at = (h ^ (h >> 15)) & mask
        # hot loop begins
        while True:
            at = at & mask
            size = self.slot.at[at]
            if size == 0:
                break
            if (
                self.rest.at[8 * size] == number
                and self.rest.at[8 * size + 1] == index
                and self.rest.at[8 * size + 2] == behind
            ):
                return size
            at += 1
        # hot loop ends
        return self.new_rest(node, index, behind, at)

    @cython.cfunc
    @cython.locals(number=cython.int, low=cython.longlong, high=cython.longlong)
    def new_rest(self, node: Node, index: cython.int, behind: cython.int, at: cython.int) -> cython.int:
        """A rest that was not met before, where its slot is."""
        number = self.count
        if self.universal >= 0 and (behind == END or behind == self.universal) and self.is_everything(node, index):
            return self.universal
        if number > self.most:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limits.states, reached=number // _RESTS_PER_STATE)
        self.rest.need(8 * number + 8)
        self.span.need(2 * number + 2)
        self.measure(node, index, number)
        low = self.span.at[2 * number] + self.span.at[2 * behind]
        high = self.span.at[2 * number + 1] + self.span.at[2 * behind + 1]
        self.span.at[2 * number] = low
        self.span.at[2 * number + 1] = high if high < _endless else _endless
        self.rest.at[8 * number] = node.number
        self.rest.at[8 * number + 1] = index
        self.rest.at[8 * number + 2] = behind
        self.rest.at[8 * number + 4] = -1
        self.rounds.append(None)
        self.count = number + 1
        self.slot.at[at] = number
        if 2 * self.count > self.slot.size:
            self.rehash()
        return number

    @cython.cfunc
    @cython.locals(i=cython.int, mask=cython.int, h=cython.ulonglong, at=cython.int)
    def rehash(self) -> cython.int:
        """Four times as many slots."""
        self.slot = Ints(4 * self.slot.size)
        mask = self.slot.size - 1
        # hot loop begins
        for i in range(1, self.count):
            h = self.rest.at[8 * i]
            h = (h * 7919 + self.rest.at[8 * i + 1]) & 0x7FFFFFFF
            h = (h * 16_777_619 + self.rest.at[8 * i + 2]) & 0x7FFFFFFF
            at = (h ^ (h >> 15)) & mask
            while self.slot.at[at]:
                at = (at + 1) & mask
            self.slot.at[at] = i
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(low=cython.longlong, high=cython.longlong, left=cython.longlong)
    def measure(self, node: Node, index: cython.int, number: cython.int) -> cython.int:
        """Note the fewest and the most letters that are left of a node."""
        kind: cython.int = node.kind
        if kind == _table:
            low, high = node.table.low[index], node.table.high[index]
        elif index == 0:
            low, high = node.low, node.high
        elif kind == _text:
            low = high = len(node.letters) - index
        elif kind == _sequence:
            low, high = node.lows[index]
        else:
            item: Node = node.parts[0]
            left = node.least - index
            low = left * item.low if left > 0 else 0
            high = _times(_endless if node.most < 0 else node.most - index, item.high)
        self.span.at[2 * number] = low
        self.span.at[2 * number + 1] = high
        return 0

    @cython.cfunc
    @cython.locals(s=cython.int)
    def is_everything(self, node: Node, index: cython.int) -> cython.bint:
        """Whether the words of what is left of a node are all there are."""
        if node.kind == _table:
            return node.everything == index
        if node.kind != _repeat or node.most >= 0 or node.least > index:
            return False
        item: Node = node.parts[0]
        if item.kind != _class:
            return False
        s = item.letters[0]
        return self.set_start.at[s + 1] - self.set_start.at[s] == self.width

    # Counts

    @cython.ccall
    @cython.locals(here=cython.int, index=cython.int, behind=cython.int, most=cython.longlong, least=cython.longlong)
    def family(self, rest: cython.int) -> cython.int:
        """Equal for rests that differ in counts only; what counts they have is said by `rounds_of`."""
        if self.rest.at[8 * rest + 7]:
            return self.rest.at[8 * rest + 7]
        chain: list = []
        here = rest
        while self.rest.at[8 * here + 7] == 0:
            chain.append(here)
            here = self.rest.at[8 * here + 2]
        for here in reversed(chain):
            node: Node = self.nodes[self.rest.at[8 * here]]
            index, behind = self.rest.at[8 * here + 1], self.rest.at[8 * here + 2]
            rounds: tuple = self.rounds[behind]
            if node.kind == _repeat and (node.most >= 0 or node.least > 1):
                # What all words satisfy takes further rounds too.
                most = -_endless if node.most < 0 or behind == self.universal else index - node.most
                least = node.least - index
                rounds = (least if least > 0 else 0, most, *rounds)
                index = -1
            self.rounds[here] = rounds
            key = node.number, index, self.rest.at[8 * behind + 7]
            self.rest.at[8 * here + 7] = self.families.setdefault(key, len(self.families) + 2)
        return self.rest.at[8 * rest + 7]

    def rounds_of(self, rest: cython.int) -> tuple:
        """The counts of a rest."""
        self.family(rest)
        return self.rounds[rest]

    def repeated(self, rest: cython.int) -> tuple | None:
        """(letters, least, most) of a rest that is some letters, any of these each time, and then the end.

        most: ENDLESS where there is none. None for all other rests.
        """
        node: Node = self.nodes[self.rest.at[8 * rest]]
        index: cython.int = self.rest.at[8 * rest + 1]
        if node.kind != _repeat or self.rest.at[8 * rest + 2] != END:
            return None
        item: Node = node.parts[0]
        if item.kind != _class:
            return None
        least: cython.longlong = node.least - index
        most: cython.longlong = _endless if node.most < 0 else node.most - index
        return self.sets[item.letters[0]], least if least > 0 else 0, most

    def takes(self, rest: cython.int, letters: frozenset) -> bool:
        """Whether a rest begins with as many of these letters as one likes, each at any time."""
        node: Node = self.nodes[self.rest.at[8 * rest]]
        index: cython.int = self.rest.at[8 * rest + 1]
        if node.kind == _sequence and index < len(node.parts):
            node = node.parts[index]
        if node.kind != _repeat or node.most >= 0:
            return False
        item: Node = node.parts[0]
        return item.kind == _class and letters.issubset(self.sets[item.letters[0]])

    # Moves

    def moves(self, rest: cython.int) -> tuple:
        """The moves of a rest, as (letters, rest after them), and whether a word may end there."""
        self.need_moves(rest)
        first: cython.int = self.rest.at[8 * rest + 3]
        end: cython.int = first + 2 * self.rest.at[8 * rest + 4]
        found = [(self.sets[self.move.at[i]], self.move.at[i + 1]) for i in range(first, end, 2)]
        return found, self.rest.at[8 * rest + 5] != 0

    @cython.cfunc
    def need_moves(self, rest: cython.int) -> cython.int:
        """See to it that the moves of a rest are there."""
        if self.rest.at[8 * rest + 4] < 0:
            self.find_moves(rest)
        return 0

    @cython.cfunc
    @cython.locals(here=cython.int, behind=cython.int, index=cython.int, after=cython.int, done=cython.int)
    @cython.locals(kind=cython.int, accepts=cython.int, found=cython.int, position=cython.int)
    def find_moves(self, rest: cython.int) -> cython.int:
        self.begun = self.move_end
        self.met = None
        here = rest
        node: Node = self.nodes[self.rest.at[8 * here]]
        part: Node
        if node.kind == _text:
            index = self.rest.at[8 * rest + 1]
            after = self.rest_of(node, index + 1, self.rest.at[8 * rest + 2])
            self.add_move(node.letters[index], after)
            return self.keep_moves(rest, 0)
        accepts = 0
        self.mark += 1
        self.depth = 0
        self.visit(rest)
        while self.depth:
            self.depth -= 1
            here = self.stack.at[self.depth]
            self.work -= 1
            if here == END:
                accepts = 1
                continue
            node = self.nodes[self.rest.at[8 * here]]
            index, behind = self.rest.at[8 * here + 1], self.rest.at[8 * here + 2]
            kind = node.kind
            if kind == _sequence:
                self.begin(node.parts[index], self.rest_of(node, index + 1, behind))
            elif kind == _choice:
                for part in node.parts:
                    self.begin(part, behind)
            elif kind == _repeat:
                done = index + 1
                if node.most < 0 and done > node.least:
                    done = cython.cast(cython.int, node.least)
                after = self.rest_of(node, done, behind)
                part = node.parts[0]
                if part.low == 0 and after != behind:
                    # What an empty round leads to is among the other ways.
                    self.rest.at[8 * after + 6] = self.mark
                # In this order: what is behind is met first, and looked at last.
                if index >= node.least:
                    self.visit(behind)
                self.begin(part, after)
            elif kind == _table:
                if self.through_table(node, index, behind):
                    self.visit(behind)
            else:
                position = index if kind == _text else 0
                self.add_move(
                    node.letters[position], self.rest_of(node, index + 1, behind) if kind == _text else behind
                )
        self.work -= (self.move_end - self.begun) // 2
        if self.work < 0:
            self.move_end = self.begun
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limits.states, reached=self.count)
        return self.keep_moves(rest, accepts)

    @cython.cfunc
    def keep_moves(self, rest: cython.int, accepts: cython.int) -> cython.int:
        self.rest.at[8 * rest + 3] = self.begun
        self.rest.at[8 * rest + 4] = (self.move_end - self.begun) // 2
        self.rest.at[8 * rest + 5] = accepts
        return 0

    @cython.cfunc
    def visit(self, rest: cython.int) -> cython.int:
        """Look at a rest, unless it was looked at."""
        if self.rest.at[8 * rest + 6] != self.mark:
            self.rest.at[8 * rest + 6] = self.mark
            self.stack.need(self.depth + 1)
            self.stack.at[self.depth] = rest
            self.depth += 1
        return 0

    @cython.cfunc
    def begin(self, part: Node, after: cython.int) -> cython.int:
        """Go into a part."""
        if part.kind == _class:  # needs no rest of its own
            return self.add_move(part.letters[0], after)
        if part.kind == _text and len(part.letters):
            return self.add_move(part.letters[0], self.rest_of(part, 1, after))
        return self.visit(self.rest_of(part, 0, after))

    @cython.cfunc
    @cython.locals(i=cython.int)
    def add_move(self, letters: cython.int, target: cython.int) -> cython.int:
        """Add a move, unless it is there."""
        if self.move_end - self.begun <= 2 * _few:
            # hot loop begins
            for i in range(self.begun, self.move_end, 2):
                if self.move.at[i] == letters and self.move.at[i + 1] == target:
                    return 0
            # hot loop ends
        else:
            met: set = self.met
            if met is None:
                met = self.met = {(self.move.at[i], self.move.at[i + 1]) for i in range(self.begun, self.move_end, 2)}
            if (letters, target) in met:
                return 0
            met.add((letters, target))
        self.move.need(self.move_end + 2)
        self.move.at[self.move_end] = letters
        self.move.at[self.move_end + 1] = target
        self.move_end += 2
        return 0

    @cython.cfunc
    def through_table(self, node: Node, index: cython.int, behind: cython.int) -> cython.bint:
        """Add the moves from a place in a table; whether a word may end there."""
        table = node.table
        by_target: dict = {}
        for letter, target in enumerate(table.rows[index]):
            if target >= 0:
                by_target.setdefault(target, []).append(letter)
        for target, letters in by_target.items():
            self.add_move(self.set_of(tuple(letters)), self.rest_of(node, target, behind))
        return table.accepting[index]


@cython.final
@cython.cclass
class Subsets:
    """The states that were met so far, numbered from 0; see `subsets`."""

    width = cython.declare(cython.int, visibility="readonly")
    rests: Rests
    limit: cython.longlong
    members_left: cython.longlong
    count: cython.int
    state: Ints
    window_of: Wides
    member: Ints
    member_end: cython.int
    slot: Ints
    single: Ints
    rows: list
    lengths: object
    some: Ints
    pair: Ints
    group_of: Ints
    stamp: cython.int
    group: Ints
    part: Ints
    letter: Ints
    target: Ints

    def __init__(self, rests: Rests) -> None:
        self.rests = rests
        self.width = rests.width
        self.limit = rests.limits.states
        self.members_left = self.limit * _MEMBERS_PER_STATE
        self.count = self.member_end = self.stamp = 0
        self.state = Ints(4 * 16)
        self.window_of = Wides(2 * 16)
        self.member = Ints(32)
        self.slot = Ints(32)
        self.single = Ints(32)
        self.rows = []
        self.lengths = None
        self.some = Ints(16)
        self.pair = Ints(32)
        self.group_of = Ints(2 * 16)
        self.group = Ints(3 * 16)
        self.part = Ints(5 * 32)
        self.letter = Ints(self.width + 1)
        self.target = Ints(16)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Subsets {self.count} states so far>"

    def start(self, node: Node, low: object = 0, high: object = -1) -> cython.int:
        """The state of all words of a node with `low` to `high` letters; -1 where there is none."""
        rests: Rests = self.rests
        rest: cython.int = rests.start(node)
        if rest < 0:
            return -1
        need: cython.longlong = min(low, ENDLESS + 1)
        room: cython.longlong = min(high, ENDLESS + 1)
        if rests.span.at[2 * rest] >= need:
            need = 0  # no word is shorter
        self.some.at[0] = rest
        if not node.even and need > 0 and room >= 0 and not self.always_fits(1, need, room):
            from .lengths import WordLengths

            self.lengths = WordLengths(rests, rest, high)
        if not self.fits(rest, need, room):
            return -1
        self.some.at[0] = rest
        return self.state_of(1, need, room)

    @cython.ccall
    @cython.locals(i=cython.int, first=cython.int, rest=cython.int, known=cython.int)
    def accepting(self, state: cython.int) -> cython.bint:
        """Whether a word may end here."""
        known = self.state.at[4 * state + 2]
        if known < 0:
            known = 0
            if self.window_of.at[2 * state] == 0:
                first = self.state.at[4 * state]
                for i in range(first, first + self.state.at[4 * state + 1]):
                    rest = self.member.at[i]
                    self.rests.need_moves(rest)
                    if self.rests.rest.at[8 * rest + 5]:
                        known = 1
                        break
            self.state.at[4 * state + 2] = known
        return known != 0

    def members(self, state: cython.int) -> list:
        """The rests of a state, sorted."""
        first: cython.int = self.state.at[4 * state]
        return [self.member.at[i] for i in range(first, first + self.state.at[4 * state + 1])]

    def spans(self, state: cython.int) -> frozenset:
        """The fewest and the most letters of each rest of a state, without regard to its window."""
        rests: Rests = self.rests
        return frozenset([(rests.low(rest), rests.high(rest)) for rest in self.members(state)])

    def run(self, state: cython.int, letters: frozenset) -> object:
        """How many of these letters can follow in a row, whatever they are, and no more; ENDLESS where there is no end
        to them, -1 where that is not seen at once."""
        rests: Rests = self.rests
        first: cython.int = self.state.at[4 * state]
        count: cython.int = self.state.at[4 * state + 1]
        room: cython.longlong = self.window_of.at[2 * state + 1]
        i: cython.int
        if room < 0:
            for i in range(first, first + count):
                if rests.takes(self.member.at[i], letters):
                    return ENDLESS
        if count > 1:
            return -1
        repeated = rests.repeated(self.member.at[first])
        if repeated is None or not letters.issubset(repeated[0]):
            return -1
        return repeated[2] if room < 0 else min(repeated[2], room)

    def name(
        self, state: cython.int, longest: cython.longlong, owner: object, peak: cython.longlong, even: cython.bint
    ) -> tuple:  # fmt: skip
        """What names a state: equal names, the same can follow, as far as `longest` letters show. owner: names the
        expression. peak, even: of its node."""
        rests: Rests = self.rests
        need: cython.longlong = self.window_of.at[2 * state]
        room: cython.longlong = self.window_of.at[2 * state + 1]
        beyond: cython.longlong = longest + 1
        members: list = self.members(state)
        if rests.universal >= 0 and rests.universal == members[0]:
            return "text", min(need, beyond), min(room, beyond)
        if room < 0 and need == 0:
            if len(members) == 1:
                repeated = rests.repeated(members[0])
                if repeated is not None:
                    return owner, repeated[0], min(repeated[1], beyond), min(repeated[2], beyond)
            seen: list = []
            for rest in members:
                family = rests.family(rest)
                counts: tuple = rests.rounds[rest]
                if counts:
                    seen.append((family, *[max(-beyond, min(count, beyond)) for count in counts]))
                else:
                    seen.append((family,))
            return owner, frozenset(seen)
        # Room beyond that is enough for what may be read now and the shortest way to end from there.
        if room > beyond + peak and (even or need == 0):
            return owner, frozenset(members), need, beyond + peak
        return owner, state

    def window(self, state: cython.int) -> tuple:
        """The rests of a state, and the fewest and the most letters that may follow (-1: no bound)."""
        return frozenset(self.members(state)), self.window_of.at[2 * state], self.window_of.at[2 * state + 1]

    @cython.ccall
    def takes_all(self, state: cython.int) -> cython.bint:
        """Whether all words may follow."""
        universal: cython.int = self.rests.universal
        # Where all words may follow, it is the only member.
        return (
            universal >= 0
            and self.member.at[self.state.at[4 * state]] == universal
            and self.window_of.at[2 * state] == 0
            and self.window_of.at[2 * state + 1] < 0
        )

    @cython.ccall
    def row(self, state: cython.int) -> list:
        """The next state by letter, -1 for none."""
        row = self.rows[state]
        if row is None:
            row = self.rows[state] = self.made(state)
        return row

    @cython.cfunc
    @cython.locals(first=cython.int, count=cython.int, rest=cython.int, i=cython.int, j=cython.int, s=cython.int)
    @cython.locals(need=cython.longlong, room=cython.longlong, bounded=cython.bint, pairs=cython.int, g=cython.int)
    @cython.locals(groups=cython.int, begin=cython.int, end=cython.int, target=cython.int, total=cython.longlong)
    def made(self, state: cython.int) -> list:
        rests: Rests = self.rests
        row: list = [-1] * self.width
        first, count = self.state.at[4 * state], self.state.at[4 * state + 1]
        need, room = self.window_of.at[2 * state], self.window_of.at[2 * state + 1]
        if room == 0:
            return row
        if need > 0:
            need -= 1
        if room > 0:
            room -= 1
        bounded = need > 0 or room >= 0
        self.stamp += 1
        pairs = groups = total = 0
        for i in range(first, first + count):
            rest = self.member.at[i]
            rests.need_moves(rest)
            begin = rests.rest.at[8 * rest + 3]
            end = begin + 2 * rests.rest.at[8 * rest + 4]
            self.pair.need(2 * pairs + end - begin)
            self.group_of.need(2 * len(rests.sets))
            for j in range(begin, end, 2):
                target = rests.move.at[j + 1]
                if bounded and not self.fits(target, need, room):
                    continue
                s = rests.move.at[j]
                if self.group_of.at[2 * s] != self.stamp:
                    self.group_of.at[2 * s] = self.stamp
                    self.group_of.at[2 * s + 1] = groups
                    self.group.need(3 * groups + 3)
                    self.group.at[3 * groups] = s
                    self.group.at[3 * groups + 1] = 0
                    groups += 1
                    total += rests.set_start.at[s + 1] - rests.set_start.at[s]
                g = self.group_of.at[2 * s + 1]
                self.group.at[3 * g + 1] += 1
                self.pair.at[2 * pairs] = g
                self.pair.at[2 * pairs + 1] = target
                pairs += 1
        self.some.need(pairs)
        if groups == 1:
            for i in range(pairs):
                self.some.at[i] = self.pair.at[2 * i + 1]
            number: object = self.state_of(pairs, need, room)
            s = self.group.at[0]
            for i in range(rests.set_start.at[s], rests.set_start.at[s + 1]):
                row[rests.set_letters.at[i]] = number
        elif total > _most_parts:
            self.join_many(row, groups, pairs, need, room)
        elif groups:
            self.join(row, groups, pairs, total, need, room)
        return row

    @cython.cfunc
    @cython.locals(i=cython.int, n=cython.int)
    def join_many(
        self, row: list, groups: cython.int, pairs: cython.int, need: cython.longlong, room: cython.longlong
    ) -> cython.int:
        """As `join`, for so many letters in so many groups that its parts would need much room."""
        rests: Rests = self.rests
        of_letter: list = [0] * self.width  # the groups of a letter, as bits
        targets: list = [[] for _ in range(groups)]
        for i in range(groups):
            bit: object = 1 << cython.cast(object, i)
            for letter in rests.sets[self.group.at[3 * i]]:
                of_letter[letter] |= bit
        for i in range(pairs):
            targets[self.pair.at[2 * i]].append(self.pair.at[2 * i + 1])
        known: dict = {0: -1}
        for letter, bits in enumerate(of_letter):
            number = known.get(bits)
            if number is None:
                n = 0
                left = bits
                while left:
                    lowest = left & -left
                    for target in targets[lowest.bit_length() - 1]:
                        self.some.at[n] = target
                        n += 1
                    left ^= lowest
                number = known[bits] = self.state_of(n, need, room)
            row[letter] = number
        return 0

    @cython.cfunc
    @cython.locals(i=cython.int, g=cython.int, s=cython.int, p=cython.int, parts=cython.int, letter=cython.int)
    @cython.locals(place=cython.int, n=cython.int, q=cython.int)
    def join(
        self, row: list, groups: cython.int, pairs: cython.int, total: cython.int, need: cython.longlong,
        room: cython.longlong,
    ) -> cython.int:  # fmt: skip
        """Fill a row where letters may be in several groups: a letter leads to the union of its groups.

        Letters that are in the same groups make up a part: one group after the other takes its letters out of the parts
        that they are in, into new ones. Of a part: the one it was taken out of, the group that did, the last group that
        took letters out of it, the part that these went to, its state (-1: not made yet).
        """
        rests: Rests = self.rests
        self.part.need(5 * (total + 1))
        self.target.need(pairs)
        part = self.part.at
        group = self.group.at
        of_letter = self.letter.at
        targets = self.target.at  # by group
        # hot loop begins
        for letter in range(self.width):
            of_letter[letter] = 0
        part[2] = -1
        parts = 1
        place = 0
        for g in range(groups):
            group[3 * g + 2] = place  # where the targets of this one begin
            place += group[3 * g + 1]
            s = group[3 * g]
            for i in range(rests.set_start.at[s], rests.set_start.at[s + 1]):
                letter = rests.set_letters.at[i]
                p = of_letter[letter]
                if part[5 * p + 2] != g:
                    part[5 * p + 2] = g
                    part[5 * p + 3] = parts
                    part[5 * parts] = p
                    part[5 * parts + 1] = g
                    part[5 * parts + 2] = -1
                    part[5 * parts + 4] = -1
                    parts += 1
                of_letter[letter] = part[5 * p + 3]
        for i in range(pairs):
            g = self.pair.at[2 * i]
            targets[group[3 * g + 2]] = self.pair.at[2 * i + 1]
            group[3 * g + 2] += 1
        # hot loop ends
        numbers: list = [None] * parts
        for letter in range(self.width):
            p = of_letter[letter]
            if p:
                if part[5 * p + 4] < 0:
                    n = 0
                    q = p
                    # hot loop begins
                    while q:
                        g = part[5 * q + 1]
                        for i in range(group[3 * g + 2] - group[3 * g + 1], group[3 * g + 2]):
                            self.some.at[n] = targets[i]
                            n += 1
                        q = part[5 * q]
                    # hot loop ends
                    part[5 * p + 4] = 1
                    numbers[p] = self.state_of(n, need, room)
                row[letter] = numbers[p]
        return 0

    @cython.cfunc
    @cython.locals(number=cython.int, i=cython.int, universal=cython.int, rest=cython.int)
    def state_of(self, count: cython.int, need: cython.longlong, room: cython.longlong) -> cython.int:
        """The state of the first rests of `some`."""
        some = self.some.at
        rest = some[0]
        if count == 1 and need == 0 and room < 0:
            self.single.need(rest + 1)
            number = self.single.at[rest] - 1
            if number < 0:
                number = self.numbered(1, 0, -1)
                self.single.at[rest] = number + 1
            return number
        universal = self.rests.universal
        if universal >= 0:
            # hot loop begins
            for i in range(count):
                if some[i] == universal:
                    some[0] = universal
                    count = 1
                    break
            # hot loop ends
        if count > 1:
            count = _sort(some, count)
        if count > 1:
            count = self.without_covered(count)
        if (need or room >= 0) and self.always_fits(count, need, room):
            need, room = 0, -1
        return self.numbered(count, need, room)

    @cython.cfunc
    @cython.locals(i=cython.int, j=cython.int, family=cython.int, is_open=cython.bint)
    def without_covered(self, count: cython.int) -> cython.int:
        """Leave out rests all of whose words are among those of another one, as far as counts show it; how many are
        left.

        Of `a{3}.*` and `a{5}.*` the first says it all. So a pattern that may begin anywhere, such as `[a-z]{162}`, is
        in two rests at a time and not in 162.
        """
        rests: Rests = self.rests
        some = self.some.at
        for i in range(count):
            rests.family(some[i])
        if count <= _few:
            is_open = False
            # hot loop begins
            for i in range(1, count):
                family = rests.rest.at[8 * some[i] + 7]
                for j in range(i):
                    if rests.rest.at[8 * some[j] + 7] == family:
                        is_open = True
            # hot loop ends
            if not is_open:
                return count
        by_family: dict = {}
        rest: object
        for i in range(count):
            rest = some[i]
            by_family.setdefault(rests.rest.at[8 * some[i] + 7], []).append(rest)
        if len(by_family) == count:
            return count
        rounds: list = rests.rounds
        kept: list = []
        for members in by_family.values():
            if len(members) == 1:
                kept += members
                continue
            widest: list = []
            members.sort(key=rounds.__getitem__)
            for rest in members:
                counts = rounds[rest]
                if not any(all(map(le, wide, counts)) for wide in widest):
                    widest.append(counts)
                    kept.append(rest)
        kept.sort()
        for i in range(len(kept)):
            some[i] = kept[i]
        return len(kept)

    @cython.cfunc
    @cython.locals(
        i=cython.int, h=cython.ulonglong, mask=cython.int, at=cython.int, number=cython.int, first=cython.int
    )
    def numbered(self, count: cython.int, need: cython.longlong, room: cython.longlong) -> cython.int:
        """The number of the state of the first rests of `some`, which are sorted."""
        some = self.some.at
        mask = self.slot.size - 1
        h = (need & 0xFFFFFFF) * 31 + (room & 0xFFFFFFF)
        # hot loop begins
        for i in range(count):
            h = ((h & 0x7FFFFFFF) * 16_777_619 + some[i]) & 0x7FFFFFFF
        at = ((h ^ (h >> 13)) & 0x7FFFFFFF) & mask
        while True:
            number = self.slot.at[at] - 1
            if number < 0:
                break
            if (
                self.state.at[4 * number + 1] == count
                and self.window_of.at[2 * number] == need
                and self.window_of.at[2 * number + 1] == room
            ):
                first = self.state.at[4 * number]
                i = 0
                while i < count and self.member.at[first + i] == some[i]:
                    i += 1
                if i == count:
                    return number
            at = (at + 1) & mask
        # hot loop ends
        number = self.count
        self.members_left -= count
        if number >= self.limit or self.members_left < 0:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limit, reached=number)
        self.state.need(4 * number + 4)
        self.window_of.need(2 * number + 2)
        first = self.member_end
        self.member.need(first + count)
        for i in range(count):
            self.member.at[first + i] = some[i]
        self.member_end = first + count
        self.state.at[4 * number] = first
        self.state.at[4 * number + 1] = count
        self.state.at[4 * number + 2] = -1
        self.window_of.at[2 * number] = need
        self.window_of.at[2 * number + 1] = room
        self.rows.append(None)
        self.count = number + 1
        self.slot.at[at] = number + 1
        if 2 * self.count > self.slot.size:
            self.rehash()
        return number

    @cython.cfunc
    @cython.locals(i=cython.int, j=cython.int, h=cython.ulonglong, mask=cython.int, at=cython.int, first=cython.int)
    def rehash(self) -> cython.int:
        """Four times as many slots."""
        self.slot = Ints(4 * self.slot.size)
        mask = self.slot.size - 1
        # hot loop begins
        for i in range(self.count):
            h = (self.window_of.at[2 * i] & 0xFFFFFFF) * 31 + (self.window_of.at[2 * i + 1] & 0xFFFFFFF)
            first = self.state.at[4 * i]
            for j in range(first, first + self.state.at[4 * i + 1]):
                h = ((h & 0x7FFFFFFF) * 16_777_619 + self.member.at[j]) & 0x7FFFFFFF
            at = ((h ^ (h >> 13)) & 0x7FFFFFFF) & mask
            while self.slot.at[at]:
                at = (at + 1) & mask
            self.slot.at[at] = i + 1
        # hot loop ends
        return 0

    @cython.cfunc
    @cython.locals(i=cython.int, rest=cython.int)
    def always_fits(self, count: cython.int, need: cython.longlong, room: cython.longlong) -> cython.bint:
        """Whether no word of the first rests of `some` is too short or too long."""
        rests: Rests = self.rests
        for i in range(count):
            rest = self.some.at[i]
            if rests.span.at[2 * rest] < need or (room >= 0 and rests.span.at[2 * rest + 1] > room):
                return False
        return True

    @cython.cfunc
    @cython.locals(low=cython.longlong, high=cython.longlong)
    def fits(self, rest: cython.int, need: cython.longlong, room: cython.longlong) -> cython.bint:
        """Whether some word of a rest is neither too short nor too long, as far as the lengths tell."""
        low, high = self.rests.span.at[2 * rest], self.rests.span.at[2 * rest + 1]
        if high < need or (0 <= room < low):
            return False
        if need == 0 or room < 0 or self.lengths is None:
            return True
        return self.lengths.any_within(rest, need, room)
