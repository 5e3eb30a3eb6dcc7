"""Walk through a grammar with the automaton engine, the Earley engine and the slow mask at once, and compare masks.

The slow mask tries every token (`slow="tokens"`), or shares the prefixes of a large vocabulary (`slow="trie"`, which
other tests show to be equal). It has a recognizer of its own, so nothing that the engines keep is of use to it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Literal

from checkrail import Constraint, Grammar, Limits, Matcher, Vocabulary, compile
from checkrail.earley.compile import readings_of
from checkrail.earley.engine import EarleyEngine
from checkrail.earley.masks import mask_by_flat_trie, mask_by_tokens
from checkrail.earley.recognizer import Recognizer
from checkrail.errors import Error
from checkrail.grammar.lexical import LexicalGrammar

# Where a grammar does not say what nests, the automaton engine counts calls and the Earley engine does not.
ROOM = Limits(nesting=100)
# What the automaton engine may not take: two of its bounds, and left recursion that it cannot remove.
REFUSED = {"GRAMMAR_BUDGET_STATES", "GRAMMAR_BUDGET_TRANSITIONS", "GRAMMAR_LEFT_RECURSION"}


def ids(row: array[int]) -> list[int]:
    """The tokens of a mask."""
    found: list[int] = []
    for place, word in enumerate(row):
        if word:
            found += [32 * place + bit for bit in range(32) if word >> bit & 1]
    return found


def both(grammar: Grammar, vocabulary: Vocabulary) -> list[Constraint]:
    """The grammar on the engine that serves it, and on the Earley engine."""
    return [compile(grammar, vocabulary), compile(grammar, vocabulary, engine="earley")]


def both_take(constraints: list[Constraint], tokens: Iterable[int]) -> bool:
    """Whether the tokens are a whole text, as both engines agree, with equal masks all the way."""
    matchers = [constraint.matcher() for constraint in constraints]
    for token in tokens:
        masks = [matcher.allowed(None) for matcher in matchers]
        assert masks[0] == masks[1]
        assert [matcher.accept_token(token) for matcher in matchers] == [token in masks[0]] * 2
        if token not in masks[0]:
            return False
    complete = [matcher.is_completed() for matcher in matchers]
    assert complete[0] == complete[1]
    return complete[0]


class Walk:
    """A text on its way through both engines. masks: how many were compared with the slow mask and with one another.

    Raises what compiling with the Earley engine raises.
    """

    def __init__(
        self,
        grammar: Grammar,
        vocabulary: Vocabulary,
        *,
        limits: Limits = ROOM,
        slow: Literal["tokens", "trie"] | None = "tokens",
        automaton: Constraint | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.earley = compile(grammar, vocabulary, engine="earley", limits=limits)
        engine = self.earley.engine
        assert isinstance(engine, EarleyEngine)
        self.automaton = automaton or self._automaton(grammar, limits)
        self._trie = engine.trie
        self._slow = slow
        if slow is not None:
            _, self._readings = readings_of(grammar.lexical or LexicalGrammar.of_grammar(grammar), limits=limits)
        self.masks = 0
        self.begin()

    def _automaton(self, grammar: Grammar, limits: Limits) -> Constraint | None:
        try:
            return compile(grammar, self.vocabulary, engine="automaton", contract="context-free", limits=limits)
        except Error as error:
            if error.code not in REFUSED:
                raise
            return None

    def begin(self) -> None:
        """Go to the beginning of a text."""
        made = [self.earley.matcher(), *([self.automaton.matcher()] if self.automaton else [])]
        self.matchers: list[Matcher] = made
        self.slow = Recognizer(self._readings) if self._slow else None

    def compare(self, *, slow: bool = True) -> list[int]:
        """The tokens that may come next, end tokens included, after all masks were found equal."""
        rows = []
        for matcher in self.matchers:
            row = array("I", bytes(4 * ((len(self.vocabulary) + 31) // 32)))
            matcher.fill_next_token_bitmask(row)
            rows.append(row)
        if len(rows) > 1:
            assert rows[0] == rows[1], self._difference(*map(ids, rows))
            assert self.matchers[0].is_completed() == self.matchers[1].is_completed()
        allowed = ids(rows[0])
        if slow and self.slow is not None:
            truth = self._slow_mask(self.slow)
            assert allowed == truth, self._difference(allowed, truth)
        self.masks += 1
        return allowed

    def _slow_mask(self, slow: Recognizer) -> list[int]:
        found = mask_by_tokens(slow, self.vocabulary) if self._slow == "tokens" else mask_by_flat_trie(slow, self._trie)
        return sorted(found | (set(self.vocabulary.eos) if slow.is_accepting() else set()))

    def _difference(self, one: list[int], other: list[int]) -> list[tuple[int, bytes | None]]:
        return [(token, self.vocabulary.tokens[token]) for token in sorted(set(one) ^ set(other))[:20]]

    def take(self, token: int) -> None:
        """Take a token that is text and allowed."""
        assert all(matcher.accept_token(token) for matcher in self.matchers)
        if self.slow is not None:
            assert self.slow.push_bytes(self.vocabulary.tokens[token] or b"")

    def take_bytes(self, data: bytes) -> bool:
        """Take bytes, if they fit; whether they do is agreed."""
        taken = {matcher.accept_bytes(data) for matcher in self.matchers}
        if self.slow is not None:
            taken.add(self.slow.push_bytes(data))
        assert len(taken) == 1
        return taken.pop()

    def wander(self, choose: Callable[[list[int]], int], steps: int, *, slow_every: int = 1) -> None:
        """A random walk: compare, choose a token, take it. slow_every: of how many masks one is tried slowly."""
        for step in range(steps):
            allowed = self.compare(slow=step % slow_every == 0)
            text = [token for token in allowed if token not in self.vocabulary.eos]
            if not text:
                return
            self.take(choose(text))
