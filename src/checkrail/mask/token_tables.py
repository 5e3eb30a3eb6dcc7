"""What a vocabulary contributes to masks, in the kernel's layout; made once and shared by all its constraints."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .blank_tokens import blank_tables
from .bounded import BoundedMasks
from .cache import file_name, prepare
from .derived import DerivedMasks
from .kernel import Kernel
from .kind_tries import KindTrie
from .remainders import Remainders
from .token_tries import TokenTrie

if TYPE_CHECKING:
    from .counted import Survey

__all__ = ["SharedMasks", "TokenTables", "token_tables"]

_SHARED_BYTES = 32 * 1024 * 1024  # of masks that a vocabulary keeps for all its constraints


class TokenTables:
    """tokens: the trie of all tokens. plain: those of whole plain characters. others: the trie of the rest.

    token_bytes, token_starts: the bytes of all tokens in one string, and where each begins. ends: the end tokens.
    shared: local masks that serve all constraints. survey: what tokens do from a kind of place in a string on. bounded:
    makes the masks of strings of bounded length. remainders: what is left of tokens that leave a module.
    machine_tables: what the kernel reads of all this. work_spaces: those that nobody uses just now, each a row of
    words and room for two numbers of each trie node (see `WideMasks`).
    """

    def __init__(self, vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> None:
        prepared = prepare(vocabulary)
        self.trie = trie
        self.word_count = words_for(len(vocabulary))
        self.tokens = TokenTrie(prepared.nodes, prepared.tokens, kernel)
        self.ends = array("i", vocabulary.eos)
        self.shared = SharedMasks()
        self.token_starts = prepared.token_starts
        self.token_bytes = prepared.token_bytes or b"\0"
        self.plain = prepared.plain
        self.others = TokenTrie(prepared.other_nodes, prepared.other_tokens, kernel)
        self.machine_tables: Any = kernel.machine.TokenTables(
            self.tokens.kernel_trie, self.token_bytes, self.token_starts, self.ends, trie.max_depth, self.word_count,
            blank_tables(prepared.nodes, prepared.tokens),
        )  # fmt: skip
        self.survey: Callable[[str], Survey]
        self.bounded = BoundedMasks(self, kernel)
        self.remainders = Remainders(kernel)
        self.work_spaces: list[tuple[array[int], array[int]]] = []
        self._kernel = kernel
        self._kinds: dict[TokenTrie, KindTrie] = {}
        if kernel.mode == "compiled":  # some milliseconds, which no text should wait for
            self.kinds_of(self.tokens)
            self.kinds_of(self.others)

    def kinds_of(self, trie: TokenTrie) -> KindTrie:
        """Of one of the two tries, that over kinds of bytes; made when a mask first needs it."""
        known = self._kinds.get(trie)
        if known is None:
            known = self._kinds[trie] = KindTrie(trie, self.trie.max_depth, self.word_count, self._kernel)
        return known


@lru_cache(maxsize=8)
def token_tables(vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> TokenTables:
    """The tables of a vocabulary, made once; with the masks of the standard places, where these are kept on disk."""
    tables = TokenTables(vocabulary, trie, kernel)
    derived = DerivedMasks(tables, vocabulary, kernel)
    tables.shared.derive = derived.find
    tables.survey = derived.survey
    if file_name(vocabulary, "masks"):
        from .standard import share_standard_masks  # it makes masks by such tables

        derived.open(make=share_standard_masks(tables, vocabulary, kernel))
    return tables


class SharedMasks:
    """Local masks by what may follow a state, for all constraints of one vocabulary; the oldest go first.

    derive: asked for what is not here, (mask, bytes) or None.
    """

    def __init__(self) -> None:
        self._masks: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self.memory = 0
        self.derive: Callable[[tuple[Any, ...]], tuple[Any, int] | None] = lambda _: None

    def get(self, name: tuple[Any, ...]) -> Any:
        """The mask of a place in a module (see `PushdownAutomaton.digest_of`), or None."""
        mask = self.kept(name)
        if mask is None:
            made = self.derive(name)
            if made is not None:
                self.put(name, *made)
                return made[0]
        return mask

    def kept(self, name: tuple[Any, ...]) -> Any:
        """The same, if it is here already."""
        with self._lock:
            found = self._masks.get(name)
            if found is None:
                return None
            self._masks.move_to_end(name)
            return found[0]

    def put(self, name: tuple[Any, ...], mask: Any, memory: int) -> None:
        """Keep a mask of `memory` bytes."""
        with self._lock:
            if name not in self._masks:
                self._masks[name] = mask, memory
                self.memory += memory
            while self.memory > _SHARED_BYTES:
                self.memory -= self._masks.popitem(last=False)[1][1]
