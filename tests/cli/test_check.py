"""`checkrail check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]

GOOD = 'root ::= "a" b\nb ::= [0-9]+\n'


def grammar(folder: Path, text: str, name: str = "g.gbnf") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_grammar(program: Program, tmp_path: Path) -> None:
    result = program("check", grammar(tmp_path, GOOD))
    assert result.exit_code == 0
    assert "ok, visibly-pushdown, 3 states" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("text", "code", "place", "caret"),
    [
        ('root ::= "a" (\n', "GRAMMAR_SYNTAX", "1:14", '    root ::= "a" (\n                 ^'),
        ("root ::= b\n", "GRAMMAR_UNDEFINED_RULE", "1:10", "^"),
        ('root ::= b\nb ::= "x" b\n', "GRAMMAR_UNPRODUCTIVE", "2:1", '    b ::= "x" b\n    ^'),
        ('root ::= root "a" | "b"\n', "GRAMMAR_LEFT_RECURSION", "1:1", "^"),
        ('root ::= "a" root "a" | "a"\n', "GRAMMAR_NOT_VISIBLE", None, ""),
    ],
)
def test_errors_have_their_place(
    program: Program, lines: Lines, tmp_path: Path, text: str, code: str, place: str | None, caret: str
) -> None:
    path = grammar(tmp_path, text)
    result = program("check", path)
    assert result.exit_code == 1
    assert code in result.stdout
    assert caret in result.stdout
    if place is not None:
        assert f"{path}:{place}  error {code}" in result.stdout
    (data,) = lines(program("check", path, "--json").stdout)
    assert not data["ok"]
    assert [finding["code"] for finding in data["findings"]] == [code]
    assert data["findings"][0]["advice"]


@pytest.mark.parametrize(
    ("text", "code", "place", "caret"),
    [
        ('start: "a" (\n', "GRAMMAR_SYNTAX", "1:12", '    start: "a" (\n               ^'),
        ("start: word\n", "GRAMMAR_UNDEFINED_RULE", "1:8", "    start: word\n           ^"),
        ("start: /^a/\n", "GRAMMAR_UNSUPPORTED", "1:9", "    start: /^a/\n            ^"),
        ('start: x\nx: "a" x\n', "GRAMMAR_UNPRODUCTIVE", "2:1", '    x: "a" x\n    ^'),
    ],
)
def test_lark_grammars(program: Program, tmp_path: Path, text: str, code: str, place: str, caret: str) -> None:
    path = grammar(tmp_path, text, "g.lark")
    result = program("check", path)
    assert result.exit_code == 1
    assert f"{path}:{place}  error {code}" in result.stdout
    assert caret in result.stdout


def test_a_lark_grammar_with_something_unused(program: Program, tmp_path: Path) -> None:
    path = grammar(tmp_path, 'start: start "a" | "b"\nWORD: /[a-z]+/\n', "g.lark")
    result = program("check", path)
    assert result.exit_code == 0
    assert f"{path}:2:1  warning GRAMMAR_UNREACHABLE: Rule WORD is never used." in result.stdout
    assert "ok, context-free" in result.stdout


def test_the_general_contract_takes_what_the_strict_one_refuses(program: Program, tmp_path: Path) -> None:
    path = grammar(tmp_path, 'root ::= root "a" | "b"\n')
    assert program("check", path).exit_code == 1
    result = program("check", path, "--contract", "context-free")
    assert result.exit_code == 0
    assert "ok, context-free" in result.stdout


def test_unused_rules_are_warnings(program: Program, tmp_path: Path) -> None:
    path = grammar(tmp_path, GOOD + 'never ::= "x"\n')
    result = program("check", path)
    assert result.exit_code == 0
    assert f"{path}:3:1  warning GRAMMAR_UNREACHABLE: Rule never is never used." in result.stdout


def test_the_coverage_of_a_schema(program: Program, lines: Lines, tmp_path: Path) -> None:
    properties: dict[str, dict[str, Any]] = {
        "a": {"type": "integer", "minimum": 3},
        "b": {"type": "string", "maxLength": 4},
    }
    schema = {"title": "T", "type": "object", "properties": properties, "required": ["a"]}
    path = grammar(tmp_path, json.dumps(schema), "s.json")
    result = program("check", path)
    assert result.exit_code == 0
    rows = {line.strip().split("  ")[0]: line for line in result.stdout.splitlines()[1:]}
    assert "maxLength, properties, required, type" in rows["in the mask"]
    assert rows["checked after"].endswith("minimum")
    assert "/properties/a minimum" in result.stdout
    assert rows["annotation"].endswith("title")
    (data,) = lines(program("check", path, "--json").stdout)
    columns = {(entry["pointer"], entry["keyword"]): entry["column"] for entry in data["coverage"]}
    assert columns[("/properties/a", "minimum")] == "checked"
    assert columns[("/properties/b", "maxLength")] == "mask"
    assert columns[("", "title")] == "annotation"
    written = {("", name) for name in schema} | {(f"/properties/{p}", k) for p, s in properties.items() for k in s}
    assert written <= set(columns), "no keyword is without a column"
    assert len(columns) == len(data["coverage"]), "none is in two"


def test_a_refused_keyword_has_its_pointer(program: Program, tmp_path: Path) -> None:
    path = grammar(tmp_path, '{"properties": {"a": {"propertyNames": {}}}}', "s.json")
    result = program("check", path)
    assert result.exit_code == 1
    assert f"{path} /properties/a/propertyNames  error SCHEMA_KEYWORD_UNSUPPORTED" in result.stdout


def test_all_that_is_refused_is_said_at_once(program: Program, lines: Lines, tmp_path: Path) -> None:
    schema = {"properties": {"a": {"propertyNames": {}}, "b": {"not": {}}, "c": {"$dynamicRef": "#"}, "d": {"not": {}}}}
    path = grammar(tmp_path, json.dumps(schema), "s.json")
    result = program("check", path, "--json")
    assert result.exit_code == 1
    (data,) = lines(result.stdout)
    places = ["/properties/a/propertyNames", "/properties/b/not", "/properties/c/$dynamicRef"]  # which ends it
    errors = [finding for finding in data["findings"] if finding["severity"] == "error"]
    assert [finding["pointer"] for finding in errors] == places
    assert {finding["code"] for finding in errors} == {"SCHEMA_KEYWORD_UNSUPPORTED"}


def vocabulary_without(monkeypatch: pytest.MonkeyPatch, missing: bytes, longer: list[bytes]) -> None:
    tokens = [bytes([b]) for b in range(256) if b not in missing]
    vocabulary = Vocabulary.from_bytes([*tokens, *longer, None], eos=len(tokens) + len(longer))
    monkeypatch.setattr("checkrail.cli.check.read_vocabulary", lambda _: vocabulary)


def test_what_the_vocabulary_cannot_write(
    program: Program, lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary_without(monkeypatch, b"5x", [b"ax"])
    path = grammar(tmp_path, 'root ::= "a" [0-9x]\n')
    result = program("check", path, "--tokenizer", "t")
    assert result.exit_code == 0
    assert "2 byte values have no token of their own: 5, x" in result.stdout
    assert "warning VOCAB_UNCOVERED: No token of this vocabulary can write byte 5" in result.stdout
    assert "note VOCAB_BYTES_MISSING: 1 byte values of the grammar have no token of their own: x." in result.stdout
    head, data = lines(program("check", path, "--tokenizer", "t", "--json").stdout)
    assert head["bytes_without_token"] == ["5", "x"]
    assert [finding["severity"] for finding in data["findings"]] == ["warning", "note"]


def test_a_grammar_that_cannot_even_begin_is_an_error(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary_without(monkeypatch, b"a", [])
    result = program("check", grammar(tmp_path, 'root ::= "a"\n'), "--tokenizer", "t")
    assert result.exit_code == 1
    assert "error VOCAB_UNCOVERED" in result.stdout


def test_a_full_vocabulary_has_nothing_to_say(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary_without(monkeypatch, b"", [])
    result = program("check", grammar(tmp_path, GOOD), "--tokenizer", "t")
    assert "every byte has a token of its own" in result.stdout
    assert "VOCAB" not in result.stdout


def test_files_that_are_not_there_or_unknown(program: Program, tmp_path: Path) -> None:
    assert program("check", tmp_path / "none.gbnf").exit_code == 3
    unknown = grammar(tmp_path, "[0-9]+\n", "pattern.txt")
    assert program("check", unknown).exit_code == 2
    assert program("check", unknown, "--as", "regex").exit_code == 0
    bad = tmp_path / "bad.gbnf"
    bad.write_bytes(b"root ::= \xff")
    result = program("check", bad)
    assert result.exit_code == 3
    assert "byte 9" in result.stderr


def test_several_files_and_the_last_may_fail(program: Program, lines: Lines, tmp_path: Path) -> None:
    good, bad = grammar(tmp_path, GOOD), grammar(tmp_path, "root ::= b\n", "b.gbnf")
    result = program("check", good, bad, "--json")
    assert result.exit_code == 1
    assert [data["ok"] for data in lines(result.stdout)] == [True, False]


OPEN = {"type": "object", "patternProperties": {"^x": {"type": "string"}}}
UNIQUE = {"type": "array", "uniqueItems": True}


def test_what_the_open_profile_takes(program: Program, lines: Lines, tmp_path: Path) -> None:
    path = grammar(tmp_path, json.dumps(OPEN), "s.json")
    result = program("check", path)
    assert result.exit_code == 1
    assert (
        f"{path}  note LINT_OPEN_PROFILE: The open profile takes this schema.\n    Pass --profile open" in result.stdout
    )
    (data,) = lines(program("check", path, "--json").stdout)
    assert [finding["code"] for finding in data["findings"]] == ["SCHEMA_KEYWORD_UNSUPPORTED", "LINT_OPEN_PROFILE"]
    (data,) = lines(program("check", path, "--sarif").stdout)
    assert [each["level"] for each in data["runs"][0]["results"]] == ["error", "note"]
    result = program("check", path, "--profile", "open")
    assert result.exit_code == 0
    assert "LINT_OPEN_PROFILE" not in result.stdout
    refused = {**OPEN, "properties": {"a": {"$ref": "other.json"}}}
    assert "LINT_OPEN_PROFILE" not in program("check", grammar(tmp_path, json.dumps(refused), "s.json")).stdout


def test_a_schema_without_a_whole_automaton(program: Program, lines: Lines, tmp_path: Path) -> None:
    path = grammar(tmp_path, json.dumps(UNIQUE), "s.json")
    result = program("check", path, "--profile", "open", "--tokenizer", "default")
    assert result.exit_code == 0
    assert f"{path}: ok, masks on demand; no whole automaton" in result.stdout
    (data,) = lines(program("check", path, "--profile", "open", "--json").stdout)
    assert data["ok"]
    assert not data["constraint"]["whole"]
    assert [entry["keyword"] for entry in data["coverage"]] == ["type", "uniqueItems"]


def test_values_that_a_schema_allows_and_the_mask_leaves_out(program: Program, tmp_path: Path) -> None:
    path = grammar(tmp_path, json.dumps({"not": UNIQUE}), "s.json")
    result = program("check", path, "--profile", "open")
    assert result.exit_code == 0
    assert f"{path} /not/uniqueItems  note LINT_EQUAL_ITEMS: Arrays with equal items are not written" in result.stdout


def test_what_hosted_models_refuse(program: Program, lines: Lines, tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    path = grammar(tmp_path, json.dumps(schema), "s.json")
    assert "LINT_HOSTED" not in program("check", path, "--hosted", "openai").stdout
    path = grammar(tmp_path, json.dumps({**schema, "required": []}), "s.json")
    assert "LINT_HOSTED" not in program("check", path).stdout
    result = program("check", path, "--hosted", "openai")
    assert result.exit_code == 0  # it is fine here
    assert "/required  warning LINT_HOSTED" in result.stdout


def test_findings_as_sarif(program: Program, lines: Lines, tmp_path: Path) -> None:
    bad = grammar(tmp_path, 'root ::= "a" (\n')
    schema = grammar(tmp_path, '{"type": "string", "minLength": 2, "maxLength": 1}', "s.json")
    result = program("check", bad, schema, grammar(tmp_path, GOOD, "good.gbnf"), "--sarif")
    assert result.exit_code == 1
    (data,) = lines(result.stdout)
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    first, second = run["results"]
    assert (first["ruleId"], first["level"]) == ("GRAMMAR_SYNTAX", "error")
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": str(bad)}, "region": {"startLine": 1, "startColumn": 14},
    }  # fmt: skip
    assert second["ruleId"] == "SCHEMA_CONFLICT"
    assert second["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "/"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"GRAMMAR_SYNTAX", "SCHEMA_CONFLICT"}


def test_the_earley_engine_takes_left_recursion(
    program: Program, lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = Vocabulary.from_bytes([b"x", b",x", None], eos=2)
    monkeypatch.setattr("checkrail.cli.check.read_vocabulary", lambda _: tokens)
    path = grammar(tmp_path, 'root ::= root "," "x" | "x" "!"?\n')
    result = program("check", path, "--engine", "earley", "--tokenizer", "default")
    assert result.exit_code == 0
    assert "Earley engine, because it was asked for" in result.stdout
    assert "VOCAB_UNCOVERED" in result.stdout  # the ! is in no token
    (data,) = lines(program("check", path, "--engine", "earley", "--json").stdout)
    assert (data["constraint"]["engine"], data["constraint"]["because"]) == ("earley", "it was asked for")
