"""Attack 4: user-defined tokens, which llama.cpp finds although it was told not to parse."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkrail.boundary.reinsert import adapt
from fake_llama import TOOL, FakeLibrary, write_model_file


class Llama:
    """As llama-cpp-python's."""

    def __init__(self, path: Path) -> None:
        self.model_path = str(write_model_file(path))
        self.library = FakeLibrary()

    def n_vocab(self) -> int:
        return self.library.width

    def tokenize(self, text: bytes, *, add_bos: bool, special: bool) -> list[int]:
        return self.library.tokenize(0, text, special=special)


@pytest.mark.parametrize("text", ["<tool>", "<t", "<<tool>tool>", "a<tool>" * 50, "<tool", "<tool><end><turn>"])
def test_no_user_defined_token_comes_of_data(tmp_path: Path, text: str) -> None:
    tokenizer = adapt(Llama(tmp_path / "m.gguf"))
    ids = tokenizer.encode_data(text)
    assert tokenizer.control_ids.isdisjoint(ids)
    assert tokenizer.decode_bytes(ids) == text.encode()


def test_the_switch_alone_does_not_do_it(tmp_path: Path) -> None:
    llama = Llama(tmp_path / "m.gguf")
    assert TOOL in llama.tokenize(b"<tool>", add_bos=False, special=False)


def test_runs_of_blanks_keep_their_token(tmp_path: Path) -> None:
    tokenizer = adapt(Llama(tmp_path / "m.gguf"))
    assert len(tokenizer.encode_data("a  b")) == 3
