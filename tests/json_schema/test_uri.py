"""URIs: the examples of RFC 3986, and what must not pass."""

from __future__ import annotations

import pytest

from checkrail.json_schema.uri import IPV4, URI, URI_REFERENCE

RFC_3986_EXAMPLES = [  # section 1.1.2
    "ftp://ftp.is.co.za/rfc/rfc1808.txt",
    "http://www.ietf.org/rfc/rfc2396.txt",
    "ldap://[2001:db8::7]/c=GB?objectClass?one",
    "mailto:John.Doe@example.com",
    "news:comp.infosystems.www.servers.unix",
    "tel:+1-816-555-1212",
    "telnet://192.0.2.16:80/",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
]
RELATIVE = [
    "",
    "g",
    "./g",
    "g/",
    "/g",
    "//g",
    "?y",
    "g?y",
    "#s",
    "g#s",
    "g?y#s",
    ";x",
    "g;x=1/../y",
    "..",
    "../../g",
    "a/b:c",
]


@pytest.mark.parametrize("text", RFC_3986_EXAMPLES)
def test_uris(accepts, text):
    assert accepts(URI, text)
    assert accepts(URI_REFERENCE, text)


@pytest.mark.parametrize("text", RELATIVE)
def test_relative_references(accepts, text):
    assert accepts(URI_REFERENCE, text)
    assert not accepts(URI, text)


@pytest.mark.parametrize(
    "text",
    [
        "http://a b/",
        "http://a/%",
        "http://a/%4",
        "http://[::1",
        "http://[1::2::3]/",
        "http://a/#b#c",
        "http://a/é",
        "1a:b",
        ":b",
        "http://a:b/",
        "http://u@v@w/",
        'http://a/"',
        "http://a\\b",
        "http://[v1.a",
        "a b",
    ],
)
def test_neither(accepts, text):
    assert not accepts(URI, text)
    assert not accepts(URI_REFERENCE, text)


def test_parts(accepts):
    for text in (
        "http://[v1.a:b]/",
        "http://u:p@h:80/p?q#f",
        "file:///etc/x",
        "x:",
        "x:/",
        "x:a//b",
        "http://h:/",
        "http://",
    ):
        assert accepts(URI, text), text
    assert accepts(IPV4, "255.0.10.249")
    assert not accepts(IPV4, "255.0.010.249")
