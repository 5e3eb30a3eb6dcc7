"""`checkrail demo`: what it shows was written in this run, through the mask, and is the same twice."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from click.testing import Result

from checkrail import models
from checkrail.boundary.validation.report import Fault, Report
from checkrail.cli.demo_scenes import CONTRAST_SCHEMA, Scene, read_scenes
from checkrail.cli.demo_view import Pace, PlainView, View, broken, line_breaks, view_for
from checkrail.cli.rich_view import RichView
from checkrail.cli.talk import Talk
from checkrail.decoding.stream import Delta, End, Start, Usage
from checkrail.errors import ModelError
from checkrail.generation.extract import Row, extract
from checkrail.generation.generate import generate
from checkrail.generation.output import Output
from checkrail.models import catalog
from checkrail.models.scripted import RandomModel, ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
SCENES = {scene.name: scene for scene in read_scenes()}
TOKENS = [*(bytes([b]) for b in range(256)), None, None]
VOCABULARY = Vocabulary.from_bytes(TOKENS, eos=257, special={"<|im_start|>": 256, "<|im_end|>": 257})


def without_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for row in rows:
        row["usage"] = {name: value for name, value in row["usage"].items() if "microseconds" not in name}
    return rows


# --- the sample documents


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_scenes_are_whole(scene: Scene) -> None:
    jsonschema.Draft202012Validator.check_schema(scene.schema)
    output = Output.of(scene.schema)
    assert 2 <= len(scene.examples) <= 4
    assert len(scene.documents) == 3
    for document, answer in scene.examples:
        jsonschema.validate(answer, scene.schema)
        report = output.check(output.write(answer), {"document": document}).report
        assert report is not None
        assert report.faults == ()
        assert report.spans
    texts = [document.text for document in scene.documents]
    assert not set(texts) & {document for document, _ in scene.examples}, "no answer is given away"
    assert all(any(ord(c) > 0xFFFF for c in text) or any(c in "«»„“\"'" for c in text) for text in texts)
    assert all(any(c.isdigit() for c in text) for text in texts)


def test_the_documents_are_in_three_languages_with_accents() -> None:
    everything = [document for scene in SCENES.values() for document in scene.documents]
    languages = {document.id.split("/")[1].partition("-")[0] for document in everything}
    assert len(languages) >= 3
    assert {"ü", "ß", "é", "ñ", "“", "«", '"', "🎂"} <= set("".join(document.text for document in everything))
    assert 6 <= len(everything) <= 9


def test_the_folder_is_printed(program: Program) -> None:
    result = program("demo", "--where")
    assert (result.exit_code, result.stdout.endswith("examples\n")) == (0, True)


# --- a run with a model of noise: the shape comes from the mask alone


@pytest.fixture
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "load_model", lambda _: RandomModel(VOCABULARY, 3, scale=1.0))
    monkeypatch.setattr("checkrail.cli.demo._CONTRAST_TOKENS", 150)


@pytest.mark.usefixtures("noise")
def test_even_noise_has_the_shape_and_is_the_same_twice(program: Program, lines: Lines) -> None:
    first = program("demo", "--json", "--seed", 7, "--temperature", 1.0)
    assert first.exit_code == 0
    rows = without_times(lines(first.stdout))
    assert rows == without_times(lines(program("demo", "--json", "--seed", 7, "--temperature", 1.0).stdout))
    *documents, free, masked = rows
    assert len(documents) == 9
    complete = [row for row in documents if row["complete"]]
    assert complete, "some output must be whole for the rest to mean anything"
    for row in complete:
        hold_to_shape(row["raw"], SCENES[row["scene"]].schema)
    assert all(row["value"] is None for row in documents if not row["ok"])
    assert (free["mask"], masked["mask"]) == (False, True)
    if masked["complete"]:
        hold_to_shape(masked["text"], CONTRAST_SCHEMA)


def hold_to_shape(text: str, schema: dict[str, Any]) -> None:
    """Held to the schema by another library, numeric bounds left out: those are checked, not in the mask."""
    shape = json.loads(
        json.dumps(schema), object_hook=lambda s: {k: v for k, v in s.items() if k not in ("minimum", "maximum")}
    )
    jsonschema.validate(json.loads(text), shape)


@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("options", [["--plain"], []])
def test_the_views_show_every_document_and_its_output(program: Program, lines: Lines, options: list[str]) -> None:
    data = lines(program("demo", "--json").stdout)
    shown = program("demo", *options)
    assert shown.exit_code == 0
    assert "\x1b[" not in shown.stdout
    for row in data[:-2]:
        assert row["row"] in shown.stdout
        assert row["document"].splitlines()[0] in shown.stdout
    assert "The mask promises the shape, not the truth" in " ".join(shown.stdout.split())


def test_a_missing_model_says_what_to_do(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    result = program("demo")
    assert result.exit_code == 3
    assert "checkrail models install" in result.stderr


# --- the views


SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-source": {"doc": "document"}},
        "age": {"type": "integer", "maximum": 9},
    },
    "required": ["name", "age"],
}


def row_of(text: str, view: View, document: str = "Zoë, 7", **options: Any) -> Row[Any]:
    model = ScriptedModel(VOCABULARY, text)
    (row,) = extract([document], SCHEMA, model=model, on_event=lambda d, e: view.event(d.text, e), **options)
    view.row(document, row)
    return row


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [60, 140])
def test_columns_on_wide_terminals_and_color_for_what_was_found(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Terminal()
    row_of('{"name": "Zoë", "age": 99}', RichView(Talk(color="always"), screen))
    text = screen.getvalue()
    assert "\x1b[1;4;36mZoë" in text, "the value in its source"
    assert '\x1b[1;4;36m"Zoë"' in text, "the same color in the result"
    assert "\x1b[7;31m99" in text, "the faulty value"
    assert "SEMANTIC_RANGE" in text
    side_by_side = any("Zoë\x1b[0m, 7" in line and "{" in line for line in text.splitlines())
    assert side_by_side == (width >= 96)


def test_an_interrupted_view_shows_the_cursor_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Terminal()
    view = RichView(Talk(color="always"), screen)
    view.event("source", Start(run_id="r", seq=0))
    assert screen.getvalue().count("\x1b[?25l") == 1
    view.close()
    view.close()
    assert screen.getvalue().count("\x1b[?25h") == 1


def test_no_color_is_no_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    row_of('{"name": "Zoë", "age": 7}', RichView(Talk(color="never"), stream))
    assert "\x1b" not in stream.getvalue()
    assert "✓ valid; 1 values stand in the source" in stream.getvalue()


def test_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    view = view_for(Talk(), plain=True)
    assert isinstance(view, PlainView)
    row_of('{"name": "Zoë", "age": 7}', view)
    row_of('{"name": "Zoë", "age": 7}', view, max_tokens=5)
    view.row("gone", Row("x", "0", error=row_of('{"name": "Z', view, max_tokens=3).error))
    out = capsys.readouterr().out
    assert '    {\n      "name": "Zoë",\n      "age": 7\n    }\n✓ valid' in out
    assert "tokens/s · grammar_complete" in out
    assert "✗ BUDGET_TOKENS" in out


def test_the_contrast_is_told_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView(Talk())
    free = generate(ScriptedModel(VOCABULARY, "Sure! Here it is"), "?")
    masked = generate(ScriptedModel(VOCABULARY, "7"), "?", int)
    view.answers(free, Report(free.text, None, (Fault("JSON_BOM", ""),)), masked)
    out = capsys.readouterr().out
    assert "Sure! Here it is\n✗ JSON_BOM" in out
    assert "7\n✓ valid" in out
    view.answers(free, Report("1", None), masked)
    assert "✓ is the JSON" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            '{"a": 1, "b": [1, {"c": 2}], "d": "x, }"}',
            ["{", '  "a": 1,', '  "b": [1, {"c": 2}],', '  "d": "x, }"', "}"],
        ),
        ('{"a": "q\\", {", "b', ["{", '  "a": "q\\", {",', '  "b']),
        ('{"a":1,"b":2}', ["{", '  "a":1,', '  "b":2', "}"]),
        ("12", ["  12"]),
        ("", ["  "]),
    ],
)
def test_texts_break_between_members(text: str, parts: list[str]) -> None:
    assert broken(text) == parts
    assert line_breaks(text) == sorted(line_breaks(text))


def test_pace_leaves_the_prompt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 101.0, 102.0])
    monkeypatch.setattr("checkrail.cli.demo_view.time.perf_counter", lambda: next(times))
    pace = Pace()
    assert pace.tokens_per_second == 0
    pace.event(Start(run_id="r", seq=0))
    for seq, tokens in enumerate((1, 5, 9), 1):
        pace.event(Delta(run_id="r", seq=seq, text="x", at=seq, tokens=tokens))
    pace.event(End(run_id="r", seq=4, complete=True, stop="eos", text_len=3, text_sha256="", usage=Usage()))
    assert pace.tokens_per_second == 4.0


# --- the real thing


@pytest.mark.model
def test_the_demo_with_its_model_twice(lines: Lines) -> None:
    if catalog.installed() is None:
        pytest.skip("the embedded model is not installed: run `checkrail models install`")
    try:
        models.load_model().close()
    except ModelError as error:
        pytest.skip(str(error))
    # two processes at once: half the time, and nothing that only one process remembers can make them equal
    code = "from checkrail.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, "demo", "--json", "--seed", "1"],
            env={**environment, "PYTHONHASHSEED": str(number)},
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for number in (1, 2)
    ]
    first, second = (without_times(lines(run.communicate()[0])) for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert json.dumps(first) == json.dumps(second)
    *documents, free, masked = first
    assert len(documents) == 9
    for row in documents:
        assert row["complete"], row
        hold_to_shape(row["raw"], SCENES[row["scene"]].schema)
    assert sum(row["ok"] for row in documents) >= 5, "the documents and examples are chosen so that most come out right"
    hold_to_shape(masked["text"], CONTRAST_SCHEMA)
    with pytest.raises(json.JSONDecodeError):
        json.loads(free["text"])
