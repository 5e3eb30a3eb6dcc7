"""The llama.cpp model: its cache against a fake library that shows what happens, its scores on the real model."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import InputError, ModelError, VocabularyError
from checkrail.models import catalog, llama_cpp
from checkrail.models.chat import ChatMessage, encode_chat
from checkrail.models.llama_cpp import THREADS_VARIABLE, LlamaCppModel
from fake_llama import END, TURN, WIDTH, FailingLibrary, FakeLibrary, fake_scores, write_model_file

Load = Callable[..., LlamaCppModel]


@pytest.fixture(scope="module")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file with the vocabulary of the fake library."""
    return write_model_file(tmp_path_factory.mktemp("model") / "small.gguf")


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, small_file: Path) -> Load:
    """Load the small file with a fake library: `load(fake, **options)`."""
    monkeypatch.delenv(THREADS_VARIABLE, raising=False)

    def load(fake: FakeLibrary, **options: Any) -> LlamaCppModel:
        monkeypatch.setattr(llama_cpp, "load_library", lambda: fake)
        return LlamaCppModel(small_file, **options)

    return load


def test_what_it_says_of_itself(load: Load) -> None:
    fake = FakeLibrary()
    with load(fake) as model:
        assert repr(model) == f"<LlamaCppModel small, {WIDTH} tokens, context 100>"
        assert model.vocabulary.eos == (END,)
        assert model.prefix_ids == ()
        assert model.encode_template("<turn>x") == [TURN, ord("x")]
        assert TURN not in model.encode_data("<turn>x")
    assert load(fake, name="mine").name == "mine"


def test_the_begin_token(load: Load) -> None:
    fake = FakeLibrary()
    fake.begin = TURN  # type: ignore[assignment]
    assert load(fake).prefix_ids == (TURN,)


# --- the cache


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=90), min_size=1, max_size=6), st.data())
def test_scores_belong_to_the_ids(small_file: Path, sequences: list[list[int]], data: st.DataObject) -> None:
    """Whatever was asked before, and whatever failed."""
    fake = FakeLibrary(recurrent=data.draw(st.booleans()))
    with mock.patch.object(llama_cpp, "load_library", return_value=fake):
        model = LlamaCppModel(small_file, threads=data.draw(st.integers(1, 2)))
    for ids in sequences:
        fake.fail_at = len(fake.batches) + data.draw(st.integers(0, 8))
        with suppress(ModelError):
            assert np.array_equal(model.logits(ids), fake_scores(ids))
        fake.fail_at = -1
        assert np.array_equal(model.logits(ids), fake_scores(ids))


@pytest.mark.parametrize(
    ("calls", "batches"),
    [
        ([[1]], [1]),
        ([[1, 2, 3]], [3]),
        ([[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]], [3, 1, 1]),  # only what is new
        ([[1, 2, 3], [1, 2, 3]], [3, 1]),  # the last token is evaluated for its scores
        ([[1, 2, 3, 4], [1, 2]], [4, 1]),  # rollback
        ([[1, 2, 3, 4], [1, 2, 9, 9, 9]], [4, 3]),  # another continuation
        ([[1, 2], [3]], [2, 1]),  # nothing in common
        ([[1] * 70], [32, 32, 6]),
        ([[1] * 33], [31, 2]),  # no batch of one token among larger ones
        ([[1] * 64], [32, 32]),
    ],
)
def test_what_is_evaluated(load: Load, calls: list[list[int]], batches: list[int]) -> None:
    fake = FakeLibrary()
    model = load(fake)
    for ids in calls:
        model.logits(ids)
        assert fake.held == ids
    assert fake.batches == batches


@pytest.mark.parametrize(("recurrent", "batches"), [(False, [3, 2, 2]), (True, [3, 1, 1])])
def test_with_threads_the_last_token_goes_along(load: Load, recurrent: bool, batches: list[int]) -> None:
    fake = FakeLibrary(recurrent=recurrent)
    model = load(fake, threads=2)
    for ids in ([1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]):
        assert np.array_equal(model.logits(ids), fake_scores(ids))
    assert fake.batches == batches


def test_a_recurrent_model_starts_over_to_go_back(load: Load) -> None:
    fake = FakeLibrary(recurrent=True)
    model = load(fake)
    for ids in ([1, 2, 3, 4], [1, 2, 9]):
        assert np.array_equal(model.logits(ids), fake_scores(ids))
    assert fake.batches == [4, 3]


def test_an_interrupt_leaves_nothing_wrong(load: Load) -> None:
    class Interrupted(FakeLibrary):
        def decode(self, context: int, ids: Sequence[int]) -> int:
            status = super().decode(context, ids)
            if len(self.batches) == 2:
                raise KeyboardInterrupt
            return status

    model = load(Interrupted())
    with pytest.raises(KeyboardInterrupt):
        model.logits([1] * 80)
    for ids in ([1] * 40 + [2], [1] * 80):
        assert np.array_equal(model.logits(ids), fake_scores(ids))


def test_scores_are_the_callers_own(load: Load) -> None:
    model = load(FakeLibrary())
    first = model.logits([1])
    first[:] = 0
    assert np.array_equal(model.logits([1]), fake_scores([1]))


# --- refusals


def test_ids_are_checked(load: Load) -> None:
    fake = FakeLibrary()
    model = load(fake, context_size=5)
    with pytest.raises(InputError, match="INPUT_FORMAT: ids: at least one token"):
        model.logits([])
    for wrong in (-1, WIDTH):
        with pytest.raises(InputError, match=f"INPUT_FORMAT: ids: the ids run from 0 to {WIDTH - 1}"):
            model.logits([1, wrong])
    with pytest.raises(ModelError, match="CONTEXT_OVERFLOW: The input needs 6 tokens; 5 are available"):
        model.logits([1] * 6)
    assert fake.batches == []
    assert np.array_equal(model.logits(np.array([1, 2])), fake_scores([1, 2]))  # type: ignore[arg-type]


def test_a_failing_backend_is_told(load: Load) -> None:
    fake = FakeLibrary()
    model = load(fake)
    fake.fail_at = 0
    with pytest.raises(ModelError, match=r"BACKEND_FAILED: .* llama_decode returned -3"):
        model.logits([1])


@pytest.mark.parametrize("size", [0, 101, -1, True])
def test_context_sizes(load: Load, size: int) -> None:
    with pytest.raises(InputError, match="INPUT_FORMAT: context_size: must be an integer from 1 to 100"):
        load(FakeLibrary(), context_size=size)
    assert load(FakeLibrary(trained=10_000)).context_size == 4_096


@pytest.mark.parametrize(("named", "threads"), [(None, 1), ("3", 3), ("512", 512)])
def test_threads(load: Load, monkeypatch: pytest.MonkeyPatch, named: str | None, threads: int) -> None:
    fake = FakeLibrary()
    if named is not None:
        monkeypatch.setenv(THREADS_VARIABLE, named)
    load(fake)
    assert fake.threads == threads
    load(fake, threads=2)
    assert fake.threads == 2, "the argument wins"


@pytest.mark.parametrize("named", ["0", "513", "-1", "two", "", "9" * 5_000, "\N{SUPERSCRIPT TWO}"])
def test_wrong_threads(load: Load, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, named)
    with pytest.raises(InputError, match=f"INPUT_FORMAT: {THREADS_VARIABLE}: must be an integer from 1 to 512"):
        load(FakeLibrary())
    with pytest.raises(InputError, match="INPUT_FORMAT: threads: must"):
        load(FakeLibrary(), threads=0)


@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model", b"GGUF\3\0\0\0" + b"\xff" * 16])
def test_what_is_no_model_file_never_reaches_llama_cpp(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    fake = FakeLibrary()
    monkeypatch.setattr(llama_cpp, "load_library", lambda: fake)
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="MODEL_FILE: The model file cannot be loaded: byte"):
        LlamaCppModel(path)
    with pytest.raises(InputError, match=r"INPUT_MISSING: There is no file y\.gguf"):
        LlamaCppModel(tmp_path / "y.gguf")
    with pytest.raises(InputError, match="INPUT_UNREADABLE"):
        LlamaCppModel(tmp_path)
    assert fake.calls == []


def test_an_encoder_is_refused_and_freed(load: Load) -> None:
    fake = FakeLibrary()
    fake.decoder = False
    with pytest.raises(ModelError, match=r"MODEL_FILE: .* not a decoder-only model"):
        load(fake)
    assert fake.calls == ["load_model", "free_model"]


def test_another_width_is_refused(load: Load) -> None:
    fake = FakeLibrary()
    fake.width += 1
    with pytest.raises(VocabularyError, match=f"VOCAB_SHAPE: The vocabulary has {WIDTH} entries, .* {WIDTH + 1}"):
        load(fake)
    assert fake.calls == ["load_model", "free_model"]


# --- the end


ALL_FREED = ["load_model", "new_context", "free_context", "free_model"]


def test_closing_frees_all_once(load: Load) -> None:
    fake = FakeLibrary()
    model = load(fake)
    model.close()
    model.close()
    assert fake.calls == ALL_FREED
    for use in (lambda: model.logits([1]), lambda: model.encode_data("a"), lambda: model.encode_template("a")):
        with pytest.raises(ModelError, match=r"BACKEND_FAILED: .* the model was closed"):
            use()


def test_a_forgotten_model_is_freed(load: Load) -> None:
    fake = FakeLibrary()
    load(fake)
    gc.collect()
    assert fake.calls == ALL_FREED


def test_a_failed_start_frees_what_it_took(load: Load) -> None:
    fake = FailingLibrary()
    with pytest.raises(ModelError, match=r"BACKEND_FAILED: .* no memory"):
        load(fake)
    assert fake.calls == ["load_model", "free_model"]


def test_calls_from_threads_wait_for_one_another(load: Load) -> None:
    class Slow(FakeLibrary):
        busy = 0

        def decode(self, context: int, ids: Sequence[int]) -> int:
            self.busy += 1
            assert self.busy == 1
            status = super().decode(context, ids)
            threading.Event().wait(0.001)
            self.busy -= 1
            return status

    model = load(Slow())
    results: list[bool] = []

    def work(token: int) -> None:
        for length in range(1, 8):
            ids = [token] * length
            results.append(np.array_equal(model.logits(ids), fake_scores(ids)))

    threads = [threading.Thread(target=work, args=(token,)) for token in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 28


# --- the embedded model


def tokens(model: LlamaCppModel, count: int) -> list[int]:
    text = "Invoice 4711 from Müller GmbH: 3 chairs, 41.50 EUR each, due on 2026-03-01. Thank you, Zoë! "
    ids = model.encode_data(text * 40)
    assert len(ids) > count
    return ids[:count]


@pytest.mark.model
def test_greedy_continuation(model: LlamaCppModel) -> None:
    ids = model.encode_data("The capital of France is")
    assert model.vocabulary.token_bytes(int(model.logits(ids).argmax())) == b" Paris"


@pytest.mark.model
def test_an_answer_in_a_chat(model: LlamaCppModel) -> None:
    ids = encode_chat(model, [ChatMessage("user", "Italy")], examples=[("France", "Paris"), ("Spain", "Madrid")])
    start = len(ids)
    while ids[-1] not in model.vocabulary.eos and len(ids) < start + 8:
        ids.append(int(model.logits(ids).argmax()))
    assert ids[-1] in model.vocabulary.eos, "it ends its turn by itself"
    assert model.vocabulary.decode(ids[start:]).isalpha()


@pytest.mark.model
def test_scores_have_the_models_width(model: LlamaCppModel) -> None:
    scores = model.logits([1])
    assert scores.shape == (model.vocabulary.logits_width,) == (49_152,)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()


@pytest.mark.model
def test_scores_are_a_function_of_the_ids(model: LlamaCppModel) -> None:
    """Bit for bit: afresh, token by token, after a detour, in uneven pieces; llama.cpp's cache grows in 256s."""
    for count in (70, 262):
        ids = tokens(model, count)
        model.logits([0])
        fresh = model.logits(ids)
        model.logits(ids[: count - 12])
        for length in range(count - 11, count):
            model.logits(ids[:length])
        assert np.array_equal(model.logits(ids), fresh), "token by token"
        model.logits([*ids[: count - 20], 5, 6, 7])
        assert np.array_equal(model.logits(ids), fresh), "after a detour"
        for length in (count - 50, count - 43, count - 1):
            model.logits(ids[:length])
        assert np.array_equal(model.logits(ids), fresh), "in uneven pieces"


@pytest.mark.model
def test_scores_do_not_depend_on_threads_or_on_the_run(model: LlamaCppModel) -> None:
    """A second model, with two threads; from the 257th token on llama.cpp would round differently with them."""
    ids = tokens(model, 259)
    with LlamaCppModel(catalog.verify(), context_size=512, threads=2) as other:
        set_threads = other._library._call["llama_set_n_threads"]
        set_threads(other._context, 1, 1)  # two would take minutes for the prompt where the cores are busy
        other.logits(ids[:258])
        set_threads(other._context, 2, 2)
        assert np.array_equal(other.logits(ids[:259]), model.logits(ids[:259]))


@pytest.mark.model
@pytest.mark.parametrize("keep", [20, 1_000, 500_000, 3_000_000, 98_000_000])
def test_a_cut_file_is_refused(model: LlamaCppModel, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.gguf"
    with catalog.verify().open("rb") as whole, path.open("wb") as part:
        part.write(whole.read(keep))
    with pytest.raises(ModelError, match="MODEL_FILE"):
        LlamaCppModel(path)
