"""Where tests find the reference data that is mounted beside the checkout and not part of it.

Use `shared_data()` where parameters are collected, the fixture of the same name inside a test. Both skip with a
reason when the data is absent. `unpacked("x.tar.xz")` gives the folder of an archive, extracted once per content.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
from pathlib import Path

import pytest


def shared_data() -> Path:
    """The data folder: `CHECKRAIL_DATA`, or `../shared/data` beside the checkout. Skips when there is none."""
    named = os.environ.get("CHECKRAIL_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("reference data not found: set CHECKRAIL_DATA to its folder", allow_module_level=True)
    return folder


def cache_folder() -> Path:
    """Where tests keep what is slow to make: `CHECKRAIL_TEST_CACHE`, or `~/.cache/checkrail-tests`."""
    named = os.environ.get("CHECKRAIL_TEST_CACHE")
    folder = Path(named) if named else Path.home() / ".cache" / "checkrail-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def unpacked(archive: str) -> Path:
    """The folder that holds the members of `archive`, a `.tar.xz` of the shared data."""
    source = shared_data() / archive
    facts = source.stat()
    folder = cache_folder() / f"{archive.removesuffix('.tar.xz')}-{facts.st_size}-{facts.st_mtime_ns}"
    if not folder.is_dir():
        # extracted beside and renamed, so that a second process never sees half an archive
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch, tarfile.open(source) as tar:
            inside = Path(scratch, "members")
            tar.extractall(inside, filter="data")
            try:
                inside.rename(folder)
            except OSError:
                if not folder.is_dir():
                    raise
    return folder
