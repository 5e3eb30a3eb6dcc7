"""Numbers as JavaScript writes them: by hand, by their own rules, and by Node where there is one."""

from __future__ import annotations

import math
import shutil
import struct
import subprocess
from random import Random

import pytest

from checkrail.boundary.number_text import number_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-10.0, "-10"),
        (0.5, "0.5"),
        (-123.25, "-123.25"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1e-6, "0.000001"),
        (0.0000012, "0.0000012"),
        (1e-7, "1e-7"),
        (-1.25e-7, "-1.25e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (9007199254740993.0, "9007199254740992"),
    ],
)
def test_by_hand(value: float, text: str) -> None:
    assert number_text(value) == text


def doubles(count: int) -> list[float]:
    random = Random(17)
    found: list[float] = []
    while len(found) < count:
        x = struct.unpack("<d", random.randbytes(8))[0]
        found += [x] if math.isfinite(x) else []
        found.append(random.randint(0, 10 ** random.randint(0, 17)) * 10.0 ** random.randint(-25, 8))
    return found


def test_reads_back() -> None:
    for x in doubles(2_000):
        assert float(number_text(x)) == x


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_as_node_writes_them() -> None:
    values = doubles(5_000)
    script = "console.log(require('fs').readFileSync(0, 'utf8').split('\\n').map(t => String(Number(t))).join('\\n'))"
    lines = "\n".join(map(repr, values))
    done = subprocess.run(["node", "-e", script], input=lines, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [number_text(x) for x in values]
