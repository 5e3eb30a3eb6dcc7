"""Canonical JSON: the published vectors, two oracles, laws that hold for any value, and what is refused."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.boundary.canon import DEFAULT_MAX_DEPTH, digest, dumps
from checkrail.boundary.document import document_from_value
from checkrail.boundary.strictjson import parse
from checkrail.errors import DocumentError

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
FOLDER = Path(__file__).resolve().parents[2] / "conformance" / "canon"
VECTORS = json.loads((FOLDER / "vectors.json").read_text("utf-8"))
DOUBLES = json.loads((FOLDER / "doubles.json").read_text("utf-8"))
PUBLISHED = json.loads((FOLDER / "es6testfile.json").read_text("utf-8"))
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def refusal(value: Any, **options: Any) -> tuple[str, str | None]:
    """The code and the pointer of the error."""
    with pytest.raises(DocumentError) as caught:
        dumps(value, **options)
    assert str(caught.value).encode("utf-8")  # the message can be written, whatever the value holds
    return caught.value.code, caught.value.pointer


# --- published vectors


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_vector(case: dict[str, str]) -> None:
    document = parse(case["text"])
    assert dumps(document).decode("utf-8") == case["canonical"]
    assert dumps(document.value) == dumps(document)
    assert digest(document) == case["sha256"]


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["name"])
def test_refused_vector(case: dict[str, str]) -> None:
    with pytest.raises(DocumentError) as caught:
        dumps(parse(case["text"]))
    assert caught.value.code == case["code"]
    assert "pointer" not in case or caught.value.pointer == case["pointer"]


def test_digests_of_the_design() -> None:
    description = "One arithmetic expression: numbers, + - * / ^, parentheses, abs ceil floor round sqrt."
    expression = {"type": "string", "minLength": 1, "maxLength": 1024, "description": description}
    schema = {"type": "object", "required": ["expression"], "properties": {"expression": expression}}
    known = "ac54be5aa566dccde59b3017f97c987736d07ef9b14c7d5dd0ea8ece1c08bc59"
    assert digest({**schema, "additionalProperties": False}) == known
    assert digest({"expression": "2^10"}) == "3f448e6caae75b8365f54af916ac5955576ba692893fac7f90f6885d405c71a3"


# --- numbers


def from_bits(bits: int) -> float:
    value: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return value


def congruential() -> Iterator[float]:
    """The doubles of `many` in doubles.json."""
    state = 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        value = from_bits(state)
        if math.isfinite(value):
            yield value


def published() -> Iterator[int]:
    """Bits of the doubles in the file of 100 million numbers that RFC 8785 names; its first lines."""
    yield from (int(bits, 16) for bits in PUBLISHED["first"])
    yield from range(0x0010000000000000, 0x0010000000000000 + 2000)
    block = bytes(32)
    while True:
        block = hashlib.sha256(block).digest()
        for bits in struct.unpack("<4Q", block):
            if from_bits(bits) != 0.0 and math.isfinite(from_bits(bits)):
                yield bits


@pytest.mark.parametrize(("bits", "text"), DOUBLES["appendix_b"] + DOUBLES["doubles"])
def test_double(bits: str, text: str | None) -> None:
    value = from_bits(int(bits, 16))
    if text is None:
        assert refusal(value) == ("CANON_NUMBER", "")
    else:
        assert dumps(value).decode() == text


@pytest.mark.parametrize("many", DOUBLES["many"][: 2 if THOROUGH else 1], ids=lambda many: many["count"])
def test_many_doubles_as_javascript_writes_them(many: dict[str, Any]) -> None:
    found = hashlib.sha256()
    for _, value in zip(range(many["count"]), congruential(), strict=False):
        found.update(dumps(value) + b"\n")
    assert found.hexdigest() == many["sha256"]


@pytest.mark.parametrize("count", [1_000, 10_000, 100_000, 1_000_000] if THOROUGH else [1_000, 10_000])
def test_numbers_as_the_author_of_the_standard_published_them(count: int) -> None:
    found = hashlib.sha256()
    for _, bits in zip(range(count), published(), strict=False):
        found.update(b"%x,%b\n" % (bits, dumps(from_bits(bits))))
    assert found.hexdigest() == PUBLISHED["sha256"][str(count)]


@settings(max_examples=500)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_back(value: float) -> None:
    assert float(dumps(value)) == value
    assert dumps(value) == rfc8785.dumps(value)


# --- oracles and laws

characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from(
    '"\\/\n\t\x00\x1f\x7f é€\ue000\uffff\U00010000\U0001f600'
)
strings = st.text(characters, max_size=6)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | strings
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(strings, inner, max_size=6),
    max_leaves=25,
)


@settings(max_examples=200)
@given(values)
@example({"\U00010000": 1, "\ue000": 2, "": 3})
def test_as_the_other_library_writes_it(value: Any) -> None:
    assert dumps(value) == rfc8785.dumps(value)


@settings(max_examples=300)
@given(values)
@example(2.0**53)
@example([1e20, -0.0, -(2.0**60)])
def test_writing_what_was_read_changes_nothing(value: Any) -> None:
    written = dumps(value)
    document = parse(written)
    assert dumps(document) == written
    assert document.value == value
    assert digest(value) == hashlib.sha256(written).hexdigest()


@settings(max_examples=200)
@given(values, st.integers(0, 3), st.booleans())
def test_one_value_has_one_form(value: Any, indent: int, ascii_only: bool) -> None:
    respelled = json.dumps(reordered(value), indent=indent or None, ensure_ascii=ascii_only)
    assert dumps(parse(respelled)) == dumps(value)


def reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: reordered(value[name]) for name in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=100)
@given(values, values)
def test_different_values_have_different_forms(left: Any, right: Any) -> None:
    assert (dumps(left) == dumps(right)) == (plain(left) == plain(right))


def plain(value: Any) -> Any:
    """The value with its types, so that true is not 1, but with one type of number."""
    if isinstance(value, dict):
        return "object", {name: plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return "array", [plain(item) for item in value]
    return ("number", float(value)) if type(value) in (int, float) else value


NODE = """
const member = (name, value) => `${JSON.stringify(name)}:${form(value)}`;
const form = (v) => Array.isArray(v) ? `[${v.map(form).join(",")}]`
  : v && typeof v === "object" ? `{${[...v.keys()].sort().map((k) => member(k, v.get(k))).join(",")}}`
  : JSON.stringify(v);
const revive = (_, v) => v && typeof v === "object" && !Array.isArray(v) ? new Map(Object.entries(v)) : v;
const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\\n");
process.stdout.write(lines.map((line) => form(JSON.parse(line, revive))).join("\\n"));
"""


@needs_node
def test_as_javascript_writes_it() -> None:
    found: list[Any] = []

    @settings(max_examples=300)
    @given(values)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    lines = "\n".join(json.dumps(value) for value in found)
    done = subprocess.run(["node", "-e", NODE], input=lines.encode(), capture_output=True, check=True)
    assert done.stdout.split(b"\n") == [dumps(value) for value in found]


# --- what is taken


def test_tuples_are_arrays() -> None:
    assert dumps((1, [2, ()])) == b"[1,[2,[]]]"


def test_a_document_without_a_text_is_written_too() -> None:
    assert dumps(document_from_value({"b": 1, "a": (2,)})) == b'{"a":[2],"b":1}'


def test_the_order_of_names_is_that_of_code_units() -> None:
    names = ["\ud7ff", "\U00010000", "\U0010ffff", "\ue000", "\uffff"]
    assert list(json.loads(dumps(dict.fromkeys(reversed(names))))) == names
    assert sorted(names) != names  # not that of code points


def test_the_value_is_not_changed() -> None:
    value = {"b": [1, {"z": 0, "a": 0}], "a": 1}
    dumps(value)
    assert list(value) == ["b", "a"]
    assert list(value["b"][1]) == ["z", "a"]  # type: ignore[index]


# --- what is refused


class Text(str):
    """A subclass, which may behave as it likes."""


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (object(), ""),
        ([1, {"a/b": {1, 2}}], "/1/a~1b"),
        ({"a": b"bytes"}, "/a"),
        ([complex(1)], "/0"),
        ([Text("a")], "/0"),
        ({"a": {Text("b"): 1}}, "/a"),
        ({1: 2}, ""),
        ([{None: 2}], "/0"),
        ({"a": [{("x",): 2}]}, "/a/0"),
        ([[], iter([])], "/1"),
    ],
)
def test_what_is_no_json_is_refused(value: Any, pointer: str) -> None:
    assert refusal(value) == ("CANON_TYPE", pointer)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 2**53, -(2**53), 10**400])
def test_numbers_without_a_form_are_refused(number: float) -> None:
    assert refusal(number) == ("CANON_NUMBER", "")
    assert refusal({"a": [0, number]}) == ("CANON_NUMBER", "/a/1")


def test_an_integer_that_was_kept_exactly_is_refused() -> None:
    assert refusal(parse("[9007199254740993]", big_integers=True)) == ("CANON_NUMBER", "/0")


@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\ude00\ud83d"])
def test_halves_of_pairs_are_refused(text: str) -> None:
    assert refusal(["", text]) == ("CANON_SURROGATE", "/1")
    assert refusal([{"a": 1, text: 2}]) == ("CANON_SURROGATE", "/0")
    assert refusal({"a": {text: 2}}) == ("CANON_SURROGATE", "/a")


def nested(depth: int) -> Any:
    value: Any = 1
    for level in range(depth):
        value = {"a": value} if level % 2 else [value]
    return value


def test_depth_is_bounded() -> None:
    assert dumps(nested(DEFAULT_MAX_DEPTH)).count(b"[") == 16
    assert refusal(nested(DEFAULT_MAX_DEPTH + 1)) == ("CANON_DEPTH", "/0/a" * 16)
    assert refusal([[], [[]]], max_depth=2) == ("CANON_DEPTH", "/1/0")
    assert dumps([[], [], {}], max_depth=2) == b"[[],[],{}]"
    assert len(dumps(nested(100_000), max_depth=100_000)) == 50_000 * len("[]") + 50_000 * len('{"a":}') + 1


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append({"again": endless})
    assert refusal(endless)[0] == "CANON_DEPTH"


def test_size_is_bounded() -> None:
    assert dumps("€", max_bytes=5) == '"€"'.encode()
    assert refusal("€", max_bytes=4) == ("CANON_TOO_LARGE", "")
    assert refusal([1, [22]], max_bytes=6) == ("CANON_TOO_LARGE", "/1")
    assert refusal("x" * 5_000_000)[0] == "CANON_TOO_LARGE"


def test_one_list_in_many_places_ends_in_bounded_time() -> None:
    value: list[Any] = []
    for _ in range(DEFAULT_MAX_DEPTH - 1):
        value = [value, value]  # written out it would have four billion brackets
    started = time.perf_counter()
    assert refusal(value, max_bytes=500_000)[0] == "CANON_TOO_LARGE"
    assert time.perf_counter() - started < 5


def test_many_members_cost_little_more_than_linear_time() -> None:
    def seconds(count: int) -> float:
        value = {f"name {i * 7919 % count}": i for i in range(count)}
        started = time.perf_counter()
        dumps(value)
        return time.perf_counter() - started

    seconds(1_000)
    small, large = min(seconds(5_000) for _ in range(3)), seconds(50_000)
    assert large < 60 * small + 0.2
