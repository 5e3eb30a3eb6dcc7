"""Run the vector files of `conformance/` on the modules that must give the same everywhere.

python tools/run_vectors.py [SUITE ...]         in this Python
node tools/pyodide_vectors.mjs [SUITE ...]      the same in Pyodide, Python compiled to WebAssembly

Standard library only, and it imports only what is pure Python. `SUITES` is where a module is added: a function that
yields, for each case, its name, what was expected and what was found. It prints one JSON object; `digests` are of
results that no file holds and that must be the same in every Python. The exit status is 1 if a case fails.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "conformance"

Case = tuple[str, object, object]


def _cases(name: str, part: str = "cases") -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))[part]


def _double(bits: str) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return value


def _bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def calc_cases() -> Iterator[Case]:
    """Expressions and their results in canonical JSON."""
    for case in _cases("calc/vectors.json"):
        yield case["expression"][:40], case["canonical"], _calculated(case["expression"])


def _calculated(expression: str) -> str:
    """The result in canonical JSON."""
    from checkrail.boundary.calc.calculator import calc
    from checkrail.boundary.canon import dumps

    return dumps(calc(expression).to_json()).decode()


def power_cases() -> Iterator[Case]:
    """Powers, bit by bit."""
    from checkrail.boundary.calc.power import power

    for base, exponent, expected in _cases("calc/powers.json"):
        yield f"{base} ^ {exponent}", expected, _bits(power(_double(base), _double(exponent)))


def strictjson_cases() -> Iterator[Case]:
    """Texts and what the strict reader makes of them."""
    from checkrail.boundary.strictjson import parse
    from checkrail.errors import DocumentError

    for case in _cases("strictjson.json"):
        data = bytes.fromhex(case["hex"]) if "hex" in case else case["text"]
        expected = (case["code"], case["offset"]) if "code" in case else repr(case["value"])
        found: object
        try:
            found = repr(parse(data, **case.get("options", {})).value)
        except DocumentError as error:
            at = error.params.get("offset", None if error.position is None else error.position.offset)
            found = error.code, at
        yield case["name"], expected, found


def canon_cases() -> Iterator[Case]:
    """Texts and doubles, and their canonical form."""
    from checkrail.boundary.canon import digest, dumps
    from checkrail.boundary.strictjson import parse
    from checkrail.errors import DocumentError

    for case in _cases("canon/vectors.json"):
        document = parse(case["text"])
        found = dumps(document).decode("utf-8"), digest(document)
        yield case["name"], (case["canonical"], case["sha256"]), found
    for case in _cases("canon/vectors.json", "refused"):
        try:
            code = dumps(parse(case["text"])).decode("utf-8")
        except DocumentError as error:
            code = error.code
        yield case["name"], case["code"], code
    for bits, text in _cases("canon/doubles.json", "doubles"):
        yield bits, text, dumps(_double(bits)).decode("ascii")


def span_cases() -> Iterator[Case]:
    """Values and where they stand in a document."""
    from checkrail.boundary.validate import check_output

    for case in _cases("spans.json"):
        marked = case["document"]
        document = marked.replace("⟦", "").replace("⟧", "")
        schema = {"type": "string", "x-source": case["rule"]}
        report = check_output(json.dumps(case["value"]), schema, documents={"document": document})
        if "code" in case:
            yield case["name"], [case["code"]], [fault.code for fault in report.faults]
        else:
            expected = [(marked.index("⟦"), marked.index("⟧") - 1, case["match"], case["occurrences"])]
            yield case["name"], expected, [(s.start, s.end, s.match, s.occurrences) for s in report.spans]


def utf8_cases() -> Iterator[Case]:
    """Bytes in pieces, and the text after each."""
    from checkrail.decoding.utf8 import Utf8Buffer

    for number, vector in enumerate(_cases("utf8.json", "vectors")):
        buffer = Utf8Buffer()
        found = [buffer.push(bytes.fromhex(chunk)) for chunk in vector["chunks"]]
        yield f"stream {number}", [*vector["emit"], vector["flush"]], [*found, buffer.flush()]


def random_expressions() -> Iterator[str]:
    """Results of 5,000 expressions out of a linear congruential generator."""
    numbers = ["1", "2.5", "0.1", "3e-9", "7", "1e150", "9", "0"]
    operators = ["+", "-", "*", "/", "^", "^-"]
    state = 1
    for _ in range(5_000):
        words = []
        for position in range(9):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            choices = operators if position % 2 else numbers
            words.append(choices[(state >> 33) % len(choices)])
        yield _calculated("".join(words))


def random_powers() -> Iterator[str]:
    """20,000 powers of doubles out of the same generator."""
    from checkrail.boundary.calc.power import power

    state = 1
    for _ in range(20_000):
        pair = []
        for _ in range(2):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            pair.append(state >> 11)
        base = math.ldexp(pair[0] + 1, pair[1] % 80 - 93)
        yield _bits(power(base, (pair[1] - 2**52) * 2.0**-45))


SUITES: Mapping[str, Callable[[], Iterable[Case]]] = {
    "calc": calc_cases,
    "calc-powers": power_cases,
    "canon": canon_cases,
    "spans": span_cases,
    "strictjson": strictjson_cases,
    "utf8": utf8_cases,
}
DIGESTS: Mapping[str, Callable[[], Iterable[str]]] = {"calc": random_expressions, "calc-powers": random_powers}


def run(names: Iterable[str] = ()) -> dict[str, Any]:
    """The account of some suites, or of all: how many cases, which failed, and the digests."""
    suites: dict[str, Any] = {}
    digests: dict[str, str] = {}
    for name in names or SUITES:
        cases = list(SUITES[name]())
        failed = [f"{case}: {found!r}, expected {wanted!r}" for case, wanted, found in cases if wanted != found]
        suites[name] = {"cases": len(cases), "failed": failed}
        if name in DIGESTS:
            digests[name] = hashlib.sha256("\n".join(DIGESTS[name]()).encode()).hexdigest()
    return {"python": platform.python_version(), "platform": sys.platform, "suites": suites, "digests": digests}


def main(names: list[str]) -> int:
    """Run and print."""
    sys.path.insert(0, str(ROOT / "src"))
    account = run(names)
    print(json.dumps(account))
    return int(any(suite["failed"] for suite in account["suites"].values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
