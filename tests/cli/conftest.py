"""Running the program in this process, with a model that says what a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from checkrail import models
from checkrail.cli import main
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CHECKRAIL_COLOR", "CHECKRAIL_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def program() -> Program:
    """`program("check", file)`; standard output and error are apart."""

    def run(*arguments: Any, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Make the program's model one that wants to write one of these texts."""
    tokens = [*(bytes([b]) for b in range(256)), b'{"', b'": ', None, None]
    vocabulary = Vocabulary.from_bytes(tokens, eos=259, special={"<|im_start|>": 258, "<|im_end|>": 259})

    def script(*texts: str, **options: Any) -> ScriptedModel:
        model = ScriptedModel(vocabulary, *texts, **options)
        monkeypatch.setattr(models, "load_model", lambda *_, **__: model)
        return model

    return script


def lines(text: str) -> list[dict[str, Any]]:
    """JSON Lines as data; each must carry the version."""
    found = [json.loads(line) for line in text.splitlines()]
    assert all(record["schema_version"] == 1 for record in found)
    return found


@pytest.fixture(name="lines")
def _lines() -> Callable[[str], list[dict[str, Any]]]:
    return lines
