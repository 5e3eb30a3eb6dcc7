"""`--profile`: the same schema read strictly and openly, in every command that reads one."""

from __future__ import annotations

SCHEMA = '{"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "maxProperties": 2}'


def test_the_open_profile_takes_what_the_strict_one_refuses(program):
    refused = program("explain", SCHEMA, '{"x1": 3}')
    assert refused.exit_code == 2
    assert "SCHEMA_KEYWORD_UNSUPPORTED" in refused.stderr
    assert program("explain", SCHEMA, '{"x1": 3}', "--profile", "open").exit_code == 0
    assert program("explain", SCHEMA, '{"x1": "a"}', "--profile", "open").exit_code == 1


def test_check_shows_the_open_coverage(program, tmp_path):
    file = tmp_path / "s.json"
    file.write_text(SCHEMA, encoding="utf-8")
    assert program("check", file).exit_code == 1
    result = program("check", file, "--profile", "open")
    assert result.exit_code == 0
    assert "patternProperties" in result.stdout


def test_generate_writes_under_an_open_schema(program, says, lines):
    says('{"x1": 3}')
    (data,) = lines(program("generate", "n", "--schema", SCHEMA, "--profile", "open", "--json").stdout)
    assert (data["value"], data["complete"]) == ({"x1": 3}, True)
