"""The deterministic path: automata in which every byte has one meaning in every state.

Where an automaton is visible, what the bytes so far mean is one state and one stack. The kernel then walks the trie
over tables and a small stack of integers: a step is a look-up, a call a push, a return a pop. What a walk
of few nodes finds is noted in the kernel; a wide state gets a local mask that is kept, with the remainders of the
tokens that leave its module merged into a trie of their own.

The tables come from a source: `StaticSource` for an automaton that is there in full, or one that makes a state when a
text first comes to it. General automata, and grammars that name tokens, go through `engine` and `configuration`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from threading import Condition, Lock, RLock
from typing import Any, Protocol

from ..ondemand.bounded_strings import Unbounded
from .ahead import make_first_masks
from .configuration import Configuration, Stepper
from .cursor import Cursor
from .exclusive import ExclusiveCursor
from .kernel import Kernel
from .registers import Follower
from .token_tables import TokenTables
from .wide import WideMasks

__all__ = ["Source", "Visible"]

_MAXIMUM_FRAMES = 1 << 20  # of one machine, beside the bottoms
_MANY_FRAMES = 1 << 16  # so many, and the next text begins with none
_MANY_BYTES = 256 * 1024 * 1024  # of local masks and notes; beyond, the next text begins with none
_NARROW = 1024  # nodes, and exits; where a first walk visits no more, what it finds is noted
_STRINGS_AHEAD = 96  # whose first masks are made ahead
_MAXIMUM_WAITING = 257  # pairs in the kernel's `add_closure`, which says why


class Source(Protocol):
    """What the kernel asks of an automaton. `_machine.py` says what the records hold.

    The four arrays may have room at the end, and are replaced where that runs out: the kernel holds views of them, so
    they cannot be made longer. It makes one call at a time.
    """

    @property
    def states(self) -> array[int]:
        """Records of states."""

    @property
    def next_state(self) -> array[int]:
        """Rows."""

    @property
    def class_of(self) -> bytes | array[int]:
        """Class maps, of 256 bytes each."""

    @property
    def edges(self) -> array[int]:
        """Records of call edges."""

    @property
    def generation(self) -> int:
        """Another number after each replacement of an array."""

    @property
    def nesting(self) -> int:
        """Levels that a text may nest."""

    @property
    def start(self) -> int:
        """The state at the beginning of a text."""

    def expand(self, state: int, /) -> None:
        """Make the row of a state that has none: its entries, and the state's kind, call edges and default edge."""

    def name_of(self, state: int, /) -> tuple[Any, ...] | None:
        """Equal names, of whatever sources: the same may follow in the module, and it ends by the same exits."""

    def plain_run(self, state: int, /) -> int:
        """How many plain characters can follow in a row, as `PlainRuns.length` says it."""

    def unbounded(self, state: int, /) -> Unbounded | None:
        """For a state of a string that may have so many more characters: what it is without that bound."""


class Visible:
    """One source over one vocabulary: the kernel's tables and machine for it, and its local masks."""

    def __init__(
        self,
        source: Source,
        tables: TokenTables,
        kernel: Kernel,
        follower: Follower | None = None,
        strings: Iterable[int] = (),
    ) -> None:
        """follower: of the source's noted calls, where it has any. strings: states before strings whose first masks
        are to be made now."""
        self.source = source
        self.tables = tables
        self._kernel = kernel
        self._lock = RLock()
        self._masks = WideMasks(source, tables, kernel)
        self._automaton = kernel.machine.AutomatonTables(
            source, tables.machine_tables, self._masks.find, _MAXIMUM_WAITING, _NARROW, Condition(Lock())
        )
        self._machine = self._make_machine()
        if kernel.machine.COMPILED:  # else a walk takes longer than a text that may not come there should wait
            make_first_masks(kernel, self._machine, strings, tables.word_count, _STRINGS_AHEAD)
        self._automaton.follower = follower  # now: what is made ahead is no text

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text.

        A machine keeps every stack that it has seen. Once these are many, new texts go to a new machine; the old
        one goes with its last cursor. Where kept masks have come to fill too much memory, they are dropped.
        """
        with self._lock:
            if self.memory > _MANY_BYTES:
                self._automaton.forget()
                self._masks.forget()
            if self._machine.frame_count - self.source.nesting > _MANY_FRAMES:
                self._machine = self._make_machine()
            cursor: Cursor = self._kernel.machine.VisibleCursor(self._machine, self.source.start)
        return cursor if self._kernel.machine.COMPILED else ExclusiveCursor(cursor, self._lock)

    def configuration(self, cursor: Any, stepper: Stepper) -> Configuration:
        """Where a cursor is, as the general path says it (for explanations and for the oracle)."""
        state, calls = cursor.position()
        frame = stepper.bottoms[0]
        for after, depth in reversed(calls):
            frame = stepper.frame([(after, frame)], depth)
        return stepper.close([(state, frame)])

    def expand(self, state: int) -> None:
        """Have a state's row made where it has none. Only so: the kernel must know of every change to the arrays."""
        with self._lock:
            self._automaton.make_row(state)

    @property
    def memory(self) -> int:
        """Bytes of the local masks and of notes."""
        return self._masks.memory + int(self._automaton.note_bytes())

    def _make_machine(self) -> Any:
        """A machine without frames."""
        return self._kernel.machine.VisibleMachine(self._automaton, _MAXIMUM_FRAMES + 4 * self.source.nesting)
