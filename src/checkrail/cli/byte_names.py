"""Bytes and tokens for people: ranges of bytes, and bytes as text with what cannot be shown as escapes."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["byte_ranges", "visible"]


def byte_ranges(values: Iterable[int]) -> list[str]:
    """Ascending byte values as ranges, printable ASCII as characters.

    >>> byte_ranges(b"0123456789abx\\n")
    ['0x0A', '0-9', 'a-b', 'x']
    """
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and value == runs[-1][1] + 1 and _kind(value) == _kind(runs[-1][0]):
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return [_name(low) if low == high else f"{_name(low)}-{_name(high)}" for low, high in runs]


def visible(data: bytes) -> str:
    """The bytes as text; what is not printable, and a backslash, as escapes.

    >>> visible("é".encode() + b"\\n\\xff")
    'é\\\\n\\\\xff'
    """
    text = data.decode("utf-8", "surrogateescape")
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if 0xDC80 <= ord(character) <= 0xDCFF:
        return f"\\x{ord(character) - 0xDC00:02x}"
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _kind(value: int) -> str:
    """Letters, digits and the like do not run into one another."""
    character = chr(value)
    if value >= 0x80:
        return "high"
    if value <= 0x20 or value == 0x7F:
        return "space" if value == 0x20 else "control"
    for kind in ("digit", "upper", "lower"):
        if getattr(character, f"is{kind}")():
            return kind
    return "sign"


def _name(value: int) -> str:
    return chr(value) if 0x20 < value < 0x7F else "space" if value == 0x20 else f"0x{value:02X}"
