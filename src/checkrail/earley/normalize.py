"""From the expressions of a `LexicalGrammar` to plain rules: Backus-Naur form, without what no text uses.

- a part that is neither a reference nor a sequence of such gets a rule of its own, named after the rule it stands in
- `X*` is `L -> | L X`: left recursion costs an Earley parser nothing
- `X{m,n}` is m times X and a chain of n - m rules, each `R -> | X R'`; the chain is right-recursive, so a text goes
  through one of its rules at a time
- alternatives that cannot be finished are left out, so every item of the parser can be finished: what makes the masks
  exact

The sizes are linear in the grammar and its counts, and bounded by `Limits.expression_nodes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush

from ..errors import BudgetError, GrammarError
from ..grammar.expression import Choice, Expression, Nest, Reference, Repeat, Sequence
from ..grammar.lexical import LexicalGrammar
from ..limits import Limits
from ..watch import UNWATCHED, Watch
from .items import Item, Rule, Rules, Symbol, TerminalSymbol

__all__ = ["GOAL", "normalize"]

GOAL = "goal"


def normalize(
    grammar: LexicalGrammar, shortest: Mapping[str, int | None], limits: Limits, watch: Watch = UNWATCHED
) -> Rules:
    """The rules of a grammar.

    shortest: for each terminal the bytes of its shortest text, None where it has none. Raises GrammarError
    GRAMMAR_UNDEFINED_RULE, GRAMMAR_EMPTY_LANGUAGE; BudgetError GRAMMAR_BUDGET_NODES.
    """
    symbols = {
        terminal.name: TerminalSymbol(
            terminal.name, number, is_token=terminal.token is not None, ignored_around=terminal.ignored_around
        )
        for number, terminal in enumerate(grammar.terminals.values())
    }
    rules = _Normalizer(grammar, symbols, limits, watch).run()
    lengths = _shortest_words(rules, {symbols[name]: length for name, length in shortest.items()})
    goal = rules[0]
    if goal not in lengths:
        raise GrammarError("GRAMMAR_EMPTY_LANGUAGE")
    for rule in rules:
        rule.items = [item for item in rule.items if all(symbol in lengths for symbol in item.body)]
    _mark_nullable(rules)
    kept = tuple(rule for rule in rules if rule in lengths)
    ignored = tuple(symbols[name] for name in grammar.ignored if shortest[name] is not None)
    return Rules(goal, kept, tuple(symbols.values()), ignored, lengths[goal])


class _Normalizer:
    """One run. `_pending` holds the rules to write and what they mean; it grows while they are written."""

    def __init__(
        self, grammar: LexicalGrammar, symbols: Mapping[str, TerminalSymbol], limits: Limits, watch: Watch
    ) -> None:
        self._grammar = grammar
        self._watch = watch
        self._limits = limits
        self._rules: dict[str, Rule] = {name: Rule(name) for name in grammar.rules}
        self._symbols = symbols
        self._pending: list[tuple[Rule, Expression]] = []
        self._parts: dict[int, Rule] = {}  # by the identity of the node: one object, one rule
        self._numbers: dict[str, int] = {}
        self._size = 0

    def run(self) -> list[Rule]:
        goal = Rule(GOAL)
        self._add(goal, (self._named(Reference(self._grammar.start)),))
        rules = [goal]
        self._pending = [(self._rules[name], node) for name, node in self._grammar.rules.items()]
        for rule, node in self._pending:
            rules.append(rule)
            for body in self._bodies(rule, node):
                self._add(rule, body)
        return rules

    def _add(self, rule: Rule, body: tuple[Symbol, ...]) -> None:
        self._count(1 + len(body))
        rule.add(body)

    def _count(self, size: int) -> None:
        self._watch.spend(size)
        self._size += size
        if self._size > self._limits.expression_nodes:
            raise BudgetError("GRAMMAR_BUDGET_NODES", limit=self._limits.expression_nodes)

    def _bodies(self, rule: Rule, node: Expression) -> Iterator[tuple[Symbol, ...]]:
        """The alternatives of a rule that means `node`."""
        node = _unwrapped(node)
        if isinstance(node, Repeat):
            yield from self._repeated(rule, node)
            return
        options = [node]
        while options:
            option = _unwrapped(options.pop())
            if isinstance(option, Choice):
                options.extend(reversed(option.options))
            else:
                yield self._body(rule, option)

    def _body(self, rule: Rule, node: Expression) -> tuple[Symbol, ...]:
        body: list[Symbol] = []
        items = [node]
        while items:
            item = _unwrapped(items.pop())
            if isinstance(item, Sequence):
                items.extend(reversed(item.items))
            else:
                body.append(self._symbol(rule, item))
        return tuple(body)

    def _repeated(self, rule: Rule, node: Repeat) -> Iterator[tuple[Symbol, ...]]:
        self._count(node.minimum if node.maximum is None else node.maximum)
        item = self._symbol(rule, _unwrapped(node.item))
        if node.maximum is None:
            yield (item,) * node.minimum
            yield (rule, item)
            return
        rest: tuple[Symbol, ...] = ()
        for _ in range(node.maximum - node.minimum):
            optional = self._new_rule(rule, None)
            self._add(optional, ())
            self._add(optional, (item, *rest))
            rest = (optional,)
        yield (item,) * node.minimum + rest

    def _symbol(self, owner: Rule, node: Expression) -> Symbol:
        if isinstance(node, Reference):
            return self._named(node)
        if not isinstance(node, (Choice, Repeat, Sequence)):
            raise GrammarError("INTERNAL", what=f"{type(node).__name__} in a rule of two floors")
        known = self._parts.get(id(node))
        if known is None:
            known = self._parts[id(node)] = self._new_rule(owner, node)
        return known

    def _new_rule(self, owner: Rule, node: Expression | None) -> Rule:
        """A rule for a part of `owner`; None where its alternatives are added by the caller."""
        base = owner.name.partition("#")[0]
        number = self._numbers[base] = self._numbers.get(base, 0) + 1
        rule = Rule(f"{base}#{number}")
        self._pending.append((rule, node if node is not None else Choice(())))
        return rule

    def _named(self, reference: Reference) -> Symbol:
        found = self._rules.get(reference.rule) or self._symbols.get(reference.rule)
        if found is None:
            raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=reference.rule, position=reference.position)
        return found


def _unwrapped(node: Expression) -> Expression:
    """The node without wrappings that mean nothing here."""
    while True:
        if isinstance(node, Nest) or (isinstance(node, Repeat) and node.minimum == node.maximum == 1):
            node = node.item
        elif isinstance(node, Sequence) and len(node.items) == 1:
            node = node.items[0]
        elif isinstance(node, Choice) and len(node.options) == 1:
            node = node.options[0]
        else:
            return node


def _shortest_words(rules: list[Rule], terminals: Mapping[TerminalSymbol, int | None]) -> dict[Symbol, int]:
    """The length of a shortest word of each symbol that has one (Knuth 1977): O(n log n) for n places of bodies."""
    users: dict[Symbol, list[Item]] = {}
    waiting: dict[Item, int] = {}
    total: dict[Item, int] = {}
    heap: list[tuple[int, int, Symbol]] = []
    for rule in rules:
        for item in rule.items:
            waiting[item], total[item] = len(item.body), 0
            for symbol in item.body:
                users.setdefault(symbol, []).append(item)
            if not item.body:
                heappush(heap, (0, len(heap), rule))
    for terminal, length in terminals.items():
        if length is not None:
            heappush(heap, (length, len(heap), terminal))
    pushed = len(heap)
    lengths: dict[Symbol, int] = {}
    while heap:
        length, _, symbol = heappop(heap)
        if symbol in lengths:
            continue
        lengths[symbol] = length
        for item in users.get(symbol, ()):
            waiting[item] -= 1
            total[item] += length
            if waiting[item] == 0:
                heappush(heap, (total[item], pushed, item.rule))
                pushed += 1
    return lengths


def _mark_nullable(rules: list[Rule]) -> None:
    users: dict[Symbol, list[Item]] = {}
    waiting: dict[Item, int] = {}
    found: list[Rule] = []
    for rule in rules:
        for item in rule.items:
            waiting[item] = len(item.body)
            for symbol in item.body:
                users.setdefault(symbol, []).append(item)
            if not item.body:
                found.append(rule)
    for rule in found:
        if rule.nullable:
            continue
        rule.nullable = True
        for item in users.get(rule, ()):
            waiting[item] -= 1
            if waiting[item] == 0:
                found.append(item.rule)
