"""What `run_vectors.py` runs: for each family of vectors in `conformance/`, its cases as this library answers them.

Standard library only, and only those modules of the library that are pure Python. To add a family: a function that
yields for each case its name, what was expected and what was found, and a line in `SUITES`. `DIGESTS` are results that
no file holds and that must be the same in every Python. What decodes is in `decoding_suites.py`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping

import decoding_suites
import reinsert_suites
from vector_files import LCG, Case, bits_of, code_of, double, read


def calc_cases() -> Iterator[Case]:
    """Expressions and their results in canonical JSON."""
    for case in read("calc/vectors.json")["cases"]:
        yield case["expression"][:40], case["canonical"], _calculated(case["expression"])


def _calculated(expression: str) -> str:
    """The result in canonical JSON."""
    from checkrail.boundary.calc.calculator import calc
    from checkrail.boundary.canon import dumps

    return dumps(calc(expression).to_json()).decode()


def power_cases() -> Iterator[Case]:
    """Powers, bit by bit."""
    from checkrail.boundary.calc.power import power

    for base, exponent, expected in read("calc/powers.json")["cases"]:
        yield f"{base} ^ {exponent}", expected, bits_of(power(double(base), double(exponent)))


def strictjson_cases() -> Iterator[Case]:
    """Texts and what the strict reader makes of them."""
    from checkrail.boundary.strictjson import parse
    from checkrail.errors import DocumentError

    for case in read("strictjson.json")["cases"]:
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

    for case in read("canon/vectors.json")["cases"]:
        document = parse(case["text"])
        found = dumps(document).decode("utf-8"), digest(document)
        yield case["name"], (case["canonical"], case["sha256"]), found
    for case in read("canon/vectors.json")["refused"]:
        text = case["text"]
        yield case["name"], case["code"], code_of(lambda text=text: dumps(parse(text)).decode("utf-8"))  # type: ignore[misc]  # a default fixes the text
    for bits, text in read("canon/doubles.json")["doubles"]:
        yield bits, text, dumps(double(bits)).decode("ascii")


def span_cases() -> Iterator[Case]:
    """Values and where they stand in a document."""
    from checkrail.boundary.validate import check_output

    for case in read("spans.json")["cases"]:
        marked = case["document"]
        document = marked.replace("⟦", "").replace("⟧", "")
        schema = {"type": "string", "x-source": case["rule"]}
        report = check_output(json.dumps(case["value"]), schema, documents={"document": document})
        if "code" in case:
            yield case["name"], [case["code"]], [fault.code for fault in report.faults]
        else:
            expected = [(marked.index("⟦"), marked.index("⟧") - 1, case["match"], case["occurrences"])]
            yield case["name"], expected, [(s.start, s.end, s.match, s.occurrences) for s in report.spans]


def validate_cases() -> Iterator[Case]:
    """Values under schemas: whether they are valid, and where they are not."""
    from checkrail.boundary.validate import check_output

    for case in read("validate.json")["cases"]:
        report = check_output(case["text"], case["schema"])
        name = f"{case['text']} under {json.dumps(case['schema'])}"[:80]
        yield name, case["valid"], report.ok
        if "faults" in case:
            found = {(fault.pointer, fault.schema_pointer) for fault in report.faults}
            yield f"faults of {name}", case["faults"], sorted(map(list, found))


def display_cases() -> Iterator[Case]:
    """Texts as they are shown."""
    from checkrail.boundary.display.terminal import rows
    from checkrail.boundary.display.visible_text import visible

    for case in read("display.json")["cases"]:
        yield ascii(case["text"]), case["spans"], [[span.kind, span.text] for span in visible(case["text"])]
    for case in read("display.json")["words"]:
        notes = {span.text: span.note.partition(": ")[0] for span in visible(case["text"]) if span.note}
        yield ascii(case["text"]), case["reason"], notes.get(case["word"])
    for text in read("display.json")["plain"]:
        yield ascii(text)[:40], ["text"], [span.kind for span in visible(text)]
    for case in read("display.json")["rows"]:
        yield ascii(case["text"]), case["rows"], rows(visible(case["text"]), **case.get("options", {}))


def evidence_cases() -> Iterator[Case]:
    """Lines of evidence: read, written again, and refused."""
    from checkrail.boundary.evidence.record import read_line, write_line

    before = b""
    for number, line in enumerate(read("evidence.json")["lines"]):
        record, chain = read_line(line.encode())
        yield f"line {number}", line, write_line(record, before).decode()
        yield f"chain {number}", json.loads(line)["chain"], str(chain)
        before = line.encode()
    for number, line in enumerate(read("evidence.json")["refused"]):
        try:
            read_line(line.encode())
            found = "a record"
        except ValueError:
            found = "refused"
        yield f"refused {number}", "refused", found


def manifest_cases() -> Iterator[Case]:
    """Manifests of tools and their hashes."""
    from checkrail.boundary.tools.manifest import Manifest

    cases = read("manifest.json")["cases"]
    for number, case in enumerate(cases):
        yield f"manifest {number}", case["sha256"], Manifest.from_json(case["manifest"]).sha256
    for case in read("manifest.json")["refused"]:
        data = {**cases[0]["manifest"], **case["change"]}
        yield ascii(case["change"])[:60], case["code"], code_of(lambda data=data: Manifest.from_json(data).sha256)  # type: ignore[misc]  # as above


# --- results that no file holds


def random_expressions() -> Iterator[str]:
    """Results of 5,000 expressions out of a linear congruential generator."""
    numbers = ["1", "2.5", "0.1", "3e-9", "7", "1e150", "9", "0"]
    operators = ["+", "-", "*", "/", "^", "^-"]
    state = 1
    for _ in range(5_000):
        words = []
        for position in range(9):
            state = (state * LCG[0] + LCG[1]) % 2**64
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
            state = (state * LCG[0] + LCG[1]) % 2**64
            pair.append(state >> 11)
        base = math.ldexp(pair[0] + 1, pair[1] % 80 - 93)
        yield bits_of(power(base, (pair[1] - 2**52) * 2.0**-45))


def catalogue() -> Iterator[str]:
    """Every row of the failure catalogue."""
    from checkrail.errors import CATALOGUE

    for code, row in sorted(CATALOGUE.items()):
        yield f"{code}\t{row!r}"


SUITES: Mapping[str, Callable[[], Iterable[Case]]] = {
    "calc": calc_cases,
    "calc-powers": power_cases,
    "canon": canon_cases,
    "det_exp": decoding_suites.det_exp_cases,
    "display": display_cases,
    "evidence": evidence_cases,
    "manifest": manifest_cases,
    "reinsert": reinsert_suites.reinsert_cases,
    "replay": decoding_suites.replay_cases,
    "sampler": decoding_suites.sampler_cases,
    "spans": span_cases,
    "stop_strings": decoding_suites.stop_cases,
    "stream": decoding_suites.stream_cases,
    "strictjson": strictjson_cases,
    "utf8": decoding_suites.utf8_cases,
    "validate": validate_cases,
}
DIGESTS: Mapping[str, Callable[[], Iterable[str]]] = {
    "calc": random_expressions,
    "calc-powers": random_powers,
    "errors": catalogue,
    "masks": decoding_suites.schema_masks,
    "replay": decoding_suites.replayed,
}
