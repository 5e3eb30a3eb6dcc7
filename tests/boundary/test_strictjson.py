"""The strict reader against JSONTestSuite, the published vectors, and `json` on texts that both take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import data_path
import reference_json
from checkrail.boundary.strictjson import DEFAULT_MAX_VALUES, parse
from checkrail.errors import DocumentError

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
VECTORS = json.loads((CONFORMANCE / "strictjson.json").read_text("utf-8"))["cases"]
DECISIONS = json.loads((CONFORMANCE / "strictjson_decisions.json").read_text("utf-8"))["decisions"]


def outcome(data: bytes | str, **options: Any) -> str:
    try:
        parse(data, **options)
    except DocumentError as error:
        return error.code
    return "accept"


@pytest.fixture(scope="module")
def files() -> list[Path]:
    files = sorted((data_path.unpacked("json-parsing-test-suite.tar.xz") / "test_parsing").glob("*.json"))
    assert len(files) > 300
    return files


class TestJsonTestSuite:
    def test_every_file(self, files: list[Path]) -> None:
        wrong = []
        for file in files:
            got = outcome(file.read_bytes())
            if file.name in DECISIONS:
                agrees = got == DECISIONS[file.name]["decision"]
            else:
                agrees = (got == "accept") == (file.name[0] == "y")
            if not agrees:
                wrong.append((file.name, got))
        assert wrong == []

    def test_every_open_question_is_decided(self, files: list[Path]) -> None:
        undecided = {file.name for file in files if file.name[0] == "i"} - set(DECISIONS)
        assert undecided == set()
        assert set(DECISIONS) <= {file.name for file in files}

    def test_accepted_values_are_those_of_json(self, files: list[Path]) -> None:
        for file in files:
            data = file.read_bytes()
            if outcome(data) == "accept":
                assert reference_json.same(parse(data, big_integers=True).value, json.loads(data)), file.name

    def test_depth_is_an_option(self, files: list[Path]) -> None:
        deep = next(file for file in files if file.name == "i_structure_500_nested_arrays.json")
        assert outcome(deep.read_bytes(), max_depth=500) == "accept"


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_vector(case: dict[str, Any]) -> None:
    data: bytes | str = bytes.fromhex(case["hex"]) if "hex" in case else case["text"]
    options = case.get("options", {})
    if "code" not in case:
        assert reference_json.same(parse(data, **options).value, case["value"])
        assert reference_json.same(parse(case["text"].encode("utf-8"), **options).value, case["value"])
        return
    with pytest.raises(DocumentError) as caught:
        parse(data, **options)
    error = caught.value
    assert error.code == case["code"]
    if case["offset"] is None:
        assert error.position is None
    elif error.code == "JSON_ENCODING":
        assert error.params["offset"] == case["offset"]
    else:
        assert error.position is not None
        assert error.position.offset == case["offset"]


def test_a_str_with_half_a_surrogate_pair_is_refused() -> None:
    assert outcome('"\ud800"') == "JSON_SURROGATE"


def test_errors_say_where_and_what_was_expected() -> None:
    with pytest.raises(DocumentError) as caught:
        parse('{"a": [1,\n 2 3]}')
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (2, 4)
    assert caught.value.expected == ("','", "']'")
    with pytest.raises(DocumentError) as caught:
        parse('{"a/b": [{"x": 1, "x": 2}]}')
    assert caught.value.pointer == "/a~1b/0"
    with pytest.raises(DocumentError) as caught:
        parse('{"a/b": [1, 1e999]}')
    assert caught.value.pointer == "/a~1b/1"


@pytest.mark.parametrize(
    ("text", "what", "expected"),
    [
        ("01", "the number is malformed: no leading zeros, and digits after '.' and after 'e', found U+0031", ()),
        ("[1.]", "the number is malformed: no leading zeros, and digits after '.' and after 'e', found U+002E", ()),
        ("1e+", "the number is malformed: no leading zeros, and digits after '.' and after 'e', found U+0065", ()),
        ("1-1", "the number is malformed: no leading zeros, and digits after '.' and after 'e', found U+002D", ()),
        ("-", "a digit was expected after the minus sign, found the end of the text", ("a digit",)),
        ("[-x]", "a digit was expected after the minus sign, found U+0078", ("a digit",)),
        ("1x", "there is text after the value, found U+0078", ("the end of the text",)),
        ('{a":1}', "a key was expected, found U+0061", ("a string",)),
        ('{"a":1,}', "a key was expected, found U+007D", ("a string",)),
        ('{"a" 1}', "a colon was expected after the key, found U+0031", ("':'",)),
        ('{"a":1 "b"}', "the value is not followed by a comma or the closing bracket, found U+0022", ("','", "'}'")),
        ("[1}", "the value is not followed by a comma or the closing bracket, found U+007D", ("','", "']'")),
        ('"a', "the string that begins here does not end", ()),
        ('"\x01"', "a control character in a string must be escaped, found U+0001", ()),
        ('"\\u12g4"', "\\u must be followed by four hexadecimal digits", ()),
    ],
)
def test_messages(text: str, what: str, expected: tuple[str, ...]) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(text)
    assert caught.value.code == "JSON_SYNTAX"
    assert caught.value.params["what"] == what
    assert caught.value.expected == expected


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(json_values, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_reads_what_json_writes(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    document = parse(text)
    assert reference_json.same(document.value, value)
    for node in document.nodes():
        span, bytes_ = node.span, node.byte_span
        assert span is not None
        assert bytes_ is not None
        literal = text[slice(*span)]
        assert literal == node.literal == text.encode("utf-8")[slice(*bytes_)].decode("utf-8")
        assert literal == literal.strip(" \t\n\r")
        assert reference_json.same(json.loads(literal), node.value)
        assert reference_json.same(document.node(node.pointer).value, node.value)
        if isinstance(node.key, str):
            assert json.loads(node.name.literal or "") == node.key


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(
        [
            '{"a":[1,-2.5e3,"x\\n\\u00e9"],"b":{"a":null}}',
            '[true,false,null,0,0.1,1E-7,"\\ud83d\\ude00"]',
            '{"a":1,"\\u0062":9007199254740993}',
            ' [ [ ] , { } , "" ] ',
        ]
    ),
    st.lists(
        st.tuples(
            st.integers(0, 60), st.sampled_from(["delete", "insert"]), st.sampled_from('{}[],:"\\u0d8e1.-+ atn\n')
        ),
        max_size=4,
    ),
)
def test_mutated_texts_are_judged_as_a_second_reader_judges_them(text: str, edits: list[tuple[int, str, str]]) -> None:
    for at, action, character in edits:
        text = text[:at] + (text[at + 1 :] if action == "delete" else character + text[at:])
    try:
        expected = reference_json.read(text)
    except ValueError:
        assert outcome(text) != "accept", text
    else:
        assert reference_json.same(parse(text).value, expected)


def test_hostile_sizes_are_bounded() -> None:
    started = time.perf_counter()
    assert outcome("[" * 100_000) == "JSON_DEPTH"
    assert outcome('{"a":' * 100_000) == "JSON_DEPTH"
    assert outcome("[" * 100_000 + "]" * 100_000, max_depth=100_000) == "accept"  # no recursion at any depth
    assert outcome("1" * 1_000_000) == "JSON_NUMBER_LENGTH"
    assert outcome('"' + "\\n" * 200_000 + '"') == "accept"
    assert outcome("[" + " " * 1_000_000) == "JSON_SYNTAX"
    assert time.perf_counter() - started < 10


def test_the_default_size_is_32_mebibytes() -> None:
    assert outcome('"' + "x" * (2**25 - 2) + '"') == "accept"
    assert outcome('"' + "x" * (2**25 - 1) + '"') == "JSON_TOO_LARGE"


def test_the_default_number_of_values_is_half_a_million() -> None:
    assert outcome("[" + "0," * (DEFAULT_MAX_VALUES - 1) + "0]") == "JSON_TOO_MANY"
    assert DEFAULT_MAX_VALUES == 500_000
    assert outcome("[" + "0," * DEFAULT_MAX_VALUES + "0]", max_bytes=2**22) == "accept"  # small enough as it is


MILLION = """
import resource, time
from checkrail.boundary.strictjson import parse
from checkrail.errors import DocumentError
text = "{" + ",".join(f'"k{i}":{i}' for i in range(1_000_000)) + "}"
started = time.process_time()
try:
    parse(text)
except DocumentError as error:
    print(error.code, time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.skipif(not THOROUGH, reason="measures seconds and memory: CHECKRAIL_THOROUGH=1")
def test_a_million_keys_are_refused_in_bounded_time_and_memory() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", MILLION], env=environment, capture_output=True, text=True, check=True)
    code, seconds, mebibytes = done.stdout.split()
    assert code == "JSON_TOO_MANY"
    assert float(seconds) < 5  # about one on a machine that has nothing else to do
    assert int(mebibytes) < 512


def test_many_keys_cost_linear_time() -> None:
    def seconds(count: int) -> float:
        text = "{" + ",".join(f'"key {i}":{i}' for i in range(count)) + "}"
        started = time.perf_counter()
        assert len(parse(text)) == count + 1
        return time.perf_counter() - started

    seconds(1_000)
    small, large = min(seconds(5_000) for _ in range(3)), seconds(50_000)
    assert large < 60 * small + 0.2  # ten times the keys; quadratic would be a hundred
