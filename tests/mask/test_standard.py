"""The masks of places in strings and numbers: made once, kept, and the same as those that a text comes to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from checkrail.decoding.constraint import compile
from checkrail.errors import MaskError
from checkrail.grammar.grammar import Grammar
from checkrail.mask import cache, cache_files, standard
from checkrail.mask.kernel import Kernel
from checkrail.mask.language_source import LanguageSource
from checkrail.mask.standard import share_standard_masks
from checkrail.mask.token_tables import token_tables
from checkrail.mask.wide import WideMasks
from checkrail.ondemand.scalars import Language, any_string
from checkrail.vocabulary.vocabulary import Vocabulary
from minimal_digest import minimal_digest


def vocabulary() -> Vocabulary:
    """So many tokens that places in strings and numbers are wide."""
    rng = random.Random(3)
    letters = ["a", "b", "c", "é", "日", "\U0001f600", " ", "n", "u", "0", "1", "9", "e"]
    texts = {"".join(rng.choices(letters, k=rng.randint(1, 4))).encode() for _ in range(3000)}
    texts |= {b'"' + text[:2] for text in sorted(texts)[:200]} | {b'",', b'":', b'"}', b"\\n", b"\\u00", b"\\", b"-1"}
    texts |= {b"%d" % n for n in range(2000)} | {b"%d.%d" % (n, m) for n in range(9) for m in range(60)}
    texts |= {text[1:] for text in sorted(texts) if text[:1] >= b"\x80"}
    single = [bytes([b]) for b in range(256)]
    tokens = [*single, *sorted(texts.difference(single, [b""]))]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


VOCABULARY = vocabulary()
DOCUMENTS = {
    '{"type": "string"}': b'"a\\n\\u00e9\xc3\xa9b"',
    '{"type": "number"}': b"-0.25e+1",
    '{"type": "integer"}': b"-120",
    '{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}': (
        b'{"a":"bc"}'
    ),
}


IN_OPEN = {
    '{"type": "integer", "minimum": 0}': b"2147483647",
    '{"type": "integer", "minimum": 1}': b"20",
    '{"type": "number", "minimum": 0}': b"12345678.12345678",
    '{"type": "number", "exclusiveMinimum": 0}': b"0.0012",
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "10")
    monkeypatch.setattr(cache, "MINIMUM_TOKENS", 256)
    monkeypatch.setattr(cache, "_kept", type(cache._kept)())
    token_tables.cache_clear()
    return tmp_path / "vocabularies"


def masks(kernel: Kernel, profile: str, *, again: bool = True) -> list[list[int]]:
    """The masks before every byte of the documents; again: as in a new process."""
    if again:
        cache._kept.clear()
        token_tables.cache_clear()
    found = []
    for schema, document in {**DOCUMENTS, **(IN_OPEN if profile == "open" else {})}.items():
        grammar = Grammar.from_json_schema(schema, profile=profile, whitespace="compact")
        matcher = compile(grammar, VOCABULARY, kernel=kernel).matcher()
        for byte in document:
            found.append(matcher.allowed(None))
            assert matcher.accept_bytes(bytes([byte]))
        found.append(matcher.allowed(None))
    return found


@pytest.mark.parametrize("profile", ["open", "strict"])
def test_kept_masks_are_those_that_are_made(profile: str, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    first = masks(kernel, profile)  # makes the files
    (file,) = [f for f in cache_files.files() if f.path.name.endswith(".masks")]
    assert file.size > 5_000
    with monkeypatch.context() as patch:
        patch.setattr(standard, "_make", lambda *_: pytest.fail("made again"))
        assert masks(kernel, profile) == first
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    assert masks(kernel, profile) == first


@pytest.mark.parametrize("profile", ["open", "strict"])
def test_texts_need_no_others(profile: str, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    masks(kernel, profile)  # makes the files
    walked: list[object] = []
    make = WideMasks._make

    def making(self: WideMasks, machine: object, state: int, depth: int, run: int) -> object:
        walked.append(self._source.name_of(state))
        return make(self, machine, state, depth, run)

    cache._kept.clear()
    token_tables.cache_clear()
    tables = token_tables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)
    assert len(tables.shared._masks) > 20
    monkeypatch.setattr(WideMasks, "_make", making)
    masks(kernel, profile, again=False)
    assert [name for name in walked if name is not None] == []


def test_a_damaged_file_is_made_again(kernel: Kernel, place: Path) -> None:
    first = masks(kernel, "open")
    (file,) = place.glob("*.masks")
    whole = file.read_bytes()
    file.write_bytes(whole[:-9] + b"\xff" * 9)
    assert masks(kernel, "open") == first
    assert file.read_bytes() == whole


def test_a_file_of_another_version_is_made_again(kernel: Kernel, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(standard, "VERSION", standard.VERSION - 1)
        first = masks(kernel, "open")
    (file,) = place.glob("*.masks")
    older = file.read_bytes()
    assert masks(kernel, "open") == first
    assert file.read_bytes() != older
    newer = file.read_bytes()
    assert masks(kernel, "open") == first
    assert file.read_bytes() == newer


def test_without_the_cache_there_are_none(kernel: Kernel, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    tables = token_tables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)
    assert not share_standard_masks(tables, VOCABULARY, kernel)
    assert not tables.shared._masks
    assert not place.exists()


def test_where_they_cannot_be_kept_they_are_not_made(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(standard, "_make", lambda *_: pytest.fail("made for nothing"))
    tables = token_tables(VOCABULARY, cache.prepare(VOCABULARY).trie, kernel)
    assert not share_standard_masks(tables, VOCABULARY, kernel)
    assert not tables.shared._masks


class Endless(Language):
    class_map = bytes(256)
    width = 1
    name = b""

    def row(self, state: int) -> list[int]:
        return [state + 1]

    def accepting(self, state: int) -> bool:
        return False


def test_a_language_without_end_is_no_source() -> None:
    with pytest.raises(MaskError):
        LanguageSource(Endless())
    source = LanguageSource(any_string())
    with pytest.raises(MaskError):
        source.expand(0)


def test_the_languages_are_those_of_this_version() -> None:
    """Where this fails a language has changed: raise VERSION in standard, and enter the new digests."""
    known = {
        2: {
            "string": "71edfd24fd6dbba9",
            "canonical": "e1d0301615050c8d",
            "number": "f436e298ae9369b9",
            "integer": "8b608fc07a5d9026",
            "number from 0": "f944c00d8622b4e4",
            "number above 0": "effc278fb2f28dd9",
            "integer from 0": "cc9b2bdef751b8ef",
            "integer from 1": "4da27627a48fbe67",
        }
    }
    assert {label: minimal_digest(language) for label, language in standard.languages().items()} == known[
        standard.VERSION
    ]
