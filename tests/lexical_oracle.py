"""What a two-floor grammar means, decided by definition: the truth for `checkrail.earley`.

`Meaning` looks at one whole text: which stretches of it each symbol covers, as a fixpoint. It shares nothing with the
library but the node classes. `greedy_accepts` follows the words "longest match" for grammars given as lists of
terminals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checkrail.grammar.expression import Choice, Expression, Literal, Reference, Repeat
from checkrail.grammar.expression import Sequence as SequenceOf
from checkrail.grammar.lexical import LexicalGrammar, Terminal
from checkrail.grammar.regex import parse_regex_grammar
from reference_chart import matches_expression

Span = tuple[int, int]


def terminal(name: str, pattern: str, *, ignored_around: bool = True) -> Terminal:
    """A terminal of a regular expression."""
    return Terminal(name, parse_regex_grammar(pattern).rules["root"], ignored_around=ignored_around)


def lexical(rules: Mapping[str, Expression], ignored: Sequence[str] = (), **patterns: str) -> LexicalGrammar:
    """A grammar from its rules and the patterns of its terminals; it starts with `start`."""
    return LexicalGrammar("start", rules, {n: terminal(n, p) for n, p in patterns.items()}, tuple(ignored))


def seq(*names: str) -> Expression:
    """Rules and terminals one after the other, by name; `""` for nothing."""
    return SequenceOf(tuple(Reference(name) for name in names if name))


def alt(*texts: str) -> Expression:
    """Alternatives, each names with spaces in between."""
    return Choice(tuple(seq(*text.split()) for text in texts))


class Meaning:
    """One text and what covers it."""

    def __init__(self, grammar: LexicalGrammar, text: str) -> None:
        self.grammar, self.text = grammar, text
        places = range(len(text) + 1)
        self.blank = self._closure(
            {(i, j) for i in places for j in places if i < j and any(self._fits(n, i, j) for n in grammar.ignored)}
        )
        self.spans: dict[str, set[Span]] = {name: set() for name in grammar.rules}
        for name, declared in grammar.terminals.items():
            own = {(i, j) for i in places for j in places if i < j and self._fits(name, i, j)}
            if declared.ignored_around:
                own = {(i, k) for i, j in self.blank for m, k in own if m == j}
            self.spans[name] = own
        changed = True
        while changed:
            changed = False
            for name, body in grammar.rules.items():
                found = self.covered(body)
                if not found <= self.spans[name]:
                    self.spans[name] |= found
                    changed = True

    def _fits(self, name: str, start: int, end: int) -> bool:
        pattern = self.grammar.terminals[name].pattern
        return pattern is not None and matches_expression(pattern, self.text[start:end])

    def _empty(self) -> set[Span]:
        return {(i, i) for i in range(len(self.text) + 1)}

    def _closure(self, spans: set[Span]) -> set[Span]:
        found = self._empty()
        while not (more := self._joined(found, spans)) <= found:
            found |= more
        return found

    @staticmethod
    def _joined(one: set[Span], other: set[Span]) -> set[Span]:
        return {(i, k) for i, j in one for m, k in other if m == j}

    def covered(self, node: Expression) -> set[Span]:
        """The stretches that a node covers, as far as is known."""
        match node:
            case Reference(rule):
                return self.spans[rule]
            case SequenceOf(items):
                found = self._empty()
                for item in items:
                    found = self._joined(found, self.covered(item))
                return found
            case Choice(options):
                return {span for option in options for span in self.covered(option)}
            case Repeat(item, minimum, maximum):
                inner = self.covered(item)
                found = self._empty()
                for _ in range(minimum):
                    found = self._joined(found, inner)
                if maximum is None:
                    return self._joined(found, self._closure(inner))
                result = set(found)
                for _ in range(maximum - minimum):
                    found = self._joined(found, inner)
                    result |= found
                return result
        raise TypeError(type(node).__name__)

    @property
    def accepts(self) -> bool:
        """Whether the text belongs to the language."""
        return any((end, len(self.text)) in self.blank for start, end in self.spans[self.grammar.start] if start == 0)


def greedy_accepts(
    sentences: Iterable[Sequence[str]], terminals: Mapping[str, Terminal], ignored: Sequence[str], text: str
) -> bool:
    """Whether a text is cut into one of these sentences when each terminal is the longest that can come next."""
    order = list(terminals)
    alive = [tuple(sentence) for sentence in sentences]
    place = count = 0
    while place < len(text):
        wanted = sorted({*(s[count] for s in alive if len(s) > count), *ignored}, key=order.index)
        for end in range(len(text), place, -1):
            found = [n for n in wanted if matches_expression(terminals[n].pattern, text[place:end])]  # type: ignore[arg-type]  # none is a token
            if found:
                break
        else:
            return False
        place = end
        if found[0] not in ignored:
            alive = [s for s in alive if len(s) > count and s[count] in found]
            count += 1
    return any(len(s) == count for s in alive)


def literal(name: str, text: str) -> Terminal:
    """A terminal that is one text."""
    return Terminal(name, Literal(text))
