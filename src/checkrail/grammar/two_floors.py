"""From one floor to two: the regular parts of a grammar become terminals, what is left becomes rules over them.

A part is regular if it has no reference to a recursive rule and names no token. What counts levels of nesting (`Nest`)
stays with the rules, since a terminal counts nothing. An automaton reads faster than a
parser does, so small neighbours in a sequence, and small alternatives of a choice, are one terminal. What is larger
(the inside of a JSON string) stands alone, so that all places which hold it share its automaton; what is very large is
left to rules. A terminal that is exactly one rule has that rule's name; others are named by their text.

Linear in the size of the grammar with its small non-recursive rules written out.
Use it through `LexicalGrammar.of_grammar`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..errors import GrammarError
from .components import is_cyclic, strong_components
from .expression import (
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
    TokenReference,
)
from .grammar import Grammar
from .lexemes import non_empty
from .lexical import LexicalGrammar, Terminal
from .nullable import is_nullable
from .printer import expression_to_gbnf
from .simplify import Simplifier
from .traverse import MAXIMUM_HEIGHT, children, fold, rebuild, walk

__all__ = ["two_floors"]

# Guesses at the states of an automaton:
_ALONE = 32  # a larger part is not joined with its neighbours
_RULE = 512  # a larger rule stays a rule
_REPEATED = 10_000  # a larger repetition is left to the parser, which sees each of its rounds
_HIGHEST = MAXIMUM_HEIGHT // 2
_LONGEST_NAME = 40
_OPAQUE = (Intersection, Complement, JsonString)
_ALGEBRA_SIZE = 64  # the guess for parts whose size only their automaton tells


@dataclass(frozen=True, slots=True)
class _Regular:
    """A part without references. size: a guess at the states of its automaton. height: levels of nodes. nests: whether
    it counts levels of nesting. whole: whether it can be one terminal."""

    expression: Expression
    size: int
    height: int
    nests: bool
    whole: bool


def two_floors(grammar: Grammar) -> LexicalGrammar:
    """See `LexicalGrammar.of_grammar`."""
    return _Division(grammar).run()


class _Division:
    """One run. `_regular` holds what each node of the rules is, if it is regular."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._build = Simplifier()
        self._regular: dict[int, _Regular | None] = {}
        self._rules: dict[str, _Regular] = {}  # the regular rules, as references to them
        self._terminals: dict[str, Terminal] = {}
        self._names: dict[int, str] = {}  # id of a canonical expression -> its terminal
        self._uses: dict[str, int] = {}  # of a name, for the number after it
        self._kept: list[Expression] = []  # so that ids stay unique

    def run(self) -> LexicalGrammar:
        grammar = self._grammar
        references = {name: _references(body, grammar.rules) for name, body in grammar.rules.items()}
        order = strong_components(references)
        cyclic = {name for component in order if is_cyclic(component, references) for name in component}
        for name in (name for component in order for name in component):
            found = fold(grammar.rules[name], self._classify)
            if found is not None and name not in cyclic:
                whole = found.size <= _RULE and found.height <= _HIGHEST and not found.nests
                self._rules[name] = replace(found, whole=whole)
        rules: dict[str, Expression] = {}
        waiting = {grammar.root: None}
        while waiting:
            name, _ = waiting.popitem()
            rules[name] = self._rewritten(grammar.rules[name])
            used = _references(rules[name], grammar.rules)
            waiting |= dict.fromkeys(rule for rule in used if rule not in rules and rule not in self._terminals)
        rules = {name: rules[name] for name in grammar.rules if name in rules}
        return LexicalGrammar(grammar.root, rules, self._terminals)

    # what is regular

    def _classify(self, node: Expression, parts: list[_Regular | None]) -> _Regular | None:
        found = self._regular_form(node, parts)
        self._regular[id(node)] = found
        return found

    def _regular_form(self, node: Expression, parts: list[_Regular | None]) -> _Regular | None:
        if isinstance(node, Reference):
            return self._rules.get(node.rule)
        if isinstance(node, TokenReference):
            return None
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            if isinstance(node, _OPAQUE):
                raise self._not_regular(node)
            return None
        if isinstance(node, Nest):
            return replace(known[0], nests=True, whole=False)
        expression = rebuild(node, tuple(part.expression for part in known))
        size = _size(node, [part.size for part in known])
        height = 1 + max((part.height for part in known), default=0)
        fits = size <= _REPEATED and known[0].whole if isinstance(node, Repeat) else size <= _ALONE
        nests = any(part.nests for part in known) and not isinstance(node, _OPAQUE)
        whole = (fits and height <= _HIGHEST and not nests) or isinstance(node, _OPAQUE) or not parts
        return _Regular(expression, size, height, nests, whole)  # the last two of these cannot be divided

    def _not_regular(self, node: Expression) -> GrammarError:
        culprit = next(n for n in walk(node) if isinstance(n, Reference) and n.rule not in self._rules)
        return GrammarError(
            "GRAMMAR_NOT_REGULAR", position=culprit.position, what="A boolean combination", rule=culprit.rule
        )

    # what is left

    def _is_terminal(self, node: Expression) -> bool:
        found = self._regular[id(node)]
        return found is not None and found.whole

    def _is_small(self, node: Expression) -> bool:
        found = self._regular[id(node)]
        return found is not None and found.whole and found.size <= _ALONE

    def _rewritten(self, body: Expression) -> Expression:
        def parts(node: Expression) -> tuple[Expression, ...]:
            if self._is_terminal(node):
                return ()
            return tuple(part for part in children(node) if not self._is_terminal(part))

        def write(node: Expression, written: list[Expression]) -> Expression:
            if self._is_terminal(node):
                return self._terminal([node])
            if isinstance(node, TokenReference):
                return self._token(node)
            if isinstance(node, Sequence):
                return Sequence(tuple(self._grouped(node.items, written)))
            if isinstance(node, Choice):
                return self._choice(node, written)
            if isinstance(node, Nest | Repeat):
                item = written[0] if written else self._terminal([node.item])
                return Nest(item) if isinstance(node, Nest) else Repeat(item, node.minimum, node.maximum)
            return node  # a reference to a rule that stays

        return fold(body, write, parts)

    def _grouped(self, items: Iterable[Expression], rest: Iterable[Expression]) -> list[Expression]:
        """The items of a sequence: small neighbours become one terminal."""
        written = iter(rest)
        result: list[Expression] = []
        group: list[Expression] = []
        for item in items:
            if self._is_small(item):
                group.append(item)
                continue
            if group:
                result.append(self._terminal(group))
                group = []
            result.append(self._terminal([item]) if self._is_terminal(item) else next(written))
        if group:
            result.append(self._terminal(group))
        return result

    def _choice(self, node: Choice, others: Iterable[Expression]) -> Expression:
        regular = [option for option in node.options if self._is_terminal(option)]
        small = [self._expression(option) for option in regular if self._is_small(option)]
        joined = [self._named(Choice(tuple(small)), None)] if small else []
        alone = [self._terminal([option]) for option in regular if not self._is_small(option)]
        return Choice((*joined, *alone, *others))

    # terminals

    def _expression(self, node: Expression) -> Expression:
        found = self._regular[id(node)]
        assert found is not None
        return found.expression

    def _terminal(self, nodes: list[Expression]) -> Expression:
        """A reference to the terminal that some neighbours make, or what says that it may be left out."""
        name = nodes[0].rule if len(nodes) == 1 and isinstance(nodes[0], Reference) else None
        return self._named(Sequence(tuple(map(self._expression, nodes))), name)

    def _named(self, expression: Expression, name: str | None) -> Expression:
        whole = self._build.run(expression)
        self._kept.append(whole)
        if isinstance(whole, Sequence | Choice) and not children(whole):
            return whole  # the empty text, or nothing
        known = self._names.get(id(whole))
        if known is None:
            pattern = self._build.run(non_empty(whole))
            known = self._names[id(whole)] = self._new_name(name or expression_to_gbnf(pattern))
            self._terminals[known] = Terminal(known, pattern)
        reference = Reference(known)
        return Repeat(reference, 0, 1) if is_nullable(whole) else reference

    def _token(self, node: TokenReference) -> Expression:
        name = expression_to_gbnf(node)
        if name not in self._terminals:
            self._terminals[name] = Terminal(name, None, node.token, negated=node.negated)
        return Reference(name)

    def _new_name(self, wanted: str) -> str:
        """Unique among the terminals and the rules that stay."""
        short = wanted if len(wanted) <= _LONGEST_NAME else wanted[: _LONGEST_NAME - 3] + "..."
        number = self._uses[short] = self._uses.get(short, 0) + 1
        known = self._rules.get(short)
        is_rule = short in self._grammar.rules and (known is None or not known.whole or short == self._grammar.root)
        return f"{short} #{number}" if number > 1 or is_rule else short


def _references(expression: Expression, rules: Mapping[str, Expression]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in walk(expression):
        if isinstance(node, Reference) and node.rule in rules:
            found[node.rule] = None
    return tuple(found)


def _size(node: Expression, parts: list[int]) -> int:
    if isinstance(node, Literal):
        return len(node.text.encode("utf-8", "surrogatepass"))
    if isinstance(node, CharacterClass):
        return 2
    if isinstance(node, Repeat):
        times = max(node.minimum, 1) if node.maximum is None else node.maximum
        return parts[0] * max(times, 1)
    if isinstance(node, _OPAQUE):
        return _ALGEBRA_SIZE + sum(parts)
    return 1 + sum(parts)
