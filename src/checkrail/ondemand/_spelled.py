# cython: language_level=3
"""Rows of languages that are made on demand, as numbers in arrays: of texts spelled as JSON strings, of languages side
by side, and their states in an automaton. `strings`, `union` and `languages` say what these are, and are what the rest
of the package uses.

A text, and more so a mask, asks for such rows by the dozen, hence ordinary Python that also compiles to C, like the
kernel.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any

from ..errors import BudgetError
from .language import ENDLESS_RUN, UNKNOWN_RUN
from .tables import IN_A_ROW

if TYPE_CHECKING:  # the compiler needs this literal import; at run time no third-party module is loaded
    import cython
    from cython.cimports.libc.stdlib import calloc, free, realloc
else:
    from .. import _cython_shim as cython

COMPILED: bool = cython.compiled

START = -1
END = -2
BY_CLASS, BY_TAIL, BY_DIGIT, BY_BACKSLASH, BY_U = range(5)
_start = cython.declare(cython.int, START)
_end = cython.declare(cython.int, END)
_by_class = cython.declare(cython.int, BY_CLASS)
_by_tail = cython.declare(cython.int, BY_TAIL)
_by_digit = cython.declare(cython.int, BY_DIGIT)
_by_backslash = cython.declare(cython.int, BY_BACKSLASH)
_longest_chain = cython.declare(cython.int, 24)  # states that are made to find out how many plain characters can follow
_in_a_row = cython.declare(cython.int, IN_A_ROW)


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


@cython.cfunc
def _ints_of(numbers: Sequence[int]) -> Ints:
    """Some numbers, and room for one more."""
    count: cython.int = len(numbers)
    i: cython.int
    found = Ints(count + 1)
    for i in range(count):
        found.at[i] = numbers[i]
    return found


@cython.final
@cython.cclass
class Keys:
    """Lists of numbers, each once, numbered from 0: `head`, which tells kinds of them apart, and some more.

    Of each: head, first number, how many.
    """

    count: cython.int
    key: Ints
    number: Ints
    number_end: cython.int
    slot: Ints
    given: Ints

    def __init__(self) -> None:
        self.count = self.number_end = 0
        self.key = Ints(3 * 16)
        self.number = Ints(32)
        self.slot = Ints(64)
        self.given = Ints(16)

    @cython.cfunc
    @cython.locals(h=cython.ulonglong, i=cython.int, mask=cython.int, at=cython.int, found=cython.int, first=cython.int)
    def find(self, head: cython.int, count: cython.int) -> cython.int:
        """The number of a list whose numbers are the first ones of `given`; -1 - slot where it was not met."""
        given = self.given.at
        numbers = self.number.at
        key = self.key.at
        slot = self.slot.at
        mask = self.slot.size - 1
        h = head
        # hot loop begins
        for i in range(count):
            h = ((h & 0x7FFFFFFF) * 16_777_619 + (given[i] + 1)) & 0x7FFFFFFF
        at = (h ^ (h >> 13)) & mask
        while True:
            found = slot[at] - 1
            if found < 0:
                break
            if key[3 * found] == head and key[3 * found + 2] == count:
                first = key[3 * found + 1]
                i = 0
                while i < count and numbers[first + i] == given[i]:
                    i += 1
                if i == count:
                    return found
            at = (at + 1) & mask
        # hot loop ends
        return -1 - at

    @cython.cfunc
    @cython.locals(i=cython.int, first=cython.int, number=cython.int)
    def add(self, head: cython.int, count: cython.int, at: cython.int) -> cython.int:
        """Number a list that was not met, where its slot is."""
        number = self.count
        first = self.number_end
        self.key.need(3 * number + 3)
        self.number.need(first + count)
        self.key.at[3 * number] = head
        self.key.at[3 * number + 1] = first
        self.key.at[3 * number + 2] = count
        for i in range(count):
            self.number.at[first + i] = self.given.at[i]
        self.number_end = first + count
        self.count = number + 1
        if at >= 0:
            self.slot.at[at] = number + 1
            if 2 * self.count > self.slot.size:
                self.rehash()
        return number

    @cython.cfunc
    @cython.locals(h=cython.ulonglong, i=cython.int, j=cython.int, mask=cython.int, at=cython.int, first=cython.int)
    @cython.locals(place=cython.int)
    def rehash(self) -> cython.int:
        old: Ints = self.slot
        self.slot = Ints(4 * old.size)
        numbers = self.number.at
        key = self.key.at
        slot = self.slot.at
        was = old.at
        mask = self.slot.size - 1
        # hot loop begins
        for i in range(old.size):
            if was[i]:
                place = 3 * (was[i] - 1)
                h = key[place]
                first = key[place + 1]
                for j in range(first, first + key[place + 2]):
                    h = ((h & 0x7FFFFFFF) * 16_777_619 + (numbers[j] + 1)) & 0x7FFFFFFF
                at = (h ^ (h >> 13)) & mask
                while slot[at]:
                    at = (at + 1) & mask
                slot[at] = was[i]
        # hot loop ends
        return 0


@cython.final
@cython.cclass
class Layout:
    """What a place looks like: a `places.Shape`, worked out.

    number: one that no other layout has. kind: what its index is by, one of `BY_CLASS` and so on.
    """

    shape = cython.declare(object, visibility="readonly")
    number: cython.int
    kind: cython.int
    ready = cython.declare(cython.bint, visibility="readonly")
    index: Ints
    ways: cython.int
    follow: list
    picked: Ints
    pick: Ints

    def __init__(self, shape: Any, number: cython.int, kind: cython.int) -> None:
        self.shape = shape
        self.number = number
        self.kind = kind
        self.ready = False

    def lay_out(self, index: Sequence[int], ways: Sequence[tuple[Layout | None, Sequence[int]]]) -> None:
        """index: the way to go by class or digit, 0 for none. ways, from 1 on: the layout of the place that follows
        (None: a state does), and which of the states are its states."""
        way: cython.int = 0
        place: cython.int = 0
        picked = Ints(len(ways) + 1)
        pick = Ints(16)
        for _, picks in ways:
            for number in picks:
                pick.need(place + 1)
                pick.at[place] = number
                place += 1
            way += 1
            picked.at[way] = place
        self.index = _ints_of(index)
        self.ways = way
        self.follow = [layout for layout, _ in ways]
        self.picked = picked
        self.pick = pick
        self.ready = True  # last, because others may see it


@cython.final
@cython.cclass
class Layouts:
    """The layouts of places before characters, in texts of one alphabet: what letters lead to the same state."""

    known: dict
    make: object
    most: cython.int
    letters: Ints
    tails: Ints
    digits: Ints

    def __init__(self, alphabet: Any, make: Callable[[tuple[int, ...], int], Layout], most: cython.int) -> None:
        """make: a layout, of letters with a state each, -1 for none, and how many states there are. most: so many are
        remembered."""
        self.letters = _ints_of(alphabet.letters)
        self.tails = _ints_of([number for pair in alphabet.tails for number in pair])
        self.digits = _ints_of([number for pair in alphabet.digits for number in pair])
        self.known = {}
        self.make = make
        self.most = most

    @cython.cfunc
    def of(self, letters: Ints, width: cython.int, size: cython.int) -> Layout:
        """letters: so many of them."""
        key: bytes
        if cython.compiled:
            key = cython.cast(cython.p_char, letters.at)[: 4 * width]
        else:
            key = letters.at[:width].tobytes()
        layout = self.known.get(key)
        if layout is None:
            layout = self.make(tuple([letters.at[i] for i in range(width)]), size)
            if len(self.known) >= self.most:
                self.known.clear()
            self.known[key] = layout
        return layout


@cython.final
@cython.cclass
class SpelledRows:
    """The states of a language of spelled texts, and their rows.

    A key is a state of the texts' automaton (before a character), START, END, or a place: (shape, states that it leads
    to). Where texts end with several outcomes there is an end of each, END and the numbers below it; they come behind
    the start.
    """

    keys: Keys
    layouts: list
    of_state: Ints
    known: list
    lock: object
    most: object
    width: cython.int
    quote: cython.int
    backslash: cython.int
    u: cython.int
    plainly: cython.bint
    letters: Ints
    tails: Ints
    digits: Ints
    layouts_of_characters: Layouts
    work_out: object
    start: cython.int
    texts_row: object
    texts_end: object
    texts_run: object
    ends_as: object
    passed: object
    plain: frozenset
    plain_letters: list
    runs: dict
    end: cython.int
    local: Ints
    chosen: Ints
    seen: Ints
    stamp: cython.int

    def __init__(
        self, texts: Any, alphabet: Any, layouts: Layouts, work_out: Callable[[Layout], None], most: int, lock: Any,
        opened: cython.bint, outcomes: cython.int, ends_as: Any, passed: Any,
    ) -> None:  # fmt: skip
        """texts: their automaton. work_out: lays out what is not ready. opened: the start is behind the opening
        quote. outcomes: with so many texts may end, 0 where all ends are one. ends_as: that of a state of the texts, -1
        where none ends. passed: the state of the texts in which an escape is read in another one, -1 for none; None
        where each is read where it is met."""
        self.keys = Keys()
        self.layouts = []
        self.of_state = Ints(16)
        self.known = []
        self.lock = lock
        self.most = most
        self.width = alphabet.width
        self.quote = alphabet.quote
        self.plainly = alphabet.is_spelled_plainly
        self.backslash = alphabet.backslash
        self.u = alphabet.u
        self.letters = layouts.letters
        self.tails = layouts.tails
        self.digits = layouts.digits
        self.layouts_of_characters = layouts
        self.work_out = work_out
        self.start = texts.start
        self.texts_row = texts.row
        self.texts_end = texts.accepting
        self.texts_run = texts.run
        self.ends_as = ends_as
        self.passed = passed
        self.plain = alphabet.plain
        self.plain_letters = list(alphabet.plain)
        self.runs = {}
        self.local = Ints(32)
        self.chosen = Ints(16)
        self.seen = Ints(32)
        self.stamp = 0
        self.end = -1
        if opened:
            self.before(self.start)
        else:
            self.new(_start, 0, -1, None)
        outcome: cython.int
        for outcome in range(outcomes):
            self.new(_end - outcome, 0, -1, None)

    def __len__(self) -> int:
        return self.keys.count

    def key(self, state: cython.int) -> object:
        """What a state is."""
        layout: Layout = self.layouts[state]
        if layout is None:
            return self.keys.key.at[3 * state]
        return layout.shape, self.states_of(state)

    def states_of(self, state: cython.int) -> tuple:
        """The states that a place leads to."""
        first: cython.int = self.keys.key.at[3 * state + 1]
        end: cython.int = first + self.keys.key.at[3 * state + 2]
        return tuple([self.keys.number.at[i] for i in range(first, end)])

    @cython.ccall
    def is_end(self, state: cython.int) -> cython.bint:
        """Whether the string has ended."""
        return self.keys.key.at[3 * state] <= _end and self.layouts[state] is None

    @cython.ccall
    def place(self, state: cython.int) -> tuple:
        """The row of a state, and whether a word may end there."""
        place = self.known[state]
        if place is None:
            with self.lock:
                place = self.known[state]
                if place is None:
                    place = self.known[state] = self.made(state), self.is_end(state)
        return place

    @cython.ccall
    def row(self, state: cython.int) -> list:
        """The next state by class, -1 for none."""
        return self.place(state)[0]

    @cython.cfunc
    @cython.locals(key=cython.int, first=cython.int, count=cython.int, i=cython.int)
    def made(self, state: cython.int) -> list:
        key = self.keys.key.at[3 * state]
        layout: Layout = self.layouts[state]
        if layout is not None:
            first, count = self.keys.key.at[3 * state + 1], self.keys.key.at[3 * state + 2]
            self.chosen.need(count)
            for i in range(count):
                self.chosen.at[i] = self.keys.number.at[first + i]
            return self.filled(layout)
        if key >= 0:
            return self.character(key)
        row: list = [-1] * self.width
        if key == _start:
            row[self.quote] = self.before(self.start)
        return row

    @cython.cfunc
    def new(self, head: cython.int, count: cython.int, at: cython.int, layout: object) -> cython.int:
        if self.keys.count >= self.most:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.most, reached=self.keys.count + 1)
        self.layouts.append(layout)
        self.known.append(None)
        return self.keys.add(head, count, at)

    @cython.ccall
    @cython.locals(number=cython.int)
    def before(self, state: cython.int) -> cython.int:
        """The number of the place before a character, in a state of the texts' automaton."""
        self.of_state.need(state + 1)
        number = self.of_state.at[state] - 1
        if number < 0:
            number = self.new(state, 0, -1, None)
            self.of_state.at[state] = number + 1
        return number

    @cython.cfunc
    @cython.locals(letter=cython.int, target=cython.int, last=cython.int, c=cython.int, count=cython.int)
    @cython.locals(width=cython.int, here=cython.int)
    def character(self, state: cython.int) -> list:
        """The row of a place before a character."""
        targets: list = self.texts_row(state)
        row: list
        if self.plainly:
            row = [-1] * self.width
            last = -1
            number: object = -1
            for c in range(self.width):
                letter = self.letters.at[c]
                if letter >= 0:
                    target = targets[letter]
                    if target >= 0:
                        if target != last:
                            number = self.before(target)
                            last = target
                        row[c] = number
        else:
            # States that letters lead to get numbers from 0, in the order of the letters.
            width = len(targets)
            self.local.need(width + 1)
            self.chosen.need(width)
            self.stamp += 1
            count = 0
            for letter in range(width):
                target = targets[letter]
                here = -1
                if target >= 0:
                    self.seen.need(2 * target + 2)
                    if self.seen.at[2 * target] != self.stamp:
                        self.seen.at[2 * target] = self.stamp
                        self.seen.at[2 * target + 1] = count
                        self.chosen.at[count] = target
                        count += 1
                    here = self.seen.at[2 * target + 1]
                self.local.at[letter] = here
            self.local.at[width] = -1  # for letter -1
            row = self.filled(self.layouts_of_characters.of(self.local, width + 1, count))
        if self.ends_as is not None:
            here = self.ends_as(state)
            if here >= 0:
                row[self.quote] = 1 + here
        elif self.texts_end(state):
            if self.end < 0:
                self.end = self.new(_end, 0, -1, None)
            row[self.quote] = self.end
        if self.passed is not None:
            here = self.passed(state)
            if here < 0:
                row[self.backslash] = -1
            elif here != state:
                row[self.backslash] = self.row(self.before(here))[self.backslash]
        return row

    @cython.cfunc
    @cython.locals(way=cython.int, begin=cython.int, count=cython.int, i=cython.int, number=cython.int, c=cython.int)
    def filled(self, layout: Layout) -> list:
        """The row of a place whose states are those chosen."""
        if not layout.ready:
            self.work_out(layout)
        numbers: list = [-1]
        for way in range(layout.ways):
            follow: Layout = layout.follow[way]
            begin = layout.picked.at[way]
            if follow is None:
                number = self.before(self.chosen.at[layout.pick.at[begin]])
            else:
                count = layout.picked.at[way + 1] - begin
                self.keys.given.need(count)
                for i in range(count):
                    self.keys.given.at[i] = self.chosen.at[layout.pick.at[begin + i]]
                number = self.keys.find(follow.number, count)
                if number < 0:
                    number = self.new(follow.number, count, -1 - number, follow)
            numbers.append(number)
        row: list = [-1] * self.width
        if layout.kind == _by_class:
            for c in range(self.width):
                if layout.index.at[c]:
                    row[c] = numbers[layout.index.at[c]]
        elif layout.kind == _by_tail or layout.kind == _by_digit:
            classes: Ints = self.tails if layout.kind == _by_tail else self.digits
            for i in range(0, classes.size - 1, 2):
                row[classes.at[i]] = numbers[layout.index.at[classes.at[i + 1]]]
        else:
            row[self.backslash if layout.kind == _by_backslash else self.u] = numbers[1]
        return row

    # Plain characters

    def plain_run(self, state: cython.int) -> object:
        """As `Language.plain_run`."""
        key: cython.int = self.keys.key.at[3 * state]
        if key < 0 or self.layouts[state] is not None:
            return 0 if key == _start and self.layouts[state] is None else UNKNOWN_RUN
        with self.lock:
            run = self.chain(key)
            if run == UNKNOWN_RUN:
                run = self.runs[key] = ENDLESS_RUN if self.takes_all(key) else UNKNOWN_RUN
            return run

    @cython.cfunc
    def takes_all(self, state: cython.int) -> cython.bint:
        """Whether every plain character can follow, for ever, whatever states they lead to."""
        pending: list = [state]
        reached: set = {state}
        for here in pending:
            row: list = self.texts_row(here)
            before: object = None
            for letter in self.plain_letters:
                target = row[letter] if letter >= 0 else -1
                if target is before:
                    continue
                before = target
                if target < 0:
                    return False
                if target not in reached and self.runs.get(target) != ENDLESS_RUN:
                    if len(reached) > _longest_chain:
                        return False
                    reached.add(target)
                    pending.append(target)
        self.runs.update(dict.fromkeys(reached, ENDLESS_RUN))
        return True

    @cython.cfunc
    def chain(self, state: cython.int) -> object:
        """How many plain characters can follow where every state leads to one state only."""
        path: list = []
        here: object = state
        run: object = UNKNOWN_RUN
        while len(path) <= _longest_chain:
            known = self.runs.get(here)
            if known is not None:
                run = known
                break
            run = min(self.texts_run(here, self.plain), ENDLESS_RUN)
            if run >= 0:
                self.runs[here] = run
                break
            row: list = self.texts_row(here)
            target: object = None
            differ: cython.bint = False
            for letter in self.plain_letters:
                other = row[letter] if letter >= 0 else -1
                if target is None:
                    target = other
                elif target is not other and target != other:
                    differ = True
                    break
            if differ:
                break
            if target < 0:
                run = self.runs[here] = 0
                break
            if target == here or target in path:
                run = self.runs[here] = ENDLESS_RUN
                break
            path.append(here)
            here = target
        if run != UNKNOWN_RUN:
            for before in reversed(path):
                run = min(run + 1, ENDLESS_RUN)
                self.runs[before] = run
        return run


@cython.final
@cython.cclass
class JoinedStates:
    """The states of an automaton for those of a language, some in a row."""

    place: object
    expand: object
    new_block: object
    met: object
    class_map: cython.int
    exit: object
    firsts: list
    maker: object

    def __init__(
        self, place: Any, tables: Any, new_block: Any, met: Any, class_map: cython.int, exit: Any, firsts: list
    ) -> None:  # fmt: skip
        """place: the language's. met(first, number): called with the first state of a new row of this number. firsts:
        the first states of the rows that are there."""
        self.place = place
        self.expand = tables.expand_joined
        self.new_block = new_block
        self.met = met
        self.class_map = class_map
        self.exit = exit
        self.firsts = firsts
        self.maker = self.make  # once: a method that is named is an object

    @cython.ccall
    @cython.locals(number=cython.int)
    def state(self, local: cython.int) -> cython.int:
        """The state of the automaton for a state of the language."""
        number = local // _in_a_row
        if number >= len(self.firsts) or self.firsts[number] < 0:
            self.add(number)
        return self.firsts[number] + local % _in_a_row

    @cython.cfunc
    def add(self, number: cython.int) -> cython.int:
        """Add the states in a row of this number."""
        while number >= len(self.firsts):
            self.firsts.append(-1)
        first = self.firsts[number] = self.new_block(_in_a_row, (self.maker, number), 0, self.exit)
        self.met(first, number)
        return 0

    def make(self, state: cython.int, place: cython.int, number: cython.int) -> None:
        """Expand a state."""
        found: tuple = self.place(number * _in_a_row + place)
        missing: cython.int = 0
        while missing >= 0:
            missing = self.expand(state, found[0], self.firsts, self.class_map, found[1])
            if missing >= 0:
                self.add(missing)


@cython.final
@cython.cclass
class SideBySide:
    """Languages side by side, for threads to share. A place is a state of each, -1 for those that are out; place 0 is
    the start of all."""

    class_map = cython.declare(bytes, visibility="readonly")
    width = cython.declare(cython.int, visibility="readonly")
    count: cython.int
    rows: list
    keys: Keys
    known: list
    most: object
    letter: Ints
    column: Ints
    lock: object

    def __init__(self, class_maps: Sequence[bytes], rows: list[Callable[[int], Sequence[int]]], most: int) -> None:
        """rows: what gives the row of a state, for each language. most: places."""
        self.count = len(rows)
        self.rows = rows
        self.most = most
        self.keys = Keys()
        self.known = []
        self.lock = RLock()
        self.combine(class_maps)
        i: cython.int
        self.keys.given.need(self.count)
        for i in range(self.count):
            self.keys.given.at[i] = 0
        self.place_of()

    def __len__(self) -> int:
        return self.keys.count

    @cython.cfunc
    @cython.locals(byte=cython.int, i=cython.int, c=cython.int, pair=cython.int, width=cython.int)
    def combine(self, class_maps: Sequence[bytes]) -> cython.int:
        """Find the classes of bytes that all the languages agree on."""
        classes = bytearray(256)
        width = 1
        for class_map in class_maps:
            numbers = Ints(256 * width)
            width = 0
            for byte in range(256):
                pair = 256 * classes[byte] + class_map[byte]
                if numbers.at[pair] == 0:
                    width += 1
                    numbers.at[pair] = width
                classes[byte] = numbers.at[pair] - 1
        self.class_map = bytes(classes)
        self.width = width
        self.letter = Ints(self.count * width + 1)
        self.column = Ints(self.count * width + 1)
        for byte in range(256):
            c = classes[byte]
            for i, class_map in enumerate(class_maps):
                self.letter.at[c * self.count + i] = class_map[byte]
        return 0

    @cython.cfunc
    @cython.locals(found=cython.int)
    def place_of(self) -> cython.int:
        """The number of the place that is given."""
        found = self.keys.find(0, self.count)
        if found < 0:
            if self.keys.count >= self.most:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self.most, reached=self.keys.count + 1)
            self.known.append(None)
            found = self.keys.add(0, self.count, -1 - found)
        return found

    def places(self, place: cython.int) -> tuple:
        """The states of a place."""
        first: cython.int = self.count * place
        return tuple([self.keys.number.at[i] for i in range(first, first + self.count)])

    @cython.ccall
    def row(self, place: cython.int) -> list:
        """The next place by class, -1 for none."""
        known = self.known[place]
        if known is None:
            with self.lock:  # other threads may come while a language makes its row
                known = self.known[place]
                if known is None:
                    known = self.known[place] = self.made(place)
        return known

    @cython.cfunc
    @cython.locals(i=cython.int, c=cython.int, q=cython.int, same=cython.bint, alive=cython.bint)
    def made(self, place: cython.int) -> list:
        count: cython.int = self.count
        column = self.column.at
        letter = self.letter.at
        for i in range(count):
            q = self.keys.number.at[count * place + i]
            if q < 0:
                for c in range(self.width):
                    column[count * c + i] = -1
            else:
                moves = self.rows[i](q)
                if isinstance(moves, list):
                    listed: list = moves
                    for c in range(self.width):
                        column[count * c + i] = listed[letter[count * c + i]]
                else:
                    for c in range(self.width):
                        column[count * c + i] = moves[letter[count * c + i]]
        given = self.keys.given.at
        row: list = [-1] * self.width
        number: object = -1
        for c in range(self.width):
            same = c > 0
            alive = False
            # hot loop begins
            for i in range(count):
                q = column[count * c + i]
                if q >= 0:
                    alive = True
                if same and given[i] != q:
                    same = False
                given[i] = q
            # hot loop ends
            if not same:
                number = self.place_of() if alive else -1
            row[c] = number
        return row


@cython.final
@cython.cclass
class JoinedSides:
    """The states of an automaton for places of languages side by side. Where one language is left, its own go on."""

    sides: SideBySide
    parts: list
    alone: list
    continued: list
    outcome: object
    met: object
    new_state: object
    append_row: object
    expand: object
    class_map: cython.int
    states: list
    maker: object

    def __init__(
        self, sides: SideBySide, parts: list, alone: list, outcome: Callable[[tuple[int, ...]], int],
        met: Callable[[int, int], None], new_state: Callable[..., int], tables: Any, class_map: cython.int,
    ) -> None:  # fmt: skip
        """parts: for each language, what gives the parts that a word belongs to which ends in a state of it. alone: for
        each, what gives the states that go on where it is left, by state of it; None where it does not go on by itself.
        outcome: the number of a set of parts. met(state, place): called with each new state."""
        self.sides = sides
        self.parts = parts
        self.alone = alone
        self.continued = [None] * len(parts)
        self.outcome = outcome
        self.met = met
        self.new_state = new_state
        self.append_row = tables.append_row
        self.expand = tables.expand
        self.class_map = class_map
        self.states = []
        self.maker = self.make  # once: a method that is named is an object

    @cython.ccall
    def state(self, place: cython.int) -> cython.int:
        """The state of the automaton for a place."""
        while place >= len(self.states):
            self.states.append(None)
        known = self.states[place]
        if known is None:
            known = self.states[place] = self.made(place)
        return known

    @cython.cfunc
    @cython.locals(i=cython.int, q=cython.int, first=cython.int, count=cython.int, alive=cython.int, last=cython.int)
    def made(self, place: cython.int) -> cython.int:
        numbers = self.sides.keys.number
        count = self.sides.count
        first = count * place
        alive = last = 0
        for i in range(count):
            if numbers.at[first + i] >= 0:
                alive += 1
                last = i
        if alive == 1 and self.alone[last] is not None:
            states = self.continued[last]
            if states is None:
                states = self.continued[last] = self.alone[last]()
            return states(numbers.at[first + last])
        parts: list = []
        for i in range(count):
            q = numbers.at[first + i]
            if q >= 0:
                parts += self.parts[i](q)
        outcome: object = 0
        if parts:
            parts.sort()
            outcome = self.outcome(tuple(parts))
        state = self.new_state(0, self.maker, place, len(parts) > 0, exit=outcome)
        self.met(state, place)
        return state

    def make(self, state: cython.int, place: cython.int, accepting: cython.bint) -> None:
        """Expand a state."""
        moves: list = self.sides.row(place)
        row = array("i", moves)
        c: cython.int
        reads: cython.bint = False
        before: object = None
        number: object = -1
        for c in range(len(moves)):
            target = moves[c]
            if target is not before:
                before = target
                number = target if target < 0 else self.state(target)
            if number >= 0:
                reads = True
            row[c] = number
        kind: cython.int = (1 if reads else 2) if accepting else 0
        self.expand(state, self.append_row(row), self.class_map, kind, 0, 0)
