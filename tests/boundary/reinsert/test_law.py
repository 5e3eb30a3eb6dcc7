"""The law of data: what breaks it is cut and tried again, and what still breaks it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.reinsert import law
from checkrail.boundary.reinsert.law import check_law, checked_data
from checkrail.errors import ContextError, InputError, ModelError
from toy_tokenizers import BEGIN, CONTROL, START, byte_tokenizer, parsing_tokenizer

HOSTILE = st.lists(st.one_of(st.sampled_from(list(CONTROL.values())), st.text())).map("".join)


@given(HOSTILE)
def test_a_tokenizer_that_parses_data_is_tamed_by_cutting(text: str) -> None:
    tokenizer = parsing_tokenizer()
    ids = tokenizer.encode_data(text)
    assert tokenizer.control_ids.isdisjoint(ids)
    assert tokenizer.decode_bytes(ids) == text.encode()


def test_templates_are_parsed() -> None:
    assert byte_tokenizer().encode_template("<s>a") == [BEGIN, ord("a")]


@pytest.mark.parametrize(
    ("data", "code", "params"),
    [
        (lambda text: [START, START], "CONTEXT_CONTROL_TOKEN", {"source": "data", "count": 2}),
        (lambda text: [97], "CONTEXT_TEXT_LOST", {"source": "data", "offset": 1}),
        (lambda text: [*text.encode(), 97], "CONTEXT_TEXT_LOST", {"source": "data", "offset": 2}),
        (lambda text: [*text.encode(), 9_999, -1], "CONTEXT_CONTROL_TOKEN", {"source": "data", "count": 2}),
        (lambda text: [*text.encode(), 263], "CONTEXT_CONTROL_TOKEN", {"source": "data", "count": 1}),
    ],
)
def test_a_tokenizer_that_disobeys_is_found_out(data: Any, code: str, params: dict[str, Any]) -> None:
    tokenizer = byte_tokenizer(data=data)
    with pytest.raises(ContextError) as caught:
        tokenizer.encode_data("ab")
    assert (caught.value.code, caught.value.params) == (code, params)


def test_control_ids_write_nothing_and_are_not_data() -> None:
    """Even if the table gives a control id the bytes of its text, a round trip through it does not pass."""
    tokenizer = byte_tokenizer()
    assert tokenizer.decode_bytes([97, START, 98]) == b"ab"
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN"):
        check_law(tokenizer, [START], b"<|im_start|>")


class Foreign:
    """An adapter of somebody else, that claims to obey."""

    control_ids = frozenset([9])
    control_literals = ("<x>",)
    prefix_ids = ()
    chat_template = None
    template_variables: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, ids: list[int]) -> None:
        self.ids = ids

    def encode_template(self, text: str, /) -> list[int]:
        return self.ids

    def encode_data(self, text: str, /) -> list[int]:
        return self.ids

    def decode_bytes(self, ids: Sequence[int], /) -> bytes:
        return bytes(ids)


def test_an_adapter_of_somebody_else_is_checked_again() -> None:
    assert checked_data(Foreign([97]), "a") == [97]
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN: Text from data would become 1 control"):
        checked_data(Foreign([97, 9]), "a\t")
    with pytest.raises(ContextError, match="CONTEXT_TEXT_LOST"):
        checked_data(Foreign([98]), "a")


@pytest.mark.parametrize("encode", ["encode_data", "encode_template"])
def test_what_is_no_text_is_refused(encode: str) -> None:
    call = getattr(byte_tokenizer(), encode)
    with pytest.raises(InputError, match="half of a surrogate pair at character 1"):
        call("a\ud800")
    with pytest.raises(InputError, match="must be a text, not bytes"):
        call(b"a")
    assert call("") == []


class PanicException(BaseException):
    """As libraries in Rust raise it."""


@pytest.mark.parametrize("error", [RuntimeError, PanicException, MemoryError])
@pytest.mark.parametrize("encode", ["encode_data", "encode_template"])
def test_a_tokenizer_that_falls_over_is_an_error_with_a_code(encode: str, error: type[BaseException]) -> None:
    def fail(text: str) -> list[int]:
        raise error

    call = getattr(byte_tokenizer(data=fail, template=fail), encode)
    with pytest.raises(ModelError, match=f"BACKEND_FAILED: .*the tokenizer raised {error.__name__}"):
        call("a")


def test_an_interrupt_is_no_failure() -> None:
    def interrupted(text: str) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        byte_tokenizer(data=interrupted).encode_data("a")


@pytest.mark.parametrize("encode", ["encode_data", "encode_template"])
def test_the_longest_text(monkeypatch: pytest.MonkeyPatch, encode: str) -> None:
    assert law.MOST_BYTES == 4 * 1024 * 1024
    monkeypatch.setattr(law, "MOST_BYTES", 4)
    call = getattr(byte_tokenizer(), encode)
    assert len(call("éé")) == 4
    with pytest.raises(InputError, match="has 6 bytes; 4 are allowed"):
        call("ééé")


def test_literals_without_blanks_and_repr() -> None:
    tokenizer = byte_tokenizer({256: "<a>", 257: "  ", 258: ""})
    assert tokenizer.control_literals == ("<a>",)
    assert tokenizer.control_ids == {256, 257, 258}
    assert repr(tokenizer) == "<LawfulTokenizer 259 tokens, 3 of them control>"


def test_every_id_of_the_table_and_no_other() -> None:
    tokenizer = byte_tokenizer(control={}, data=lambda text: [ord(c) for c in text])
    assert tokenizer.encode_data("\0\x01\x7f") == [0, 1, 127]
    assert tokenizer.decode_bytes([0, 1, 255, 256, -1, -256]) == b"\x00\x01\xff"


def test_what_else_is_known_of_a_tokenizer() -> None:
    tokenizer = byte_tokenizer(prefix_ids=iter([BEGIN]), chat_template="x", variables={"a": "b"})
    assert (tokenizer.prefix_ids, tokenizer.chat_template) == ((BEGIN,), "x")
    assert tokenizer.template_variables == {"a": "b"}
    assert (byte_tokenizer().prefix_ids, byte_tokenizer().chat_template) == ((), None)
    assert byte_tokenizer().template_variables == {}
    assert checked_data(tokenizer, "a<s>") == list(b"a<s>")


def test_an_error_with_a_code_stays_as_it_is() -> None:
    def refuse(text: str) -> list[int]:
        raise InputError("INPUT_FORMAT", name="x", what="y")

    with pytest.raises(InputError, match="INPUT_FORMAT"):
        byte_tokenizer(data=refuse).encode_data("a")
