import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_sampler
from checkrail.decoding.randomness import Randomness
from checkrail.errors import SamplingError

PUBLISHED = [
    (bytes(32), [0.8031295725842245, 0.10544427910498821, 0.5858745966784427]),
    (bytes(range(32)), [0.1279578669621736, 0.5907503871858842, 0.7043617390172285]),
]


@pytest.mark.parametrize(("key", "numbers"), PUBLISHED)
def test_published_vectors(key: bytes, numbers: list[float]) -> None:
    assert [Randomness(key).uniform(t) for t in range(3)] == numbers


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**64 - 1))
def test_agrees_with_the_reference(key: bytes, step: int) -> None:
    u = Randomness(key).uniform(step)
    assert u == reference_sampler.uniform(key, step)
    assert 0 <= u < 1
    assert u * 2**53 == int(u * 2**53)


def test_seed_gives_the_key() -> None:
    assert Randomness.from_seed(b"abc").seal() == hashlib.sha256(b"seed/1\0abc").digest()
    assert Randomness.from_seed(42).seal() == hashlib.sha256(b"seed/1\x0042").digest()
    assert Randomness.from_seed(-1).uniform(0) != Randomness.from_seed(1).uniform(0)
    assert Randomness.from_seed(10**400).seal()


@pytest.mark.parametrize("seed", [True, 1.0, "1", None, bytearray(b"1")])
def test_bad_seed(seed: object) -> None:
    with pytest.raises(SamplingError, match="seed must be an integer or bytes"):
        Randomness.from_seed(seed)  # type: ignore[arg-type]  # the wrong type is the test


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), "0" * 32])
def test_bad_key(key: object) -> None:
    with pytest.raises(SamplingError, match="key must be 32 bytes"):
        Randomness(key)  # type: ignore[arg-type]  # the wrong type is the test


def test_a_fresh_key_is_secret_unless_asked_beforehand() -> None:
    secret = Randomness()
    with pytest.raises(SamplingError, match="replay"):
        secret.seal()
    kept = Randomness(replay=True)
    assert Randomness(kept.seal()).uniform(7) == kept.uniform(7)
    assert kept.seal() != Randomness(replay=True).seal()
    assert kept.seal().hex() not in repr(kept)
    assert repr(secret) == "<Randomness secret>"
