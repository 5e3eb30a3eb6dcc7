"""Host names beyond ASCII: what the mask writes is valid, and labels against another implementation of IDNA 2008."""

from __future__ import annotations

import random

import idna
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.boundary.validation.formats import FORMATS
from checkrail.boundary.validation.idna import is_idn_hostname, is_punycode_label
from checkrail.grammar.expression import CharacterClass
from checkrail.grammar.traverse import walk
from checkrail.json_schema.algebra.format_idn import idn_hostname
from checkrail.regular.compile import compile_regular

characters = st.sampled_from("aäßςé-09l·א׳ב٠۰ابيक्\u200d\u200cषのカ・丈α͵β한〱xn")


def peer_accepts(label: str) -> bool:
    try:
        idna.alabel(label)
    except idna.IDNAError:
        return False
    return True


@settings(deadline=None, max_examples=400)
@given(st.text(characters, min_size=1, max_size=6))
@example("बि\u200dक")
@example("ab--ä")
def test_labels_against_a_peer(label: str) -> None:
    if label.isascii():
        return
    assert is_idn_hostname(label) == peer_accepts(label)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("example.org", True),
        ("bücher.example", True),
        ("bücher。example", True),
        ("Bücher.example", False),
        ("a..b", False),
        ("", False),
        ("-ä", False),
        ("ä" * 60, False),
        (".".join(["ä" * 20] * 12), False),
        ("0a.א", False),
        ("xn--bcher-kva.example", True),
        ("xn--a", False),
        ("\ud800", False),
    ],
)
def test_names(text: str, valid: bool) -> None:
    assert is_idn_hostname(text) is valid
    assert FORMATS["idn-hostname"](text) is valid


def test_punycode() -> None:
    assert is_punycode_label("xn--bcher-kva")
    assert is_punycode_label("XN--bcher-kva")
    assert not is_punycode_label("xn--bcher-")
    assert not is_punycode_label("xn--" + "a" * 60)


def test_a_long_label_is_refused_without_encoding_it() -> None:
    """Punycode takes quadratic time: minutes, for this one."""
    label = "".join(map(chr, range(0x4E00, 0x9E00)))
    assert not is_idn_hostname(label)
    assert not is_idn_hostname("xn--" + "a9" * 500_000)
    assert not FORMATS["hostname"]("xn--" + "a9" * 500_000)


def test_what_the_mask_writes_is_a_name() -> None:
    choose = random.Random(3)
    dfa = compile_regular(idn_hostname())
    classes = [node for node in walk(idn_hostname()) if isinstance(node, CharacterClass)]
    widest = max(classes, key=lambda node: len(node.ranges))
    ends = [chr(code) for ends in widest.ranges for code in ends]

    def label() -> str:
        return "".join(choose.choices(ends, k=choose.randint(1, 12)))

    for _ in range(300):
        name = ".".join(label() for _ in range(choose.randint(1, 3)))
        assert dfa.accepts(name)
        assert is_idn_hostname(name), name
