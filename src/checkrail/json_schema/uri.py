"""URIs, IRIs and internet addresses as regular languages: RFC 3986, appendix A, and RFC 3987, section 2.2.

The grammar of a URI is regular, since its parts nest only to a fixed depth. Scheme, host and so on stand here
under the names that the RFCs give them.
"""

from __future__ import annotations

from ..grammar.expression import Expression
from .combine import alt, chars, optional, seq, times
from .integers import natural_range

__all__ = ["IPV4", "IPV6", "URI", "URI_REFERENCE", "iri", "iri_reference"]

IPV4 = seq(natural_range(0, 255), times(seq(".", natural_range(0, 255)), 3, 3))

_HEX = chars("0-9a-fA-F")
_UNRESERVED = "a-zA-Z0-9._~-"
_SUB_DELIMITERS = "!$&'()*+,;="
_UCS = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U000e1000-\U000efffd" + "".join(
    f"{chr(plane << 16)}-{chr(plane << 16 | 0xFFFD)}" for plane in range(1, 14)
)
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _ipv6() -> Expression:
    h16 = times(_HEX, 1, 4)
    group = seq(h16, ":")
    ls32 = alt(seq(h16, ":", h16), IPV4)
    options = [seq(times(group, 6, 6), ls32)]
    for before in range(8):  # groups that may stand before the "::"
        head = optional(times(group, 0, before - 1), h16) if before else seq()
        after = 5 - before  # full groups between the "::" and the last 32 bits
        tail = seq(times(group, after, after), ls32) if after >= 0 else (h16 if after == -1 else seq())
        options.append(seq(head, "::", tail))
    return alt(*options)


IPV6 = _ipv6()


def _characters(extra: str = "") -> Expression:
    """Unreserved characters, sub-delimiters, those in `extra`, and percent escapes."""
    return alt(chars(extra + _SUB_DELIMITERS + _UNRESERVED), seq("%", _HEX, _HEX))


def _uri(*, relative: bool, more: str = "", private: str = "") -> Expression:
    """more: characters that are unreserved too. private: those of the query alone."""
    pchar = _characters(":@" + more)
    segments = times(seq("/", times(pchar, 0, None)), 0, None)
    user = seq(times(_characters(":" + more), 0, None), "@")
    future = seq(chars("vV"), times(_HEX, 1, None), ".", times(chars(":" + _SUB_DELIMITERS + _UNRESERVED), 1, None))
    host = alt(seq("[", alt(IPV6, future), "]"), times(_characters(more), 0, None))
    authority = seq(optional(user), host, optional(":", times(chars("0-9"), 0, None)))
    absolute = seq("/", optional(times(pchar, 1, None), segments))
    first = times(_characters("@" + more) if relative else pchar, 1, None)
    hierarchy = alt(seq("//", authority, segments), absolute, seq(first, segments), seq())
    after = times(alt(pchar, chars("/?")), 0, None)
    query = times(alt(pchar, chars("/?" + private)), 0, None)
    ending = seq(optional("?", query), optional("#", after))
    if relative:
        return seq(hierarchy, ending)
    return seq(chars("a-zA-Z"), times(chars("a-zA-Z0-9+.-"), 0, None), ":", hierarchy, ending)


URI = _uri(relative=False)
URI_REFERENCE = alt(URI, _uri(relative=True))


def iri() -> Expression:
    """URIs with characters beyond ASCII."""
    return _uri(relative=False, more=_UCS, private=_PRIVATE)


def iri_reference() -> Expression:
    """IRIs, and references relative to one."""
    return alt(iri(), _uri(relative=True, more=_UCS, private=_PRIVATE))
