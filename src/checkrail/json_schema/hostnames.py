"""Host names and mail addresses as regular languages (RFC 1123, RFC 5321), and such as are short enough.

A host name has labels of up to 63 characters and 253 together. Labels that begin with `xn--` are left out: they must be
the Punycode of a name that IDNA permits, which is not regular, and a generator has no need of them. Quoted names before
the `@` are left out too.

Two lengths that bound one another take an automaton of some 24,000 states. An automaton on demand counts the whole
length beside the labels; for one that is made as a whole there are `short_hostname` and `SHORT_EMAIL`: few labels of
any length, or more that are short.
"""

from __future__ import annotations

from ..grammar.expression import Expression
from .combine import alt, chars, optional, seq, times
from .uri import IPV4, IPV6

__all__ = ["EMAIL", "HOSTNAME", "LONGEST_EMAIL", "LONGEST_HOSTNAME", "SHORT_EMAIL", "label", "short_hostname"]

LONGEST_HOSTNAME = 253
LONGEST_EMAIL = 254  # RFC 5321, section 4.5.3.1.3, without the angle brackets

_LONGEST_LABEL = 63
_SHORT_LABEL = 24
_LONGEST_NAME = 64  # before the at sign
_ALPHANUMERIC = chars("a-zA-Z0-9")
_LABEL_CHARACTER = chars("a-zA-Z0-9-")
_NAME_CHARACTER = chars("a-zA-Z0-9!#$%&'*+/=?^_`{|}~-")


def label(longest: int = _LONGEST_LABEL) -> Expression:
    """A label of at most so many characters (five or more) that does not begin with `xn--`, in either case."""

    def up_to(count: int) -> Expression:
        return optional(just_below(count))

    def just_below(count: int) -> Expression:
        return seq(times(_LABEL_CHARACTER, 0, count - 1), _ALPHANUMERIC)

    after_xn = alt(seq(), seq(_ALPHANUMERIC, up_to(longest - 3)), seq("-", _ALPHANUMERIC, up_to(longest - 4)))
    after_x = alt(
        seq(),
        seq(chars("a-mo-zA-MO-Z0-9"), up_to(longest - 2)),
        seq("-", just_below(longest - 2)),
        seq(chars("nN"), after_xn),
    )
    return alt(seq(chars("a-wyzA-WYZ0-9"), up_to(longest - 1)), seq(chars("xX"), after_x))


def short_hostname(longest: int) -> Expression:
    """Host names of at most so many characters, but not all of them."""
    long, short = label(), label(_SHORT_LABEL)
    few, many = (longest + 1) // (_LONGEST_LABEL + 1), (longest + 1) // (_SHORT_LABEL + 1)
    after = (longest - _LONGEST_LABEL) // (_SHORT_LABEL + 1)
    return alt(
        seq(long, times(seq(".", long), 0, few - 1)),
        seq(short, times(seq(".", short), 0, many - 1)),
        seq(long, times(seq(".", short), 0, after)),
    )


_DOTTED = seq(times(_NAME_CHARACTER, 1, None), times(seq(".", times(_NAME_CHARACTER, 1, None)), 0, None))
_SHORT_NAME = alt(
    times(_NAME_CHARACTER, 1, _LONGEST_NAME),
    seq(_NAME_CHARACTER, times(seq(optional("."), _NAME_CHARACTER), 0, _LONGEST_NAME // 2 - 1)),
)
_ADDRESS = seq("[", alt(IPV4, seq("IPv6:", IPV6)), "]")

HOSTNAME = seq(label(), times(seq(".", label()), 0, None))
"""Host names, without regard to their whole length."""

EMAIL = seq(_DOTTED, "@", alt(HOSTNAME, _ADDRESS))
"""Mail addresses, without regard to the lengths of the name and of the whole."""

SHORT_EMAIL = seq(_SHORT_NAME, "@", alt(short_hostname(LONGEST_EMAIL - _LONGEST_NAME - 1), _ADDRESS))
