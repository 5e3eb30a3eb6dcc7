"""From a `LexicalGrammar` to the engine: automata of terminals, rules, the readings over both, and a vocabulary."""

from __future__ import annotations

import hashlib

from ..automaton.modules import TokenEdge
from ..errors import BudgetError
from ..grammar.lexical import LexicalGrammar
from ..limits import DEFAULT_LIMITS, Limits
from ..mask.kernel import Kernel
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from ..watch import UNWATCHED, Watch
from .engine import EarleyEngine
from .items import Rules
from .lexer import Lexer
from .normalize import normalize
from .readings import Lexing, Readings
from .terminal_dfa import shortest_word, terminal_dfa

__all__ = ["engine_of", "readings_of", "sha256_of"]


def readings_of(
    grammar: LexicalGrammar, lexing: Lexing = "all", limits: Limits = DEFAULT_LIMITS, watch: Watch = UNWATCHED
) -> tuple[Rules, Readings]:
    """The rules and the readings of a grammar.

    Raises GrammarError GRAMMAR_UNDEFINED_RULE, GRAMMAR_EMPTY_LANGUAGE, GRAMMAR_EMPTY_TERMINAL, GRAMMAR_NOT_REGULAR;
    BudgetError GRAMMAR_BUDGET_STATES, GRAMMAR_BUDGET_TRANSITIONS, GRAMMAR_BUDGET_NODES.
    """
    dfas = {}
    states = transitions = 0
    for name, terminal in grammar.terminals.items():
        if terminal.pattern is not None:
            dfa = dfas[name] = terminal_dfa(name, terminal.pattern, limits, watch)
            states += len(dfa)
            transitions += sum(map(len, dfa.moves))
            if states > limits.states:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limits.states, reached=states)
            if transitions > limits.transitions:
                raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=limits.transitions, reached=transitions)
    shortest = {name: shortest_word(dfas[name]) if name in dfas else 1 for name in grammar.terminals}
    rules = normalize(grammar, shortest, limits, watch)
    automata = {terminal: dfas[terminal.name] for terminal in rules.terminals if terminal.name in dfas}
    lexer = Lexer(automata, rules.ignored, skipping=lexing == "all")
    return rules, Readings(rules, lexer, limits, lexing)


def engine_of(
    grammar: LexicalGrammar,
    vocabulary: Vocabulary,
    trie: Trie,
    *,
    lexing: Lexing = "all",
    limits: Limits = DEFAULT_LIMITS,
    kernel: Kernel | None = None,
    watch: Watch = UNWATCHED,
) -> EarleyEngine:
    """The engine of a grammar over a vocabulary and its trie. Raises as `readings_of`, and VocabularyError
    GRAMMAR_TOKEN for a special token that the vocabulary does not have."""
    rules, readings = readings_of(grammar, lexing, limits, watch)
    tokens = {
        name: TokenEdge(terminal.token, terminal.negated)
        for name, terminal in grammar.terminals.items()
        if terminal.token is not None
    }
    return EarleyEngine(rules, readings, tokens, vocabulary, trie, kernel=kernel)


def sha256_of(grammar: LexicalGrammar, lexing: Lexing, nesting: int) -> str:
    """SHA-256 (hex) of a grammar, how it is lexed and how deep it may nest: equal ones, equal digest."""
    parts = [lexing, str(nesting), grammar.start, *grammar.ignored]
    parts += [f"{name} = {expression!r}" for name, expression in grammar.rules.items()]
    parts += [repr(terminal) for terminal in grammar.terminals.values()]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
