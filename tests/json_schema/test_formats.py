"""Formats against the official suite, and against Python's own parsers."""

from __future__ import annotations

import datetime
import ipaddress
import json
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.validation.formats import FORMATS
from checkrail.grammar.expression import CharacterClass, Literal
from checkrail.grammar.traverse import walk
from checkrail.json_schema.formats import CHECKED_FORMATS, MASK_FORMATS
from data_path import unpacked


def not_in_the_calendar(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return True
    return False


# What the mask lets through on purpose, and the check refuses: decided by the text, not by the case's title.
LEFT_TO_THE_CHECK = {
    "date": not_in_the_calendar,
    "time": lambda text: text[6:8] == "60",
    "date-time": lambda text: text[17:19] == "60" or not_in_the_calendar(text),
    "hostname": lambda text: len(text) > 253,
    "email": lambda text: len(text.partition("@")[0]) > 64,
}
NOT_GENERATED = {
    "email": lambda text: text.startswith('"'),  # quoted local parts
    "hostname": lambda text: "xn--" in text.lower(),
}


def suite(draft: str = "draft2020-12") -> list[object]:
    cases = []
    for name in MASK_FORMATS:
        path = unpacked("json-schema-test-suite.tar.xz") / "tests" / draft / "optional" / "format" / f"{name}.json"
        for group in json.loads(path.read_text("utf-8")) if path.exists() else ():
            if group["schema"].get("format") == name:
                cases += [
                    pytest.param(name, test, id=f"{name}: {test['description']}")
                    for test in group["tests"]
                    if isinstance(test["data"], str)
                ]
    return cases


@pytest.mark.parametrize(("name", "test"), suite())
def test_official_suite(accepts, name, test):
    text = test["data"]
    found = accepts(MASK_FORMATS[name].shape, text)
    if test["valid"]:
        assert found or (name in NOT_GENERATED and NOT_GENERATED[name](text))
    elif found:
        assert MASK_FORMATS[name].column == "checked"
        assert LEFT_TO_THE_CHECK[name](text)


@given(st.datetimes(timezones=st.just(datetime.UTC)))
def test_dates_and_times(accepts, moment):
    assert accepts(MASK_FORMATS["date-time"].shape, moment.isoformat())
    assert accepts(MASK_FORMATS["date"].shape, moment.date().isoformat())
    assert accepts(MASK_FORMATS["time"].shape, moment.timetz().isoformat())


@settings(max_examples=200)
@given(st.ip_addresses(v=6), st.booleans())
def test_ipv6_addresses(accepts, address, exploded):
    assert accepts(MASK_FORMATS["ipv6"].shape, address.exploded if exploded else str(address))


address_like = st.lists(
    st.sampled_from(["0", "1", "ff", "abcd", "12345", "g", "", "::", ":", ".", "1.2.3.4", "256"]), max_size=10
)


@settings(max_examples=400)
@given(st.one_of(address_like.map(":".join), address_like.map("".join), address_like.map(".".join)))
def test_address_like_texts(accepts, text):
    for name, parse in (("ipv4", ipaddress.IPv4Address), ("ipv6", ipaddress.IPv6Address)):
        try:
            parse(text)
            valid = "%" not in text
        except ValueError:
            valid = False
        assert accepts(MASK_FORMATS[name].shape, text) is valid


@given(st.uuids())
def test_uuids(accepts, value: uuid.UUID):
    shape = MASK_FORMATS["uuid"].shape
    assert accepts(shape, str(value))
    assert accepts(shape, str(value).upper())
    assert not accepts(shape, value.hex)
    assert not accepts(shape, f"{{{value}}}")


def test_shapes_need_no_escapes():
    """Their texts stand raw between JSON's quotes, so none may hold a quote, a backslash or a control character."""
    allowed = set(range(0x21, 0x7F)) - {ord('"'), ord("\\")}
    for entry in MASK_FORMATS.values():
        for node in walk(entry.shape):
            if isinstance(node, Literal):
                assert set(map(ord, node.text)) <= allowed
            elif isinstance(node, CharacterClass):
                assert {code for low, high in node.ranges for code in range(low, high + 1)} <= allowed


def test_what_is_left_to_the_check_is_checked():
    left = {name for name, entry in MASK_FORMATS.items() if entry.column == "checked"} | CHECKED_FORMATS
    assert left <= FORMATS.keys() | {"regex"}
    assert not MASK_FORMATS.keys() & CHECKED_FORMATS


@pytest.mark.parametrize(("name", "test"), suite())
def test_the_check_agrees_with_the_mask(accepts, name, test):
    if accepts(MASK_FORMATS[name].shape, test["data"]) and MASK_FORMATS[name].column == "mask":
        assert FORMATS[name](test["data"])
    if FORMATS[name](test["data"]) and not (name in NOT_GENERATED and NOT_GENERATED[name](test["data"])):
        assert accepts(MASK_FORMATS[name].shape, test["data"])
