"""The random numbers of a run: one keyed hash per token position.

    u_t = floor(first 8 bytes, big-endian, of SHA-256("sampler/1\\0" || key || uint64be(t)) / 2**11) * 2**-53

The number for position t depends on the key and on t alone. So a run replays from its seed, rolling back and
going on again draws the same numbers, tokens that need no draw cost none, no global generator is touched,
and a port needs nothing but SHA-256. About a microsecond a number.

Without a seed the key comes from the operating system, and nobody can ask for it afterwards unless
`replay=True` was said beforehand: who knows the key can tell which tokens were likely from those drawn.
"""

from __future__ import annotations

import hashlib
import os

from ..errors import SamplingError

__all__ = ["KEY_BYTES", "Randomness"]

KEY_BYTES = 32
_DRAW = b"sampler/1\0"
_SEED = b"seed/1\0"


class Randomness:
    """A source of uniform numbers in [0, 1), indexed by token position. Immutable.

    key: 32 bytes, or None for a fresh secret key. replay: allow `seal` to give a fresh key out.

    >>> Randomness(bytes(32)).uniform(0)
    0.8031295725842245
    """

    __slots__ = ("_key", "_replay")

    def __init__(self, key: bytes | None = None, *, replay: bool = False) -> None:
        if key is not None and not _is_key(key):
            raise SamplingError("SAMPLING_PARAM", name="key", range=f"{KEY_BYTES} bytes")
        self._key = os.urandom(KEY_BYTES) if key is None else key
        self._replay = replay or key is not None

    @classmethod
    def from_seed(cls, seed: int | bytes) -> Randomness:
        """The key SHA-256("seed/1\\0" || seed); an int stands for its decimal digits in ASCII."""
        if isinstance(seed, bool) or not isinstance(seed, (int, bytes)):
            raise SamplingError("SAMPLING_PARAM", name="seed", range="an integer or bytes")
        return cls(hashlib.sha256(_SEED + (seed if isinstance(seed, bytes) else b"%d" % seed)).digest())

    def uniform(self, step: int) -> float:
        """The number for token position `step`, 0 <= step < 2**64: a multiple of 2**-53 below 1."""
        digest = hashlib.sha256(_DRAW + self._key + step.to_bytes(8, "big")).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) * 2.0**-53

    def seal(self) -> bytes:
        """The key, to replay this run later. Refused for a fresh key made without `replay=True`."""
        if not self._replay:
            raise SamplingError("SAMPLING_PARAM", name="replay", range="set before the run for its key to be kept")
        return self._key

    def __repr__(self) -> str:
        return f"<Randomness {'replayable' if self._replay else 'secret'}>"


def _is_key(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == KEY_BYTES
