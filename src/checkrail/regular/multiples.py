"""Multiples of a number as a language of digits: long division, with the remainders as states.

Reading a digit d after digits of value r makes the value 10 r + d, so the remainder is all that must be
remembered. A fraction goes on in the same way and the places that are not written count as zeros. An automaton
over digits for multiples of m needs m states at each place, m * (places + 1) in all.
"""

from __future__ import annotations

from .nfa import Nfa

__all__ = ["add_multiples"]

_ZERO, _POINT = ord("0"), ord(".")


def add_multiples(nfa: Nfa, modulus: int, places: int, source: int, target: int) -> None:
    """Add the plain decimals that, times 10**places, are multiples of `modulus`."""
    whole = [nfa.state() for _ in range(modulus)]
    rows = [[nfa.state() for _ in range(modulus)] for _ in range(places + 1)]  # after the point, by digits read
    _digits(nfa, source, 0, whole, modulus)
    for remainder in range(modulus):
        _digits(nfa, whole[remainder], remainder, whole, modulus)
        nfa.edge(whole[remainder], ((_POINT, _POINT),), rows[0][remainder])
        if remainder * 10**places % modulus == 0:
            nfa.link(whole[remainder], target)
        for read in range(places):
            _digits(nfa, rows[read][remainder], remainder, rows[read + 1], modulus)
            if read > 0 and remainder * 10 ** (places - read) % modulus == 0:
                nfa.link(rows[read][remainder], target)
    exact = nfa.state()  # a digit stands after the point, and only zeros may follow
    nfa.edge(rows[places][0], ((_ZERO, _ZERO),), exact)
    nfa.edge(exact, ((_ZERO, _ZERO),), exact)
    nfa.link(exact, target)
    if places:
        nfa.link(rows[places][0], exact)


def _digits(nfa: Nfa, state: int, remainder: int, targets: list[int], modulus: int) -> None:
    for digit in range(10):
        code = _ZERO + digit
        nfa.edge(state, ((code, code),), targets[(10 * remainder + digit) % modulus])
