"""The Earley engine measured: masks beside the automaton engine and llguidance, and how time grows with a text.

    python benchmarks/earley.py                        both tables, as Markdown
    python benchmarks/earley.py --only growth          time against length; needs no data and no peer
    python benchmarks/earley.py --only masks --engines checkrail-earley,llguidance --repeat 20

Masks: JSON as a Lark grammar, one document, mask and commit of each token, through the interface that users call. All
engines in one process and in turns, each with a compiled grammar that has seen no text; then the same text again. The
figure of a token is its least over all repetitions, which leaves out what other processes took; compiling is CPU time.
Llama 3's vocabulary is found as by `benchmarks/run.py`; without it each byte is a token.

Growth: a text of n parts is read byte by byte by a recognizer that has seen nothing; CPU time, without Python's garbage
collector, whose share grows with all that is alive. Steps are those of the parser (`Chart.work`), which no machine
changes.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from checkrail.earley.recognizer import Recognizer
from checkrail.grammar.lark import parse_lark
from checkrail.limits import Limits
from run import names, unpacked
from side_by_side import registry
from side_by_side.engine import Engine
from side_by_side.machine import note
from side_by_side.micro import JSON_DOCUMENT, JSON_IN_LARK
from side_by_side.token_table import TokenTable

PARTS = ("masks", "growth")
ENGINES = ("checkrail-earley", "checkrail", "llguidance")
ROOM = Limits(row_items=2**22, chart_items=2**24)

# name, grammar, text of n parts, the numbers of parts to measure
GROWTH: list[tuple[str, str, Callable[[int], str], tuple[int, ...]]] = [
    ("left recursion", 'start: start "," N | N\nN: /[0-9]+/', lambda n: ",".join("1" * n), (1_000, 3_000, 10_000)),
    ("right recursion", 'start: N "," start | N\nN: /[0-9]+/', lambda n: ",".join("1" * n), (1_000, 3_000, 10_000)),
    ("nesting", 'start: "(" start ")" | N\nN: /[0-9]+/', lambda n: "(" * n + "1" + ")" * n, (1_000, 3_000, 10_000)),
    (
        "expressions with precedence",
        'start: start "+" t | t\nt: t "*" f | f\nf: N | "(" start ")"\nN: /[0-9]+/',
        lambda n: "+".join("1*(2+3)" for _ in range(n)),
        (1_000, 3_000, 10_000),
    ),
    ("ambiguous: e + e", 'start: start "+" start | N\nN: /[0-9]+/', lambda n: "+".join("1" * n), (50, 100, 200, 400)),
    ("ambiguous: e e", "start: start start | N\nN: /[0-9]/", lambda n: "1" * n, (50, 100, 200, 400)),
]


def growth() -> Iterator[str]:
    """Rows of the table of growth."""
    yield "| grammar | parts | ms | us for each part | steps of the parser |"
    yield "| --- | --: | --: | --: | --: |"
    for name, source, text_of, sizes in GROWTH:
        grammar = parse_lark(source)
        for size in sizes:
            data = text_of(size).encode()
            seconds, steps = min(_read(Recognizer.of(grammar, limits=ROOM), data) for _ in range(3))
            each = seconds / size * 1e6
            yield f"| {name} | {size:,} | {seconds * 1e3:,.1f} | {each:,.1f} | {steps:,} |"


def _read(recognizer: Recognizer, data: bytes) -> tuple[float, int]:
    gc.collect()
    gc.disable()
    begin = time.process_time()
    taken = recognizer.push_bytes(data) and recognizer.flush()
    seconds = time.process_time() - begin
    gc.enable()
    assert taken
    return seconds, recognizer.readings.chart.work


def masks(engines: Sequence[str], repeat: int) -> Iterator[str]:
    """Rows of the table of masks."""
    folder = unpacked("llama3-vocab", Path(__file__).resolve().parents[1] / "build" / "benchmark-data")
    table = TokenTable.load(folder) if folder else TokenTable.of_bytes()
    tokens = table.encode(json.dumps(JSON_DOCUMENT, ensure_ascii=False, indent=2))
    made = {name: registry.create(name, table, {}) for name in engines}
    first: dict[str, list[list[float]]] = {name: [] for name in engines}
    second: dict[str, list[list[float]]] = {name: [] for name in engines}
    compiling: dict[str, list[float]] = {name: [] for name in engines}
    for engine in made.values():  # what a vocabulary needs once is not timed
        engine.compile_lark(JSON_IN_LARK)
        _text(engine, tokens)
    for _ in range(repeat):
        for name, engine in made.items():
            gc.collect()
            begin = time.process_time()
            engine.compile_lark(JSON_IN_LARK)
            engine.start()
            engine.mask()
            compiling[name].append((time.process_time() - begin) * 1e6)
            first[name].append(_text(engine, tokens))
            second[name].append(_text(engine, tokens))
    yield f"{len(tokens)} tokens, a vocabulary of {len(table):,}, {repeat} repetitions; in microseconds"
    yield ""
    yield "| engine | compile, first mask | first text: median | mean | 90 % | again: median | mean | 90 % |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for name in engines:
        cells = (min(compiling[name]), *_figures(first[name]), *_figures(second[name]))
        yield f"| {name} {registry.version(name)} | {' | '.join(f'{cell:,.1f}' for cell in cells)} |"


def _text(engine: Engine, tokens: Sequence[int]) -> list[float]:
    engine.start()
    times = []
    for token in tokens:
        begin = time.perf_counter()
        engine.mask()
        taken = engine.commit(token)
        times.append((time.perf_counter() - begin) * 1e6)
        assert taken, token
    return times


def _figures(times: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Median, mean and the ninth decile over the tokens."""
    least = sorted(map(min, zip(*times, strict=True)))
    return statistics.median(least), statistics.fmean(least), least[len(least) * 9 // 10]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = list(registry.ENGINES)
    made.add_argument("--only", type=lambda t: names(t, PARTS), default=PARTS, metavar="A,B", help=", ".join(PARTS))
    made.add_argument("--engines", type=lambda t: names(t, known), default=ENGINES, metavar="A,B", help="to compare")
    made.add_argument("--repeat", type=int, default=10, metavar="N", help="of each text (default 10)")
    options = made.parse_args(arguments)
    print(json.dumps(note("python benchmarks/earley.py " + " ".join(sys.argv[1:]))))
    if "masks" in options.only:
        missing = [name for name in options.engines if not registry.installed(name)]
        engines = [name for name in options.engines if name not in missing]
        print("\n## Masks\n", *([f"not installed: {', '.join(missing)}\n"] if missing else []), sep="\n")
        print("\n".join(masks(engines, options.repeat)))
    if "growth" in options.only:
        print("\n## Growth\n")
        print("\n".join(growth()))


if __name__ == "__main__":
    main()
