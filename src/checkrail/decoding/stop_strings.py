"""Stop strings in text that arrives in pieces.

A stop string may begin in one token and end in another, so text that could still become one is held back.
The automaton of Aho and Corasick (1975) says exactly how much that is: its state is the longest suffix of the
text that begins some stop string. Time is linear in the text, memory in the total length of the strings.

The match that *ends* first wins, since a stream cannot wait for a better one; of those that end together, the
longest. Matching is on code points, never on tokens or bytes.

You need it for free text. Under a grammar the grammar says where the text ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import SamplingError

__all__ = ["StopStrings", "Stopped"]


class Stopped(NamedTuple):
    """What a push gives: text that is final, the stop string that ended it, and the text after that string."""

    text: str
    stop: str | None = None
    rest: str = ""


class StopStrings:
    """Finds the first stop string in a stream of text. After one was found it starts afresh.

    >>> stops = StopStrings(["\\n\\n", "END"])
    >>> stops.push("one E"), stops.push("N"), stops.push("Dtwo")
    (Stopped(text='one ', stop=None, rest=''), Stopped(text='', stop=None, rest=''), \
Stopped(text='', stop='END', rest='two'))
    """

    __slots__ = ("_depth", "_fail", "_found", "_goto", "_held", "_state", "strings")

    def __init__(self, strings: Iterable[str] = ()) -> None:
        if isinstance(strings, str):
            raise SamplingError("SAMPLING_PARAM", name="stop", range="a list of strings, not one string")
        self.strings = tuple(strings)
        for string in self.strings:
            if not _is_text(string):
                raise SamplingError("SAMPLING_PARAM", name="stop", range="strings that are not empty and valid Unicode")
        self._goto: list[dict[str, int]] = [{}]
        self._fail = [0]
        self._depth = [0]
        self._found: list[str | None] = [None]
        self._state = 0
        self._held = ""
        for string in self.strings:
            self._insert(string)
        self._link()

    def _insert(self, string: str) -> None:
        state = 0
        for c in string:
            if c not in self._goto[state]:
                self._goto[state][c] = len(self._goto)
                self._goto.append({})
                self._fail.append(0)
                self._depth.append(self._depth[state] + 1)
                self._found.append(None)
            state = self._goto[state][c]
        self._found[state] = string

    def _link(self) -> None:
        """Failure links, breadth first: a node's link is shorter than the node, so it is done before."""
        queue = deque(self._goto[0].values())
        while queue:
            state = queue.popleft()
            for c, child in self._goto[state].items():
                queue.append(child)
                self._fail[child] = self._next(self._fail[state], c)
            self._found[state] = self._found[state] or self._found[self._fail[state]]

    def _next(self, state: int, c: str) -> int:
        while c not in self._goto[state]:
            if state == 0:
                return 0
            state = self._fail[state]
        return self._goto[state][c]

    @property
    def held(self) -> str:
        """Text that may still become a stop string."""
        return self._held

    def push(self, text: str) -> Stopped:
        """Take text, give out what can no longer belong to a stop string."""
        if len(self._goto) == 1:
            return Stopped(text)
        whole = self._held + text
        for at in range(len(self._held), len(whole)):
            self._state = self._next(self._state, whole[at])
            stop = self._found[self._state]
            if stop is not None:
                self._held, self._state = "", 0
                return Stopped(whole[: at + 1 - len(stop)], stop, whole[at + 1 :])
        cut = len(whole) - self._depth[self._state]
        self._held = whole[cut:]
        return Stopped(whole[:cut])

    def flush(self) -> str:
        """The stream has ended: what was held is text after all."""
        held, self._held, self._state = self._held, "", 0
        return held

    def __repr__(self) -> str:
        return f"<StopStrings {len(self.strings)} strings, {len(self._held)} held>"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != "" and not any("\ud800" <= c <= "\udfff" for c in value)
