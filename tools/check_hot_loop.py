"""Fails when a hot loop of the compiled kernel calls the interpreter.

An untyped or misspelt local turns Cython's C arithmetic into Python arithmetic without a word: the result is
right and a thousand times slower. Cython's annotated listing gives each line a score, 0 where it is pure C. This
check demands 0 of every line between the comments `# hot loop begins` and `# hot loop ends`.

    python tools/check_hot_loop.py [SOURCE ...]        (without one: the kernel's)
"""

from __future__ import annotations

import re
import runpy
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "# hot loop begins", "# hot loop ends"
_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(?:\+|&#xA0;)?<span class="">(\d+)</span>')


class HotLoopError(Exception):
    """The markers or the listing are not as this check needs them."""


def marked_lines(source: str) -> set[int]:
    """The numbers (from 1) of the lines between the markers."""
    marked: set[int] = set()
    start: int | None = None
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() == BEGIN:
            if start is not None:
                raise HotLoopError(f"line {number}: a hot loop begins inside another")
            start = number
        elif line.strip() == END:
            if start is None:
                raise HotLoopError(f"line {number}: a hot loop ends that did not begin")
            marked.update(range(start + 1, number))
            start = None
    if start is not None:
        raise HotLoopError(f"line {start}: a hot loop does not end")
    if not marked:
        raise HotLoopError(f"no line is marked with {BEGIN!r}")
    return marked


def scores(source: Path, directives: Mapping[str, bool]) -> dict[int, int]:
    """Line number -> score of Cython's annotated listing of `source`."""
    from Cython.Compiler.Main import compile_single
    from Cython.Compiler.Options import CompilationOptions

    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch, "kernel.c")
        options = CompilationOptions(
            annotate=True, output_file=str(output), compiler_directives=dict(directives), language_level=3
        )
        result = compile_single(str(source), options, full_module_name="kernel")
        if result.num_errors:
            raise HotLoopError(f"{source.name} does not compile")
        listing = output.with_suffix(".html").read_text(encoding="utf-8")
    found = {int(number): int(score) for score, number in _LINE.findall(listing)}
    if not found:
        raise HotLoopError("Cython's listing has another form than this check reads")
    return found


def slow_lines(source: Path, directives: Mapping[str, bool]) -> Iterator[tuple[int, int, str]]:
    """(line number, score, text) of each marked line that calls the interpreter."""
    text = source.read_text(encoding="utf-8")
    marked = marked_lines(text)
    score = scores(source, directives)
    for number in sorted(marked):
        if score.get(number, 0):
            yield number, score[number], text.splitlines()[number - 1]


def main(arguments: list[str]) -> int:
    """0 when every marked line is pure C, 1 otherwise."""
    setup = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")  # the directives of the real build
    ours = [ROOT / "src" / setup["PACKAGE"] / f"{name}.py" for name in setup["NAMES"]]
    sources = [Path(argument) for argument in arguments] or ours
    return max(check(source, setup["DIRECTIVES"]) for source in sources)


def check(source: Path, directives: Mapping[str, bool]) -> int:
    """The same for one file; says what it finds."""
    try:
        slow = list(slow_lines(source, directives))
    except HotLoopError as error:
        print(f"{source.name}: {error}", file=sys.stderr)
        return 1
    for number, score, line in slow:
        print(f"{source.name}:{number}: calls the interpreter (score {score}): {line.strip()}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
