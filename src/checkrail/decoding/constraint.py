"""`compile` and `Constraint`: a grammar joined to a vocabulary, ready to make matchers.

The automaton does not depend on the vocabulary; a constraint holds both and the mask engine over them. It lives
in this layer, and not beside the automaton, because it makes matchers. Immutable, shared between threads.

A JSON schema in the open profile is not compiled as a whole: its automaton is made on demand (`ondemand`). The whole
automaton is then made when something asks for it: `automaton`, `report`, `sha256`, `save`, a token budget.

There are two engines. The automaton engine takes what its contract accepts. The Earley engine (`earley`) takes every
context-free grammar, reads lexemes, and has no automaton. `compile` chooses by rule, and the report says why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, overload

from ..automaton.compiler import compile_automaton
from ..automaton.dot import to_dot
from ..automaton.pushdown import PushdownAutomaton
from ..errors import BudgetError, GrammarError, InputError
from ..grammar.analyze import check
from ..grammar.grammar import Contract, Grammar
from ..limits import DEFAULT_LIMITS, Limits
from ..mask.cache import prepare
from ..mask.engine import Engine, EngineName, MaskEngine
from ..mask.kernel import Kernel, active
from ..mask.on_demand import OnDemandEngine
from ..ondemand import OnDemand
from ..vocabulary.vocabulary import Vocabulary
from ..watch import UNWATCHED, Watch
from . import stored
from .budgeted_matcher import BudgetedMatcher
from .matcher import Matcher

__all__ = ["Constraint", "EngineName", "Report", "compile"]

if TYPE_CHECKING:  # few grammars need that engine, and loading it takes a while
    from ..earley.engine import EarleyEngine
    from ..earley.readings import Lexing
    from ..grammar.lexical import LexicalGrammar

# Why the automaton engine may refuse a grammar that the Earley engine takes.
_TOO_GENERAL = frozenset(
    {"GRAMMAR_BUDGET_STATES", "GRAMMAR_BUDGET_TRANSITIONS", "GRAMMAR_LEFT_RECURSION", "GRAMMAR_NOT_VISIBLE"}
)
_PREPARED_STATES = 256  # texts ask for 17 in 20 of the first 32, and for every second beyond 64


@dataclass(frozen=True, slots=True)
class Report:
    """What compiling came to. memory is in bytes; table_bound is what 256 columns a state would take.

    engine: which one serves the grammar, because: why. Of the Earley engine, states and transitions are those of the
    terminals' automata, modules are rules, and nesting is 0 where the grammar does not say what nests: it has no bound.
    """

    contract: Contract
    visible: bool
    states: int
    transitions: int
    modules: int
    nesting: int
    memory: int
    table_bound: int
    shortest: int
    engine: EngineName = "automaton"
    because: str = field(default="", compare=False)


class Constraint:
    """A compiled grammar over a vocabulary. Make one with `compile`.

    >>> import checkrail
    >>> vocabulary = checkrail.Vocabulary.from_bytes([b"a", b"b", None], eos=[2])
    >>> constraint = checkrail.compile(checkrail.Grammar.from_gbnf('root ::= "a"+'), vocabulary)
    >>> constraint.matcher().allowed()
    [0]
    """

    __slots__ = ("_because", "_contract", "_facts", "engine", "grammar", "limits", "vocabulary")

    def __init__(
        self,
        grammar: Grammar,
        vocabulary: Vocabulary,
        automaton: PushdownAutomaton | Engine | None,
        *,
        contract: Contract,
        limits: Limits = DEFAULT_LIMITS,
        kernel: Kernel | None = None,
        watch: Watch = UNWATCHED,
        because: str = "",
    ) -> None:
        """automaton: the whole one; None to make it on demand, for a grammar with a `schema`; or the Earley engine,
        which has none. watch: of that work. because: why this engine serves the grammar."""
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.limits = limits
        self._contract = contract
        self._because = because
        self._facts: tuple[str, Report] | None = None
        trie = prepare(vocabulary).trie

        def whole(automaton: PushdownAutomaton) -> MaskEngine:
            return MaskEngine(automaton, vocabulary, trie, limits=limits, kernel=kernel)

        def compiled() -> MaskEngine:
            return whole(compile_automaton(grammar, contract=contract, limits=limits))

        def begun() -> OnDemand:
            source = OnDemand(grammar.schema, limits, trie.max_depth, (kernel or active()).tables)
            source.prepare(_PREPARED_STATES)
            return source

        self.engine: Engine
        if automaton is None:
            with grammar.schema.watched(watch):
                self.engine = OnDemandEngine(begun, vocabulary, trie, compiled, kernel)
        else:
            self.engine = whole(automaton) if isinstance(automaton, PushdownAutomaton) else automaton

    @property
    def automaton(self) -> PushdownAutomaton:
        """The whole automaton. Raises InputError CONSTRAINT_ENGINE: the Earley engine has none."""
        return self.engine.full.automaton

    @property
    def is_whole(self) -> bool:
        """Whether there is a whole automaton or another engine's tables; asking makes it.

        There is none where a schema has texts note what they wrote (`uniqueItems` of any items), and where the rules,
        or the states, are beyond the limits: then nothing counts the tokens to an end, reports or is saved.
        """
        return not isinstance(self.engine, OnDemandEngine) or (not self.grammar.schema.noted and self.engine.has_full)

    @property
    def sha256(self) -> str:
        """A name for what the constraint allows: equal for equal automata over equal vocabularies; where there is no
        whole automaton, for equal schemas."""
        return self._known()[0] if self.is_whole else self._digest(self.grammar.sha256, self.grammar.sha256)

    @property
    def source_sha256(self) -> str:
        """The same where that costs nothing; of an automaton on demand a name for its schema and the vocabulary, for
        which no whole automaton is made."""
        return self._digest("source", self.grammar.source_sha256) if self.is_on_demand else self.sha256

    @property
    def is_on_demand(self) -> bool:
        """Whether states are made as texts come to them, so that what needs the whole automaton has to make it."""
        return isinstance(self.engine, OnDemandEngine)

    @property
    def report(self) -> Report:
        """What compiling came to."""
        return self._known()[1]

    def _known(self) -> tuple[str, Report]:
        if self._facts is None:
            if self.engine.name == "earley":
                inner, report = self._known_of_earley()
            else:
                inner, report = self.automaton.sha256, self._report_of_automaton(self.automaton)
            self._facts = self._digest(inner, self.grammar.sha256), report
        return self._facts

    def _digest(self, inner: str, grammar: str) -> str:
        digest = hashlib.sha256(b"constraint/1\0")
        for part in (inner, self.vocabulary.fingerprint, grammar):
            digest.update(part.encode() + b"\0")
        return digest.hexdigest()

    def _report_of_automaton(self, automaton: PushdownAutomaton) -> Report:
        return Report(
            contract=self._contract,
            visible=automaton.visible,
            states=len(automaton),
            transitions=automaton.transitions,
            modules=len(automaton.names),
            nesting=automaton.nesting,
            memory=automaton.memory,
            table_bound=len(automaton) * 256 * 4,
            shortest=automaton.length[automaton.starts[0]],
            because=self._because,
        )

    def _known_of_earley(self) -> tuple[str, Report]:
        from ..earley.compile import sha256_of

        engine = self._earley()
        lexer = engine.readings.lexer
        report = Report(
            contract="context-free",
            visible=False,
            states=lexer.place_count,
            transitions=lexer.move_count,
            modules=len(engine.rules.rules),
            nesting=engine.rules.nesting,
            memory=engine.memory["automaton"],
            table_bound=lexer.place_count * 256 * 4,
            shortest=engine.rules.shortest,
            engine="earley",
            because=self._because,
        )
        return sha256_of(_two_floors(self.grammar), engine.readings.lexing, engine.rules.nesting), report

    def _earley(self) -> EarleyEngine:
        from ..earley.engine import EarleyEngine

        assert isinstance(self.engine, EarleyEngine)
        return self.engine

    def __repr__(self) -> str:
        if isinstance(self.engine, OnDemandEngine):
            return f"<Constraint {self.grammar.format}, made on demand, over {len(self.vocabulary)} tokens>"
        if self.engine.name == "earley":
            return f"<Constraint {self._earley().rules!r} sha256:{self.sha256[:8]}>"
        return f"<Constraint {len(self.automaton)} states sha256:{self.sha256[:8]}>"

    @property
    def memory(self) -> dict[str, int]:
        """Bytes held now, by what holds them."""
        return self.engine.memory

    def to_dot(self) -> str:
        """The automaton as Graphviz DOT text."""
        return to_dot(self.automaton)

    def serialize_json(self) -> str:
        """The constraint as text, without the vocabulary; see `stored`. Equal constraints, equal text."""
        return stored.encode(self)

    @classmethod
    def deserialize_json(cls, text: str, vocabulary: Vocabulary, *, kernel: Kernel | None = None) -> Constraint:
        """The constraint of `serialize_json`, over the same vocabulary; it behaves as the first one did.

        Raises InputError CONSTRAINT_FORMAT for any other text, VocabularyError VOCAB_HASH for another vocabulary.
        """
        parts = stored.decode(text, vocabulary)
        found = cls(
            parts.grammar,
            vocabulary,
            parts.automaton,
            contract=parts.contract,
            limits=parts.limits,
            kernel=kernel,
            because="it was loaded",
        )
        if found.sha256 != parts.sha256:
            raise InputError("CONSTRAINT_FORMAT", what="the constraint does not have its digest")
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Write the constraint to a file, as a whole or not at all. Raises InputError OUTPUT_WRITE."""
        stored.write(path, self.serialize_json())

    @classmethod
    def load(cls, path: str | PathLike[str], vocabulary: Vocabulary, *, kernel: Kernel | None = None) -> Constraint:
        """The constraint in a file that `save` wrote, over the same vocabulary.

        Raises as `deserialize_json`, and InputError INPUT_MISSING, INPUT_UNREADABLE.
        """
        return cls.deserialize_json(stored.read(path), vocabulary, kernel=kernel)

    @property
    def min_tokens(self) -> int | None:
        """Tokens that are enough for a text; see `Matcher.min_tokens_to_finish`."""
        return self.matcher().min_tokens_to_finish()

    def tokens_needed(self, forbidden: Iterable[int] = ()) -> int:
        """The same for a sampler that never chooses the `forbidden` ids; a number past any budget where none are."""
        full = self.engine.full
        return full.budget(frozenset(forbidden)).need(full.stepper.start)

    @overload
    def matcher(self, *, token_budget: None = None, forbidden: Iterable[int] = ()) -> Matcher: ...
    @overload
    def matcher(self, *, token_budget: int, forbidden: Iterable[int] = ()) -> BudgetedMatcher: ...
    def matcher(self, *, token_budget: int | None = None, forbidden: Iterable[int] = ()) -> Matcher:
        """A matcher at the beginning of a text.

        token_budget: allow only tokens after which the text can still be finished within this number of tokens, the
        end token not counted. forbidden: ids that the sampler will never choose, so that the budget does not count
        on them. Raises BudgetError BUDGET_TOO_SMALL with the number of tokens that are enough, VocabularyError
        VOCAB_DEAD_END where this vocabulary cannot write a text of the grammar.
        """
        if token_budget is None:
            return Matcher(self.engine)
        full = self.engine.full
        return BudgetedMatcher(full, full.budget(frozenset(forbidden)), token_budget)


def compile(
    grammar: Grammar,
    vocabulary: Vocabulary,
    *,
    contract: Contract | None = None,
    engine: EngineName | None = None,
    lexing: Lexing = "all",
    limits: Limits = DEFAULT_LIMITS,
    kernel: Kernel | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Constraint:
    """Compile a grammar for a vocabulary.

    contract: "visibly-pushdown" or "context-free", of the automaton engine; None takes the grammar's own. engine:
    "automaton" or "earley"; None takes the automaton engine where its contract accepts the grammar, else the Earley
    engine if the grammar was written in two floors (Lark). lexing: of the Earley engine, "all" for every way to cut a
    text into terminals, "greedy" for the longest match; with it, None is "earley". kernel: the mask kernel to use
    (tests pass both). cancelled: asked now and then, in this thread, whether to stop: `threading.Event().is_set`, for
    one. Nothing is left behind then. Raises GrammarError, SchemaError, BudgetError (GRAMMAR_BUDGET_TIME after
    `limits.compile_seconds`), VocabularyError, StreamError CANCELLED, InputError for options that do not fit together.
    """
    if engine not in (None, "automaton", "earley"):
        raise InputError("INPUT_FORMAT", name="engine", what="must be automaton or earley")
    if lexing not in ("all", "greedy") or (lexing == "greedy" and engine == "automaton"):
        raise InputError("INPUT_FORMAT", name="lexing", what="must be all, or greedy with the Earley engine")
    if grammar.schema is not None:
        limits = limits.in_open_profile()
    watch = Watch(limits.compile_seconds, cancelled)
    watch.look()
    contract = contract or grammar.contract

    def by_earley(because: str) -> Constraint:
        from ..earley.compile import engine_of

        grammar.settle(watch)
        check(grammar, watch)
        trie = prepare(vocabulary).trie
        lexical = _two_floors(grammar)
        made = engine_of(lexical, vocabulary, trie, lexing=lexing, limits=limits, kernel=kernel, watch=watch)
        return Constraint(grammar, vocabulary, made, contract="context-free", limits=limits, because=because)

    if engine == "earley" or lexing == "greedy":
        return by_earley("it was asked for" if engine else "greedy lexing was asked for")
    on_demand = grammar.schema is not None and contract == "context-free"
    because = "it was asked for" if engine else "its contract accepts the grammar"
    try:
        automaton = None if on_demand else compile_automaton(grammar, contract=contract, limits=limits, watch=watch)
    except (GrammarError, BudgetError) as error:
        if engine is not None or grammar.lexical is None or error.code not in _TOO_GENERAL:
            raise
        return by_earley(f"the automaton engine refuses the grammar: {error.code}")
    return Constraint(
        grammar, vocabulary, automaton, contract=contract, limits=limits, kernel=kernel, watch=watch, because=because
    )


def _two_floors(grammar: Grammar) -> LexicalGrammar:
    """The grammar as rules over terminals: as it was written, else found by taking it apart."""
    from ..grammar.lexical import LexicalGrammar

    if isinstance(grammar.lexical, LexicalGrammar):
        return grammar.lexical
    return LexicalGrammar.of_grammar(grammar)
