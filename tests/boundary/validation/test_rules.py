"""Rules between the parts of a value: where they are asked, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from checkrail import InputError, Rule, check_output
from checkrail.boundary.validate import validate
from checkrail.boundary.validation.report import Report

SCHEMA = {
    "type": "object",
    "properties": {
        "net": {"type": "number", "maximum": 100},
        "tax": {"type": "number"},
        "trips": {"type": "array", "items": {"properties": {"from": {"type": "integer"}, "to": {"type": "integer"}}}},
    },
    "required": ["net"],
}
SUM = Rule("sum", lambda value: value["net"] + value["tax"] == 10, what="net and tax are not 10")
ORDER = Rule("order", lambda trip: trip["from"] <= trip["to"], at="/trips/*")


def check(text: str, *rules: Rule) -> Report:
    return check_output(text, SCHEMA, rules=rules)


def test_a_rule_that_holds_says_nothing() -> None:
    assert check('{"net": 8, "tax": 2, "trips": [{"from": 1, "to": 1}]}', SUM, ORDER).ok


def test_a_broken_rule_is_a_fault_with_its_place() -> None:
    report = check('{"net": 8, "tax": 3}', SUM)
    (fault,) = report.faults
    assert (fault.code, fault.pointer, fault.output_span) == ("SEMANTIC_RULE", "", (0, 20))
    assert fault.message == "the root: the rule sum is broken: net and tax are not 10."
    assert fault.to_json()["rule"] == "sum"
    assert not report.ok
    assert report.unchecked_value == {"net": 8, "tax": 3}


def test_each_item_is_asked_for_itself() -> None:
    report = check(
        '{"net": 8, "tax": 2, "trips": [{"from": 2, "to": 1}, {"from": 1, "to": 2}, {"from": 9, "to": 0}]}', ORDER
    )
    assert [fault.pointer for fault in report.faults] == ["/trips/0", "/trips/2"]


def test_all_faults_in_the_order_of_the_output() -> None:
    report = check('{"trips": [{"from": 2, "to": 1}], "net": 200, "tax": 1}', ORDER, SUM)
    assert [(fault.code, fault.pointer) for fault in report.faults] == [
        ("SEMANTIC_RULE", ""),
        ("SEMANTIC_RULE", "/trips/0"),
        ("SEMANTIC_RANGE", "/net"),
    ]


@pytest.mark.parametrize("text", ['{"net": "8", "tax": 2}', '{"tax": 2}', "[]"])
def test_a_rule_is_not_asked_about_what_has_another_shape(text: str) -> None:
    report = check(text, Rule("never", lambda _: pytest.fail("it was asked")))
    assert all(fault.code.startswith("SCHEMA_") for fault in report.faults)


def test_but_about_the_parts_that_have_their_shape() -> None:
    report = check('{"net": "8", "trips": [{"from": 2, "to": 1}, {"from": "a", "to": 1}]}', ORDER)
    assert [(fault.code, fault.pointer) for fault in report.faults] == [
        ("SCHEMA_TYPE", "/net"),
        ("SEMANTIC_RULE", "/trips/0"),
        ("SCHEMA_TYPE", "/trips/1/from"),
    ]


@pytest.mark.parametrize("holds", [lambda v: v["absent"], lambda v: 1 / 0, lambda v: v.nothing])
def test_a_predicate_that_fails_leaves_a_fault(holds: Callable[[Any], bool]) -> None:
    (fault,) = check('{"net": 8}', Rule("odd", holds)).faults
    assert (fault.code, fault.params["what"]) == ("SEMANTIC_RULE", "it could not be decided")


def test_a_predicate_cannot_change_what_it_judges() -> None:
    def change(value: dict[str, Any]) -> bool:
        value["trips"].clear()
        return True

    report = check('{"net": 1, "trips": [{"from": 1, "to": 2}]}', Rule("greedy", change, at=""))
    assert report.ok
    assert report.value == {"net": 1, "trips": [{"from": 1, "to": 2}]}


def test_the_limit_counts_them() -> None:
    report = check_output("[1, 2, 3]", True, rules=[Rule("no", lambda _: False, at="/*")], limit=2)
    assert (len(report.faults), report.more) == (2, 1)


def test_values_without_a_text_and_texts_that_are_no_json() -> None:
    assert [
        fault.pointer for fault in validate({"a": 1}, True, rules=[Rule("no", lambda _: False, at="/a")]).faults
    ] == ["/a"]
    assert [fault.code for fault in check("{", SUM).faults] == ["JSON_SYNTAX"]


@pytest.mark.parametrize(("name", "at"), [("", ""), ("Sum", ""), ("a b", ""), ("sum", "a"), ("sum", "/a~2")])
def test_a_rule_has_a_name_and_a_pointer(name: str, at: str) -> None:
    with pytest.raises(InputError) as caught:
        Rule(name, bool, at=at)
    assert caught.value.code == "INPUT_FORMAT"


def test_rules_belong_to_an_output() -> None:
    from checkrail.generation.output import Output

    checked = Output.of(SCHEMA, rules=[SUM]).check('{"net": 8, "tax": 3}')
    assert checked.value is None
    assert checked.report is not None
    assert [fault.code for fault in checked.report.faults] == ["SEMANTIC_RULE"]
    assert repr(SUM) == "<Rule sum at the root>"
    assert repr(ORDER) == "<Rule order at /trips/*>"
