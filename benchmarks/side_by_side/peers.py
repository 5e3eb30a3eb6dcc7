"""The peers' adapters. Each imports its library when it is prepared, through the API that its users call.

Options are the ones nearest to the JSON Schema specification: any whitespace where an engine can allow it (glrmask
and outlines-core cannot), and no rewriting of the schema.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from .engine import Engine, Unsupported

__all__ = ["GLRMask", "GLRMaskTrie", "LLGuidance", "LLGuidanceFixed", "MaskForge", "OutlinesCore", "XGrammar"]


class _TokensOnly:
    """What llguidance asks of a tokenizer that is not a tokenizer.json."""

    bos_token_id = None

    def __init__(self, engine: Engine) -> None:
        self.eos_token_id = engine.table.end
        self.tokens = engine.table.tokens
        self.special_token_ids = sorted(engine.table.special)
        self._encode = engine.table.encode

    def __call__(self, text: str) -> list[int]:
        return self._encode(text)


class LLGuidance(Engine):
    """llguidance with its default slices, flexible whitespace."""

    overrides: ClassVar[dict[str, object] | None] = None

    def prepare(self) -> None:
        self._library = import_module("llguidance")
        table = self.table
        wrapped: Any = self._library.TokenizerWrapper(_TokensOnly(self))
        source = table.tokenizer.read_text("utf-8") if table.tokenizer else wrapped
        self._tokenizer = self._library.LLTokenizer(source, n_vocab=len(table), eos_token=table.end)
        self._address, self._bytes = self.bits.ctypes.data, self.bits.nbytes

    def _build(self, grammar: str) -> None:
        self._first = self._library.LLMatcher(self._tokenizer, grammar, log_level=0)
        if self._first.is_error():
            raise ValueError(self._first.get_error())

    def compile_schema(self, schema: str) -> None:
        self._build(self._library.LLMatcher.grammar_from_json_schema(schema, overrides=self.overrides))

    def compile_regex(self, pattern: str) -> None:
        self._build(self._library.LLMatcher.grammar_from_regex(pattern))

    def compile_lark(self, grammar: str) -> None:
        self._build(self._library.LLMatcher.grammar_from_lark(grammar))

    def start(self) -> None:
        self._matcher = self._first.deep_copy()

    def mask(self) -> None:
        self._matcher.unsafe_compute_mask_ptr(self._address, self._bytes)

    def commit(self, token: int) -> bool:
        return bool(self._matcher.consume_token(token))


class LLGuidanceFixed(LLGuidance):
    """The same with the whitespace of `json.dumps`, as glrmask has it, and Checkrail with `--whitespace json.dumps`."""

    overrides: ClassVar = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


class XGrammar(Engine):
    """xgrammar, any whitespace, not strict, dynamic compilation."""

    def prepare(self) -> None:
        import_module("torch").set_num_threads(1)
        self._library = import_module("xgrammar")
        tokens = [token or b"" for token in self.table.without_special()]
        facts = self._library.TokenizerInfo(
            tokens, self._library.VocabType.RAW, vocab_size=len(tokens), stop_token_ids=[self.table.end]
        )
        self._compiler = self._library.GrammarCompiler(facts, max_threads=1, enable_dynamic_compilation=True)
        self._mask = self._library.allocate_token_bitmask(1, len(tokens))
        self.bits = self._mask.numpy()[0]

    def compile_schema(self, schema: str) -> None:
        self._grammar = self._compiler.compile_json_schema(schema, any_whitespace=True, strict_mode=False)

    def compile_regex(self, pattern: str) -> None:
        self._grammar = self._compiler.compile_regex(pattern)

    def forget(self) -> None:
        self._compiler.clear_cache()

    def start(self) -> None:
        self._matcher = self._library.GrammarMatcher(self._grammar)

    def mask(self) -> None:
        self._matcher.fill_next_token_bitmask(self._mask)

    def commit(self, token: int) -> bool:
        return bool(self._matcher.accept_token(token))


class GLRMask(Engine):
    """glrmask; the strategy is chosen by itself (static masks, as a rule)."""

    strategy = "AUTO"

    def prepare(self) -> None:
        self._library = import_module("glrmask")
        self._vocabulary = self._library.Vocab.from_id_to_bytes(dict(self.table.text_tokens()))
        self._strategy = getattr(self._library.MaskStrategy, self.strategy)
        self.compile_schema('{"type":"object"}')

    def _compile(self, grammar: Any) -> None:
        self._constraint = grammar.compile(self._vocabulary, mask_strategy=self._strategy)

    def compile_schema(self, schema: str) -> None:
        self._compile(self._library.Grammar.from_json_schema(schema))

    def compile_regex(self, pattern: str) -> None:
        self._compile(self._library.Grammar.from_lark("start: /" + pattern.replace("/", "\\/") + "/"))

    def start(self) -> None:
        self._state = self._constraint.start()

    def mask(self) -> None:
        self._state.fill_mask(self.bits)

    def commit(self, token: int) -> bool:
        return bool(self._state.commit_token(token))

    def may_end(self) -> bool:
        return bool(self._state.is_accepting())


class GLRMaskTrie(GLRMask):
    """glrmask with masks computed as they are needed."""

    strategy = "TOKEN_TRIE"


class OutlinesCore(Engine):
    """outlines-core: a schema becomes a regular expression, and that an index of every state."""

    def prepare(self) -> None:
        self._library = import_module("outlines_core")
        self._to_regex = import_module("outlines_core.json_schema").build_regex_from_schema
        ids: dict[bytes, list[int]] = {}
        for identifier, token in self.table.text_tokens():
            ids.setdefault(token, []).append(identifier)
        self._vocabulary = self._library.Vocabulary(self.table.end, ids)
        self._buffer = (self.bits.ctypes.data, self.bits.size, self.bits.itemsize)

    def compile_schema(self, schema: str) -> None:
        self.compile_regex(self._to_regex(schema))

    def compile_regex(self, pattern: str) -> None:
        self._index = self._library.Index(pattern, self._vocabulary)

    def start(self) -> None:
        self._guide = self._library.Guide(self._index)

    def mask(self) -> None:
        self._guide.write_mask_into(*self._buffer)

    def commit(self, token: int) -> bool:
        self._guide.advance(token, False)
        return True


class MaskForge(Engine):
    """maskforge, adaptive binding; JSON Schema only."""

    def prepare(self) -> None:
        self._library = import_module("maskforge")
        self._vocabulary = self._library.Vocabulary.from_id_ordered_tokens(
            self.table.without_special(), eos_token_id=self.table.end
        )
        self._compiler = self._library.Compiler(bind_policy="adaptive")
        self._buffer = bytearray()

    def compile_schema(self, schema: str) -> None:
        self._bound = self._compiler.compile(schema).bind(self._vocabulary)

    def compile_regex(self, pattern: str) -> None:
        raise Unsupported("no regular expressions")

    def forget(self) -> None:
        self._compiler.clear_caches()

    def start(self) -> None:
        import numpy as np

        # the session of the Python class checks and copies each mask; its native one is the peer's fast path
        self._session = self._bound.start_session()._native
        size = 4 * self._bound.mask_word_count
        if len(self._buffer) != size:
            self._buffer = bytearray(size)
            self.bits = np.frombuffer(self._buffer, dtype=np.int32)

    def mask(self) -> None:
        self._session.write_mask(self._buffer)

    def commit(self, token: int) -> bool:
        self._session.advance(token)
        return True
