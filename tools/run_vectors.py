"""Run the vector files of `conformance/` on the modules that must give the same everywhere.

python tools/run_vectors.py [SUITE ...]             in this Python
python tools/run_vectors.py --pyodide [SUITE ...]   the same in Pyodide, Python compiled to WebAssembly, in Node

It prints one JSON object: how many cases each suite has, which failed, and digests of results that no file holds. Under
`--pyodide` the suites run here, too, and the digests must agree. The exit status is 1 if a case fails, and 2 if Pyodide
cannot be had. `vector_suites.py` says what is run.

Pyodide is the npm package `pyodide`, which npm fetches once into `build/pyodide`; CHECKRAIL_PYODIDE names the folder of
a package that is there already. CHECKRAIL_THOROUGH=1 replays a million steps instead of some.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from decoding_suites import replayed
from vector_suites import DIGESTS, SUITES

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = ROOT / "build" / "pyodide"
PACKAGE = "pyodide@^314.0.7"
MILLION = 1_000_000
FETCH_SECONDS = 60


class Unavailable(Exception):
    """Why Pyodide cannot be run here."""


def run(names: Iterable[str] = ()) -> dict[str, Any]:
    """The account of some suites, or of all: how many cases, which failed, and the digests."""
    chosen = list(names)
    suites: dict[str, Any] = {}
    for name in (each for each in SUITES if not chosen or each in chosen):
        cases = list(SUITES[name]())
        failed = [f"{case}: {found!r}, expected {wanted!r}" for case, wanted, found in cases if wanted != found]
        suites[name] = {"cases": len(cases), "failed": failed}
    digests = {name: _digest(name) for name in DIGESTS if not chosen or name in chosen}
    return {"python": platform.python_version(), "platform": sys.platform, "suites": suites, "digests": digests}


def _digest(name: str) -> str:
    make = DIGESTS[name]
    if make is replayed and os.environ.get("CHECKRAIL_THOROUGH") == "1":
        make = partial(replayed, MILLION)
    return hashlib.sha256("\n".join(make()).encode()).hexdigest()


def pyodide_folder() -> Path:
    """The folder of the npm package, fetched if it is not there. Raises `Unavailable`."""
    named = os.environ.get("CHECKRAIL_PYODIDE")
    folder = Path(named) if named else INSTALLED / "node_modules" / "pyodide"
    for program in ("node",) if named else ("node", "npm"):
        if shutil.which(program) is None:
            raise Unavailable(f"{program} is not installed")
    if not named and not (folder / "pyodide.mjs").is_file():
        _fetch()
    if not (folder / "pyodide.mjs").is_file():
        raise Unavailable(f"no pyodide.mjs in {folder}")
    return folder


def _fetch() -> None:
    INSTALLED.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", str(INSTALLED), "--no-save", "--no-audit", "--no-fund", PACKAGE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=FETCH_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm did not fetch the package within {FETCH_SECONDS} seconds") from None
    if done.returncode:
        raise Unavailable(f"npm could not fetch the package: {done.stderr.strip()[-300:]}")


def run_in_pyodide(names: Iterable[str] = ()) -> dict[str, Any]:
    """As `run`, in Pyodide. Raises `Unavailable`."""
    environment = {**os.environ, "CHECKRAIL_PYODIDE": str(pyodide_folder())}
    command = ["node", str(ROOT / "tools" / "pyodide_vectors.mjs"), *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    try:
        account: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"Pyodide failed:\n{done.stdout}{done.stderr}") from None
    return account


def main(arguments: list[str]) -> int:
    """Run and print."""
    names = [name for name in arguments if name != "--pyodide"]
    if unknown := set(names) - {*SUITES, *DIGESTS}:
        print(f"no such suite: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    account = run(names)
    wrong = any(suite["failed"] for suite in account["suites"].values())
    if "--pyodide" in arguments:
        try:
            there = run_in_pyodide(names)
        except Unavailable as reason:
            print(f"Pyodide cannot be run: {reason}", file=sys.stderr)
            return 2
        wrong |= there["suites"] != account["suites"] or there["digests"] != account["digests"]
        account = {"here": account, "pyodide": there}
    print(json.dumps(account))
    return int(wrong)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    sys.exit(main(sys.argv[1:]))
