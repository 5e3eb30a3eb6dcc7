"""The calculator as a whole: the published vectors, random expressions against the oracle, hostile texts."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc_oracle import Undefined, random_tree, value_of, write
from checkrail.boundary.calc.calculator import MAX_BYTES, calc, is_expression
from checkrail.boundary.canon import dumps
from checkrail.errors import CATALOGUE, CalcError

VECTORS = Path(__file__).resolve().parents[3] / "conformance" / "calc" / "vectors.json"
CASES = json.loads(VECTORS.read_text("utf-8"))["cases"]
RANDOM_EXPRESSIONS = 100_000 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 3_000
SYNTAX_CODES = {"EMPTY", "TOO_LONG", "CHAR", "NUMBER", "LITERAL_RANGE", "SYNTAX", "NAME", "ARITY", "NODES", "DEPTH"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["expression"][:40].encode("unicode_escape").decode())
def test_vectors(case: dict[str, str]) -> None:
    result = calc(case["expression"])
    assert dumps(result.to_json()).decode() == case["canonical"]
    assert is_expression(case["expression"]) == (
        result.error is None or result.error.code.removeprefix("CALC_") not in SYNTAX_CODES
    )


def test_vectors_cover_the_design_and_every_code() -> None:
    assert len(CASES) >= 300
    reached = {json.loads(case["canonical"])["error"]["code"] for case in CASES if '"ok":false' in case["canonical"]}
    assert reached == {code for code in CATALOGUE if code.startswith("CALC_")}


def test_vectors_hold_those_of_the_design(shared_data: Path) -> None:
    design = json.loads((shared_data / "calc_vectors.json").read_text("utf-8"))
    ours = {case["expression"]: case["canonical"] for case in CASES}
    assert len(design) == 124
    assert all(ours[case["expression"]] == case["canonical"] for case in design)


def test_random_expressions_against_the_oracle() -> None:
    random = Random(6)
    for _ in range(RANDOM_EXPRESSIONS):
        tree = random_tree(random, random.randint(1, 12))
        text = write(tree, random)[0]
        try:
            expected: object = value_of(tree) + 0.0
        except Undefined as undefined:
            expected = undefined.code, undefined.span
        result = calc(text)
        found = (result.error.code, result.error.span) if result.error is not None else result.value
        assert found == expected, text


# --- what a result is


def test_a_value() -> None:
    result = calc("-(1 + 2)*3")
    assert (result.ok, result.value, result.error) == (True, -9.0, None)
    assert result.to_json() == {"expression": "-(1 + 2)*3", "ok": True, "value": -9}
    assert isinstance(result.to_json()["value"], int)
    assert repr(result) == "<CalcResult -9>"
    assert [("-(1 + 2)*3"[s.start : s.end], s.value) for s in result.steps] == [
        ("1 + 2", 3.0),
        ("-(1 + 2)", -3.0),
        ("-(1 + 2)*3", -9.0),
    ]


def test_an_error() -> None:
    result = calc("1 + 5/0")
    assert (result.ok, result.value, result.steps) == (False, None, ())
    assert isinstance(result.error, CalcError)
    assert result.error.span == (4, 7)
    assert result.error.position is not None
    assert result.error.position.offset == 4
    assert repr(result) == "<CalcResult CALC_DIV_ZERO: Division by zero.>"
    assert (result.error.__traceback__, result.error.__cause__, result.error.__context__) == (None, None, None)
    assert pickle.loads(pickle.dumps(result.error)).span == (4, 7)


def test_minus_zero_does_not_show() -> None:
    for text in ("-0", "0*-1", "ceil(-0.5)", "round(-0.1)", "sqrt(-0)"):
        assert str(calc(text).value) == "0.0"


@pytest.mark.parametrize("value", [2**53 - 1, 2**53])
def test_integers_in_plain_data_are_those_that_json_readers_keep(value: int) -> None:
    found = calc(str(value)).to_json()["value"]
    assert found == value
    assert isinstance(found, int) == (value < 2**53)
    assert isinstance(calc(f"-{value}").to_json()["value"], int) == (value < 2**53)


def test_two_runs_give_equal_errors() -> None:
    first, second = calc("1//2"), calc("1//2")
    assert first.error is not None
    assert second.error is not None
    assert first.error.to_json() == second.error.to_json()


def test_lone_surrogates_are_characters_that_are_not_allowed() -> None:
    result = calc("1\ud800")
    assert result.error is not None
    assert (result.error.code, result.error.span) == ("CALC_CHAR", (1, 2))
    assert result.error.message == "Character U+D800 is not allowed in an expression."


def test_bytes_are_counted_and_not_characters() -> None:
    longest = "1" + " " * (MAX_BYTES - 1)
    assert calc(longest).value == 1.0
    assert calc(longest + " ").error is not None
    assert _code("é" * (MAX_BYTES // 2)) == "CALC_CHAR"
    assert _code("é" * (MAX_BYTES // 2) + " ") == "CALC_TOO_LONG"


# --- hostile texts


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000_000,
        "-" * 1_000_000,
        "1^" * 500_000,
        "9" * 1_000_000,
        "sqrt(" * 200_000,
        " " * 1_000_000,
        "\U0001f600" * 250_000,
    ],
    ids=lambda text: repr(text[:5]),
)
def test_a_megabyte_is_too_long(text: str) -> None:
    result = calc(text)
    assert result.error is not None
    assert (result.error.code, result.error.span) == ("CALC_TOO_LONG", (0, len(text)))
    assert result.expression is text


@pytest.mark.parametrize(
    "piece",
    ["(", "-", "1^", "1-", "1*(", "sqrt(", "9", "1.", "1e", "+", ",", "_", "0", "((((1)))^", "9^9^", "1e308*", "\n"],
)
def test_a_kilobyte_of_anything_ends_in_a_result(piece: str) -> None:
    for text in (piece * (MAX_BYTES // len(piece)), piece * 70 + "1", piece * 30 + "1" + ")" * 30):
        result = calc(text)
        assert (result.value is None) != (result.error is None)


def test_towers_of_powers_stay_small() -> None:
    assert _code("9^9^9^9^9") == "CALC_OVERFLOW"
    assert _code("9^9^-9^9") == "CALC_UNDERFLOW"
    assert calc("^".join(["1.0000000000000002"] * 50)).value == 1.0000000000000002


def test_code_is_no_expression() -> None:
    for text in (
        '__import__("os")',
        "().__class__",
        "1 if 1 else 2",
        "lambda: 1",
        "a:=1",
        "9**9**9",
        "0b11",
        "1j",
        "٣",
    ):
        assert not is_expression(text)


@given(st.text(max_size=80))
def test_any_text_ends_in_a_result(text: str) -> None:
    _check(text)


@settings(max_examples=400)
@given(
    st.lists(
        st.sampled_from(
            [
                "1",
                "0",
                ".",
                "5",
                "e",
                "-",
                "+",
                "*",
                "/",
                "^",
                "(",
                ")",
                ",",
                " ",
                "sqrt",
                "abs",
                "round(",
                "x",
                "_",
                "é",
            ]
        ),
        max_size=40,
    ).map("".join)
)
def test_any_sequence_of_tokens_ends_in_a_result(text: str) -> None:
    _check(text)


def _check(text: str) -> None:
    result = calc(text)
    assert result.expression == text
    if result.error is None:
        assert result.value is not None
        assert abs(result.value) < float("inf")
        assert result.to_json()["value"] == result.value
        # The steps explain the value: the last one is it.
        assert not result.steps or result.steps[-1].value == result.value
    else:
        start, end = result.error.span
        assert 0 <= start <= end <= len(text)
        assert result.error.code.startswith("CALC_")


def _code(text: str) -> str | None:
    error = calc(text).error
    return None if error is None else error.code
