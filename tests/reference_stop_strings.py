"""Stop strings by trying everything: the oracle of the automaton, and the source of `conformance/stop_strings.json`."""

from __future__ import annotations

from collections.abc import Sequence


def first_stop(stops: Sequence[str], text: str) -> tuple[str, str | None, str]:
    """The text, the stop string and the rest: the match that ends first; of several that end there, the longest."""
    for end in range(1, len(text) + 1):
        ending = [s for s in stops if text[:end].endswith(s)]
        if ending:
            stop = max(ending, key=len)
            return text[: end - len(stop)], stop, text[end:]
    return text, None, ""


def must_hold(stops: Sequence[str], text: str) -> str:
    """The longest proper beginning of a stop string that the text ends with."""
    return max((s[:n] for s in stops for n in range(len(s)) if text.endswith(s[:n])), key=len, default="")


def stream(stops: Sequence[str], pieces: Sequence[str]) -> tuple[list[str], str, str | None]:
    """What is given out after each piece, what at the end, and the stop string; nothing more after one was found."""
    given, sent, whole = [], "", ""
    for piece in pieces:
        whole += piece
        text, stop, _ = first_stop(stops, whole)
        final = text if stop is not None else whole[: len(whole) - len(must_hold(stops, whole))]
        given.append(final[len(sent) :])
        sent = final
        if stop is not None:
            return given, "", stop
    return given, whole[len(sent) :], None
