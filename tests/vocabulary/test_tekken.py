"""Mistral's tekken files."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import tiktoken

from checkrail.errors import VocabularyError
from checkrail.vocabulary.source import parse_json, read_file
from checkrail.vocabulary.tekken import is_tekken, read_tekken
from checkrail.vocabulary.vocabulary import Vocabulary
from real_vocabularies import real_file


def tekken(**changes: Any) -> dict[str, Any]:
    """A file of five ids, two of them special, with an entry of `vocab` too many."""
    entries = [{"rank": rank, "token_bytes": base64.b64encode(bytes([97 + rank])).decode()} for rank in range(4)]
    special = [{"rank": 0, "token_str": "<unk>", "is_control": True}, {"rank": 1, "token_str": "</s>"}]
    config = {"default_vocab_size": 5, "default_num_special_tokens": 2}
    return {"config": config, "vocab": entries, "special_tokens": special, **changes}


def test_special_tokens_come_first_and_what_is_beyond_the_size_is_unused() -> None:
    table = read_tekken(tekken())
    assert table.tokens == [None, None, b"a", b"b", b"c"]
    assert table.special == {"<unk>": 0, "</s>": 1}


def test_unlisted_special_tokens_have_their_built_in_names() -> None:
    config = {"default_vocab_size": 24, "default_num_special_tokens": 22}
    old = read_tekken(tekken(config=config, special_tokens=None))
    assert [text for text, _ in sorted(old.special.items(), key=lambda item: item[1])][:4] == [
        "<unk>", "<s>", "</s>", "[INST]",
    ]  # fmt: skip
    assert old.special["<SPECIAL_20>"] == 20
    some = read_tekken(tekken(config=config))
    assert some.special["<SPECIAL_2>"] == 2
    assert len(some.special_ids) == 22


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"config": {"default_vocab_size": 5}}, "/config/default_num_special_tokens"),
        ({"config": {"default_vocab_size": 1, "default_num_special_tokens": 2}}, "/config/default_num_special_tokens"),
        ({"config": {"default_vocab_size": 10**9, "default_num_special_tokens": 2}}, "/config/default_vocab_size"),
        ({"config": {"default_vocab_size": True, "default_num_special_tokens": 0}}, "/config/default_vocab_size"),
        ({"vocab": [[]]}, "/vocab/0"),
        ({"vocab": [{"rank": "0", "token_bytes": ""}]}, "/vocab/0/rank"),
        ({"vocab": [{"rank": 0, "token_bytes": "!"}]}, "/vocab/0/token_bytes"),
        ({"vocab": [{"rank": 0, "token_bytes": "é"}]}, "/vocab/0/token_bytes"),
        ({"vocab": [{"rank": 0, "token_bytes": 1}]}, "/vocab/0/token_bytes"),
        ({"vocab": [{"rank": 0}]}, "/vocab/0"),
        ({"vocab": [{"rank": 0, "token_bytes": ""}] * 2}, "/vocab/1"),
        ({"special_tokens": {}}, "/special_tokens"),
        ({"special_tokens": [{"rank": 2, "token_str": "x"}]}, "/special_tokens/0"),
        ({"special_tokens": [{"rank": 0, "token_str": "x"}, {"rank": 0, "token_str": "y"}]}, "/special_tokens/1"),
        ({"special_tokens": [{"rank": 0, "token_str": 1}]}, "/special_tokens/0"),
    ],
)
def test_broken_files_name_the_place(changes: dict[str, Any], pointer: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        read_tekken(tekken(**changes))
    assert (raised.value.code, raised.value.pointer) == ("VOCAB_FORMAT", pointer)


@pytest.mark.parametrize("value", [None, [], {}, {"config": {}}, {"config": [], "vocab": []}])
def test_what_is_no_tekken_file(value: object) -> None:
    assert not is_tekken(value)
    with pytest.raises(VocabularyError):
        read_tekken(value)


def test_real_file() -> None:
    path = real_file("mistral-common", "tekken_240911.json")
    v = Vocabulary.from_file(path)
    assert (len(v), v.eos, len(v.special_ids)) == (131_072, (2,), 1_000)
    assert v.find("[INST]") == 3
    content = parse_json(read_file(path))
    assert isinstance(content, dict)
    used = content["vocab"][: len(v) - 1_000]
    assert [token is None for token in v.tokens] == [True] * 1_000 + [False] * len(used)
    # the file says the text of each token besides its bytes, where it has one
    for entry in used:
        if entry["token_str"] is not None:
            assert v.tokens[entry["rank"] + 1_000] == entry["token_str"].encode()
    assert v.missing_bytes() == b""
    ranks = {token: i - 1_000 for i, token in enumerate(v.tokens) if token is not None}
    oracle = tiktoken.Encoding("tekken", pat_str=content["config"]["pattern"], mergeable_ranks=ranks, special_tokens={})
    for text in ("Hello, world!\n", json.dumps({"a": [1.5, None]}), "東京 🗼\u200d\0", "  naïve\t"):
        assert v.decode(i + 1_000 for i in oracle.encode(text)) == text.encode()
