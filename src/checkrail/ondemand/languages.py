"""The modules of strings, numbers and words: languages joined to the automaton that is being made.

A language that is complete is copied as it is; one that is made on demand gives its states one by one. Where a value
is tested against several languages at once, they run side by side until one is left, and the outcome says which of
them the value was in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ..json_schema.algebra.numbers import NumberRange
from ..json_schema.algebra.texts import ALL_TEXTS, Texts
from ..json_schema.literals import quote
from .bounded_strings import BoundedLanguage, Unbounded
from .counted_strings import CountedCopies, CountedString, as_in, bounds_of
from .key_rests import goes_on, key_rest, without_names
from .keys import KeyTries, Rest, alphabet_of
from .language import UNKNOWN_RUN, Language, OnDemandLanguage
from .module import Module, Outcomes
from .noted import KeyPrefixes, Places
from .scalars import ANY_CANONICAL, key_language, number_language, string_language
from .sorted_strings import SortedLanguage, sorted_strings
from .spelled import JoinedStates, made_by, side_by_side
from .structure import QUOTE, WIDTH
from .tables import IN_A_ROW

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["Languages"]

_MOST_PLACES = 2**26  # of languages side by side: the states of an automaton are bounded elsewhere


class Languages:
    """The scalar modules of one automaton, and what is known of their states."""

    def __init__(self, owner: OnDemand) -> None:
        self._owner = owner
        self._modules: dict[tuple[str, tuple[Hashable, ...]], Module] = {}
        self._words_of: dict[tuple[str, ...], Module] = {}
        self._joined: dict[tuple[int, int], _Joined] = {}  # by the id of the language, which `_Joined` keeps, and exit
        self._maps: dict[bytes, int] = {}
        self._firsts: list[int] = []
        self._copies: list[tuple[int, _Joined | CountedCopies, int]] = []  # last, what it is, the first's number there
        self._counted: dict[tuple[int, int], CountedString] = {}
        self._products: dict[int, tuple[_Product, int]] = {}  # by state, and its place there
        self._tries: dict[tuple[int, Rest | None], KeyTries] = {}
        self._openings: dict[Rest, int] = {}
        self._names: dict[int, tuple[tuple[Hashable, ...], int]] = {}  # of other states, and their plain runs
        self._as_others: dict[int, int] = {}
        self._rests: dict[tuple[Texts, ...], Rest | None] = {}
        self.key_prefixes = KeyPrefixes()

    # Modules

    def word(self, parts: tuple[str, ...]) -> Module:
        """The module of one word of lower-case letters."""
        module = self._words_of.get(parts)
        if module is None:
            module = self._words_of[parts] = Module(self._words([parts[0].encode()], parts))
        return module

    def _words(self, words: Iterable[bytes], letters: Iterable[str]) -> int:
        """The start of a trie of words, none of which begins another one; -1 where there are none."""
        return self.key_tries(letters, None).words(words, self._owner.end())

    def strings(self, parts: tuple[Texts, ...]) -> Module | None:
        """The strings of some sets of texts."""
        return self._module("strings", parts)

    def described_strings(self) -> list[int]:
        """States before the strings so far, keys among them, that a pattern, a format or a length describes."""
        found = [
            module.start
            for (kind, parts), module in self._modules.items()
            if kind != "numbers" and module.start >= 0 and any(map(_is_described, parts))
        ]
        for parts, rest in list(self._rests.items()):
            if rest is not None and ("keys", parts) not in self._modules and any(map(_is_described, parts)):
                found.append(self.opening(rest))
        return found

    def keys(self, parts: tuple[Texts, ...]) -> Module | None:
        """The keys of some sets of texts."""
        return self._module("keys", parts)

    def numbers(self, parts: tuple[tuple[NumberRange, ...], ...]) -> Module | None:
        """The numbers of some unions of ranges."""
        return self._module("numbers", parts)

    def rest_of_keys(self, parts: tuple[Texts, ...]) -> Rest | None:
        """Keys of some sets of texts, each in one spelling, behind the opening quote; None where there are none."""
        if parts not in self._rests:
            self._rests[parts] = self._rest_of_keys(parts)
        return self._rests[parts]

    def _rest_of_keys(self, parts: tuple[Texts, ...]) -> Rest | None:
        limits = self._owner.limits
        if len(parts) > 1 and (language := sorted_strings(parts, limits, as_rest=True)) is not None:
            return self._join_sorted(language)
        found = [(number, key_rest(part, limits)) for number, part in enumerate(parts)]
        components = [_One(self, language, number) for number, language in found if language is not None]
        if len(parts) > 1 and components:
            return _Product(self._owner, self, components, self._products)
        return components[0].joined if components else None

    def rest_beside(self, parts: tuple[Texts, ...], names: frozenset[str]) -> Rest | None:
        """`rest_of_keys`, beside a trie of names that tells these apart: each part is taken as it is or without them.

        As it is where endlessly many others begin as they do. Else a beginning might lead to names alone, and once
        these were written to nothing.
        """
        rest = self.rest_of_keys(parts)
        if rest is None or goes_on(rest, names):
            return rest
        return self.rest_of_keys(tuple(without_names(part, names) for part in parts))

    def opening(self, rest: Rest) -> int:
        """The state before the opening quote of other keys."""
        known = self._openings.get(rest)
        if known is None:
            tables = self._owner.tables
            known = self._openings[rest] = tables.new_states(1, 0, 0)
            row = tables.add_row(WIDTH, -1)
            tables.put(row + QUOTE, rest.state(0))
            tables.expand(known, row, self._owner.class_map, 0, 0, 0)
            name = self.name_of(rest.state(0))
            if name is not None:
                self.name(known, ("opening", name))
        return known

    def name(self, state: int, name: tuple[Hashable, ...], run: int = 0) -> None:
        """Name a state, and say how many plain characters can follow."""
        self._names[state] = name, run

    def say_as(self, state: int, other: int) -> None:
        """From a state the same may follow as from another one, as far as a token can see."""
        self._as_others[state] = other

    def key_tries(self, names: Iterable[str], rest: Rest | None) -> KeyTries:
        """What makes tries of these names, among other keys where there is a `rest`."""
        key = alphabet_of(names), rest
        known = self._tries.get(key)
        if known is None:
            known = self._tries[key] = KeyTries(self._owner, *key)
        return known

    def _module(self, kind: str, parts: tuple[Hashable, ...]) -> Module | None:
        key = kind, parts
        module = self._modules.get(key)
        if module is None:
            module = self._modules[key] = self._make(kind, parts)
        return module if module.start >= 0 else None

    def _language(self, kind: str, part: Hashable) -> Language | None:
        limits = self._owner.limits
        if isinstance(part, Texts):
            return string_language(part, limits) if kind == "strings" else key_language(part, limits)
        assert isinstance(part, tuple)
        return number_language(part, "", limits)

    def _make(self, kind: str, parts: tuple[Hashable, ...]) -> Module:
        if len(parts) == 1:
            part = parts[0]
            if isinstance(part, Texts):
                if part.members is not None:
                    return Module(self._words((quote(text).encode() for text in part.members), ('"', *part.members)))
                bounds = bounds_of(part)
                if bounds is not None:
                    return Module(self._counted_string(*bounds).start)
            language = self._language(kind, part)
            return Module(-1 if language is None else self.join(language).state(0))
        if (together := self._sorted(parts)) is not None:
            joined = self._join_sorted(together)
            return Module(joined.state(0), joined.outcomes)
        listed: dict[bytes, list[int]] = {}
        components: list[_Component] = []
        for number, part in enumerate(parts):
            if isinstance(part, Texts) and part.members is not None:
                for text in part.members:
                    listed.setdefault(quote(text).encode(), []).append(number)
            elif (language := self._language(kind, part)) is not None:
                components.append(_One(self, language, number))
        if listed:
            components.insert(0, _Words(listed))
        if not components:
            return Module(-1)
        product = _Product(self._owner, self, components, self._products)
        return Module(product.state(0), product.outcomes)

    def _sorted(self, parts: tuple[Hashable, ...]) -> SortedLanguage | None:
        texts = tuple([part for part in parts if isinstance(part, Texts)])
        return sorted_strings(texts, self._owner.limits, as_rest=False) if len(texts) == len(parts) else None

    # Single languages

    def _counted_string(self, need: int, room: int) -> CountedString:
        known = self._counted.get((need, room))
        if known is None:
            known = self._counted[need, room] = CountedString(self._owner, need, room)
        return known

    def register(self, first: int, last: int, copies: _Joined | CountedCopies, number: int = 0) -> None:
        """Remember what states in a row are (`last` not included), of which the first has this number there; later ones
        have higher numbers."""
        self._firsts.append(first)
        self._copies.append((last, copies, number))

    def join(self, language: Language, exit: int = 0) -> _Joined:
        """The states of a language, which returns with the number `exit`."""
        known = self._joined.get((id(language), exit))
        if known is None:
            known = self._joined[id(language), exit] = _Joined(self._owner, language, exit)
        return known

    def _join_sorted(self, language: SortedLanguage) -> _JoinedSorted:
        known = self._joined.get((id(language), 0))
        if known is None:
            known = self._joined[id(language), 0] = _JoinedSorted(self._owner, language)
        assert isinstance(known, _JoinedSorted)
        return known

    def place_of_map(self, class_map: bytes) -> int:
        """Where a class map is; equal ones are one."""
        known = self._maps.get(class_map)
        if known is None:
            known = self._maps[class_map] = self._owner.tables.add_map(class_map)
        return known

    # What is known of states

    def _place(self, state: int) -> tuple[_Joined | CountedCopies, int] | None:
        index = bisect_right(self._firsts, state) - 1
        if index < 0:
            return None
        last, copies, number = self._copies[index]
        return (copies, number + state - self._firsts[index]) if state < last else None

    def name_of(self, state: int) -> tuple[Hashable, ...] | None:
        """What names the rest of a scalar's language in every schema."""
        if state in self._names:
            return self._names[state][0]
        place = self._place(state)
        return None if place is None else place[0].name_of(place[1])

    def unbounded(self, state: int) -> Unbounded | None:
        """What a state of a string of bounded length is without the bound."""
        if state in self._as_others:
            return as_in(self._as_others[state])
        copies, local = self._place(state) or (None, 0)
        if isinstance(copies, CountedCopies):
            return copies.unbounded(local)
        if copies is None or not isinstance(copies.language, BoundedLanguage):
            return None
        found = copies.language.unbounded(local)
        return found and found._replace(state=self.join(copies.language.inner, copies.exit).state(found.state))

    def plain_run(self, state: int) -> int:
        """How many plain characters can follow; -1 where that is not known."""
        if state in self._names:
            return self._names[state][1]
        place = self._place(state)
        if place is not None:
            return place[0].plain_run(place[1])
        product = self._products.get(state)
        return UNKNOWN_RUN if product is None else product[0].plain_run(product[1])


def _is_described(part: Hashable) -> bool:
    """Whether a set of texts is neither listed nor all texts."""
    return isinstance(part, Texts) and part.members is None and part != ALL_TEXTS


class _Joined:
    """One language among the states of an automaton. A `Rest` of keys, too.

    state(local): the state of the automaton for one of the language. Where these are made on demand they stand in the
    automaton some in a row, so that `Tables.expand_joined` finds them by their numbers.
    """

    def __init__(self, owner: OnDemand, language: Language, exit: int) -> None:
        self.language = language
        self.exit = exit
        self.class_map = language.class_map
        self.row = language.row
        self.outcomes: Outcomes | None = None
        self._owner = owner
        tables = owner.tables
        class_map = owner.languages.place_of_map(language.class_map)
        firsts: list[int] = []
        place: Callable[[int], tuple[list[int], bool]] | None = None
        if isinstance(language, OnDemandLanguage):
            place = language.place
        else:
            first = tables.copy_language(language.rows, language.accepts, language.width, class_map, exit)
            firsts = list(range(first, tables.state_count, IN_A_ROW))
            owner.languages.register(first, tables.state_count, self)
        states: JoinedStates = made_by.JoinedStates(
            place, tables, owner.made.new_block, self._register, class_map, exit, firsts
        )
        self.state = states.state

    @property
    def takes_all(self) -> bool:
        """Whether every key is in it."""
        return self.language is ANY_CANONICAL

    def united(self) -> Sequence[Language]:
        return (self.language,)

    def name_of(self, local: int) -> tuple[Hashable, ...] | None:
        """What names the rest of the language from a state in every schema."""
        name = self.language.name_of(local, self._owner.longest_token)
        return name if name is None or self.exit == 0 else (name, self.exit)

    def plain_run(self, local: int) -> int:
        """How many plain characters can follow."""
        return self.language.plain_run(local)

    def _register(self, first: int, number: int) -> None:
        """States in a row were added, as those of this number."""
        self._owner.languages.register(first, first + IN_A_ROW, self, number * IN_A_ROW)


class _JoinedSorted(_Joined):
    """A language of all strings that ends with several outcomes."""

    def __init__(self, owner: OnDemand, language: SortedLanguage) -> None:
        super().__init__(owner, language, 0)
        self.outcomes = language.outcomes

    @property
    def takes_all(self) -> bool:
        return True

    def _register(self, first: int, number: int) -> None:
        super()._register(first, number)
        language = self.language
        assert isinstance(language, SortedLanguage)
        for place in range(IN_A_ROW):
            outcome = language.ends_as(number * IN_A_ROW + place)
            if outcome >= 0:
                self._owner.tables.expand_as(first + place, self._owner.end(outcome))


class _Component(Protocol):
    """One of the languages that run side by side. `parts(state)`: the parts that accept there."""

    class_map: bytes

    def row(self, state: int) -> Sequence[int]: ...
    def parts(self, state: int) -> tuple[int, ...]: ...
    def plain_run(self, state: int) -> int: ...


class _One:
    """A language that is one part."""

    def __init__(self, languages: Languages, language: Language, part: int) -> None:
        self.class_map = language.class_map
        self.row = language.row
        self.plain_run = language.plain_run
        self.language = language
        self.part = (part,)
        self._languages = languages

    @property
    def joined(self) -> _Joined:
        """The language by itself, with one outcome."""
        return self._languages.join(self.language)

    def parts(self, state: int) -> tuple[int, ...]:
        return self.part if self.language.accepting(state) else ()

    def alone(self, outcomes: Outcomes) -> Callable[[int], int]:
        """What gives the states of the automaton where no other language is left."""
        return self._languages.join(self.language, outcomes.number(self.part)).state


class _Words:
    """Words, each with the parts that it belongs to, as a trie."""

    def __init__(self, words: dict[bytes, list[int]]) -> None:
        letters = sorted({byte for word in words for byte in word})
        classes = bytearray([len(letters)]) * 256
        for number, byte in enumerate(letters):
            classes[byte] = number
        self.class_map = bytes(classes)
        self.size = len(words)
        self._rows: list[list[int]] = [[-1] * (len(letters) + 1)]
        self._parts: dict[int, tuple[int, ...]] = {}
        for word, parts in words.items():
            node = 0
            for byte in word:
                following = self._rows[node][classes[byte]]
                if following < 0:
                    following = self._rows[node][classes[byte]] = len(self._rows)
                    self._rows.append([-1] * (len(letters) + 1))
                node = following
            self._parts[node] = tuple(parts)

    def row(self, state: int) -> Sequence[int]:
        return self._rows[state]

    def parts(self, state: int) -> tuple[int, ...]:
        return self._parts.get(state, ())

    def plain_run(self, state: int) -> int:
        return UNKNOWN_RUN


class _Product:
    """Languages side by side. Its places are states of each of them, -1 for those that are out; they are numbered.

    state(place): the state of the automaton for a place. Where one language is left, its own states go on. A `Rest` of
    keys, too.
    """

    def __init__(
        self,
        owner: OnDemand,
        languages: Languages,
        components: Sequence[_Component],
        register: dict[int, tuple[_Product, int]],
    ) -> None:
        self._components = components
        self._register = register
        words = sum(c.size for c in components if isinstance(c, _Words))
        outcomes = Outcomes(len(components) + words)
        self.outcomes: Outcomes | None = outcomes
        self._sides = side_by_side(components, _MOST_PLACES)
        self.class_map = self._sides.class_map
        self.row = self._sides.row
        self.takes_all = False  # nobody knows
        joined: JoinedStates = made_by.JoinedSides(
            self._sides,
            [c.parts for c in components],
            [partial(c.alone, outcomes) if isinstance(c, _One) else None for c in components],
            outcomes.number,
            self._met,
            owner.new_state,
            owner.tables,
            languages.place_of_map(self.class_map),
        )
        self.state = joined.state

    def united(self) -> Sequence[Places]:
        return [c.language if isinstance(c, _One) else c for c in self._components]

    def _met(self, state: int, place: int) -> None:
        self._register[state] = self, place

    def plain_run(self, place: int) -> int:
        """That of the language which allows most; not known where that of another one is not."""
        places = self._sides.places(place)
        runs = [c.plain_run(q) for c, q in zip(self._components, places, strict=True) if q >= 0]
        longest = max(runs)
        return longest if longest >= 2**30 or UNKNOWN_RUN not in runs else UNKNOWN_RUN
