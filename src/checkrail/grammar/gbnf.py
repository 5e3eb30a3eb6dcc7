r"""Read GBNF, the grammar notation of llama.cpp.

    # a list of greetings
    root  ::= "- " greeting ("\n- " greeting){0,9}
    greeting ::= [Hh] "ello" | "Bonjour" | [^\x00-\x7F]+

A rule is `name ::= alternatives`. Items are literals, classes (`[a-z]`, `[^"\\]`), `.` for any character, rule
names, groups, and tokens of the vocabulary: `<[1234]>` by id, `<think>` by text (the angle brackets belong to
the text, as in llama.cpp), `!` before either for any other token. Items repeat with `* + ?`, `{m}`, `{m,}`,
`{,n}` and `{m,n}`. Escapes are `\t \r \n \\ \" \[ \] \-`, `\xNN`, `\uNNNN` and `\UNNNNNNNN`. A rule ends at the
end of its line, except inside parentheses and after `::=` and `|`. An empty alternative is the empty string.

Beyond llama.cpp: names may hold `_`, `{,n}` has no lower bound, and a line that starts with `|` continues the
rule before it. Stricter than llama.cpp: a rule defined twice, a range with its ends swapped, an empty class and
an escape that is no Unicode character are errors.

Hand-written, one pass, with a stack of open groups instead of recursion: linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from string import ascii_letters, digits, hexdigits

from ..errors import GrammarError, Position
from ..limits import DEFAULT_LIMITS, Limits
from .codepoints import LAST, character_class, is_surrogate
from .expression import (
    ANY_CHARACTER,
    EMPTY,
    CharacterClass,
    Choice,
    Expression,
    Literal,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from .grammar import Grammar
from .source import Source
from .traverse import MAXIMUM_HEIGHT, height

__all__ = ["parse_gbnf"]

_NAME = frozenset(ascii_letters + digits + "-_")
_NAMES = re.compile(r"[A-Za-z0-9_-]*+")
_DIGITS = re.compile(r"[0-9]*+")
_TOKEN_TEXT = re.compile(r"[^>\r\n]*+")
_PLAIN = re.compile(r'[^"\\\ud800-\udfff]++')  # characters of a literal that stand for themselves
_BLANKS = re.compile(r"(?:[ \t]++|#[^\r\n]*+)*+")
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")
_ESCAPES = {"t": "\t", "r": "\r", "n": "\n", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-"}
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_BOUNDS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ITEM = ('"', "[", "(", ".", "<", "a rule name")
_ESCAPE = tuple(f"\\{c}" for c in (*_ESCAPES, "xNN", "uNNNN", "UNNNNNNNN"))


def parse_gbnf(text: str, *, root: str = "root", limits: Limits = DEFAULT_LIMITS) -> Grammar:
    r"""The grammar that a GBNF text spells, starting at rule `root`.

    Raises GrammarError with line, column and what was expected; BudgetError where a limit is passed.

    >>> parse_gbnf('root ::= "a" | "b"').rules["root"]
    Choice(options=(Literal(text='a'), Literal(text='b')))
    """
    return _Parser(Source(text, limits), limits).grammar(root)


@dataclass(slots=True)
class _Group:
    """An open parenthesis, or the body of the rule: where it began, finished alternatives, items of the current."""

    start: int
    options: list[Expression] = field(default_factory=list)
    items: list[Expression] = field(default_factory=list)

    def end_option(self) -> None:
        self.options.append(self.items[0] if len(self.items) == 1 else Sequence(tuple(self.items)))
        self.items = []

    def close(self) -> Expression:
        self.end_option()
        return self.options[0] if len(self.options) == 1 else Choice(tuple(self.options))


class _Parser:
    """One pass over one text. `self.at` is the offset of the next character; '' stands for the end."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.text = source.text
        self.limits = limits
        self.at = 0
        self.nodes = 0
        self.rules: dict[str, Expression] = {}
        self.positions: dict[str, Position] = {}
        self.uses: dict[str, int] = {}  # rule -> offset of its first use

    # rules

    def grammar(self, root: str) -> Grammar:
        self._space(newlines=True)
        while self.at < len(self.text):
            self._rule()
        if root not in self.rules:
            raise self._undefined(root, None)
        for name, offset in self.uses.items():
            if name not in self.rules:
                raise self._undefined(name, offset)
        return Grammar(self.rules, root=root, positions=self.positions)

    def _undefined(self, name: str, offset: int | None) -> GrammarError:
        names = [rule for rule in list(self.rules)[:1000] if len(rule) <= 64]  # the comparison is quadratic
        close = get_close_matches(name, names, n=1) if len(name) <= 64 else []
        expected = [f"{close[0]} (did you mean this?)"] if close else [f"a rule {name} ::= ..."]
        position = None if offset is None else self.source.position(offset)
        return GrammarError("GRAMMAR_UNDEFINED_RULE", rule=name, position=position, expected=expected)

    def _rule(self) -> None:
        start = self.at
        name = self._name()
        if not name:
            raise self._unexpected("a rule starts with its name", ["a rule name"])
        if name in self.rules:
            raise GrammarError("GRAMMAR_DUPLICATE_RULE", rule=name, position=self.source.position(start))
        if len(self.rules) == self.limits.rules:
            raise self.source.budget("GRAMMAR_BUDGET_RULES", start, limit=self.limits.rules)
        self._space()
        if not self.text.startswith("::=", self.at):
            raise self._unexpected(f"the name {name} must be followed by ::=", ["::="])
        self.at += 3
        self._space(newlines=True)
        self.rules[name] = self._body()
        self.positions[name] = self.source.position(start)
        if height(self.rules[name]) > MAXIMUM_HEIGHT:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", start, limit=MAXIMUM_HEIGHT)

    def _body(self) -> Expression:
        """Everything after `::=`, up to the start of the next rule or the end of the text."""
        body = _Group(self.at)
        groups = [body]
        while True:
            group = groups[-1]
            nested = len(groups) > 1
            char = self._peek()
            if char == "(":
                if len(groups) > self.limits.expression_depth:
                    raise self.source.budget("GRAMMAR_BUDGET_DEPTH", self.at, limit=self.limits.expression_depth)
                groups.append(_Group(self.at))
                self.at += 1
                self._space(newlines=True)
                continue
            if char == "|":
                group.end_option()
                self._count()
                self.at += 1
                self._space(newlines=True)
                continue
            if char == ")" and nested:
                groups.pop()
                nested = len(groups) > 1
                groups[-1].items.append(group.close())
                self.at += 1
            elif char and char in "*+?{":
                if not group.items:
                    raise self._unexpected(f"there is nothing before {char} to repeat", _ITEM)
                group.items[-1] = Repeat(group.items[-1], *self._bounds(nested))
            elif nested or self._starts_item(char):
                group.items.append(self._item(char, groups[-1]))
            elif self._ends_rule():
                return body.close()
            else:
                continue
            self._count()
            self._space(newlines=nested)

    def _starts_item(self, char: str) -> bool:
        return bool(char) and (char in '"[.<!' or char in _NAME)

    def _ends_rule(self) -> bool:
        """At the end of a line outside parentheses: is the rule over, or does `|` continue it on the next?"""
        if self._peek() not in ("", "\r", "\n"):
            raise self._unexpected("this cannot stand here", [*_ITEM, "|", "a repetition", "the end of the line"])
        self._space(newlines=True)
        return self._peek() != "|"

    def _item(self, char: str, group: _Group) -> Expression:
        if char == '"':
            return self._literal()
        if char == "[":
            return self._class()
        if char in ("<", "!"):
            return self._token()
        if char == ".":
            self.at += 1
            return ANY_CHARACTER
        if not char:
            raise self.source.syntax(group.start, "this parenthesis is not closed", [")"])
        start = self.at
        name = self._name()
        if not name:
            raise self._unexpected("this cannot stand here", [*_ITEM, "|", "a repetition", ")"])
        self.uses.setdefault(name, start)
        return Reference(name, self.source.position(start))

    # tokens of the notation

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _space(self, newlines: bool = False) -> None:
        """Skip blanks and comments, and line ends where they mean nothing."""
        self._run(_BLANK_LINES if newlines else _BLANKS)

    def _run(self, pattern: re.Pattern[str]) -> str:
        """Take what a pattern matches here, perhaps nothing."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def _name(self) -> str:
        return self._run(_NAMES)

    def _literal(self) -> Expression:
        start = self.at
        self.at += 1
        characters: list[str] = []
        while (char := self._peek()) != '"':
            if not char:
                raise self.source.syntax(start, "this literal is not closed", ['"'])
            characters.append(self._run(_PLAIN) or chr(self._character()))
        self.at += 1
        return Literal("".join(characters)) if characters else EMPTY

    def _class(self) -> CharacterClass:
        start = self.at
        self.at += 1
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while (char := self._peek()) != "]":
            if not char:
                raise self.source.syntax(start, "this class is not closed", ["]"])
            ranges.append(self._range())
        if not ranges:
            raise self.source.syntax(self.at, "this class is empty", ["a character", "\\] for a bracket"])
        self.at += 1
        result = character_class(ranges, negated)
        if not result.ranges:
            raise self.source.syntax(start, "this class excludes every character", ["a class with members"])
        return result

    def _range(self) -> tuple[int, int]:
        start = self.at
        low = self._character()
        if self._peek() != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return low, low
        self.at += 1
        high = self._character()
        if high < low:
            what = f"the range from U+{low:04X} to U+{high:04X} has its ends swapped"
            raise self.source.syntax(start, what, ["the lower end first"])
        return low, high

    def _character(self) -> int:
        """One character of a literal or class, escaped or not, as its code point."""
        start = self.at
        char = self._peek()
        self.at += 1
        code = ord(char)
        if char == "\\":
            letter = self._peek()
            self.at += 1
            if letter in _HEX_LENGTH:
                code = self._hex(start, letter)
            elif letter in _ESCAPES:
                code = ord(_ESCAPES[letter])
            else:
                raise self.source.syntax(start, "this escape is not known", _ESCAPE)
        if is_surrogate(code) or code > LAST:
            raise self.source.syntax(start, f"U+{code:04X} is not a character", ["a code point outside D800 to DFFF"])
        return code

    def _hex(self, start: int, letter: str) -> int:
        length = _HEX_LENGTH[letter]
        text = self.text[self.at : self.at + length]
        if len(text) < length or not all(c in hexdigits for c in text):
            raise self.source.syntax(start, f"\\{letter} needs {length} hexadecimal digits", [f"{length} digits"])
        self.at += length
        return int(text, 16)

    def _token(self) -> TokenReference:
        start = self.at
        negated = self._peek() == "!"
        self.at += negated
        opening = self.at
        if self._peek() != "<":
            raise self._unexpected("! negates a token", ["<[id]>", "<text>"])
        self.at += 1
        position = self.source.position(start)
        if self._peek() == "[":
            self.at += 1
            number = self._run(_DIGITS)
            if not 0 < len(number) < 11 or not self.text.startswith("]>", self.at):
                raise self.source.syntax(opening, "a token id is written <[1234]>", ["an integer and ]>"])
            self.at += 2
            return TokenReference(int(number), negated, position)
        self._run(_TOKEN_TEXT)
        if self._peek() != ">":
            raise self.source.syntax(opening, "this token is not closed", [">"])
        self.at += 1
        return TokenReference(self.text[opening : self.at], negated, position)

    def _bounds(self, nested: bool) -> tuple[int, int | None]:
        """A repetition sign as (minimum, maximum)."""
        start = self.at
        char = self._peek()
        self.at += 1
        if char != "{":
            return _BOUNDS[char]
        low = self._number(nested)
        high = low
        if self._peek() == ",":
            self.at += 1
            high = self._number(nested)
        elif low is None:
            raise self._unexpected("a repetition needs a count", ["an integer", ","])
        if self._peek() != "}":
            raise self._unexpected("this repetition is not closed", ["}", ",", "an integer"])
        self.at += 1
        if low is None and high is None:
            raise self.source.syntax(start, "a repetition needs a count", ["{m}", "{m,}", "{,n}", "{m,n}"])
        if low is not None and high is not None and high < low:
            raise self.source.syntax(start, f"the repetition {{{low},{high}}} has its bounds swapped", ["{m,n}"])
        return low or 0, high

    def _number(self, newlines: bool) -> int | None:
        """An optional count, with the blanks around it."""
        self._space(newlines)
        start = self.at
        number = self._run(_DIGITS).lstrip("0") or ("0" if self.at > start else "")
        self._space(newlines)
        if not number:
            return None
        limit = self.limits.repetitions
        if len(number) > len(str(limit)) or int(number) > limit:
            reached = number if len(number) < 20 else f"{number[:20]}..."
            raise self.source.budget("GRAMMAR_BUDGET_REPEAT", start, limit=limit, reached=reached)
        return int(number)

    # failures

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.limits.expression_nodes:
            raise self.source.budget("GRAMMAR_BUDGET_NODES", self.at, limit=self.limits.expression_nodes)

    def _unexpected(self, what: str, expected: Iterable[str]) -> GrammarError:
        return self.source.syntax(self.at, what, expected)
