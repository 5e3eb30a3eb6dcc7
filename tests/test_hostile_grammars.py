"""Grammars and schemas that were written to be slow: each ends in a constraint or a catalogued error, in bounded work.

Work is counted, not timed: the lines of the package that run (`run`). Sizes are small, so that the tests are
quick; that the work grows no faster than the input shows what large ones would do, and once past a budget it does not
grow at all. Memory is what tracemalloc sees. Many of these inputs took minutes, or all memory, at their full size.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

import checkrail
from checkrail.automaton.compiler import compile_automaton
from checkrail.decoding.constraint import compile
from checkrail.errors import CATALOGUE, BudgetError, Error, GrammarError
from checkrail.grammar.expression import Choice, Complement, Expression, Literal, Reference
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.regex_classes import property_ranges
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from checkrail.watch import Watch

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])
PACKAGE = str(Path(checkrail.__file__).parent)
SMALL = Limits(states=1_000, transitions=4_000)
BUDGETS = {code for code in CATALOGUE if "BUDGET" in code}


class _TooMuchWork(BaseException):
    """More lines than a test allows: it fails instead of running on."""


def run(work: Callable[[], object], most: int = 10_000_000) -> tuple[str, int]:
    """`ok` or the code of the error that a call ends in, and how many lines of the package ran; at most `most`."""
    count = 0
    code = "ok"

    def inside(frame, event, _argument):
        nonlocal count
        count += event == "line"
        if count > most:
            raise _TooMuchWork
        return inside

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: inside if frame.f_code.co_filename.startswith(PACKAGE) else None)
    try:
        work()
    except Error as error:
        code = error.code
    except _TooMuchWork:
        pytest.fail(f"more than {most} lines")
    finally:
        sys.settrace(before)
    return code, count


def rules(root: str, *others: str) -> str:
    return "\n".join((f"root ::= {root}", *others))


def gbnf(text: str, limits: Limits = SMALL, contract: str | None = None) -> Callable[[], object]:
    """Reading and compiling it."""
    return lambda: compile(Grammar.from_gbnf(text, limits=limits), BYTES, limits=limits, contract=contract)


# --- exponential in the text: ended by a budget, after work that the budget bounds

FILLER = "x" * 40  # a rule that is longer than this is a module of its own

EXPONENTIAL = {
    "nested counters": 'root ::= (("a"{0,30} "x"?){0,30} "y"?){0,30} "b"',
    "nested counters with other ends": 'root ::= ((("a"{1,30} "x"?){0,30} "y"){0,30} "c"?){1,30} "b"',
    "counters of counters": "root ::= ([a-z]{1,60000}){1,60000}",
    "nullable counters": 'root ::= (("a"? "b"?){0,1000}){0,1000}',
    "nullable rule counted": 'root ::= a{0,3000}\na ::= ("(" a ")")?',
    "doubling": rules("r0", *(f"r{i} ::= r{i + 1} r{i + 1}" for i in range(60)), 'r60 ::= "b" | "c"'),
    "doubling nothing": rules("r0", *(f"r{i} ::= r{i + 1} r{i + 1}" for i in range(60)), 'r60 ::= "b"?'),
    "modules that overlap one after the other": rules(
        '"aq" | r0 "1" | "z" (' + " | ".join(f'"{i}" r{i}' for i in range(60)) + ")",
        *(f'r{i} ::= r{i + 1} "{i}{FILLER}"' for i in range(60)),
        'r60 ::= "a"',
    ),
    "modules that overlap ever deeper": rules(
        f'"{"a" * 60}z" | r0 "1" | "z" (' + " | ".join(f'"{i}" r{i}' for i in range(60)) + ")",
        *(f'r{i} ::= "a" r{i + 1} "{i}{FILLER}"' for i in range(60)),
        'r60 ::= "b"',
    ),
    "n from the end": 'root ::= [ab]* "a" [ab]{20}',
    "n from the end, far": 'root ::= [ab]* "a" [ab]{900}',
    "many n from the end": rules(" | ".join(f'[ab]* "a" [ab]{{{k}}} "c"' for k in range(1, 40))),
    "overlapping classes": rules(
        "(" + " | ".join(f'[{chr(0x4E00 + 3 * i)}-{chr(0x4E00 + 3 * i + 900)}] "{i}"' for i in range(300)) + ")*"
    ),
    "optional overlapping classes": rules(" ".join(["[a-m]?", "[f-z]?"] * 500)),
    "optional rules": rules(" ".join(f"r{i}?" for i in range(300)), *(f'r{i} ::= "a" r{i}? "b"' for i in range(300))),
    "a long text": f'root ::= "{"a" * 100_000}"',
}


@pytest.mark.parametrize("name", EXPONENTIAL)
def test_exponential_grammars_end_in_a_budget(name):
    code, _ = run(gbnf(EXPONENTIAL[name]), 40 * 64 * SMALL.states)
    assert code in BUDGETS


@pytest.mark.parametrize("name", ["n from the end, far", "many n from the end", "overlapping classes"])
def test_the_work_past_a_budget_does_not_grow(name):
    """The budget bounds the work: twice the states, about twice the work, and not its square."""
    few, many = (run(gbnf(EXPONENTIAL[name], Limits(states=n, transitions=4 * n)))[1] for n in (400, 800))
    assert few < many < 3 * few


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("((a{0,12}){0,12}){0,12}b", "ok"),  # 1,728 times at most: counts in counts, where nothing is between
        ("((a{1,30}x?){1,30}y?){1,30}b", "GRAMMAR_BUDGET_STATES"),
        ("(a|b)*a(a|b){20}", "GRAMMAR_BUDGET_STATES"),
        ("(a+)+b(a|aa)+$", "ok"),  # what backtracking matchers fall for
        ("(a|b|(c|d|(e|f)*)*)*" * 200, "ok"),
        ("".join(f"(?=.*{c})" for c in "abcdefghijklmnop") + ".*", "GRAMMAR_BUDGET_STATES"),
        ("(?!" * 45 + "a" + ")" * 45, "ok"),
        ("((?=a)b|(?!c)d)" * 30, "GRAMMAR_BUDGET_NODES"),
        ("".join(f"[\\p{{L}}{chr(0x20000 + i)}]" for i in range(100)), "GRAMMAR_BUDGET_NODES"),
        ("(" * 100_000 + "a" + ")" * 100_000, "GRAMMAR_BUDGET_DEPTH"),
        ("(^a|b$|^c$|d)" * 200, "GRAMMAR_BUDGET_DEPTH"),
    ],
)
def test_hostile_patterns(pattern, code):
    limits = Limits(states=2_000, expression_nodes=20_000)
    property_ranges("L")  # reads the tables of Unicode, once in a process

    def work():
        return compile_automaton(Grammar.from_regex(pattern, limits=limits), limits=limits)

    assert run(work, 2_000_000)[0] == code


# --- at most linear in the text

A_CONFLICT = 'y ::= "(" y ")" | "c" | z\nz ::= "c" z "d" | "e"'  # "c" is read, or begins z

FAMILIES: dict[str, tuple[int, Callable[[int], str]]] = {
    "nullable chain": (
        30,
        lambda n: rules("r0", *(f'r{i} ::= r{i + 1} | "b" r{i}' for i in range(n)), f'r{n} ::= "" | "b"'),
    ),
    "nullable modules": (
        30,
        lambda n: rules("r0", *(f'r{i} ::= r{i + 1}? ("(" r{i} ")")?' for i in range(n)), f'r{n} ::= "b"?'),
    ),
    "unit chain with a character each": (
        60,
        lambda n: rules("r0", *(f'r{i} ::= r{i + 1} | "\\u{0x1000 + 2 * i:04X}"' for i in range(n)), f'r{n} ::= "b"'),
    ),
    "alternatives to the left": (
        20,
        lambda n: rules("r0", *(f'r{i} ::= r{i + 1} "a" | r{i + 1} "b"' for i in range(n)), f'r{n} ::= "{FILLER}"'),
    ),
    "equal modules": (
        8,
        lambda n: rules(
            'r0 | "z" q0',
            *(f'{c}{i} ::= "{i}{FILLER}" ({c}{i + 1} "a" {c}{i + 1})?' for c in "rq" for i in range(n)),
            f'r{n} ::= "b"\nq{n} ::= "b"',
        ),
    ),
    "chain": (40, lambda n: rules("r0", *(f'r{i} ::= "a" r{i + 1} "c"' for i in range(n)), f'r{n} ::= "b"')),
    "chain of recursive rules": (
        30,
        lambda n: rules("r0", *(f'r{i} ::= "a" (r{i + 1} | r{i}) "c"' for i in range(n)), f'r{n} ::= "b"'),
    ),
    "ring": (30, lambda n: rules("r0", *(f'r{i} ::= "a" r{(i + 1) % n} "c" | "{i}"' for i in range(n)))),
    "conflict after a long text": (200, lambda n: rules(f'x "{"a" * n}" y "c"', 'x ::= "[" x "]" | "b"', A_CONFLICT)),
    "conflict after a chain": (
        15,
        lambda n: rules("r0", *(f'r{i} ::= r{i + 1} "c"' for i in range(n)), f'r{n} ::= "b" y', A_CONFLICT),
    ),
    "union of texts": (100, lambda n: rules(" | ".join(f'"{i * 7919 % 100_003}"' for i in range(n)))),
    "union of recursive rules": (
        40,
        lambda n: rules(" | ".join(f"r{i}" for i in range(n)), *(f'r{i} ::= "x{i}" root?' for i in range(n))),
    ),
    "one rule called often": (40, lambda n: rules(" ".join(f'"{i}" a' for i in range(n)), 'a ::= "(" a ")" | "x"')),
    "named tokens": (100, lambda n: rules(" | ".join(f'<[{i % 257}]> "x{i}"' for i in range(n)))),
    "excluded tokens": (100, lambda n: rules(" | ".join(f'!<[{i % 256}]> "x{i}"' for i in range(n)))),
    "groups": (100, lambda n: rules("(" * 50 + '"a"' + ")?" * 50 + ' ("b")?' * n)),
    "undefined rules": (100, lambda n: rules(" ".join(f"u{i}" for i in range(n)))),
}
LEFT_RECURSIVE: dict[str, tuple[int, Callable[[int], str]]] = {
    "itself": (
        40,
        lambda n: rules(" | ".join(f"r{i}" for i in range(n)), *(f'r{i} ::= r{i} "a" | "b{i}"' for i in range(n))),
    ),
    "cycle": (40, lambda n: rules("r0", *(f'r{i} ::= r{(i + 1) % n} "a" | "b{i}"' for i in range(n)))),
    "hidden": (40, lambda n: rules("r0", *(f'r{i} ::= "e"? r{(i + 1) % n} "a" | "b{i}"' for i in range(n)))),
}


def grows_linearly(make: Callable[[int], Callable[[], object]], size: int, most: float = 2.6) -> None:
    """Twice the input, about twice the work: a square would be four times."""
    (_, few), (_, many) = run(make(size)), run(make(2 * size))
    assert few + 50 < many < most * few


@pytest.mark.parametrize("name", FAMILIES)
def test_work_grows_with_the_text(name):
    size, text = FAMILIES[name]
    limits = Limits(states=20_000)
    grows_linearly(lambda n: gbnf(text(n), limits), size)


@pytest.mark.parametrize("name", LEFT_RECURSIVE)
def test_work_grows_with_the_text_of_left_recursion(name):
    size, text = LEFT_RECURSIVE[name]
    grows_linearly(lambda n: gbnf(text(n), Limits(), "context-free"), size)


def test_left_recursion_in_a_clique_is_refused_before_it_is_copied():
    text = rules("r0", *(f"r{i} ::= " + " | ".join(f"r{j}" for j in range(40)) + f' | "{i}"' for i in range(40)))
    work = gbnf(text, SMALL, "context-free")
    with pytest.raises(BudgetError) as caught:
        work()
    assert caught.value.params["reached"] > 8 * SMALL.states
    run(work, 1_500_000)  # each of the 40 would get the 40 times 40 moves of all


def test_a_long_cycle_is_told_without_its_middle():
    with pytest.raises(GrammarError) as caught:
        gbnf(LEFT_RECURSIVE["cycle"][1](500))()
    assert " -> r9 -> (481 more) -> r491 -> " in caught.value.message
    assert caught.value.message.endswith(" -> r499 -> r0.")


def test_a_conflict_that_no_short_text_shows():
    with pytest.raises(GrammarError) as caught:
        gbnf(FAMILIES["conflict after a long text"][1](900))()
    assert caught.value.code == "GRAMMAR_NOT_VISIBLE"
    assert caught.value.message.endswith("for example after a text that is too long to show.")


def test_rules_in_boolean_algebra_are_compiled_once():
    """Written out, the rules would be compiled 2**60 times."""
    names = [f"r{i}" for i in range(60)]
    chain: dict[str, Expression] = {
        name: Choice((Reference(after), Reference(after))) for name, after in pairwise(names)
    }
    grammar = Grammar({"root": Complement(Reference("r0")), **chain, "r59": Literal("a")})
    automaton = compile_automaton(grammar, limits=Limits(expression_depth=100))
    assert automaton.accepts_empty
    with pytest.raises(BudgetError) as caught:
        compile_automaton(grammar, limits=Limits(expression_depth=50))
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"


# --- large texts, at the ordinary limits


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (rules(" ".join(f"u{i}" for i in range(10_000))), "GRAMMAR_UNDEFINED_RULE"),
        ("root ::= " + "(" * 1_000_000, "GRAMMAR_BUDGET_DEPTH"),
        ('root ::= "' + "a" * 4_000_000 + '"', "ok"),
        ('root ::= "a" #' + "a" * 4_000_000, "ok"),
        ('root ::= "a"' + " \n" * 2_000_000, "ok"),
        ("root ::= " + "a" * 2_000_000 + "\n" + "a" * 2_000_000 + ' ::= "b"', "ok"),
        ("root ::= <" + "x" * 4_000_000 + ">", "ok"),
        ('root ::= "a"\n' + "x" * 4_000_000, "GRAMMAR_SYNTAX"),
        ('root ::= "a"' + ' | "b"' * 700_000, "GRAMMAR_BUDGET_BYTES"),
        ("root ::= [" + "a" * 50_000, "GRAMMAR_SYNTAX"),
    ],
    ids=["undefined", "groups", "literal", "comment", "blanks", "name", "token", "garbage", "bytes", "class"],
)
def test_large_texts_are_read_or_refused_at_once(text, code):
    assert run(lambda: Grammar.from_gbnf(text), 2_000_000)[0] == code


def test_a_hundred_thousand_rules_are_refused_when_the_limit_is_reached():
    text = rules("r0", *(f'r{i} ::= "a" r{i + 1}' for i in range(100_000)), 'r100000 ::= "b"')
    with pytest.raises(BudgetError) as caught:
        Grammar.from_gbnf(text)
    assert (caught.value.code, caught.value.position.line) == ("GRAMMAR_BUDGET_RULES", Limits().rules + 1)
    code, lines = run(lambda: Grammar.from_gbnf(text, limits=Limits(rules=500)))
    assert code == "GRAMMAR_BUDGET_RULES"
    assert lines < 200 * 500


def test_a_budget_is_told_with_the_bound_that_was_passed():
    for name, bound in (("many n from the end", 64 * SMALL.states), ("n from the end", SMALL.states)):
        with pytest.raises(BudgetError) as caught:
            gbnf(EXPONENTIAL[name])()
        assert caught.value.params["limit"] == bound
        assert bound < caught.value.params["reached"] < 2 * bound


# --- schemas

SCHEMAS: dict[str, tuple[int, Callable[[int], object]]] = {
    "enum": (50, lambda n: {"enum": [f"value {i * 7919 % 100_003}" for i in range(n)]}),
    "enum of objects": (5, lambda n: {"enum": [{"a": i, "b": [i, i + 1]} for i in range(n)]}),
    "const array": (15, lambda n: {"const": ["x" * 10] * n}),
    "required properties": (
        8,
        lambda n: {"properties": {f"{i}": {"type": "null"} for i in range(n)}, "required": list(map(str, range(n)))},
    ),
    "optional properties": (8, lambda n: {"properties": {f"p{i}": {"type": "null"} for i in range(n)}}),
    "optional objects": (
        5,
        lambda n: {"properties": {f"p{i}": {"properties": {"q": {"type": "integer"}}} for i in range(n)}},
    ),
    "patterns": (6, lambda n: {"properties": {f"p{i}": {"type": "string", "pattern": f"^a{i}$"} for i in range(n)}}),
    "constants": (20, lambda n: {"anyOf": [{"const": f"a{i}"} for i in range(n)]}),
    "items": (8, lambda n: {"type": "array", "prefixItems": [{"const": i} for i in range(n)], "items": False}),
    "definitions": (
        8,
        lambda n: {
            "$ref": "#/$defs/d0",
            "$defs": {f"d{n}": {"type": "null"}}
            | {f"d{i}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(n)},
        },
    ),
}


@pytest.mark.parametrize("profile", ["strict", "open"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_work_grows_with_the_schema(name, profile):
    size, schema = SCHEMAS[name]
    if profile == "open":
        size *= 4  # what is on demand takes a tenth of the work

    def make(n: int) -> Callable[[], object]:
        tree = schema(n)
        if isinstance(tree, dict) and "properties" in tree:
            tree = {"type": "object", "additionalProperties": False, **tree}
        return lambda: compile(Grammar.from_json_schema(tree, profile=profile), BYTES)

    make(2 * size)()  # what is remembered between schemas is there afterwards
    grows_linearly(make, size)


HOSTILE_SCHEMAS: dict[str, object] = {
    "conjunctions of alternatives": {
        "allOf": [{"anyOf": [{"properties": {f"a{i}": {"const": j}}} for j in range(3)]} for i in range(12)]
    },
    "conditions": {
        "allOf": [{"if": {"properties": {f"a{i}": {"const": 1}}}, "then": {"required": [f"b{i}"]}} for i in range(14)]
    },
    "dependencies": {"dependentRequired": {f"a{i}": [f"b{i}"] for i in range(14)}},
    "exactly one of many": {
        "oneOf": [
            {"properties": {f"p{i * j % 7}": {"type": ["string", "integer"][(i + j) % 2]} for j in range(5)}}
            for i in range(40)
        ]
    },
    "patterns of keys": {
        "patternProperties": {f"^[a-{chr(98 + i % 20)}]*{chr(97 + i % 26)}.{{{i}}}": {} for i in range(40)}
    },
    "counted properties": {"properties": {f"p{i}": {} for i in range(500)}, "minProperties": 100},
    "counted items": {"allOf": [{"contains": {"const": i}, "minContains": 20} for i in range(5)]},
}


@pytest.mark.parametrize("name", HOSTILE_SCHEMAS)
def test_combinations_of_schemas_end_in_a_budget(name):
    def work():
        limits = Limits(states=2_000, counted_states=512, alternatives=16)
        return Grammar.from_json_schema(HOSTILE_SCHEMAS[name], profile="open", limits=limits)

    assert run(work, 1_000_000)[0] in BUDGETS


@pytest.mark.parametrize(
    ("levels", "build"),
    [
        (40, lambda inner: {"allOf": [inner, inner]}),
        (40, lambda inner: {"anyOf": [inner, inner, {"const": 1}]}),
        (8, lambda inner: {"not": {"allOf": [inner, {"properties": {"p": inner}}]}}),
    ],
    ids=["allOf", "anyOf", "not"],
)
def test_definitions_that_double_are_read_once(levels, build):
    places = {f"d{i}": build({"$ref": f"#/$defs/d{i + 1}"}) for i in range(levels)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**places, f"d{levels}": {"type": "object"}}}
    assert run(lambda: compile(Grammar.from_json_schema(schema, profile="open"), BYTES), 400_000)[0] == "ok"


# --- memory


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nullable rule counted", EXPONENTIAL["nullable rule counted"]),
        ("many n from the end", EXPONENTIAL["many n from the end"]),
        ("unit chain", FAMILIES["unit chain with a character each"][1](800)),
        ("clique", rules("r0", *(f"r{i} ::= " + " | ".join(f"r{j}" for j in range(60)) + ' | "a"' for i in range(60)))),
        ("characters", rules(" ".join(f'"{chr(0x4E00 + i)}"?' for i in range(800)))),
        ("tokens", rules(" | ".join(f"!<[{i % 256}]>" for i in range(2000)))),
    ],
)  # fmt: skip
def test_memory_is_bounded(name, text):
    """Some 40 megabytes for 4,096 states. These took gigabytes: for a rule, its text, or its square."""
    grammar = Grammar.from_gbnf(text)
    limits = Limits(states=4_096, transitions=16_384)
    tracemalloc.start()
    try:
        with suppress(Error):
            compile(grammar, BYTES, limits=limits, contract="context-free")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * 2**20


def test_steps_of_the_watch_are_about_the_work():
    """A step stands for a bounded piece of work, so that the clock is looked at often enough."""
    for text in (FAMILIES["nullable chain"][1](100), EXPONENTIAL["n from the end"], EXPONENTIAL["nested counters"]):
        grammar = Grammar.from_gbnf(text)
        watch = Watch(3600)

        def work(grammar=grammar, watch=watch):
            compile_automaton(grammar, limits=Limits(states=1_000), watch=watch)

        assert run(work)[1] < 60 * watch.steps


def test_many_divisors_are_counted_on_demand_and_end_in_a_budget_as_a_whole():
    schema = {"type": "integer", "allOf": [{"multipleOf": p} for p in (2, 3, 5, 7, 11, 13, 17, 19, 23)]}
    limits = Limits(states=2_000, counted_states=512, alternatives=16)

    def work():
        return compile(Grammar.from_json_schema(schema, profile="open", limits=limits), BYTES, limits=limits)

    assert run(work, 1_000_000)[0] == "ok"
    matcher = work().matcher()
    assert matcher.accept_bytes(b"223092870")
    assert matcher.is_completed()
    assert run(lambda: work().automaton, 1_000_000)[0] in BUDGETS
