"""The suites of `run_vectors.py` for decoding: text, sampling, events, and whole runs under a grammar."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from vector_files import LCG, Case, bits_of, double, read


def utf8_cases() -> Iterator[Case]:
    """Bytes in pieces, and the text after each."""
    from checkrail.decoding.utf8 import Utf8Buffer

    for number, vector in enumerate(read("utf8.json")["vectors"]):
        buffer = Utf8Buffer()
        found = [buffer.push(bytes.fromhex(chunk)) for chunk in vector["chunks"]]
        yield f"stream {number}", [*vector["emit"], vector["flush"]], [*found, buffer.flush()]


def stop_cases() -> Iterator[Case]:
    """Text in pieces, and what is given out before a stop string."""
    from checkrail.decoding.stop_strings import StopStrings

    for number, case in enumerate(read("stop_strings.json")["cases"]):
        stops = StopStrings(case["stop"])
        given: list[str] = []
        found = None
        for piece in case["pieces"]:
            text, found, _ = stops.push(piece)
            given.append(text)
            if found is not None:
                break
        rest = "" if found is not None else stops.flush()
        yield f"stream {number}", (case["given"], case["rest"], case["found"]), (given, rest, found)


def det_exp_cases() -> Iterator[Case]:
    """Exponentials, bit by bit."""
    from checkrail.decoding.det_exp import det_exp

    data = read("det_exp.json")
    for vector in data["vectors"]:
        yield vector["in"], vector["out"], bits_of(det_exp(double(vector["in"])))
    many, state, digest = data["many"], 1, hashlib.sha256()
    for number in range(many["count"]):
        state = (state * many["a"] + many["c"]) % 2**64
        score = -(state >> 11) * 2.0**-53 * (750.0 if number % 2 else 30.0)
        digest.update(struct.pack("<d", det_exp(score)))
    yield f"{many['count']} scores", many["sha256_le"], digest.hexdigest()


def sampler_cases() -> Iterator[Case]:
    """Random numbers and whole draws."""
    from checkrail.decoding.plain_sampler import PlainSampler
    from checkrail.decoding.randomness import Randomness
    from checkrail.decoding.sampling import Sampling

    data = read("sampler.json")
    for vector in data["uniform"]:
        found = Randomness(bytes.fromhex(vector["key"])).uniform(int(vector["step"]))
        yield f"number {vector['step']}", vector["u"], bits_of(found)
    for vector in data["seeds"]:
        yield f"seed {vector['seed']}", vector["key"], Randomness.from_seed(vector["seed"]).seal().hex()
    for number, case in enumerate(data["draws"]):
        parameters: dict[str, Any] = {
            name: double(value) if type(value) is str and len(value) == 16 else value
            for name, value in case["parameters"].items()
        }
        logits = [double(score) for score in case["logits"]]
        sizes = {"logits_width": len(logits), "vocabulary_size": case["size"]}
        sampler = PlainSampler(Sampling(**parameters), key=bytes.fromhex(data["key"]), **sizes)
        yield f"draw {number}", case["result"], _drawn(sampler, logits, case)


def _drawn(sampler: Any, logits: list[float], case: Mapping[str, Any]) -> dict[str, Any]:
    from checkrail.errors import Error

    row = None if case["allowed"] is None else _row(case["allowed"], case["size"])
    try:
        draw = sampler.sample(logits, row, case["history"], eos_ids=case["eos"], accepting=case["accepting"])
    except Error as error:
        return {"error": error.code}
    return {"token": draw.token, "probability": bits_of(draw.probability)}


def _row(allowed: Iterable[int], size: int) -> memoryview:
    """A row of a bitmask."""
    bits = sum(1 << i for i in allowed if i < size)
    words = (size + 31) // 32
    data = b"".join((bits >> 32 * word & 0xFFFFFFFF).to_bytes(4, "little") for word in range(words))
    return memoryview(struct.pack(f"={words}I", *struct.unpack(f"<{words}I", data))).cast("I")


def stream_cases() -> Iterator[Case]:
    """Events and their line on the wire."""
    from checkrail.decoding.stream import Delta, End, Notice, Progress, Start, Usage

    kinds: Mapping[str, Any] = {kind.type: kind for kind in (Start, Delta, Progress, Notice, End)}
    for case in read("stream.json")["cases"]:
        fields = dict(case["event"])
        kind = kinds[fields.pop("type")]
        if kind is not End:
            fields.pop("complete")
        if "usage" in fields:
            fields["usage"] = Usage(**fields["usage"])
        fields |= fields.pop("params", {})
        yield case["line"][:60], case["line"], kind(**fields).to_json()


def replay_cases() -> Iterator[Case]:
    """Whole runs under a grammar."""
    from checkrail import Grammar, Vocabulary, compile

    data = read("replay.json")
    scenes = {}
    for scene in data["scenes"]:
        tokens = [None if token is None else bytes.fromhex(token) for token in scene["vocabulary"]]
        vocabulary = Vocabulary.from_bytes(tokens, eos=len(tokens) - 1)
        scenes[scene["name"]] = compile(Grammar.from_gbnf(scene["grammar"]), vocabulary)
    for number, case in enumerate(data["runs"]):
        found = played(scenes[case["scene"]], bytes.fromhex(case["key"]), case["sampling"], case["max_tokens"])
        yield f"run {number}", (case["ids"], bytes.fromhex(case["text"]).decode("utf-8", "ignore"), case["end"]), found


class _Scores:
    """A model whose scores depend on the position alone; `replay.json` says how."""

    def __init__(self, key: bytes, count: int) -> None:
        self._key, self._count = key, count

    def logits(self, ids: Any, /) -> list[float]:
        """The scores after `ids`."""
        digest = hashlib.sha256(self._key + b"logits" + struct.pack(">Q", len(ids))).digest()
        state, scores = int.from_bytes(digest[:8], "big"), []
        for _ in range(self._count):
            state = (state * LCG[0] + LCG[1]) % 2**64
            scores.append(((state >> 11) * 2.0**-53 - 0.5) * 24.0)
        return scores


def played(constraint: Any, key: bytes, sampling: Mapping[str, Any], most: int, kind: Any = None) -> Any:
    """A run: its ids, its text, and how it ended. kind: of sampler, the plain one by default."""
    from checkrail.decoding.loop import decode
    from checkrail.decoding.plain_sampler import PlainSampler
    from checkrail.decoding.run import Run
    from checkrail.decoding.sampling import Sampling
    from checkrail.decoding.stream import Delta

    vocabulary, run = constraint.vocabulary, Run("r")
    sizes = {"logits_width": vocabulary.size, "vocabulary_size": vocabulary.size}
    sampler = (kind or PlainSampler)(Sampling(**sampling), key=key, **sizes)
    model = _Scores(key, vocabulary.size)
    events = decode(model, [], constraint.matcher(), sampler, vocabulary=vocabulary, max_tokens=most, run=run)
    text = "".join(event.text for event in events if isinstance(event, Delta))
    end = run.end
    assert end is not None
    return run.token_ids, text, end.code if end.stop in ("failed", "dead_end") else end.stop


JSON = r"""
root ::= value
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" (string ":" value ("," string ":" value)*)? "}"
array ::= "[" (value ("," value)*)? "]"
string ::= "\"" [abé€]* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,5}) ("." [0-9]{1,3})?
"""
JSON_TOKENS = ['{"', '":', '","', '"}', "[[", "]]", "],[", "true", "null", "12", "ab", "a€", '{"a":', "1.5"]


WAYS: list[dict[str, Any]] = [
    {"temperature": 1.0},
    {"temperature": 2.0, "top_p": 0.9},
    {"temperature": 0.7, "min_p": 0.01, "repetition_penalty": 1.1},
    {},
]


def replayed(steps: int = 1_500) -> Iterator[str]:
    """The ids of random runs under a grammar that nests, until `steps` tokens were generated."""
    from checkrail import Grammar, Vocabulary, compile

    single = sorted({byte for character in '{}[]:,"-.0123456789abtruefalsn' + "é€" for byte in character.encode()})
    tokens: list[bytes | None] = [*(bytes([byte]) for byte in single), *(text.encode() for text in JSON_TOKENS), None]
    constraint = compile(Grammar.from_gbnf(JSON), Vocabulary.from_bytes(tokens, eos=len(tokens) - 1))
    made = number = 0
    while made < steps:
        key = hashlib.sha256(b"replay" + struct.pack(">Q", number)).digest()
        ids, _, end = played(constraint, key, WAYS[number % len(WAYS)], 60)
        yield f"{ids} {end}"
        made += len(ids) + 1
        number += 1


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["red", "reddish", "blue"]},
        "when": {"type": "string", "format": "date"},
        "code": {"type": "string", "pattern": "^[a-f]{2,5}$"},
        "size": {"type": "integer", "minimum": -5, "maximum": 120},
        "tags": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
        "next": {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
    },
    "required": ["kind", "when", "code", "size", "tags", "next"],
    "additionalProperties": False,
}


def schema_masks() -> Iterator[str]:
    """What became of each keyword of a schema, and each mask along a text."""
    from checkrail import Grammar, Vocabulary, compile

    grammar = Grammar.from_json_schema(SCHEMA)
    yield repr(grammar.coverage)
    tokens = [*(bytes([byte]) for byte in range(256)), *(text.encode() for text in JSON_TOKENS), None]
    vocabulary = Vocabulary.from_bytes(tokens, eos=len(tokens) - 1)
    matcher = compile(grammar, vocabulary).matcher()
    inner = '{"kind": "blue", "when": "2024-02-29", "code": "abcde", "size": -3, "tags": [true, false], "next": null}'
    row = memoryview(bytearray(4 * ((vocabulary.size + 31) // 32))).cast("i")
    for byte in inner.replace("null", inner).encode():
        matcher.fill_next_token_bitmask(row)
        yield row.tobytes().hex()
        if not matcher.accept_token(byte):
            yield f"refused {byte}"
            return
    yield str(matcher.is_completed())
