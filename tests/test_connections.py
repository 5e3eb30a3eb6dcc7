"""The library opens no connection, and starts no program but pip, in the one command that installs a model, and the
isolated interpreter of a tool that was registered."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import checkrail

PACKAGE = Path(checkrail.__file__).parent
NETWORK = {"asyncio", "ftplib", "http", "smtplib", "socket", "socketserver", "ssl", "urllib.request", "xmlrpc"}
PROGRAMS = {"multiprocessing", "subprocess"}
INSTALLS = "models/catalog.py"  # through pip, in `checkrail models install`
RUNS_TOOLS = "boundary/worker/process.py"  # a new interpreter for each call, and a pair of sockets between the two
ASKS = "boundary/confirmation/confirmers.py"  # asyncio, for callbacks that are coroutines
READS = "decoding/event_queue.py"  # asyncio, for readers that are coroutines

# What Python reports (PEP 578) of connections and programs, in a run that imports everything and writes an output.
WATCHED = """
import importlib, pkgutil, sys
calls = []
sys.addaudithook(lambda event, _: calls.append(event))
import checkrail
for module in pkgutil.walk_packages(checkrail.__path__, "checkrail."):
    if not module.name.rpartition(".")[2].startswith("__"):
        importlib.import_module(module.name)
from checkrail.models.scripted import ScriptedModel
vocabulary = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
model = ScriptedModel(vocabulary, '{"age": 7}')
schema = {"properties": {"age": {"type": "integer"}}, "required": ["age"]}
assert checkrail.generate(model, "?", schema).value == {"age": 7}
assert [row.ok for row in checkrail.extract(["a"], schema, model=model)] == [True]
NAMES = ("socket.", "subprocess.", "urllib.", "http.", "ftplib.", "smtplib.", "os.system", "os.exec", "os.spawn")
print(sorted({call for call in calls if call.startswith(NAMES)}))
"""


def imported(path: Path) -> set[str]:
    """The modules from outside that a file imports, anywhere in it, with all that they are in."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:length]) for name in found for length in range(1, name.count(".") + 2)}


def files_that_import(modules: set[str]) -> set[str]:
    return {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if imported(path) & modules}


def test_no_module_imports_what_connects() -> None:
    assert files_that_import(NETWORK) <= {RUNS_TOOLS, ASKS, READS}


def test_two_modules_start_programs() -> None:
    assert files_that_import(PROGRAMS) <= {INSTALLS, RUNS_TOOLS}


def test_nothing_is_opened_by_importing_all_and_writing_an_output(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "CHECKRAIL_CACHE": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", WATCHED], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
