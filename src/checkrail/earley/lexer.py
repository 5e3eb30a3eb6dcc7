"""The floor below the parser: which terminals the bytes since the last terminal can be.

A lexer state is a set of places, each a state of one terminal's automaton. It starts with the first states of the
terminals that a row of the parser can scan, and of the ignored ones; a byte moves each place or drops it. So the lexer
never looks for a terminal that the parser has no use for, and needs no rule about which terminal is meant: those whose
place accepts are all found here. Equal sets are one object, and its moves are kept.

Where ignored text ends, the lexer stands again where the row began, beside where it is: it does that by itself, and the
parser does not hear of it. (With greedy lexing it may not: whether ignored text counts depends on what else matches.)

States are made on demand: the automaton of all terminals together may be far larger than what texts visit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..regular.dfa import Dfa
from .items import TerminalSymbol

__all__ = ["Lexer", "LexerState"]


class LexerState:
    """Where the terminals are that the bytes so far can be.

    places: numbers of automaton states, ascending. tokens: special tokens that may come here. fresh: no byte was read
    yet, in some reading. home: where ignored text leads back to, while some may be in the making. matched: the
    terminals found here, in order of declaration. skips: an ignored one is among them; skips_first: and it is the
    first. alive: some byte may follow. classes: those of the bytes that may follow; alike: for each class those that
    lead on to the same place; both once somebody asked for them.
    """

    __slots__ = (
        "_lexer", "alike", "alive", "classes", "fresh", "home", "matched", "moves", "places", "skips", "skips_first",
        "tokens",
    )  # fmt: skip

    def __init__(
        self,
        lexer: Lexer,
        places: tuple[int, ...],
        tokens: tuple[TerminalSymbol, ...],
        home: LexerState | None,
        *,
        fresh: bool,
        alive: bool,
    ) -> None:
        self._lexer = lexer
        self.home = home
        self.places = places
        self.tokens = tokens
        self.fresh = fresh
        self.alive = alive
        self.matched: tuple[TerminalSymbol, ...] = ()
        self.skips = self.skips_first = False
        self.moves: dict[int, LexerState | None] = {}
        self.classes: frozenset[int] | None = None
        self.alike: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return self._lexer.describe(self)


class Lexer:
    """The automata of some terminals side by side.

    ignored: terminals that may stand between others. class_of: for each byte its class, which all automata agree on;
    sample: a byte of each class. held: places of all states that were made since `forget`.
    """

    def __init__(
        self, dfas: Mapping[TerminalSymbol, Dfa], ignored: Iterable[TerminalSymbol], *, skipping: bool = True
    ) -> None:
        """dfas: over bytes, of all terminals that are not special tokens. skipping: whether ignored text leads back to
        the beginning without the parser."""
        self._skipping = skipping
        self._first: dict[TerminalSymbol, int] = {}
        self._owner: list[TerminalSymbol] = []
        self._rows: list[dict[int, int]] = []
        self._accepting = bytearray()
        self._letters: dict[TerminalSymbol, Sequence[int]] = {}
        self.ignored = tuple(ignored)
        self._states: dict[tuple[object, ...], LexerState] = {}
        self._starts: dict[tuple[tuple[TerminalSymbol, ...], bool, bool], LexerState] = {}
        for terminal, dfa in dfas.items():
            base = self._first[terminal] = len(self._rows)
            self._owner += [terminal] * len(dfa)
            self._rows += [{letter: base + target for letter, target in row.items()} for row in dfa.moves]
            self._accepting += dfa.accepting
            self._letters[terminal] = [dfa.partition.letter(byte) for byte in range(256)]
        self.held = 0
        self.class_of, self.sample = _byte_classes(self._letters.values())

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        return f"<Lexer {len(self._first)} terminals, {len(self._rows)} places, {len(self)} states so far>"

    @property
    def place_count(self) -> int:
        """States of all automata."""
        return len(self._rows)

    @property
    def move_count(self) -> int:
        """Moves of all automata."""
        return sum(map(len, self._rows))

    def start(self, terminals: tuple[TerminalSymbol, ...], *, may_end: bool, after_ignored: bool) -> LexerState:
        """The state at the beginning of a terminal, one of these.

        may_end: the text may end here, so that ignored text may follow. after_ignored: ignored text stands before.
        """
        key = terminals, may_end, after_ignored
        known = self._starts.get(key)
        if known is None:
            known = self._starts[key] = self._begun(terminals, may_end=may_end, after_ignored=after_ignored)
        return known

    def _begun(self, terminals: tuple[TerminalSymbol, ...], *, may_end: bool, after_ignored: bool) -> LexerState:
        wanted = [t for t in terminals if t.ignored_around or not after_ignored]
        skipping = may_end or any(t.ignored_around for t in wanted)
        tokens = tuple(t for t in wanted if t.is_token)
        begun = [t for t in wanted if not t.is_token] + (list(self.ignored) if skipping else [])
        home = None
        if self._skipping and not after_ignored and skipping and self.ignored:
            home = self.start(terminals, may_end=may_end, after_ignored=True)
        return self._state({self._first[t] for t in begun if t in self._first}, tokens, home, fresh=True)

    def join(self, one: LexerState, other: LexerState) -> LexerState:
        """What either state stands for."""
        if one is other:
            return one
        tokens = tuple(dict.fromkeys([*one.tokens, *other.tokens]))
        return self._state({*one.places, *other.places}, tokens, one.home or other.home, fresh=one.fresh or other.fresh)

    def step(self, state: LexerState, byte_class: int) -> LexerState | None:
        """The state after a byte of a class; None where no terminal goes on with it."""
        try:
            return state.moves[byte_class]
        except KeyError:
            pass
        byte = self.sample[byte_class]
        places: set[int] = set()
        for place in state.places:
            target = self._rows[place].get(self._letters[self._owner[place]][byte])
            if target is not None:
                places.add(target)
        found = state.moves[byte_class] = self._moved(places, state.home) if places else None
        return found

    def _moved(self, places: set[int], home: LexerState | None) -> LexerState:
        """The state of some places after a byte; back home too, if that byte ended ignored text."""
        skipped = [place for place in places if self._owner[place] in self.ignored] if home else []
        if home is None or not skipped:
            return self._state(places, (), None, fresh=False)
        if any(self._accepting[place] for place in skipped):
            return self._state({*places, *home.places}, home.tokens, home, fresh=True)
        return self._state(places, (), home, fresh=False)

    def alike(self, state: LexerState) -> dict[int, tuple[int, ...]]:
        """For each class of bytes those that every terminal goes on with to the same place, itself among them."""
        if not state.alike:
            groups: dict[tuple[int | None, ...], list[int]] = {}
            moves = [self.moves_of(place) for place in state.places]
            for number, byte in enumerate(self.sample):
                groups.setdefault(tuple([row.get(letters[byte]) for row, letters in moves]), []).append(number)
            state.alike = {number: group for group in map(tuple, groups.values()) for number in group}
        return state.alike

    def classes_after(self, state: LexerState) -> frozenset[int]:
        """The classes of the bytes that some terminal goes on with."""
        if state.classes is None:
            state.classes = frozenset(number for place in state.places for number in self.classes_at(place))
        return state.classes

    def classes_at(self, place: int) -> Iterator[int]:
        """The same for one place."""
        moves, letters = self.moves_of(place)
        return (number for number, byte in enumerate(self.sample) if letters[byte] in moves)

    def _state(
        self, places: set[int], tokens: tuple[TerminalSymbol, ...], home: LexerState | None, *, fresh: bool
    ) -> LexerState:
        ordered = tuple(sorted(places))
        key = (ordered, tokens, home, fresh)
        known = self._states.get(key)
        if known is None:
            known = self._states[key] = self._made(ordered, tokens, home, fresh=fresh)
            self.held += 1 + len(ordered)
        return known

    def _made(
        self, places: tuple[int, ...], tokens: tuple[TerminalSymbol, ...], home: LexerState | None, *, fresh: bool
    ) -> LexerState:
        state = LexerState(self, places, tokens, home, fresh=fresh, alive=any(self._rows[p] for p in places))
        ends = sorted({self._owner[p] for p in places if self._accepting[p]}, key=lambda terminal: terminal.number)
        skipped = [terminal for terminal in ends if terminal in self.ignored]
        state.matched = tuple(ends)
        state.skips = bool(skipped)
        state.skips_first = bool(skipped) and skipped[0] is ends[0]
        return state

    def owners(self, state: LexerState) -> tuple[TerminalSymbol, ...]:
        """The terminals that a state is in the middle of, or at the beginning of."""
        return tuple(dict.fromkeys([*(self._owner[place] for place in state.places), *state.tokens]))

    def describe(self, state: LexerState) -> str:
        """A state as `{NAME@1 KEYWORD@2}`: each terminal with the state of its automaton; special tokens by name."""
        places = [f"{self._owner[place].name}@{place - self._first[self._owner[place]]}" for place in state.places]
        return "{" + " ".join([*places, *(token.name for token in state.tokens)]) + "}"

    def moves_of(self, place: int) -> tuple[dict[int, int], Sequence[int]]:
        """The moves of one place by letter, and the letter of each byte."""
        return self._rows[place], self._letters[self._owner[place]]

    def forget(self) -> None:
        """Let go of the states that no text stands on."""
        for state in self._states.values():
            state.moves = {}
        self._states.clear()
        self._starts.clear()
        self.held = 0


def _byte_classes(alphabets: Iterable[Sequence[int]]) -> tuple[bytes, list[int]]:
    """The coarsest classes of bytes that no alphabet divides, and a byte of each class."""
    classes = [0] * 256
    for letters in dict.fromkeys(map(tuple, alphabets)):
        numbers: dict[tuple[int, int], int] = {}
        classes = [numbers.setdefault(pair, len(numbers)) for pair in zip(classes, letters, strict=True)]
        if len(numbers) == 256:
            break
    sample: dict[int, int] = {}
    for byte, number in enumerate(classes):
        sample.setdefault(number, byte)
    return bytes(classes), [sample[number] for number in range(len(sample))]
