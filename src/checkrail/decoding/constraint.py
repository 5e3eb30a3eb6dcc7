"""`compile` and `Constraint`: a grammar joined to a vocabulary, ready to make matchers.

The automaton does not depend on the vocabulary; a constraint holds both and the mask engine over them. It lives
in this layer, and not beside the automaton, because it makes matchers. Immutable, shared between threads.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from ..automaton.compiler import compile_automaton
from ..automaton.dot import to_dot
from ..automaton.pushdown import PushdownAutomaton
from ..grammar.grammar import Contract, Grammar
from ..limits import DEFAULT_LIMITS, Limits
from ..mask.engine import MaskEngine
from ..mask.kernel import Kernel
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .matcher import Matcher

__all__ = ["Constraint", "Report", "compile"]


@dataclass(frozen=True, slots=True)
class Report:
    """What compiling came to. memory is in bytes; table_bound is what 256 columns a state would take."""

    contract: Contract
    visible: bool
    states: int
    transitions: int
    modules: int
    nesting: int
    memory: int
    table_bound: int
    shortest: int


class Constraint:
    """A compiled grammar over a vocabulary. Make one with `compile`.

    >>> import checkrail
    >>> vocabulary = checkrail.Vocabulary.from_bytes([b"a", b"b", None], eos=[2])
    >>> constraint = checkrail.compile(checkrail.Grammar.from_gbnf('root ::= "a"+'), vocabulary)
    >>> constraint.matcher().allowed()
    [0]
    """

    __slots__ = ("automaton", "engine", "grammar", "limits", "report", "sha256", "vocabulary")

    def __init__(
        self,
        grammar: Grammar,
        vocabulary: Vocabulary,
        automaton: PushdownAutomaton,
        *,
        contract: Contract,
        limits: Limits = DEFAULT_LIMITS,
        kernel: Kernel | None = None,
    ) -> None:
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.automaton = automaton
        self.limits = limits
        self.engine = MaskEngine(automaton, vocabulary, _trie(vocabulary), limits=limits, kernel=kernel)
        digest = hashlib.sha256(b"constraint/1\0")
        for part in (automaton.sha256, vocabulary.fingerprint, grammar.sha256):
            digest.update(part.encode() + b"\0")
        self.sha256 = digest.hexdigest()
        self.report = Report(
            contract=contract,
            visible=automaton.visible,
            states=len(automaton),
            transitions=automaton.transitions,
            modules=len(automaton.names),
            nesting=automaton.nesting,
            memory=automaton.memory,
            table_bound=len(automaton) * 256 * 4,
            shortest=automaton.length[automaton.starts[0]],
        )

    def __repr__(self) -> str:
        return f"<Constraint {len(self.automaton)} states sha256:{self.sha256[:8]}>"

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held now, by what holds them."""
        return self.engine.memory

    def to_dot(self) -> str:
        """The automaton as Graphviz DOT text."""
        return to_dot(self.automaton)

    def matcher(self) -> Matcher:
        """A matcher at the beginning of a text."""
        return Matcher(self.engine)


@lru_cache(maxsize=4)
def _trie(vocabulary: Vocabulary) -> Trie:
    return Trie.build(vocabulary)


def compile(
    grammar: Grammar,
    vocabulary: Vocabulary,
    *,
    contract: Contract | None = None,
    limits: Limits = DEFAULT_LIMITS,
    kernel: Kernel | None = None,
) -> Constraint:
    """Compile a grammar for a vocabulary.

    contract: "visibly-pushdown" or "context-free"; None takes the grammar's own. kernel: the mask kernel to use
    (tests pass both). Raises GrammarError, SchemaError, BudgetError, VocabularyError.
    """
    automaton = compile_automaton(grammar, contract=contract, limits=limits)
    return Constraint(
        grammar, vocabulary, automaton, contract=contract or grammar.contract, limits=limits, kernel=kernel
    )
