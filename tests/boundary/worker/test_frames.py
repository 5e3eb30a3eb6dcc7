"""Frames, whole and in pieces, true and false."""

from __future__ import annotations

import os
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.worker.frames import FrameError, Inbox, frame, read_frame, write_all


@given(st.lists(st.binary(max_size=300), max_size=4), st.randoms(use_true_random=False))
def test_frames_in_any_pieces(messages: list[bytes], random: object) -> None:
    stream = b"".join(map(frame, messages))
    inbox, taken, at = Inbox(300), [], 0
    while True:
        if (message := inbox.take()) is not None:
            taken.append(message)
        elif at == len(stream):
            break
        else:
            count = random.randint(1, inbox.wants)  # type: ignore[attr-defined]  # random.Random, by Hypothesis
            inbox.feed(stream[at : at + count])
            at += len(stream[at : at + count])
    assert taken == messages


def test_nothing_beyond_a_frame_is_wanted() -> None:
    inbox = Inbox(10)
    assert inbox.wants == 4
    inbox.feed(struct.pack(">I", 3))
    assert (inbox.wants, inbox.take()) == (3, None)
    inbox.feed(b"abc")
    assert (inbox.wants, inbox.take(), inbox.wants) == (0, b"abc", 4)


@pytest.mark.parametrize(("length", "refused"), [(10, False), (11, True), (2**32 - 1, True)])
def test_length_above_the_limit_is_refused_at_once(length: int, refused: bool) -> None:
    inbox = Inbox(10)
    if not refused:
        inbox.feed(struct.pack(">I", length))
        return
    with pytest.raises(FrameError, match=str(length)):
        inbox.feed(struct.pack(">I", length))


def test_worker_side_over_a_pipe() -> None:
    reader, writer = os.pipe()
    message = bytes(range(256)) * 4_000  # more than a pipe holds
    thread = threading.Thread(target=write_all, args=(writer, frame(message) + frame(b"")))
    thread.start()
    assert read_frame(reader, len(message)) == message
    assert read_frame(reader, 0) == b""
    thread.join()
    write_all(writer, frame(b"long"))
    with pytest.raises(FrameError, match="4 bytes; 3 are allowed"):
        read_frame(reader, 3)
    os.close(writer)
    assert os.read(reader, 10) == b"long"
    with pytest.raises(EOFError):
        read_frame(reader, 3)
    os.close(reader)
