"""Write the vector files of this folder again: `python conformance/generate.py` from the root of the checkout.

They let a port (another language, another platform) check itself without this package. The vectors do not come
from the code that they test: `det_exp.json`, `sampler.json` and `replay.json` are computed by the reference sampler of
the tests, in plain Python with exact fractions; `stop_strings.json` by trying everything; `utf8.json` by CPython's own
decoder; `validate.json`, `manifest.json`, `evidence.json` and `stream.json` by other libraries. All are deterministic.

Doubles are written as 16 hexadecimal digits, the IEEE 754 bits, big-endian.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE)]

import records  # noqa: E402
import replay  # noqa: E402

import reference_sampler  # noqa: E402  (the paths above make them importable)
import reference_stop_strings  # noqa: E402
import reference_utf8  # noqa: E402

LCG = (6364136223846793005, 1442695040888963407)
SPECIAL = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308]


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def exp_inputs(count: int) -> list[float]:
    """state = (state * a + c) mod 2**64 from 1; the value is -(state >> 11) * 2**-53 * (30 or 750, in turns)."""
    values, state = [], 1
    for i in range(count):
        state = (state * LCG[0] + LCG[1]) % 2**64
        values.append(-(state >> 11) * 2.0**-53 * (750.0 if i % 2 else 30.0))
    return values


def exp_file() -> dict[str, Any]:
    edges = [0.0, -0.0, -1e-300, -0.5, -1.0, -2.0, -0.34657359027997264, -708.5, -744.5, -745.0, -746.0]
    edges.append(float("-inf"))
    inputs = exp_inputs(200_000)
    outputs = [reference_sampler.exp(s) for s in inputs]
    digest = hashlib.sha256(b"".join(struct.pack("<d", w) for w in outputs)).hexdigest()
    return {
        "format": "checkrail/det_exp/1",
        "about": "the exponential of the sampler, bit by bit",
        "vectors": [{"in": bits(s), "out": bits(reference_sampler.exp(s))} for s in edges + inputs[:50]],
        "many": {"how": exp_inputs.__doc__, "a": LCG[0], "c": LCG[1], "count": len(inputs), "sha256_le": digest},
    }


def uniform_vectors() -> list[dict[str, Any]]:
    keys = [bytes(32), bytes(range(32)), hashlib.sha256(b"seed/1\x0042").digest()]
    steps = [0, 1, 2, 1000, 2**32, 2**64 - 1]
    return [{"key": k.hex(), "step": str(t), "u": bits(reference_sampler.uniform(k, t))} for k in keys for t in steps]


def sample_case(random: Random) -> dict[str, Any]:
    size = random.randint(1, 8)
    logits = [random.choice(SPECIAL) if random.random() < 0.1 else round(random.gauss(0, 3), 1) for _ in range(size)]
    parameters: dict[str, Any] = {"temperature": random.choice([0.0, 5e-324, 0.1, 0.7, 1.0, 1.0, 2.5, 1e300])}
    options: dict[str, list[Any]] = {
        "top_k": [1, 2, 3, 100],
        "top_p": [5e-324, 0.1, 0.5, 0.9, 1 - 2**-53],
        "min_p": [0.05, 0.5, 1.0],
        "repetition_penalty": [0.5, 1.3, 5e-324],
        "presence_penalty": [-1.5, 0.4],
        "frequency_penalty": [-0.5, 0.4],
        "repetition_window": [1, 3],
        "min_tokens": [2, 10],
        "forbidden": [[0], [0, 1], list(range(size))],
        "nan_policy": ["logit_zero", "fail"],
        "inf_policy": ["fail"],
    }
    parameters |= {name: random.choice(values) for name, values in options.items() if random.random() < 0.25}
    if "forbidden" in parameters:
        parameters["forbidden"] = [i for i in parameters["forbidden"] if i < size]
    return {
        "logits": logits,
        "size": random.randint(1, size) if random.random() < 0.2 else size,
        "allowed": None if random.random() < 0.3 else [i for i in range(size) if random.random() < 0.7],
        "history": [random.randrange(size) for _ in range(random.randint(0, 6))],
        "accepting": random.random() < 0.3,
        "parameters": parameters,
    }


def run_case(case: dict[str, Any], key: bytes) -> dict[str, Any]:
    eos = [case["size"] - 1]
    result = reference_sampler.sample(
        case["logits"],
        case["allowed"],
        case["history"],
        size=case["size"],
        key=key,
        eos=eos,
        accepting=case["accepting"],
        **case["parameters"],
    )
    if "probability" in result:
        result["probability"] = bits(result["probability"])
    numbers = {n: bits(v) if isinstance(v, float) else v for n, v in case["parameters"].items()}
    return {**case, "logits": [bits(z) for z in case["logits"]], "parameters": numbers, "eos": eos, "result": result}


def sampler_file() -> dict[str, Any]:
    random, key = Random(20261129), bytes(range(32))
    return {
        "format": "checkrail/sampler/1",
        "about": "random numbers and whole draws of the sampler; doubles are IEEE bits in hexadecimal, big-endian",
        "uniform": uniform_vectors(),
        "seeds": [
            {"seed": seed, "key": hashlib.sha256(b"seed/1\0" + str(seed).encode()).hexdigest()} for seed in (0, 1, -7)
        ],
        "key": key.hex(),
        "draws": [run_case(sample_case(random), key) for _ in range(600)],
    }


def utf8_file() -> dict[str, Any]:
    random = Random(20261130)
    texts = ["", "plain", "é", "€uro", "日本語", "😀👩‍💻", "\ufffd\ufeff", "a\u0301", "\U0010ffff\x00\x7f"]
    borders = bytes.fromhex("41808f909fa0bfc0c1c2dfe0edeff0f4f5ff")
    streams = [t.encode() for t in texts] + [
        bytes(random.choice(borders) for _ in range(random.randint(1, 9))) for _ in range(200)
    ]
    vectors = []
    for data in streams:
        cuts = sorted(random.randint(0, len(data)) for _ in range(random.randint(0, 3)))
        chunks = [data[i:j] for i, j in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        *emit, flush = reference_utf8.decode(chunks)
        vectors.append({"chunks": [c.hex() for c in chunks], "emit": emit, "flush": flush})
    about = "bytes in pieces (hexadecimal) -> text after each piece, then at the end"
    return {"format": "checkrail/utf8/1", "about": about, "vectors": vectors}


def stop_strings_file() -> dict[str, Any]:
    random = Random(20261202)
    cases = []
    for number in range(150):
        letters = "ab" if number % 2 else "a€😀\n"
        stops = ["".join(random.choices(letters, k=random.randint(1, 4))) for _ in range(random.randint(1, 3))]
        pieces = ["".join(random.choices(letters, k=random.randint(0, 3))) for _ in range(random.randint(1, 6))]
        if random.random() < 0.5:  # a stop string across borders, sooner than chance brings one
            stop, at = random.choice(stops), random.randint(0, len(pieces))
            cut = random.randint(0, len(stop))
            pieces[at:at] = [stop[:cut], stop[cut:]]
        given, rest, found = reference_stop_strings.stream(stops, pieces)
        cases.append({"stop": stops, "pieces": pieces, "given": given, "rest": rest, "found": found})
    about = "text in pieces -> text after each piece up to the stop string that is found, else also at the end"
    return {"format": "checkrail/stop_strings/1", "about": about, "cases": cases}


def files() -> dict[str, str]:
    """Name -> content of each vector file."""
    made = {
        "det_exp.json": exp_file(),
        "evidence.json": records.evidence_file(),
        "manifest.json": records.manifest_file(),
        "replay.json": replay.file(),
        "sampler.json": sampler_file(),
        "stop_strings.json": stop_strings_file(),
        "stream.json": records.stream_file(),
        "utf8.json": utf8_file(),
        "validate.json": records.validate_file(),
    }
    return {name: _lines(data) for name, data in made.items()}


def _lines(data: dict[str, Any]) -> str:
    """JSON with one vector a line, so that a change shows as few changed lines."""
    parts = []
    for name, value in data.items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row, ensure_ascii=True) for row in value)
            parts.append(f" {json.dumps(name)}: [\n{rows}\n ]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=True)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for name, content in files().items():
        (HERE / name).write_text(content, encoding="utf-8")
        print(f"wrote {name}: {len(content)} bytes")
