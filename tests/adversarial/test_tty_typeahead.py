"""Attack 33: yes from a pipe, or typed before the question stood there. boundary/test_terminal_confirmer has more."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time

PROGRAM = """
import sys, tempfile
import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.confirmation.terminal_confirmer import TerminalConfirmer
from checkrail.boundary.calls.budgets import SessionLimits
runner = toy_tools.Runner()
limits = SessionLimits(request_ms=int(sys.argv[1]))
session = toy_tools.session(tempfile.gettempdir(), confirm=TerminalConfirmer(), limits=limits)
call = carry(session, Proposal.of_program("notes.append", {"text": "buy milk"}), run=runner)
print("ENDED", call.state.value, call.error.code if call.error else "", runner.writes)
"""


ENDED = re.compile(rb"ENDED ([^\r]*)\r\n")
QUESTION = b'Type "yes"'


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"}


def test_a_pipe_is_nobody() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "1000"],
        input="yes\n" * 100,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "ENDED denied AUTH_NO_CHANNEL 0\n"


def play(before: bytes, answer: bytes) -> str:
    """Type before the program has begun, and again when it asks; the last thing that it says."""
    person, device = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "20000" if answer else "1000"],
        stdin=device,
        stdout=device,
        stderr=device,
        env=environment(),
    ) as process:
        os.close(device)
        os.write(person, before)
        seen, end = b"", time.monotonic() + 30
        while not ENDED.search(seen) and time.monotonic() < end:
            if select.select([person], [], [], 0.1)[0]:
                try:
                    seen += os.read(person, 65_536)
                except OSError:  # the program is gone
                    break
            if answer and QUESTION in seen:
                os.write(person, answer)
                answer = b""
        process.wait(30)
    os.close(person)
    found = ENDED.search(seen)
    assert found, seen
    return found[1].decode()


def test_what_was_typed_ahead_does_not_count() -> None:
    assert play(b"yes\nyes\n\nyes\n", b"") == "expired AUTH_EXPIRED 0"


def test_what_is_typed_at_the_question_does() -> None:
    assert play(b"no\nno\n", b"yes\n") == "done  1"
