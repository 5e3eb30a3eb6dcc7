"""`Engine`: what an adapter provides. A new engine is one subclass and one line in `registry.py`.

The harness calls, in this order: `prepare` once; then for each grammar one of the `compile_...`; for
each text `start`, and for each of its tokens `mask`, `allowed` (outside the timed regions) and `commit`.
"""

from __future__ import annotations

from typing import Any

from .token_table import TokenTable

__all__ = ["Engine", "Null", "Unsupported"]


class Unsupported(Exception):
    """The engine has no front end of that kind."""


class Engine:
    """One engine over one vocabulary. bits: int32 words (numpy), bit `id % 32` of word `id // 32`, 1 = allowed.

    nesting: how deep the texts of the next grammar nest, where the case says so; an engine with a bound on it
    may raise its bound to that.
    """

    def __init__(self, table: TokenTable, options: dict[str, str]) -> None:
        import numpy as np

        self.table = table
        self.options = options
        self.nesting: int | None = None
        self.bits: Any = np.zeros(table.words, dtype=np.int32)
        self.prepare()

    def prepare(self) -> None:
        """What is done once for a vocabulary, whatever the grammars."""
        raise NotImplementedError

    def compile_schema(self, schema: str) -> None:
        """Compile a JSON Schema, given as text; raises where it is refused."""
        raise Unsupported("no JSON Schema")

    def compile_regex(self, pattern: str) -> None:
        """Compile a pattern for whole texts; raises where it is refused."""
        raise Unsupported("no regular expressions")

    def compile_lark(self, grammar: str) -> None:
        """Compile a grammar in Lark's notation; raises where it is refused."""
        raise Unsupported("no Lark grammars")

    def start(self) -> None:
        """Begin a text of the grammar compiled last."""
        raise NotImplementedError

    def mask(self) -> None:
        """Write the mask of the next token into `bits`."""
        raise NotImplementedError

    def commit(self, token: int) -> bool:
        """Take a token; False where the engine refuses it."""
        raise NotImplementedError

    def allowed(self, token: int) -> bool:
        """Whether the last mask allows a token."""
        return bool((int(self.bits[token >> 5]) >> (token & 31)) & 1)

    def may_end(self) -> bool:
        """Whether the text may end here: whether a new mask allows the end token."""
        self.mask()
        return self.allowed(self.table.end)

    def forget(self) -> None:
        """Drop what earlier grammars left in caches."""

    def left_to_check(self) -> int:
        """How many parts of the grammar compiled last its masks do not enforce, as the engine itself reports."""
        return 0


class Null(Engine):
    """Allows everything and computes nothing: what the harness itself costs, and the fake of its tests."""

    def prepare(self) -> None:
        self.bits[:] = -1

    def compile_schema(self, schema: str) -> None:
        if schema == "false":
            raise ValueError("nothing is valid")

    def compile_regex(self, pattern: str) -> None:
        pass

    def start(self) -> None:
        pass

    def mask(self) -> None:
        pass

    def commit(self, token: int) -> bool:
        return True
