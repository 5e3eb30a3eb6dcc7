"""What it costs to hold a model to copies from a document, by the size of the document.

    python benchmarks/copies.py                     a table in Markdown
    python benchmarks/copies.py --kib 1,64          these sizes only

Documents are this project's own pages, and a text of repetitions as the bad case. The vocabulary is Llama 3's, from the
archive in CHECKRAIL_DATA or ../shared/data beside the checkout. One field is copied; a text copies 40 spans. Columns:
the index of the document (time, memory), the first mask inside the string (which walks every beginning of a copy), the
median of later masks, and what the tables of one text have grown to. Times belong to the machine; compare rows.
"""

from __future__ import annotations

import argparse
import base64
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from checkrail import Vocabulary
from checkrail.boundary.binding.copying import copy_pieces
from checkrail.boundary.binding.edges import Boundary
from checkrail.boundary.binding.source import Source
from checkrail.boundary.binding.source_rule import SourceRule
from checkrail.generation.filling import Filling
from checkrail.generation.output import Output
from checkrail.ondemand.copied import CopyIndex
from run import ROOT, unpacked

SPANS = 40
LIMIT = 65_536


def vocabulary() -> Vocabulary:
    """Llama 3's tokens; a token for each byte where they are not at hand."""
    folder = unpacked("llama3-vocab", ROOT / "build" / "benchmark-data")
    found = None if folder is None else next(folder.rglob("vocab.jsonl"), None)
    if found is None:
        return Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
    tokens = [base64.b64decode(json.loads(line)) for line in found.read_text("utf-8").splitlines()]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


def pages(size: int) -> str:
    """So many bytes of the documentation, as they will be spelled."""
    text = "".join(path.read_text("utf-8") for path in sorted(Path(ROOT, "docs").rglob("*.md")))
    return cut(text * (1 + LIMIT // len(text)), size)


def repetitions(size: int) -> str:
    """A text in which nearly every part occurs very often."""
    return cut("ab " * LIMIT, size)


def cut(text: str, size: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if spelled(text[:middle]) <= size else (low, middle - 1)
    return text[:low]


def spelled(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode()) - 2


def milliseconds(began: float) -> float:
    return 1_000 * (time.perf_counter() - began)


def measured(text: str, boundary: Boundary, words: Vocabulary) -> dict[str, float]:
    """One row of the table."""
    source = Source.read("document", text)
    began = time.perf_counter()
    index = CopyIndex(copy_pieces(source, SourceRule(boundary=boundary)), LIMIT)
    row = {"index": milliseconds(began), "memory": index.memory / 1024}
    schema = {"type": "array", "items": {"type": "string", "x-source": {"boundary": boundary}}}
    filling = Filling.of(Output.of(schema), words, copies=True)
    assert filling is not None
    filled = filling.fill({"document": source})
    matcher = filled.matcher()
    matcher.accept_bytes(b'["')
    began = time.perf_counter()
    matcher.allowed(None)
    row["first"] = milliseconds(began)
    times = []
    random = Random(1)
    matcher = filled.matcher()
    quotes = 0
    while quotes < 2 * SPANS:
        began = time.perf_counter()
        allowed = matcher.allowed(None)
        times.append(milliseconds(began))
        token = random.choice([token for token in allowed if b"]" not in (words.tokens[token] or b"]")])
        quotes += (words.tokens[token] or b"").count(b'"')
        matcher.accept_token(token)
    row["median"] = 1_000 * statistics.median(times)
    row["tables"] = filled.memory["automaton"] / 1024
    return row


def rows(sizes: list[int], words: Vocabulary) -> Iterator[str]:
    yield "| document | boundary | index ms | index KiB | first mask ms | later masks us | tables KiB |"
    yield "| --- | --- | --: | --: | --: | --: | --: |"
    boundaries: tuple[Boundary, ...] = ("word", "any")
    kinds: dict[str, Any] = {"pages": pages, "repetitions": repetitions}
    for name, make in kinds.items():
        for size in sizes:
            for boundary in boundaries:
                row = measured(make(1024 * size), boundary, words)
                cells = (row["index"], row["memory"], row["first"], row["median"], row["tables"])
                yield f"| {name}, {size} KiB | {boundary} | " + " | ".join(f"{cell:,.0f}" for cell in cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kib", default="1,4,16,64", metavar="N,N", help="sizes of documents (default 1,4,16,64)")
    sizes = [int(size) for size in parser.parse_args().kib.split(",")]
    for line in rows(sizes, vocabulary()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
