"""Checkrail beside its peers: MaskBench, micro cases, growth, hostile inputs, and a model with and without constraint.

    python benchmarks/run.py                                    every part, every engine that is installed
    python benchmarks/run.py --only maskbench --mod 10 --engines checkrail,llguidance
    python benchmarks/run.py --only hostile --profile open      inputs that were written to be slow, and their memory
    python benchmarks/run.py --report build/benchmarks --common tables and plot anew, from what was measured

Writes raw.jsonl (every record), summary.json, report.md and plot.svg into the output folder, and prints the report.
MaskBench and Llama-3's vocabulary are read from the archives in CHECKRAIL_DATA, or in ../shared/data beside the
checkout; without them the micro cases run with a token for each byte, and their figures say little. Peers come with
`pip install --group peers` (xgrammar apart: it needs torch).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from side_by_side import growth, hostile, machine, maskbench, micro, registry, report
from side_by_side.driver import Conditions, measure

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("maskbench", "micro", "growth", "hostile", "model")


def names(text: str, known: Sequence[str]) -> list[str]:
    """The names in a list with commas; an argparse error for one that is not known."""
    found = text.split(",")
    for name in found:
        if name not in known:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
    return found


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="benchmarks/run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    engines, parts = list(registry.ENGINES), list(PARTS)
    made.add_argument("--engines", type=lambda t: names(t, engines), metavar="A,B", help=", ".join(engines))
    made.add_argument("--only", type=lambda t: names(t, parts), default=parts, metavar="A,B", help=", ".join(parts))
    made.add_argument("--mod", type=int, default=50, metavar="N", help="one schema in N of MaskBench (default 50)")
    made.add_argument("--profile", choices=("strict", "open"), default="strict", help="Checkrail's (default strict)")
    made.add_argument("--whitespace", default="", metavar="W", help="Checkrail's policy (default: the library's)")
    made.add_argument("--common", action="store_true", help="times only over what all engines accept")
    made.add_argument("--repeat", type=int, default=3, metavar="N", help="of micro cases and model runs (default 3)")
    made.add_argument("--timeout", type=float, default=60, metavar="S", help="seconds for one schema (default 60)")
    made.add_argument("--memory", type=float, default=14, metavar="GB", help="of one worker (default 14)")
    made.add_argument("--core", type=int, default=0, metavar="N", help="that workers are pinned to (default 0)")
    made.add_argument("--max-tokens", type=int, default=128, metavar="N", help="of one model run (default 128)")
    made.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks", metavar="DIR")
    made.add_argument("--report", type=Path, metavar="DIR", help="measure nothing: report what is in DIR")
    return made


def unpacked(archive: str, folder: Path) -> Path | None:
    """The folder of an archive's members, extracted once; None where there is no such archive."""
    data = Path(os.environ.get("CHECKRAIL_DATA", ROOT.parent / "shared" / "data"))
    source = data / f"{archive}.tar.xz"
    target = folder / archive
    if target.is_dir():
        return target
    if not source.is_file():
        return None
    folder.mkdir(parents=True, exist_ok=True)
    # extracted beside and renamed, so that an interrupted run does not leave half of it
    with tempfile.TemporaryDirectory(dir=folder) as scratch, tarfile.open(source) as tar:
        tar.extractall(Path(scratch, "members"), filter="data")
        Path(scratch, "members").rename(target)
    return target


def records(options: argparse.Namespace, engines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Measure: every record of every part that was asked for."""
    inputs = options.out.parent / "benchmark-data"
    vocabulary = unpacked("llama3-vocab", inputs)
    conditions = Conditions(
        vocabulary,
        timeout=options.timeout,
        memory=options.memory,
        core=options.core,
        options={"profile": options.profile, "whitespace": options.whitespace},
        errors=options.out / "stderr.txt",
    )
    if "maskbench" in options.only:
        folder = unpacked("maskbench-dev", inputs)
        if folder is None or vocabulary is None:
            tell("maskbench: left out, its archives are not there (set CHECKRAIL_DATA)")
        else:
            yield from measure("maskbench", engines, maskbench.jobs(folder, options.mod), conditions, tell=tell)
    if "micro" in options.only:
        yield from measure("micro", engines, micro.jobs(options.repeat), conditions, tell=tell)
    if "growth" in options.only:
        yield from measure("growth", engines, growth.jobs(options.repeat), conditions, tell=tell)
        for size in growth.VOCABULARY_SIZES if vocabulary else ():
            jobs = growth.vocabulary_jobs(size, options.repeat)
            yield from measure("growth", engines, jobs, replace(conditions, tokens=size), tell=tell)
    if "hostile" in options.only:
        yield from hostile.records(engines, conditions)
        tell("hostile: done")
    if "model" in options.only:
        from side_by_side import end_to_end

        yield {"model": end_to_end.measure(options.max_tokens, options.repeat)}


def tell(line: str) -> None:
    """Progress, beside the report."""
    print(line, file=sys.stderr, flush=True)


def run(options: argparse.Namespace) -> None:
    """Measure, and write every record as it comes."""
    engines = options.engines or [name for name in registry.DEFAULT if registry.installed(name)]
    missing = [name for name in engines if not registry.installed(name)]
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)} (pip install --group peers; xgrammar needs torch)")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "stderr.txt").write_bytes(b"")  # workers append to it
    command = "python " + shlex.join([os.path.relpath(sys.argv[0]), *sys.argv[1:]])
    with (options.out / "raw.jsonl").open("w", buffering=1, encoding="utf-8") as raw:
        print(json.dumps({"conditions": machine.note(command)}), file=raw)
        for record in records(options, engines):
            print(json.dumps(record, separators=(",", ":")), file=raw)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure unless told to report only, then report."""
    options = parser().parse_args(arguments)
    if options.report is None:
        run(options)
    print(report.write(options.report or options.out, options.engines, common_only=options.common))


if __name__ == "__main__":
    main()
