r"""Parse ECMA-262 regular expressions into a tree of expressions, anchors and lookaheads.

The semantics are those of the `u` flag: a character is a code point, `\u{1F600}` and `\uD83D\uDE00` are one. The
syntax is the more tolerant one of Annex B where it is harmless: `\-`, `\@` and other escaped punctuation, a lone
`]` or `}`, and a `{` that begins no quantifier are literal. An escaped letter or digit that ECMA-262 does not
define is an error, since other flavours give it a meaning (`\A`, `\Z`, `\Q`).

What no finite automaton can do, or what this library does not (backreferences, lookbehind, inline flags), is refused
by name with its place. Hand-written, one pass, groups on a stack: linear.

The tree is for `regex_anchors`, `regex_boundaries` and `regex_lookahead`, which turn it into an `Expression`; others
use `regex`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, digits, hexdigits, punctuation

from ..errors import GrammarError
from ..limits import DEFAULT_LIMITS, Limits
from .codepoints import LAST, Ranges, complement, is_surrogate, union
from .expression import Expression
from .letter_case import both_cases
from .regex_classes import NOT_LINE_END, SHORTHANDS, property_ranges
from .simplify import Simplifier
from .source import Source
from .traverse import MAXIMUM_HEIGHT, children, fold

__all__ = ["ECMA", "END", "START", "Anchor", "Boundary", "Dialect", "Look", "Pattern", "parse_pattern", "pattern_parts"]

_CONTROLS = {"t": 0x9, "n": 0xA, "v": 0xB, "f": 0xC, "r": 0xD}
_ESCAPES: dict[str, int | Ranges] = {**{char: ord(char) for char in punctuation}, **SHORTHANDS, **_CONTROLS}
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_QUANTIFYING = ("*", "+", "?", "{")
_ENDS_OPTION = ("|", ")", "")
_PLAIN = re.compile(r"[^\\()\[{|?*+.^$\ud800-\udfff]++")  # characters that stand for themselves
_BRACES = re.compile(r"\{([0-9]++)(?:(,)([0-9]*+))?\}")
_CLASS = re.compile(r"\[(?:[^\\\]]|\\.)*+\]", re.DOTALL)
_REMEMBERED_CLASS = 100  # characters of classes that are remembered
_SHALLOW = 40  # groups within groups that need no look at their height
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


START, END = Anchor(end=False), Anchor(end=True)


@dataclass(frozen=True, slots=True)
class Boundary(Expression):
    r"""`\b` or, if `negated`, `\B`."""

    negated: bool


@dataclass(frozen=True, slots=True)
class Look(Expression):
    """`(?=item)` or, if `negated`, `(?!item)`; `offset` is its place in the pattern."""

    item: Expression
    negated: bool
    offset: int

    def __hash__(self) -> int:
        return hash((self.negated, self.offset))  # patterns are hashed before their depth is known


@dataclass(frozen=True, slots=True)
class Dialect:
    """What may differ between patterns. dot: what `.` takes. ignore_case: letters stand for both their cases.

    part: the pattern describes a part of a text, wherever it may stand. What looks beyond that part, or depends on
    which of several matches is taken, has no meaning there and is refused: anchors, lookahead, lazy quantifiers.
    """

    dot: Ranges = NOT_LINE_END
    ignore_case: bool = False
    part: bool = False


ECMA = Dialect()


def pattern_parts(node: Expression) -> tuple[Expression, ...]:
    """`children`, also of the nodes that only patterns have."""
    return (node.item,) if isinstance(node, Look) else children(node)


def _height(tree: Expression) -> int:
    return fold(tree, lambda _, below: 1 + max(below, default=0), pattern_parts)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read. tree: its simplified tree, made by `build`. anchors, looks, boundaries: how many were
    read."""

    tree: Expression
    anchors: int
    looks: int
    boundaries: int
    build: Simplifier


def parse_pattern(source: Source, limits: Limits, dialect: Dialect = ECMA) -> Pattern:
    """A pattern, read. Raises GrammarError with the place, BudgetError where a limit is passed."""
    parser = _Parser(source, limits, dialect)
    tree = parser.parse()
    if parser.deepest > _SHALLOW and _height(tree) > MAXIMUM_HEIGHT:
        raise source.budget("GRAMMAR_BUDGET_DEPTH", 0, limit=MAXIMUM_HEIGHT)
    return Pattern(tree, parser.anchors, parser.looks, parser.boundaries, parser.build)


class _Group:
    """An open group: where it began, what kind, finished branches, items of the current branch."""

    __slots__ = ("ended", "items", "look", "options", "start")

    def __init__(self, start: int, look: bool | None = None) -> None:
        self.start = start
        self.look = look  # for a lookahead: is it negated?
        self.options: list[Expression] = []
        self.items: list[Expression] = []
        self.ended = False  # is the current branch among the options already?


class _Parser:
    """One pass over one pattern. `self.at` is the offset of the next character; '' stands for the end."""

    def __init__(self, source: Source, limits: Limits, dialect: Dialect = ECMA) -> None:
        self.source = source
        self.text = source.text
        self.limits = limits
        self.dialect = dialect
        self.build = Simplifier()
        self.at = 0
        self.nodes = 0
        self.anchors = 0
        self.looks = 0
        self.boundaries = 0
        self.deepest = 0

    def parse(self) -> Expression:
        groups = [_Group(0)]
        group = groups[0]
        text, size = self.text, len(self.text)
        while (start := self.at) < size:
            run = _PLAIN.match(text, start)
            if run is not None:
                end = run.end()
                if end - start > 1 and text[end : end + 1] in _QUANTIFYING:
                    end -= 1  # what is repeated is the last character alone
                self._count(end - start)
                self.at = end
                item = self._plain(text[start:end])
                group.items.append(self._quantified(item) if text[end : end + 1] in _QUANTIFYING else item)
                continue
            char = text[start]
            self._count()
            if char == "(":
                group = self._open(len(groups))
                groups.append(group)
                self.deepest = max(self.deepest, len(groups))
            elif char == "|":
                self.at += 1
                self._end_option(group)
            elif char == ")":
                if len(groups) == 1:
                    raise self.source.syntax(start, "this parenthesis closes nothing", ["\\) for a parenthesis"])
                self.at += 1
                groups.pop()
                self._close(group, groups[-1])
                group = groups[-1]
            else:
                group.items.append(self._quantified(self._atom(char)))
        if len(groups) > 1:
            raise self.source.syntax(group.start, "this group is not closed", [")"])
        return self._whole(group)

    def _plain(self, text: str) -> Expression:
        """A run of characters that stand for themselves."""
        if not self.dialect.ignore_case:
            return self.build.literal(text)
        return self.build.sequence([self._characters(((ord(char), ord(char)),)) for char in text])

    def _characters(self, ranges: Ranges) -> Expression:
        return self.build.characters(both_cases(ranges) if self.dialect.ignore_case else ranges)

    def _end_option(self, group: _Group) -> None:
        if not group.ended:
            items = group.items
            group.options.append(items[0] if len(items) == 1 else self.build.sequence(items))
        group.items = []
        group.ended = False

    def _whole(self, group: _Group) -> Expression:
        """What a group stands for."""
        self._end_option(group)
        return group.options[0] if len(group.options) == 1 else self.build.choice(group.options)

    def _close(self, group: _Group, outer: _Group) -> None:
        """Put a closed group into the one around it; parentheses that change nothing are left out at no cost."""
        if group.look is not None:
            outer.items.append(self._quantified(Look(self._whole(group), group.look, group.start)))
            return
        following = self._peek()
        if following in _QUANTIFYING and (bounds := self._quantifier()) is not None:
            outer.items.append(self._repeated(self._whole(group), bounds))
        elif not group.options:
            outer.items += group.items
        elif not outer.items and following in _ENDS_OPTION:
            self._end_option(group)
            outer.options += group.options
            outer.ended = True
        else:
            outer.items.append(self._whole(group))

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
            if self.dialect.part:
                raise self.source.unsupported(start, "lookahead (?= or (?!")
            negated = self._peek() == "!"
            self.at += 1
            self.looks += 1
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

    def _quantified(self, atom: Expression) -> Expression:
        """An atom that is not a group with the quantifier that follows it, if one does."""
        start = self.at
        if self._peek() not in _QUANTIFYING or (bounds := self._quantifier()) is None:
            return atom
        if isinstance(atom, (Anchor, Boundary)):
            raise self.source.syntax(start, "an anchor cannot be repeated", ["a character, class or group"])
        if isinstance(atom, Look):
            raise self.source.unsupported(start, "a repeated lookahead")
        return self._repeated(atom, bounds)

    def _repeated(self, atom: Expression, bounds: tuple[int, int | None]) -> Expression:
        """An atom whose quantifier was read."""
        lazy = self.at
        if self._take("?") and self.dialect.part:  # in a whole text lazy or greedy makes no difference
            raise self.source.unsupported(lazy, "a lazy quantifier; name what may not occur, as in [^x]*")
        following = self.at
        if self._peek() in _QUANTIFYING and self._quantifier() is not None:
            raise self.source.syntax(following, "there is nothing to repeat", ["one quantifier, or ? for lazy"])
        return self.build.repeat(atom, *bounds)

    def _quantifier(self) -> tuple[int, int | None] | None:
        """The bounds that stand here; None for a brace that is no quantifier, which is a literal (Annex B)."""
        start = self.at
        simple = _QUANTIFIERS.get(self._peek())
        if simple is not None:
            self.at += 1
            return simple
        found = _BRACES.match(self.text, start)
        if found is None:
            return None
        self.at = found.end()
        low, comma, high = found.groups()
        minimum = self._number(start, low)
        if comma is None:
            return minimum, minimum
        maximum = self._number(start, high) if high else None
        if maximum is not None and maximum < minimum:
            raise self.source.syntax(start, f"the quantifier {{{minimum},{maximum}}} has its bounds swapped", ["{m,n}"])
        return minimum, maximum

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
            return self.build.characters(self._class())
        if char == "\\":
            if self.text[start + 1 : start + 2] in ("b", "B"):
                return self._boundary()
            value = self._escape(in_class=False)
            return self._literal(start, value) if isinstance(value, int) else self._characters(value)
        if char in _QUANTIFYING and self._quantifier() is not None:
            raise self.source.syntax(start, "there is nothing to repeat", ["\\ before it, for the character itself"])
        self.at += 1
        if char == ".":
            return self.build.characters(self.dialect.dot)
        if char in "^$":
            if self.dialect.part:
                raise self.source.unsupported(start, f"the anchor {char}; write \\{char} for the character")
            self.anchors += 1
            return END if char == "$" else START
        return self._literal(start, ord(char))

    def _boundary(self) -> Boundary:
        negated = self.text[self.at + 1] == "B"
        if self.dialect.part:
            raise self.source.unsupported(self.at, f"the word boundary {self.text[self.at : self.at + 2]}")
        self.at += 2
        self.boundaries += 1
        return Boundary(negated)

    def _literal(self, start: int, code: int) -> Expression:
        if is_surrogate(code):
            raise self.source.unsupported(start, f"half of a surrogate pair (U+{code:04X}), which no valid text holds")
        return self._characters(((code, code),))

    def _class(self) -> Ranges:
        found = _CLASS.match(self.text, self.at)
        if found is not None and found.end() - self.at <= _REMEMBERED_CLASS and not self.dialect.ignore_case:
            known = _known_class(found.group())
            if known is not None and self.nodes + known[1] <= self.limits.expression_nodes:
                self.at = found.end()
                self.nodes += known[1]
                return known[0]
        return self._read_class()

    def _read_class(self) -> Ranges:
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
        ranges = union(*sets, members)
        if sets:  # a few letters in the pattern may stand for hundreds of ranges, which are what takes memory
            self._count(len(ranges))
        if self.dialect.ignore_case:
            ranges = both_cases(ranges)
        if negated:
            ranges = complement(ranges)
        if halves and not ranges:
            raise self.source.unsupported(start, "a class of surrogates only; write the characters as \\u{...}")
        return ranges

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
        simple = _ESCAPES.get(char)
        if simple is not None:
            return simple
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

    def _count(self, nodes: int = 1) -> None:
        limit = self.limits.expression_nodes
        self.nodes += nodes
        if self.nodes > limit:
            raise self.source.budget("GRAMMAR_BUDGET_NODES", self.at + limit - self.nodes + nodes, limit=limit)


@lru_cache(maxsize=512)
def _known_class(text: str) -> tuple[Ranges, int] | None:
    """The characters of a class, and how many members were read; None where it is an error."""
    parser = _Parser(Source(text, DEFAULT_LIMITS), DEFAULT_LIMITS)
    try:
        return parser._read_class(), parser.nodes
    except GrammarError:
        return None
