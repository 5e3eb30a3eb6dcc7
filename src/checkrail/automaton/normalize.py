"""Which rules become modules: a plan that keeps recursion and sharing, and inlines the rest.

Recursive rules must be cut somewhere: the targets of back edges in a depth-first search from the root become
modules, so every cycle passes through one and what is left is a DAG. Of that DAG, a rule that is used from
several places and is large stays a module too, because copies would grow the automaton; small ones and those
used only at the end of other rules (where the compiler shares the copies) are inlined, because an inlined rule
costs no stack and lets determinization merge what overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..errors import GrammarError
from ..grammar.expression import (
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from ..grammar.grammar import Grammar
from ..grammar.traverse import transform, walk
from ..watch import UNWATCHED, Watch

__all__ = ["Plan", "make_plan"]

_INLINE_SIZE = 32  # NFA states; a shared rule below this is copied rather than called
_ALGEBRA_SIZE = 64  # the guess for parts whose size only their automaton tells


@dataclass(frozen=True, slots=True)
class Plan:
    """rules: all rules. recursive: rules that cut a cycle. modules: all rules that are called, not inlined.

    explicit_nesting: the grammar says itself what nests (Nest nodes); else a pending call of a recursive rule
    is one level.
    """

    rules: Mapping[str, Expression]
    root: str
    recursive: frozenset[str]
    modules: frozenset[str]
    explicit_nesting: bool

    def without(self, names: frozenset[str]) -> Plan:
        """The plan with some non-recursive modules inlined after all."""
        return Plan(self.rules, self.root, self.recursive, self.modules - names, self.explicit_nesting)

    def callees(self, names: frozenset[str], levels: int) -> frozenset[str]:
        """These rules, and the rules that they refer to but for recursive ones, through so many levels."""
        found = set(names)
        newest = list(names)
        for _ in range(levels):
            referred = {rule for name in newest for rule, _ in _facts(self.rules[name], UNWATCHED).references}
            newest = list(referred - self.recursive - found)
            if not newest:
                break
            found.update(newest)
        return frozenset(found)


def make_plan(grammar: Grammar, watch: Watch = UNWATCHED) -> Plan:
    """Decide the modules of a grammar whose references are all defined."""
    rules: Mapping[str, Expression] = grammar.rules
    if any(isinstance(node, Nest) for expression in rules.values() for node in walk(expression)):
        rules = {name: transform(e, lambda node: _factor_nests(node, grammar.rules)) for name, e in rules.items()}
    facts = {name: _facts(expression, watch) for name, expression in rules.items()}
    order, recursive = _depth_first(grammar.root, facts)
    plain_uses: dict[str, int] = {}
    for name in order:
        for used, is_tail in facts[name].references:
            if used not in facts:
                raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=used)
            if not is_tail:
                plain_uses[used] = plain_uses.get(used, 0) + 1
    sizes: dict[str, int] = {}
    modules = set(recursive)
    for name in order:  # callees first
        size = facts[name].size
        for used, is_tail in facts[name].references:
            if used not in modules and not is_tail:
                size += sizes[used]
        sizes[name] = size
        if not facts[name].references and size > _INLINE_SIZE and name != grammar.root:
            modules.add(name)  # used once here, but in other grammars too: its masks are shared with them
        if (
            plain_uses.get(name, 0) > 1
            and name not in modules
            and _expanded(name, facts, sizes, modules) > _INLINE_SIZE
        ):
            modules.add(name)
    nests = any(facts[name].nests for name in order)
    return Plan(rules, grammar.root, frozenset(recursive), frozenset(modules), nests)


@dataclass(slots=True)
class _Facts:
    size: int
    nests: bool
    references: list[tuple[str, bool]]  # (rule, stands at the end)


def _facts(expression: Expression, watch: Watch) -> _Facts:
    facts = _Facts(0, False, [])
    pending: list[tuple[Expression, bool, int]] = [(expression, True, 1)]
    while pending:
        watch.spend()
        node, tail, copies = pending.pop()
        match node:
            case Literal(text):
                facts.size += copies * len(text.encode())
            case CharacterClass():
                facts.size += copies * 2
            case Sequence(items):
                facts.size += copies
                pending += [(item, tail and i == len(items) - 1, copies) for i, item in enumerate(items)]
            case Choice(options):
                pending += [(option, tail, copies) for option in options]
            case Repeat(item, minimum, maximum):
                times = max(minimum, 1) if maximum is None else maximum
                pending.append((item, False, copies * max(times, 1)))
            case Reference(rule):
                facts.references += [(rule, tail)] * min(copies, 2)
            case Nest(item):
                facts.nests = True
                pending.append((item, tail, copies))
            case Intersection(items):
                # Inlined references of regular operands never become calls: only their size is guessed.
                facts.size += copies * _ALGEBRA_SIZE * len(items)
            case JsonString() | Complement():
                facts.size += copies * _ALGEBRA_SIZE
            case _:
                facts.size += copies
    return facts


def _depth_first(root: str, facts: Mapping[str, _Facts]) -> tuple[list[str], set[str]]:
    """Rules reachable from the root in post-order (callees first), and the targets of back edges."""
    order: list[str] = []
    open_rules: set[str] = set()
    done: set[str] = set()
    recursive: set[str] = set()
    stack: list[tuple[str, Iterator[tuple[str, bool]]]] = []

    def enter(name: str) -> None:
        if name not in facts:
            raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=name)
        open_rules.add(name)
        stack.append((name, iter(facts[name].references)))

    enter(root)
    while stack:
        name, rest = stack[-1]
        for used, _ in rest:
            if used in open_rules:
                recursive.add(used)
            elif used not in done:
                enter(used)
                break
        else:
            stack.pop()
            open_rules.discard(name)
            done.add(name)
            order.append(name)
    return order, recursive


def _expanded(name: str, facts: Mapping[str, _Facts], sizes: Mapping[str, int], modules: set[str]) -> int:
    """NFA states of a rule once inlined; what is used at its end counts once. Stops past the limit."""
    total, seen, pending = 0, {name}, [name]
    while pending and total <= _INLINE_SIZE:
        rule = pending.pop()
        total += sizes[rule]
        for used, is_tail in facts[rule].references:
            if is_tail and used not in modules and used not in seen:
                seen.add(used)
                pending.append(used)
    return total


def _factor_nests(choice: Expression, rules: Mapping[str, Expression]) -> Expression:
    """`Nest(a) | Nest(b)` is `Nest(a | b)`: alternatives that all open a level are decided inside it.

    Without this, two objects in one choice would be two modules that begin with the same byte. Options that are
    references are looked through, so an option may be unfolded once. Other expressions are returned as they are.
    """
    if not isinstance(choice, Choice):
        return choice
    nested: dict[Expression, None] = {}
    others: dict[Expression, None] = {}
    looked_through: set[str] = set()
    pending = list(reversed(choice.options))
    while pending:
        option = pending.pop()
        found, rule = option, None
        while isinstance(found, Reference) and found.rule not in looked_through and found.rule in rules:
            rule = found.rule
            looked_through.add(rule)
            found = rules[rule]
        if isinstance(found, Choice):
            pending += reversed(found.options)
        elif isinstance(found, Nest):
            nested[found.item] = None
        elif isinstance(found, Reference) and found.rule in looked_through:
            continue  # its alternatives are here already
        else:
            others[option] = None
    if len(nested) < 2:
        return choice
    return Choice((*others, Nest(Choice(tuple(nested)))))
