"""Header and payload of one insertion, within a number of tokens.

What does not fit is shortened and says so, in the header and in what the caller gets: a result that was cut must not
look whole, or a model adds up 164 of 276 lines and calls it the total. A text is cut as a text. Any other value is cut
as the text of its JSON and becomes a JSON string, so that it cannot be taken for the value.

A text of more than 64 bytes for each token is cut before it is tokenized: a flood costs what its budget costs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import ContextError
from ...vocabulary.control_literals import Literals
from .header import Encoding, Header
from .law import first_lawful
from .parts import Keep
from .payload import Escape, Hidden, escaped, readable, seen

__all__ = ["Fitted", "Inserter"]

_BYTES_PER_TOKEN = 64
_ROUNDS = 4
_AROUND = '"\n'  # behind the text, in the tokens of a payload


@dataclass(frozen=True, slots=True)
class Fitted:
    """What goes in: ids of the header's line and the payload's, each with its line end. escaped: all but ASCII was."""

    header: Header
    payload: str
    ids: list[int]
    escaped: bool


@dataclass(frozen=True, slots=True)
class Inserter:
    """How values are inserted. encode: text to ids under the law. literals: texts of control tokens."""

    encode: Callable[[str], list[int]]
    decode: Callable[[list[int]], bytes]
    literals: Literals
    escape: Escape
    hidden: Hidden

    def fit(self, value: Any, *, request_id: str, role: str, source: str, max_tokens: int, keep: Keep) -> Fitted:
        """The insertion of a value. Raises `ContextError`: CONTEXT_TOOL_BUDGET and what `encode` and `seen` raise."""
        what = seen(value, self.hidden, source)
        basis = what.value if isinstance(what.value, str) else what.canonical

        def made(payload: str, encoding: Encoding, kept: int) -> Fitted:
            text, ids, hard = self._encoded(payload, source)
            header = Header(
                request_id=request_id,
                role=role,
                source=source,
                sha256=what.sha256,
                encoding=encoding,
                bytes=len(text.encode()) + 1,
                tokens=len(ids),
                hidden=what.hidden,
                kept_chars=kept,
                total_chars=len(basis),
            )
            return Fitted(header, text, self.encode(header.line() + "\n") + ids, hard)

        if len(what.canonical.encode()) <= max_tokens * _BYTES_PER_TOKEN:
            whole = made(what.canonical, "json", len(basis))
            if len(whole.ids) <= max_tokens:
                return whole
        spare = len(made('""', "json-parts", 0).ids)
        room = max_tokens - spare
        for _ in range(_ROUNDS):
            if room < 0:
                break
            shortened = made(*self._shortened(basis, isinstance(what.value, str), room, keep, source))
            if len(shortened.ids) <= max_tokens:
                return shortened
            # below what was used: the room may have ended within an escape, and that end moves only as a whole
            room = min(room, shortened.header.tokens - len(_AROUND)) - 2 * (len(shortened.ids) - max_tokens)
        raise ContextError("CONTEXT_TOOL_BUDGET", source=source, limit=max_tokens)

    def _shortened(self, basis: str, is_text: bool, room: int, keep: Keep, source: str) -> tuple[str, Encoding, int]:
        """The payload of about `room` tokens, its encoding, and how many characters it keeps."""
        if keep == "head":
            head = self._beginning(basis, room, source)
            return json.dumps(head, ensure_ascii=False), "json" if is_text else "json-text", len(head)
        note = len(self.encode('[,{"omitted_chars":1000000},]'))
        half = max(0, room - note) // 2
        head = self._beginning(basis, half, source)
        tail = self._end(basis[len(head) + 1 :], half, source)
        kept = len(head) + len(tail)
        parts = [head, {"omitted_chars": len(basis) - kept}, tail]
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":")), "json-parts", kept

    def _beginning(self, basis: str, room: int, source: str) -> str:
        """The longest beginning whose JSON takes `room` tokens: those tokens, read back."""
        text, ids, _ = self._encoded(json.dumps(basis[: room * _BYTES_PER_TOKEN], ensure_ascii=False), source)
        return self._read(text, ids, room)

    def _end(self, basis: str, room: int, source: str) -> str:
        """An end of the text whose JSON takes at most `room` tokens: what is left behind the tokens that are too many.

        Not a share of the characters: those at the end may take far more tokens than the others.
        """
        end = basis[max(0, len(basis) - room * _BYTES_PER_TOKEN) :]
        for _ in range(_ROUNDS):
            text, ids, _ = self._encoded(json.dumps(end, ensure_ascii=False), source)
            excess = len(ids) - room
            if excess <= 0:
                return end
            # and the opening quote, which is written again; and the character in which these tokens end
            end = end[len(self._read(text, ids, excess + 1)) + 1 :]
        return ""

    def _read(self, text: str, ids: list[int], count: int) -> str:
        """What the first tokens of a text in JSON say."""
        if len(ids) > count:
            shown = readable(self.decode(ids[:count]))
            if not shown:  # not even the opening quote
                return ""
            if shown != text:  # else nothing but the line end is cut off
                text = shown + '"'
        said: str = json.loads(text)
        return said

    def _encoded(self, payload: str, source: str) -> tuple[str, list[int], bool]:
        """The payload as it is written, its ids with the line end, and whether all but ASCII had to be escaped."""

        def line(escape: Escape) -> str:
            return escaped(payload, self.literals, escape) + "\n"

        text, ids, hard = first_lawful(self.encode, line(self.escape), lambda: line("all"), source)
        return text.removesuffix("\n"), ids, hard
