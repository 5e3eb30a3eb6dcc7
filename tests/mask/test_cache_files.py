"""The folder of the cache: whole files, private ones, a bound, and no failure that anyone must handle."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from checkrail.errors import InputError
from checkrail.mask import cache_files

POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system has no owners of files")
A, B, C = (f"{c * 64}.1-1.vocabulary" for c in "abc")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "1")
    return tmp_path / "cache" / "vocabularies"


def names() -> list[str]:
    return [file.path.name[0] for file in cache_files.files()]


def test_what_is_written_can_be_read(place: Path) -> None:
    assert cache_files.read(A) is None
    assert cache_files.files() == []
    assert cache_files.write(A, b"first")
    assert cache_files.write(A, b"second")
    assert cache_files.read(A) == b"second"
    assert cache_files.read(B) is None
    assert [(f.path, f.size) for f in cache_files.files()] == [(place / A, 6)]
    assert os.listdir(place) == [A]
    assert cache_files.obstacle() is None


@POSIX
def test_only_this_user_can_read_and_write_it(place: Path) -> None:
    before = os.umask(0)
    try:
        cache_files.write(A, b"x")
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o700
    assert (place / A).stat().st_mode & 0o777 == 0o600


@POSIX
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_read(place: Path, mode: int) -> None:
    cache_files.write(A, b"x")
    (place / A).chmod(mode)
    assert cache_files.read(A) is None
    assert cache_files.write(A, b"y")  # it is replaced
    assert cache_files.read(A) == b"y"


@POSIX
def test_a_folder_that_others_may_write_to_is_not_used(place: Path) -> None:
    cache_files.write(A, b"x")
    place.chmod(0o777)
    assert cache_files.read(A) is None
    assert not cache_files.write(B, b"x")
    assert "others may write" in str(cache_files.obstacle())
    place.chmod(0o755)
    assert cache_files.read(A) == b"x"


@POSIX
@pytest.mark.parametrize(("owner", "is_ours"), [(0, True), (1000, True), (1001, False)])
def test_a_file_of_someone_else_is_not_ours(owner: int, is_ours: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    facts = os.stat_result((0o100600, 1, 1, 1, owner, 0, 0, 0, 0, 0))
    assert cache_files._is_private(facts) == is_ours


@POSIX
def test_a_link_or_a_pipe_is_not_read(place: Path, tmp_path: Path) -> None:
    place.mkdir(parents=True, mode=0o700)
    (tmp_path / "elsewhere").write_bytes(b"x")
    (place / A).symlink_to(tmp_path / "elsewhere")
    os.mkfifo(place / B, 0o600)
    assert cache_files.read(A) is None
    assert cache_files.read(B) is None
    assert cache_files.files() == []
    assert cache_files.write(A, b"y")
    assert (tmp_path / "elsewhere").read_bytes() == b"x"
    assert cache_files.read(A) == b"y"


def test_the_longest_unused_go_first(place: Path) -> None:
    for number, name in enumerate((A, B)):
        assert cache_files.write(name, bytes(400_000))
        os.utime(place / name, (1_000 + number, 1_000 + number))
    assert names() == ["b", "a"]
    assert cache_files.read(A) is not None  # counts as used now
    assert names() == ["a", "b"]
    assert cache_files.write(C, bytes(400_000))
    assert sorted(names()) == ["a", "c"]


def test_a_file_beyond_the_bound_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not cache_files.write(A, bytes(1_000_001))
    assert cache_files.write(A, bytes(1_000_000))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    assert cache_files.read(A) is None
    assert not cache_files.write(B, b"x")
    assert cache_files.obstacle() == "CHECKRAIL_CACHE_MB is 0"


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "1048577", "99999999999", "²", " 1"])
def test_a_bound_that_is_no_number_is_an_error(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", text)
    for ask in (cache_files.bound, cache_files.obstacle, lambda: cache_files.write(A, b"x")):
        with pytest.raises(InputError) as caught:
            ask()
        assert caught.value.code == "INPUT_FORMAT"


def test_the_default_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHECKRAIL_CACHE_MB")
    assert cache_files.bound() == 256_000_000


def test_where_nothing_can_be_written_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    for named in (tmp_path / "file", tmp_path / "file" / "x"):
        monkeypatch.setenv("CHECKRAIL_CACHE", str(named))
        assert not cache_files.write(A, b"x")
        assert cache_files.read(A) is None
        assert cache_files.files() == []
        assert cache_files.clear() == []
        assert cache_files.obstacle() == "it cannot be written"


def test_without_a_home_folder_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("CHECKRAIL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", home)
    assert not cache_files.write(A, b"x")
    assert cache_files.read(A) is None
    assert cache_files.files() == []
    assert cache_files.obstacle() == "there is no such place"


def test_a_disk_that_is_full_leaves_nothing_behind(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replace(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    assert not cache_files.write(A, b"x")
    assert os.listdir(place) == []


def test_what_a_writer_left_behind_goes_after_an_hour(place: Path) -> None:
    place.mkdir(parents=True, mode=0o700)
    old, new = place / ".old_1.checkrail-part", place / ".new_2.checkrail-part"
    for path in (old, new):
        path.write_bytes(b"x")
    os.utime(old, (time.time() - 4000,) * 2)
    cache_files.write(A, b"x")
    assert not old.exists()
    assert new.exists()


def test_clear_deletes_what_is_ours_and_nothing_else(place: Path) -> None:
    for name in (A, B):
        cache_files.write(name, b"xyz")
    (place / ".p_q.checkrail-part").write_bytes(b"")
    (place / "notes.vocabulary").write_bytes(b"")
    gone = cache_files.clear()
    assert [file.size for file in gone] == [3, 3]
    assert os.listdir(place) == ["notes.vocabulary"]


def test_clear_says_what_cannot_be_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlink(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    cache_files.write(A, b"x")
    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(InputError, match=re.escape(f"{A}: permission denied")):
        cache_files.clear()


def test_the_head_of_a_file() -> None:
    cache_files.write(A, b"abcdef")
    (file,) = cache_files.files()
    assert cache_files.head(file, 4) == b"abcd"
    cache_files.clear()
    assert cache_files.head(file, 4) == b""
