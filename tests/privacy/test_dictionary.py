"""What can be guessed cannot be looked up: no digest in evidence is one that a guesser can make.

All of 10,000 PINs are tried, as a guesser with the evidence file would: their digests, in the forms that come to mind,
against every digest in a record of a run whose grammar, prompt and output were one of them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from checkrail import Evidence, Grammar, Vocabulary, generate
from checkrail.boundary.evidence.types import Digest
from checkrail.decoding.constraint import compile
from checkrail.models.scripted import ScriptedModel

PINS = [f"{n:04}" for n in range(10_000)]
PIN = random.Random(7).choice(PINS)
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


def grammar(pin: str) -> Grammar:
    return Grammar.from_regex(f"PIN {pin}")


def digests(path: Path) -> set[str]:
    """Everything in a record that is as long as a digest."""
    return set(re.findall("[0-9a-f]{64}", path.read_text("ascii")))


def guesses(content: bytes) -> Iterator[str]:
    """What a guesser makes of one candidate."""
    for data in (content, hashlib.sha256(content).digest()):
        yield hashlib.sha256(data).hexdigest()
        for key in (b"", b"\0" * 32, b"checkrail"):
            yield hmac.digest(key, data, "sha256").hex()


def candidates(pin: str, *, compiled: bool) -> Iterator[bytes]:
    """Contents whose digest would give a PIN away."""
    for text in (pin, f"PIN {pin}", f"What is {pin}?"):
        yield text.encode()
        yield json.dumps({"pin": text}, separators=(",", ":")).encode()
    own = grammar(pin)
    yield own.sha256.encode()
    yield bytes.fromhex(own.sha256)
    if compiled:
        constraint = compile(own, VOCABULARY)
        for digest in (constraint.sha256, constraint.automaton.sha256):
            yield digest.encode()
            yield bytes.fromhex(digest)


def found(paths: Mapping[str, Path]) -> dict[str, set[str]]:
    """For each file of evidence the PINs that it gives away."""
    known = {name: digests(path) for name, path in paths.items()}
    compiled = {PIN, *random.Random(3).sample(PINS, 20)}  # compiling all would take minutes
    given_away: dict[str, set[str]] = {name: set() for name in paths}
    for pin in PINS:
        for content in candidates(pin, compiled=pin in compiled):
            guessed = {*guesses(content), content.decode("latin-1"), content.hex()}
            for name in paths:
                if not guessed.isdisjoint(known[name]):
                    given_away[name].add(pin)
    return given_away


def run(path: Path) -> Path:
    model = ScriptedModel(VOCABULARY, f"PIN {PIN}")
    with Evidence(path) as evidence:
        for target in (grammar(PIN), None):
            assert generate(model, f"What is {PIN}?", target, evidence=evidence).text == f"PIN {PIN}"
    assert len(digests(path)) >= 4  # the chains, the tag, the vocabulary
    return path


def test_no_digest_can_be_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And two that could be are found, so that the search is one that can fail."""
    paths = {"as it is": run(tmp_path / "as-it-is")}
    monkeypatch.setattr(Evidence, "tag", lambda self, data: Digest.of(data))
    paths["plain"] = run(tmp_path / "plain")
    monkeypatch.setattr(Evidence, "tag", lambda self, data: Digest.keyed(b"", data))
    paths["empty key"] = run(tmp_path / "empty-key")
    assert found(paths) == {"as it is": set(), "plain": {PIN}, "empty key": {PIN}}


def test_equal_runs_share_no_digest_but_the_vocabularys(tmp_path: Path) -> None:
    """The chain covers the random ids of session and run, so it differs where the content does not."""
    first, second = digests(run(tmp_path / "first")), digests(run(tmp_path / "second"))
    assert first & second == {VOCABULARY.fingerprint}
