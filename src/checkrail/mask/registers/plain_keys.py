"""Keys of which there are always more than a text could write: the common case, without searching and trying.

Nothing that was written can leave such a key without an end. So a step is refused only where it closes a key that was
written, and a mask loses only tokens that do so. Cost of a step: that of its bytes, and a look at each key that was
written and begins so.
"""

from __future__ import annotations

from ...ondemand.noted import Unit
from .paths import beginning_of
from .reading import Chunks, Reading, joined
from .register import ENOUGH, Context, Note, NotedSource, Register
from .seen import NONE_SEEN
from .suspects import at_names, ending, whole_strings
from .token_index import TokenIndex
from .values import canonical

__all__ = ["plain_suspects", "read_plain"]


def read_plain(
    register: Register | None, data: bytes, notes: tuple[Note, ...], low: int, context: Context
) -> Register | bool | None:
    """What `register.read` gives, with `hot` set. True where there is more to it than plain keys."""
    if b"\\" in data:
        return True
    after = register
    if register is not None:
        reading = register.reading
        if not register.is_plain or (reading is not None and reading.escaped):
            return True
        if reading is not None:
            more = data[: notes[0][0]] if notes else data
            after = _read(register, register.unit, register.reach, reading.chunks, reading.scalar, more, context)
            if after is None:
                return False
    for number, (index, edge, state, depth, before) in enumerate(notes, 1):
        while after is not None and after.depth > before:
            after = after.parent
        unit = context.source.units[edge]
        begun = context.source.key_before(state)
        if not unit.is_plain or (begun and b"\\" in begun):
            return True
        if after is None or after.depth != depth:
            after = Register(after, depth, unit, NONE_SEEN, None)
        chunks: Chunks | None = None if begun is None else (None, b'"' + begun)
        scalar = None if not len(after.seen) else b"" if chunks is None else chunks[1]
        more = data[index : notes[number][0]] if number < len(notes) else data[index:]
        after = _read(after, unit, len(begun or b""), chunks, scalar, more, context)
        if after is None:
            return False
    while after is not None and after.depth > low:
        after = after.parent
    return after


def _read(
    here: Register, unit: Unit, reach: int, chunks: Chunks | None, scalar: bytes | None, data: bytes, context: Context
) -> Register | None:
    """A register after more of a key, of which there are chunks so far. None where that closes one that was written.

    scalar: the key so far, None where none that was written begins so.
    """
    parent, seen, is_near = here.parent, here.seen, here.is_near
    end = data.find(b'"', 1 if chunks is None else 0)
    if end >= 0:
        text = joined((chunks, data[: end + 1]))
        key = canonical(text) if b"\\" in text else text.decode()
        if key in seen:
            return None
        is_near = is_near or context.is_near(key, reach)
        made = Register(parent, here.depth, unit, seen.with_one(key), None, is_near=is_near)
        made.hot = is_near or (parent is not None and parent.hot)
        return made
    hot = False
    if scalar is not None:
        scalar += data
        beginning = beginning_of(scalar)
        size = len(beginning.whole)
        if next(seen.strings(beginning.whole), None) is not None:
            hot = bool(beginning.part) or any(
                ending(other[size:-1].encode(), context.index, one_spelling=unit.one_spelling)
                for other in seen.ending_at(beginning.whole, context.index)
            )
        elif len(scalar) >= ENOUGH:
            scalar = None
    reading = Reading(seen, (chunks, data), (), None, 0, scalar, in_string=True, escaped=False)
    made = Register(parent, here.depth, unit, seen, reading, reach=reach, is_near=is_near)
    made.hot = hot
    return made


def plain_suspects(register: Register, state: int, index: TokenIndex, source: NotedSource) -> list[int] | None:
    """What `suspects` gives; None where the mask must be looked at to tell."""
    reading = register.reading
    if reading is None:
        found = list(at_names(register, state, index, source))
        here: Register | None = register
        while here is not None:
            if here.is_near:
                found += whole_strings([here], index)
            here = here.parent
        return found
    if reading.scalar is None:
        return []
    beginning = beginning_of(reading.scalar)
    size = len(beginning.whole)
    found = []
    if beginning.part:
        return [] if next(reading.seen.strings(beginning.whole), None) is None else None
    for text in reading.seen.ending_at(beginning.whole, index):
        found += ending(text[size:-1].encode(), index, one_spelling=register.unit.one_spelling)
    return found
