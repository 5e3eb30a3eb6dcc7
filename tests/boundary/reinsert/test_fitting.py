"""What fits goes in whole; what does not is shortened, says so, and never looks whole."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary import canon
from checkrail.boundary.reinsert import LawfulTokenizer
from checkrail.boundary.reinsert.fitting import Fitted, Inserter
from checkrail.boundary.reinsert.header import Header
from checkrail.errors import ContextError, ModelError
from checkrail.vocabulary.control_literals import Literals
from toy_tokenizers import CONTROL, byte_tokenizer, hugging_face, insertion

SPARE = 400  # bytes of a header
TOKENIZER = byte_tokenizer()


def fit(
    value: Any, max_tokens: int = 2_048, *, keep: Any = "head", tokenizer: Any = TOKENIZER, **options: Any
) -> Fitted:
    literals = Literals(tokenizer.control_literals)
    settings = {"escape": "minimal", "hidden": "escape", **options}
    inserter = Inserter(tokenizer.encode_data, tokenizer.decode_bytes, literals, **settings)
    return inserter.fit(value, request_id="tr_x", role="tool", source="tool:a@1.0.0", max_tokens=max_tokens, keep=keep)


def shown(fitted: Fitted, tokenizer: Any = TOKENIZER) -> tuple[dict[str, Any], Any]:
    return insertion(tokenizer.decode_bytes(fitted.ids).decode())


def test_the_header_of_a_whole_result() -> None:
    value = {"b": "é\u200b", "a": [1]}
    header, inserted = shown(fit(value))
    text = r'{"a":[1],"b":"é\u200b"}'
    assert inserted == value
    assert header == {
        "bytes": len(text.encode()) + 1,
        "encoding": "json",
        "hidden": 1,
        "kept_chars": len(canon.dumps(value).decode()),
        "request_id": "tr_x",
        "role": "tool",
        "sha256": hashlib.sha256(canon.dumps(value)).hexdigest(),
        "source": "tool:a@1.0.0",
        "tokens": len(text.encode()) + 1,
        "total_chars": len(canon.dumps(value).decode()),
        "truncated": False,
        "trust": "untrusted",
        "v": 1,
    }
    assert fit(value).header.line() == canon.dumps(header).decode()


def fit_or_refuse(value: Any, max_tokens: int, keep: str) -> Fitted | ContextError:
    """The insertion, or the error."""
    try:
        return fit(value, max_tokens, keep=keep)
    except ContextError as error:
        return error


TEXTS = st.lists(st.one_of(st.sampled_from([*CONTROL.values(), "\u202e", "😀", "\\", '"', "\n"]), st.text())).map(
    "".join
)
VALUES = st.one_of(TEXTS, st.lists(TEXTS, max_size=4), st.dictionaries(TEXTS, TEXTS, max_size=3))


@given(VALUES, st.integers(1, 900), st.sampled_from(["head", "head_tail"]))
@settings(max_examples=100)
def test_every_budget(value: Any, max_tokens: int, keep: str) -> None:
    fitted = fit_or_refuse(value, max_tokens, keep)
    if isinstance(fitted, ContextError):
        assert fitted.params == {"source": "tool:a@1.0.0", "limit": max_tokens}
        assert (fitted.code, max_tokens < SPARE + 60) == ("CONTEXT_TOOL_BUDGET", True)
        return
    assert len(fitted.ids) <= max_tokens
    header, inserted = shown(fitted)
    basis = value if isinstance(value, str) else canon.dumps(value).decode()
    assert header["total_chars"] == len(basis)
    assert header["truncated"] == (header["kept_chars"] < len(basis))
    assert header["sha256"] == hashlib.sha256(canon.dumps(value)).hexdigest()
    assert header["bytes"] == len(TOKENIZER.decode_bytes(fitted.ids).split(b"\n", 1)[1])
    if not header["truncated"]:
        assert (inserted, header["encoding"]) == (value, "json")
    elif keep == "head":
        assert header["encoding"] == ("json" if isinstance(value, str) else "json-text")
        assert isinstance(inserted, str)
        assert basis.startswith(inserted)
        assert header["kept_chars"] == len(inserted) < len(basis)
    else:
        head, note, tail = inserted
        assert header["encoding"] == "json-parts"
        assert basis.startswith(head)
        assert basis.endswith(tail)
        assert note == {"omitted_chars": len(basis) - len(head) - len(tail)}
        assert header["kept_chars"] == len(head) + len(tail)


@pytest.mark.parametrize("keep", ["head", "head_tail"])
@pytest.mark.parametrize("unit", ["a", "é", "😀", "\\", "\x00", "</think>", "\u202e", "the "])
def test_the_budget_is_used(keep: str, unit: str) -> None:
    """Not much less than what would fit is shown."""
    tokenizer = _face()
    text = unit * 5_000
    fitted = fit(text, 1_000, keep=keep, tokenizer=tokenizer)
    assert 850 <= len(fitted.ids) <= 1_000
    header, inserted = shown(fitted, tokenizer)
    if keep == "head":
        assert (text.startswith(inserted), header["kept_chars"]) == (True, len(inserted))
        return
    head, note, tail = inserted
    assert (text.startswith(head), text.endswith(tail)) == (True, True)
    assert 0.7 < len(head) / len(tail) < 1.4
    assert header["kept_chars"] == len(head) + len(tail) == len(text) - note["omitted_chars"]


_FACE: list[Any] = []


def _face() -> Any:
    from checkrail.boundary.reinsert import adapt

    if not _FACE:
        _FACE.append(adapt(hugging_face()))
    return _FACE[0]


def test_a_cut_object_is_not_an_object() -> None:
    header, inserted = shown(fit({"records": list(range(1_000))}, 600))
    assert isinstance(inserted, str)
    assert header["encoding"] == "json-text"
    assert inserted.startswith('{"records":[0,1,2,')


def test_what_just_fits_is_whole() -> None:
    for value in ("a" * 100, {"a": ["b"] * 20}):
        size = len(fit(value).ids)
        assert not fit(value, size).header.truncated
        assert fit(value, size - 1).header.truncated


@pytest.mark.parametrize("keep", ["head", "head_tail"])
def test_the_least_budget_is_a_header_and_an_empty_text(keep: str) -> None:
    text = "a" * 5_000
    size = len('""\n' if keep == "head" else '["",{"omitted_chars":5000},""]\n')
    known = {"request_id": "tr_x", "role": "tool", "source": "tool:a@1.0.0", "sha256": "0" * 64, "hidden": 0}
    counts = {"bytes": size, "tokens": size, "kept_chars": 0, "total_chars": 5_000}
    least = len(Header(**known, **counts, encoding="json-parts").line()) + 1 + size  # type: ignore[arg-type]
    assert 0 <= fit(text, least, keep=keep).header.kept_chars < 10
    fits = [isinstance(fit_or_refuse(text, budget, keep), Fitted) for budget in range(least - 40, least + 40)]
    assert fits == [False] * 40 + [True] * 40


def test_a_long_text_of_few_tokens_is_whole_up_to_64_bytes_a_token() -> None:
    run = b"x" * 128
    table = [*(bytes([byte]) for byte in range(256)), run]

    def encode(text: str) -> list[int]:
        data = text.encode()
        return [i for part in data.split(run) for i in (256, *part)][1:]

    tokenizer = LawfulTokenizer(template=encode, data=encode, table=table, control={})
    text = "x" * (64 * 1_000 - 2)
    assert not fit(text, 1_000, tokenizer=tokenizer).header.truncated
    assert fit(text + "x", 1_000, tokenizer=tokenizer).header.truncated


def test_a_flood_is_not_tokenized() -> None:
    seen: list[int] = []

    def encode(text: str) -> list[int]:
        seen.append(len(text))
        return TOKENIZER.encode_data(text)

    inserter = Inserter(encode, TOKENIZER.decode_bytes, Literals([]), "minimal", "escape")
    fitted = inserter.fit("x" * 4_000_000, request_id="i", role="tool", source="doc:x", max_tokens=1_000, keep="head")
    assert max(seen) <= 64 * 1_000 + 3
    assert (fitted.header.total_chars, fitted.header.truncated) == (4_000_000, True)


def test_dense_beginnings_are_found_in_few_rounds() -> None:
    """The beginning costs far more tokens a character than the rest."""
    text = "\u202e" * 400 + "a" * 20_000
    header, inserted = shown(fit(text, 1_500))
    assert inserted == text[: len(inserted)]
    assert 150 < header["kept_chars"] < 400


@pytest.mark.parametrize("dense", ["\U000e0041" * 30, "\u202e" * 60, "\u202e" * 600])
@pytest.mark.parametrize("max_tokens", [900, 1_500, 3_000])
def test_both_ends_are_shown_whichever_of_them_is_dense(dense: str, max_tokens: int) -> None:
    for text in (dense + "a" * 20_000, "a" * 20_000 + dense):
        fitted = fit(text, max_tokens, keep="head_tail")
        assert max_tokens - 12 <= len(fitted.ids) <= max_tokens
        head, _, tail = shown(fitted)[1]
        assert min(len(head), len(tail)) >= 20
        assert (text.startswith(head), text.endswith(tail)) == (True, True)


def test_something_is_left_out_where_the_two_ends_would_meet() -> None:
    """What was cut must not look whole; here the parts take few tokens and the whole takes many."""

    run, text = "x" * 64, "x" * 4_000

    def data(text: str) -> list[int]:
        if "x" * 3_500 in text:
            return list(text.encode())
        return [i for part in text.split(run) for i in (256, *part.encode())][1:]

    table = [*(bytes([byte]) for byte in range(256)), run.encode()]
    tokenizer = byte_tokenizer({}, data=data, table=table)
    header, (head, note, tail) = shown(fit(text, 2_000, keep="head_tail", tokenizer=tokenizer), tokenizer)
    assert note == {"omitted_chars": 1}
    assert (head + "x" + tail, header["kept_chars"], header["truncated"]) == (text, 3_999, True)


HARD = "a\\\u202e<|im_end|>\n\x04" * 40


@pytest.mark.parametrize("keep", ["head", "head_tail"])
@pytest.mark.parametrize("value", [HARD, {"a": HARD}])
def test_a_cut_at_any_place_is_found_in_few_rounds(value: Any, keep: str) -> None:
    """Within an escape, within an escape of an escape, before and behind them; the longest has 12 bytes."""
    headers: list[str] = []
    for max_tokens in range(440, 1_000, 7):
        headers.clear()
        found = fit(value, max_tokens, keep=keep, tokenizer=_heard(headers))
        assert max_tokens - 12 <= len(found.ids) <= max_tokens
        assert len(headers) <= 1 + 1 + 2  # of the whole, of nothing, and of two tries


def _heard(headers: list[str]) -> LawfulTokenizer:
    """The tokenizer, which notes each header that it is given."""

    def data(text: str) -> list[int]:
        if text.startswith('{"bytes"'):
            headers.append(text)
        return list(text.encode())

    return byte_tokenizer(data=data)


@pytest.mark.parametrize("text", ["a" * 100, HARD, "é😀" * 50])
def test_an_end_takes_the_tokens_that_it_may_and_no_more(text: str) -> None:
    literals = Literals(TOKENIZER.control_literals)
    inserter = Inserter(TOKENIZER.encode_data, TOKENIZER.decode_bytes, literals, "minimal", "escape")
    for room in range(110):
        end = inserter._end(text, room, "doc:x")
        assert text.endswith(end)
        size = len(inserter._encoded(json.dumps(end, ensure_ascii=False), "doc:x")[1])
        assert not end or room - 13 <= size <= room
        if text.isascii() and room > 3:
            assert len(end) == (len(text) if room >= len(text) + 3 else room - 4)


@pytest.mark.parametrize("keep", ["head", "head_tail"])
@pytest.mark.parametrize("value", ["a" * 1_000, "a" * 10_000, ["a" * 10_000]])
def test_a_cut_before_the_line_end_alone(value: Any, keep: str) -> None:
    """One token too many, and that token is the line end: what is read back has its closing quote already."""
    size = len(fit(value, 20_000).ids)
    for max_tokens in range(size - 12, size):
        fitted = fit(value, max_tokens, keep=keep)
        assert len(fitted.ids) <= max_tokens
        assert fitted.header.truncated


def test_too_small_a_budget_is_refused() -> None:
    with pytest.raises(ContextError, match=r"CONTEXT_TOOL_BUDGET: Text from tool:a@1\.0\.0 cannot be shortened to 10"):
        fit("abc", 10)


def test_a_tokenizer_that_loses_letters_gets_escapes() -> None:
    """What the vocabulary cannot write, ASCII can say."""
    ascii_only = byte_tokenizer(data=lambda text: [b for b in text.encode() if b < 128])
    fitted = fit("é<b>", tokenizer=ascii_only)
    assert fitted.escaped
    assert fitted.payload == r'"\u00e9\u003cb\u003e"'
    assert shown(fitted, ascii_only)[1] == "é<b>"
    assert not fit("e", tokenizer=ascii_only).escaped


@pytest.mark.parametrize(
    ("data", "code"),
    [(lambda text: [] if "\\u" in text else [0], "CONTEXT_TEXT_LOST"), (lambda text: [257], "CONTEXT_CONTROL_TOKEN")],
)
def test_what_fails_twice_is_refused_with_its_source(data: Any, code: str) -> None:
    def encode(text: str) -> list[int]:
        return list(text.encode()) if text.startswith('{"bytes"') else data(text)  # type: ignore[no-any-return]

    with pytest.raises(ContextError) as caught:
        fit("é", tokenizer=byte_tokenizer(data=encode))
    assert (caught.value.code, caught.value.params["source"]) == (code, "tool:a@1.0.0")


def test_other_errors_pass() -> None:
    with pytest.raises(ContextError, match="CONTEXT_HIDDEN_TEXT"):
        fit("a\u200b", hidden="reject")
    with pytest.raises(ModelError, match=r"BACKEND_FAILED: .*the tokenizer raised ZeroDivisionError"):
        fit("a", tokenizer=byte_tokenizer(data=lambda text: [1 // 0]))


def test_only_what_breaks_the_law_is_tried_again() -> None:
    calls: list[str] = []

    def fail(text: str) -> list[int]:
        calls.append(text)
        return [1 // 0]

    with pytest.raises(ModelError):
        fit("a", tokenizer=byte_tokenizer(data=fail))
    assert calls == ['"a"\n']

    def lose_then_fail(text: str) -> list[int]:
        return [1 // 0] if "\\u" in text else []

    with pytest.raises(ModelError) as caught:
        fit("é", tokenizer=byte_tokenizer(data=lose_then_fail))
    assert (type(caught.value), caught.value.code) == (ModelError, "BACKEND_FAILED")


def test_the_hash_is_of_the_value_as_it_came() -> None:
    value = "a\u200bb"
    for hidden in ("escape", "strip"):
        assert fit(value, hidden=hidden).header.sha256 == hashlib.sha256(canon.dumps(value)).hexdigest()
