"""Byte classes for texts in JSON strings: which bytes and escapes the letters of an automaton over characters become.

A letter is a set of characters that the automaton does not tell apart. The bytes of a string then fall into classes:
ASCII by letter and by what the byte means in an escape, the others by where the encodings of letters part. What a
class stands for depends on the place in the string, so it is kept for each kind of place. Made once for a partition
into letters and a spelling; linear in the number of its ranges. What lies beyond ASCII is mostly one of a few things
(nothing, everything, all but line ends), so it is remembered by itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import TypeVar

from ..regular.partition import Partition

__all__ = ["Alphabet", "Runs", "Spelling", "leads_of", "units_beyond_ascii"]


class Spelling(Enum):
    """RAW: no character needs an escape, and none is written with one. ANY: all that RFC 8259 allows. ONE: raw where
    that is allowed, else the escape that `json_schema.literals` writes."""

    RAW = 0
    ANY = 1
    ONE = 2


Runs = tuple[tuple[int, int], ...]
"""(first value, letter) for stretches of values: each goes on to the next one, the last one to the end."""

Unit = int | Runs
"""The letter of a UTF-16 code unit, or for a high surrogate the letters of the 1,024 characters that it begins."""

Units = tuple[tuple[int, Unit], ...]

_Meaning = TypeVar("_Meaning", int, Unit)

_QUOTE, _BACKSLASH, _U = 0x22, 0x5C, 0x75
_SHORT = {0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9}  # by byte: character
_LAST = 0x110000
_UTF8_BORDERS = (0x80, 0x800, 0x10000, _LAST)
_LINE_ENDS = range(0x2028, 0x202A)  # these are not plain
_LONG_ESCAPES = tuple(code for code in range(0x20) if code not in (8, 9, 10, 12, 13))


class Alphabet:
    """class_map, width: of the bytes. letters: the letter of the raw character by class, -1 where it is none.

    quote, backslash, u: classes of these bytes. runs_beyond: what lies beyond ASCII, with letters that are counted from
    0 as they come. beyond: which letters these are. leads: to be added to the classes that `leads_of` says. tails:
    (class, value from 0 to 63) of the bytes that continue such characters. escapes: (class, letter) after a backslash.
    digits: (class, value) of hexadecimal digits. units: the letters of ASCII code units after `\\u`, as (first code
    unit, letter). plain: the letters of plain characters (`mask.plain`), with -1 where some plain character is none.
    is_complete: all characters have letters. is_spelled_plainly: each character is one byte.
    """

    def __init__(self, partition: Partition, spelling: Spelling) -> None:
        self.spelling = spelling
        self._partition = partition
        beyond = _between(partition, 0x80, _LAST)
        counted = {-1: -1}
        for _, letter in beyond:
            counted.setdefault(letter, len(counted) - 1)
        self.beyond = tuple(counted)[1:]
        self.runs_beyond: Runs = tuple([(start, counted[letter]) for start, letter in beyond])
        self.letters = [-1]
        classes = self._raw_classes()
        self.quote, self.backslash = len(self.letters), len(self.letters) + 1
        self.letters += [-1, -1]
        classes[_QUOTE], classes[_BACKSLASH] = self.quote, self.backslash
        self.escapes: list[tuple[int, int]] = []
        self.digits: list[tuple[int, int]] = []
        self.units: Runs = ()
        self.u = 0
        if spelling is not Spelling.RAW:
            self._add_escapes(classes)
        used = set(classes)
        self.letters = [letter if number in used else -1 for number, letter in enumerate(self.letters)]
        shown = set(classes[0x20:0x7F]) - {self.quote, self.backslash}
        segments, leads, tails = _bytes_beyond_ascii(self.runs_beyond)
        plain, has_gap = _plain_beyond_ascii(self.runs_beyond)
        letters = (*self.beyond, -1)
        self.plain = frozenset([letters[number] for number in plain]).union([self.letters[number] for number in shown])
        self.is_complete = not has_gap and all(letter >= 0 for _, letter in _between(partition, 0, 0x80))
        base = len(self.letters) - 1
        self.leads = base
        self.tails = [(base + number, value) for number, value in tails]
        self.letters += [-1] * max([number for number, _ in segments])
        self.class_map = bytes(classes) + b"".join(
            [bytes((number and base + number,)) * length for number, length in segments]
        )
        self.width = len(self.letters)
        self.is_spelled_plainly = spelling is Spelling.RAW and not leads

    def _raw_classes(self) -> bytearray:
        """The classes of ASCII bytes by letter, without a thought to escapes; adds to `letters`."""
        numbers = {-1: 0}
        classes = bytearray(0x20)
        runs = _between(self._partition, 0x20, 0x80)
        for (start, letter), (end, _) in zip(runs, (*runs[1:], (0x60, 0)), strict=True):
            number = numbers.get(letter)
            if number is None:
                number = numbers[letter] = len(self.letters)
                self.letters.append(letter)
            classes += bytes((number,)) * (end - start)
        return classes

    # Escapes

    def _add_escapes(self, classes: bytearray) -> None:
        """Tell the bytes apart that mean something after a backslash, or as hexadecimal digits."""
        controls = _between(self._partition, 0, 0x20)
        if self.spelling is Spelling.ANY:
            self.units = _between(self._partition, 0, 0x80)
            units, borders = units_beyond_ascii(self.runs_beyond)
            first = units[0][1]
            assert isinstance(first, int)
            if self.units[-1][1] != (*self.beyond, -1)[first]:
                borders |= _borders(0x80)
            for start, _ in self.units:
                borders |= _borders(start)
        else:
            self.units, borders = _long_escapes(controls)
        letter_of = {code: self._partition.letter(code) for code in _SHORT.values()}
        letter_of[-1] = -1
        letter_of[_U] = -2
        numbers: dict[tuple[int, int, int], int] = {}
        for byte, code, digit in _meanings(borders, self.spelling):
            escape = letter_of[code]
            if byte in (_QUOTE, _BACKSLASH):  # these have classes of their own
                if escape >= 0:
                    self.escapes.append((classes[byte], escape))
                continue
            key = self.letters[classes[byte]], escape, digit
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(self.letters)
                self.letters.append(key[0])
                if escape >= 0:
                    self.escapes.append((number, escape))
                if digit >= 0:
                    self.digits.append((number, digit))
            classes[byte] = number
        self.u = classes[_U]


@lru_cache(maxsize=1024)
def _meanings(borders: int, spelling: Spelling) -> list[tuple[int, int, int]]:
    """What bytes mean in escapes: (byte, the character that it stands for after a backslash, its value as a digit).

    borders: the digits, as bits, that must be told from smaller ones; other digits have the value of the next smaller.
    """
    digits: dict[int, int] = {}
    value = 0
    for digit in range(16):
        value = digit if borders >> digit & 1 else value
        text = f"{digit:x}"
        for char in {text, text.upper()} if spelling is Spelling.ANY else {text}:
            digits[ord(char)] = value
    codes = {byte: code for byte, code in _SHORT.items() if spelling is Spelling.ANY or byte != 0x2F}
    codes[_U] = _U
    return [(byte, codes.get(byte, -1), digits.get(byte, -1)) for byte in sorted({*codes, *digits})]


def _between(partition: Partition, low: int, high: int) -> Runs:
    """The letters of the characters from `low` to `high` (not included), counted from `low`."""
    starts, letters = partition.starts, partition.letters
    i = bisect_right(starts, low)
    end = bisect_left(starts, high, i)
    if i == end:
        return ((0, letters[i - 1]),)
    return ((0, letters[i - 1]), *[(starts[k] - low, letters[k]) for k in range(i, end)])


def _beyond_ascii(runs: Runs) -> Partition:
    """The letters of characters from 0x80 on, as a partition of its own."""
    return Partition((0, *[0x80 + start for start, _ in runs]), (-1, *[letter for _, letter in runs]), 0)


def leads_of(runs: Runs) -> list[tuple[int, int, Runs]]:
    """The classes of bytes that begin characters beyond ASCII, as (number of the class, bytes that follow, letters)."""
    return _bytes_beyond_ascii(runs)[1]


@lru_cache(maxsize=256)
def units_beyond_ascii(runs: Runs) -> tuple[Units, int]:
    """The code units from 0x80 on, and the digits, as bits, at which what they stand for changes; but for 0x80."""
    partition = _beyond_ascii(runs)
    units: list[tuple[int, Unit]] = []
    units += [(0x80 + start, letter) for start, letter in _between(partition, 0x80, 0xD800)]
    units += [(0xD800 + high, unit) for high, unit in _high_surrogates(partition)]
    units.append((0xDC00, -1))
    units += [(0xE000 + start, letter) for start, letter in _between(partition, 0xE000, 0x10000)]
    joined = _joined(units)
    borders = 1
    for start, unit in joined:
        if start > 0x80:
            borders |= _borders(start)
        if isinstance(unit, tuple):
            borders |= _borders(0xE000)
            for low, _ in unit:
                borders |= _borders(0xDC00 + low)
    return joined, borders


def _high_surrogates(partition: Partition) -> list[tuple[int, Unit]]:
    """What each begins, those that begin the same only once."""
    starts = partition.starts
    found: dict[int, Unit] = {}
    border = 0x10000
    while border < _LAST:
        high = (border - 0x10000) >> 10
        first = 0x10000 + (high << 10)
        runs = _between(partition, first, first + 1024)
        found[high] = -1 if runs == ((0, -1),) else runs
        following = bisect_right(starts, first + 1023)
        next_start = starts[following] if following < len(starts) else _LAST
        if first + 1024 < min(next_start, _LAST):
            runs = _between(partition, first + 1024, first + 1025)
            found[high + 1] = -1 if runs == ((0, -1),) else runs
        border = max(next_start, first + 1024)
    return sorted(found.items(), key=lambda item: item[0])


@lru_cache(maxsize=256)
def _long_escapes(controls: Runs) -> tuple[Runs, int]:
    """The code units that are written after `\\u` where each character has one spelling, and their borders."""
    starts = [start for start, _ in controls]
    units: list[tuple[int, int]] = []
    for code in _LONG_ESCAPES:
        units += [(code, controls[bisect_right(starts, code) - 1][1]), (code + 1, -1)]
    joined = _joined(units)
    borders = 1
    for start, _ in joined:
        borders |= _borders(start)
    return joined, borders


@lru_cache(maxsize=1024)
def _borders(unit: int) -> int:
    """The hexadecimal digits, as bits, at which a code unit parts the smaller ones from the others."""
    digits: set[int] = set()
    _add_digits(unit, 12, 4, 15, digits)
    return sum(1 << digit for digit in digits if digit < 16)


@lru_cache(maxsize=256)
def _bytes_beyond_ascii(runs: Runs) -> tuple[list[tuple[int, int]], list[tuple[int, int, Runs]], list[tuple[int, int]]]:
    """The bytes from 0x80 on, as (class, how many bytes in a row), and which of them begin or continue what.

    Classes are counted from 1; 0 is for bytes that cannot stand in a string.
    """
    if all(letter < 0 for _, letter in runs):
        return [(0, 128)], [], []
    partition = _beyond_ascii(runs)
    borders = {0x80, 0xC0}
    for border in (*_UTF8_BORDERS, *(0x80 + start for start, _ in runs if start)):
        if border < 0x800:
            first, places = 0xC0 << 6, 1
        elif border < 0x10000:
            first, places = 0xE0 << 12, 2
        else:
            first, places = 0xF0 << 18, 3
        lead = (first + border) >> 6 * places
        borders.add(lead)
        rest = border & ((1 << 6 * places) - 1)
        if rest:
            borders.add(lead + 1)
            digits: set[int] = set()
            _add_digits(rest, 6 * (places - 1), 6, 63, digits)
            borders |= {0x80 + digit for digit in digits}
    segments: list[tuple[int, int]] = []
    leads: list[tuple[int, int, Runs]] = []
    tails: list[tuple[int, int]] = []
    ordered = sorted(border for border in borders if border < 0x100)
    for begin, end in zip(ordered, (*ordered[1:], 0x100), strict=True):
        number = len(leads) + len(tails) + 1
        if begin < 0xC0:
            tails.append((number, begin - 0x80))
        else:
            places, lead_runs = _begun_by(partition, begin)
            if all(letter < 0 for _, letter in lead_runs):
                number = 0
            else:
                leads.append((number, places, lead_runs))
        segments.append((number, end - begin))
    return segments, leads, tails


def _begun_by(partition: Partition, lead: int) -> tuple[int, Runs]:
    """How many bytes follow a first byte, and the letters of the characters that they make."""
    if lead < 0xC2 or lead > 0xF4:
        return 0, ()
    places, least = (1, 0x80) if lead < 0xE0 else (2, 0x800) if lead < 0xF0 else (3, 0x10000)
    first = (lead & (0x3F >> places)) << 6 * places
    last = first + (1 << 6 * places)
    if last > _LAST:
        return places, (*_between(partition, first, _LAST), (_LAST - first, -1))
    if first < least:
        made = [(least - first + start, letter) for start, letter in _between(partition, least, last)]
        return places, ((0, -1), *made)
    return places, _between(partition, first, last)


@lru_cache(maxsize=256)
def _plain_beyond_ascii(runs: Runs) -> tuple[frozenset[int], bool]:
    """The letters of the plain characters from 0x80 on, -1 among them where one has none; and whether any has none."""
    ends = (*[0x80 + start for start, _ in runs[1:]], _LAST)
    letters: set[int] = set()
    has_gap = False
    for (start, letter), end in zip(runs, ends, strict=True):
        first = 0x80 + start
        if letter < 0 and 0xD800 <= first < end <= 0xE000:
            continue
        has_gap = has_gap or letter < 0
        if not _LINE_ENDS.start <= first < end <= _LINE_ENDS.stop:
            letters.add(letter)
    return frozenset(letters), has_gap


def _joined(units: Sequence[tuple[int, _Meaning]]) -> tuple[tuple[int, _Meaning], ...]:
    """Without those that begin where the next one begins, or go on as the one before."""
    found: list[tuple[int, _Meaning]] = []
    for start, unit in units:
        if found and found[-1][0] == start:
            found.pop()
        if not found or found[-1][1] != unit:
            found.append((start, unit))
    return tuple(found)


def _add_digits(border: int, shift: int, bits: int, mask: int, borders: set[int]) -> None:
    """The digits at which a border parts the values below it from the others."""
    while border and shift >= 0:
        digit = border >> shift & mask
        borders.add(digit)
        border &= (1 << shift) - 1
        if border:
            borders.add(digit + 1)
        shift -= bits
