"""`load_model`: which model a name or a path means, and that nothing is fetched for it."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
from pathlib import Path

import pytest

import checkrail
from checkrail.errors import InputError, ModelError
from checkrail.models import catalog, llama_cpp
from checkrail.models.catalog import CACHE_VARIABLE, CATALOG
from fake_llama import FakeLibrary, write_model_file


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("nothing may be fetched")

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(llama_cpp, "load_library", FakeLibrary)


@pytest.mark.parametrize("spec", ["default", "smollm2", CATALOG[0].name])
def test_a_missing_model_is_not_fetched(spec: str) -> None:
    with pytest.raises(ModelError, match="MODEL_MISSING: The model smollm2-135m-instruct-q4_1 is not installed"):
        checkrail.load_model(spec)


def test_another_file_in_its_place_is_refused() -> None:
    path = CATALOG[0].path
    path.parent.mkdir(parents=True)
    write_model_file(path)
    with pytest.raises(ModelError, match="MODEL_HASH"):
        checkrail.load_model()


def test_the_installed_model(monkeypatch: pytest.MonkeyPatch) -> None:
    path = CATALOG[0].path
    path.parent.mkdir(parents=True)
    write_model_file(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(catalog, "CATALOG", (dataclasses.replace(CATALOG[0], sha256=digest),))
    with checkrail.load_model(context_size=50, threads=2) as model:
        assert model.name == "smollm2-135m-instruct-q4_1"
        assert model.context_size == 50


def test_a_path(tmp_path: Path) -> None:
    path = write_model_file(tmp_path / "mine.gguf")
    for spec in (path, str(path)):
        with checkrail.load_model(spec) as model:
            assert model.name == "mine"


def test_neither_a_name_nor_a_file() -> None:
    with pytest.raises(InputError, match="INPUT_MISSING: There is no file gpt-5"):
        checkrail.load_model("gpt-5")
