"""Attack 42: a result without end. The host reads no more than it allows."""

from __future__ import annotations

import struct
import tracemalloc

import isolated_tools as tools
from running import code, outcome_of, value


def test_result_above_its_bound_is_refused_and_just_below_is_not() -> None:
    around = len('{"said":""}')
    assert len(value(outcome_of(tools.large, count=10_000 - around))["said"]) == 10_000 - around
    outcome = outcome_of(tools.large, count=10_001 - around)
    assert code(outcome) == "TOOL_OUTPUT_TOO_LARGE"
    assert "10000" in str(outcome.error)


def test_frame_that_says_it_is_four_gigabytes_is_not_read() -> None:
    outcome = outcome_of(tools.forge, hexadecimal=struct.pack(">I", 2**32 - 1).hex(), end=False)
    assert code(outcome) == "TOOL_OUTPUT_TOO_LARGE"


def test_gigabyte_of_results_costs_the_host_no_memory() -> None:
    tracemalloc.start()
    try:
        outcome = outcome_of(tools.flood)
        assert tracemalloc.get_traced_memory()[1] < 4 * 1024 * 1024
    finally:
        tracemalloc.stop()
    assert code(outcome) in ("TOOL_OUTPUT_TOO_LARGE", "TOOL_PROTOCOL")
