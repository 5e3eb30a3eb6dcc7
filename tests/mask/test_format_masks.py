"""The masks of places in formats: made once, kept, read when a format is used, and the same as those that are made."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.limits import DEFAULT_LIMITS
from checkrail.mask import cache, cache_files, format_masks, visible
from checkrail.mask.format_masks import SAMPLES
from checkrail.mask.kernel import Kernel, load_compiled
from checkrail.mask.token_tables import token_tables
from checkrail.mask.wide import WideMasks
from checkrail.ondemand import scalars
from checkrail.ondemand.formats import FORMAT_TEXTS, FORMATS
from checkrail.ondemand.kept import Kept
from checkrail.ondemand.language import Language
from checkrail.ondemand.scalars import string_language
from checkrail.vocabulary.vocabulary import Vocabulary
from minimal_digest import minimal_digest

COMPILED = load_compiled()
USED = ("uri", "uuid", "hostname")


def vocabulary() -> Vocabulary:
    """So many tokens that places in these formats are wide."""
    rng = random.Random(3)
    letters = [*"abcdef0123456789", "-", ".", "/", ":", "x", "é", " ", '"']
    texts = {"".join(rng.choices(letters, k=rng.randint(2, 5))).encode() for _ in range(9000)}
    tokens = [*(bytes([b]) for b in range(256)), *sorted(texts)]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


VOCABULARY = vocabulary()


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "10")
    monkeypatch.setattr(cache, "MINIMUM_TOKENS", 256)
    new_process(monkeypatch)
    return tmp_path / "vocabularies"


def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known, as in a new process."""
    monkeypatch.setattr(FORMATS, "made", {})
    monkeypatch.setattr(scalars, "_KEPT", Kept(2**16))
    cache._kept.clear()
    token_tables.cache_clear()


def masks(kernel: Kernel) -> list[list[int]]:
    """The masks before every byte of a sample of each format."""
    found = []
    for label in USED:
        grammar = Grammar.from_json_schema(json.dumps({"type": "string", "format": label}), profile="open")
        matcher = compile(grammar, VOCABULARY, kernel=kernel).matcher()
        for byte in json.dumps(SAMPLES[label][0]).encode():
            found.append(matcher.allowed(None))
            assert matcher.accept_bytes(bytes([byte]))
        found.append(matcher.allowed(None))
    return found


def test_every_format_has_samples_that_are_of_it() -> None:
    assert set(SAMPLES) == set(FORMAT_TEXTS)
    for label, texts in SAMPLES.items():
        language = language_of(label)
        for text in texts:
            state = 0
            for byte in json.dumps(text, ensure_ascii=False).encode():
                state = language.row(state)[language.class_map[byte]]
                assert state >= 0, (label, text)
            assert language.accepting(state)


@pytest.mark.skipif(COMPILED is None, reason="no compiled kernel was built: run `make kernel`")
def test_kept_masks_are_those_that_are_made(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible, "_STRINGS_AHEAD", 0)  # some of those are of places beside the samples
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    expected = masks(kernel)
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "10")
    new_process(monkeypatch)
    assert COMPILED is not None
    assert masks(COMPILED) == expected  # makes the files
    new_process(monkeypatch)
    walked: list[object] = []
    make = WideMasks._make

    def making(self: WideMasks, machine: object, state: int, depth: int, run: int) -> object:
        walked.append(self._source.name_of(state))
        return make(self, machine, state, depth, run)

    monkeypatch.setattr(WideMasks, "_make", making)
    assert masks(kernel) == expected
    # A bounded string asks for the mask of its start without the bound, which is too narrow to be kept in a file.
    assert [name for name in walked if not (isinstance(name, tuple) and name[1] == "start")] == []


@pytest.mark.skipif(COMPILED is None, reason="no compiled kernel was built: run `make kernel`")
def test_a_file_is_read_when_its_format_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert COMPILED is not None
    masks(COMPILED)
    kept = {file.path.name.rpartition(".")[2] for file in cache_files.files()}
    assert {f"masks-{label}" for label in USED} <= kept
    new_process(monkeypatch)
    read: list[str] = []
    reading = cache_files.read

    def noting(name: str) -> bytes | None:
        read.append(name.rpartition(".")[2])
        return reading(name)

    monkeypatch.setattr(cache_files, "read", noting)
    tables = token_tables(VOCABULARY, cache.prepare(VOCABULARY).trie, COMPILED)
    assert sorted(read) == ["counts", "masks", "vocabulary"]
    language = string_language(FORMAT_TEXTS["uri"], DEFAULT_LIMITS)
    assert language is not None
    assert len(read) == 3
    assert tables.shared.get((0, "no such place")) is None
    assert read[3:] == ["masks-uri"]
    state = language.row(language.row(0)[language.class_map[0x22]])[language.class_map[0x68]]  # behind "h
    assert tables.shared.get(language.name_of(state, tables.trie.max_depth)) is not None
    assert read[4:] == []


@pytest.mark.skipif(COMPILED is None, reason="no compiled kernel was built: run `make kernel`")
def test_a_file_of_another_version_is_made_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert COMPILED is not None
    with monkeypatch.context() as patch:
        patch.setattr(format_masks, "VERSION", format_masks.VERSION - 1)
        expected = masks(COMPILED)
    (file,) = place.glob("*.masks-uri")
    older = file.read_bytes()
    new_process(monkeypatch)
    assert masks(COMPILED) == expected
    assert file.read_bytes() != older


@pytest.mark.skipif(COMPILED is None, reason="no compiled kernel was built: run `make kernel`")
@pytest.mark.parametrize("damage", [lambda data: data[:-9] + b"\xff" * 9, lambda data: b""], ids=["changed", "empty"])
def test_a_damaged_file_is_made_again(damage: object, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert COMPILED is not None
    assert callable(damage)
    first = masks(COMPILED)
    wholes = {file: file.read_bytes() for file in [*place.glob("*.masks-*"), *place.glob("*.counts")]}
    for file, whole in wholes.items():
        file.write_bytes(damage(whole))
    new_process(monkeypatch)
    assert masks(COMPILED) == first
    again = {file: file.read_bytes() for file in wholes if file.name.endswith((*USED, "counts"))}
    assert again == {file: wholes[file] for file in again}
    assert len(again) == len(USED) + 1


def test_the_interpreted_kernel_makes_none(kernel: Kernel, place: Path) -> None:
    masks(kernel)
    assert bool(list(place.glob("*.masks-*"))) is (kernel.mode == "compiled")


def language_of(label: str) -> Language:
    language = string_language(FORMAT_TEXTS[label], DEFAULT_LIMITS)
    assert language is not None
    return language


def test_the_languages_are_those_of_this_version() -> None:
    """Where this fails a language has changed: raise VERSION in format_masks, and enter the new digests."""
    known = {
        1: {
            "hostname": "01fa09e122aaa85e",
            "email": "23eea80833c7b28c",
            "date": "28653d300c532127",
            "time": "303b8e57081c4f0b",
            "json-pointer": "9bb931096cf3f870",
            "relative-json-pointer": "c1f5cbaa07d58d42",
            "uri-template": "53dcea41536d6aa1",
            "date-time": "d954c685cc52e1e9",
            "duration": "5b339515e4585c13",
            "uuid": "a7839e68cd632d1b",
            "ipv4": "61e96c4785ef2e25",
            "ipv6": "5c584c0ae5049a35",
            "uri": "02667391ed4482ef",
            "uri-reference": "c269c84e13ce1124",
        },
    }
    known[2] = known[1] | {"hostname": "50ed6c4d2667ac59", "email": "3465d2ac50fc33af"}
    found = {label: minimal_digest(language_of(label)) for label in FORMAT_TEXTS}
    assert found == known[format_masks.VERSION]
