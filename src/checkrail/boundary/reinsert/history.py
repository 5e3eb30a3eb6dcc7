"""A conversation written down, and read back only as far as this session wrote it.

Who can write into a stored history can put words into the model's mouth, or results into a tool's. So each record is
signed with the session's key, together with the signature of the record before it: none can be changed, moved or left
out in the middle. Records that are missing at the end cannot be told. A history without signatures, or of another
session, has no turns: it is text from others, whatever roles it names.

The form is JSON lines: `{"mac":...,"number":...,"turn":{"parts":[...],"role":...}}`, each canonical.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from ...errors import ContextError, Error
from .. import canon, strictjson
from ..calls.envelopes import ToolResult
from .key import ReinsertKey
from .parts import OwnTokens, Part, ToolOutput, Trusted, Turn, Untrusted, UserText

__all__ = ["Unsigned", "read_history", "sign_history"]

Unsigned: TypeAlias = Literal["refuse", "data"]

_MOST_BYTES = 16 * 1024 * 1024
_DEEPEST = 48  # a result may be 32 deep


def _canonical(value: Any) -> bytes:
    return canon.dumps(value, max_depth=_DEEPEST, max_bytes=_MOST_BYTES)


def sign_history(turns: Iterable[Turn], key: ReinsertKey) -> bytes:
    """The history of these turns. Raises `DocumentError` CANON_* for more than 16 MiB in one record."""
    lines, mac = [], ""
    for number, turn in enumerate(turns, 1):
        record: dict[str, Any] = {"number": number, "turn": {"role": turn.role, "parts": list(map(_plain, turn.parts))}}
        mac = key.sign(mac.encode() + _canonical(record))
        lines.append(_canonical({**record, "mac": mac}) + b"\n")
    return b"".join(lines)


def read_history(data: bytes, key: ReinsertKey, *, unsigned: Unsigned = "refuse") -> tuple[Turn, ...]:
    """The turns of a history that this key signed.

    unsigned: what becomes of one that it did not sign: it is refused (`ContextError` CONTEXT_HISTORY_UNSIGNED), or each
    line of it is text from others in a turn of the user.
    """
    try:
        return tuple(_signed(data, key))
    except ContextError:
        if unsigned == "refuse":
            raise
    lines = [line.decode("utf-8", "replace") for line in data.split(b"\n") if line]
    return tuple(Turn("user", (Untrusted(line, f"history:line-{number}"),)) for number, line in enumerate(lines, 1))


def _signed(data: bytes, key: ReinsertKey) -> Iterable[Turn]:
    lines, mac = data.split(b"\n"), ""
    if lines.pop():
        raise ContextError("CONTEXT_HISTORY_UNSIGNED", number=len(lines) + 1)
    for number, line in enumerate(lines, 1):
        try:
            record: Any = strictjson.parse(line, max_depth=_DEEPEST, max_bytes=_MOST_BYTES).value
            claimed = record.pop("mac")
            if _canonical({**record, "mac": claimed}) != line or record["number"] != number:
                raise ValueError
            if not key.verify(mac.encode() + _canonical(record), claimed):
                raise ValueError
            mac = claimed
            turn = Turn(record["turn"]["role"], tuple(map(_part, record["turn"]["parts"])))
        except (Error, ValueError, KeyError, TypeError, AttributeError):
            raise ContextError("CONTEXT_HISTORY_UNSIGNED", number=number) from None
        yield turn


def _plain(part: Part) -> dict[str, Any]:
    if isinstance(part, OwnTokens):
        return {"own": list(part.ids)}
    if isinstance(part, ToolOutput):
        return {"tool": part.result.to_json(), "max_tokens": part.max_tokens, "keep": part.keep}
    if isinstance(part, Untrusted):
        rest = {"source": part.source, "max_tokens": part.max_tokens, "keep": part.keep, "id": part.id}
        return {"untrusted": part.text, **rest}
    return {"trusted" if isinstance(part, Trusted) else "user": part.text}


def _part(record: dict[str, Any]) -> Part:
    kind = next((name for name in _KINDS if name in record), "")
    return _KINDS[kind](record.pop(kind), record)


_KINDS: Mapping[str, Callable[[Any, dict[str, Any]], Part]] = {
    "own": lambda ids, _: OwnTokens(tuple(ids)),
    "tool": lambda result, rest: ToolOutput(ToolResult.from_bytes(_canonical(result)), **rest),
    "untrusted": lambda text, rest: Untrusted(text, **rest),
    "trusted": lambda text, _: Trusted(text),
    "user": lambda text, _: UserText(text),
}
