"""What a grammar's rules are like: nullable, reachable, productive, recursive. And is it usable?

`analyze` computes the facts, `check` also refuses grammars that could never finish, `warnings` names what is
merely useless, `prune` removes what can take part in no sentence. All of it is linear in the size of the grammar
(fixpoints by unit propagation); see Grune and Jacobs, *Parsing Techniques*, section 2.9. Use them before compiling.
Left recursion has a module of its own. FIRST is found later, on automata, where it is a set of 256 bytes: as sets of
characters, those of a chain of n rules would take n * n ranges.

The operands of `Intersection`, `Complement` and `JsonString` are regular and are resolved by automata later. Here
they are opaque: an intersection counts as productive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..errors import Error, GrammarError
from ..watch import UNWATCHED, Watch
from .components import is_cyclic, strong_components
from .expression import (
    NOTHING,
    CharacterClass,
    Choice,
    Expression,
    Intersection,
    JsonString,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from .fixpoint import least_fixpoint
from .grammar import Grammar
from .nullable import is_nullable, nullable_from_parts
from .simplify import Simplifier
from .traverse import fold, transform, walk

__all__ = ["Analysis", "analyze", "check", "prune", "warnings"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Facts about the rules of one grammar.

    references: rule -> the rules it names. left: rule -> the rules that can stand at its very beginning, with
    nothing or only empty text before them. recursive: groups of rules that refer to each other in circles,
    dependencies first.
    """

    references: Mapping[str, tuple[str, ...]]
    left: Mapping[str, tuple[str, ...]]
    nullable: frozenset[str]
    productive: frozenset[str]
    reachable: frozenset[str]
    recursive: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        counts = f"{len(self.nullable)} nullable, {sum(map(len, self.recursive))} recursive"
        return f"<Analysis {len(self.references)} rules: {counts}>"


def analyze(grammar: Grammar, watch: Watch = UNWATCHED) -> Analysis:
    """The facts. Raises GrammarError where a rule is referred to and not defined."""
    rules = grammar.rules
    references = {name: _references(grammar, expression, watch) for name, expression in rules.items()}
    components = strong_components(references)
    nullable = _nullable(rules, components, watch)
    left = {name: _left_references(expression, nullable, watch) for name, expression in rules.items()}
    return Analysis(
        references=references,
        left=left,
        nullable=frozenset(nullable),
        productive=frozenset(least_fixpoint(rules, _needs_to_finish, watch)),
        reachable=_reachable(grammar.root, references),
        recursive=tuple(component for component in components if is_cyclic(component, references)),
    )


def check(grammar: Grammar, watch: Watch = UNWATCHED) -> Analysis:
    """The facts, of a grammar that can finish.

    Raises GrammarError: GRAMMAR_UNDEFINED_RULE; GRAMMAR_UNPRODUCTIVE for a rule in use that needs itself for ever
    (in hand-written GBNF and Lark always; in a generated grammar, where such a branch may be the meaning of the input,
    only if nothing else is left); GRAMMAR_EMPTY_LANGUAGE where the root has no sentence.
    """
    analysis = analyze(grammar, watch)
    endless = _endless(grammar, analysis)
    hopeless = grammar.root not in analysis.productive
    if endless and (hopeless or grammar.format in ("gbnf", "lark")):
        raise _about("GRAMMAR_UNPRODUCTIVE", grammar, endless)
    if hopeless:
        position, pointer = grammar.positions.get(grammar.root), grammar.origins.get(grammar.root)
        raise GrammarError("GRAMMAR_EMPTY_LANGUAGE", position=position, pointer=pointer)
    return analysis


def warnings(grammar: Grammar, analysis: Analysis | None = None) -> tuple[Error, ...]:
    """GRAMMAR_UNREACHABLE for each rule that the root never comes to, as values to show and not to raise."""
    reachable = (analysis or analyze(grammar)).reachable
    return tuple(_about("GRAMMAR_UNREACHABLE", grammar, name) for name in grammar.rules if name not in reachable)


def prune(grammar: Grammar, analysis: Analysis | None = None, watch: Watch = UNWATCHED) -> Grammar:
    """The grammar without rules and branches that no sentence uses; the root stays, even if it has none."""
    productive = (analysis or analyze(grammar, watch)).productive

    def cut(node: Expression) -> Expression:
        watch.spend()
        return NOTHING if isinstance(node, Reference) and node.rule not in productive else node

    alive = {
        name: Simplifier(watch).run(transform(expression, cut)) if name in productive else NOTHING
        for name, expression in grammar.rules.items()
        if name in productive or name == grammar.root
    }
    references = {name: _references(grammar, expression, watch) for name, expression in alive.items()}
    used = _reachable(grammar.root, references)
    return grammar.with_rules({name: expression for name, expression in alive.items() if name in used})


def _about(code: str, grammar: Grammar, rule: str) -> GrammarError:
    position, pointer = grammar.positions.get(rule), grammar.origins.get(rule)
    return GrammarError(code, rule=rule, position=position, pointer=pointer)


def _references(grammar: Grammar, expression: Expression, watch: Watch) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in walk(expression):
        watch.spend()
        if isinstance(node, Reference):
            if node.rule not in grammar.rules:
                raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=node.rule, position=node.position)
            found[node.rule] = None
    return tuple(found)


def _reachable(root: str, references: Mapping[str, Iterable[str]]) -> frozenset[str]:
    found = {root}
    stack = [root]
    while stack:
        new = set(references[stack.pop()]) - found
        found |= new
        stack.extend(new)
    return frozenset(found)


def _nullable(rules: Mapping[str, Expression], components: Iterable[tuple[str, ...]], watch: Watch) -> set[str]:
    """Component by component, so that what a complement refers to is settled before the complement is asked."""
    known: set[str] = set()
    needs = _needs_to_be_empty(known)
    for component in components:
        known |= least_fixpoint({name: rules[name] for name in component}, needs, watch)
    return known


def _needs_to_be_empty(known: set[str]) -> Callable[[Expression], int | None]:
    def needs(node: Expression) -> int | None:
        if isinstance(node, (Sequence, Intersection)):
            return len(node.items)
        if isinstance(node, Choice):
            return 1 if node.options else None
        if isinstance(node, (Repeat, Nest, JsonString)):
            return 0 if isinstance(node, Repeat) and node.minimum == 0 else 1
        return 0 if is_nullable(node, known) else None

    return needs


def _needs_to_finish(node: Expression) -> int | None:
    if isinstance(node, Sequence):
        return len(node.items)
    if isinstance(node, Choice):
        return 1 if node.options else None
    if isinstance(node, (Repeat, Nest, JsonString)):
        return 0 if isinstance(node, Repeat) and node.minimum == 0 else 1
    if isinstance(node, CharacterClass) and not node.ranges:
        return None
    return 0


def _left_references(expression: Expression, nullable: set[str], watch: Watch) -> tuple[str, ...]:
    """The rules that can stand at the very beginning."""
    empty: dict[int, bool] = {}

    def visit(node: Expression, parts: list[bool]) -> bool:
        watch.spend()
        return empty.setdefault(id(node), nullable_from_parts(node, parts, nullable))

    fold(expression, visit)
    references: dict[str, None] = {}
    stack = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Reference):
            references[node.rule] = None
        elif isinstance(node, Nest) or (isinstance(node, Repeat) and node.maximum != 0):
            stack.append(node.item)
        elif isinstance(node, Choice):
            stack.extend(reversed(node.options))
        elif isinstance(node, Sequence):
            stack.extend(reversed(list(_up_to_solid(node.items, empty))))
    return tuple(references)


def _up_to_solid(items: Iterable[Expression], empty: Mapping[int, bool]) -> Iterator[Expression]:
    """The items that can come first: all up to and with the one that always takes text."""
    for item in items:
        yield item
        if not empty[id(item)]:
            return


def _endless(grammar: Grammar, analysis: Analysis) -> str | None:
    """The first declared rule in use that is unproductive because it needs itself."""
    dead = {n: tuple(r for r in analysis.references[n] if r not in analysis.productive) for n in grammar.rules}
    dead = {name: heads for name, heads in dead.items() if name not in analysis.productive}
    circles = {n for component in strong_components(dead) if is_cyclic(component, dead) for n in component}
    return next((name for name in grammar.rules if name in circles and name in analysis.reachable), None)
