"""Each library's tokenizer, small ones made here: what is control, what data becomes, what templates become."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sentencepiece
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

from checkrail.boundary.reinsert import LawfulTokenizer, adapt
from checkrail.boundary.reinsert.sentencepiece import _twin
from checkrail.errors import ContextError, Error, InputError
from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary
from fake_llama import END, HASH, SHORT, TOOL, TURN, UNKNOWN, FakeLibrary, write_model_file
from toy_tokenizers import byte_tokenizer, hugging_face

# --- Hugging Face

ADDED = ["<|im_start|>", "<|im_end|>", "<s>", "<think>", "<tool_response>"]


def hostile(literals: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(st.sampled_from(literals), st.text("<|>_/ \nst"), st.text())).map("".join)


def obeys(tokenizer: LawfulTokenizer, text: str) -> bool:
    ids = tokenizer.encode_data(text)
    return tokenizer.control_ids.isdisjoint(ids) and tokenizer.decode_bytes(ids) == text.encode()


@pytest.fixture(scope="module")
def face() -> LawfulTokenizer:
    return cast(LawfulTokenizer, adapt(hugging_face()))


def test_control_is_the_whole_added_vocabulary_but_blanks(face: LawfulTokenizer) -> None:
    assert face.control_literals == tuple(sorted(ADDED))
    assert (face.chat_template, face.template_variables) == (None, {})
    original = hugging_face()
    assert face.control_ids == {original.token_to_id(text) for text in ADDED}


@given(text=hostile(ADDED))
def test_data_of_hugging_face(face: LawfulTokenizer, text: str) -> None:
    assert obeys(face, text)


def test_the_original_does_make_control_tokens_of_data(face: LawfulTokenizer) -> None:
    """The point of the twin: the library's own switch leaves tokens that are not flagged special."""
    original = hugging_face()
    original.encode_special_tokens = True
    assert original.token_to_id("<think>") in original.encode("a<think>", add_special_tokens=False).ids
    assert face.control_ids.isdisjoint(face.encode_data("a<think>"))


def test_ordinary_text_keeps_its_tokens(face: LawfulTokenizer) -> None:
    """The merges of the model still work, and no space is put in front."""
    texts = [hugging_face().id_to_token(i) for i in face.encode_data("the the")]
    assert texts == ["the", "Ġthe"]


def test_templates_keep_control_tokens_and_nothing_is_cut_off(face: LawfulTokenizer) -> None:
    original = hugging_face()
    ids = face.encode_template("<|im_start|>" + "x" * 100)
    assert ids[0] == original.token_to_id("<|im_start|>")
    assert len(ids) == 101, "no begin token, no space, no truncation"


STRIPPING = ["<l>", "<r>", "<b>", "a", " ", "  ", "\n", "<im_end>"]


@given(st.lists(st.sampled_from(STRIPPING), max_size=6).map("".join))
def test_control_tokens_that_take_blanks_away(text: str) -> None:
    """Some added tokens swallow the blanks beside them; templates become what the library makes of them."""

    def make() -> Tokenizer:
        backend = Tokenizer(models.BPE({c: i for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}, []))
        backend.pre_tokenizer, backend.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
        flags = {"<l>": {"lstrip": True}, "<r>": {"rstrip": True}, "<b>": {"lstrip": True, "rstrip": True}}
        backend.add_special_tokens([AddedToken(name, normalized=False, **kinds) for name, kinds in flags.items()])
        return backend

    tokenizer = _cached("stripping", lambda: adapt(make()))
    assert tokenizer.encode_template(text) == make().encode(text, add_special_tokens=False).ids


def test_a_tokenizer_that_is_trained_by_chance_is_made_repeatable() -> None:
    value = json.loads(hugging_face().to_str())
    value["model"]["dropout"] = 0.9
    tokenizer = adapt(Tokenizer.from_str(json.dumps(value)))
    expected = adapt(hugging_face()).encode_data("the the the the")
    assert [tokenizer.encode_data("the the the the") for _ in range(5)] == [expected] * 5


def test_a_normalizer_cannot_put_a_token_together() -> None:
    original = hugging_face(normalizer="NFKC")
    wide = "\N{FULLWIDTH LESS-THAN SIGN}think\N{FULLWIDTH GREATER-THAN SIGN}"
    assert original.token_to_id("<think>") in original.encode(wide, add_special_tokens=False).ids
    tokenizer = cast(LawfulTokenizer, adapt(original))
    with pytest.raises(ContextError, match="CONTEXT_TEXT_LOST"):  # it would be other text, and is refused
        tokenizer.encode_data(wide)
    assert obeys(tokenizer, "<think>")


def test_transformers_objects() -> None:
    """By their attributes: the backend, the template, the names of special tokens."""
    special = {"bos_token": "<s>", "additional_special_tokens": ["<think>"], "eos_token": AddedToken("<|im_end|>")}
    fast = SimpleNamespace(backend_tokenizer=hugging_face(), chat_template="{{ x }}", special_tokens_map=special)
    tokenizer = adapt(fast)
    assert (tokenizer.chat_template, tokenizer.prefix_ids) == ("{{ x }}", ())
    assert tokenizer.template_variables == {"bos_token": "<s>", "eos_token": "<|im_end|>"}
    fast.chat_template = {"default": "a", "tool_use": "b"}
    assert adapt(fast).chat_template == "a"
    fast.chat_template = None
    assert adapt(fast).chat_template is None
    fast.special_tokens_map = ["<s>"]
    with pytest.raises(InputError, match="special_tokens_map"):
        adapt(fast)


def metaspace(model: Any, *, normalizer: Any = None) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizer
    if normalizer is None:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    tokenizer.decoder = decoders.Sequence(steps)
    tokenizer.add_special_tokens(["<s>", "</s>"])
    tokenizer.add_tokens(["<tool>", "▁▁"])
    return tokenizer


PIECES = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "▁▁", "▁a", "<", ">", "tool"]
LLAMA_LIKE = {
    "bpe": lambda: metaspace(
        models.BPE(
            vocab={p: i for i, p in enumerate(PIECES)}, merges=[("▁", "a")], byte_fallback=True, unk_token="<unk>"
        ),
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    ),
    "unigram": lambda: metaspace(
        models.Unigram([(piece, -float(i)) for i, piece in enumerate([*PIECES, "</s>", "<s>"])], 0, byte_fallback=True)
    ),
}


@pytest.mark.parametrize("family", LLAMA_LIKE)
@given(data=st.data())
@settings(max_examples=50)
def test_data_of_sentencepiece_like_files(family: str, data: st.DataObject) -> None:
    tokenizer = _cached(family, lambda: adapt(LLAMA_LIKE[family]()))
    text = data.draw(hostile(["<s>", "</s>", "<tool>", "<unk>", "  "])).replace("▁", "_")
    assert obeys(tokenizer, text)


def test_no_space_is_put_in_front_and_blanks_stay_whole() -> None:
    tokenizer = _cached("bpe", lambda: adapt(LLAMA_LIKE["bpe"]()))
    assert tokenizer.encode_data("a") == [PIECES.index("a")]
    assert tokenizer.encode_data("  ") == [PIECES.index("▁▁")]
    assert PIECES.index("▁▁") not in tokenizer.control_ids


_MADE: dict[str, LawfulTokenizer] = {}


def _cached(name: str, make: Callable[[], Any]) -> LawfulTokenizer:
    if name not in _MADE:
        _MADE[name] = make()
    return _MADE[name]


def test_unigram_pieces_with_the_text_of_control_tokens() -> None:
    """The model itself would choose the piece `</s>`: the ids show it, and the text is cut."""
    backend = LLAMA_LIKE["unigram"]()
    tokenizer = adapt(backend)
    end = backend.token_to_id("</s>")
    value = json.loads(backend.to_str())
    twin = Tokenizer.from_str(json.dumps({**value, "added_tokens": []}))
    assert end in twin.encode("b</s>").ids, "the twin alone is not enough here"
    assert end in tokenizer.control_ids
    assert obeys(cast(LawfulTokenizer, tokenizer), "b</s>")


# --- SentencePiece


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def processor(request: pytest.FixtureRequest) -> Any:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat on the mat <tool> ", "a tool is a tool", "[INST] the end"] * 20),
        model_writer=model,
        vocab_size=320,
        model_type=request.param,
        byte_fallback=True,
        user_defined_symbols=["<tool>", "[INST]", "  "],
        control_symbols=["<turn>"],
        normalization_rule_name="identity",
        hard_vocab_limit=False,
        minloglevel=3,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


@given(text=hostile(["<tool>", "[INST]", "<turn>", "<s>", "</s>", "<unk>", "<0x0A>", "  "]))
@settings(max_examples=50)
def test_data_of_sentencepiece(processor: Any, text: str) -> None:
    tokenizer = _cached(str(id(processor)), lambda: adapt(processor))
    assert obeys(tokenizer, text.replace("▁", "_"))


def test_sentencepiece_control_and_templates(processor: Any) -> None:
    tokenizer = adapt(processor)
    user, turn = processor.piece_to_id("<tool>"), processor.piece_to_id("<turn>")
    assert {user, turn, processor.unk_id(), processor.bos_id(), processor.eos_id()} <= tokenizer.control_ids
    assert processor.piece_to_id("  ") not in tokenizer.control_ids
    assert user in processor.encode("a <tool>"), "the original finds it in data"
    assert tokenizer.encode_template("<turn><tool>") == [turn, user]
    assert tokenizer.prefix_ids == (processor.bos_id(),)
    assert tokenizer.decode_bytes(tokenizer.encode_data(" the  cat ")) == b" the  cat ", "no blank is added or dropped"
    assert processor.encode("a <tool>") == processor.encode("a <tool>"), "the caller's is as it was"


def test_the_twin_of_a_model_differs_in_the_kind_of_user_defined_pieces() -> None:
    """One byte each, also of pieces that take more than 127 bytes; that alone keeps them out of data."""
    long = "<" + "x" * 150 + ">"
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat", "a tool is a tool"] * 20),
        model_writer=model,
        vocab_size=300,
        model_type="bpe",
        byte_fallback=True,
        user_defined_symbols=["<tool>", long, "  "],
        hard_vocab_limit=False,
        bos_id=0,
        unk_id=1,
        eos_id=2,
        minloglevel=3,
    )
    data = model.getvalue()
    twin, user_defined = _twin(data)
    original = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert user_defined == {original.piece_to_id(text): text for text in ("<tool>", long)}
    changed = [(before, after) for before, after in zip(data, twin, strict=True) if before != after]
    assert changed == [(4, 3), (4, 3)]
    assert original.piece_to_id(long) in original.encode(f"a {long}")
    other = sentencepiece.SentencePieceProcessor(model_proto=twin)
    assert set(user_defined).isdisjoint(other.encode(f"a {long} <tool>"))
    assert adapt(original).prefix_ids == (0,)


# --- tiktoken


def test_tiktoken() -> None:
    encoding = tiktoken.Encoding(
        "toy",
        pat_str=r"\S+|\s+",
        mergeable_ranks={**{bytes([b]): b for b in range(256)}, b"<|": 256},
        special_tokens={"<|end|>": 257, "<|turn|>": 258},
    )
    tokenizer = adapt(encoding)
    assert tokenizer.control_ids == {257, 258}
    assert tokenizer.encode_template("a<|end|>") == [97, 257]
    for text in ("<|end|>", "<<|turn|>", "", "é<|end|><|turn|>"):
        assert obeys(cast(LawfulTokenizer, tokenizer), text)
    with pytest.raises(ValueError, match="disallowed special token"):
        encoding.encode("<|end|>")


# --- llama.cpp and models


class Llama:
    """As llama-cpp-python's: what the adapter uses of it."""

    def __init__(self, path: Path, library: FakeLibrary) -> None:
        self.model_path, self.library = str(path), library

    def n_vocab(self) -> int:
        return self.library.width

    def tokenize(self, text: bytes, *, add_bos: bool, special: bool) -> list[int]:
        assert (add_bos, special) == (False, False), "no text is ever given with control tokens to be parsed"
        return self.library.tokenize(0, text, special=special)


@pytest.mark.parametrize("add_space", [False, True])
@given(text=hostile(["<end>", "<turn>", "<tool>", "<t", "<unk>", "  ", "#", "!", "\n"]))
@settings(max_examples=50)
def test_data_of_llama_cpp(tmp_path_factory: pytest.TempPathFactory, text: str, add_space: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "reinsert.gguf"
    if not path.exists():
        write_model_file(path)
    tokenizer = adapt(Llama(path, FakeLibrary(add_space=add_space)))
    assert tokenizer.control_ids == {END, TURN, TOOL, SHORT, UNKNOWN}
    assert obeys(cast(LawfulTokenizer, tokenizer), text)


def test_llama_cpp_finds_user_defined_tokens_in_data_and_the_adapter_does_not(tmp_path: Path) -> None:
    llama = Llama(write_model_file(tmp_path / "m.gguf"), FakeLibrary())
    assert TOOL in llama.tokenize(b"<tool>", add_bos=False, special=False)
    tokenizer = adapt(llama)
    assert TOOL not in tokenizer.encode_data("<tool>")
    assert tokenizer.encode_template("<turn>a<tool>") == [TURN, ord("a"), TOOL]
    assert tokenizer.prefix_ids == ()
    assert tokenizer.chat_template is None


def test_long_texts_are_cut_for_llama_cpp(tmp_path: Path) -> None:
    library = FakeLibrary()
    tokenizer = adapt(Llama(write_model_file(tmp_path / "m.gguf"), library))
    library.tokenized.clear()
    text = "word  two " * 1_000 + "x" * 5_000
    assert obeys(cast(LawfulTokenizer, tokenizer), text)
    assert b"".join(library.tokenized) == text.encode()
    assert max(map(len, library.tokenized)) <= 1_024
    assert all(each.startswith(b" word") for each in library.tokenized[1:9])


def gguf(path: Path, *more: tuple[str, int, bytes], kind: str = "llama", typed: bool = True, twice: str = "") -> Path:
    """A model file with a byte vocabulary, `<s>`, `</s>` and `<turn>`, and more metadata.

    typed: whether it says of what kind its tokens are. twice: the text of one more control token.
    """

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    tokens = [f"<0x{byte:02X}>" for byte in range(256)] + ["<s>", "</s>", "<turn>", "<user>", "#", "  "]
    kinds = [6] * 256 + [3, 3, 3, 4, 4, 4]
    if twice:
        tokens, kinds = [*tokens, twice], [*kinds, 3]
    pairs = [
        ("tokenizer.ggml.model", 8, text(kind)),
        ("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(tokens)) + b"".join(map(text, tokens))),
        ("tokenizer.ggml.token_type", 9, struct.pack(f"<IQ{len(kinds)}i", 5, len(kinds), *kinds)),
        ("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", 257)),
        *more,
    ]
    if not typed:
        del pairs[2]
    body = b"".join(text(key) + struct.pack("<I", form) + value for key, form, value in pairs)
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + body)
    return path


def test_a_model_file_that_does_not_say_of_what_kind_its_tokens_are(tmp_path: Path) -> None:
    """Control are the tokens then that end texts, by what the file names and by their text."""
    tokenizer = adapt(Llama(gguf(tmp_path / "m.gguf", kind="gpt2", typed=False), FakeLibrary()))
    assert tokenizer.control_ids == {257}
    assert tokenizer.control_literals == ("</s>",)


@pytest.mark.parametrize("text", ["<turn>", "\n"])
def test_a_control_token_without_a_text_of_its_own_is_control(tmp_path: Path, text: str) -> None:
    tokenizer = adapt(Llama(gguf(tmp_path / "m.gguf", twice=text), FakeLibrary()))
    assert tokenizer.control_ids == {256, 257, 258, 259, 262}
    assert tokenizer.control_literals == ("</s>", "<s>", "<turn>", "<user>")
    assert tokenizer.encode_template("<turn>") == [258]


BEGIN = ("tokenizer.ggml.bos_token_id", 4, struct.pack("<I", 256))
ADD, ADD_NOT = (("tokenizer.ggml.add_bos_token", 7, struct.pack("<?", value)) for value in (True, False))


@pytest.mark.parametrize(
    ("kind", "more", "prefix"),
    [
        ("llama", [], ()),
        ("llama", [BEGIN], (256,)),
        ("llama", [BEGIN, ADD], (256,)),
        ("llama", [BEGIN, ADD_NOT], ()),
        ("gemma4", [BEGIN], ()),
        ("gemma4", [BEGIN, ADD], (256,)),
        ("gemma4", [ADD], ()),
    ],
)
def test_the_begin_token_of_a_model_file(tmp_path: Path, kind: str, more: Any, prefix: tuple[int, ...]) -> None:
    tokenizer = adapt(Llama(gguf(tmp_path / "m.gguf", *more, kind=kind), FakeLibrary()))
    assert tokenizer.prefix_ids == prefix
    assert tokenizer.template_variables == {"eos_token": "</s>"} | ({"bos_token": "<s>"} if BEGIN in more else {})
    assert tokenizer.control_ids == {256, 257, 258, 259}
    assert tokenizer.control_literals == ("</s>", "<s>", "<turn>", "<user>")
    assert tokenizer.chat_template is None


def test_the_chat_template_of_a_model_file(tmp_path: Path) -> None:
    template = ("tokenizer.chat_template", 8, struct.pack("<Q", 7) + b"{{ x }}")
    assert adapt(Llama(gguf(tmp_path / "a.gguf", template), FakeLibrary())).chat_template == "{{ x }}"
    number = ("tokenizer.chat_template", 4, struct.pack("<I", 1))
    assert adapt(Llama(gguf(tmp_path / "b.gguf", number), FakeLibrary())).chat_template is None


@pytest.mark.parametrize(("number", "named"), [(0, True), (261, True), (262, False), (9_999, False)])
def test_a_begin_token_that_is_not_there_has_no_name(tmp_path: Path, number: int, named: bool) -> None:
    begin = ("tokenizer.ggml.bos_token_id", 4, struct.pack("<I", number))
    path = gguf(tmp_path / "m.gguf", begin, ADD_NOT)
    assert ("bos_token" in adapt(Llama(path, FakeLibrary())).template_variables) == named


def test_texts_that_swallow_the_marker(tmp_path: Path) -> None:
    """The space that llama.cpp puts in front is taken off with a marker behind it; two are tried."""

    class Merging(FakeLibrary):
        def tokenize(self, vocab: int, text: bytes, *, special: bool) -> list[int]:
            ids = super().tokenize(vocab, text, special=special)
            return [HASH if pair == (10, 10) else pair[0] for pair in zip(ids, [*ids[1:], 0], strict=True)]

    tokenizer = adapt(Llama(write_model_file(tmp_path / "m.gguf"), Merging(add_space=True)))
    assert tokenizer.encode_data("") == []
    for text in ("a", " a", "\na", "!a", "!\n!", "  "):
        assert obeys(cast(LawfulTokenizer, tokenizer), text), text

    class Greedy(FakeLibrary):
        """Its first token swallows whatever marker there is."""

        def tokenize(self, vocab: int, text: bytes, *, special: bool) -> list[int]:
            ids = super().tokenize(vocab, text, special=special)
            return ids if text == b"a" else [HASH, *ids[1:]]

    with pytest.raises(ContextError, match="CONTEXT_TEXT_LOST"):
        adapt(Llama(write_model_file(tmp_path / "n.gguf"), Greedy(add_space=True))).encode_data("bc")


def test_models_of_checkrail() -> None:
    vocabulary = Vocabulary.from_bytes(
        [*(bytes([b]) for b in range(256)), b"<tool>", None], eos=257, special={"<end>": 257}
    )
    model = ScriptedModel(vocabulary, "x")
    assert adapt(model).control_ids == {257}
    model.prefix_ids = (257,)
    model.control_ids = frozenset([256, 257])  # type: ignore[attr-defined]
    tokenizer = adapt(model)
    assert tokenizer.prefix_ids == (257,)
    assert tokenizer.control_literals == ("<end>", "<tool>")
    assert tokenizer.encode_template("a<end>") == [97, 257]
    with pytest.raises(ContextError, match="CONTEXT_CONTROL_TOKEN"):
        adapt(Careless()).encode_data("<tool>")


class Careless:
    """A model whose `encode_data` lies."""

    vocabulary = Vocabulary.from_bytes([b"a", b"<tool>", None], eos=2)
    prefix_ids = ()
    control_ids = frozenset([1, 2])

    def encode_template(self, text: str, /) -> list[int]:
        return [1]

    encode_data = encode_template


# --- what is no tokenizer


def test_an_adapter_stays_as_it_is() -> None:
    tokenizer = byte_tokenizer()
    assert adapt(tokenizer) is tokenizer
    names = ("control_ids", "control_literals", "encode_template", "encode_data", "decode_bytes")
    foreign = SimpleNamespace(**dict.fromkeys(names))
    assert adapt(foreign) is foreign


@pytest.mark.parametrize("thing", [None, "tokenizer.json", object(), SimpleNamespace(encode=len)])
def test_anything_else_is_refused(thing: object) -> None:
    with pytest.raises(InputError, match="is none of tokenizers, transformers"):
        adapt(thing)


def test_a_slow_tokenizer_is_refused() -> None:
    with pytest.raises(Error, match="fast tokenizer"):
        adapt(SimpleNamespace(backend_tokenizer=object()))
