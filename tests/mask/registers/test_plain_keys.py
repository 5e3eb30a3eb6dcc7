"""Plain keys against the general way of following keys, over random objects, cuts and vocabularies."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.mask.registers.plain_keys import plain_suspects, read_plain
from checkrail.mask.registers.register import Context, Note, Register, read
from checkrail.mask.registers.suspects import is_hot
from checkrail.mask.registers.token_index import TokenIndex
from checkrail.ondemand.noted import ANY_KEYS, OTHER_KEYS, Unit

PIECES = [b'"', b"a", b"b", b"ab", b'"a"', b'b"', b'a":', b'":1,"', b'b":1,"a', b"\\", b"u0061", b'\\u0062"', b'\\""']
PIECES += [b"\xc3", b"\xa9", b'\xa9"', b"\xc3\xa9", b"/", b'\\/"', b'/"']
KEYS = st.text('ab\u00e9/\\"\n', max_size=3)


class Source:
    """Notes the keys of one object. In state 1 a key stands behind the beginning of a declared name."""

    def __init__(self, unit: Unit, begun: bytes) -> None:
        self.units: Mapping[int, Unit] = MappingProxyType({0: unit})
        self._begun = begun

    def key_before(self, state: int) -> bytes | None:
        return self._begun if state == 1 else None

    def plain_run(self, state: int) -> int:
        raise AssertionError("nobody asks")

    def call_for_units(self, call: object) -> None:
        raise AssertionError("nobody asks")


def noted(text: bytes, begun: bytes) -> dict[int, Note]:
    """The notes of an object's keys, by the place at which a key is noted."""
    found: dict[int, Note] = {}
    for place in range(1, len(text)):
        if text[place - 1 : place] in (b"{", b",") and text[place : place + 1] == b'"':
            behind = text.startswith(begun, place + 1) and bool(begun)
            at = place + 1 + len(begun) if behind else place
            found[at] = (at, 0, int(behind), 1, 1)
    return found


def shown(register: Register | bool | None) -> object:
    if register is None or isinstance(register, bool):
        return register
    reading = register.reading
    return (
        register.depth,
        len(register.seen),
        sorted(register.seen.strings('"')),
        register.is_near,
        reading and (reading.text(), reading.in_string, reading.escaped),
    )


@settings(deadline=None, max_examples=300)
@given(
    st.lists(KEYS, max_size=5),
    st.sampled_from([ANY_KEYS, OTHER_KEYS]),
    st.sampled_from([b"", b"a"]),
    st.randoms(use_true_random=False),
)
def test_it_follows_as_the_general_way_does(keys: list[str], unit: Unit, begun: bytes, rng: random.Random) -> None:
    spelled = [json.dumps(key, ensure_ascii=unit is ANY_KEYS and rng.random() < 0.5) for key in keys]
    text = ("{" + ",".join(f"{key}:1" for key in spelled) + "}").encode()
    index = TokenIndex([piece for piece in PIECES if rng.random() < 0.8])
    context = Context(Source(unit, begun), index)
    notes = noted(text, begun)
    cuts = sorted({0, len(text), *(rng.randrange(len(text)) for _ in range(rng.randrange(12)))})
    plain: Register | None = None
    general: Register | bool | None = None
    for start, end in pairwise(cuts):
        here = tuple((at - start, *note[1:]) for at, note in notes.items() if start <= at < end)
        low = 0 if end == len(text) else 1
        arguments = text[start:end], here, low, context
        general = read(general if isinstance(general, Register) else None, *arguments)
        after = read_plain(plain, *arguments)
        if after is True:
            after = read(plain, *arguments)
            if isinstance(after, Register):
                after.hot = is_hot(after)
        assert shown(after) == shown(general)
        if after is False:
            assert len(set(keys)) < len(keys)
            return
        plain = after if isinstance(after, Register) else None
        if plain is not None:
            check_suspects(plain, index, context)
    assert len(set(keys)) == len(keys)


def check_suspects(register: Register, index: TokenIndex, context: Context) -> None:
    """Each token that makes a key one that was written is a suspect, and the register is hot then."""
    found = plain_suspects(register, 0, index, context.source)
    if register.reading is None or found is None:
        return
    for token, data in enumerate(index.tokens):
        if not data or (register.unit.one_spelling and b"\\" in data):
            continue
        try:
            repeats = read(register, data, (), 1, context) is False
        except ValueError:  # no automaton would have read these bytes
            continue
        if repeats:
            assert token in found
            assert register.hot


def test_a_key_that_was_written_is_refused_and_its_token_suspected() -> None:
    index = TokenIndex([b'"', b'a"', b'ab"', b'b"', b'\\u0062"'])
    context = Context(Source(ANY_KEYS, b""), index)
    before = read_plain(None, b'{"ab":1', ((1, 0, 0, 1, 1),), 1, context)
    assert isinstance(before, Register)
    assert not before.hot or index.heads.get(b"ab")
    begun = read_plain(before, b',"', ((1, 0, 0, 1, 1),), 1, context)
    assert isinstance(begun, Register)
    assert begun.hot
    assert 2 in (plain_suspects(begun, 0, index, context.source) or ())
    on = read_plain(begun, b"a", (), 1, context)
    assert isinstance(on, Register)
    assert on.hot
    assert {3, 4} <= set(plain_suspects(on, 0, index, context.source) or ())
    assert read_plain(on, b'b":', (), 1, context) is False
    other = read_plain(on, b'c":', (), 1, context)
    assert isinstance(other, Register)
    assert len(other.seen) == 2
