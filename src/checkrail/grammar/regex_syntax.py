r"""Parse ECMA-262 regular expressions into a tree of expressions, anchors and lookaheads.

The semantics are those of the `u` flag: a character is a code point, `\u{1F600}` and `\uD83D\uDE00` are one. The
syntax is the more tolerant one of Annex B where it is harmless: `\-`, `\@` and other escaped punctuation, a lone
`]` or `}`, and a `{` that begins no quantifier are literal. An escaped letter or digit that ECMA-262 does not
define is an error, since other flavours give it a meaning (`\A`, `\Z`, `\Q`).

What no finite automaton can do, or what this library does not (backreferences, lookbehind, word boundaries,
inline flags), is refused by name with its place. Hand-written, one pass, groups on a stack: linear.

The tree is for `regex_anchors` and `regex_lookahead`, which turn it into an `Expression`; others use `regex`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from string import ascii_letters, digits, hexdigits

from ..errors import GrammarError
from ..limits import Limits
from .codepoints import LAST, Ranges, character_class, complement, is_surrogate, union
from .expression import CharacterClass, Choice, Expression, Literal, Repeat, Sequence
from .regex_classes import NOT_LINE_END, SHORTHANDS, property_ranges
from .source import Source
from .traverse import MAXIMUM_HEIGHT, children, fold

__all__ = ["Anchor", "Look", "parse_pattern", "pattern_parts"]

_CONTROLS = {"t": 0x9, "n": 0xA, "v": 0xB, "f": 0xC, "r": 0xD}
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_REFUSED_GROUPS = {
    "<=": "lookbehind (?<=",
    "<!": "lookbehind (?<!",
    ">": "an atomic group (?>",
    "#": "a comment (?#",
    "|": "a branch reset (?|",
    "P": "the group syntax (?P; write (?<name> ) or (?: )",
    "(": "a conditional group",
    "R": "a recursive pattern",
    "&": "a recursive pattern",
}
_OTHER_FLAVOURS = {
    "A": "write ^",
    "Z": "write $",
    "z": "write $",
    "a": "write \\x07",
    "e": "write \\x1B",
    "h": "write [ \\t]",
    "R": "write \\r?\\n",
}


@dataclass(frozen=True, slots=True)
class Anchor(Expression):
    """`^` or, if `end`, `$`."""

    end: bool


@dataclass(frozen=True, slots=True)
class Look(Expression):
    """`(?=item)` or, if `negated`, `(?!item)`; `offset` is its place in the pattern."""

    item: Expression
    negated: bool
    offset: int


def pattern_parts(node: Expression) -> tuple[Expression, ...]:
    """`children`, also of the nodes that only patterns have."""
    return (node.item,) if isinstance(node, Look) else children(node)


def parse_pattern(source: Source, limits: Limits) -> Expression:
    """The tree of a pattern. Raises GrammarError with the place, BudgetError where a limit is passed."""
    tree = _Parser(source, limits).parse()
    if fold(tree, lambda _, below: 1 + max(below, default=0), pattern_parts) > MAXIMUM_HEIGHT:
        raise source.budget("GRAMMAR_BUDGET_DEPTH", 0, limit=MAXIMUM_HEIGHT)
    return tree


@dataclass(slots=True)
class _Group:
    """An open group: where it began, what kind, finished branches, items of the current branch."""

    start: int
    look: bool | None = None  # for a lookahead: is it negated?
    options: list[Expression] = field(default_factory=list)
    items: list[Expression] = field(default_factory=list)

    def end_option(self) -> None:
        items = self.items
        self.options.append(items[0] if len(items) == 1 else Sequence(tuple(items)))
        self.items = []

    def close(self) -> Expression:
        self.end_option()
        inner = self.options[0] if len(self.options) == 1 else Choice(tuple(self.options))
        return inner if self.look is None else Look(inner, self.look, self.start)


class _Parser:
    """One pass over one pattern. `self.at` is the offset of the next character; '' stands for the end."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.text = source.text
        self.limits = limits
        self.at = 0
        self.nodes = 0

    def parse(self) -> Expression:
        groups = [_Group(0)]
        while char := self._peek():
            group = groups[-1]
            self._count()
            if char == "(":
                groups.append(self._open(len(groups)))
            elif char == "|":
                self.at += 1
                group.end_option()
            elif char == ")":
                if len(groups) == 1:
                    raise self.source.syntax(self.at, "this parenthesis closes nothing", ["\\) for a parenthesis"])
                self.at += 1
                groups.pop()
                groups[-1].items.append(self._quantified(group.close(), bare=group.look is not None))
            else:
                group.items.append(self._quantified(self._atom(char), bare=True))
        if len(groups) > 1:
            raise self.source.syntax(groups[-1].start, "this group is not closed", [")"])
        return groups[0].close()

    # groups and quantifiers

    def _open(self, depth: int) -> _Group:
        start = self.at
        if depth > self.limits.expression_depth:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", start, limit=self.limits.expression_depth)
        self.at += 1
        if self._peek() != "?":
            return _Group(start)
        self.at += 1
        if self._take(":"):
            return _Group(start)
        if self._peek() in ("=", "!"):
            negated = self._peek() == "!"
            self.at += 1
            return _Group(start, look=negated)
        for opening, name in _REFUSED_GROUPS.items():
            if self.text.startswith(opening, self.at):
                raise self.source.unsupported(start, name)
        if self._take("<"):
            self._group_name()
            return _Group(start)
        if self._peek() and self._peek() in ascii_letters + "-":
            raise self.source.unsupported(start, "inline flags (?i); write the alternatives out, as [aA]")
        raise self.source.syntax(start, "this group is not known", ["(?: )", "(?<name> )", "(?= )", "(?! )"])

    def _group_name(self) -> None:
        start = self.at
        end = self.text.find(">", start)
        name = self.text[start:end] if end > start else ""
        if not name.replace("$", "_").isidentifier():
            raise self.source.syntax(start, "a group name is an identifier followed by >", ["a name"])
        self.at = end + 1

    def _quantified(self, atom: Expression, bare: bool) -> Expression:
        """The atom with the quantifier that follows it, if one does; `bare`, it is not in a group of its own."""
        start = self.at
        bounds = self._quantifier()
        if bounds is None:
            return atom
        self._take("?")  # lazy or greedy: the same texts match
        if bare and isinstance(atom, Anchor):
            raise self.source.syntax(start, "an anchor cannot be repeated", ["a character, class or group"])
        if bare and isinstance(atom, Look):
            raise self.source.unsupported(start, "a repeated lookahead")
        following = self.at
        if self._quantifier() is not None:
            raise self.source.syntax(following, "there is nothing to repeat", ["one quantifier, or ? for lazy"])
        return Repeat(atom, *bounds)

    def _quantifier(self) -> tuple[int, int | None] | None:
        char = self._peek()
        if char in _QUANTIFIERS:
            self.at += 1
            return _QUANTIFIERS[char]
        start = self.at
        if not self._take("{"):
            return None
        low = high = self._digits()
        if low and self._take(","):
            high = self._digits()
        if not low or not self._take("}"):
            self.at = start  # Annex B: a brace that is no quantifier is a literal
            return None
        minimum, maximum = self._number(start, low), self._number(start, high) if high else None
        if maximum is not None and maximum < minimum:
            raise self.source.syntax(start, f"the quantifier {{{minimum},{maximum}}} has its bounds swapped", ["{m,n}"])
        return minimum, maximum

    def _digits(self) -> str:
        start = self.at
        while self._peek() and self._peek() in digits:
            self.at += 1
        return self.text[start : self.at]

    def _number(self, start: int, text: str) -> int:
        number = text.lstrip("0") or "0"
        limit = self.limits.repetitions
        if len(number) > len(str(limit)) or int(number) > limit:
            reached = number if len(number) < 20 else f"{number[:20]}..."
            raise self.source.budget("GRAMMAR_BUDGET_REPEAT", start, limit=limit, reached=reached)
        return int(number)

    # atoms

    def _atom(self, char: str) -> Expression:
        start = self.at
        if char == "[":
            return self._class()
        if char == "\\":
            value = self._escape(in_class=False)
            return self._literal(start, value) if isinstance(value, int) else CharacterClass(value)
        if self._quantifier() is not None:
            raise self.source.syntax(start, "there is nothing to repeat", ["\\ before it, for the character itself"])
        self.at += 1
        if char == ".":
            return CharacterClass(NOT_LINE_END)
        if char in "^$":
            return Anchor(end=char == "$")
        return self._literal(start, ord(char))

    def _literal(self, start: int, code: int) -> Expression:
        if is_surrogate(code):
            raise self.source.unsupported(start, f"half of a surrogate pair (U+{code:04X}), which no valid text holds")
        return Literal(chr(code))

    def _class(self) -> CharacterClass:
        start = self.at
        self.at += 1
        negated = self._take("^")
        sets: list[Ranges] = []
        members: list[tuple[int, int]] = []
        halves = False
        while self._peek() != "]":
            if not self._peek():
                raise self.source.syntax(start, "this class is not closed", ["]"])
            place = self.at
            low = self._class_atom()
            if isinstance(low, tuple):
                sets.append(low)
                continue
            high = self._range_end(place, low)
            members.append((low, high))
            halves |= is_surrogate(low) and is_surrogate(high)
        self.at += 1
        result = character_class(union(*sets, members), negated)
        if halves and not result.ranges:
            raise self.source.unsupported(start, "a class of surrogates only; write the characters as \\u{...}")
        return result

    def _class_atom(self) -> int | Ranges:
        self._count()
        if self._peek() == "\\":
            return self._escape(in_class=True)
        self.at += 1
        return ord(self.text[self.at - 1])

    def _range_end(self, start: int, low: int) -> int:
        """The upper end where `-` and a single character follow; else `low` itself, which stands at `start`."""
        hyphen = self.at
        if self._peek() != "-" or self.text[hyphen + 1 : hyphen + 2] in ("]", ""):
            return low
        self.at += 1
        high = self._class_atom()
        if isinstance(high, tuple):
            self.at = hyphen  # Annex B: in [a-\d] the hyphen is a literal
            return low
        if high < low:
            what = f"the range from U+{low:04X} to U+{high:04X} has its ends swapped"
            raise self.source.syntax(start, what, ["the lower end first"])
        return high

    # escapes

    def _escape(self, in_class: bool) -> int | Ranges:
        """A backslash and what belongs to it: one code point, or a set of them."""
        start = self.at
        self.at += 1
        char = self._peek()
        self.at += 1
        if not char:
            raise self.source.syntax(start, "the pattern ends after a backslash", ["an escape", "\\\\ for a backslash"])
        if char in SHORTHANDS:
            return SHORTHANDS[char]
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char in "pP":
            return self._property(start, negated=char == "P")
        if char == "x":
            return self._hex(start, 2)
        if char == "u":
            return self._unicode(start)
        if char == "c":
            return self._control(start)
        if char == "b" and in_class:
            return 0x8
        if char == "0" and not (self._peek() and self._peek() in digits):
            return 0x0
        if char in ascii_letters + digits:
            raise self._unknown_escape(start, char, in_class)
        return ord(char)

    def _unknown_escape(self, start: int, char: str, in_class: bool) -> GrammarError:
        if char in "bB":
            return self.source.unsupported(start, f"the word boundary \\{char}")
        if char == "0":
            return self.source.unsupported(start, "an octal escape; write \\xHH")
        if char in digits and not in_class:
            return self.source.unsupported(start, f"the backreference \\{char}")
        if char == "k":
            return self.source.unsupported(start, "the backreference \\k")
        hint = _OTHER_FLAVOURS.get(char)
        what = f"\\{char} is not an escape of ECMA-262" + (f"; {hint}" if hint else "")
        return self.source.syntax(start, what, ["\\d", "\\w", "\\s", "\\p{...}", "\\t", "\\n", "\\xHH", "\\uHHHH"])

    def _hex(self, start: int, length: int) -> int:
        text = self.text[self.at : self.at + length]
        if len(text) < length or not all(c in hexdigits for c in text):
            escape = self.text[start : start + 2]
            raise self.source.syntax(start, f"{escape} needs {length} hexadecimal digits", [f"{length} digits"])
        self.at += length
        return int(text, 16)

    def _unicode(self, start: int) -> int:
        if self._take("{"):
            end = self.text.find("}", self.at, self.at + 100)
            text = self.text[self.at : end].lstrip("0") if end > self.at else "-"
            if len(text) > 6 or not all(c in hexdigits for c in text) or int(text or "0", 16) > LAST:
                raise self.source.syntax(start, "\\u{ } needs a code point up to 10FFFF", ["hexadecimal digits"])
            self.at = end + 1
            return int(text or "0", 16)
        code = self._hex(start, 4)
        if 0xD800 <= code <= 0xDBFF and self.text.startswith("\\u", self.at):
            second = self.at
            low = self.text[second + 2 : second + 6]
            if len(low) == 4 and all(c in hexdigits for c in low) and 0xDC00 <= int(low, 16) <= 0xDFFF:
                self.at += 6
                return 0x10000 + ((code - 0xD800) << 10) + (int(low, 16) - 0xDC00)
        return code

    def _control(self, start: int) -> int:
        letter = self._peek()
        if not letter or letter not in ascii_letters:
            raise self.source.syntax(start, "\\c needs a letter", ["\\cA to \\cZ"])
        self.at += 1
        return ord(letter) % 32

    def _property(self, start: int, negated: bool) -> Ranges:
        end = self.text.find("}", self.at, self.at + 100)
        if self._peek() != "{" or end < 0:
            raise self.source.syntax(start, "a property is written \\p{Name}", ["{"])
        name = self.text[self.at + 1 : end]
        ranges = property_ranges(name)
        if ranges is None:
            what = f"the Unicode property {name[:40]}; general categories such as \\p{{L}} and some others are"
            raise self.source.unsupported(start, what)
        self.at = end + 1
        return complement(ranges) if negated else ranges

    # characters

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, char: str) -> bool:
        found = self._peek() == char
        self.at += found
        return found

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.limits.expression_nodes:
            raise self.source.budget("GRAMMAR_BUDGET_NODES", self.at, limit=self.limits.expression_nodes)
