r"""The words of a Lark grammar: names, strings, regexes, special tokens, signs, line ends.

One regular expression says what a word is; blanks, comments (`//` and `#`) and a backslash at the end of a line are
left out. A `%json` or `%regex` takes the JSON value after it into its word, which is found by counting braces and
skipping strings. Linear in the length of the text; nothing here backtracks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..errors import GrammarError
from ..limits import Limits
from .codepoints import LAST, is_surrogate
from .source import Source

__all__ = ["END", "Word", "Words", "string_value"]

_WORD = re.compile(
    r"""(?P<blank>[ \t\f]++|(?://|\#)[^\n]*+|\\[ ]*+\r?\n)
      | (?P<line>\r?\n)
      | (?P<name>_*+[A-Za-z](?:[A-Za-z0-9_]|-(?=[A-Za-z0-9_]))*+)
      | (?P<string>"(?:[^"\\\n]|\\.)*+"i?)
      | (?P<regex>/(?!/)(?:[^/\\\n]|\\.)*+/[a-z]*+)
      | (?P<token><[^<>\s][^<>\n]*+>)
      | (?P<number>[0-9]++)
      | (?P<word>%[a-z]++)
      | (?P<sign>->|\.\.|[:|()\[\]{}?*+~&,.!=@-])""",
    re.VERBOSE,
)
_JSON_PART = re.compile(r'[^"{}\[\]]++|"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_EMBEDDING = ("%json", "%regex", "%llguidance")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b", "v": "\v", "\\": "\\", '"': '"', "'": "'", "/": "/"}
END = "end"  # the kind of the last word
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """One word. kind: a group of the expression above, or "end". value: what follows an embedding word."""

    kind: str
    text: str
    offset: int
    value: str = ""


def _scan(source: Source) -> Iterator[Word]:
    """The words, and one of kind "end". Raises GrammarError GRAMMAR_SYNTAX where there is no word."""
    text, at = source.text, 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            raise _no_word(source, at)
        kind, start = found.lastgroup or "", at
        at = found.end()
        if kind == "word" and found.group() in _EMBEDDING:
            value, at = _json(source, found.group(), at)
            yield Word("embedded", found.group(), start, value)
        elif kind != "blank":
            yield Word(kind, found.group(), start)
    yield Word(END, "", at)


class Words:
    """The words of a text, one at a time. `word` is the next one, `ahead` the one after it."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self._rest = _scan(source)
        self.word = next(self._rest)
        self.ahead = next(self._rest, self.word)
        self._nodes = 0

    def next(self) -> Word:
        """Take a word."""
        taken = self.word
        self.word, self.ahead = self.ahead, next(self._rest, self.ahead)
        return taken

    def sees(self, sign: str) -> bool:
        """Is the next word this sign?"""
        return self.word.kind == "sign" and self.word.text == sign

    def take(self, sign: str) -> bool:
        """Take this sign, if it is next."""
        found = self.sees(sign)
        if found:
            self.next()
        return found

    def expect(self, sign: str, what: str) -> None:
        """Take this sign. Raises GrammarError if it is not next."""
        if not self.take(sign):
            raise self.unexpected(what, [sign])

    def name(self, what: str, expected: Iterable[str] = ("a name",)) -> Word:
        """Take a name."""
        if self.word.kind != "name":
            raise self.unexpected(what, expected)
        name = self.next()
        letters = name.text.lstrip("_")
        if not (letters.islower() or letters.isupper()):
            what = f"the name {name.text} mixes upper and lower case"
            raise self.source.syntax(name.offset, what, ["a rule in lower case", "a terminal in upper case"])
        return name

    def unexpected(self, what: str, expected: Iterable[str]) -> GrammarError:
        """GRAMMAR_SYNTAX at the next word."""
        return self.source.syntax(self.word.offset, what, expected)

    def count(self) -> None:
        """Count a part of the grammar."""
        self._nodes += 1
        if self._nodes > self.limits.expression_nodes:
            raise self.source.budget("GRAMMAR_BUDGET_NODES", self.word.offset, limit=self.limits.expression_nodes)


def string_value(source: Source, word: Word) -> tuple[str, bool]:
    """The text that a string stands for, and whether its case is ignored."""
    ignore_case = word.text.endswith("i")
    body = word.text[1 : -2 if ignore_case else -1]
    start = word.offset + 1
    parts: list[str] = []
    at = 0
    for found in _ESCAPE.finditer(body):
        parts += (body[at : found.start()], _escaped(source, found, start + found.start()))
        at = found.end()
    parts.append(body[at:])
    for number, char in enumerate(body):
        _check_character(source, ord(char), start + number)
    return "".join(parts), ignore_case


def _check_character(source: Source, code: int, offset: int) -> None:
    if is_surrogate(code) or code > LAST:
        raise source.syntax(offset, f"U+{code:04X} is not a character", ["a code point outside D800 to DFFF"])


def _escaped(source: Source, found: re.Match[str], offset: int) -> str:
    digits, letter = found.group(1) or found.group(2) or found.group(3), found.group(4)
    if digits:
        code = int(digits, 16)
        _check_character(source, code, offset)
        return chr(code)
    if letter in _HEX_LENGTH:
        length = _HEX_LENGTH[letter]
        raise source.syntax(offset, f"\\{letter} needs {length} hexadecimal digits", [f"{length} digits"])
    if letter not in _ESCAPES:
        raise source.syntax(offset, "this escape is not known", [f"\\{c}" for c in (*_ESCAPES, "xNN", "uNNNN")])
    return _ESCAPES[letter]


def _no_word(source: Source, at: int) -> GrammarError:
    char = source.text[at]
    if char == '"':
        return source.syntax(at, "this string is not closed on its line", ['"'])
    if char == "/":
        return source.syntax(at, "this regular expression is not closed on its line", ["/"])
    if char == "%":
        return source.syntax(at, "a directive has a name", ["%ignore", "%import", "%declare"])
    return source.syntax(at, "this cannot stand here", ["a name", "a string", "a regular expression"])


def _json(source: Source, word: str, at: int) -> tuple[str, int]:
    """The JSON value after an embedding word, as text, and where it ends; braces are counted, the rest is not read."""
    text = source.text
    blanks = re.compile(r"\s*+").match(text, at)
    start = at if blanks is None else blanks.end()
    plain = re.compile(r"true|false").match(text, start)
    if plain is not None:
        return plain.group(), plain.end()
    if text[start : start + 1] != "{":
        raise source.syntax(start, f"{word} is followed by a JSON object", ["{"])
    depth, end = 0, start
    while True:
        found = _JSON_PART.match(text, end)
        if found is None:
            raise source.syntax(start, "this object is not closed", ["}"])
        end = found.end()
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found.group(), 0)
        if depth == 0:
            return text[start:end], end
