r"""Read the Lark language into its tree.

    start: greeting ("," greeting)*        // a rule: lower case
    greeting: /[A-Z][a-z]+/ | "you"i       // regexes, strings with flags
    WS: " "+                               // a terminal: upper case
    %ignore WS

A statement ends with its line; a line that begins with `|` continues the one before, and line ends mean nothing inside
brackets. What the language is, and what of it is refused, is told in docs/reference/lark.md.

Hand-written over the words of `lark_scanner`, one pass; recursion only for grammars in grammars (`%lark`), whose depth
is bounded. Linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import GrammarError
from ..limits import Limits
from .expression import Expression
from .lark_body import BodyReader
from .lark_nodes import Attributes, Definition, Document, is_terminal
from .lark_scanner import END, Word
from .source import Source
from .traverse import MAXIMUM_HEIGHT, height

__all__ = ["read_document"]

_DIRECTIVES = ("%ignore", "%import", "%declare")
_REFUSED_DIRECTIVES = ("%override", "%extend")
_REFUSED_ATTRIBUTES = ("capture", "max_tokens", "stop", "stop_capture", "temperature")


def read_document(source: Source, limits: Limits) -> Document:
    """The statements of a grammar. Raises GrammarError with line, column and what was expected; BudgetError."""
    return _Parser(source, limits).document(0)


class _Parser(BodyReader):
    """One pass over the words of one text."""

    def __init__(self, source: Source, limits: Limits) -> None:
        super().__init__(source, limits)
        self._definitions = 0

    def document(self, depth: int) -> Document:
        document = Document()
        while self.word.kind != END and not (depth and self.sees("}")):
            if self.word.kind == "line":
                self.next()
            elif self.word.kind == "word":
                self._directive(document, depth)
            elif self.word.kind == "embedded" and self.word.text == "%llguidance":
                self._options()
            else:
                self._definition(document, depth)
        return document

    def _definition(self, document: Document, depth: int) -> None:
        while self.sees("?") or self.sees("!"):
            self.next()  # they shape a parse tree, and here is none
        name = self.name("a statement begins with a name or a directive", ["a name", *_DIRECTIVES])
        self._check_new(name, document)
        parameters = self._parameters(name) if self.sees("{") else ()
        attributes = self._attributes(name) if self.sees("[") else None
        priority = self._priority() if self.take(".") else 0
        self.expect(":", f"the name {name.text} must be followed by a colon")
        body = self._checked(self.body(depth, terminal=is_terminal(name.text)), name.offset)
        document.definitions[name.text] = Definition(name.text, body, name.offset, parameters, priority, attributes)

    def _checked(self, body: Expression, offset: int) -> Expression:
        if height(body) > MAXIMUM_HEIGHT:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", offset, limit=MAXIMUM_HEIGHT)
        return body

    def _check_new(self, name: Word, document: Document) -> None:
        if name.text in document:
            raise GrammarError("GRAMMAR_DUPLICATE_RULE", rule=name.text, position=self.source.position(name.offset))
        self._definitions += 1
        if self._definitions > self.limits.rules:
            raise self.source.budget("GRAMMAR_BUDGET_RULES", name.offset, limit=self.limits.rules)

    # what stands between a name and its colon

    def _parameters(self, name: Word) -> tuple[str, ...]:
        if is_terminal(name.text):
            raise self.source.unsupported(name.offset, "a terminal with parameters; write a rule with parameters")
        self.next()
        found: dict[str, None] = {}

        def read() -> None:
            word = self.name("a parameter is a name")
            if word.text in found:
                raise self.source.syntax(word.offset, f"the parameter {word.text} occurs twice", ["another name"])
            found[word.text] = None

        self._list(read, "}")
        return tuple(found)

    def _attributes(self, name: Word) -> Attributes:
        if is_terminal(name.text):
            raise self.unexpected("attributes belong to rules", [":"])
        self.next()
        found = Attributes()

        def read() -> None:
            nonlocal found
            word = self.name("an attribute is a name", ["lazy", "suffix"])
            if word.text in _REFUSED_ATTRIBUTES:
                raise self.source.unsupported(word.offset, f"the attribute {word.text}")
            if word.text == "lazy":
                found = Attributes(True, found.suffix)
            elif word.text == "suffix":
                self.expect("=", "a suffix has a value")
                found = Attributes(found.lazy, self.atom())
            else:
                raise self.source.syntax(word.offset, "this attribute is not known", ["lazy", "suffix"])

        self._list(read, "]")
        return found

    def _list(self, read: Callable[[], None], closing: str) -> None:
        """One or more parts with commas between them, and what closes them."""
        read()
        while self.take(","):
            read()
        self.expect(closing, "this list is not closed")

    def _priority(self) -> int:
        sign = -1 if self.take("-") else 1
        self.take("+")
        if self.word.kind != "number" or len(self.word.text) > 9:
            raise self.unexpected("a priority is an integer", ["digits"])
        return sign * int(self.next().text)

    # directives

    def _directive(self, document: Document, depth: int) -> None:
        word = self.word
        if word.text in _REFUSED_DIRECTIVES:
            raise self.source.unsupported(word.offset, f"{word.text}; change the definition itself")
        if word.text not in _DIRECTIVES:
            raise self.source.syntax(word.offset, f"the directive {word.text} is not known", _DIRECTIVES)
        self.next()
        if word.text == "%ignore":
            start = self.word.offset
            document.ignored.append((self._checked(self.body(depth, terminal=True), start), start))
            return
        if word.text == "%declare":
            self._declare(document)
            while self.word.kind == "name":
                self._declare(document)
        else:
            self._import(document)
        self._end_of_statement()

    def _declare(self, document: Document) -> None:
        name = self.name("a declaration names terminals", ["a terminal's name"])
        if not is_terminal(name.text):
            raise self.source.unsupported(name.offset, "%declare of a rule; declare a terminal")
        self._check_new(name, document)
        document.declared[name.text] = name.offset

    def _import(self, document: Document) -> None:
        if self.word.text != "common":
            raise self.source.unsupported(self.word.offset, "an import from anything but the library common")
        self.next()
        if self.take("."):
            name = self.name("an import names a terminal", ["common.NAME"])
            self._imported(document, name, self.name("an alias is a name") if self.take("->") else name)
            return
        self.expect("(", "an import names terminals: common.NAME or common (A, B)")

        def read() -> None:
            name = self.name("an import names a terminal")
            self._imported(document, name, name)

        self._list(read, ")")

    def _imported(self, document: Document, name: Word, new: Word) -> None:
        if not is_terminal(new.text):
            raise self.source.syntax(new.offset, "the library holds terminals", ["a name in upper case"])
        self._check_new(new, document)
        document.imports[new.text] = (name.text, name.offset)

    def _options(self) -> None:
        if self.word.value.strip("{} \t\r\n"):
            raise self.source.unsupported(self.word.offset, "the options of %llguidance")
        self.next()
        self._end_of_statement()

    def _end_of_statement(self) -> None:
        if self.word.kind not in ("line", END) and not self.sees("}"):
            raise self.unexpected("the statement ends here", ["the end of the line"])
