"""The formats of the internet: host names, addresses, e-mail, URIs and their relatives.

RFC 1123 (host names), 5321 and 6531 (mailboxes), 2673 and 4291 (addresses), 3986 and 3987 (URIs and IRIs), 6570 (URI
templates). The expressions are fixed and unambiguous, so the backtracking of `re` has nothing to choose from.
Labels that are Punycode are checked by `idna`.
"""

from __future__ import annotations

import ipaddress
import re

from .idna import is_idn_hostname

__all__ = [
    "is_email",
    "is_hostname",
    "is_idn_email",
    "is_ipv4",
    "is_ipv6",
    "is_iri",
    "is_iri_reference",
    "is_uri",
    "is_uri_reference",
    "is_uri_template",
]

_ABOVE_ASCII = r"\x80-\U0010ffff"
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_UNICODE_LABEL = re.compile(
    rf"[A-Za-z0-9{_ABOVE_ASCII}](?:[A-Za-z0-9{_ABOVE_ASCII}-]{{0,61}}[A-Za-z0-9{_ABOVE_ASCII}])?"
)
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~{more}-]+"
_LOCAL = r'{atom}(?:\.{atom})*|"(?:[ !#-\[\]-~{more}]|\\[ -~])*"'
_LOCAL_ASCII = re.compile(_LOCAL.format(atom=_ATOM.format(more=""), more=""))
_LOCAL_UNICODE = re.compile(_LOCAL.format(atom=_ATOM.format(more=_ABOVE_ASCII), more=_ABOVE_ASCII))
_WIDE_SIGNS = re.compile("[\u3002\uff0e\uff20\uff61]")  # full stops and an at sign that IDNA would map


def is_ipv4(text: str) -> bool:
    """Four decimal numbers up to 255, without leading zeros."""
    return _parses(ipaddress.IPv4Address, text)


def is_ipv6(text: str) -> bool:
    """An address of RFC 4291, without a zone."""
    return "%" not in text and _parses(ipaddress.IPv6Address, text)


def _parses(kind: type[ipaddress.IPv4Address] | type[ipaddress.IPv6Address], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return text.isascii()


def is_hostname(text: str) -> bool:
    """Labels of letters, digits and hyphens, at most 63 characters each and 253 together; Punycode of what IDNA
    permits."""
    labels = text.split(".")
    if len(text) > 253 or not all(map(_LABEL.fullmatch, labels)):
        return False
    return is_idn_hostname(text) if "xn--" in text.lower() else True


def is_email(text: str) -> bool:
    """A mailbox of RFC 5321: dotted atoms or a quoted string, `@`, a host name or an address in brackets."""
    local, _, domain = text.rpartition("@")
    return len(local) <= 64 and _LOCAL_ASCII.fullmatch(local) is not None and _is_mail_domain(domain)


def _is_mail_domain(domain: str) -> bool:
    if domain.startswith("[") and domain.endswith("]"):
        inner = domain[1:-1]
        return is_ipv6(inner[5:]) if inner[:5].lower() == "ipv6:" else is_ipv4(inner)
    return is_hostname(domain)


def is_idn_email(text: str) -> bool:
    """A mailbox of RFC 6531: an e-mail address with characters beyond ASCII."""
    local, _, domain = text.rpartition("@")
    if len(local.encode("utf-8", "surrogatepass")) > 64 or not _LOCAL_UNICODE.fullmatch(local):
        return False
    if domain.isascii():
        return _is_mail_domain(domain)
    labels = domain.split(".")
    return not _WIDE_SIGNS.search(text) and all(_UNICODE_LABEL.fullmatch(label) for label in labels)


def _uri_patterns(beyond: str, private: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """RFC 3986, appendix A, as one expression for URIs and one for relative references.

    beyond: the characters that an IRI adds everywhere. private: those that it adds in the query only.
    """
    encoded = "%[0-9A-Fa-f]{2}"
    unreserved = rf"A-Za-z0-9\-._~{beyond}"
    marks = "!$&'()*+,;="
    pchar = rf"(?:[{unreserved}{marks}:@]|{encoded})"
    authority = (
        rf"(?:(?:[{unreserved}{marks}:]|{encoded})*@)?"
        rf"(?:\[(?P<ip>[^\]]*)\]|(?:[{unreserved}{marks}]|{encoded})*)(?::[0-9]*)?"
    )
    segments = rf"(?:/{pchar}*)*"
    rooted = rf"//{authority}{segments}|/(?:{pchar}+{segments})?"
    no_colon = rf"(?:[{unreserved}{marks}@]|{encoded})+"
    tail = rf"(?:\?(?:[{unreserved}{marks}:@/?{private}]|{encoded})*)?(?:\#(?:[{unreserved}{marks}:@/?]|{encoded})*)?"
    absolute = rf"[A-Za-z][A-Za-z0-9+.-]*:(?:{rooted}|{pchar}+{segments}|){tail}"
    relative = rf"(?:{rooted}|{no_colon}{segments}|){tail}"
    return re.compile(absolute), re.compile(relative)


_URI, _URI_RELATIVE = _uri_patterns("", "")
_PLANES = "".join(f"{chr(plane << 16)}-{chr(plane << 16 | 0xFFFD)}" for plane in range(1, 14))
_IRI, _IRI_RELATIVE = _uri_patterns(
    f"\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{_PLANES}\U000e1000-\U000efffd",
    "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd",
)
_FUTURE_ADDRESS = re.compile(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+")


def _fits(pattern: re.Pattern[str], text: str) -> bool:
    match = pattern.fullmatch(text)
    if match is None:
        return False
    address = match["ip"]
    return address is None or is_ipv6(address) or _FUTURE_ADDRESS.fullmatch(address) is not None


def is_uri(text: str) -> bool:
    """A URI with a scheme."""
    return _fits(_URI, text)


def is_uri_reference(text: str) -> bool:
    """A URI, or a reference relative to one."""
    return _fits(_URI, text) or _fits(_URI_RELATIVE, text)


def is_iri(text: str) -> bool:
    """A URI with characters beyond ASCII."""
    return _fits(_IRI, text)


def is_iri_reference(text: str) -> bool:
    """An IRI, or a reference relative to one."""
    return _fits(_IRI, text) or _fits(_IRI_RELATIVE, text)


_VARNAME = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*"
_VARSPEC = rf"{_VARNAME}(?::[1-9][0-9]{{0,3}}|\*)?"
_TEMPLATE = re.compile(
    r"(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~\xa0-\U0010ffff]|%[0-9A-Fa-f]{2}"
    rf"|\{{[+#./;?&=,!@|]?{_VARSPEC}(?:,{_VARSPEC})*\}})*"
)


def is_uri_template(text: str) -> bool:
    """Literals and expressions in braces."""
    return _TEMPLATE.fullmatch(text) is not None
