"""Fixtures and guards that every test shares."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import data_path

if TYPE_CHECKING:  # not at run time: the guard below goes first
    from checkrail.mask.kernel import Kernel

# Deterministic by default, so that a green run stays green; HYPOTHESIS_PROFILE=explore looks for news.
settings.register_profile("deterministic", derandomize=True, database=None, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deterministic"))

# Tests keep no prepared vocabularies on disk, nor do the processes that they start; those that test the cache put it
# into a folder of their own.
os.environ["CHECKRAIL_CACHE_MB"] = "0"


def pytest_sessionstart() -> None:
    """A library that stayed behind its source would be tested instead of it: refuse to start."""
    from checkrail.mask import kernel

    if reason := kernel.stale():
        pytest.exit(f"{reason}: run `make kernel`", returncode=4)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data; skips when it is not there."""
    return data_path.shared_data()


@pytest.fixture(params=["interpreted", "compiled"])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """The kernel, once interpreted and once compiled: both twins in one run."""
    from checkrail.mask import kernel as twins

    if request.param == "interpreted":
        return twins.load_interpreted()
    compiled = twins.load_compiled()
    if compiled is None and os.environ.get("CHECKRAIL_REQUIRE_COMPILED") == "1":
        pytest.fail("the compiled kernel is required and was not built: run `make kernel`")
    if compiled is None:
        pytest.skip("no compiled kernel was built: run `make kernel`")
    return compiled
