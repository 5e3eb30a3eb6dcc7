"""Attacks 23 to 25: values of another type, numbers that would change, arguments too many or too few."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.envelopes import Origin
from checkrail.boundary.calls.proposal import Proposal


def code(folder: Path, name: str, arguments: str) -> str | None:
    """The code with which a call ends, written as a model would."""
    proposal = Proposal(f'{{"tool":"{name}","arguments":{arguments}}}', Origin("model"))
    call = carry(toy_tools.session(folder, "approve"), proposal, run=toy_tools.Runner())
    return None if call.error is None else call.error.code


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ('{"number":"5"}', "SCHEMA_TYPE"),
        ('{"number":true}', "SCHEMA_TYPE"),
        ('{"number":[5]}', "SCHEMA_TYPE"),
        ('{"number":5.5}', "SCHEMA_TYPE"),
        ('{"number":null}', "SCHEMA_TYPE"),
        ('{"number":9007199254740993}', "JSON_NUMBER_PRECISION"),
        ('{"number":9007199254740992}', "SEMANTIC_RANGE"),
        ('{"number":1e400}', "JSON_NUMBER_RANGE"),
        ('{"number":NaN}', "JSON_SYNTAX"),
        ('{"number":Infinity}', "JSON_SYNTAX"),
        ('{"number":0x5}', "JSON_SYNTAX"),
        ('{"number":05}', "JSON_SYNTAX"),
        ('{"number":5,"approved":true}', "SCHEMA_ADDITIONAL"),
        ('{"number":5,"__class__":"x"}', "SCHEMA_ADDITIONAL"),
        ('{"Number":5}', "SCHEMA_REQUIRED"),
        ("{}", "SCHEMA_REQUIRED"),
        ("[5]", "TOOL_ENVELOPE"),
        ('"{\\"number\\":5}"', "TOOL_ENVELOPE"),
    ],
)
def test_nothing_is_converted(tmp_path: Path, arguments: str, wanted: str) -> None:
    assert code(tmp_path, "double", arguments) == wanted


@pytest.mark.parametrize("pin", ['"yes"', '"true"', "1", "null"])
def test_nothing_becomes_true(tmp_path: Path, pin: str) -> None:
    assert code(tmp_path, "notes.append", f'{{"text":"a","pin":{pin}}}') == "SCHEMA_TYPE"


@pytest.mark.parametrize("arguments", ['{"number":5}', '{"number":-0}', '{"number":5e0}'])
def test_right_values_run(tmp_path: Path, arguments: str) -> None:
    assert code(tmp_path, "double", arguments) is None


def test_the_largest_is_right_and_twice_that_is_no_result(tmp_path: Path) -> None:
    assert code(tmp_path, "double", '{"number":9007199254740991}') == "TOOL_OUTPUT_INVALID"


def test_a_right_text_that_looks_like_a_number_stays_one(tmp_path: Path) -> None:
    runner = toy_tools.Runner()
    carry(toy_tools.session(tmp_path, "approve"), Proposal.of_program("notes.append", {"text": "5"}), run=runner)
    assert runner.ran == [("notes.append", b'{"text":"5"}')]
