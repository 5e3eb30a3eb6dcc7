"""Bounds on a process; what happens at them is in `adversarial/test_rlimit_matrix.py`."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = f"""
import sys
sys.path[:0] = {sys.path!r}
import resource
from checkrail.boundary.worker.process_limits import set_limits
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
bounds = dict(cpu_ms=1_500, memory_bytes=2**29, open_files=128, file_bytes=0)
print(set_limits(bounds, own_numbers=True))
for name in "CPU AS NOFILE FSIZE CORE NPROC".split():
    print(*resource.getrlimit(getattr(resource, "RLIMIT_" + name)))
"""


@pytest.mark.skipif("sys.platform != 'linux'", reason="macOS does not keep the bound on memory")
def test_bounds_are_set_and_never_raised() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    answer, *pairs = done.stdout.splitlines()
    assert answer == "True"
    assert pairs == ["2 2", f"{2**29} {2**29}", "64 64", "0 0", "0 0", "64 64"], "descriptors stay at what they were"
