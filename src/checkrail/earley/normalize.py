"""From the expressions of a `LexicalGrammar` to plain rules: Backus-Naur form, without what no text uses.

- a part that is neither a reference nor a sequence of such gets a rule of its own, named after the rule it stands in
- `X*` is `L -> | L X`: left recursion costs an Earley parser nothing
- `X{m,n}` is m times X and a chain of n - m rules, each `R -> | X R'`; the chain is right-recursive, so a text goes
  through one of its rules at a time
- where the grammar counts levels of nesting, `value[3]` is the rule `value` with three levels left inside it
- alternatives that cannot be finished are left out, so every item of the parser can be finished: what makes the masks
  exact

The sizes are linear in the grammar, its counts and the levels, and bounded by `Limits.expression_nodes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import heappop, heappush

from ..errors import BudgetError, GrammarError
from ..grammar.expression import EMPTY, NOTHING, Choice, Expression, Nest, Reference, Repeat, Sequence
from ..grammar.lexical import LexicalGrammar
from ..grammar.traverse import transform
from ..limits import Limits
from ..watch import UNWATCHED, Watch
from .items import Item, Rule, Rules, Symbol, TerminalSymbol
from .nesting import levels_inside

__all__ = ["GOAL", "normalize"]

GOAL = "goal"


def normalize(
    grammar: LexicalGrammar, shortest: Mapping[str, int | None], limits: Limits, watch: Watch = UNWATCHED
) -> Rules:
    """The rules of a grammar.

    shortest: for each terminal the bytes of its shortest text, None where it has none. Raises GrammarError
    GRAMMAR_UNDEFINED_RULE, GRAMMAR_EMPTY_LANGUAGE; BudgetError GRAMMAR_BUDGET_NODES, and GRAMMAR_BUDGET_DEPTH where
    only `limits.nesting` leaves no text.
    """
    symbols = {
        terminal.name: TerminalSymbol(
            terminal.name, number, is_token=terminal.token is not None, ignored_around=terminal.ignored_around
        )
        for number, terminal in enumerate(grammar.terminals.values())
    }
    levels = levels_inside(grammar.rules, limits.levels)
    rules = _Normalizer(grammar, symbols, levels, limits, watch).run()
    lengths = _shortest_words(rules, {symbols[name]: length for name, length in shortest.items()})
    goal = rules[0]
    if goal not in lengths:
        without = _without_levels(grammar)
        if without != grammar:
            normalize(without, shortest, limits, watch)
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=limits.levels)
        raise GrammarError("GRAMMAR_EMPTY_LANGUAGE")
    for rule in rules:
        rule.items = [item for item in rule.items if all(symbol in lengths for symbol in item.body)]
    _mark_nullable(rules)
    kept = tuple(rule for rule in rules if rule in lengths)
    ignored = tuple(symbols[name] for name in grammar.ignored if shortest[name] is not None)
    nesting = limits.levels if any(levels.values()) else 0
    return Rules(goal, kept, tuple(symbols.values()), ignored, lengths[goal], nesting)


def _without_levels(grammar: LexicalGrammar) -> LexicalGrammar:
    """The grammar with levels of nesting not counted."""
    rules = {
        name: transform(body, lambda node: node.item if isinstance(node, Nest) else node)
        for name, body in grammar.rules.items()
    }
    return replace(grammar, rules=rules)


class _Normalizer:
    """One run. `_pending` holds the rules to write, what they mean, and the levels of nesting that are left for them;
    it grows while they are written."""

    def __init__(
        self,
        grammar: LexicalGrammar,
        symbols: Mapping[str, TerminalSymbol],
        levels: Mapping[str, int],
        limits: Limits,
        watch: Watch,
    ) -> None:
        self._grammar = grammar
        self._watch = watch
        self._limits = limits
        self._levels = levels
        self._symbols = symbols
        self._rules: dict[tuple[str, int], Rule] = {}
        self._pending: list[tuple[Rule, Expression, int]] = []
        self._parts: dict[tuple[int, int], Rule] = {}  # by the identity of the node, and the levels
        self._numbers: dict[str, int] = {}
        self._size = 0

    def run(self) -> list[Rule]:
        goal = Rule(GOAL, GOAL)
        self._add(goal, (self._named(Reference(self._grammar.start), self._limits.levels),))
        rules = [goal]
        for rule, node, room in self._pending:
            rules.append(rule)
            for body in dict.fromkeys(self._bodies(rule, node, room)):
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

    def _bodies(self, rule: Rule, node: Expression, room: int) -> Iterator[tuple[Symbol, ...]]:
        """The alternatives of a rule that means `node`, with `room` levels left."""
        node = _unwrapped(node)
        if isinstance(node, Repeat) and (node.minimum, node.maximum) != (0, 1):
            return self._repeated(rule, node, room)
        return self._options(rule, node, room)

    def _options(self, rule: Rule, node: Expression, room: int) -> Iterator[tuple[Symbol, ...]]:
        """The alternatives of a part of a rule."""
        pending = [(node, room)]
        while pending:
            option, left = pending.pop()
            option = _unwrapped(option)
            if isinstance(option, Choice):
                pending.extend((each, left) for each in reversed(option.options))
            elif isinstance(option, Repeat) and (option.minimum, option.maximum) == (0, 1):
                pending += [(option.item, left), (EMPTY, left)]
            else:
                body = self._body(rule, option, left)
                if body is not None:
                    yield body

    def _body(self, rule: Rule, node: Expression, room: int) -> tuple[Symbol, ...] | None:
        """One alternative; None where a level of nesting would be one too many."""
        body: list[Symbol] = []
        items = [(node, room)]
        while items:
            item, left = items.pop()
            item = _unwrapped(item)
            if isinstance(item, Sequence):
                items.extend((each, left) for each in reversed(item.items))
            elif not isinstance(item, Nest):
                body.append(self._symbol(rule, item, left))
            elif left:
                items.append((item.item, left - 1))
            else:
                return None
        return tuple(body)

    def _repeated(self, rule: Rule, node: Repeat, room: int) -> Iterator[tuple[Symbol, ...]]:
        self._count(node.minimum if node.maximum is None else node.maximum)
        if node.maximum is None and node.minimum <= 1:
            options = list(self._options(rule, node.item, room))
            yield from options if node.minimum else [()]
            yield from ((rule, *body) for body in options if body)
            return
        item = self._symbol(rule, _unwrapped(node.item), room)
        if node.maximum is None:
            yield (item,) * node.minimum
            yield (rule, item)
            return
        rest: tuple[Symbol, ...] = ()
        for _ in range(node.maximum - node.minimum):
            optional = self._part(rule, NOTHING, room)
            self._add(optional, ())
            self._add(optional, (item, *rest))
            rest = (optional,)
        yield (item,) * node.minimum + rest

    def _symbol(self, owner: Rule, node: Expression, room: int) -> Symbol:
        if isinstance(node, Reference):
            return self._named(node, room)
        if not isinstance(node, (Choice, Repeat, Sequence, Nest)):
            raise GrammarError("INTERNAL", what=f"{type(node).__name__} in a rule of two floors")
        known = self._parts.get((id(node), room))
        if known is None:
            known = self._parts[id(node), room] = self._part(owner, node, room)
        return known

    def _part(self, owner: Rule, node: Expression, room: int) -> Rule:
        """A rule for a part of `owner`."""
        base = owner.name.partition("#")[0]
        number = self._numbers[base] = self._numbers.get(base, 0) + 1
        rule = Rule(f"{base}#{number}", owner.written)
        self._pending.append((rule, node, room))
        return rule

    def _named(self, reference: Reference, room: int) -> Symbol:
        name = reference.rule
        node = self._grammar.rules.get(name)
        if node is None:
            if name not in self._symbols:
                raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=name, position=reference.position)
            return self._symbols[name]
        levels = self._levels[name]
        room = min(room, levels)
        known = self._rules.get((name, room))
        if known is None:
            known = self._rules[name, room] = Rule(name if room == levels else f"{name}[{room}]", name)
            self._pending.append((known, node, room))
        return known


def _unwrapped(node: Expression) -> Expression:
    """The node without wrappings that mean nothing."""
    while True:
        if isinstance(node, Repeat) and node.minimum == node.maximum == 1:
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
