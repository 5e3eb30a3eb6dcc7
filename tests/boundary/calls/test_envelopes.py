"""Envelopes: every field and bound, and bytes that are read as strictly as they are written."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import toy_tools
from checkrail.boundary.calls.composition import Adapter, Composition
from checkrail.boundary.calls.envelope_schemas import REQUEST, RESULT
from checkrail.boundary.calls.envelopes import (
    Failed,
    Origin,
    Standing,
    Timing,
    ToolRef,
    ToolRequest,
    ToolResult,
)
from checkrail.boundary.canon import digest, dumps
from checkrail.boundary.tools.limits import ToolLimits
from checkrail.boundary.worker.isolation import Isolation
from checkrail.errors import ToolError

ZEROS = "0" * 64
REF = ToolRef("notes.append", "1.0.0", ZEROS, ZEROS)
COMPOSITION = toy_tools.composition(adapters=(Adapter("lora", ZEROS, 0.5),))
ARGUMENTS = {"text": "buy milk"}
ORIGIN = Origin("model", ZEROS, (0, 40))
REQUEST_FIELDS: dict[str, Any] = {
    "request_id": "tr_" + "0" * 26,
    "session_id": "ts_" + "z" * 26,
    "sequence": 1,
    "turn": 0,
    "tool": REF,
    "capability": "write",
    "arguments": ARGUMENTS,
    "arguments_sha256": digest(ARGUMENTS),
    "composition": COMPOSITION,
    "composition_sha256": COMPOSITION.sha256,
    "authority": Standing("auto_pure", True, ("doc:mail",), 1),
    "origin": ORIGIN,
    "limits": ToolLimits().effective("write"),
    "created_unix_ms": 1_800_000_000_000,
    "expires_unix_ms": 1_800_000_120_000,
}
SAMPLE = ToolRequest(**REQUEST_FIELDS)
COPIED: dict[str, Any] = {
    "request_id": SAMPLE.request_id,
    "session_id": SAMPLE.session_id,
    "tool": REF,
    "arguments_sha256": SAMPLE.arguments_sha256,
    "composition_sha256": SAMPLE.composition_sha256,
}
DONE = ToolResult(
    **COPIED,
    state="done",
    effects="completed",
    result={"line": 1},
    result_sha256=digest({"line": 1}),
    isolation=Isolation(landlock_abi=7, rlimits=True),
    timing=Timing(1, 2, 3),
)
FAILED = ToolResult(
    **COPIED,
    state="failed",
    effects="unknown",
    error=Failed("NOTES_FULL", "Full.", {"limit": 500, "day": "mon"}, "/text"),
)
ENVELOPES = [(SAMPLE, REQUEST.schema), (DONE, RESULT.schema), (FAILED, RESULT.schema)]


def fields(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every member of every object of an envelope, except those of the arguments and the result."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            if key not in ("arguments", "result", "params"):
                yield from fields(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from fields(inner, (*path, index))


def changed(envelope: Any, path: tuple[Any, ...], change: Any) -> bytes:
    """Canonical bytes of the envelope after `change(container, key)` at the path."""
    data = json.loads(envelope.to_bytes())
    place = data
    for step in path[:-1]:
        place = place[step]
    change(place, path[-1])
    return dumps(data)


@pytest.mark.parametrize(("envelope", "schema"), ENVELOPES)
def test_there_and_back(envelope: Any, schema: Any) -> None:
    data = envelope.to_bytes()
    assert type(envelope).from_bytes(data) == envelope
    assert type(envelope).from_bytes(data).to_bytes() == data == dumps(json.loads(data))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(data), schema)


@pytest.mark.parametrize("envelope", [envelope for envelope, _ in ENVELOPES])
def test_each_field_is_needed_and_of_its_type(envelope: Any) -> None:
    for path in fields(json.loads(envelope.to_bytes())):
        changes = [lambda place, key: place.update({key: {"unexpected": [None]}})]
        if path[-1] in ("arguments", "result", "params") or isinstance(path[-1], int):
            changes = []  # what is in there is free, and has hashes of its own
        if path[-1] != "pointer" and isinstance(path[-1], str):
            changes.append(lambda place, key: place.pop(key))
        for change in changes:
            with pytest.raises(ToolError) as caught:
                type(envelope).from_bytes(changed(envelope, path, change))
            assert caught.value.code == "TOOL_ENVELOPE", path


@pytest.mark.parametrize("envelope", [envelope for envelope, _ in ENVELOPES])
def test_no_object_takes_another_field(envelope: Any) -> None:
    data = json.loads(envelope.to_bytes())
    objects = {path[:-1] for path in fields(data) if isinstance(path[-1], str)}
    assert len(objects) >= 4
    for path in objects:
        with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
            type(envelope).from_bytes(changed(envelope, (*path, "more"), lambda place, key: place.update({key: 1})))


BOUNDS: list[tuple[Any, tuple[Any, ...], list[Any]]] = [
    (SAMPLE, ("envelope",), ["tool-request/2", None]),
    (SAMPLE, ("request_id",), ["tr_" + "i" * 26, "tr_" + "0" * 25, "ts_" + "0" * 26, "tr_" + "A" * 26, ""]),
    (SAMPLE, ("session_id",), ["tr_" + "0" * 26]),
    (SAMPLE, ("sequence",), [0, -1, 2**32, 1.5, "1", True]),
    (SAMPLE, ("turn",), [-1, 2**32]),
    (SAMPLE, ("tool", "name"), ["Notes", "a..b", "a" * 65, "a\n"]),
    (SAMPLE, ("tool", "version"), ["1.0", "1.0.0 "]),
    (SAMPLE, ("tool", "manifest_sha256"), ["0" * 63, "A" * 64]),
    (SAMPLE, ("capability",), ["external", "admin"]),
    (SAMPLE, ("arguments",), [[], "x", None]),
    (SAMPLE, ("arguments_sha256",), ["1" * 64]),
    (SAMPLE, ("composition_sha256",), ["1" * 64]),
    (SAMPLE, ("composition", "model_id"), ["x" * 129, "", "é", "a\nb"]),
    (SAMPLE, ("composition", "backend"), ["x" * 33]),
    (SAMPLE, ("composition", "adapters"), [[{"id": "a", "sha256": ZEROS, "scale": 1}] * 17]),
    (SAMPLE, ("authority", "level"), ["root"]),
    (SAMPLE, ("authority", "sources"), [["doc:a"] * 33, ["mail"], [5]]),
    (SAMPLE, ("origin", "kind"), ["admin"]),
    (SAMPLE, ("origin", "output_span"), [[1], [1, 2, 3], [-1, 2]]),
    *((SAMPLE, ("limits", name), [-1, 2**40]) for name in REQUEST.schema["properties"]["limits"]["properties"]),
    (SAMPLE, ("expires_unix_ms",), [1_800_000_000_000, 0, 1e20]),
    (DONE, ("state",), ["running", "denied"]),
    (DONE, ("effects",), ["some"]),
    (DONE, ("result",), [{"line": 2}]),
    (DONE, ("result_sha256",), ["1" * 64]),
    (DONE, ("attempt",), [2, 0]),
    (DONE, ("isolation", "level"), ["none", "strong"]),
    (DONE, ("timing", "run_ms"), [-1, 2**32]),
    (FAILED, ("error", "code"), ["x", "A" * 49]),
    (FAILED, ("error", "message"), ["x" * 301]),
    (FAILED, ("error", "params"), [{f"p{i}": 1 for i in range(9)}, {"a": 1.5}, {"a": None}, {"a": "x" * 301}]),
    (FAILED, ("error", "pointer"), ["x" * 513]),
    (FAILED, ("state",), ["done"]),
]


@pytest.mark.parametrize(("envelope", "path", "values"), BOUNDS)
def test_bounds(envelope: Any, path: tuple[Any, ...], values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
            type(envelope).from_bytes(changed(envelope, path, lambda place, key: place.update({key: value})))  # noqa: B023


def test_a_result_is_there_if_and_only_if_it_is_done() -> None:
    for envelope, change in (
        (DONE, {"error": {"code": "ABC", "message": "", "params": {}}}),
        (FAILED, {"result": 1, "result_sha256": digest(1), "state": "done"}),
    ):
        with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
            ToolResult.from_bytes(dumps(json.loads(envelope.to_bytes()) | change))
    for state in ("failed", "denied", "expired", "timed_out", "cancelled"):
        assert not dataclasses.replace(FAILED, state=state).is_done
    with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
        dataclasses.replace(FAILED, error=None)


def test_a_result_of_null_is_a_result() -> None:
    done = dataclasses.replace(DONE, result=None, result_sha256=digest(None))
    assert ToolResult.from_bytes(done.to_bytes()) == done
    assert json.loads(done.to_bytes())["result"] is None


@pytest.mark.parametrize("envelope", [envelope for envelope, _ in ENVELOPES])
def test_only_canonical_bytes_are_an_envelope(envelope: Any) -> None:
    data = envelope.to_bytes()
    for other in (
        data + b"\n",
        b" " + data,
        json.dumps(json.loads(data)).encode(),
        data[:-1],
        b"[]",
        b"",
        data.replace(b'"envelope"', b'"\\u0065nvelope"'),
        data.replace(b'{"', b'{"envelope":"tool-request/1","', 1),
        b"[" * 100 + b"]" * 100,
    ):
        with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
            type(envelope).from_bytes(other)


def test_arguments_that_have_no_canonical_form() -> None:
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    for arguments in ({"a": float("nan")}, {"a": 2**60}, {"a": deep}, {"a": {1, 2}}, {"a": b"x"}):
        with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
            ToolRequest(**REQUEST_FIELDS | {"arguments": arguments})


def test_representations_have_no_content() -> None:
    secret = copy.deepcopy(REQUEST_FIELDS) | {"arguments": {"text": "SECRET"}}
    secret["arguments_sha256"] = digest(secret["arguments"])
    assert "SECRET" not in repr(ToolRequest(**secret))
    assert repr(DONE) == f"<ToolResult notes.append done {SAMPLE.request_id}>"
    assert repr(FAILED) == f"<ToolResult notes.append failed NOTES_FULL {SAMPLE.request_id}>"


def test_the_hash_of_a_composition() -> None:
    data = json.dumps(COMPOSITION.to_json(), sort_keys=True, separators=(",", ":")).encode()
    assert hashlib.sha256(data).hexdigest() == COMPOSITION.sha256
    for change in ({"model_id": "other"}, {"model_sha256": None}, {"adapters": ()}, {"quantization": "q8"}):
        assert dataclasses.replace(COMPOSITION, **change).sha256 != COMPOSITION.sha256  # type: ignore[arg-type]
    assert Composition.from_json(COMPOSITION.to_json()) == COMPOSITION
    with pytest.raises(ToolError, match="TOOL_ENVELOPE"):
        dataclasses.replace(COMPOSITION, tokenizer_sha256="x")
