"""Grammars as people write them: texts that belong and texts that do not, and masks along them from both engines and
from trying every token, over a small vocabulary; with CHECKRAIL_THOROUGH=1 over Llama 3's too."""

from __future__ import annotations

import base64
import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Grammar, Limits, Vocabulary
from data_path import unpacked
from engines_agree import Walk

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"

ARITHMETIC = r"""
start: e
e: e "+" e | e "-" e | e "*" e | e "/" e | "-" e | e "^" e | N | NAME "(" (e ("," e)*)? ")" | "(" e ")"
N: /[0-9]+(\.[0-9]+)?/
NAME: /[a-z]+/
%ignore " "
"""
SQL = r"""
start: select ";"?
select: "SELECT"i "DISTINCT"i? columns "FROM"i table ("WHERE"i cond)? ("GROUP"i "BY"i names)? order? limit?
columns: "*" | column ("," column)*
column: value ("AS"i NAME)?
table: NAME | table "JOIN"i NAME "ON"i cond | "(" select ")"
cond: cond "AND"i cond | cond "OR"i cond | "NOT"i cond | value OP value | value "IN"i "(" select ")" | "(" cond ")"
value: NAME ("." NAME)? | NUMBER | TEXT | NAME "(" columns ")" | value ("+" | "-") value
names: NAME ("," NAME)*
order: "ORDER"i "BY"i NAME ("ASC"i | "DESC"i)?
limit: "LIMIT"i NUMBER
NAME: /[a-z_][a-z0-9_]*/
NUMBER: /[0-9]+(\.[0-9]+)?/
TEXT: /'([^']|'')*'/
OP: "=" | "<>" | "<" | "<=" | ">" | ">="
%ignore /[ \n\t]+/
%ignore /--[^\n]*\n/
"""
C_LIKE = r"""
start: statement+
statement: "if" "(" expr ")" statement | "if" "(" expr ")" statement "else" statement
    | "while" "(" expr ")" statement | "{" statement* "}" | "return" expr? ";" | expr? ";" | TYPE NAME ("=" expr)? ";"
expr: expr BINARY expr | UNARY expr | expr "?" expr ":" expr | NAME "=" expr | expr "(" (expr ("," expr)*)? ")"
    | expr "[" expr "]" | "(" expr ")" | NAME | NUMBER | STRING
TYPE: "int" | "char" | "float"
NAME: /[a-zA-Z_][a-zA-Z0-9_]*/ & ~/if|else|while|return|int|char|float/
NUMBER: /0x[0-9a-f]+|[0-9]+(\.[0-9]+)?/
STRING: /"([^"\\\n]|\\.)*"/
BINARY: "+" | "-" | "*" | "/" | "==" | "<" | "<<" | "&&" | "||" | "&"
UNARY: "-" | "!" | "*" | "&"
%ignore /[ \n\t]+/
%ignore /\/\*([^*]|\*+[^*\/])*\*+\//
"""
CSV = r"""
start: row ("\n" row)* "\n"?
row: cell ("," cell)*
cell: /[^,"\n\r]*/ | /"([^"]|"")*"/
"""
KEYS = r"""
start: (pair | item | NOTE | "\n")+
pair: INDENT? KEY ":" ((" " value)? "\n")
item: INDENT? "- " value "\n"
value: TEXT | QUOTED | "[" (TEXT ("," " "? TEXT)*)? "]" | "|" ("\n" INDENT LINE)+
INDENT: / {2,8}/
KEY: /[a-z_][a-z0-9_-]*/
TEXT: /[^\n:\[\]"',|# -][^\n:\[\],]*/
QUOTED: /"([^"\\\n]|\\.)*"/
LINE: /[^\n]+/
NOTE: /#[^\n]*\n/
"""
CHESS = r"""
start: (NUMBER ". " move (" " move)? " "?)+ RESULT?
move: (PIECE | PAWN | CASTLE) CHECK?
NUMBER: /[1-9][0-9]*/
PIECE: /[KQRBN][a-h]?[1-8]?x?[a-h][1-8]/
PAWN: /([a-h]x)?[a-h][1-8](=[QRBN])?/
CASTLE: "O-O" | "O-O-O"
CHECK: "+" | "#"
RESULT: "1-0" | "0-1" | "1/2-1/2"
"""
DATES = r"""
start: date ("/" date)?
date: Y "-" M "-" D ("T" TIME ZONE?)? | D " " MONTH " " Y
Y: /[0-9]{4}/
M: /0[1-9]|1[0-2]/
D: /0[1-9]|[12][0-9]|3[01]/
MONTH: "Jan" "uary"? | "Jun" "e"? | "Jul" "y"? | "May"
TIME: /([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?/
ZONE: "Z" | /[+-][0-9]{2}:[0-9]{2}/
"""
# name: grammar, texts that belong to it, texts that do not
USES: dict[str, tuple[str, list[str], list[str]]] = {
    "arithmetic": (ARITHMETIC, ["1+2*(3.5 - -4)^2", "max(1, x(), 2)/3", "--1"], ["1+", "1..2", "f(,)", "1 2", ""]),
    "sql": (
        SQL,
        [
            "select a.b, count(*) as n from t join u on a.id = u.id where x in (select y from z) and not q <> 'it''s'",
            "SELECT * FROM (SELECT 1+2 FROM t) -- note\n ORDER BY x DESC LIMIT 10;",
        ],
        ["SELECT FROM t", "SELECT a FROM t WHERE", "SELECT a b FROM t", "SELECT 'a FROM t", "SELECT a. FROM t"],
    ),
    "c-like": (
        C_LIKE,
        [
            'if (a < 1) if (b) x = 1; else return f(a, "s\\"")[0]; /* ** */',
            "int iffy = 0x1f << 2 && !x; while (1) { ; elsewhere(); }",
            "x = a ? b : c ? d : e; a*b;",
        ],
        ["if (a) else x;", "int if = 1;", "x = ;", "{ a;", "f(a,);", "/* a; **"],
    ),
    "csv": (CSV, ['a,b\n"c ""d"", e",\n', "", ",,"], ['a,"b', '"a"b,c', 'a"b']),
    "keys": (
        KEYS,
        ['# note\nname: A text\nlist:\n  - one\n  - "two: 2"\n', "k: [a, b]\n\nt: |\n  some: [text\n  more\n"],
        ["Name: x\n", "k:v\n", "k: [a\n", "k: v"],
    ),
    "chess": (
        CHESS,
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O", "1. f3 e5 2. g4 Qh4# 0-1", "12. bxc8=Q+ Nbd7 13. O-O-O"],
        ["1. e9", "0. e4", "1.e4", "1. e4 e5 e6", "1. Pe4"],
    ),
    "dates": (
        DATES,
        ["2024-02-30T23:59:59.5Z", "31 June 2024/2025-01-01", "1999-12-31T00:00+01:00", "01 May 2024"],
        ["2024-13-01", "2024-1-01", "32 Jan 2024", "2024-01-01T24:00", "31 Janu 2024"],
    ),
}


def vocabulary_of(name: str) -> Vocabulary:
    """Each byte, and pieces of the texts, so that tokens reach over terminals in all ways."""
    draw = random.Random(name)
    data = [text.encode() for texts in USES[name][1:] for text in texts]
    pieces = {text[start : start + draw.randrange(2, 9)] for text in data for start in range(len(text))}
    tokens = [*(bytes([b]) for b in range(256)), *sorted(piece for piece in pieces if len(piece) > 1)]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


@pytest.mark.parametrize("name", USES)
def test_texts(name):
    """Each text in pieces of every length, with masks compared at some of the places."""
    source, good, bad = USES[name]
    walk = Walk(Grammar.from_lark(source), vocabulary_of(name))
    assert walk.automaton is not None or name in ("c-like", "sql")
    for texts, belongs in ((good, True), (bad, False)):
        for text in texts:
            data = text.encode()
            for size in range(1, 6):
                walk.begin()
                fits = True
                for place in range(0, len(data), size):
                    if size == 5:
                        walk.compare(slow=place % 20 == 0)
                    fits = fits and walk.take_bytes(data[place : place + size])
                assert (fits and walk.matchers[0].is_completed()) == belongs, (text, size)


@pytest.mark.parametrize("name", USES)
@settings(max_examples=100 if THOROUGH else 3)
@given(st.randoms(use_true_random=False))
def test_random_walks(name, random):
    vocabulary = vocabulary_of(name)

    def choose(allowed: list[int]) -> int:
        long = [token for token in allowed if token > 256]
        return random.choice(long if long and random.random() < 0.7 else allowed)

    Walk(Grammar.from_lark(USES[name][0]), vocabulary).wander(choose, 10)


@pytest.mark.skipif(not THOROUGH, reason="half a minute each: CHECKRAIL_THOROUGH=1")
@pytest.mark.parametrize("name", USES)
def test_a_real_vocabulary(name):
    folder = next(unpacked("llama3-vocab.tar.xz").rglob("vocab.jsonl")).parent
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    special = set(meta["special_ids"])
    lines = (folder / "vocab.jsonl").read_text(encoding="utf-8").splitlines()
    tokens = [None if i in special else base64.b64decode(json.loads(line)) for i, line in enumerate(lines)]
    vocabulary = Vocabulary.from_bytes(tokens, eos=[meta["eot"]])
    room = Limits(nesting=300)  # one token is a blank and 112 signs, each of which opens a level
    walk = Walk(Grammar.from_lark(USES[name][0]), vocabulary, limits=room, slow="trie")
    for text in USES[name][1]:
        walk.begin()
        for place, letter in enumerate(text):
            walk.compare(slow=place % 4 == 0)
            assert walk.take_bytes(letter.encode())
    draw = random.Random(name)
    for _ in range(5):
        walk.begin()
        walk.wander(draw.choice, 12, slow_every=4)
