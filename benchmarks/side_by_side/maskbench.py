"""MaskBench's jobs: real schemas, each with instances that are valid and some that are not.

Data: guidance-ai/jsonschemabench, `maskbench/data`, half of it, as `maskbench-dev.tar.xz`. An instance is written
by `json.dumps` as it is, characters beyond ASCII unescaped.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from .job import Job

__all__ = ["jobs"]


def jobs(folder: Path, modulus: int) -> list[Job]:
    """Those of the files whose name's SHA-256 is 0 modulo `modulus`. Valid instances come first: the first text of
    a schema is then a first use of it."""
    files = sorted(folder.rglob("*.json"))
    return [_job(file) for file in files if int(sha256(file.name.encode()).hexdigest(), 16) % modulus == 0]


def _job(file: Path) -> Job:
    case = json.loads(file.read_text("utf-8"))
    texts = [(json.dumps(test["data"], ensure_ascii=False), bool(test["valid"])) for test in case["tests"]]
    return Job(file.name, "schema", json.dumps(case["schema"]), tuple(sorted(texts, key=lambda t: not t[1])))
