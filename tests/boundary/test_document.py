"""Documents made of plain values, and how nodes are found and shown."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.document import document_from_value
from checkrail.boundary.strictjson import parse
from checkrail.errors import DocumentError


def code_of(value: Any, **options: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        document_from_value(value, **options)
    return caught.value.code


def test_a_value_and_its_text_give_the_same_nodes() -> None:
    text = '{"a":[1,{"b":null}],"c":{},"d":"x"}'
    from_text, from_value = parse(text), document_from_value(parse(text).value)
    assert [(n.pointer, n.kind, n.value) for n in from_text.nodes()] == [
        (n.pointer, n.kind, n.value) for n in from_value.nodes()
    ]
    assert [n.pointer for n in from_text.nodes()] == ["", "/a", "/a/0", "/a/1", "/a/1/b", "/c", "/d"]
    assert all(n.span is None and n.byte_span is None and n.literal is None for n in from_value.nodes())


def test_spans_of_keys_and_values_in_both_units() -> None:
    node = parse('{ "clé" : "é€" }').node("/clé")
    assert (node.span, node.byte_span) == ((10, 14), (11, 18))
    assert (node.name.span, node.name.byte_span) == ((2, 7), (2, 8))
    assert (node.name.value, node.name.kind, node.name.pointer) == ("clé", "string", "/clé")
    assert list(node.name.children()) == []
    assert node.parent == parse_root(node)


def parse_root(node: Any) -> Any:
    return node.document.root


def test_numbers_keep_their_literal() -> None:
    node = parse("[1.10]").node("/0")
    assert (node.value, node.literal) == (1.1, "1.10")


@pytest.mark.parametrize("pointer", ["x", "/b", "/a/2", "/a/01", "/a/-1", "/a/0/0", "/~2"])
def test_a_pointer_to_nowhere_is_a_key_error(pointer: str) -> None:
    with pytest.raises(KeyError):
        parse('{"a":[1,2]}').node(pointer)


def test_what_json_cannot_hold_is_refused() -> None:
    assert code_of({1: 2}) == "JSON_VALUE"
    assert code_of([b"x"]) == "JSON_VALUE"
    assert code_of({"a": {1, 2}}) == "JSON_VALUE"
    assert code_of([float("nan")]) == "JSON_NUMBER_RANGE"
    assert code_of(float("inf")) == "JSON_NUMBER_RANGE"
    assert code_of(2**1024) == "JSON_NUMBER_RANGE"
    assert document_from_value((1, (2,))).node("/1/0").value == 2


def test_cycles_end_at_the_depth_bound() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert code_of(loop) == "JSON_DEPTH"
    assert code_of([[[]]], max_depth=2) == "JSON_DEPTH"
    assert len(document_from_value([[[]]], max_depth=3)) == 3


def test_reprs_are_short_and_hold_no_text() -> None:
    document = parse('{"secret":"' + "x" * 10_000 + '"}')
    assert repr(document) == "<Document object, 2 values>"
    assert repr(document.node("/secret")) == "<Node /secret: string>"
    assert repr(document.node("/secret").name) == "<Node key of /secret: string>"
