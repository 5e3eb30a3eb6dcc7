"""Times of compiling and of masks, through the interface that users call.

    python benchmarks/run.py [--vocabulary FILE] [--repeat N] [--json]

For each case: the time to compile; to the first mask; and of mask and `accept_token` together, for each token of a
text, in a first pass (caches cold) and in later ones (warm). Times are of the process, in microseconds. The
vocabulary is any file that `Vocabulary.from_file` reads; without one it has a token for each byte, and the figures
say little about real ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import checkrail
from checkrail.mask import kernel

INVOICE = {
    "type": "object",
    "properties": {
        "vendor": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "total": {"type": "number"},
        "currency": {"enum": ["EUR", "USD", "GBP"]},
        "paid": {"type": "boolean"},
        "lines": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
    },
    "required": ["vendor", "date", "total", "currency", "paid", "lines"],
}
INVOICE_TEXT = json.dumps(
    {
        "vendor": "Schreinerei Möller & Söhne",
        "date": "2025-03-14",
        "total": 1184.05,
        "currency": "EUR",
        "paid": False,
        "lines": ["oak table, 180 cm", "delivery to the third floor", 'note: "handle with care"'],
    },
    ensure_ascii=False,
)
CASES: dict[str, tuple[Callable[[], checkrail.Grammar], str]] = {
    "invoice": (lambda: checkrail.Grammar.from_json_schema(INVOICE), INVOICE_TEXT),
    "words": (lambda: checkrail.Grammar.from_regex("[a-z]+( [a-z]+){0,49}"), "the quick brown fox jumps over it"),
    "arithmetic": (
        lambda: checkrail.Grammar.from_gbnf(
            'root ::= term ("+" term)*\nterm ::= item ("*" item)*\nitem ::= [0-9]+ | "(" root ")"'
        ),
        "12*(3+45)*6+((7))",
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one case, in microseconds."""

    case: str
    states: int
    tokens: int
    compile: float
    first_mask: float
    cold_median: float
    cold_max: float
    warm_median: float
    warm_max: float


def tokens_of(text: bytes, vocabulary: checkrail.Vocabulary) -> Iterator[int]:
    """The text cut greedily into the longest tokens."""
    ids = {token: identifier for identifier, token in enumerate(vocabulary.tokens) if token}
    longest = max(map(len, ids))
    while text:
        token = next(text[:n] for n in range(min(longest, len(text)), 0, -1) if text[:n] in ids)
        yield ids[token]
        text = text[len(token) :]


def timed_pass(constraint: checkrail.Constraint, ids: list[int]) -> list[float]:
    """Microseconds of mask and accept for each token."""
    matcher = constraint.matcher()
    bitmask = checkrail.allocate_token_bitmask(1, len(constraint.vocabulary))
    times = []
    for identifier in ids:
        start = time.perf_counter_ns()
        matcher.fill_next_token_bitmask(bitmask)
        accepted = matcher.accept_token(identifier)
        times.append((time.perf_counter_ns() - start) / 1000)
        if not accepted:
            raise SystemExit(f"the text of the case is not in its grammar, at token {len(times)}")
    return times


def measure(name: str, vocabulary: checkrail.Vocabulary, repeat: int) -> Row:
    """One case from its source text to warm masks."""
    grammar_of, text = CASES[name]
    start = time.perf_counter_ns()
    constraint = checkrail.compile(grammar_of(), vocabulary)
    compiled = (time.perf_counter_ns() - start) / 1000
    ids = list(tokens_of(text.encode(), vocabulary))
    cold = timed_pass(constraint, ids)
    warm = [each for _ in range(repeat) for each in timed_pass(constraint, ids)]
    return Row(
        case=name,
        states=constraint.report.states,
        tokens=len(ids),
        compile=compiled,
        first_mask=cold[0],
        cold_median=statistics.median(cold),
        cold_max=max(cold),
        warm_median=statistics.median(warm),
        warm_max=max(warm),
    )


def main() -> None:
    """Print a table, or one JSON object for each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--vocabulary", metavar="FILE", help="tokenizer.json, tiktoken ranks, SentencePiece or GGUF")
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="warm passes (default 10)")
    parser.add_argument("--json", action="store_true", help="JSON lines instead of a table")
    options = parser.parse_args()
    if options.vocabulary:
        vocabulary = checkrail.Vocabulary.from_file(options.vocabulary)
    else:
        vocabulary = checkrail.Vocabulary.from_bytes([bytes([b]) for b in range(256)] + [b"<end>"], eos=256)
    checkrail.compile(checkrail.Grammar.from_regex("x"), vocabulary)  # prepares the vocabulary, once for all cases
    rows = [asdict(measure(name, vocabulary, options.repeat)) for name in CASES]
    if options.json:
        for row in rows:
            print(json.dumps({**row, "kernel": kernel.mode(), "vocabulary": len(vocabulary)}))
        return
    print(f"{len(vocabulary):,} tokens, {kernel.mode()} kernel; microseconds")
    print("".join(f"{name:>13}" for name in rows[0]))
    for row in rows:
        print("".join(f"{value:13,.1f}" if isinstance(value, float) else f"{value:>13}" for value in row.values()))


if __name__ == "__main__":
    main()
