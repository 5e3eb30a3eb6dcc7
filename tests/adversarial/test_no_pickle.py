"""Attack 44: a worker answers with a pickle, which would run code where it is read. Frames are canonical JSON alone."""

from __future__ import annotations

import ast
import json
import os
import pickle
from pathlib import Path

import pytest

import checkrail
import isolated_tools
from checkrail.boundary.tools.registration import register
from checkrail.boundary.worker.answer import read_answer
from checkrail.errors import Error
from running import outcome_of, value

PACKAGE = Path(checkrail.__file__).parent
READERS = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "multiprocessing", "_pickle"}


class _Bomb:
    """What runs when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = str(mark)

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return os.mkdir, (self.mark, 0o700)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_no_answer(tmp_path: Path, protocol: int) -> None:
    mark = tmp_path / "ran"
    tool = register(isolated_tools.echo, {})
    with pytest.raises(Error) as caught:
        read_answer(pickle.dumps(_Bomb(mark), protocol), tool, tool.limits, "0" * 32, "0" * 64)
    assert caught.value.code == "TOOL_PROTOCOL"
    assert not mark.exists()


def test_it_would_have_run(tmp_path: Path) -> None:
    """The twin: it is a bomb."""
    mark = tmp_path / "ran"
    pickle.loads(pickle.dumps(_Bomb(mark)))
    assert mark.exists()


def test_a_result_that_looks_like_one_is_a_text() -> None:
    text = pickle.dumps({"a": 1}, 0).decode("ascii")
    assert value(outcome_of(isolated_tools.echo, text=text)) == json.loads(json.dumps({"said": text}))


def test_nothing_in_the_package_reads_any() -> None:
    imported = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imported.add(node.module.partition(".")[0])
    assert not imported & READERS
