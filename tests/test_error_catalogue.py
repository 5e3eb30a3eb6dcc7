"""Each code of the failure catalogue can be reached, and what is reached can be shown."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator

import pytest

from checkrail.errors import CATALOGUE, Error
from error_triggers import Trigger, boundary, decoding, grammar, model, processes, program, prompts, tools, vocabulary

AREAS = (grammar, vocabulary, boundary, decoding, model, processes, program, prompts, tools)
TRIGGERS: dict[str, Trigger] = {code: trigger for area in AREAS for code, trigger in area.TRIGGERS.items()}


def reached(trigger: Trigger) -> list[object]:
    """What the trigger raised or returned, one by one."""
    try:
        found = trigger()
    except Error as error:
        return [error]
    return list(found) if isinstance(found, Iterable) and not isinstance(found, str) else [found]


def codes(found: object) -> Iterator[str]:
    """The codes that an error, a fault, a notice, an end of a run, or a plain code carries."""
    for carrier in (found, getattr(found, "error", None)):
        code = carrier if isinstance(carrier, str) else getattr(carrier, "code", None)
        if code is not None:
            yield code


def test_each_code_has_one_trigger() -> None:
    assert sorted(TRIGGERS) == sorted(CATALOGUE)
    assert sum(len(area.TRIGGERS) for area in AREAS) == len(TRIGGERS)


@pytest.mark.parametrize("code", TRIGGERS)
def test_code_is_reached(code: str) -> None:
    found = reached(TRIGGERS[code])
    assert code in [each for item in found for each in codes(item)]
    for error in (item for item in found if isinstance(item, Error)):
        assert error.code == code, "the trigger must reach its own code first"
        assert error.message in error.render()
        assert json.loads(json.dumps(error.to_json()))["code"] == code
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("code", CATALOGUE)
def test_row_is_well_formed(code: str) -> None:
    row = CATALOGUE[code]
    assert row.severity in "FRDW"
    assert row.retry in "nsc"
    assert row.message.endswith(".")
    assert row.message[0].isupper() or row.message.startswith("{")
    assert row.advice.endswith(".") or row.advice.startswith("Run: ")
