"""Runs of all kinds and ends with a canary in every private place, and everything that such a run leaves behind.

What the caller asked to have (the text, the events, the value) is not collected: it is private and theirs. Collected is
what goes elsewhere: evidence, logs, warnings, the two output streams, errors, representations, new files.
"""

from __future__ import annotations

import json
import logging
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checkrail import Error, Evidence, Grammar, Sampling, extract, generate, read_evidence, stream
from checkrail.boundary.evidence.record import RunRecord
from checkrail.decoding.run import Run
from checkrail.mask import cache
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

NAMES = (
    "prompt",
    "system text",
    "example document",
    "example answer",
    "document",
    "output",
    "grammar literal",
    "enum value",
    "schema description",
    "exception message",
    "model name",
    "run id",
    "file name",
    "environment variable",
    "user name",
    "stop string",
    "seed",
)
KINDS = ("text", "grammar", "json", "extract")
UNWRITABLE = "é"  # no canary has it
_TOKENS = 261


@dataclass
class Setting:
    """One run that is being prepared: what its outcome changes."""

    kind: str
    planted: Mapping[str, str]
    options: dict[str, Any] = field(default_factory=dict)
    behave: Callable[[Any], Any] = lambda scores: scores
    number: int = 7
    quoted: bool = True
    suffix: str = ""  # of the grammar
    missing: bytes = b""  # bytes without a token
    steps: int | None = None  # events to read before `stop`
    stop: Callable[[Any], object] = lambda events: None
    examples: bool = True
    broken_target: bool = False
    context_size: int = 100_000


def _fail(scores: Any, message: str) -> Any:
    raise RuntimeError(message)


class _Unreadable:
    """Scores that break whoever looks at them: a defect where none is expected."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise ValueError(self.message)


def _nan(scores: Any) -> Any:
    scores[[1, 2]] = np.nan
    return scores


def _sleep(scores: Any) -> Any:
    time.sleep(0.004)
    return scores


def _change(**changes: Any) -> Callable[[Setting], None]:
    def apply(setting: Setting) -> None:
        for name, value in changes.items():
            setattr(setting, name, value)

    return apply


def _option(**options: Any) -> Callable[[Setting], None]:
    return lambda setting: setting.options.update(options)


def _behave(act: Callable[[Any, str], Any]) -> Callable[[Setting], None]:
    def apply(setting: Setting) -> None:
        message = setting.planted["exception message"]
        setting.behave = lambda scores: act(scores, message)

    return apply


def _all(*changes: Callable[[Setting], None]) -> Callable[[Setting], None]:
    def apply(setting: Setting) -> None:
        for change in changes:
            change(setting)

    return apply


_LOST = _change(suffix=UNWRITABLE, missing=UNWRITABLE.encode())

# outcome -> (the kinds of run that can end so, what makes it end so, the code of the record or of the refusal)
OUTCOMES: dict[str, tuple[tuple[str, ...], Callable[[Setting], None], str | None]] = {
    "success": (KINDS, _change(), None),
    "fault": (("json", "extract"), _change(number=99), None),
    "invented": (("extract",), _change(quoted=False), None),
    "cut": (KINDS, _option(max_tokens=5, complete=False), "BUDGET_TOKENS"),
    "late": (KINDS, _all(_option(time_limit=0.001), _behave(lambda scores, _: _sleep(scores))), "BUDGET_TIME"),
    "cancelled": (("text", "grammar", "json"), _change(steps=4, stop=lambda events: events.cancel()), "CANCELLED"),
    "closed": (("text", "grammar", "json"), _change(steps=4, stop=lambda events: events.close()), "STREAM_CLOSED"),
    "crash": (KINDS, _behave(_fail), "BACKEND_FAILED"),
    "defect": (KINDS, _behave(lambda _, message: _Unreadable(message)), "INTERNAL"),
    "odd scores": (KINDS, _behave(lambda scores, _: _nan(scores)), None),
    "no scores": (KINDS, _behave(lambda scores, _: scores * np.nan), "LOGITS_NONE_FINITE"),
    "wrong scores": (KINDS, _behave(lambda scores, _: scores[:9]), "LOGITS_SHAPE"),
    "all forbidden": (
        ("grammar", "json", "extract"),  # free text may end before it begins
        _option(complete=False, sampling=Sampling(forbidden=range(_TOKENS))),
        "SAMPLING_FORBIDDEN_EMPTY",
    ),
    "dead end": (("grammar",), _all(_option(complete=False), _LOST, _change(examples=False)), "MASK_DEAD_END"),
    "lost": (("grammar",), _all(_option(complete=False), _LOST), "CONTEXT_TEXT_LOST"),
    "too long": (KINDS, _change(context_size=60), "CONTEXT_OVERFLOW"),
    "too few tokens": (("grammar", "json"), _option(max_tokens=2), "BUDGET_TOO_SMALL"),
    "bad grammar": (("grammar",), _change(broken_target=True), "GRAMMAR_SYNTAX"),
    "bad schema": (("json", "extract"), _change(broken_target=True), "SCHEMA_CONFLICT"),
}
SCENARIOS = [(kind, outcome) for outcome, (kinds, _, _) in OUTCOMES.items() for kind in kinds]


class _Model(ScriptedModel):
    def __init__(self, setting: Setting, vocabulary: Vocabulary, *texts: str) -> None:
        name = setting.planted["model name"]
        super().__init__(vocabulary, *texts, name=name, context_size=setting.context_size)
        self._behave = setting.behave

    def logits(self, ids: Sequence[int], /) -> Any:
        return self._behave(super().logits(ids))


@dataclass
class Left:
    """What a run left behind: place -> bytes; and the records of its evidence."""

    places: dict[str, bytes]
    records: list[RunRecord]
    codes: list[str]


def leave(
    kind: str, outcome: str, planted: Mapping[str, str], folder: Path, patch: pytest.MonkeyPatch, capture: Any
) -> Left:
    """Run one scenario in a world of its own and collect what it leaves. capture: the fixture `capfd`."""
    setting = Setting(kind, planted)
    OUTCOMES[outcome][1](setting)
    path = folder / f"{planted['file name']}.jsonl"
    world = folder / "world"
    _make_world(world, planted, patch)
    capture.readouterr()
    objects: list[object] = []
    errors: list[BaseException] = []
    faults: list[str] = []
    with _heard() as heard, Evidence(path) as evidence:
        objects.append(evidence)
        try:
            for found in _run(setting, evidence):
                objects.append(found)
                error = getattr(found, "error", None)
                errors += [] if error is None or error in errors else [error]
                faults += map(str, getattr(found, "faults", ()))
        except Error as error:
            errors.append(error)
    records = list(read_evidence(path))
    out, err = capture.readouterr()
    places = {
        "evidence": path.read_bytes(),
        "log": "\n".join(heard).encode("utf-8", "backslashreplace"),
        "stdout": out.encode(),
        "stderr": err.encode(),
        "errors": "\n".join(_told(error) for error in errors).encode(),
        "faults": "\n".join(faults).encode(),
        "representations": "\n".join(map(repr, [*objects, *records])).encode(),
        **{f"file {number}": data for number, data in enumerate(_files(world))},
    }
    return Left(places, records, [getattr(error, "code", type(error).__name__) for error in errors])


def _make_world(world: Path, planted: Mapping[str, str], patch: pytest.MonkeyPatch) -> None:
    """Empty folders for all that may be written, small vocabularies kept on disk as well, and private surroundings."""
    for name in ("home", "tmp", "cwd", "cache"):
        (world / name).mkdir(parents=True)
    patch.chdir(world / "cwd")
    patch.setattr(tempfile, "tempdir", str(world / "tmp"))
    patch.setattr(cache, "MINIMUM_TOKENS", 1)
    for variable, value in {
        "HOME": str(world / "home"),
        "TMPDIR": str(world / "tmp"),
        "CHECKRAIL_CACHE": str(world / "cache"),
        "CHECKRAIL_CACHE_MB": "64",
        "USER": planted["user name"],
        "LOGNAME": planted["user name"],
        "SECRET_TOKEN": planted["environment variable"],
    }.items():
        patch.setenv(variable, value)


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What is logged, at any level, and warned of."""
    heard: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(f"{record.getMessage()} {vars(record)}")

    ear, root = Ear(logging.NOTSET), logging.getLogger()
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.NOTSET)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            yield heard
            heard += [str(warning.message) for warning in warned]
    finally:
        root.removeHandler(ear)
        root.setLevel(level)


def _told(error: BaseException) -> str:
    """All that an error says by itself: not the drawing of the source text, which `render` makes for its author."""
    data = json.dumps(error.to_json()) if isinstance(error, Error) else ""
    return "\n".join([str(error), repr(error), *traceback.format_exception(error), repr(error.__cause__), data])


def _files(world: Path) -> Iterable[bytes]:
    for path in sorted(world.rglob("*")):
        yield str(path.relative_to(world)).encode()
        if path.is_file():
            yield path.read_bytes()


# --- the run


def _run(setting: Setting, evidence: Evidence) -> Iterator[object]:
    planted = setting.planted
    model = _Model(setting, _vocabulary(setting.missing), _text(setting))
    target = _target(setting)
    options: dict[str, Any] = {
        "max_tokens": 400,
        "examples": [_example(setting)][: setting.examples],
        **setting.options,
    }
    if setting.kind == "extract":
        document = f"{planted['document']} says {planted['output'] if setting.quoted else 'nothing'}."
        instructions, seed = planted["system text"], int.from_bytes(planted["seed"].encode(), "big")
        rows = extract(
            [document], target, model=model, instructions=instructions, seed=seed, evidence=evidence, **options
        )
        for row in rows:
            yield row
            yield row.result
        return
    run = Run(planted["run id"][:8] + planted["run id"])
    options |= {"system": planted["system text"], "seed": planted["seed"].encode(), "evidence": evidence}
    if setting.kind == "text":
        options["stop"] = [planted["stop string"]]
    if setting.steps is None:
        yield generate(model, planted["prompt"], target, **options)
        return
    events = stream(model, planted["prompt"], target, run=run, **options)
    yield events
    for _ in range(setting.steps):
        next(events)
    setting.stop(events)
    yield events.result()


def _vocabulary(missing: bytes) -> Vocabulary:
    tokens = [None if byte in missing else bytes([byte]) for byte in range(256)]
    special = {"<|im_start|>": 259, "<|im_end|>": 260}
    return Vocabulary.from_bytes([*tokens, b'{"', b'": ', b'", "', None, None], eos=260, special=special)


def _text(setting: Setting) -> str:
    planted = setting.planted
    if setting.kind == "text":
        return planted["output"]
    if setting.kind == "grammar":
        return planted["grammar literal"] + planted["output"] + setting.suffix
    return json.dumps({"kind": planted["enum value"], "note": planted["output"], "n": setting.number})


def _target(setting: Setting) -> Any:
    planted = setting.planted
    if setting.kind == "text":
        return None
    if setting.kind == "grammar":
        unclosed = "(" if setting.broken_target else ""
        literal = planted["grammar literal"]
        return Grammar.from_gbnf(f'root ::= {unclosed} "{literal}" [a-zA-Z0-9]{{1,40}} "{setting.suffix}"')
    note = {"type": "string", "maxLength": 40, "description": planted["schema description"]}
    if setting.kind == "extract":
        note["x-source"] = {"doc": "document"}
    number = {"type": "integer", "maximum": 9}
    if setting.broken_target:
        number = {"enum": [planted["enum value"]], "const": planted["output"]}
    properties = {"kind": {"enum": [planted["enum value"], "other"]}, "note": note, "n": number}
    return {
        "type": "object",
        "description": planted["schema description"],
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _example(setting: Setting) -> tuple[str, Any]:
    planted = setting.planted
    answer = planted["example answer"]
    document = f"{planted['example document']} {answer}"
    if setting.kind == "text":
        return document, answer
    if setting.kind == "grammar":
        return document, planted["grammar literal"] + answer + setting.suffix
    return document, {"kind": "other", "note": answer, "n": 1}
