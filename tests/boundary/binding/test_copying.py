"""What a mask copies from is what the check finds again."""

from __future__ import annotations

from typing import Any, NoReturn

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.binding.copying import copy_pieces
from checkrail.boundary.binding.edges import BOUNDARIES
from checkrail.boundary.binding.normal_form import MODES, normal_form
from checkrail.boundary.binding.source import Source
from checkrail.boundary.binding.source_rule import SourceRule, read_source_rule
from checkrail.boundary.validate import check_output
from checkrail.json_schema.literals import quote

DOCUMENTS = st.text("ab1 2\n\t\u00a0Aé\u0301ßﬁİÅ한ｶﾞ\u1112\u1161\U0001f600\u00ad", min_size=1, max_size=14)
RULES = st.fixed_dictionaries(
    {
        "match": st.lists(st.sampled_from(sorted(MODES)), min_size=1, max_size=3, unique=True),
        "boundary": st.sampled_from(BOUNDARIES),
        "occurrence": st.just("first"),
    }
)


def fail(what: str) -> NoReturn:
    raise AssertionError(what)


def rule_of(raw: dict[str, Any]) -> SourceRule:
    return read_source_rule(raw, fail)


def copies(source: Source, rule: SourceRule) -> set[str]:
    pieces = copy_pieces(source, rule)
    return {p.text[start:end] for p in pieces for start in p.starts for end in p.ends if start < end}


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS, RULES)
def test_every_copy_is_found(text: str, raw: dict[str, Any]) -> None:
    source = Source.read("document", text)
    schema = {"type": "string", "x-source": raw}
    for copy in copies(source, rule_of(raw)):
        report = check_output(quote(copy), schema, documents={"document": source})
        assert report.faults == (), (copy, report.faults)
        (span,) = report.spans
        assert normal_form(span.match, text[span.start : span.end]).text == normal_form(span.match, copy).text


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS, RULES)
def test_every_part_of_the_document_that_is_found_is_a_copy(text: str, raw: dict[str, Any]) -> None:
    """In the document's own spelling, and without blanks at its ends."""
    source, rule = Source.read("document", text), rule_of(raw)
    found = copies(source, rule)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            part = text[start:end]
            if part != part.strip() or ("digits" in rule.match and "exact" not in rule.match):
                continue  # of digits, what stands before the first and after the last one is left out
            if any((start, end) in source.find(part, mode, boundary=rule.boundary) for mode in rule.match):
                assert " ".join(part.split()) in found if rule.match == ("ws",) else part in found


def test_digits_are_copied_from_the_first_to_the_last() -> None:
    source = Source.read("document", "IBAN DE12 3456 78!")
    found = copies(source, rule_of({"match": ["digits"], "boundary": "word"}))
    assert found == {"3456 78", "3456", "78"}  # 12 stands in the word DE12
    assert "12 3456 78" in copies(source, rule_of({"match": ["digits"]}))


def test_white_space_is_one_space() -> None:
    source = Source.read("document", "Acme\n   Ltd")
    assert "Acme Ltd" in copies(source, rule_of({"match": ["ws"]}))
    assert "Acme\n   Ltd" not in copies(source, rule_of({"match": ["ws"]}))
    assert {"Acme Ltd", "Acme\n   Ltd"} <= copies(source, rule_of({"match": ["exact", "ws"]}))
