"""One text on its way through a grammar, byte by byte: the engine without a vocabulary.

Use it to look at a grammar, to write a walk of your own, or in tests. `Matcher` is what a decoding loop needs; it also
takes tokens that the grammar names.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..grammar.lexical import LexicalGrammar
from ..limits import DEFAULT_LIMITS, Limits
from .compile import readings_of
from .readings import Lexing, Reading, Readings

__all__ = ["Recognizer"]


class Recognizer:
    """A text of a grammar, and the readings after each of its bytes.

    What is pushed may be in the middle of a terminal; `flush` ends the text, and with it the last terminal. Nothing
    else does: a token's end means nothing here.
    """

    __slots__ = ("_ended", "_trail", "readings")

    def __init__(self, readings: Readings) -> None:
        self.readings = readings
        self._trail: list[Reading] = [readings.start]
        self._ended = False

    @classmethod
    def of(cls, grammar: LexicalGrammar, lexing: Lexing = "all", limits: Limits = DEFAULT_LIMITS) -> Recognizer:
        """A recognizer of a grammar. Raises what `readings_of` raises."""
        return cls(readings_of(grammar, lexing, limits)[1])

    def __repr__(self) -> str:
        state = "ended" if self._ended else repr(self.reading)
        return f"<Recognizer {len(self._trail) - 1} steps, {state}>"

    @property
    def reading(self) -> Reading:
        """What the text so far can mean."""
        return self._trail[-1]

    def save(self) -> int:
        """A mark of this place, for `restore`."""
        return len(self._trail)

    def restore(self, mark: int) -> None:
        """Back to a place that was saved on the way here."""
        del self._trail[mark:]
        self._ended = False

    def push_byte(self, byte: int) -> bool:
        """Take a byte. False, and no change, where it is not possible."""
        following = None if self._ended else self.readings.step(self.reading, byte)
        if following is None:
            return False
        self._trail.append(following)
        return True

    def push_bytes(self, data: Iterable[int]) -> bool:
        """Take bytes, all or none."""
        mark = self.save()
        for byte in data:
            if not self.push_byte(byte):
                self.restore(mark)
                return False
        return True

    def push_terminal(self, name: str) -> bool:
        """Take a special token, by the name of its terminal. False, and no change, where it is not possible."""
        found = [token for token in self.reading.tokens if token.name == name and not self._ended]
        following = self.readings.take(self.reading, found) if found else None
        if following is None:
            return False
        self._trail.append(following)
        return True

    def flush(self) -> bool:
        """End the text. False, and no change, where it is not complete. `restore` takes the end back."""
        self._ended = self._ended or self.is_accepting()
        return self._ended

    def can_continue(self) -> bool:
        """Whether a byte or a special token may follow."""
        return not self._ended and bool(self.allowed_terminals())

    def is_accepting(self) -> bool:
        """Whether the text may end here."""
        return self.reading.accepting

    def allowed_terminals(self) -> tuple[str, ...]:
        """The terminals that the next byte may go on with or begin, ignored ones too, by name."""
        if self._ended:
            return ()
        lexer = self.readings.lexer
        found = {owner for _, state in self.reading.threads for owner in lexer.owners(state)}
        return tuple(terminal.name for terminal in sorted(found, key=lambda terminal: terminal.number))
