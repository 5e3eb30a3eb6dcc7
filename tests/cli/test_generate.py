"""`checkrail generate`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.models.scripted import ScriptedModel

Program = Callable[..., Result]
Says = Callable[..., ScriptedModel]
Lines = Callable[[str], list[dict[str, Any]]]


def test_text_on_standard_output_and_nothing_else(program: Program, says: Says) -> None:
    says('{"name": "Zoë", "age": 7}')
    result = program("generate", "who?", "--schema", "name, age int")
    assert (result.exit_code, result.stdout, result.stderr) == (0, '{"name": "Zoë", "age": 7}\n', "")


@pytest.mark.parametrize("flag", ["--stream", "--no-stream"])
def test_the_prompt_may_be_piped_in(program: Program, says: Says, flag: str) -> None:
    says("yes")
    result = program("generate", flag, "--choice", "yes,no", stdin="Is it?")
    assert (result.exit_code, result.stdout) == (0, "yes\n")


def test_every_kind_of_target(program: Program, says: Says, tmp_path: Path) -> None:
    says("7")
    grammar, lark, schema = tmp_path / "g.gbnf", tmp_path / "g.lark", tmp_path / "s.json"
    grammar.write_text('root ::= "7"')
    lark.write_text('start: "7"')
    schema.write_text('{"type": "integer"}')
    for options in (
        ["--schema", '{"type": "integer"}'],
        ["--schema", str(schema)],
        ["--type", "builtins:int"],
        ["--grammar", str(grammar)],
        ["--grammar", str(lark)],
        ["--regex", "[0-9]"],
        ["--choice", "6,7"],
        [],
    ):
        result = program("generate", "n", *options)
        assert (result.exit_code, result.stdout) == (0, "7\n"), options


def test_json(program: Program, says: Says, lines: Lines) -> None:
    says("7")
    (data,) = lines(program("generate", "n", "--schema", '{"type": "integer"}', "--json").stdout)
    assert (data["value"], data["text"], data["complete"], data["stop"]) == (7, "7", True, "eos")


def test_a_fault_is_a_negative_answer(program: Program, says: Says, lines: Lines) -> None:
    says("999")
    result = program("generate", "n", "--schema", '{"type": "integer", "maximum": 9}', "--json")
    assert result.exit_code == 1
    (data,) = lines(result.stdout)
    assert (data["value"], data["text"]) == (None, "999")
    plain = program("generate", "n", "--schema", '{"type": "integer", "maximum": 9}')
    assert plain.stdout == "999\n"
    assert "SEMANTIC_RANGE" in plain.stderr


def test_the_token_limit_is_6_and_the_text_is_kept(program: Program, says: Says, lines: Lines) -> None:
    says("12345")
    result = program("generate", "n", "-n", 3)
    assert (result.exit_code, result.stdout) == (6, "123\n")
    assert "BUDGET_TOKENS" in result.stderr
    (data,) = lines(program("generate", "n", "-n", 3, "--json").stdout)
    assert (data["value"], data["complete"], data["error"]["code"]) == (None, False, "BUDGET_TOKENS")


def test_an_output_of_a_schema_is_whole_or_refused_beforehand(program: Program, says: Says, lines: Lines) -> None:
    says("12345")
    schema = '{"type": "integer", "minimum": 10}'
    (data,) = lines(program("generate", "n", "--schema", schema, "--enforce-bounds", "-n", 3, "--json").stdout)
    assert (data["value"], data["complete"], data["usage"]["forced_close"]) == (123, True, 1)
    said = program("generate", "n", "--schema", schema, "--enforce-bounds", "-n", 3)
    assert (said.exit_code, said.stdout) == (0, "123\n")
    assert "The token budget shortened the output" in said.stderr
    cut = program("generate", "n", "--schema", schema, "--enforce-bounds", "-n", 3, "--no-complete")
    assert (cut.exit_code, cut.stdout) == (6, "123\n")
    assert "BUDGET_TOKENS" in cut.stderr
    refused = program("generate", "n", "--schema", schema, "--enforce-bounds", "-n", 1)
    assert (refused.exit_code, refused.stdout) == (6, "")
    assert "BUDGET_TOO_SMALL: A complete output needs 2 tokens; 1 are allowed" in refused.stderr


def test_bounds_move_into_the_mask(program: Program, says: Says) -> None:
    says("999")
    schema = '{"type": "integer", "minimum": 0, "maximum": 9}'
    assert program("generate", "n", "--schema", schema, "--enforce-bounds").stdout == "9\n"


def test_whitespace(program: Program, says: Says) -> None:
    says("[1,2]")
    schema = '{"type": "array", "items": {"type": "integer"}}'
    assert program("generate", "n", "--schema", schema, "--whitespace", "compact").stdout == "[1,2]\n"
    assert program("generate", "n", "--schema", schema, "--whitespace", "2").stdout == "[1,2]\n"
    assert program("generate", "n", "--schema", schema, "--whitespace", "wide").exit_code == 2


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (["--schema", '{"type": "strin"}'], 2, "SCHEMA_SYNTAX"),
        (["--schema", '{"type": "object", "patternProperties": {}}'], 2, "SCHEMA_KEYWORD_UNSUPPORTED"),
        (["--schema", '{"type": "string", "minLength": 2, "maxLength": 1}'], 2, "SCHEMA_CONFLICT"),
        (["--schema", "none.json"], 3, "INPUT_MISSING"),
        (["--schema", "a b c"], 2, "SCHEMA_SYNTAX"),
        (["--grammar", "none.gbnf"], 3, "INPUT_MISSING"),
        (["--regex", "("], 2, "GRAMMAR_SYNTAX"),
        (["--type", "nowhere:Model"], 3, "INPUT_FORMAT"),
        (["--type", "builtins:Model"], 3, "INPUT_FORMAT"),
        (["--type", "..:Model"], 3, "INPUT_FORMAT"),
        (["--type", "sys:path"], 3, "INPUT_FORMAT"),
        (["--temperature", "-1"], 2, "SAMPLING_PARAM"),
        (["-n", "0"], 2, "SAMPLING_PARAM"),
    ],
)
def test_refusals(program: Program, says: Says, options: list[str], status: int, code: str) -> None:
    says("x")
    result = program("generate", "n", *options)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith(f"{code}: ")
    as_json = program("generate", "n", *options, "--json")
    assert json.loads(as_json.stderr)["error"]["code"] == code


def test_fields_may_speak_of_slashes(program: Program, says: Says) -> None:
    says('{"speed": 7.5}')
    result = program("generate", "n", "--schema", "speed float: in km/h")
    assert (result.exit_code, result.stdout) == (0, '{"speed": 7.5}\n')
    assert program("generate", "n", "--schema", "folder/none").exit_code == 3


def test_data_is_utf8_whatever_the_locale() -> None:
    code = "from checkrail.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"}
    arguments = ["explain", 'root ::= "a"', "é"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert "✗ byte 0 of 2" in done.stdout.decode("utf-8")


def test_two_targets_and_a_bad_type_are_wrong_usage(program: Program, says: Says) -> None:
    says("x")
    assert program("generate", "n", "--schema", "a", "--regex", "b").exit_code == 2
    assert program("generate", "n", "--type", "int").exit_code == 2


def test_a_missing_model_says_how_to_install_it(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    result = program("generate", "hello")
    assert result.exit_code == 3
    assert "checkrail models install" in result.stderr


def test_verbose_says_what_it_cost(program: Program, says: Says) -> None:
    says("7")
    result = program("generate", "n", "--schema", '{"type": "integer"}', "-v")
    assert "1 tokens" in result.stderr
    assert "forced" in result.stderr
    assert result.stdout == "7\n"
