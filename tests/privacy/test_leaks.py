"""Deliberate leaks, of the kinds that happen, are each found: proof that the search of `test_canaries` can fail."""

from __future__ import annotations

import base64
import dataclasses
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from canaries import canaries, search
from canary_runs import NAMES, SCENARIOS, leave
from checkrail.boundary.evidence import record as evidence_module
from checkrail.boundary.evidence.types import Digest, Id
from checkrail.decoding.loop import _Decode
from checkrail.errors import ModelError
from checkrail.generation import plan as plan_module
from checkrail.generation.observation import Observation
from checkrail.generation.result import Result
from checkrail.generation.stream import Stream

Patch = pytest.MonkeyPatch
Leak = Callable[[Patch], None]


def call_model(*, tell: bool) -> Callable[[Any], Any]:
    """The loop's call of the model, with the failure's message passed on: in the error, or as its cause."""

    def call(self: Any) -> Any:
        try:
            return self._source.logits(tuple(self._context))
        except Exception as failure:
            if tell:
                raise ModelError("BACKEND_FAILED", what=str(failure)) from None
            raise ModelError("BACKEND_FAILED", what=type(failure).__name__) from failure

    return call


def with_result(act: Callable[[Any], object]) -> Leak:
    """Do something with each result when it is made."""

    def patch(monkeypatch: Patch) -> None:
        conclude = Stream._conclude

        def leaky(self: Stream[Any]) -> Result[Any]:
            result = conclude(self)
            act(result)
            return result

        monkeypatch.setattr(Stream, "_conclude", leaky)

    return patch


def with_prompt(act: Callable[[str], object]) -> Leak:
    """Do something with the last turn of each prompt."""

    def patch(monkeypatch: Patch) -> None:
        encode = plan_module.encode_chat

        def leaky(model: Any, messages: Any, **options: Any) -> Any:
            act(messages[-1].text)
            return encode(model, messages, **options)

        monkeypatch.setattr(plan_module, "encode_chat", leaky)

    return patch


def in_record(change: Callable[[Any, Any], dict[str, Any]]) -> Leak:
    """Other values in the record: those that its types admit. The change gets the observation and the result."""

    def patch(monkeypatch: Patch) -> None:
        make = Observation._record

        def leaky(self: Observation, result: Any, end: Any) -> Any:
            return dataclasses.replace(make(self, result, end), **change(self, result))

        monkeypatch.setattr(Observation, "_record", leaky)

    return patch


def in_line(field: Callable[[str], object]) -> Leak:
    """A field of text in the line, past the types: as if the codec let it through."""

    def patch(monkeypatch: Patch) -> None:
        texts: list[str] = []
        with_result(lambda result: texts.append(result.text))(monkeypatch)
        plain = evidence_module.to_plain
        monkeypatch.setattr(
            evidence_module, "to_plain", lambda record: {**plain(record), "text": field("".join(texts[-1:]))}
        )
        # and read by a reader that knows the field
        read = evidence_module.from_plain
        monkeypatch.setattr(
            evidence_module, "from_plain", lambda kind, data: read(kind, {k: v for k, v in data.items() if k != "text"})
        )

    return patch


def leave_a_file(result: Any) -> None:
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(result.text)


# name -> (kind and outcome of the run, the leak, where it must be found)
LEAKS: dict[str, tuple[str, str, Leak, str]] = {
    "an f-string in an error": (
        "text",
        "crash",
        lambda patch: patch.setattr(_Decode, "_call_model", call_model(tell=True)),
        "errors",
    ),
    "a cause that is kept": (
        "json",
        "crash",
        lambda patch: patch.setattr(_Decode, "_call_model", call_model(tell=False)),
        "errors",
    ),
    "a representation with the text": (
        "json",
        "success",
        lambda patch: patch.setattr(Result, "__repr__", lambda self: f"<Result {self.text}>"),
        "representations",
    ),
    "a log of the prompt": ("text", "success", with_prompt(logging.getLogger("checkrail").debug), "log"),
    "a warning with the prompt": ("text", "cut", with_prompt(lambda text: warnings.warn(text, stacklevel=2)), "log"),
    "a print": ("extract", "success", with_prompt(lambda text: print(text, file=sys.stderr)), "stderr"),
    "a print of the raw bytes": ("json", "success", with_result(lambda result: print(result.raw.hex())), "stdout"),
    "a temporary file": ("grammar", "success", with_result(leave_a_file), "file"),
    "the text in the record": ("json", "success", in_line(str), "evidence"),
    "the text in base 64": ("text", "success", in_line(lambda t: base64.b64encode(t.encode()).decode()), "evidence"),
    "the text backwards": ("extract", "fault", in_line(lambda text: text[::-1]), "evidence"),
    "the beginning of the text": ("text", "success", in_line(lambda text: text[:9] + "..."), "evidence"),
    "the text as numbers": (
        "text",
        "success",
        in_line(lambda text: "".join(f"{ord(c):02x}" for c in text)),
        "evidence",
    ),
    "a plain digest of the text": (
        "text",
        "success",
        in_record(lambda _, result: {"grammar_tag": Digest.of(result.raw)}),
        "evidence",
    ),
    "a digest under an empty key": (
        "text",
        "success",
        in_record(lambda _, result: {"grammar_tag": Digest.keyed(b"", result.raw)}),
        "evidence",
    ),
    "the text as a digest": (
        "text",
        "success",
        in_record(lambda _, result: {"grammar_tag": Digest(result.raw.ljust(32, b"-")[:32].hex())}),
        "evidence",
    ),
    "an id out of the text": (
        "text",
        "success",
        in_record(lambda _, result: {"run": Id("rn_" + result.text.lower().ljust(26, "0")[:26])}),
        "evidence",
    ),
    "an id out of the model's name": (
        "json",
        "success",
        in_record(lambda self, _: {"run": Id("rn_" + self._plan.model.name.lower().ljust(26, "0")[:26])}),
        "evidence",
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_each_leak_is_found(name: str, tmp_path: Path, monkeypatch: Patch, capfd: pytest.CaptureFixture[str]) -> None:
    kind, outcome, leak, place = LEAKS[name]
    planted = canaries(NAMES, seed=SCENARIOS.index((kind, outcome)))
    leak(monkeypatch)
    left = leave(kind, outcome, planted, tmp_path, monkeypatch, capfd)
    found = {hit.place for hit in search(left.places, planted) if hit.name != "run id"}
    assert any(where.startswith(place) for where in found), found
