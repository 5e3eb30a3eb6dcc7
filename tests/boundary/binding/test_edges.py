"""Where spans may begin and end, against the rule said for each pair of offsets."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.binding.derived import PARSERS
from checkrail.boundary.binding.edges import BOUNDARIES, Boundary, beginnings, endings, is_bounded
from checkrail.boundary.binding.normal_form import MODES
from checkrail.boundary.validate import check_output
from checkrail.json_schema import sources

TEXTS = st.text("ab1 \n\t\r\u00a0\u2028é\u0301.-", max_size=12)


def by_the_rule(text: str, start: int, end: int, boundary: Boundary) -> bool:
    """The definition, written out."""
    if boundary == "word":
        pairs = [text[edge - 1 : edge + 1] for edge in (start, end) if 0 < edge < len(text)]
        return not any(all(category(c)[0] in "LNM" for c in pair) for pair in pairs)
    if boundary == "line":
        lines = ("\n" + text + "\n").replace("\r", "\n").replace("\u2028", "\n")
        before, after = lines[: start + 1], lines[end + 1 :]
        return not before[before.rindex("\n") :].strip() and not after[: after.index("\n")].strip()
    return True


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(BOUNDARIES))
def test_all_spans(text: str, boundary: Boundary) -> None:
    starts, ends = beginnings(text, boundary), endings(text, boundary)
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            allowed = by_the_rule(text, start, end, boundary)
            assert is_bounded(text, start, end, boundary) == allowed, (start, end)
            trimmed = text[start:end].strip() == text[start:end]
            assert (start in starts and end in ends) == (allowed and trimmed), (start, end)


@pytest.mark.parametrize(
    ("value", "document", "codes"),
    [
        ("Acme Ltd", "Acme Ltd\nOak Road 3", []),
        ("Oak Road 3", "Acme Ltd\r\n  Oak Road 3 \r\n", []),
        ("Acme Ltd\nOak Road 3", "Acme Ltd\nOak Road 3", []),
        ("Acme", "Acme Ltd\nOak Road 3", ["SEMANTIC_SPAN_NOT_FOUND"]),
        ("Ltd", "Acme Ltd\nLtd", []),
    ],
)
def test_lines_in_a_report(value: str, document: str, codes: list[str]) -> None:
    schema = {"type": "string", "x-source": {"boundary": "line"}}
    text = '"' + value.replace("\n", "\\n") + '"'
    report = check_output(text, schema, documents={"document": document})
    assert [fault.code for fault in report.faults] == codes


def test_the_schema_reader_of_the_mask_knows_the_same_names() -> None:
    assert sources.BOUNDARIES == BOUNDARIES
    assert set(sources.MATCH_MODES) == set(MODES)
    assert set(sources.DERIVATIONS) == set(PARSERS)
