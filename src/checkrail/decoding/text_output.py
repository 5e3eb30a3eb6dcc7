"""From token bytes to the text that a reader may see: UTF-8 buffer, then stop strings, then the account of it.

Text moves through three places: pending bytes, text held as a possible stop string, text sent. Nothing is in
two of them and nothing is lost, so that whenever a run ends, what was generated can be told exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Literal, get_args

from ..errors import SamplingError, StreamError
from .stop_strings import StopStrings
from .utf8 import Utf8Buffer

__all__ = ["TextOutput", "Utf8Mode"]

Utf8Mode = Literal["mask", "replace", "fail"]
"""What becomes of bytes that are not UTF-8: masked where there is no grammar, replaced with U+FFFD, or an error."""


class TextOutput:
    """The text of one run. `push` and `close` give text to send; `sent` or `withhold` say what became of it.

    length: code points sent. stop_string: the one that was met, if any. error: STREAM_UTF8, if that happened.
    """

    __slots__ = ("_digest", "_stops", "_utf8", "_withheld", "error", "length", "stop_string")

    def __init__(self, utf8: Utf8Mode, stop: Iterable[str]) -> None:
        if utf8 not in get_args(Utf8Mode):
            raise SamplingError("SAMPLING_PARAM", name="utf8", range="mask, replace or fail")
        self._utf8 = Utf8Buffer("fail" if utf8 == "fail" else "replace")
        self._stops = StopStrings(stop)
        self._digest = hashlib.sha256()
        self._withheld = ""
        self.length = 0
        self.stop_string: str | None = None
        self.error: StreamError | None = None

    @property
    def replaced(self) -> int:
        """U+FFFD put in so far."""
        return self._utf8.replaced

    @property
    def has_stop_strings(self) -> bool:
        """Whether any stop string is looked for."""
        return bool(self._stops.strings)

    def push(self, data: bytes) -> str:
        """Take the bytes of a token. After an error or a stop string the run must end."""
        try:
            text = self._utf8.push(data)
        except StreamError as error:
            text, self.error = self._utf8.salvaged, error
        return self._scan(text)

    def close(self, *, whole: bool) -> str:
        """The output is over: text that was held is final. whole: so are pending bytes, else they stay."""
        text = ""
        if whole and self.stop_string is None:
            try:
                text = self._utf8.flush()
            except StreamError as error:
                self.error = error
        return self._scan(text) + self._stops.flush()

    def _scan(self, text: str) -> str:
        found = self._stops.push(text)
        if found.stop is not None:
            self.stop_string, self.error = found.stop, None  # the bad bytes came after the end of the text
        return found.text

    def sent(self, text: str) -> None:
        """The text went out."""
        self.length += len(text)
        self._digest.update(text.encode("utf-8"))

    def withhold(self, text: str) -> None:
        """The text was ready and did not go out, since the run was cancelled."""
        self._withheld += text

    def account(self) -> dict[str, Any]:
        """The fields of `End` that describe the text."""
        held = self._withheld + self._stops.held
        digest = self._digest.copy()
        digest.update(held.encode("utf-8"))
        return {
            "text_len": self.length + len(held),
            "text_sha256": digest.hexdigest(),
            "held_text": held,
            "held_hex": self._utf8.pending.hex(),
            "stop_string": self.stop_string,
        }
