"""What `fuzz.py` runs: for each module how inputs are made, and the laws that must hold for them.

To add one: a function that makes an input out of a `Random`, a function that raises where a law does not hold, and a
line in `TARGETS`. `mutated` makes texts out of seeds; good seeds reach far into the module, and the words of its
language are pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from unicodedata import category

import rfc8785
from wcwidth import wcwidth

import calc_oracle  # type: ignore[import-not-found]  # in tests/, which mypy does not see
import reference_json  # type: ignore[import-not-found]
from checkrail.boundary import canon, display
from checkrail.boundary.binding.normal_form import MODES, normal_form
from checkrail.boundary.binding.source import Source
from checkrail.boundary.calc.calculator import calc, is_expression
from checkrail.boundary.display import terminal
from checkrail.boundary.document import Document
from checkrail.boundary.strictjson import parse
from checkrail.boundary.validate import check_output
from checkrail.errors import DocumentError


@dataclass(frozen=True, slots=True)
class Target:
    """make: an input. check: raises what it likes if a law does not hold for the input."""

    make: Callable[[Random], Any]
    check: Callable[[Any], None]


def mutated(random: Random, seeds: Sequence[str], pieces: Sequence[str], longest: int = 0) -> str:
    """A seed after some edits: parts removed, repeated, replaced by pieces, or crossed with another seed.

    longest: characters; by default 400, and now and then 5,000.
    """
    longest = longest or (5_000 if random.random() < 0.02 else 400)
    text = random.choice(seeds)
    for _ in range(random.choice([0, 1, 1, 2, 3, 8])):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice([0, 1, 1, 2, 5, 30]))
        middle = random.choice(
            [
                "",
                text[start:end] * random.choice([2, 3, 50, 1_000]),
                random.choice(pieces),
                random.choice(pieces) * random.choice([1, 2, 100]),
                chr(random.choice([random.randrange(0x80), random.randrange(0x800), random.randrange(0x110000)])),
                random.choice(seeds)[start:end],
            ]
        )
        text = (text[:start] + middle + text[end:])[:longest]
    return text


def require(holds: bool, law: str) -> None:
    """An assertion that also holds in a Python that has assertions off."""
    if not holds:
        raise AssertionError(law)


# --- JSON

JSON_SEEDS = [
    '{"a":[1,-2.5e3,"x\\n\\u00e9"],"b":{"a":null}}',
    '[true,false,null,0,0.1,1E-7,"\\ud83d\\ude00"]',
    '{"a":1,"\\u0062":9007199254740993,"":{"/":[[],{}],"~":-0.0}}',
    ' [ [ ] , { } , "" ]\t\r\n',
    "[1152921504606847000,1e21,1e-7,5e-324,1.7976931348623157e308,1e400,123456789012345678901234567890]",
    '{"\U00010000":1,"\ue000":2,"€":"\u2028","\\u0000":"\\/\\"\\\\"}',
    '"' + "\\u00e9é😀" * 5 + '"',
]
JSON_PIECES = [
    *'{}[]:,"\\ \n\t0123456789.-+eE\ud800\udc00\x00\x1f\x7f\ufeff',
    *[
        "\\u",
        "\\ud800",
        "\\udc00",
        "\\u0061",
        '"a":',
        "null",
        "true",
        "false",
        "NaN",
        "1e308",
        "[[",
        "{}",
        "9007199254740992",
    ],
]


def make_json(random: Random) -> bytes | str:
    """A text, or its bytes, themselves mutated now and then."""
    text = mutated(random, JSON_SEEDS, JSON_PIECES)
    if random.random() < 0.5:
        return text
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(random.choice([0, 0, 1, 3])):
        data.insert(random.randint(0, len(data)), random.choice([random.randrange(256), 0xC0, 0xED, 0xEF, 0xF4, 0xFF]))
    return bytes(data)


def check_strictjson(data: bytes | str) -> None:
    """It judges as a second reader does, and each span is the text of its value."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        expected = "refused" if text.startswith("\ufeff") else repr(reference_json.read(text))
    except (ValueError, RecursionError):
        text, expected = "", "refused"
    try:
        document = parse(data)
    except DocumentError as error:
        json.dumps(error.to_json())
        require(expected == "refused" or error.code == "JSON_DEPTH", f"{error.code} for a text that is right")
        return
    require(repr(document.value) == expected, "another value than the second reader's")
    for node in document.nodes():
        span, byte_span = node.span, node.byte_span
        require(span is not None and byte_span is not None, "a value without a place")
        literal = text[slice(*span or ())]
        require(literal.encode() == text.encode()[slice(*byte_span or ())], "spans in bytes and characters differ")
        require(repr(json.loads(literal, parse_int=_number)) == repr(node.value), "a span of something else")


def _number(literal: str) -> int | float:
    return int(literal) if abs(int(literal)) < 2**53 else float(literal)


def make_value(random: Random) -> Any:
    """JSON data, mostly; and what is none."""
    if random.random() < 0.5:
        try:
            return parse(mutated(random, JSON_SEEDS, JSON_PIECES))
        except DocumentError:
            pass
    return _value(random, 5)


def _value(random: Random, depth: int) -> Any:
    kind = random.randrange(9 if depth else 6)
    if kind < 2:
        return (
            mutated(random, JSON_SEEDS, JSON_PIECES, 20)
            if random.random() < 0.2
            else random.choice(["", "é", "\x00\n"])
        )
    if kind == 2:
        return random.choice([0.0, -0.0, 1.5, random.uniform(-1, 1) * 10.0 ** random.randint(-330, 308)])
    if kind == 3:
        return random.choice([0, 1, -7, 2**53 - 1, 1 - 2**53, random.getrandbits(53)])
    if kind == 4:
        return random.choice([None, True, False])
    if kind == 5:
        hostile = [2**53, -(10**30), float("nan"), float("inf"), "\ud800", b"", {1}, {1: 2}, {"\udfff": 0}, object, 1j]
        return random.choice(hostile) if random.random() < 0.1 else "x"
    if kind == 6:
        return tuple(_value(random, depth - 1) for _ in range(random.randrange(4)))
    if kind == 7:
        return [_value(random, depth - 1) for _ in range(random.randrange(4))]
    names = ["a", "b", "", "é", "\U00010000", "\ue000", "\uffff", "\x00", "10", "9", "a/b"]
    return {random.choice(names): _value(random, depth - 1) for _ in range(random.randrange(6))}


def check_canon(given: Any) -> None:
    """It writes what the other library writes, and reading and writing it again changes nothing."""
    value = given.value if isinstance(given, Document) else given
    try:
        expected = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, TypeError, AttributeError):
        expected = b""
    try:
        written = canon.dumps(given)
    except DocumentError as error:
        json.dumps(error.to_json())
        str(error).encode("utf-8")
        require(not expected or error.code == "CANON_DEPTH", f"{error.code} for a value that is right")
        return
    require(written == expected, "another form than the other library's")
    document = parse(written)
    require(canon.dumps(document) == written, "not the same after reading")
    require(canon.digest(document) == canon.digest(given), "another digest after reading")


# --- visible text

TEXT_SEEDS = [
    "rm -rf /tmp/x && echo done\n\tnext line",
    "see https://раypal.com/login?a=1#b or user@аррӏе.com",
    "abc \u202etxt.exe\u202c \x1b[2J\x1b]0;t\x07 \u200b\U000e0041 Z\u0351\u0351\u0351\u0351\u0351\u0351",
    "שלום مَرْحَبًا नमस्ते สวัสดี 漢字カナ 한국어 👩\u200d💻 🇫🇷 ｆｕｌｌ",
    "\\u{41} ⏎ ⇥ \\ | : ! e\u0301 =\u0338 \u1112\u1161\u11ab 1٢3",
]
TEXT_PIECES = [
    *"\\u{}⏎⇥ \n\t\r\x1b\x07\x9b\x00\u202e\u2066\u2069\u200b\u200d\ufe0f\U000e0041",
    *"\u0301\u0351\u17d2\u1161a0.я漢א\ud800\udc00👩",
    *["\x1b[31m", "\x1b]52;c;", "раy", ".com/", "  ", "\n\n", "x" * 90],
]
ROW = re.compile(r"[|:!] \u2066?(?:[^\x00-\x1f\x7f-\x9f]|\x1b\[[0247]m)*\u2069?\\?")
SHOWN = re.compile(r"\\u\{([0-9A-F]+)\}|⏎|⇥")


def make_text(random: Random) -> tuple[str, int, bool]:
    """A text, the width of a terminal, and whether it has styles."""
    return mutated(random, TEXT_SEEDS, TEXT_PIECES), random.randint(terminal.NARROWEST, 120), random.random() < 0.5


def check_display(given: tuple[str, int, bool]) -> None:
    """Nothing is lost, nothing acts, and rows stay within their width."""
    text, width, styled = given
    spans = display.visible(text)
    shown = "".join(span.text for span in spans)
    symbols = {"⏎": "\n", "⇥": "\t"}
    read = SHOWN.sub(lambda found: symbols.get(found[0]) or chr(int(found[1], 16)), shown)
    require(read == text, "the text cannot be read back")
    edges = [0, *(span.end for span in spans)]
    require([*(span.start for span in spans), len(text)] == edges, "the spans do not cover the text")
    require(all(c == " " or category(c)[0] not in "CZ" for c in shown), "something invisible is shown as it is")
    canon.dumps([span.to_json() for span in spans])
    for row in terminal.rows(spans, width=width, styled=styled):
        require(ROW.fullmatch(row) is not None, "a row has something in it that acts")
        drawn = re.sub(r"\x1b\[\dm", "", row)
        require(sum(max(0, wcwidth(c)) for c in drawn) < width, "a row is too wide")


# --- spans

SPAN_SEEDS = [
    "Invoice INV-2026, ACME  Corp.\nTotal 1 234,56 EUR",
    "ＡＣＭＥ ﬁ Straße İ e\u0301 한 ｶﾞ",
    "aaaa abab\tab 12 / 34",
    "x\u00ad y",
]
SPAN_PIECES = [*"ab1 2\n\t\u00a0Aé\u0301ßﬁİÅ한ｶﾞ\u1112\u1161\u11a8😀\u00ad-|", "ab", "12", "  ", "a" * 70, "ſ", "ΐ"]


def make_span(random: Random) -> tuple[str, str, dict[str, Any]]:
    """A document, a value that may stand in it, and the rule."""
    document = mutated(random, SPAN_SEEDS, SPAN_PIECES) or "a"
    start = random.randrange(len(document))
    value = document[start : start + random.choice([1, 2, 5, 20, 90])]
    if random.random() < 0.5:
        value = mutated(random, [value, value.upper(), value.replace(" ", "\n")], SPAN_PIECES, 90)
    rule: dict[str, Any] = {"match": random.sample(sorted(MODES), random.randint(1, 3))}
    rule["occurrence"] = random.choice(["unique", "first", "ordered"])
    if random.random() < 0.3:
        rule["boundary"] = "word"
    return document, value, rule


def check_spans(given: tuple[str, str, dict[str, Any]]) -> None:
    """A span that is reported is the value in that mode, and there is one where the text stands as it is."""
    document, value, rule = given
    if not _is_text(document) or not _is_text(value):
        return
    source = Source.read("document", document)
    plain = [(at, at + len(value)) for at in range(len(document)) if value and document.startswith(value, at)]
    require(list(source.find(value, "exact")) == plain, "not where the text occurs")
    for mode in rule["match"]:
        wanted = normal_form(mode, value).text
        found = list(source.find(value, mode))
        require(found == sorted(set(found)), "not in order")
        for start, end in found:
            require(normal_form(mode, document[start:end]).text == wanted, f"another text in mode {mode}")
    report = check_output(json.dumps(value), {"type": "string", "x-source": rule}, documents={"document": document})
    json.dumps(report.to_json())
    require(len(report.spans) + len(report.faults) == 1, "neither a span nor a fault, or both")
    for span in report.spans:
        text = document[span.start : span.end]
        require(normal_form(span.match, text).text == normal_form(span.match, value).text, "a span of something else")
        require(document.encode()[span.start_byte : span.end_byte] == text.encode(), "its bytes are of something else")


def _is_text(text: str) -> bool:
    return re.search("[\ud800-\udfff]", text) is None


# --- expressions

CALC_SEEDS = ["-(1.5e3 + 4)^-2 / 7", "sqrt(abs(0-2))*round(2.5)", "1e308*10", "5e-324/2", "((((((1))))))", "2^0.5^3-1"]
CALC_PIECES = [
    *"0123456789.eE+-*/^(), \t\n_é%",
    "sqrt(",
    "abs(",
    "floor (",
    "ceil",
    "1e",
    "00",
    "(-8)^",
    "^-",
    "/0",
    "1_0",
]


def make_expression(random: Random) -> tuple[str, object]:
    """An expression with what it must give, or any text, and None."""
    if random.random() < 0.5:
        return mutated(random, CALC_SEEDS, CALC_PIECES), None
    tree = calc_oracle.random_tree(random, random.randint(1, 30))
    text = calc_oracle.write(tree, random)[0]
    try:
        return text, calc_oracle.value_of(tree) + 0.0
    except calc_oracle.Undefined as undefined:
        return text, (undefined.code, undefined.span)


def check_calc(given: tuple[str, object]) -> None:
    """It gives what the oracle gives, and for any text a finite value or an error with a place."""
    text, expected = given
    result = calc(text)
    if result.error is None:
        require(is_expression(text), "a value of what is no expression")
        require(result.value is not None and abs(result.value) < float("inf"), "not a finite number")
        require(expected is None or result.value == expected, "another value than the oracle's")
    else:
        start, end = result.error.span
        require(result.value is None and 0 <= start <= end <= len(text), "an error outside of the text")
        bound = result.error.code in ("CALC_TOO_LONG", "CALC_DEPTH")  # the oracle knows none
        require(expected is None or bound or (result.error.code, (start, end)) == expected, "another error")
    require(_is_text(text) is False or bool(canon.dumps(result.to_json())), "no canonical form")


TARGETS: Mapping[str, Target] = {
    "calc": Target(make_expression, check_calc),
    "canon": Target(make_value, check_canon),
    "display": Target(make_text, check_display),
    "spans": Target(make_span, check_spans),
    "strictjson": Target(make_json, check_strictjson),
}
