"""The oracle: try every token on the configuration, byte by byte. Kept for ever; nothing fast may differ.

Use it in tests, and to read what a mask means. It costs (tokens x bytes) steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..automaton.modules import TokenEdge
from ..vocabulary.vocabulary import Vocabulary
from .configuration import Configuration, Frame, Stepper

__all__ = ["advance_bytes", "advance_token", "get_mask_slow", "token_edge_matches"]


def advance_bytes(stepper: Stepper, configuration: Configuration, data: bytes) -> Configuration | None:
    """The configuration after some bytes, None where they are not possible."""
    for byte in data:
        following = stepper.step(configuration, byte)
        if following is None:
            return None
        configuration = following
    return configuration


def token_edge_matches(edge: TokenEdge, token: int, vocabulary: Vocabulary) -> bool:
    """Whether a token edge of the grammar takes this token. End tokens are never taken by a negated edge."""
    named = edge.token if isinstance(edge.token, int) else vocabulary.find(edge.token)
    if edge.negated:
        return token != named and token not in vocabulary.eos and token < len(vocabulary)
    return token == named


def _by_edges(
    stepper: Stepper, configuration: Configuration, token: int, vocabulary: Vocabulary
) -> Iterator[tuple[int, Frame]]:
    automaton = stepper.automaton
    for state, frame in configuration.pairs:
        for edge, target in automaton.tokens[state]:
            fits = frame.depth + automaton.room[target] <= automaton.nesting
            if fits and token_edge_matches(edge, token, vocabulary):
                yield target, frame


def advance_token(
    stepper: Stepper, configuration: Configuration, token: int, vocabulary: Vocabulary
) -> Configuration | None:
    """The configuration after a token: read as bytes, or as the token that the grammar names, or both.

    Empty tokens make no progress and are never allowed, nor are ids outside the vocabulary. End tokens are not the
    automaton's business.
    """
    if not 0 <= token < len(vocabulary):
        return None
    data = vocabulary.token_bytes(token)
    by_bytes = advance_bytes(stepper, configuration, data) if data else None
    named = list(_by_edges(stepper, configuration, token, vocabulary))
    if not named:
        return by_bytes
    return stepper.close([*named, *(by_bytes.pairs if by_bytes else ())])


def get_mask_slow(stepper: Stepper, configuration: Configuration, vocabulary: Vocabulary) -> set[int]:
    """The ids that may come next; the end tokens are among them exactly when the text may end here."""
    allowed = {
        token
        for token in range(len(vocabulary))
        if advance_token(stepper, configuration, token, vocabulary) is not None
    }
    return allowed | (set(vocabulary.eos) if configuration.accepting else set())
