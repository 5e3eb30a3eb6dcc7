"""Read what stands on the right side of a Lark rule or terminal: the half of the language that has brackets.

`BodyReader` reads an expression with a stack of open groups instead of recursion. The statements around it are read by
`lark_syntax`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from .expression import Choice, Complement, Expression, Intersection, Repeat, Sequence, TokenReference
from .lark_nodes import Document, Embedded, Nested, Pattern, Span, Text, Use, is_terminal
from .lark_scanner import END, Word, Words, string_value

__all__ = ["BodyReader"]

_NESTED = 8  # %lark within %lark
_BOUNDS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ITEM = ("a name", "a string", "a regular expression", "(", "[")
_REFUSED_FLAGS = {"l": "l (locale)", "m": "m (lines)", "x": "x; write the expression without blanks and comments"}


@dataclass(slots=True)
class _Group:
    """An open bracket, or the body itself. word: what opened it. template: the name before a brace.

    negations: how many `~` stood before it. operands: of `&`, in the current option. pending: how many `~` wait for the
    next item. aliased: whether an alias has ended the current option.
    """

    word: Word
    template: Word | None = None
    negations: int = 0
    options: list[Expression] = field(default_factory=list)
    operands: list[Expression] = field(default_factory=list)
    items: list[Expression] = field(default_factory=list)
    pending: int = 0
    aliased: bool = False

    def add(self, item: Expression) -> None:
        self.items.append(Complement(item) if self.pending % 2 else item)
        self.pending = 0

    def end_operand(self) -> None:
        self.operands.append(self.items[0] if len(self.items) == 1 else Sequence(tuple(self.items)))
        self.items = []

    def end_option(self) -> None:
        self.end_operand()
        self.options.append(self.operands[0] if len(self.operands) == 1 else Intersection(tuple(self.operands)))
        self.operands = []
        self.aliased = False

    def whole(self) -> Expression:
        self.end_option()
        return self.options[0] if len(self.options) == 1 else Choice(tuple(self.options))


class BodyReader(Words, ABC):
    """Reads expressions. `document` reads the statements of a nested grammar."""

    @abstractmethod
    def document(self, depth: int) -> Document:
        """The statements up to the end, or up to the brace that closes a nested grammar."""

    def body(self, depth: int, *, terminal: bool) -> Expression:
        """An expression, up to the end of its statement. depth: how many grammars it is nested in."""
        groups = [_Group(self.word)]
        while True:
            group, word = groups[-1], self.word
            self.count()
            if word.kind == "line":
                if self._ends() and len(groups) == 1:
                    return self._whole(group)
            elif word.kind == END or (len(groups) == 1 and self.sees("}")):
                if len(groups) > 1:
                    raise self.source.syntax(
                        group.word.offset, "this bracket is not closed", [_CLOSING[group.word.text]]
                    )
                return self._whole(group)
            elif word.kind == "sign":
                self._sign(groups, terminal)
            elif group.aliased:
                raise self.unexpected("an alias ends its alternative", ["|", "the end of the line"])
            else:
                self._item(groups, depth)

    def _ends(self) -> bool:
        """Skip line ends. Is the statement over, or does `|` continue it?"""
        while self.word.kind == "line":
            self.next()
        return not self.sees("|")

    def _whole(self, group: _Group) -> Expression:
        self._check_negation(group)
        return group.whole()

    def _check_negation(self, group: _Group) -> None:
        if group.pending:
            raise self.unexpected("~ negates what follows it", _ITEM)

    # signs

    def _sign(self, groups: list[_Group], terminal: bool) -> None:
        group, word = groups[-1], self.word
        sign = word.text
        if group.aliased and sign not in "|)]":
            raise self.unexpected("an alias ends its alternative", ["|", "the end of the line"])
        if sign in "([":
            self._open(groups, _Group(word, negations=group.pending))
        elif sign in ")]}":
            self._close(groups)
        elif sign == ("|" if group.template is None else ","):
            self._check_negation(group)
            group.end_option()
            self.next()
        elif sign == "&":
            self._check_negation(group)
            group.end_operand()
            self.next()
        elif sign == "->":
            self._alias(groups, terminal)
        elif sign == "~" and self.ahead.kind != "number":
            group.pending += 1
            self.next()
        elif sign in ("*", "+", "?", "~", "{"):
            self._repeat(group)
        elif sign == "@":
            raise self.source.unsupported(word.offset, "a reference to another grammar; write it in %lark { }")
        else:
            raise self.unexpected("this cannot stand here", [*_ITEM, "|", "a repetition", "the end of the line"])

    def _open(self, groups: list[_Group], group: _Group) -> None:
        limit = self.limits.expression_depth
        if len(groups) > limit:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", self.word.offset, limit=limit)
        groups[-1].pending = 0
        groups.append(group)
        self.next()

    def _close(self, groups: list[_Group]) -> None:
        group = groups[-1]
        if len(groups) == 1 or _CLOSING[group.word.text] != self.word.text:
            expected = ["the end of the line"] if len(groups) == 1 else [_CLOSING[group.word.text]]
            raise self.unexpected("this bracket closes nothing that is open here", expected)
        self._check_negation(group)
        groups.pop()
        self.next()
        outer = groups[-1]
        outer.pending = group.negations
        if group.template is not None:
            group.end_option()
            outer.add(Use(group.template.text, tuple(group.options), group.template.offset))
        elif group.word.text == "[":
            outer.add(Repeat(group.whole(), 0, 1))
        else:
            outer.add(group.whole())

    def _alias(self, groups: list[_Group], terminal: bool) -> None:
        if terminal or len(groups) > 1:
            raise self.unexpected("an alias names an alternative of a rule, outside brackets", _ITEM)
        self._check_negation(groups[0])
        self.next()
        self.name("an alias is a name")
        groups[0].aliased = True

    def _repeat(self, group: _Group) -> None:
        start = self.word
        if not group.items or group.pending:
            raise self.unexpected(f"there is nothing before {start.text} to repeat", _ITEM)
        self.next()
        low: int | None
        high: int | None
        if start.text in _BOUNDS:
            low, high = _BOUNDS[start.text]
        else:
            low = self._number()
            high = low
            if self.take(".." if start.text == "~" else ","):
                high = self._number()
            if start.text == "{":
                self.expect("}", "this repetition is not closed")
            if (low is None and high is None) or (start.text == "~" and (low is None or high is None)):
                raise self.source.syntax(start.offset, "a repetition needs a count", ["~n", "~n..m", "{n}", "{n,m}"])
        if low is not None and high is not None and high < low:
            raise self.source.syntax(start.offset, f"the repetition from {low} to {high} has its bounds swapped")
        group.items[-1] = Repeat(group.items[-1], low or 0, high)

    def _number(self) -> int | None:
        if self.word.kind != "number":
            return None
        word = self.next()
        number = word.text.lstrip("0") or "0"
        limit = self.limits.repetitions
        if len(number) > len(str(limit)) or int(number) > limit:
            reached = number if len(number) < 20 else f"{number[:20]}..."
            raise self.source.budget("GRAMMAR_BUDGET_REPEAT", word.offset, limit=limit, reached=reached)
        return int(number)

    # items

    def _item(self, groups: list[_Group], depth: int) -> None:
        word = self.word
        if word.kind == "name" and self.ahead.text == "{" and self.ahead.offset == word.offset + len(word.text):
            name = self.name("")
            if not is_terminal(name.text) and self.ahead.kind != "number" and self.ahead.text != ",":
                self._open(groups, _Group(self.word, template=name, negations=groups[-1].pending))
                return
            groups[-1].add(Use(name.text, (), name.offset))
        elif word.kind == "word" and word.text == "%lark":
            groups[-1].add(self._nested(depth))
        else:
            groups[-1].add(self.atom())

    def atom(self) -> Expression:
        """A name, string, range, regex, special token or embedded value."""
        word = self.word
        if word.kind == "name":
            name = self.name("")
            return Use(name.text, (), name.offset)
        if word.kind == "string":
            return self._string()
        if word.kind == "regex":
            return self._pattern()
        if word.kind == "token":
            return self._token()
        if word.kind == "embedded" and word.text != "%llguidance":
            self.next()
            return Embedded(word.text, word.value, word.offset)
        raise self.unexpected("this cannot stand here", _ITEM)

    def _string(self) -> Expression:
        word = self.next()
        text, ignore_case = string_value(self.source, word)
        if not self.take(".."):
            return Text(text, ignore_case, word.offset)
        if self.word.kind != "string":
            raise self.unexpected("a range ends with a string", ["a string of one character"])
        end = self.next()
        last, last_ignores = string_value(self.source, end)
        if len(text) != 1 or len(last) != 1 or ignore_case or last_ignores:
            raise self.source.syntax(word.offset, "a range goes from one character to another", ['"a".."z"'])
        if last < text:
            raise self.source.syntax(word.offset, "this range has its ends swapped", ["the lower end first"])
        return Span(text, last)

    def _pattern(self) -> Expression:
        word = self.next()
        text, _, flags = word.text[1:].rpartition("/")
        for flag in flags:
            if flag in _REFUSED_FLAGS:
                raise self.source.unsupported(word.offset, f"the flag {_REFUSED_FLAGS[flag]}")
            if flag not in "isu":
                raise self.source.syntax(word.offset, f"the flag {flag} is not known", ["i", "s", "u"])
        return Pattern(text, "".join(sorted(set(flags) - {"u"})), word.offset)

    def _token(self) -> Expression:
        word = self.next()
        if not word.text.startswith("<["):
            return TokenReference(word.text, position=self.source.position(word.offset))
        number = word.text[2:-2]
        if not word.text.endswith("]>") or not number or set(number) - set("0123456789-,^*"):
            raise self.source.syntax(word.offset, "a token id is written <[1234]>", ["an integer and ]>"])
        if not number.isdecimal() or len(number) > 10:
            raise self.source.unsupported(word.offset, "a set of token ids; write them as alternatives, <[1]> | <[2]>")
        return TokenReference(int(number), position=self.source.position(word.offset))

    def _nested(self, depth: int) -> Expression:
        start = self.next()
        if depth == _NESTED:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", start.offset, limit=_NESTED)
        self.expect("{", "%lark is followed by a grammar in braces")
        document = self.document(depth + 1)
        if self.word.kind == END:
            raise self.source.syntax(start.offset, "this grammar is not closed", ["}"])
        self.next()
        return Nested(document, start.offset)
