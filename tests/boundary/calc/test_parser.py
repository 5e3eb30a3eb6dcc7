"""The order of operations that the parser writes, with spans; the vectors hold the faults."""

from __future__ import annotations

from random import Random

import pytest

from calc_oracle import Tree, random_tree, write
from checkrail.boundary.calc.parser import FUNCTIONS, MAX_DEPTH, MAX_NODES, Node, parse
from checkrail.errors import CalcError


def postfix(text: str) -> str:
    return " ".join(text[n.start : n.end] if n.op == "number" else n.op for n in parse(text))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("1+2-3", "1 2 + 3 -"),
        ("1+2*3", "1 2 3 * +"),
        ("1*2+3", "1 2 * 3 +"),
        ("1/2*3", "1 2 / 3 *"),
        ("1^2^3", "1 2 3 ^ ^"),
        ("1*2^3", "1 2 3 ^ *"),
        ("-1^2", "1 2 ^ negate"),
        ("1^-2^3", "1 2 3 ^ negate ^"),
        ("1^-2*3", "1 2 negate ^ 3 *"),
        ("-1*2", "1 negate 2 *"),
        ("--1", "1 negate negate"),
        ("1--2", "1 2 negate -"),
        ("(1+2)*3", "1 2 + 3 *"),
        ("abs(1-2)^3", "1 2 - abs 3 ^"),
        ("((1))", "1"),
    ],
)
def test_order(text: str, order: str) -> None:
    assert postfix(text) == order


def test_spans_of_operands_hold_their_parentheses() -> None:
    assert parse(" ( 1 ) - abs( 2 ) ") == [
        Node("number", 3, 4, 1.0),
        Node("number", 14, 15, 2.0),
        Node("abs", 9, 17),
        Node("-", 1, 17),
    ]


def test_random_trees_are_read_as_they_were_written() -> None:
    random = Random(7)
    for _ in range(1_000):
        tree = random_tree(random, random.randint(1, 25))
        text = write(tree, random)[0]
        found = [(text[n.start : n.end] if n.op == "number" else n.op, n.start, n.end) for n in parse(text)]
        assert found == list(_after_operands(tree)), text


def _after_operands(tree: Tree) -> list[tuple[str, int, int]]:
    return [*(row for part in tree.parts for row in _after_operands(part)), (tree.op, tree.start, tree.end)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    assert postfix(f"{name}(1)") == f"1 {name}"


def test_the_number_of_operations_is_bounded() -> None:
    assert len(parse("-1" + "+1" * (MAX_NODES // 2 - 1))) == MAX_NODES
    with pytest.raises(CalcError, match="more than 256 nodes"):
        parse("1" + "+1" * (MAX_NODES // 2))


@pytest.mark.parametrize("prefix", ["(", "-", "1+(", "1^", "abs("])
def test_the_depth_is_bounded(prefix: str) -> None:
    per_level = 2 if prefix == "1+(" else 1
    levels = (MAX_DEPTH - 1) // per_level
    for count, fine in ((levels, True), (levels + 1, False)):
        text = prefix * count + "1" + ")" * (count * prefix.count("("))
        if fine:
            parse(text)
        else:
            with pytest.raises(CalcError, match="nested more than 64 levels deep"):
                parse(text)


def test_depth_is_given_back_once() -> None:
    parse("+".join(["(-(1))"] * 60))
    before = "(1)+-1+abs(1)*2^1+"
    parse(before + "(" * (MAX_DEPTH - 2) + "1" + ")" * (MAX_DEPTH - 2))
    with pytest.raises(CalcError, match="nested more than 64 levels deep"):
        parse(before + "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1))
