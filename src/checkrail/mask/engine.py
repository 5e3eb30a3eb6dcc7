"""The mask engine: one bitmask out of local masks and exits.

    mask(configuration) = union over its pairs (q, f) of  local(q) | exits(q) continued at f's return states | ...

up the frames, until no token reaches further. A warm mask is a few dense and sparse ORs: no walk, no allocation.
Tokens that the grammar names (special tokens) come from the pairs' token edges; the end tokens are allowed
exactly where the text may end.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import ClassVar, Literal, Protocol

from ..automaton.pushdown import PushdownAutomaton
from ..errors import MaskError
from ..limits import DEFAULT_LIMITS, Limits
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .budget import TokenBudget
from .configuration import Configuration, Frame, Stepper
from .cursor import Cursor, GeneralCursor
from .kernel import Kernel, active
from .local import PartialMask, RelativeWalker
from .named_tokens import NamedTokens
from .slow import advance_token
from .static_source import StaticSource
from .token_tables import token_tables
from .visible import Visible

__all__ = ["Engine", "EngineName", "MaskEngine"]

EngineName = Literal["automaton", "earley"]

_CACHE_BYTES = 256 * 1024 * 1024
_MAXIMUM_BUDGETS = 4
_MOST_LOCAL_WALKS = 64  # for one mask


class Engine(Protocol):
    """What a matcher needs: masks of a grammar over a vocabulary, whatever form the automaton has."""

    name: ClassVar[EngineName]
    vocabulary: Vocabulary
    trie: Trie
    words: int

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held, by what holds them."""

    @property
    def full(self) -> MaskEngine:
        """The engine over the whole automaton."""

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text."""

    def names_token(self, cursor: Cursor, taken: Sequence[int | bytes]) -> bool:
        """Whether the grammar names a token that may come next."""

    def configuration(self, cursor: Cursor, taken: Sequence[int | bytes]) -> Configuration:
        """What a cursor's text can mean, in terms of the whole automaton. taken: the steps that led there."""

    def pending_rules(self, cursor: Cursor, taken: Sequence[int | bytes]) -> tuple[tuple[str, ...], ...]:
        """What the text is in the middle of, innermost first, for each way to read it."""

    def lines(self, cursor: Cursor) -> tuple[str, ...]:
        """How the engine itself reads the text so far, a line each; none where the pending rules say all."""


class MaskEngine:
    """Masks of one automaton over one vocabulary. Shared by matchers and threads; caches fill under a lock."""

    name: ClassVar[EngineName] = "automaton"

    def __init__(
        self,
        automaton: PushdownAutomaton,
        vocabulary: Vocabulary,
        trie: Trie,
        *,
        limits: Limits = DEFAULT_LIMITS,
        kernel: Kernel | None = None,
    ) -> None:
        self.automaton = automaton
        self.vocabulary = vocabulary
        self.stepper = Stepper(automaton, limits)
        self.words = words_for(len(vocabulary))
        kernel = kernel or active()
        self._kernel = kernel.walker
        self._make_walker = partial(RelativeWalker, self.stepper, trie, len(vocabulary), kernel)
        self._walker: RelativeWalker | None = None  # made when the general path is taken: it is large
        self.trie = trie
        self._budgets: dict[frozenset[int], TokenBudget] = {}
        self._depth_matters = _modules_that_nest(automaton)
        self._lock = Lock()
        self._budget_lock = Lock()
        self._cached: OrderedDict[object, PartialMask] = OrderedDict()
        self._cached_bytes = 0
        self._named = NamedTokens({edge for edges in automaton.tokens for edge, _ in edges}, vocabulary, kernel)
        deterministic = automaton.visible and not self._named
        tables = token_tables(vocabulary, trie, kernel) if deterministic else None
        self.visible = Visible(StaticSource(automaton, trie.max_depth), tables, kernel) if tables else None

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held, by what holds them."""
        return {
            "automaton": self.automaton.memory,
            "budgets": sum(budget.memory for budget in tuple(self._budgets.values())),
            "masks": self._cached_bytes + (self.visible.memory if self.visible else 0),
            "table": self.stepper.memory + (self._walker.memory if self._walker else 0),
        }

    def advance(self, configuration: Configuration, token: int) -> Configuration | None:
        """The configuration after a token (not an end token); None where it is not allowed."""
        return advance_token(self.stepper, configuration, token, self.vocabulary)

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text: the kernel's where the automaton is visible, else the general one."""
        if self.visible is not None:
            kernel_cursor: Cursor = self.visible.cursor()
            return kernel_cursor
        return GeneralCursor(self.stepper, self.advance, self.fill)

    def budget(self, without: frozenset[int] = frozenset()) -> TokenBudget:
        """The counts for token budgets where the ids in `without` are never chosen; made when first asked for."""
        with self._budget_lock:
            found = self._budgets.get(without)
            if found is None:
                if len(self._budgets) >= _MAXIMUM_BUDGETS:
                    self._budgets.clear()
                found = TokenBudget(self.stepper, self.trie, self._named.ids(), self._depth_key, without)
                self._budgets[without] = found
        return found

    @property
    def full(self) -> MaskEngine:
        """The engine over the whole automaton: this one."""
        return self

    def names_token(self, cursor: Cursor, taken: Sequence[int | bytes]) -> bool:
        """Whether the grammar names a token that may come next."""
        named = self.automaton.tokens
        return bool(self._named) and any(named[state] for state, _ in self.configuration(cursor, taken).pairs)

    def configuration(self, cursor: Cursor, taken: Sequence[int | bytes]) -> Configuration:
        """What a cursor's text can mean. taken: the steps that led there, for engines that must read them again."""
        if isinstance(cursor, GeneralCursor):
            return cursor.configuration
        if self.visible is None:
            raise MaskError("INTERNAL", what="a cursor of another engine")
        return self.visible.configuration(cursor, self.stepper)

    def pending_rules(self, cursor: Cursor, taken: Sequence[int | bytes]) -> tuple[tuple[str, ...], ...]:
        """The pending rules for each way to read the text (the first callers, where frames are shared)."""
        pairs = self.configuration(cursor, taken).pairs
        return tuple(dict.fromkeys(self._pending(state, frame) for state, frame in pairs))

    def _pending(self, state: int, frame: Frame) -> tuple[str, ...]:
        automaton = self.automaton
        names = [automaton.names[automaton.module_of[state]]]
        while frame.entries:
            state, frame = frame.entries[0]
            names.append(automaton.names[automaton.module_of[state]])
        return tuple(names)

    def lines(self, _cursor: Cursor) -> tuple[str, ...]:
        """None: the pending rules say all."""
        return ()

    def fill(self, configuration: Configuration, row: memoryview) -> None:
        """Write the mask of a configuration into a row of unsigned words, by the general path.

        Raises MaskError MASK_BUDGET, and nothing is allowed then, where there are too many ways up the stacks.
        """
        self._kernel.clear(row, len(row))
        try:
            self._fill(configuration, row)
        except BaseException:
            self._kernel.clear(row, len(row))
            raise

    def _fill(self, configuration: Configuration, row: memoryview) -> None:
        missing = sum((q, self._depth_key(q, f.depth)) not in self._cached for q, f in configuration.pairs)
        # Many states that were never seen are walked together, since each alone may lead to as many others.
        together = missing > _MOST_LOCAL_WALKS
        if together:
            with self._lock:
                whole = self._made(lambda walker: walker.whole(configuration))
            self._or(row, whole)
        entered: dict[tuple[tuple[int, ...], Frame], None] = {}
        for state, frame in configuration.pairs:
            if not together:
                self._add(row, self._local(state, frame.depth), frame, entered)
            for edge, target in self.automaton.tokens[state]:
                if frame.depth + self.automaton.room[target] <= self.automaton.nesting:
                    self._named.add(row, edge)
        if configuration.accepting:
            for token in self.vocabulary.eos:
                row[token >> 5] |= 1 << (token & 31)

    def _add(
        self, row: memoryview, mask: PartialMask, frame: Frame, entered: dict[tuple[tuple[int, ...], Frame], None]
    ) -> None:
        """Add a mask, and what its exits become further up the stack. entered: what was followed for this row."""
        self._or(row, mask)
        pending = [(mask.exits, frame)] if mask.exits else []
        for key in pending:  # frames below are older, so this ends
            if key in entered:
                continue
            entered[key] = None
            if len(entered) > self.stepper.entry_limit:
                raise MaskError("MASK_BUDGET", limit=self.stepper.entry_limit)
            exits, above = key
            for state, below in above.entries:
                following = self._after_return(exits, state, below.depth)
                self._or(row, following)
                if following.exits:
                    pending.append((following.exits, below))

    def _or(self, row: memoryview, mask: PartialMask) -> None:
        if mask.places:
            self._kernel.or_sparse(row, mask.places, mask.words, len(mask.places))
        elif mask.words:
            self._kernel.or_dense(row, mask.words, len(mask.words))

    def _depth_key(self, state: int, depth: int) -> int:
        """The depth that a mask in this state depends on: none where no call of the module nests."""
        return depth if self._depth_matters[self.automaton.module_of[state]] else 0

    def _local(self, state: int, depth: int) -> PartialMask:
        depth = self._depth_key(state, depth)
        return self._remember((state, depth), lambda walker: walker.local(state, depth))

    def _after_return(self, exits: tuple[int, ...], state: int, depth: int) -> PartialMask:
        depth = self._depth_key(state, depth)
        return self._remember((exits, state, depth), lambda walker: walker.after_return(exits, state, depth))

    def _made(self, compute: Callable[[RelativeWalker], PartialMask]) -> PartialMask:
        """A walk; the caller holds the lock."""
        self._walker = self._walker or self._make_walker()
        return compute(self._walker)

    def _remember(self, key: object, compute: Callable[[RelativeWalker], PartialMask]) -> PartialMask:
        found = self._cached.get(key)
        if found is not None:
            return found
        with self._lock:
            found = self._cached.get(key)
            if found is None:
                found = self._cached[key] = self._made(compute)
                self._cached_bytes += found.memory
                while self._cached_bytes > _CACHE_BYTES and len(self._cached) > 1:
                    self._cached_bytes -= self._cached.popitem(last=False)[1].memory
        return found


def _modules_that_nest(automaton: PushdownAutomaton) -> list[bool]:
    """For each module whether a call inside it, or inside what it calls, opens a level of nesting."""
    callers: list[set[int]] = [set() for _ in automaton.names]
    nests = [False] * len(automaton.names)
    for state, edges in enumerate(automaton.calls):
        for edge in edges:
            callers[automaton.module_of[edge.start]].add(automaton.module_of[state])
            if edge.weight:
                nests[automaton.module_of[state]] = True
    pending = [module for module, does in enumerate(nests) if does]
    for module in pending:
        for caller in callers[module]:
            if not nests[caller]:
                nests[caller] = True
                pending.append(caller)
    return nests
