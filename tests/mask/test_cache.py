"""A vocabulary is prepared once: in a process, and on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.mask import cache, cache_files
from checkrail.mask.kernel import Kernel
from checkrail.mask.prepared import Prepared
from checkrail.mask.token_tables import token_tables
from checkrail.vocabulary.vocabulary import Vocabulary

VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b"ab", b"abc", None], eos=258)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "10")
    monkeypatch.setattr(cache, "MINIMUM_TOKENS", 256)
    monkeypatch.setattr(cache, "_kept", type(cache._kept)())
    return tmp_path / "vocabularies"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Vocabulary]:
    """The vocabularies that were made and not read."""
    made: list[Vocabulary] = []
    build = cache.build

    def noting(vocabulary: Vocabulary) -> Prepared:
        made.append(vocabulary)
        return build(vocabulary)

    monkeypatch.setattr(cache, "build", noting)
    return made


def forget() -> None:
    """As a new process begins."""
    cache._kept.clear()


def test_once_in_a_process_and_once_on_a_machine(builds: list[Vocabulary]) -> None:
    first = cache.prepare(VOCABULARY)
    assert cache.prepare(VOCABULARY) is first
    forget()
    second = cache.prepare(VOCABULARY)
    assert second is not first
    assert (second.nodes, second.trie.same, second.token_bytes) == (first.nodes, first.trie.same, first.token_bytes)
    assert len(builds) == 1
    assert [file.path.name for file in cache_files.files()] == [f"{VOCABULARY.fingerprint}.2-1.vocabulary"]


def test_a_small_vocabulary_is_not_kept_on_disk(builds: list[Vocabulary], place: Path) -> None:
    small = Vocabulary.from_bytes([b"a", None], eos=1)
    cache.prepare(small)
    forget()
    cache.prepare(small)
    assert len(builds) == 2
    assert not place.exists()


def test_the_cache_can_be_turned_off(builds: list[Vocabulary], place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.prepare(VOCABULARY)
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    forget()
    cache.prepare(VOCABULARY)
    assert len(builds) == 2


@pytest.mark.parametrize("damage", ["cut off", "changed", "another", "empty"])
def test_a_damaged_file_is_made_again(damage: str, builds: list[Vocabulary], place: Path) -> None:
    cache.prepare(VOCABULARY)
    (file,) = place.iterdir()
    whole = file.read_bytes()
    middle = len(whole) // 2
    broken = {
        "cut off": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "another": b"checkrail-vocab\n" + bytes(100),
        "empty": b"",
    }
    file.write_bytes(broken[damage])
    forget()
    cache.prepare(VOCABULARY)
    assert len(builds) == 2
    assert file.read_bytes() == whole
    forget()
    cache.prepare(VOCABULARY)
    assert len(builds) == 2


def test_without_a_place_to_write_everything_works(
    builds: list[Vocabulary], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path / "file"))
    constraint = compile(Grammar.from_gbnf('root ::= "abc"'), VOCABULARY)
    assert constraint.matcher().allowed() == [97, 256, 257]
    assert len(builds) == 1


def test_masks_from_a_file_are_those_of_what_was_made(kernel: Kernel, builds: list[Vocabulary]) -> None:
    def masks() -> list[list[int]]:
        token_tables.cache_clear()
        forget()
        matcher = compile(Grammar.from_gbnf('root ::= "[" [a-c]* ("]" | "x")'), VOCABULARY, kernel=kernel).matcher()
        found = [matcher.allowed()]
        for token in (91, 257, 256):
            matcher.accept_token(token)
            found.append(matcher.allowed())
        return found

    made = masks()
    assert masks() == made
    assert made[0] == [91]
    assert len(builds) == 1


def test_few_vocabularies_are_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    several = [Vocabulary.from_bytes([bytes([n]), None], eos=1) for n in range(6)]
    for vocabulary in several:
        cache.prepare(vocabulary)
    assert list(cache._kept) == several[2:]
    cache.prepare(several[2])
    assert list(cache._kept) == [*several[3:], several[2]]


def test_threads_get_the_same_one(builds: list[Vocabulary]) -> None:
    found: list[Prepared] = []
    threads = [threading.Thread(target=lambda: found.append(cache.prepare(VOCABULARY))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(builds) == 1
    assert all(prepared is found[0] for prepared in found)


PROCESS = """
import sys
from checkrail.mask import cache
from checkrail.vocabulary.vocabulary import Vocabulary
cache.MINIMUM_TOKENS = 256
tokens = [*(bytes([b]) for b in range(256)), *(b"%d" % n for n in range(20000)), None]
vocabulary = Vocabulary.from_bytes(tokens, eos=20256)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(5):
    cache._kept.clear()
    print(len(cache.prepare(vocabulary).nodes))
    cache.cache_files.clear()
"""


def test_processes_that_make_delete_and_read_at_once(place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    outputs = [child.communicate("go\n", timeout=120)[0] for child in children]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert len({line for output in outputs for line in output.split()}) == 1
    assert [path.name for path in place.iterdir() if path.name.endswith("-part")] == []
