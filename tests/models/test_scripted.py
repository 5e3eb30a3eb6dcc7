"""The scripted models: what they want, that they are pure, and that they refuse like the real one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import InputError, ModelError
from checkrail.models.protocol import Model
from checkrail.models.scripted import RandomModel, ReplayedModel, ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary
from decoding_toys import EOS, byte_vocabulary

LONGER = (b"the", b"the ", b"he", b" cat", b"\xe2\x82", b"the")
VOCABULARY = byte_vocabulary(*LONGER)
SCRIPTED = ScriptedModel(VOCABULARY, "the cat")


def greedy(model: Model, prompt: str, limit: int = 50) -> bytes:
    """What the model writes after a prompt by itself."""
    ids = model.encode_data(prompt)
    start = len(ids)
    while ids[-1] not in VOCABULARY.eos and len(ids) < limit:
        ids.append(int(model.logits(ids).argmax()))
    return VOCABULARY.decode(ids[start:])


@given(st.text("ABC \u20ac", min_size=1, max_size=12), st.text("atche\u20ad", min_size=1, max_size=12))
def test_it_writes_its_text_and_ends(prompt: str, text: str) -> None:
    assert greedy(ScriptedModel(VOCABULARY, text), prompt) == text.encode()


def test_it_takes_the_longest_token() -> None:
    scores = SCRIPTED.logits([ord("x")])
    wanted = {i: float(score) for i, score in enumerate(scores) if score > 0}
    assert wanted == {ord("t"): 11.0, 258: 13.0, 259: 14.0}, "of two equal tokens only the first is wanted"
    assert scores.dtype == np.float32
    assert scores.shape == (VOCABULARY.logits_width,)


def test_it_goes_on_where_the_ids_stand() -> None:
    """As after tokens that a grammar forced without asking the model."""
    ids = SCRIPTED.encode_data("say: the c")
    assert int(SCRIPTED.logits(ids).argmax()) == ord("a")


def test_it_starts_over_where_it_was_led_astray() -> None:
    assert int(SCRIPTED.logits(SCRIPTED.encode_data("the dog ")).argmax()) == 259


def test_of_several_texts_it_follows_the_furthest() -> None:
    model = ScriptedModel(VOCABULARY, "abc", "xbcd", b"abcz")
    assert greedy(model, ">a") == b"bc"
    assert greedy(model, ">xb") == b"cd"
    assert greedy(model, ">") == b"abc"


def test_after_the_text_it_wants_every_end_token() -> None:
    two_ends = Vocabulary.from_bytes([b"a", None, None], eos=[1, 2])
    assert ScriptedModel(two_ends, "a").logits([0]).tolist() == [0.0, 10.0, 10.0]


def test_replayed_rows() -> None:
    width = VOCABULARY.logits_width
    rows = [[float(i)] * width for i in range(2)]
    model = ReplayedModel(VOCABULARY, rows, prompt_tokens=3)
    assert model.logits([1, 2, 3]).tolist() == rows[0]
    assert model.logits([1, 2, 3, 9]).tolist() == rows[1]
    for ids in ([1, 2], [1, 2, 3, 4, 5]):
        with pytest.raises(ModelError, match="BACKEND_FAILED"):
            model.logits(ids)
    with pytest.raises(ModelError, match=f"LOGITS_SHAPE: Expected at least {width} logits, got 2"):
        ReplayedModel(VOCABULARY, [[0.0, 1.0]], prompt_tokens=0)


def test_random_scores_are_fixed_by_seed_and_ids() -> None:
    model = RandomModel(VOCABULARY, 7)
    first = model.logits([1, 2])
    assert np.array_equal(first, RandomModel(VOCABULARY, 7).logits(np.array([1, 2])))  # type: ignore[arg-type]
    assert not np.array_equal(first, model.logits([2, 1]))
    assert not np.array_equal(first, RandomModel(VOCABULARY, 8).logits([1, 2]))
    assert 2.0 < first.std() < 4.0
    assert first.dtype == np.float32


@given(st.text())
def test_data_is_written_exactly_and_holds_no_special_id(text: str) -> None:
    ids = SCRIPTED.encode_data(text + "<eos>" + text)
    assert VOCABULARY.decode(ids) == (text + "<eos>" + text).encode()
    assert not set(ids) & VOCABULARY.special_ids


def test_templates_have_their_special_tokens() -> None:
    assert SCRIPTED.encode_template("<eos>a<special><eos>") == [EOS, ord("a"), 257, EOS]
    assert SCRIPTED.encode_template("the<eo") == [258, ord("<"), ord("e"), ord("o")]


def test_the_longest_special_token_wins() -> None:
    vocabulary = Vocabulary.from_bytes([b"<", b">", None, None], eos=2, special={"<<": 2, "<<>": 3})
    assert ScriptedModel(vocabulary, "<").encode_template("<<<>") == [2, 0, 1]
    assert ScriptedModel(vocabulary, "<").encode_template("<<>") == [3]


def test_what_no_token_writes_is_refused() -> None:
    model = ScriptedModel(byte_vocabulary(without=b"z"), "a")
    with pytest.raises(ModelError, match="CONTEXT_TEXT_LOST") as caught:
        model.encode_data("abz")
    assert caught.value.params["offset"] == 2


def test_refusals() -> None:
    model = RandomModel(VOCABULARY, context_size=2)
    with pytest.raises(InputError, match="INPUT_FORMAT: ids: at least one token"):
        model.logits([])
    with pytest.raises(ModelError, match="CONTEXT_OVERFLOW: The input needs 3 tokens; 2 are available"):
        model.logits([1, 2, 3])


def test_it_is_a_context_manager_and_has_a_short_repr() -> None:
    with RandomModel(VOCABULARY) as model:
        assert repr(model) == f"<RandomModel random, {VOCABULARY.size} tokens>"
        assert model.prefix_ids == ()
