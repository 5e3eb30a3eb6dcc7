"""`checkrail extract`: every refusal with its code, message and exit status, and the rows that are kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.models.scripted import ScriptedModel

Program = Callable[..., Result]
Says = Callable[..., ScriptedModel]
Lines = Callable[[str], list[dict[str, Any]]]
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"name": {"type": "string", "x-source": {"doc": "document"}}},
        "required": ["name"],
    }
)
ANN = '{"name": "Ann"}'


def write(folder: Path, **files: str | bytes) -> list[Path]:
    paths = []
    for name, data in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        paths.append(path)
    return paths


def test_one_line_for_each_document(program: Program, says: Says, lines: Lines, tmp_path: Path) -> None:
    says(ANN)
    paths = write(
        tmp_path, a_txt="Ann", b_jsonl='{"id": 5, "text": "Dr Ann"}\n{"text": "Ann!"}\n', c_csv="text\nMs Ann\n"
    )
    result = program("extract", *paths, "--schema", SCHEMA)
    assert result.exit_code == 0
    rows = lines(result.stdout)
    assert [row["value"] for row in rows] == [{"name": "Ann"}] * 4
    assert [row["row"] for row in rows] == [str(paths[0]), "5", f"{paths[1]}:2", f"{paths[2]}:1"]
    assert [row["spans"][0]["start"] for row in rows] == [0, 3, 0, 3]
    assert "4 rows" in result.stderr


def test_rows_without_a_value_are_4(program: Program, says: Says, lines: Lines, tmp_path: Path) -> None:
    says(ANN)
    paths = write(tmp_path, a_jsonl='{"text": "Ann"}\nnonsense\n{"text": "Bob"}\n')
    result = program("extract", *paths, "--schema", SCHEMA)
    assert result.exit_code == 4
    good, bad, faulty = lines(result.stdout)
    assert good["ok"]
    assert (bad["error"]["code"], bad["value"]) == ("INPUT_FORMAT", None)
    assert [fault["code"] for fault in faulty["faults"]] == ["SEMANTIC_SPAN_NOT_FOUND"]
    assert (faulty["value"], faulty["raw"]) == (None, ANN)
    assert "2 without a value (1 with faults)" in result.stderr


def test_an_output_that_the_limit_cuts_is_no_value(program: Program, says: Says, lines: Lines, tmp_path: Path) -> None:
    says("12345")
    paths = write(tmp_path, a_txt="n")
    result = program("extract", *paths, "--schema", '{"type": "integer"}', "-n", 3)
    assert result.exit_code == 4
    (row,) = lines(result.stdout)
    assert (row["complete"], row["value"], row["raw"], row["stop"]) == (False, None, "123", "max_tokens")
    assert row["error"]["code"] == "BUDGET_TOKENS"


@pytest.mark.parametrize(
    ("schema", "code", "pointer", "advice"),
    [
        (
            '{"type": "object", "patternProperties": {}}',
            "SCHEMA_KEYWORD_UNSUPPORTED",
            "/patternProperties",
            "declare each",
        ),
        ('{"type": "object", "requred": []}', "SCHEMA_KEYWORD_UNSUPPORTED", "/requred", "did you mean `required`"),
        ('{"type": "string", "minLength": 2, "maxLength": 1}', "SCHEMA_CONFLICT", "", "Remove one"),
        ('{"type": "integer", "enum": ["a"]}', "SCHEMA_CONFLICT", "", "Remove one"),
        ('{"type": ', "SCHEMA_SYNTAX", "", "Correct the schema"),
    ],
)
def test_a_schema_that_cannot_be_used(
    program: Program, says: Says, tmp_path: Path, schema: str, code: str, pointer: str, advice: str
) -> None:
    says("1")
    paths = write(tmp_path, a_txt="x")
    result = program("extract", *paths, "--schema", schema)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(code)
    assert advice in result.stderr
    error = json.loads(program("extract", *paths, "--schema", schema, "--json").stderr)["error"]
    assert error["code"] == code
    assert error["pointer"].startswith(pointer)


def test_files_that_cannot_be_opened_are_refused_before_any_work(program: Program, says: Says, tmp_path: Path) -> None:
    says(ANN)
    (good,) = write(tmp_path, a_txt="Ann")
    for bad, code in ((tmp_path / "none.txt", "INPUT_MISSING"), (tmp_path, "INPUT_UNREADABLE")):
        result = program("extract", good, bad, "--schema", SCHEMA)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith(code)
        assert str(bad) in result.stderr
        assert "Check the path" in result.stderr


def test_invalid_utf8_is_refused_and_the_rows_before_are_kept(
    program: Program, says: Says, lines: Lines, tmp_path: Path
) -> None:
    says(ANN)
    paths = write(tmp_path, a_txt="Ann", b_jsonl=b'{"text": "Ann"}\n{"text": "\xff"}\n', c_txt="Ann")
    target = tmp_path / "out.jsonl"
    for options in ([], ["-o", target]):
        result = program("extract", *paths, "--schema", SCHEMA, *options)
        assert result.exit_code == 3
        assert result.stderr.startswith("INPUT_ENCODING")
        assert "byte 26" in result.stderr
        assert "Save it as UTF-8" in result.stderr
        rows = lines(target.read_text() if options else result.stdout)
        assert [row["value"] for row in rows] == [{"name": "Ann"}] * 2


def test_a_type_with_examples(
    program: Program, says: Says, lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(ANN)
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        shapes_py="import pydantic\nclass Person(pydantic.BaseModel):\n    name: str\n",
        ex_jsonl='{"document": "Bob", "answer": {"name": "Bob"}}\n\n',
        a_txt="Ann",
    )
    result = program("extract", "a.txt", "--type", "shapes:Person", "--examples", "ex.jsonl")
    assert result.exit_code == 0
    assert lines(result.stdout)[0]["value"] == {"name": "Ann"}


@pytest.mark.parametrize(
    ("line", "says_why"),
    [
        ('{"document": "d", "answer": {}}', "Example 1"),
        ('{"document": "d"}', "row 1"),
        ('{"document": 1, "answer": {}}', "row 1"),
        ("{", "row 1"),
    ],
)
def test_wrong_examples(program: Program, says: Says, tmp_path: Path, line: str, says_why: str) -> None:
    says(ANN)
    paths = write(tmp_path, a_txt="Ann", ex_jsonl=line)
    result = program("extract", paths[0], "--schema", SCHEMA, "--examples", paths[1])
    assert result.exit_code == 3
    assert result.stderr.startswith("INPUT_FORMAT")
    assert says_why in result.stderr


def test_columns_format_limit_and_standard_input(program: Program, says: Says, lines: Lines) -> None:
    says(ANN)
    table = "mail,key\nAnn,k1\nMs Ann,k2\nx,k3\n"
    options = ["--schema", SCHEMA, "--format", "csv", "--text", "mail", "--id", "key", "--limit", 2, "-q"]
    result = program("extract", "-", *options, stdin=table)
    assert result.exit_code == 0
    assert [row["row"] for row in lines(result.stdout)] == ["k1", "k2"]
    assert result.stderr == ""


def test_the_output_file_is_the_same_text(program: Program, says: Says, tmp_path: Path, lines: Lines) -> None:
    says(ANN)
    paths = write(tmp_path, a_txt="Ann")
    result = program("extract", *paths, "--schema", SCHEMA, "-o", tmp_path / "out")
    assert result.stdout == ""
    assert lines((tmp_path / "out").read_text("utf-8"))[0]["value"] == {"name": "Ann"}


def test_an_output_that_cannot_be_written(program: Program, says: Says, tmp_path: Path) -> None:
    says(ANN)
    paths = write(tmp_path, a_txt="Ann")
    result = program("extract", *paths, "--schema", SCHEMA, "-o", tmp_path / "no" / "out")
    assert result.exit_code == 3
    assert result.stderr.startswith("OUTPUT_WRITE")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk(program: Program, says: Says, tmp_path: Path) -> None:
    says(ANN)
    paths = write(tmp_path, a_txt="Ann")
    result = program("extract", *paths, "--schema", SCHEMA, "-o", "/dev/full")
    assert result.exit_code == 3
    assert result.stderr.startswith("OUTPUT_WRITE")


def test_what_to_extract_must_be_said(program: Program, tmp_path: Path) -> None:
    assert program("extract", *write(tmp_path, a_txt="Ann")).exit_code == 2


def test_an_interrupt_keeps_the_rows_and_is_130(tmp_path: Path, lines: Lines) -> None:
    (path,) = write(tmp_path, a_jsonl='{"text": "Ann"}\n' * 1000)
    code = textwrap.dedent(
        """
        import time
        from checkrail import Vocabulary, models
        from checkrail.cli import main
        from checkrail.models.scripted import ScriptedModel

        class Slow(ScriptedModel):
            def logits(self, ids):
                time.sleep(0.02)  # a busy machine may be late with the interrupt
                return super().logits(ids)

        vocabulary = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
        models.load_model = lambda *_: Slow(vocabulary, '7')
        main()
        """
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(
        [sys.executable, "-c", code, "extract", str(path), "--schema", '{"type": "integer"}'],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    child.send_signal(signal.SIGINT)
    rest, err = child.communicate(timeout=60)
    assert child.returncode == 130
    rows = lines(first + rest)
    assert 1 <= len(rows) < 1000
    assert all(row["value"] == 7 for row in rows)
    assert "Traceback" not in err
