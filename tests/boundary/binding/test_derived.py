"""Derived values: each parser, disagreement with what the model wrote, and the report."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.binding.derived import PARSERS
from checkrail.boundary.validate import check_output, validate
from checkrail.boundary.validation.report import Report

READS: dict[str, dict[str, Any]] = {
    "int": {"12": 12, "-7": -7, "+3": 3, " 5 ": 5, "1,234": None, "1.0": None, "": None, "٣": None},
    "decimal-point": {
        "1,234.50": 1234.5,
        "12": 12,
        "-0.5": -0.5,
        "1 234": 1234,
        "1'000.0": 1000,
        "1,23.4": None,
        "1.234,5": None,
        "1.": None,
    },
    "decimal-comma": {
        "1.234,50": 1234.5,
        "12": 12,
        "-0,5": -0.5,
        "1\u202f234,5": 1234.5,
        "1,234.5": None,
        "12,": None,
        "€ 5": None,
    },
    "percent": {"12,5 %": 0.125, "7%": 0.07, "100 %": 1, "-3.5%": -0.035, "12": None, "%": None},
    "date-dmy": {"3.5.2026": "2026-05-03", "03/12/2026": "2026-12-03", "31.02.2026": None, "3.5.26": None},
    "date-mdy": {"12/03/2026": "2026-12-03", "13/01/2026": None},
    "date-iso": {"2026-02-28": "2026-02-28", "2026-02-30": None, "28.2.2026": None},
    "bool-words": {"yes": True, "Ja": True, "NO": False, "faux": False, "maybe": None, "1": None},
    "calc": {
        "2*(3+4)": 14,
        " 1.5 * 3\n": 4.5,
        "0.1+0.2": 0.30000000000000004,
        "2^53": 2.0**53,
        "1" + "+1" * 100: 101,
        "1/0": None,
        "1,5": None,
        "\u00a01": None,
        "": None,
    },
    "calc-equation": {"2 * (3+4) = 14": 14, "1/3 = 0.3333333333333333": 1 / 3, "2 = 3": None, "1/0 = undefined": None},
}


@pytest.mark.parametrize("parse", PARSERS)
def test_parser(parse: str) -> None:
    schema = {"x-derived": {"value": {"from": "text", "parse": parse}}}
    for text, value in READS[parse].items():
        report = validate({"text": text}, schema)
        if value is None:
            assert [(fault.code, fault.pointer) for fault in report.faults] == [("SEMANTIC_DERIVED", "/text")], text
            assert report.derived == {}
        else:
            assert report.ok
            assert report.derived == {"/value": value}
            assert type(report.derived["/value"]) is type(value)
            assert report.to_json()["derived"] == {"/value": value}


def check(raw: str) -> Report:
    row = {"x-derived": {"amount": {"from": "amount_text", "parse": "decimal-comma"}}}
    return check_output(raw, {"items": row})


def test_a_written_value_must_agree() -> None:
    assert check('[{"amount_text":"1.234,50","amount":1234.50}]').ok
    report = check('[{"amount_text":"1.234,50","amount":1.2345}]')
    (fault,) = report.faults
    assert (fault.code, fault.pointer, fault.output_span) == ("SEMANTIC_SPAN_VALUE", "/0/amount", (36, 42))
    assert report.derived == {"/0/amount": 1234.5}
    assert check('[{"amount_text":"0,1","amount":0.1}]').ok


def test_a_written_result_is_the_rounded_one() -> None:
    schema = {"x-derived": {"sum": {"from": "terms", "parse": "calc"}}}
    assert check_output('{"terms":"0.1+0.2","sum":0.30000000000000004}', schema).ok
    assert check_output('{"terms":"3^40","sum":1.2157665459056929e19}', schema).ok
    (fault,) = check_output('{"terms":"0.1+0.2","sum":0.3}', schema).faults
    assert (fault.code, fault.pointer) == ("SEMANTIC_SPAN_VALUE", "/sum")


def test_nothing_is_derived_from_nothing() -> None:
    for raw in ('[{"amount":1}]', '[{"amount_text":null}]', "[1]", "[]"):
        report = check(raw)
        assert report.ok
        assert report.derived == {}


def test_endless_digits_are_not_read() -> None:
    assert not validate({"t": "1" * 1_000}, {"x-derived": {"v": {"from": "t", "parse": "int"}}}).ok
